"""Text of scans and forms, with spaces where nobody writes any: ``( 206 ) 555 - 0136``."""

import re
from typing import Final

from assay.redact.view import Replaced

_SIGNS: Final = (
    (("( ", " )"), re.compile(r"\( [0-9]|[0-9] \)")),
    (("  ",), re.compile(r"[0-9]  [0-9]")),
    ((" 1 ", " 0 "), re.compile(r"[0-9] [0-9] [0-9] [0-9] [0-9] ")),
    ((" . ", " , ", " @"), re.compile(r" [.,] | @[a-z0-9\-]+\.")),
)
"""What such a text has, most texts have none of it, and parts of it that are cheap to look for."""
_SPACED: Final = re.compile(
    r" (?=[).,](?:\s|$))|(?<=\() | (?=-\s[0-9])|(?<=[0-9] -) (?=[0-9])| (?= (?! ))"
)
_SPELT: Final = re.compile(r"(?<![0-9A-Za-z])[0-9](?: [0-9Xx]){9,}(?![0-9A-Za-z])")
_MAILBOX: Final = re.compile(
    r"[\w.+\-]*[\w+\-][._0-9][\w.+\-]*[\w] (?=@[A-Za-z0-9\-]+\.[A-Za-z]{2})"
)


def unusual_spaces(text: str) -> list[Replaced]:
    """The spaces that are left out to read the text as it is meant; none in most texts.

    >>> unusual_spaces("Tel ( 206 ) 555 - 0136")
    [(5, 6, ''), (9, 10, ''), (15, 16, ''), (17, 18, '')]
    >>> unusual_spaces("from 10 - 20 (see 3)")
    []
    """
    if not _has_signs(text):
        return []
    places = {match.start() for match in _SPACED.finditer(text)}
    for match in _SPELT.finditer(text):
        places.update(at for at in range(*match.span()) if text[at] == " ")
    places.update(match.end() - 1 for match in _MAILBOX.finditer(text))
    return [(at, at + 1, "") for at in sorted(places)]


def _has_signs(text: str) -> bool:
    return any(any(part in text for part in parts) and sign.search(text) for parts, sign in _SIGNS)
