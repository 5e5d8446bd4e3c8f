r"""Novels as text: one string, whatever the file's encoding and line ends.

Offsets everywhere in the depth job are into ``Novel.text``: characters (code points) of the
decoded file, without a byte-order mark, with ``\r\n`` and ``\r`` read as ``\n``. That is what
Python's own ``open(path, encoding=...)`` gives, so spans made by a short script fit.
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
# Signs of Russian typography that CP1251 has above its letters: « » — … № “ ” „ and the like.
_CYRILLIC_SIGN: Final = re.compile("[«»—–…№“”„‘’§°\u00a0]")
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_NAMES: Final = {"gb18030": "GB18030", "cp1251": "CP1251"}


class Novel(Struct, frozen=True, kw_only=True):
    """The text of a novel, the encoding it was read in, and what a user should be told."""

    text: str
    encoding: str = "utf-8"
    notes: tuple[str, ...] = ()


def read_novel(path: Path) -> Novel:
    """Read a novel in UTF-8, or in GB18030 or CP1251, which is then said in a note.

    Raises:
        DatasetError: the file cannot be read, is empty, or its encoding cannot be told.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise unreadable_error(path, error) from None
    text, encoding = _decoded(data, path)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise DatasetError(f"{path}: there is no text in it")
    notes = []
    if encoding != "utf-8":
        name = _NAMES.get(encoding, encoding.upper())
        notes.append(f"{path.name}: read as {name}, judged by its bytes; save it as UTF-8 if wrong")
    return Novel(text=text, encoding=encoding, notes=tuple(notes))


def _decoded(data: bytes, path: Path) -> tuple[str, str]:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _strictly(data.removeprefix(mark), encoding, path), encoding
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError as error:
        guess = _guess(data)
        if guess is None:
            raise DatasetError(
                f"{path}: neither UTF-8 (byte {error.start} is 0x{data[error.start]:02x}), "
                "GB18030 nor CP1251; save the file as UTF-8"
            ) from None
        return guess


def _strictly(data: bytes, encoding: str, path: Path) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise DatasetError(
            f"{path}: says that it is {encoding.upper()}, but byte {error.start} is not; "
            "save the file as UTF-8"
        ) from None


def _guess(data: bytes) -> tuple[str, str] | None:
    """The text and its encoding, or ``None`` where neither looks like a language.

    In CP1251 nearly all bytes above ASCII are Russian letters, small ones mostly (in KOI8-R
    and CP866 they would come out in the wrong case or as other signs). In GB18030 they pair
    up to Chinese characters. Text of the one is never good text of the other.
    """
    high = len(_HIGH.findall(data))
    russian = data.decode("cp1251", errors="ignore")
    letters = len(_CYRILLIC.findall(russian))
    if letters + len(_CYRILLIC_SIGN.findall(russian)) >= 0.95 * high:
        small = letters - len(_UPPER.findall(russian))
        return (russian, "cp1251") if small > 0.6 * letters else None
    try:
        chinese = data.decode("gb18030")
    except UnicodeDecodeError:
        return None
    # Half of even traditional text is in GB 2312; of Japanese or Korean read so, next to nothing.
    wide = sum(character > "\x7f" for character in chinese)
    common = len(_HIGH.findall(chinese.encode("gb2312", errors="ignore"))) // 2
    return (chinese, "gb18030") if common >= 0.5 * wide else None
