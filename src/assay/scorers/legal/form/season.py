"""A season of a year: autumn 2017, the fall of 2017, в 2019-м, весной, 2019年的秋季."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from assay.text import Span
from assay.text.lexicon import alternatives

_SEASONS: Final = ("spring", "summer", "autumn", "winter")
_YEAR: Final = r"(?P<year>(?<!\d)(?:1\d|20)\d\d(?!\d))"


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    """A season before its year, and after it unless a year of its own follows."""
    names = "|".join(f"(?P<{name}>{alternatives(f'form.season.{name}')})" for name in _SEASONS)
    season, end = (
        rf"(?:(?<![a-zа-яё])(?:{names})(?![a-zа-яё]))",
        alternatives("form.season_year_end"),
    )
    link = rf"(?:[\s,(]|(?<![a-zа-яё])(?:{alternatives('form.season_link')})(?![a-zа-яё]))"
    sources = (
        rf"{season}{link}{{1,6}}{_YEAR}",
        rf"{_YEAR}(?:{end})?{link}{{0,8}}{season}(?!{link}{{1,6}}(?:1\d|20)\d\d)",
    )
    return tuple(re.compile(source, re.IGNORECASE) for source in sources)


def seasons(text: str) -> Iterator[tuple[tuple[str, str], Span]]:
    """Yield the seasons of ``text`` that have a year, each as its name and the year, with its span.

    >>> [season for season, _ in seasons("in 2014, in the spring; in the fall of 2016")]
    [('autumn', '2016'), ('spring', '2014')]
    """
    for pattern in _patterns():
        for match in pattern.finditer(text):
            name = next(name for name in _SEASONS if match[name])
            yield (name, match["year"]), Span(start=match.start(), end=match.end())
