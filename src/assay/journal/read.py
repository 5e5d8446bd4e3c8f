"""Reading the rows of a journal: complete, or only the fields needed to resume and to count.

A case whose row has an ``error`` is not done: it is asked again. If a key has several rows, only
the last one counts.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

from assay.data.jsonl import BadLine, read_blocks
from assay.errors import JournalCorrupt
from assay.records import Tally

REMEDY = "Repair or delete that line, or start again with --fresh"

R = TypeVar("R")


class RowHead(msgspec.Struct, frozen=True, gc=False):
    """The fields of a row that are needed to resume a run.

    ``status`` is empty in rows of other programs, which have only an ``error`` or no field for
    the outcome. A line without ``key`` is metadata of the file and must be the first line.
    """

    key: str = ""
    fingerprint: str = ""
    status: Literal["", "scored", "failed", "skipped"] = ""
    error: str | None = None
    paid: float | None = None


class JournalIndex:
    """The outcome of each key in a journal: what is done, failed or skipped."""

    def __init__(self) -> None:
        self.done: dict[str, str] = {}
        self.failed: set[str] = set()
        self.skipped: set[str] = set()
        self.paid = 0.0

    def __len__(self) -> int:
        """The number of distinct keys."""
        return len(self.done) + len(self.failed)

    def add(self, heads: list[RowHead]) -> None:
        """Add rows in file order; the last row of a key replaces earlier ones."""
        done, failed, skipped = self.done, self.failed, self.skipped
        for head in heads:
            if head.status == "scored":
                done[head.key] = head.fingerprint
                if failed:
                    failed.discard(head.key)
                if skipped:
                    skipped.discard(head.key)
            else:
                self._add_unscored(head)
            if head.paid is not None:
                self.paid += head.paid

    def _add_unscored(self, head: RowHead) -> None:
        key = head.key
        if head.error is not None or head.status == "failed":
            self.done.pop(key, None)
            self.skipped.discard(key)
            self.failed.add(key)
        else:
            self.done[key] = head.fingerprint
            self.failed.discard(key)
            if head.status == "skipped":
                self.skipped.add(key)
            else:
                self.skipped.discard(key)

    def tally(self) -> Tally:
        """The number of scored, failed and skipped cases."""
        return Tally(
            scored=len(self.done) - len(self.skipped),
            failed=len(self.failed),
            skipped=len(self.skipped),
        )


def read_rows(path: Path, as_type: type[R]) -> Iterator[list[R]]:
    """Yield the complete rows of a journal in blocks, in file order.

    An incomplete last line is ignored. Raises ``JournalCorrupt`` with the number of the first
    line that is not a row of ``as_type``.
    """
    try:
        yield from read_blocks(path, as_type, torn_end=True)
    except BadLine as bad:
        raise JournalCorrupt(
            f"{path}:{bad.line}: not a row of results ({bad.reason}); nothing was changed. {REMEDY}"
        ) from None


def last_rows(path: Path) -> dict[str, dict[str, Any]]:
    """The last row of each key of a journal; empty if the file does not exist."""
    if not path.exists():
        return {}
    blocks = read_rows(path, dict[str, Any])
    return {row["key"]: row for rows in blocks for row in rows if row.get("key")}


def read_heads(path: Path) -> Iterator[list[RowHead]]:
    """Yield the heads of a journal's rows in blocks, without a metadata line at the start.

    Yields nothing if the file does not exist. Raises ``JournalCorrupt`` if a line after the
    first has no key.
    """
    if not path.exists():
        return
    is_first = True
    for heads in read_rows(path, RowHead):
        if is_first and heads and not heads[0].key:
            del heads[0]
        is_first = False
        if not all([head.key for head in heads]):  # noqa: C419 - a list is twice as fast
            raise JournalCorrupt(
                f"{path}:{_first_keyless_line(path)}: a row without a key; nothing was changed. "
                f"{REMEDY}"
            )
        yield heads


def index_journal(path: Path) -> JournalIndex:
    """Read the index of a journal; it is empty if the file does not exist."""
    index = JournalIndex()
    for heads in read_heads(path):
        index.add(heads)
    return index


def _first_keyless_line(path: Path) -> int:
    has_seen_first = False
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                if has_seen_first and not msgspec.json.decode(line, type=RowHead).key:
                    return number
                has_seen_first = True
    return 1
