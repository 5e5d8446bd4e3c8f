"""The cursor of an event: which run, which file of it, and the place after the last row sent."""

import hashlib
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote

import msgspec
from msgspec import Struct

from assay.data.jsonl import UNREADABLE

LONGEST_ROW: Final = 1 << 25
"""No longer row is read, in bytes."""
_BLOCK: Final = 1 << 16
_CURSOR: Final = re.compile(r"([^@\s]*)@([0-9a-f]{12}):([0-9]{1,15})(:end)?")
_OLD: Final = re.compile(r"\.(\d{8}T\d{6}Z)(?:-(\d+))?\.old")


class Cursor(Struct, frozen=True):
    """A place in a journal. ``is_end`` says that the reader was told that there are no more rows."""

    run: str
    generation: str
    offset: int
    is_end: bool = False

    def __str__(self) -> str:
        return f"{prefix(self.run, self.generation)}{self.offset}{':end' if self.is_end else ''}"


def prefix(run: str, generation: str) -> str:
    """A cursor without its offset."""
    return f"{quote(run, safe='/')}@{generation}:"


def parse_cursor(text: str) -> Cursor | None:
    """The cursor that an event had; ``None`` if it is none.

    >>> parse_cursor("experiments/hyde@0123456789ab:42")
    Cursor(run='experiments/hyde', generation='0123456789ab', offset=42, is_end=False)
    >>> parse_cursor("42") is None
    True
    """
    found = _CURSOR.fullmatch(text)
    if found is None:
        return None
    run, generation, offset, end = found.groups()
    return Cursor(unquote(run), generation, int(offset), bool(end))


class _Keyed(Struct, frozen=True, gc=False):
    key: str = ""


def generation_of(fd: int) -> str | None:
    """A name for the content of an open journal that no later journal of this name will have.

    It stays the same while rows are added. ``None`` while there is no complete row.
    """
    lines = b""
    for line in _first_lines(fd):
        lines += line
        try:
            has_key = bool(msgspec.json.decode(line, type=_Keyed).key)
        except UNREADABLE:
            has_key = True  # not a journal; whoever reads it says so
        if has_key:
            inode = os.fstat(fd).st_ino
            return hashlib.blake2b(b"%d\n%b" % (inode, lines), digest_size=6).hexdigest()
    return None


def _first_lines(fd: int) -> Iterator[bytes]:
    """The complete lines of a file that are not blank, from its start on.

    A line that is too long is the last one, and is cut.
    """
    offset, parts, size = 0, list[bytes](), 0
    while block := os.pread(fd, _BLOCK, offset):
        offset += len(block)
        first, *others = block.split(b"\n")
        parts.append(first)
        size += len(first)
        if size > LONGEST_ROW:
            yield b"".join(parts)[:LONGEST_ROW]
            return
        if others:
            *lines, rest = b"".join(parts), *others
            yield from (line for line in lines if line.strip())
            parts, size = [rest], len(rest)


def old_journals(journal: Path) -> list[Path]:
    """The journals of this name that were set aside, the oldest first."""
    found = []
    for path in journal.parent.glob(f"{_escaped(journal.name)}.*.old"):
        match = _OLD.fullmatch(path.name.removeprefix(journal.name))
        if match:
            found.append((match[1], int(match[2] or 1), path))
    return [path for *_, path in sorted(found)]


def _escaped(name: str) -> str:
    return re.sub(r"([*?[])", r"[\1]", name)
