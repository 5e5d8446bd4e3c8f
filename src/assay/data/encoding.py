"""The encoding of a text file that does not say it: UTF-8, UTF-16, GB18030 or CP1251.

A byte-order mark decides. Otherwise each encoding is tried strictly, and what it gives must look
like text: GB18030 (which contains GBK and GB2312) must give common Chinese characters, and CP1251
words of Russian letters in a plausible case. UTF-16 without a mark has zero bytes, which other
encodings have not, or common Chinese characters. Decision 0010 has the measurements.
"""

import codecs
import re
from typing import Final

from msgspec import Struct

_SAMPLE: Final = 20_000
"""How many characters are looked at to tell whether they look like text."""
_ENOUGH: Final = 0.5
_UTF16_ENOUGH: Final = 0.98
_UTF16_LEAST: Final = 16
"""Of fewer bytes, any may look like UTF-16."""
_UTF16_CHINESE: Final = 0.8
"""Without a zero byte, so many characters must be common: Japanese in Shift-JIS gives rare ones."""
_CONTROL: Final = re.compile(rb"[\x00-\x08\x0e-\x19\x1b-\x1f]")
_USUAL: Final = re.compile(
    r"[\t\n\r\f\x20-\x7e\u00a0-\u00ff\u0400-\u045f\u2000-\u206f\u2116\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]"
)
_WORD: Final = re.compile(r"[^\W\d_]+")
_LATIN: Final = re.compile("[A-Za-z]")
_RUSSIAN: Final = re.compile("[\u0401\u0410-\u044f\u0451«»—–„“”…№\u00a0]")
_FREQUENT_RUSSIAN: Final = frozenset("оеаинтсрвлкмдпу")
"""Two of three letters of a Russian text are among these."""
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8", "UTF-8"),
    (codecs.BOM_UTF16_LE, "utf-16", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16", "UTF-16"),
)


class Decoded(Struct, frozen=True, kw_only=True):
    """A text, and the name of the encoding it was written in."""

    text: str
    encoding: str


def decode_text(data: bytes) -> Decoded | None:
    """The text of a file; ``None`` if its encoding cannot be told.

    >>> decode_text("违约金为合同总额的百分之五".encode("gbk")).encoding
    'GB18030'
    >>> decode_text("Договор вступает в силу".encode("cp1251")).text
    'Договор вступает в силу'
    >>> decode_text(bytes(range(128, 256))) is None
    True
    """
    for mark, codec, name in _MARKS:
        if data.startswith(mark):
            text = _strict(data, codec)
            return (
                None if text is None else Decoded(text=text.removeprefix("\ufeff"), encoding=name)
            )
    text = _strict(data, "utf-8")
    if text is not None and not _CONTROL.search(data):
        return Decoded(text=text, encoding="UTF-8")
    for codec in ("utf-16-le", "utf-16-be"):
        is_long = len(data) >= _UTF16_LEAST and len(data) % 2 == 0
        wide = _strict(data, codec) if is_long else None
        if wide and _looks_wide(wide, data):
            return Decoded(text=wide, encoding="UTF-16")
    if text is not None:  # UTF-8 with control characters
        return Decoded(text=text, encoding="UTF-8")
    chinese, russian = _strict(data, "gb18030"), _strict(data, "cp1251")
    looks = [
        (_looks_chinese(chinese or ""), "GB18030", chinese),
        (_looks_russian(russian or ""), "CP1251", russian),
    ]
    look, name, text = max(looks, key=lambda item: item[0])
    return Decoded(text=text, encoding=name) if text is not None and look >= _ENOUGH else None


def _strict(data: bytes, codec: str) -> str | None:
    try:
        return data.decode(codec)
    except UnicodeDecodeError:
        return None


def _looks_wide(text: str, data: bytes) -> bool:
    """Whether bytes that UTF-16 can read were written in it."""
    if _share(text[:_SAMPLE], _USUAL) < _UTF16_ENOUGH:
        return False
    return b"\0" in data or _looks_chinese(text) >= _UTF16_CHINESE


def _share(text: str, pattern: re.Pattern[str]) -> float:
    return len(pattern.findall(text)) / len(text)


def _looks_chinese(text: str) -> float:
    """The share of common characters, those of the first level of GB2312, and Chinese marks."""
    letters = [letter for letter in text[:_SAMPLE] if not letter.isascii()]
    return sum(map(_is_common, letters)) / len(letters) if letters else 0.0


def _is_common(letter: str) -> bool:
    try:
        row = letter.encode("gb2312")[0]
    except UnicodeEncodeError:
        return False
    return 0xB0 <= row <= 0xD7 or row <= 0xA3


def _looks_russian(text: str) -> float:
    """How many letters are Russian, frequent ones, and in words in which capitals come first.

    A word with Latin letters too is not Russian but German or French in another encoding.
    """
    sample = text[:_SAMPLE]
    letters = [letter for letter in sample if not letter.isascii()]
    words = [word for word in _WORD.findall(sample) if not word.isascii()]
    if not letters or not words:
        return 0.0
    plausible = sum(
        (word.islower() or word.isupper() or word.istitle()) and not _LATIN.search(word)
        for word in words
    )
    russian = sum(bool(_RUSSIAN.match(letter)) for letter in letters) / len(letters)
    frequent = sum(letter in _FREQUENT_RUSSIAN for letter in letters) / len(letters)
    return float(russian * plausible / len(words) * min(1.0, frequent / 0.5))
