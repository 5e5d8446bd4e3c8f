r"""Read a novel as one string, in one of several encodings and with any line ends.

All offsets in the depth job refer to ``Novel.text``: characters (code points) of the decoded
file without a byte-order mark, where ``\r\n`` and ``\r`` are replaced by ``\n``. Python's
``open(path, encoding=...)`` gives the same text, so spans computed by a short script fit.
"""

import codecs
import re
from pathlib import Path
from typing import Final

from msgspec import Struct

from assay.data.line import unreadable_error
from assay.errors import DatasetError

_CYRILLIC: Final = re.compile("[А-яЁё]")
_UPPER: Final = re.compile("[А-ЯЁ]")
_HIGH: Final = re.compile(rb"[\x80-\xff]")
# Characters of Russian typography that CP1251 has beside its letters.
_CYRILLIC_SIGN: Final = re.compile("[«»—–…№“”„‘’§°\u00a0]")
_BYTE_ORDER_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_NAMES: Final = {"gb18030": "GB18030", "cp1251": "CP1251"}


class Novel(Struct, frozen=True, kw_only=True):
    """The text of a novel, its encoding, and notes to show to the user."""

    text: str
    encoding: str = "utf-8"
    notes: tuple[str, ...] = ()


def read_novel(path: Path) -> Novel:
    """Read a novel in UTF-8, UTF-16, GB18030 or CP1251.

    UTF-16 is recognised by its byte-order mark. GB18030 and CP1251 are guessed. A note names
    the encoding if it is not UTF-8.

    Raises:
        DatasetError: the file cannot be read, is empty, or is in another encoding.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise unreadable_error(path, error) from None
    text, encoding = _decode(data, path)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise DatasetError(f"{path}: the file has no text")
    notes = []
    if encoding != "utf-8":
        name = _NAMES.get(encoding, encoding.upper())
        notes.append(
            f"{path.name}: read as {name}, judging by its bytes; "
            "if that is wrong, save the file as UTF-8"
        )
    return Novel(text=text, encoding=encoding, notes=tuple(notes))


def _decode(data: bytes, path: Path) -> tuple[str, str]:
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return _decode_as(data.removeprefix(mark), encoding, path), encoding
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError as error:
        guess = _guess_encoding(data)
        if guess is None:
            raise DatasetError(
                f"{path}: neither UTF-8 (byte {error.start} is 0x{data[error.start]:02x}), "
                "GB18030 nor CP1251; save the file as UTF-8"
            ) from None
        return guess


def _decode_as(data: bytes, encoding: str, path: Path) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise DatasetError(
            f"{path}: has the byte-order mark of {encoding.upper()}, but byte {error.start} "
            "after it is not valid; save the file as UTF-8"
        ) from None


def _guess_encoding(data: bytes) -> tuple[str, str] | None:
    """The text and its encoding; None if the bytes are neither Russian nor Chinese text.

    In a Russian text in CP1251, nearly all bytes above ASCII are letters, mostly lower-case
    ones. (KOI8-R and CP866 read as CP1251 give the wrong case or other characters.) In GB18030
    these bytes form pairs that are Chinese characters. No real text looks plausible in both.
    """
    high = len(_HIGH.findall(data))
    russian = data.decode("cp1251", errors="ignore")
    letters = len(_CYRILLIC.findall(russian))
    if letters + len(_CYRILLIC_SIGN.findall(russian)) >= 0.95 * high:
        lower_case = letters - len(_UPPER.findall(russian))
        return (russian, "cp1251") if lower_case > 0.6 * letters else None
    try:
        chinese = data.decode("gb18030")
    except UnicodeDecodeError:
        return None
    # GB 2312 contains at least half of the characters of a Chinese text, even of a traditional
    # one, but nearly none of Japanese or Korean text that is decoded as GB18030.
    non_ascii = sum(character > "\x7f" for character in chinese)
    common = len(_HIGH.findall(chinese.encode("gb2312", errors="ignore"))) // 2
    return (chinese, "gb18030") if common >= 0.5 * non_ascii else None
