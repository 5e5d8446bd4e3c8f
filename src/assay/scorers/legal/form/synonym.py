"""Other words for the same: a currency by its code, a year by two digits, common synonyms."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from assay.text import Span, normalised
from assay.text.lexicon import alternatives, expressions, lazy_pattern
from assay.text.number import numeral_value

_CURRENCIES: Final = ("RUB", "USD", "EUR", "GBP", "JPY", "HKD", "CNY")
_YEAR: Final = lazy_pattern(
    lambda: (
        rf"\W*(?:(?:{alternatives('form.in_year')})\s?)?(?:1[5-9]|20)(?P<short>\d\d)(?:\s?(?:{alternatives('form.year')}))?\W*"
    )
)
_SHORT_YEAR: Final = lazy_pattern(
    lambda: (
        rf"['’](?P<figure>\d\d)\b|(?<![〇零一二三四五六七八九\d])(?P<han>[〇零一二三四五六七八九]{{2}}|\d\d)年(?!代)|{alternatives('form.short_year')}"
    )
)
_ARTICLE: Final = re.compile(r"^(?:the|a|an|by)\s+", re.IGNORECASE)


def same_currency(wording: str, text: str) -> Iterator[Span]:
    """Where ``text`` names the currency that ``wording`` is."""
    for code in _CURRENCIES:
        pattern = _currency(code)
        if pattern.fullmatch(wording.strip()):
            yield from (Span(start=m.start(), end=m.end()) for m in pattern.finditer(text))


@cache
def _currency(code: str) -> re.Pattern[str]:
    names = alternatives(f"unit.currency.{code}")
    return re.compile(rf"(?<![a-zа-яё])(?:{code}|{names})(?![a-zа-яё])", re.IGNORECASE)


def short_years(wording: str, text: str) -> Iterator[Span]:
    """Where ``text`` has the year that ``wording`` is, with two digits: '84, 七七年."""
    year = _YEAR.fullmatch(wording)
    if year is None:
        return
    for match in _SHORT_YEAR.finditer(text):
        if _two_digits(match) == int(year["short"]):
            yield Span(start=match.start(), end=match.end())


def _two_digits(match: re.Match[str]) -> int | None:
    text = match["figure"] or match["han"]
    if text:
        value = int(text) if text.isdigit() else numeral_value(text)
        return None if value is None else int(value)
    tens = expressions("form.short_year_tens", "ru")
    units = expressions("form.short_year_units", "ru")
    ten = next((i for i, stem in enumerate(tens, 2) if match["tens"].startswith(stem)), 0)
    unit = match["unit"] or ""
    return ten * 10 + next((i for i, stem in enumerate(units, 1) if unit.startswith(stem)), 0)


@cache
def _groups() -> tuple[re.Pattern[str], ...]:
    return tuple(
        re.compile(rf"(?<![a-zа-яё])(?:{group})(?![a-zа-яё])", re.IGNORECASE)
        for group in expressions("form.synonyms")
    )


def synonyms(wording: str, text: str) -> Iterator[Span]:
    """Where ``text`` has a synonym of ``wording``, if that is one of a group of synonyms."""
    form = _ARTICLE.sub("", normalised(wording).strip())
    for group in _groups():
        if group.fullmatch(form):
            yield from (Span(start=m.start(), end=m.end()) for m in group.finditer(text))
