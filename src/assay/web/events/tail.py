"""The rows of a journal as events, from any place on, while it grows and across ``--resume fresh``.

A reader holds no rows: it has an open file and a place in it, and reads the next block when it is
asked. Several readers at the same place share the block that the first of them prepared. What a
reader takes is bounded: a row that is too long ends the reading with a message.
"""

import hashlib
import os
import re
from collections import OrderedDict
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Lock
from typing import Final
from urllib.parse import quote, unquote

import msgspec
from msgspec import Struct

from assay.data.jsonl import UNREADABLE
from assay.errors import JournalCorrupt, UseError
from assay.web.pattern import Cancelled

# The cursor of an event: which run, which file of it, and the place after the last row sent.

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


BLOCK: Final = 1 << 17
"""How many bytes are read at once; a longer row is read whole."""
_KEPT: Final = 8
"""How many prepared blocks are shared."""
MOST_SHARED: Final = 1 << 20
"""A block with more bytes of events is not shared."""


class _TailKeyed(Struct, frozen=True, gc=False):
    key: str = ""


class Block(Struct, frozen=True):
    """The events of some rows, and the place after them."""

    events: bytes
    rows: int
    end: int


class SharedBlocks:
    """The last blocks that were prepared, by generation and place. Safe in several threads."""

    def __init__(self) -> None:
        self._blocks: OrderedDict[tuple[str, str, int], Block] = OrderedDict()
        self._lock = Lock()

    def get(self, place: tuple[str, str, int]) -> Block | None:
        """The block that begins at this place."""
        with self._lock:
            return self._blocks.get(place)

    def put(self, place: tuple[str, str, int], block: Block) -> None:
        """Keep a block, unless it is large; the oldest one is dropped."""
        if len(block.events) > MOST_SHARED:
            return
        with self._lock:
            self._blocks[place] = block
            if len(self._blocks) > _KEPT:
                self._blocks.popitem(last=False)


class RowReader:
    """Reads the rows of a run one block after the other, after ``cursor`` or from the start.

    ``read`` may be called in any thread, by one caller at a time.
    """

    def __init__(
        self, run: str, journal: Path, cursor: Cursor | None, shared: SharedBlocks | None = None
    ) -> None:
        self._run = run
        self.journal = journal
        self._shared = shared or SharedBlocks()
        self._fd = -1
        self._generation = ""
        self._offset = 0
        self._was_fresh = False
        self._torn = (-1, -1, -1)  # offset, size and time of change where no line was complete
        self._lock = Lock()
        self.rows = 0
        if cursor is not None:
            self._find(cursor)

    @property
    def cursor(self) -> Cursor | None:
        """The place after the last row that was read; ``None`` if there was no row yet."""
        if not self._generation:
            return None
        return Cursor(self._run, self._generation, self._offset)

    def has_more(self) -> bool:
        """Whether ``read`` would look at something new; cheap, and never waits for a disk."""
        if self._fd < 0:
            return self.journal.exists()
        try:
            state = self._state()
            is_new = state[1] > self._offset and state != self._torn
            return is_new or not self._is_current()
        except OSError:
            return True

    def prepared(self) -> bytes:
        """The events that another reader prepared at this place; empty if there are none."""
        block = self._shared.get(self._place)
        return b"" if block is None else self._taken(block)

    def read(self, stop: Callable[[], bool] = lambda: False) -> bytes:
        """The events of the next rows; empty if there are none now.

        Raises ``JournalCorrupt`` at a line that is not a row, ``UseError`` at a row that is too
        long, and ``Cancelled`` soon after ``stop`` says that nobody waits for them.
        """
        with self._lock:
            while True:
                _check(stop)
                if self._fd < 0 and not self._open(self.journal):
                    return b""
                is_current = self._is_current()  # before reading: a renamed file gets no more rows
                block = self._next_block(stop)
                if block.end > self._offset:
                    if events := self._taken(block):
                        return events
                    continue  # blank lines and metadata move the place without an event
                following = None if is_current else self._following()
                if following is None or not self._open(following):
                    return b""
                self._was_fresh = True

    def close(self) -> None:
        """Close the file, once nobody reads in it."""
        with self._lock:
            self._close_file()

    def _close_file(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    @property
    def _place(self) -> tuple[str, str, int]:
        return self._run, self._generation, self._offset

    def _taken(self, block: Block) -> bytes:
        """Go to the end of a block; its events."""
        self._offset = block.end
        self.rows += block.rows
        if not self._was_fresh or not block.events:
            return block.events
        self._was_fresh = False
        name = msgspec.json.encode(self._run)
        return b'event: fresh\ndata: {"run":%b}\n\n%b' % (name, block.events)

    def _find(self, cursor: Cursor) -> None:
        """Open the file of a cursor, which may have been set aside since."""
        for path in (self.journal, *reversed(old_journals(self.journal))):
            if not self._open(path):
                continue
            if self._generation == cursor.generation and self._is_line_end(cursor.offset):
                self._offset = cursor.offset
                return
        self._close_file()
        self._generation = ""
        self._was_fresh = True

    def _open(self, path: Path) -> bool:
        """Go to the start of a file; false if it has no row yet."""
        try:
            fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            return False
        generation = generation_of(fd)
        if generation is None:
            os.close(fd)
            return False
        self._close_file()
        self._fd, self._generation, self._offset = fd, generation, 0
        return True

    def _is_line_end(self, offset: int) -> bool:
        return offset == 0 or os.pread(self._fd, 1, offset - 1) == b"\n"

    def _is_current(self) -> bool:
        """Whether the open file still has the journal's name, and no row was taken from it."""
        try:
            named = self.journal.stat()
        except OSError:
            return False
        opened = os.fstat(self._fd)
        return named.st_ino == opened.st_ino and named.st_dev == opened.st_dev

    def _following(self) -> Path | None:
        """The file that took the place of this one: another one set aside, or the journal."""
        inode = os.fstat(self._fd).st_ino
        old = old_journals(self.journal)
        places = [number for number, path in enumerate(old) if _inode(path) == inode]
        if places and places[-1] + 1 < len(old):
            return old[places[-1] + 1]
        return self.journal if self.journal.exists() else None

    def _next_block(self, stop: Callable[[], bool]) -> Block:
        place = self._place
        known = self._shared.get(place)
        if known is not None:
            return known
        data = self._complete_lines(stop)
        block = self._prepared(data) if data else Block(b"", 0, self._offset)
        if data:
            self._shared.put(place, block)
        return block

    def _state(self) -> tuple[int, int, int]:
        """The place, and what changes if something is written after it."""
        file = os.fstat(self._fd)
        return self._offset, file.st_size, file.st_mtime_ns

    def _complete_lines(self, stop: Callable[[], bool]) -> bytes:
        state, parts, place = self._state(), list[bytes](), self._offset
        while part := os.pread(self._fd, BLOCK, place):
            _check(stop)
            cut = part.rfind(b"\n") + 1
            if cut:
                return b"".join([*parts, part[:cut]])
            parts.append(part)
            place += len(part)
            if place - self._offset > LONGEST_ROW:
                raise UseError(
                    f"{self.journal}: the row after byte {self._offset} is longer than "
                    f"{LONGEST_ROW} bytes and is not sent; read it in the file"
                )
        self._torn = state
        return b""

    def _prepared(self, data: bytes) -> Block:
        head = b"id: %b" % prefix(self._run, self._generation).encode()
        decode = msgspec.json.Decoder(_TailKeyed).decode
        place, parts = self._offset, []
        is_first = place == 0
        for line in data[:-1].split(b"\n"):
            place += len(line) + 1
            if not line.strip():
                continue
            try:
                key = decode(line).key
            except UNREADABLE as error:
                raise JournalCorrupt(
                    f"{self.journal}: not a row of results before byte {place} ({error})"
                ) from None
            if key:
                row = line.replace(b"\r", b" ")  # it would end the line of an event
                parts.append(b"%b%d\nevent: row\ndata: %b\n\n" % (head, place, row))
            elif not is_first:
                raise JournalCorrupt(f"{self.journal}: a row without a key before byte {place}")
            is_first = False
        return Block(b"".join(parts), len(parts), place)


def _check(stop: Callable[[], bool]) -> None:
    if stop():
        raise Cancelled


def _inode(path: Path) -> int:
    try:
        return path.stat().st_ino
    except OSError:
        return -1
