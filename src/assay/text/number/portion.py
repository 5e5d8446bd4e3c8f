"""Parts of a whole that are named by an ordinal: десятая часть урожая, сотая доля секунды.

A small ordinal may number a part of a book (третья часть трилогии), so it is read only before what can be divided.
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from typing import Final

from assay.text.lexicon import alternatives, entry, lazy_pattern
from assay.text.number.candidate import ONE, QUOTIENT, Reading
from assay.text.number.chain import vocabulary_of_numbers

_NOUN: Final = lazy_pattern(lambda: rf"\s(?={alternatives('number.portion', 'ru')})", re.NOFLAG)
_WORDS: Final = lazy_pattern(r"(?:(?P<before>[а-яё]+)\s)?\b(?P<word>[а-яё]+)\Z")
_OF_DIVISIBLE: Final = lazy_pattern(lambda: alternatives("number.portion_of_divisible", "ru"))
_OF_ANY: Final = lazy_pattern(lambda: alternatives("number.portion_of_any", "ru"))
_REACH: Final = 40
_SMALL: Final = 10
"""A book has fewer parts."""


@cache
def _parts() -> dict[str, Decimal]:
    """The number of equal parts by the word for one of them; a second part is no half."""
    lines = (line.split() for line in str(entry("ru", "number.fraction")).strip().splitlines())
    return {form: Decimal(value) for value, *forms in lines for form in forms if value != "2"}


def portions(text: str) -> Iterator[Reading]:
    """Yield the parts of a whole in a surface text, each from its ordinal to its end."""
    for noun in _NOUN.finditer(text):
        words = _WORDS.search(text, max(0, noun.start() - _REACH), noun.start())
        parts = _parts().get(words["word"].lower()) if words else None
        if words is None or parts is None:
            continue
        whole = _OF_DIVISIBLE if parts < _SMALL else _OF_ANY
        # In «двадцать пятая часть» the word is only the end of a number.
        is_end = (words["before"] or "").lower() in vocabulary_of_numbers()
        if not is_end and whole.match(text, noun.end()):
            yield Reading(*words.span("word"), QUOTIENT.divide(ONE, parts))
