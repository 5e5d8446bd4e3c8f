r"""Text with the escapes of JSON, read as what they stand for.

A model's reply may be JSON itself: ``"\u7801110105197504033397"``. There the digits of an escape
stand beside those of the value, and a value may consist of escapes.
"""

import re
from collections.abc import Callable, Iterable
from typing import Final

from assay.redact.finding import Finding
from assay.redact.view import found_in_view

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
    escapes = _ESCAPE.finditer(text) if "\\" in text else ()
    return found_in_view(text, [(*each.span(), _character(each)) for each in escapes], find)


def _character(match: re.Match[str]) -> str:
    name = match[0].lstrip("\\")
    return chr(int(name[1:], 16)) if name[0] == "u" else _LETTERS[name]
