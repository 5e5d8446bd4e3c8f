"""Read JSON lines in blocks, at the decoder's own speed, and report the number of a bad line."""

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from assay.errors import DatasetError

BLOCK_BYTES = 1 << 16  # stays in the processor's cache: a third faster than 1 MB

T = TypeVar("T")


class BadLine(DatasetError):
    """A line that is not a JSON object with the expected fields."""

    def __init__(self, path: Path, line: int, reason: str) -> None:
        super().__init__(f"{path}:{line}: {reason}")
        self.line = line
        self.reason = reason


def read_blocks(path: Path, as_type: type[T], *, torn_end: bool = False) -> Iterator[list[T]]:
    """Yield the objects of a file in order, as one list per block. Blank lines are skipped.

    A last line without a newline is read too. Set ``torn_end`` for a file that may still be
    growing: such a line may then be incomplete and is ignored.
    """
    for _, objects in read_blocks_at(path, as_type, torn_end=torn_end):
        yield objects


def read_blocks_at(
    path: Path, as_type: type[T], *, torn_end: bool = False
) -> Iterator[tuple[slice, list[T]]]:
    """Like ``read_blocks``, but yield each block together with its byte range in the file."""
    decoder = msgspec.json.Decoder(as_type)
    lines_before = start = 0
    parts: list[bytes] = []
    with path.open("rb") as file:
        while block := file.read(BLOCK_BYTES):
            cut = block.rfind(b"\n") + 1
            if cut == 0:
                parts.append(block)
                continue
            complete_lines = b"".join((*parts, block[:cut]))
            parts = [block[cut:]]
            yield (
                slice(start, start + len(complete_lines)),
                _decode(path, complete_lines, lines_before, decoder),
            )
            lines_before += complete_lines.count(b"\n")
            start += len(complete_lines)
    rest = b"".join(parts)
    if rest.strip() and not torn_end:
        yield slice(start, start + len(rest)), _decode(path, rest, lines_before, decoder)


def _decode(
    path: Path, block: bytes, lines_before: int, decoder: "msgspec.json.Decoder[T]"
) -> list[T]:
    try:
        objects = decoder.decode_lines(block)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return _decode_by_line(path, block, lines_before, decoder)
    # decode_lines also accepts two objects on one line, and one object on two lines. The counts
    # then differ, as they do where there are blank lines.
    if len(objects) != block.count(b"\n") + (not block.endswith(b"\n")):
        return _decode_by_line(path, block, lines_before, decoder)
    return objects


def _decode_by_line(
    path: Path, block: bytes, lines_before: int, decoder: "msgspec.json.Decoder[T]"
) -> list[T]:
    """Decode each line separately: slower, but the number of a bad line is known."""
    objects = []
    for number, line in enumerate(block.split(b"\n"), lines_before + 1):
        try:
            if line.strip():
                objects.append(decoder.decode(line))
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise BadLine(path, number, str(error)) from None
    return objects
