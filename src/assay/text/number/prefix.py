"""Numbers inside of Russian adjectives: десятипроцентный, двадцатипятилетний, двухсотграммовый."""

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from typing import Final

from assay.text.lexicon import alternatives, entry
from assay.text.number.candidate import Reading

_REACH: Final = 40
"""No number before the end of an adjective has more letters."""


@cache
def _values() -> dict[str, int]:
    """The values of the numbers with which an adjective may begin, in their form there."""
    table = str(entry("ru", "number.prefixes")).strip().splitlines()
    lines = (line.split() for line in table)
    return {form: int(value) for value, *forms in lines for form in forms}


@cache
def _stem() -> re.Pattern[str]:
    percent, counted = (
        alternatives(f"number.{name}_adjective", "ru") for name in ("percent", "counted")
    )
    return re.compile(rf"(?:(?P<percent>{percent})|{counted})[а-яё]{{2,3}}(?![\w-])")


@cache
def _number() -> re.Pattern[str]:
    def one_of(least: int, most: int) -> str:
        forms = (form for form, value in _values().items() if least <= value < most)
        return "|".join(sorted(forms, key=len, reverse=True))

    return re.compile(
        rf"(?<![\w-])(?P<other>[а-яё]+-)?(?P<hundreds>{one_of(100, 1000)})?"
        rf"(?:(?P<tens>{one_of(20, 100)})?(?P<units>{one_of(2, 10)})?|(?P<teens>{one_of(10, 20)}))\Z"
    )


def prefixed(text: str) -> Iterator[Reading]:
    """Yield the numbers of a surface text with which an adjective begins."""
    lower = text.lower()
    if len(lower) != len(text):
        return  # the letters of a few languages become longer
    for stem in _stem().finditer(lower):
        start = stem.start()
        if not lower[start - 1 : start].isalpha():
            continue  # часовой
        match = _number().search(lower, max(0, start - _REACH), start)
        parts = filter(None, match.group("hundreds", "tens", "units", "teens")) if match else ()
        value = sum(_values()[part] for part in parts)
        if match is not None and value:
            yield Reading(
                match.start(),
                stem.end(),
                Decimal(value),
                percent=stem["percent"] is not None,
                readable=match["other"] is None,  # двадцати-тридцатилетний
            )
