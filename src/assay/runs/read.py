"""Reading the rows of a journal: complete, or only the fields that the reader needs.

Everything that can be wrong with a file of rows is handled here, for every reader: an incomplete
last line is ignored, a first line without a key is metadata, any other line that is not a row is
an error with its number, older rows are migrated, newer ones are refused.

A case whose row has an ``error`` is not done: it is asked again. If a key has several rows, only
the last one counts.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from operator import add
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

import msgspec

from assay.data.jsonl import (
    UNREADABLE,
    BadLine,
    LineBlock,
    decode_block,
    read_line_blocks,
    refuse_repeated_keys,
)
from assay.errors import JournalCorrupt, JournalTooNew
from assay.records import SCHEMA_VERSION, Tally
from assay.runs.row import RowHead

# Rows of other versions: older ones are migrated while they are read, newer ones are refused.
#
# Version 0 is a row without ``schema_version``: other programs write such rows, with an ``error``
# or without any field for the outcome. Version 1 has the same fields as version 2; version 2 added
# the status ``answered``.

Fields = dict[str, Any]


def _from_0(row: Mapping[str, Any]) -> Fields:
    """A row with an error has failed; another row without a status is scored."""
    status = "failed" if row.get("error") is not None else row.get("status") or "scored"
    return {**row, "status": status}


_STEPS: Final[Mapping[int, Callable[[Mapping[str, Any]], Fields]]] = {0: _from_0}
"""The steps that change a row of this version to the next one. Other versions need no change."""


def needs_migration(version: int) -> bool:
    """Whether rows of this version must be changed before they are used."""
    return version in _STEPS


def migrate(row: Fields) -> Fields:
    """The row as this version would have written it.

    >>> migrate({"key": "q1::full::topk=10", "error": "timeout"})["status"]
    'failed'
    """
    for version in range(row.get("schema_version", 0), SCHEMA_VERSION):
        if version in _STEPS:
            row = _STEPS[version](row)
    return row


REMEDY = "Repair or delete that line, or start again with --resume fresh"


class Keyed(Protocol):
    """What a type of rows must have to be read; both are absent from a line of metadata."""

    @property
    def key(self) -> str:
        """The key of the case."""

    @property
    def schema_version(self) -> int:
        """The version of the row's layout; 0 if the row does not say."""


R = TypeVar("R", bound=Keyed)


class JournalBlock(msgspec.Struct, frozen=True, kw_only=True):
    """Rows that were read together: their range of bytes, and one list of them for each type.

    ``ends`` is what follows the question in the keys of each variant, if that is the same in all
    rows so far; otherwise ``None``. What is true for the ends need not be looked for in each key.
    """

    place: slice
    rows: list[list[Any]]
    ends: Mapping[str, str] | None


class JournalIndex:
    """The outcome of each key in a journal: what is done, answered, failed, skipped or spared."""

    def __init__(self) -> None:
        self.done: dict[str, str] = {}
        self.answered: set[str] = set()
        self.failed: set[str] = set()
        self.skipped: set[str] = set()
        self.spared: set[str] = set()
        self.paid = 0.0

    def __len__(self) -> int:
        """The number of distinct keys."""
        return len(self.done) + len(self.answered) + len(self.failed)

    def add(self, heads: list[RowHead]) -> None:
        """Add rows in file order; the last row of a key replaces earlier ones."""
        for head in heads:
            key = head.key
            for keys in (self.answered, self.failed, self.skipped, self.spared):
                if keys:
                    keys.discard(key)
            if head.status == "scored":
                self.done[key] = head.fingerprint
            elif head.status == "skipped":
                self.done[key] = head.fingerprint
                self.skipped.add(key)
            elif head.status == "spared":
                self.done[key] = head.fingerprint
                self.spared.add(key)
            else:
                self.done.pop(key, None)
                (self.answered if head.status == "answered" else self.failed).add(key)
            self.paid += (head.paid or 0.0) + (head.judge_paid or 0.0)

    def tally(self) -> Tally:
        """The number of cases that ended in each way."""
        return Tally(
            scored=len(self.done) - len(self.skipped) - len(self.spared),
            answered=len(self.answered),
            failed=len(self.failed),
            skipped=len(self.skipped),
            spared=len(self.spared) or msgspec.UNSET,
        )


def read_rows(path: Path, as_type: type[R]) -> Iterator[list[R]]:
    """Yield the rows of a journal in blocks, in file order.

    Raises ``JournalCorrupt`` with the number of the first line that is not a row of ``as_type``,
    and ``JournalTooNew`` if a newer version of assay wrote a row.
    """
    for _, (rows,) in scan_journal(path, as_type):
        yield rows


def scan_journal(
    path: Path, *types: type[Any], once: bool = False
) -> Iterator[tuple[slice, list[list[Any]]]]:
    """Read a journal once for several readers: each block of rows as each of ``types``.

    Yields the byte range of a block, and its rows as one list for each type, in file order.
    Raises the same errors as ``read_rows``; with ``once`` also a ``DatasetError`` for a row in
    which a key is twice.
    """
    for block in scan_blocks(path, *types, once=once):
        yield block.place, block.rows


def scan_blocks(path: Path, *types: type[Any], once: bool = False) -> Iterator[JournalBlock]:
    """Like ``scan_journal``, with what is known about the keys of the rows."""
    decoders = [msgspec.json.Decoder(as_type) for as_type in types]
    named = next(
        (n for n, each in enumerate(types) if _NAMING.issubset(each.__struct_fields__)), None
    )
    ends: dict[str, str] | None = None if named is None else {}
    for block in read_line_blocks(path, torn_end=True):
        decoded = [_decode_rows(path, block, decoder) for decoder in decoders]
        if _versions(path, decoded[0]) - _UNCHANGED:
            fields = _decode_fields(path, block)
            versions = [row.schema_version for row in decoded[0]]
            decoded = [
                [
                    _migrated(each, decoder) if version in _MIGRATED else row
                    for row, each, version in zip(rows, fields, versions, strict=True)
                ]
                for rows, decoder in zip(decoded, decoders, strict=True)
            ]
        if named is not None and (ends is None or not _have_ends(decoded[named], ends)):
            ends = None
            _refuse_contradiction(path, block, decoded[named])
        if once:
            refuse_repeated_keys(block, path)
        yield JournalBlock(place=block.place, rows=decoded, ends=ends)


def read_fields(path: Path) -> Iterator[list[dict[str, Any]]]:
    """Like ``read_rows``, but yield every row with all its fields, as a dictionary.

    Rows that are written again must not lose the fields that no type of rows names.
    """
    for block in read_line_blocks(path, torn_end=True):
        _check_fields(path, block)
        yield [migrate(row) for row in _decode_fields(path, block)]


def read_lines(path: Path) -> Iterator[list[tuple[RowHead, bytes]]]:
    """Yield the rows of a journal in blocks: the head of each, and its line as it is written.

    The line of metadata is left out. Raises the same errors as ``read_rows``.
    """
    decoder = msgspec.json.Decoder(RowHead)
    for block in read_line_blocks(path, torn_end=True):
        written = _decode_rows(path, block, decoder)
        _versions(path, written)
        lines = [line for line in block.data.split(b"\n") if line.strip()]
        yield [
            (parse_head(path, line) or head, line)
            if head.schema_version in _MIGRATED
            else (head, line)
            for head, line in zip(written, lines[len(lines) - len(written) :], strict=True)
        ]


def read_numbered_fields(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Like ``read_fields``, but one row after the other, each with the number of its line."""
    any_fields = msgspec.json.Decoder(dict[str, Any])
    for block in read_line_blocks(path, torn_end=True):
        _check_fields(path, block)
        lines = enumerate(block.data.split(b"\n"), block.lines_before + 1)
        numbers = (number for number, line in lines if line.strip())
        for number, row in zip(numbers, decode_block(path, block, any_fields), strict=False):
            if row.get("key"):
                yield number, migrate(row)


_NAMING = frozenset({"question_id", "config"})
"""The fields of a row that its key repeats."""
_MIGRATED = frozenset(filter(needs_migration, range(SCHEMA_VERSION)))
_UNCHANGED = frozenset(range(SCHEMA_VERSION + 1)) - _MIGRATED


class _Version(msgspec.Struct, frozen=True):
    key: str = ""
    schema_version: int = 0


class _Named(_Version, frozen=True):
    question_id: Any = ""
    config: Any = ""


def _check_fields(path: Path, block: LineBlock) -> None:
    """Raise the errors of ``read_rows`` for lines of which all fields are read."""
    rows = _decode_rows(path, block, msgspec.json.Decoder(_Named))
    _versions(path, rows)
    _refuse_contradiction(path, block, rows)


def _decode_rows(path: Path, block: LineBlock, decoder: "msgspec.json.Decoder[R]") -> list[R]:
    """The rows of a block as they are written, without a line of metadata at the start."""
    try:
        rows = decode_block(path, block, decoder)
    except BadLine as bad:
        for line in block.data.split(b"\n"):  # a newer row may have a type that is unknown here
            with suppress(*UNREADABLE):
                _refuse_newer(path, msgspec.json.decode(line, type=_Version))
        raise JournalCorrupt(
            f"{path}:{bad.line}: not a row of results ({bad.reason}); nothing was changed. {REMEDY}"
        ) from None
    if block.start == 0 and rows and not rows[0].key:
        _refuse_keyless_row(path, block)
        del rows[0]
    if not all([row.key for row in rows]):  # noqa: C419 - a list is twice as fast
        _refuse_keyless(path, block)
    return rows


def _versions(path: Path, rows: Sequence[R]) -> set[int]:
    """The versions of the rows; raises ``JournalTooNew`` if one is newer than this program."""
    versions = {row.schema_version for row in rows}
    if versions and max(versions) > SCHEMA_VERSION:
        for row in rows:
            _refuse_newer(path, row)
    return versions


def _migrated(fields: dict[str, Any], decoder: "msgspec.json.Decoder[R]") -> R:
    """A row of an older version as a row of this one."""
    return decoder.decode(msgspec.json.encode(migrate(fields)))


def parse_head(path: Path, line: bytes) -> RowHead | None:
    """The head of one line, migrated; ``None`` if it is not the whole line of a row."""
    decoder = msgspec.json.Decoder(RowHead)
    try:
        head = decoder.decode(line)
    except UNREADABLE:
        with suppress(*UNREADABLE):
            _refuse_newer(path, msgspec.json.decode(line, type=_Version))
        return None
    _refuse_newer(path, head)
    if head.key and head.schema_version in _MIGRATED:
        return _migrated(msgspec.json.decode(line), decoder)
    return head


def _decode_fields(path: Path, block: LineBlock) -> list[dict[str, Any]]:
    decoder = msgspec.json.Decoder(dict[str, Any])
    return [row for row in decode_block(path, block, decoder) if row.get("key")]


def _refuse_newer(path: Path, row: Keyed) -> None:
    if row.schema_version > SCHEMA_VERSION:
        raise JournalTooNew(
            f"{path}: the row {row.key!r} was written by a newer version of assay (layout "
            f"{row.schema_version}, this version reads up to {SCHEMA_VERSION}); install a newer "
            "assay to read it"
        )


def read_metadata(path: Path) -> dict[str, Any] | None:
    """The metadata in the first line of a journal; empty if the first line is a row.

    ``None`` if the file is missing or has no complete line yet.
    """
    try:
        with path.open("rb") as file:
            line = next((line for line in file if line.strip()), b"")
    except FileNotFoundError:
        return None
    if not line.endswith(b"\n"):
        return None
    try:
        fields = msgspec.json.decode(line, type=dict[str, Any])
    except UNREADABLE as error:
        raise JournalCorrupt(
            f"{path}:1: not a row of results ({error}); nothing was changed. {REMEDY}"
        ) from None
    return {} if fields.get("key") else fields


def last_rows(path: Path, as_type: type[R]) -> dict[str, R]:
    """The last row of each key of a journal; empty if the file does not exist."""
    if not path.exists():
        return {}
    return {row.key: row for rows in read_rows(path, as_type) for row in rows}


def last_row_fields(path: Path) -> dict[str, dict[str, Any]]:
    """The last row of each key with all its fields; empty if the file does not exist."""
    if not path.exists():
        return {}
    return {row["key"]: row for rows in read_fields(path) for row in rows}


def read_heads(path: Path) -> Iterator[list[RowHead]]:
    """Yield the heads of a journal's rows in blocks; nothing if the file does not exist."""
    if path.exists():
        yield from read_rows(path, RowHead)


def index_journal(
    path: Path, choose: Callable[[list[RowHead]], list[RowHead]] = lambda heads: heads
) -> JournalIndex:
    """Read the index of a journal; it is empty if the file does not exist.

    ``choose`` returns the rows that count, all by default.
    """
    index = JournalIndex()
    for heads in read_heads(path):
        index.add(choose(heads))
    return index


def _have_ends(rows: Sequence[Any], ends: dict[str, str]) -> bool:
    """Whether each key is that of the row's question, followed by the end of the row's variant.

    A variant that is new gets the end of its first row. Then no row contradicts its key.
    """
    variants = [row.config for row in rows]
    if not ends.keys() >= set(variants):
        first_rows = {row.config: row for row in reversed(rows) if row.config not in ends}
        for variant, row in first_rows.items():
            ends[variant] = row.key.removeprefix(row.question_id)
            if not ends[variant].startswith(f"::{variant}::"):
                return False
    questions = [row.question_id for row in rows]
    # faster than any expression that Python runs for each row
    return list(map(add, questions, map(ends.__getitem__, variants))) == [row.key for row in rows]


def _refuse_contradiction(path: Path, block: LineBlock, rows: Sequence[Any]) -> None:
    """Raise ``JournalCorrupt`` if a row names another question or variant than its key does.

    Rows are paired by their question and variant, and chosen by their key. A row of another
    program may have a key of another form, and redaction may change the parts of a key.
    """
    if all([row.key.startswith(f"{row.question_id}::{row.config}::") for row in rows]):  # noqa: C419 - a list is twice as fast
        return
    lines = enumerate(block.data.split(b"\n"), block.lines_before + 1)
    written = [(number, line) for number, line in lines if line.strip()]
    for row, (number, line) in zip(rows, written[len(written) - len(rows) :], strict=True):
        named = f"{row.question_id}::{row.config}::"
        has_parts = row.question_id and row.config and row.key.count("::") > 1
        if has_parts and not row.key.startswith(named) and not _is_redacted(line):
            raise JournalCorrupt(
                f"{path}:{number}: the key {row.key!r} is not that of the question "
                f"{row.question_id!r} and the variant {row.config!r}; nothing was changed. {REMEDY}"
            )


def _is_redacted(line: bytes) -> bool:
    return msgspec.json.decode(line, type=RowHead).redacted


def _refuse_keyless_row(path: Path, block: LineBlock) -> None:
    """Raise ``JournalCorrupt`` if the first line is not metadata but a row that lost its key."""
    first = next(line for line in block.data.split(b"\n") if line.strip())
    if "question_id" in msgspec.json.decode(first, type=dict[str, msgspec.Raw]):
        raise JournalCorrupt(f"{path}:1: a row without a key; nothing was changed. {REMEDY}")


def _refuse_keyless(path: Path, block: LineBlock) -> None:
    """Raise ``JournalCorrupt`` with the number of the first line that has no key."""
    is_first = block.start == 0
    for number, line in enumerate(block.data.split(b"\n"), block.lines_before + 1):
        if not line.strip():
            continue
        if not is_first and not msgspec.json.decode(line, type=RowHead).key:
            raise JournalCorrupt(
                f"{path}:{number}: a row without a key; nothing was changed. {REMEDY}"
            )
        is_first = False
