"""Other words for the same: a currency by its code, a year by two digits, common synonyms."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from assay.text import HAN, Span, normalised
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
_HAN: Final = re.compile(f"[{HAN}]")
_HAN_RUN: Final = re.compile(f"[{HAN}]+")
_WORD: Final = re.compile(r"[^\W\d_]+")
_SMALL_WORD: Final = 2
"""Words of so few letters have no place in an abbreviation."""
_TWO: Final = 2
_FEW_WORDS: Final = 8
"""In a longer text, two capital letters may stand for anything."""
_LONG_NAME: Final = 6
_SHORT_NAME: Final = 4
"""A Chinese name of so many characters may be shortened to so many."""
_BODY: Final = lazy_pattern(lambda: rf"(?:{alternatives('form.body_end', 'zh')})\Z")
_HAN_PLACE: Final = re.compile(f"[{HAN}]{{2,3}}[省市]")
"""May be left out at the beginning of the name of an authority."""
_LEAD: Final = lazy_pattern(lambda: alternatives("form.lead"))
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
    lead = _LEAD.match(form)
    bare = form[lead.end() :] if lead else form
    for group in _groups():
        if group.fullmatch(form) or group.fullmatch(bare):
            yield from (Span(start=m.start(), end=m.end()) for m in group.finditer(text))


def abbreviations(wording: str, text: str) -> Iterator[Span]:
    """Where ``text`` has ``wording`` in short.

    It may have the initials, the beginnings of the words, or some of the Chinese characters.

    >>> text = "Лицензию выдал Минздрав."
    >>> [span.of(text) for span in abbreviations("Министерство здравоохранения", text)]
    ['Минздрав']
    """
    if _HAN.search(wording):
        yield from _short_han(wording, text)
        return
    parts = [word for word in _WORD.findall(_ARTICLE.sub("", wording)) if len(word) > _SMALL_WORD]
    if len(parts) < _TWO:
        return
    initials = "".join(word[0] for word in parts).upper()
    for match in _WORD.finditer(text):
        word = match.group()
        is_long = len(word) > _TWO or len(text.split()) <= _FEW_WORDS
        is_initials = word.isupper() and is_long and word == initials
        if is_initials or _is_blend(word.lower(), [part.lower() for part in parts]):
            yield Span(start=match.start(), end=match.end())


def _is_blend(word: str, parts: list[str]) -> bool:
    """Whether a word consists of the beginnings of all parts, of three letters or more each."""
    if not parts:
        return len(word) <= _TWO  # the ending of a case
    longest = next((n for n in range(len(word)) if word[n] != parts[0][n : n + 1]), len(word))
    return any(_is_blend(word[n:], parts[1:]) for n in range(longest, _TWO, -1))


def _short_han(wording: str, text: str) -> Iterator[Span]:
    """Where ``text`` has some characters of a long Chinese name in their order: 发改委."""
    if len(wording) < _LONG_NAME or not _BODY.search(wording):
        return
    if (place := _HAN_PLACE.match(wording)) and len(wording) - place.end() >= _LONG_NAME:
        yield from _short_han(wording[place.end() :], text)
    for run in _HAN_RUN.finditer(text):
        for start in range(run.start(), run.end()):
            end = _end_of_subsequence(wording, text, start, run.end())
            if end - start >= _SHORT_NAME and text[start] == wording[0]:
                yield Span(start=start, end=end)
                break


def _end_of_subsequence(wording: str, text: str, start: int, end: int) -> int:
    position = 0
    for index in range(start, end):
        position = wording.find(text[index], position) + 1
        if not position:
            return index
    return end
