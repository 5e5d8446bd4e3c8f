"""A simplified copy of a text for regular expressions, with offsets back to the original.

Every character is replaced by exactly one character: full-width forms by ASCII, all spaces by the
ASCII space, short dashes by the hyphen. Only invisible characters are removed. Unlike
``normalise``, this keeps the characters that matter for reading numbers: superscripts, the
full-width comma and the em dash.
"""

import re
from itertools import chain
from typing import Final, NamedTuple

from assay.text.character import IGNORABLE, MINUS
from assay.text.span import Span

_IGNORABLE: Final = re.compile(f"[{IGNORABLE}]")
_WIDE: Final = "，"
# Between full-width digits, a full-width comma separates thousands. Between ASCII digits it may
# be the comma of a sentence (共5，300人), but no amount begins with a zero and a sign of money
# stands before one amount: 1，000元, ￥36，500.
_WIDE_COMMA: Final = re.compile("(?<=[０-９])，(?=[０-９]{3})")
_WIDE_GROUPS: Final = re.compile(
    "(?<![0-9.,，])(?:[¥￥$€£₽] ?[1-9][0-9]{0,2}(?:，[0-9]{3})+"
    "|[1-9][0-9]{0,2}(?:，[0-9]{3})*?，0[0-9]{2}(?:，[0-9]{3})*)(?![0-9])"
)
# Printers have several circles and the letter O for the zero in 二〇二四.
_HAN_ZERO: Final = re.compile("([〇零一二三四五六七八九])([○◯O0]+)(?=[〇零一二三四五六七八九年])")
_TABLE: Final[dict[int, str]] = {
    **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F) if code != 0xFF0C},
    **{ord(character): "-" for character in MINUS},
    **dict.fromkeys(chain((160, 5760, 8239, 8287, 12288), range(8192, 8203)), " "),
    ord("\u2019"): "'",
    **dict.fromkeys((0x2044, 0x2215), "/"),
    ord("〜"): "~",
    ord("∼"): "~",
    ord("￥"): "¥",
    **dict(zip(map(ord, "萬億兩幾個號頁塊圓點"), "万亿两几个号页块圆点", strict=True)),
}


class Surface(NamedTuple):
    """The simplified text and the original offset of each of its characters.

    ``origins`` is ``None`` if no character was removed: then all offsets are unchanged.
    """

    text: str
    origins: tuple[int, ...] | None

    def span(self, start: int, end: int) -> Span:
        """The span of ``text[start:end]``, which must not be empty, in the original text."""
        if self.origins is None:
            return Span(start=start, end=end)
        return Span(start=self.origins[start], end=self.origins[end - 1] + 1)


def surface(text: str) -> Surface:
    r"""The simplified copy of ``text``.

    >>> surface("４２，０００\u00a0руб").text
    '42,000 руб'
    """
    if text.isascii() and _IGNORABLE.search(text) is None:
        return Surface(text, None)
    if _WIDE in text:
        text = _WIDE_COMMA.sub(",", text)
        text = _WIDE_GROUPS.sub(lambda match: match.group().replace(_WIDE, ","), text)
    plain = text.translate(_TABLE)
    plain = _HAN_ZERO.sub(lambda match: match[1] + "〇" * len(match[2]), plain)
    if _IGNORABLE.search(plain) is None:
        return Surface(plain, None)
    kept = [(index, char) for index, char in enumerate(plain) if not _IGNORABLE.match(char)]
    return Surface("".join(char for _, char in kept), tuple(index for index, _ in kept))


def folded(text: str) -> str:
    """``text`` in lower case, with the same length and with е for ё.

    >>> folded("Ёлка İ")
    'елка İ'
    """
    lower = text.lower()
    if len(lower) != len(text):
        lower = "".join(c if len(c.lower()) > 1 else c.lower() for c in text)
    return lower.replace("ё", "е")
