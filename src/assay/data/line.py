"""Lines of a data file by number, each checked: not too long, and valid UTF-8."""

from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path
from typing import Final

from assay.data.jsonl import BadLine
from assay.errors import DatasetError

MAX_LINE_BYTES: Final = 16 << 20
"""No chunk or question is this long; a longer line is a file of another kind."""


def numbered_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The file's lines with their numbers from 1; blank ones and a byte-order mark are left out.

    No more than one line is held in memory, and of a line that is too long only its beginning.
    """
    offset = 0
    with open_data_file(path) as file:
        for number, line in enumerate(iter(lambda: file.readline(MAX_LINE_BYTES + 1), b""), 1):
            if len(line) > MAX_LINE_BYTES:
                raise BadLine(
                    path,
                    number,
                    f"the line is longer than {MAX_LINE_BYTES >> 20} MB; "
                    "put one JSON object on each line",
                )
            check_utf8(line, path, offset)
            offset += len(line)
            content = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
            if content.strip():
                yield number, content


def open_data_file(path: Path) -> BufferedReader:
    """The file, open for reading bytes; one line says why it cannot be."""
    try:
        return path.open("rb")
    except OSError as error:
        raise unreadable_error(path, error) from None


def read_text(path: Path) -> str:
    """The whole file as text, without a byte-order mark; one line says why it cannot be read."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise unreadable_error(path, error) from None
    return check_utf8(data, path).removeprefix("\ufeff")


def check_utf8(data: bytes, path: Path, offset: int = 0) -> str:
    """``data`` as text; ``offset`` is where in the file it begins."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise DatasetError(
            f"{path}: not UTF-8 at byte {offset + error.start} "
            f"(0x{data[error.start]:02x}); save the file as UTF-8"
        ) from None


def unreadable_error(path: Path, error: OSError) -> DatasetError:
    """A file that cannot be opened, in one line."""
    return DatasetError(f"{path}: cannot be read: {error.strerror or error}")
