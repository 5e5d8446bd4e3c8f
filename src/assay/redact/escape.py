r"""Text with the escapes of JSON, read as what they stand for.

A model's reply may be JSON itself: ``"\u7801110105197504033397"``. There the digits of an escape
stand beside those of the value, and a value may consist of escapes.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable
from typing import Final

from assay.redact.finding import Finding

_ESCAPE: Final = re.compile(r'\\+(?:u[0-9A-Fa-f]{4}|[nrt"/])')  # several: JSON inside JSON
_LETTERS: Final = {"n": "\n", "r": "\r", "t": "\t", '"': '"', "/": "/"}


def unescaped(text: str) -> str:
    r"""The text with what its escapes stand for.

    >>> unescaped(r"\u7535\u8bdd 138")
    '电话 138'
    """
    return _ESCAPE.sub(_character, text) if "\\" in text else text


def found_between_escapes(text: str, find: Callable[[str], Iterable[Finding]]) -> list[Finding]:
    r"""What is found in the text without escapes, at its places in ``text``.

    >>> found_between_escapes(r"\u7535138", lambda plain: [Finding(1, len(plain), "PHONE", plain[1:])])
    [Finding(start=6, end=9, kind='PHONE', value='138')]
    """
    escapes = list(_ESCAPE.finditer(text)) if "\\" in text else []
    if not escapes:
        return list(find(text))
    plain_ends: list[int] = []  # where each escape ends, in the plain text and in this one
    ends = [escape.end() for escape in escapes]
    removed = 0
    for escape in escapes:
        removed += escape.end() - escape.start() - 1
        plain_ends.append(escape.end() - removed)

    def place(at: int) -> int:
        before = bisect_right(plain_ends, at) - 1
        return at if before < 0 else ends[before] + at - plain_ends[before]

    found = ((place(each.start), place(each.end), each.kind) for each in find(unescaped(text)))
    return [Finding(start, end, kind, text[start:end]) for start, end, kind in found]


def _character(match: re.Match[str]) -> str:
    name = match[0].lstrip("\\")
    return chr(int(name[1:], 16)) if name[0] == "u" else _LETTERS[name]
