"""Lines of files that people write, in whatever encoding their editor saved them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from assay.data.encoding import Decoded, decode_text
from assay.data.line import check_utf8, numbered_lines, open_data_file

_DAMAGED: Final = 0.1
"""If fewer of the characters are not UTF-8, the file is UTF-8 with a damaged place."""
_BLOCK: Final = 1 << 20


def decoded_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines of a file with their numbers, as UTF-8; as ``numbered_lines`` otherwise.

    Raises:
        BadLine: a line is too long.
        DatasetError: the file cannot be opened, or its encoding cannot be told.
    """
    decoded = _decoded(path)
    if decoded is None:
        yield from numbered_lines(path)
        return
    for number, line in enumerate(decoded.text.split("\n"), 1):
        if line.strip():
            yield number, line.encode()


def other_encoding(path: Path) -> str:
    """The encoding of a file that is not UTF-8; empty if it is."""
    decoded = _decoded(path)
    return "" if decoded is None else decoded.encoding


def _decoded(path: Path) -> Decoded | None:
    """The text of a file that is not UTF-8; ``None`` if it is UTF-8, which need not be kept."""
    if not path.is_file():  # a pipe can be read only once
        return None
    try:
        with path.open(encoding="utf-8", errors="strict") as file:
            while file.read(_BLOCK):
                pass
    except UnicodeDecodeError:
        with open_data_file(path) as file:
            data = file.read()
        decoded = None if _is_damaged(data) else decode_text(data)
        if decoded is None or decoded.encoding == "UTF-8":
            check_utf8(data, path)  # raises, with the place
        return decoded
    except OSError:  # the reader says why
        return None
    return None


def _is_damaged(data: bytes) -> bool:
    r"""Whether most of the bytes are UTF-8: another encoding would give other characters.

    >>> _is_damaged("合同总额的百分之五".encode() + b"\xff"), _is_damaged("合同".encode("gbk"))
    (True, False)
    """
    letters = [letter for letter in data.decode("utf-8", "replace") if not letter.isascii()]
    return letters.count("\ufffd") <= _DAMAGED * len(letters)
