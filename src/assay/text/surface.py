"""A plainer copy of a text for regexes, with offsets back to the original.

Every character becomes exactly one other (full-width to ASCII, all spaces to the plain
space, short dashes to the hyphen); only characters that leave no mark on paper are dropped.
Unlike ``normalise`` this keeps apart what counts when numbers are read: superscripts, the
full-width comma, the em dash.
"""

import re
from itertools import chain
from typing import Final, NamedTuple

from assay.text.character import IGNORABLE, MINUS
from assay.text.span import Span

_IGNORABLE: Final = re.compile(f"[{IGNORABLE}]")
# Full-width digits make a full-width comma a thousands separator. Between ASCII digits it is
# the comma of the sentence: 共5，300人.
_WIDE_COMMA: Final = re.compile("(?<=[０-９])，(?=[０-９]{3})")
_TABLE: Final[dict[int, str]] = {
    **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F) if code != 0xFF0C},
    **{ord(character): "-" for character in MINUS},
    **dict.fromkeys(chain((160, 5760, 8239, 8287, 12288), range(8192, 8203)), " "),
    ord("\u2019"): "'",
    ord("〜"): "~",
    ord("∼"): "~",
    ord("￥"): "¥",
}


class Surface(NamedTuple):
    """The plainer text and, where characters were dropped, the origin of each one left."""

    text: str
    origins: tuple[int, ...] | None

    def span(self, start: int, end: int) -> Span:
        """Where ``text[start:end]`` (not empty) stands in the original."""
        if self.origins is None:
            return Span(start=start, end=end)
        return Span(start=self.origins[start], end=self.origins[end - 1] + 1)


def surface(text: str) -> Surface:
    r"""The plainer copy of ``text``.

    >>> surface("４２，０００\u00a0руб").text
    '42,000 руб'
    """
    if text.isascii() and _IGNORABLE.search(text) is None:
        return Surface(text, None)
    plain = _WIDE_COMMA.sub(",", text).translate(_TABLE)
    if _IGNORABLE.search(plain) is None:
        return Surface(plain, None)
    kept = [(index, char) for index, char in enumerate(plain) if not _IGNORABLE.match(char)]
    return Surface("".join(char for _, char in kept), tuple(index for index, _ in kept))
