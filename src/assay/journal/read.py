"""Reading a journal's rows: whole, or only the head that resuming and counting need.

A row with ``error`` is not done: it is asked again, and the last row of a key wins.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

from assay.data.jsonl import BadLine, read_blocks
from assay.errors import JournalCorrupt
from assay.records import Tally

REMEDY = "Mend or delete that line, or start anew with --fresh"

R = TypeVar("R")


class RowHead(msgspec.Struct, frozen=True, gc=False):
    """The part of a row that resuming needs.

    ``status`` is empty in rows of other programs, which say only ``error`` or nothing; a
    line without ``key`` is the file's metadata and can only be the first.
    """

    key: str = ""
    fingerprint: str = ""
    status: Literal["", "scored", "failed", "skipped"] = ""
    error: str | None = None
    paid: float | None = None


class JournalIndex:
    """What a journal holds, by key: enough to skip what is done and to count the rest."""

    def __init__(self) -> None:
        self.done: dict[str, str] = {}
        self.failed: set[str] = set()
        self.skipped: set[str] = set()
        self.paid = 0.0

    def __len__(self) -> int:
        """Distinct keys."""
        return len(self.done) + len(self.failed)

    def add(self, heads: list[RowHead]) -> None:
        """Take rows in file order; the last of a key wins."""
        done, failed, skipped = self.done, self.failed, self.skipped
        for head in heads:
            if head.status == "scored":
                done[head.key] = head.fingerprint
                if failed:
                    failed.discard(head.key)
                if skipped:
                    skipped.discard(head.key)
            else:
                self._add_unusual(head)
            if head.paid is not None:
                self.paid += head.paid

    def _add_unusual(self, head: RowHead) -> None:
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
        """Scored, failed and skipped, kept apart."""
        return Tally(
            scored=len(self.done) - len(self.skipped),
            failed=len(self.failed),
            skipped=len(self.skipped),
        )


def read_rows(path: Path, as_type: type[R]) -> Iterator[list[R]]:
    """Whole rows of a journal in blocks, in file order; a torn last line is left out.

    Raises ``JournalCorrupt`` naming the first line that is not such a row.
    """
    try:
        yield from read_blocks(path, as_type, torn_end=True)
    except BadLine as bad:
        raise JournalCorrupt(
            f"{path}:{bad.line}: not a row of results ({bad.reason}); nothing was changed. {REMEDY}"
        ) from None


def last_rows(path: Path) -> dict[str, dict[str, Any]]:
    """The rows of a journal by key, the last of each; an absent file has none."""
    if not path.exists():
        return {}
    blocks = read_rows(path, dict[str, Any])
    return {row["key"]: row for rows in blocks for row in rows if row.get("key")}


def read_heads(path: Path) -> Iterator[list[RowHead]]:
    """The heads of a journal's rows in blocks; metadata in its first line is left out.

    An absent file has none. A later line without a key is ``JournalCorrupt``.
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
                f"{path}:{_first_keyless_line(path)}: a row without its key; nothing was changed. "
                f"{REMEDY}"
            )
        yield heads


def index_journal(path: Path) -> JournalIndex:
    """Read a journal's keys; an absent file gives an empty index."""
    index = JournalIndex()
    for heads in read_heads(path):
        index.add(heads)
    return index


def _first_keyless_line(path: Path) -> int:
    first_seen = False
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                if first_seen and not msgspec.json.decode(line, type=RowHead).key:
                    return number
                first_seen = True
    return 1
