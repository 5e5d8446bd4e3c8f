"""Read data files line by line; each line must be valid UTF-8 and not too long."""

import stat
from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path
from typing import Final

from assay.data.jsonl import BadLine
from assay.errors import DatasetError

MAX_LINE_BYTES: Final = 16 << 20
"""No chunk or question is this long, so a longer line means that the file is of another kind."""


def numbered_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a file with their numbers, counted from 1.

    Blank lines are skipped (but counted), and a byte-order mark is removed. At most one line
    is in memory at a time. Of a line that is too long, only the beginning is read.

    Raises:
        BadLine: a line is longer than ``MAX_LINE_BYTES``.
        DatasetError: the file cannot be opened, or is not UTF-8.
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
    """Open a file for reading bytes.

    Raises:
        DatasetError: the file cannot be opened, or is a device; the message gives the reason.
    """
    try:
        refuse_device(path)
        return path.open("rb")
    except OSError as error:
        raise unreadable_error(path, error) from None


def read_text(path: Path) -> str:
    """Read a whole file as text, without a byte-order mark.

    Raises:
        DatasetError: the file cannot be read, or is not UTF-8.
    """
    try:
        refuse_device(path)
        data = path.read_bytes()
    except OSError as error:
        raise unreadable_error(path, error) from None
    return check_utf8(data, path).removeprefix("\ufeff")


def refuse_device(path: Path) -> None:
    """Raise ``DatasetError`` for a device: one such as ``/dev/zero`` never ends. A pipe may be read."""
    mode = path.stat().st_mode
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        raise DatasetError(f"{path}: cannot be read: it is a device, not a file")


def check_utf8(data: bytes, path: Path, offset: int = 0) -> str:
    """Decode ``data``, which begins at byte ``offset`` of the file.

    Raises:
        DatasetError: the bytes are not UTF-8; the message gives the position in the file.
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise DatasetError(
            f"{path}: not UTF-8 at byte {offset + error.start} "
            f"(0x{data[error.start]:02x}); save the file as UTF-8"
        ) from None


def unreadable_error(path: Path, error: OSError) -> DatasetError:
    """The error for a file that cannot be opened or read, as a one-line message."""
    return DatasetError(f"{path}: cannot be read: {error.strerror or error}")
