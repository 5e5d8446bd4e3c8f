"""One spelling for the texts that are compared."""

import html
import re
import unicodedata
from functools import cache
from typing import Final

from assay.scorers.evidence.han import simplified_han, usual_numerals
from assay.text import join_hyphenated
from assay.text.lexicon import entry, lazy_pattern

_DENYING_PREFIX: Final = lazy_pattern(
    lambda: rf"(?<![\w-])(?<!qua )(?:{entry('en', 'negation.hyphen_prefix')})(?=[^\W\d_]{{2}})",
    re.NOFLAG,
)

# With its semicolon: without it, "&not" and "&para" are words as in "this &not that".
_ENTITY: Final = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
# Half of the day, with points; the last one may also end a sentence.
_HALF_OF_DAY: Final = re.compile(
    r"(?:(?<=[0-9])|(?<=[0-9] )|(?<![\w.])(?=[ap]\.m))([AaPp])\.\s?([Mm])\b(?:\.(?!\s+[A-Z]|\s*\Z))?"
)


def one_spelling(text: str) -> str:
    """The text in one spelling: simplified characters, usual numerals, no accents, lines joined.

    Character references of HTML are the characters that they stand for. A negating beginning is joined
    to its word, because the word alone says the opposite.

    >>> one_spelling("a non-refundable fee")
    'a nonrefundable fee'
    >>> one_spelling("A &amp; B &lt; 5, at 6 p.m. on Monday")
    'A & B < 5, at 6 pm on Monday'
    """
    shown = _ENTITY.sub(lambda entity: html.unescape(entity.group()), text) if "&" in text else text
    spelt = _joined_denials(usual_numerals(simplified_han(join_hyphenated(shown))))
    spelt = _HALF_OF_DAY.sub(r"\1\2", spelt)
    return spelt if spelt.isascii() else spelt.translate(_without_accents())


def _joined_denials(text: str) -> str:
    return _DENYING_PREFIX.sub(lambda prefix: prefix.group()[:-1], text)


@cache
def _without_accents() -> dict[int, str]:
    """A table for ``str.translate`` that takes the accents from Latin letters: Zürich, Zurich."""
    letters = (chr(code) for code in range(0xC0, 0x250))
    bases = ((letter, unicodedata.normalize("NFD", letter)[0]) for letter in letters)
    return {ord(letter): base for letter, base in bases if base.isascii()}
