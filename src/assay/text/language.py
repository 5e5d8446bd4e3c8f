"""The language of a text, determined by its script."""

import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final, Literal, TypeAlias

from assay.text.character import CYRILLIC, HAN, LATIN
from assay.text.lexicon import lazy_pattern

Language: TypeAlias = Literal["zh", "ru", "en"]

_RUNS: Final[tuple[tuple[Language, int, re.Pattern[str]], ...]] = (
    # Chinese and Russian texts often contain names and terms in Latin letters, but English texts
    # rarely contain other scripts. Also, one Chinese character means as much as several letters.
    ("zh", 4, lazy_pattern(f"[{HAN}]+", re.NOFLAG)),
    ("ru", 2, lazy_pattern(f"[{CYRILLIC}]+", re.NOFLAG)),
    ("en", 1, lazy_pattern(f"[{LATIN}]+", re.NOFLAG)),
)


def language(text: str) -> Language:
    """The language whose script dominates ``text``.

    Each Chinese character counts as 4, each Cyrillic letter as 2 and each Latin letter as 1. The
    language with the largest sum is returned; if sums are equal, the first of zh, ru, en. For a
    text without any of these letters (digits, punctuation, empty), it is ``"en"``.

    >>> language("第三条 违约金"), language("Статья 3 RAG"), language("Article 3"), language("42")
    ('zh', 'ru', 'en', 'en')
    """
    sizes = {name: weight * sum(map(len, run.findall(text))) for name, weight, run in _RUNS}
    return max(sizes, key=sizes.__getitem__) if any(sizes.values()) else "en"


# Conversion of traditional to simplified Chinese, character by character.
#
# The table comes from OpenCC, which is imported at first use. Phrases are not converted
# (``資訊`` becomes ``资讯``, not ``信息``): a quotation must keep its words, and replacing each
# character by exactly one character keeps all offsets.

_BLOCKS = ((0x3400, 0x4DC0), (0x4E00, 0xA000), (0x20000, 0x2A6E0))


class Simplification(dict[int, int | str]):
    """A table for ``str.translate``, with ``known`` replacements of other characters.

    A character is converted when it is first met: to convert all of them would take 30 ms. No
    value is converted further, so converting a text twice changes nothing.
    """

    def __init__(self, known: Mapping[int, int | str] | None = None) -> None:
        super().__init__(known or {})

    def __missing__(self, code: int) -> int:
        value = self[code] = _simple(_simple(code))
        return value


_TABLE = Simplification()


def simplified(text: str) -> str:
    """``text`` with traditional characters replaced by simplified ones.

    >>> simplified("違約責任")
    '违约责任'
    """
    return text if text.isascii() else text.translate(_TABLE)


def _simple(code: int) -> int:
    if not any(start <= code < end for start, end in _BLOCKS):
        return code
    new = _converter()(chr(code))
    return ord(new) if len(new) == 1 and unicodedata.normalize("NFKC", new) == new else code


@cache
def _converter() -> Callable[[str], Any]:
    # Imported here because only Chinese text needs it.
    import opencc  # noqa: PLC0415

    convert: Callable[[str], Any] = opencc.OpenCC("t2s").convert
    return convert
