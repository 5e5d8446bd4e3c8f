"""Text with signs that nobody sees inside its values, with references of HTML and escapes of addresses.

A zero-width space or a soft hyphen inside a telephone number, put there by a program that lays out
pages, hides it from every pattern; so do ``&#64;`` and ``%40`` in place of ``@``.
"""

import html
import re
from typing import Final
from urllib.parse import unquote

from assay.redact.view import Replaced

_INVISIBLE: Final = "\u00ad\u180e\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2062\u2063\u2064\ufeff"
_HIDDEN: Final = re.compile(
    f"[{_INVISIBLE}]+|&(?:#[0-9]{{1,7}}|#[xX][0-9A-Fa-f]{{1,6}}|[A-Za-z]{{2,24}});|(?:%[0-9A-Fa-f]{{2}})+"
)
_PERCENT: Final = re.compile("%[0-9A-Fa-f]{2}")


def hidden_signs(text: str) -> list[Replaced]:
    r"""The invisible signs, references and escapes, with what is read in their place.

    >>> hidden_signs("138\u200b1234 a&#64;b")
    [(3, 4, ''), (10, 15, '@')]
    """
    if not _may_have(text):
        return []
    return [(*match.span(), _read(match)) for match in _HIDDEN.finditer(text)]


def without_hidden(text: str) -> str:
    r"""The text as it is read.

    >>> without_hidden("anna\u00ad.petrova&#64;example.org")
    'anna.petrova@example.org'
    """
    return _HIDDEN.sub(_read, text) if _may_have(text) else text


def _may_have(text: str) -> bool:
    """Whether a closer look is worth its time; to look for single signs takes almost none."""
    if "&" in text and ";" in text:
        return True
    if "%" in text and _PERCENT.search(text):
        return True
    return not text.isascii() and any(sign in text for sign in _INVISIBLE)


def _read(match: re.Match[str]) -> str:
    if match[0][0] == "%":
        return unquote(match[0])
    read = html.unescape(match[0]) if match[0][0] == "&" else ""
    return "" if read in _INVISIBLE else read
