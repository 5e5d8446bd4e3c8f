"""``NAME.plan.jsonl``: the cases of a run, so that a reader can tell which rows belong to it.

The first line says what the plan was made of. Each further line is a question with the digest of
its content; the plan is then every question with every variant at every placement. A plan that
is no such product has a line for each case instead: its key and its fingerprint.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO, Literal

import msgspec
from msgspec import Struct

from assay.data.jsonl import UNREADABLE
from assay.errors import JournalCorrupt, JournalTooNew
from assay.mask import is_sealed
from assay.records import DIGEST_BYTES, SCHEMA_VERSION, key_parts
from assay.runs.summary import write_atomically
from assay.runs.write import plan_path

Mark = tuple[str, str]
"""A question id with the digest of the question, or a key with its fingerprint."""

_BATCH = 4096
_REMEDY = "Delete it: the next run writes it again"
_BLOCK_BYTES = 1 << 16


class PlanHeader(Struct, frozen=True, kw_only=True):
    """What a plan was made of.

    - ``made_of``: a digest of the run's header; a run with the same one has the same plan;
    - ``system``: the digest of the system's identity;
    - ``variants``: the middle part of the fingerprints of each variant, by its name;
    - ``placements``: the last parts of the keys (``topk=10``, and ``topk=10::run=2`` of a draw);
    - ``lines``: whether the other lines are questions or cases.
    """

    made_of: str
    total: int
    system: str
    variants: Mapping[str, str]
    placements: tuple[str, ...] = ()
    lines: Literal["questions", "cases"] = "questions"
    schema_version: int = SCHEMA_VERSION

    @property
    def marks(self) -> int | None:
        """The number of the other lines; ``None`` if there are no variants or placements."""
        if self.lines == "cases":
            return self.total
        each = len(self.variants) * len(self.placements)
        return self.total // each if each else None


class StoredPlan(Struct, frozen=True, kw_only=True):
    """The plan of a run as it is stored beside its journal."""

    header: PlanHeader
    marks: Mapping[str, str]

    def __contains__(self, key: str) -> bool:
        """Whether the case with this key is part of the plan."""
        if self.header.lines == "cases":
            return key in self.marks
        question, variant, placement = key_parts(key) or ("", "", "")
        return (
            question in self.marks
            and variant in self.header.variants
            and placement in self.header.placements
        )

    def fingerprint(self, key: str) -> str | None:
        """The fingerprint of the case with this key; ``None`` if it is not part of the plan."""
        if key not in self:
            return None
        if self.header.lines == "cases":
            return self.marks[key]
        question, variant, _ = key_parts(key) or ("", "", "")
        mark = self.marks[question]
        # a sealed digest has one letter more; what the answer is compared with may follow a plain one
        asked = mark if is_sealed(mark) else mark[: 2 * DIGEST_BYTES]
        return f"{self.header.system}-{self.header.variants[variant]}-{asked}"


def write_plan(journal: Path, header: PlanHeader, marks: Iterable[Mark]) -> None:
    """Store a plan beside its journal, atomically. Only a part of it is in memory at a time."""
    encode = msgspec.json.Encoder().encode_lines

    def lines() -> Iterator[bytes]:
        yield encode([header])
        rest = iter(marks)
        while batch := list(islice(rest, _BATCH)):
            yield encode(batch)

    # names are masked already, in the same way as those of rows
    write_atomically(plan_path(journal), lines(), is_masked=True)


def read_plan_header(journal: Path) -> PlanHeader | None:
    """Read the first line of a stored plan; ``None`` if there is no plan."""
    path = plan_path(journal)
    try:
        with path.open("rb") as file:
            return _decode_header(path, file.readline())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise JournalCorrupt(f"{path}: cannot be read: {error.strerror}") from None


def is_whole_plan(journal: Path, header: PlanHeader) -> bool:
    """Whether a stored plan has all the lines that its header announces."""
    with plan_path(journal).open("rb") as file:
        blocks = iter(lambda: file.read(1 << 20), b"")
        lines = sum(block.count(b"\n") for block in blocks)
    return header.marks in {None, lines - 1}


def read_plan(journal: Path) -> StoredPlan | None:
    """Read the plan of a run; ``None`` if none was stored (by the first version of assay)."""
    with _opened_plan(journal) as stored:
        if stored is None:
            return None
        header, marks = stored
        return StoredPlan(header=header, marks=dict(chain.from_iterable(marks)))


def read_plan_names(journal: Path) -> tuple[PlanHeader, frozenset[str]] | None:
    """Like ``read_plan``, but only the ids or keys, in a fraction of the memory."""
    with _opened_plan(journal) as stored:
        if stored is None:
            return None
        header, marks = stored
        return header, frozenset(name for block in marks for name, _ in block)


def read_plan_marks(journal: Path) -> Iterator[Mark]:
    """The lines of a stored plan after its header, read as far as they are needed."""
    return chain.from_iterable(_read_stored_blocks(journal))


def _read_stored_blocks(journal: Path) -> Iterator[list[Mark]]:
    with _opened_plan(journal) as stored:
        if stored is not None:
            yield from stored[1]


def copy_plan(journal: Path, target: Path) -> None:
    """Store the plan of ``journal`` beside ``target`` as well, which has rows of the same run."""
    path = plan_path(journal)
    if path.exists():
        write_atomically(plan_path(target), path.read_bytes(), is_masked=True)


@contextmanager
def _opened_plan(journal: Path) -> Iterator[tuple[PlanHeader, Iterator[list[Mark]]] | None]:
    """The header of a stored plan, and its marks in blocks; only one block is in memory."""
    path = plan_path(journal)
    try:
        file = path.open("rb")
    except FileNotFoundError:
        yield None
        return
    except OSError as error:
        raise JournalCorrupt(f"{path}: cannot be read: {error.strerror}") from None
    with file:
        header = _decode_header(path, file.readline())
        yield header, _read_mark_blocks(path, file, header)


def _read_mark_blocks(path: Path, file: BinaryIO, header: PlanHeader) -> Iterator[list[Mark]]:
    decoder = msgspec.json.Decoder(Mark)
    count = 0
    try:
        while block := file.read(_BLOCK_BYTES):
            marks = decoder.decode_lines(block + file.readline())
            count += len(marks)
            yield marks
    except OSError as error:
        raise JournalCorrupt(f"{path}: cannot be read: {error.strerror}") from None
    except UNREADABLE as error:
        raise JournalCorrupt(f"{path}: not the plan of a run ({error}). {_REMEDY}") from None
    if header.marks not in {None, count}:
        raise JournalCorrupt(
            f"{path}: {count} of the {header.marks} lines of the plan are left. {_REMEDY}"
        )


class _Version(Struct, frozen=True):
    schema_version: int = 0


def _decode_header(path: Path, line: bytes) -> PlanHeader:
    try:
        version = msgspec.json.decode(line, type=_Version).schema_version
        if version <= SCHEMA_VERSION:
            return msgspec.json.decode(line, type=PlanHeader)
    except UNREADABLE as error:
        raise JournalCorrupt(f"{path}: not the plan of a run ({error}). {_REMEDY}") from None
    raise JournalTooNew(
        f"{path}: was written by a newer version of assay (layout {version}, this version reads "
        f"up to {SCHEMA_VERSION}); install a newer assay to read it"
    )
