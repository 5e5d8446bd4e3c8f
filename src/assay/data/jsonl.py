"""Read JSON lines in blocks, at the decoder's own speed, and report the number of a bad line."""

import re
from collections.abc import Iterator
from io import FileIO
from pathlib import Path
from typing import Final, TypeVar

import msgspec
from msgspec import Struct

from assay.errors import DatasetError

BLOCK_BYTES = 1 << 18  # stays in the processor's cache: faster than 64 KB and than 1 MB

UNREADABLE: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What decoding JSON raises: it is no JSON or has other types, is no UTF-8, or is nested too deeply."""

_HALF_PAIR: Final = re.compile(rb"(?<!\\)(?:\\\\)*(\\u[dD][89a-fA-F][0-9a-fA-F]{2})")
"""One of an escaped pair of UTF-16 surrogates; whole pairs are taken out before."""
_WHOLE_PAIR: Final = re.compile(rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}")
_NO_VALUE: Final = re.compile(rb"[:\[,]\s*(-?(?:NaN|Infinity))\b")

T = TypeVar("T")


class BadLine(DatasetError):
    """A line that is not a JSON object with the expected fields."""

    def __init__(self, path: Path, line: int, reason: str) -> None:
        super().__init__(f"{path}:{line}: {reason}")
        self.line = line
        self.reason = reason


class Block(Struct, frozen=True, gc=False):
    """Complete lines of a file: where they start, how many lines are before them, their bytes.

    ``newlines`` is the number of newlines in ``data``.
    """

    start: int
    lines_before: int
    data: bytes
    newlines: int

    @property
    def place(self) -> slice:
        """The range of bytes in the file."""
        return slice(self.start, self.start + len(self.data))


def read_blocks(path: Path, as_type: type[T], *, torn_end: bool = False) -> Iterator[list[T]]:
    """Yield the objects of a file in order, as one list per block. Blank lines are skipped.

    A last line without a newline is read too. Set ``torn_end`` for a file that may still be
    growing: such a line may then be incomplete and is ignored.
    """
    decoder = msgspec.json.Decoder(as_type)
    for block in read_line_blocks(path, torn_end=torn_end):
        yield decode_block(path, block, decoder)


def read_line_blocks(path: Path, *, torn_end: bool = False) -> Iterator[Block]:
    """Yield the lines of a file in blocks, each line whole; ``torn_end`` as in ``read_blocks``."""
    lines_before = start = held = 0
    # one buffer for the whole file: memory that is new for each block has to be mapped again
    buffer = bytearray(BLOCK_BYTES)
    with path.open("rb", buffering=0) as file:
        while read := _read_into(file, buffer, held):
            end = held + read
            cut = buffer.rfind(b"\n", held, end) + 1
            if cut == 0:  # a line that is longer than the buffer needs a larger one
                held = end
                buffer.extend(bytes(len(buffer) if end == len(buffer) else 0))
                continue
            data = bytes(memoryview(buffer)[:cut])
            held = end - cut
            buffer[:held] = buffer[cut:end]
            # three times as fast as count, which looks at every byte
            newlines = len(data) - len(data.replace(b"\n", b""))
            yield Block(start, lines_before, data, newlines)
            lines_before += newlines
            start += len(data)
    rest = bytes(buffer[:held])
    if rest.strip() and not torn_end:
        yield Block(start, lines_before, rest, 0)


def _read_into(file: FileIO, buffer: bytearray, held: int) -> int:
    """Read what fits into the buffer after its first ``held`` bytes; return the number of bytes."""
    return file.readinto(memoryview(buffer)[held:]) or 0


def decode_block(path: Path, block: Block, decoder: "msgspec.json.Decoder[T]") -> list[T]:
    """The objects of a block.

    Raises:
        BadLine: A line is not an object of the decoder's type.
    """
    data = block.data
    try:
        objects = decoder.decode_lines(data)
    except UNREADABLE:
        return _decode_by_line(path, block, decoder)
    # decode_lines also accepts two objects on one line, and one object on two lines. The counts
    # then differ, as they do where there are blank lines.
    if len(objects) != block.newlines + (not data.endswith(b"\n")):
        return _decode_by_line(path, block, decoder)
    return objects


def _decode_by_line(path: Path, block: Block, decoder: "msgspec.json.Decoder[T]") -> list[T]:
    """Decode each line separately: slower, but the number of a bad line is known."""
    objects = []
    for number, line in enumerate(block.data.split(b"\n"), block.lines_before + 1):
        try:
            if line.strip():
                objects.append(decoder.decode(line))
        except UNREADABLE as error:
            raise BadLine(path, number, decode_problem(line, error)) from None
    return objects


def decode_problem(data: bytes, error: Exception) -> str:
    """What is wrong with a text that is not JSON, where the decoder's own words mislead.

    >>> decode_problem(b'{"score": NaN}', msgspec.DecodeError("invalid character (byte 10)"))
    'NaN is not a value of JSON (invalid character (byte 10))'
    """
    if isinstance(error, RecursionError):
        return "nested too deeply to be read"
    words = str(error)
    if "truncated" in words or "surrogate" in words:
        half = _HALF_PAIR.search(_WHOLE_PAIR.sub(b"", data))
        if half is not None:
            return (
                f"{half[1].decode()} is half of a character (a lone UTF-16 surrogate); the text was "
                "cut inside a character, so write the whole one"
            )
    value = _NO_VALUE.search(data) if "invalid character" in words else None
    return f"{value[1].decode()} is not a value of JSON ({words})" if value else words
