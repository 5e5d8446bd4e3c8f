"""A country and its adjective, a part of a country, and where somebody comes from.

The Irish High Court is the High Court of Ireland, the north of Ghana is northern Ghana, and somebody
from Denmark is Danish. A place to the north of Ghana is not in Ghana.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from assay.scorers.legal.field.relation import is_relation
from assay.scorers.legal.root import content_words
from assay.text import HAN, Span, normalised
from assay.text.lexicon import alternatives, expressions, lazy_pattern

_PART: Final = lazy_pattern(lambda: alternatives("place.part", "en"))
"""The north of something, or the northern part of it."""
_ADJECTIVE: Final = lazy_pattern(lambda: rf"\b[а-яё-]+ск(?:{alternatives('place.ending', 'ru')})\b")
_NAME: Final = re.compile(r"(?<=\S )[А-ЯЁ][а-яё-]{3,}")
_HAN_PEOPLE: Final = re.compile(rf"(?P<place>[{HAN}]{{2,6}})人")
_ORIGIN_ASKED: Final = lazy_pattern(lambda: alternatives("place.origin_asked"))
_FROM: Final = lazy_pattern(lambda: rf"(?:{alternatives('place.from')})\Z")
_SIDE: Final = lazy_pattern(lambda: alternatives("place.side", "zh"))
_BEYOND: Final = lazy_pattern(lambda: alternatives("place.beyond"))
_BEYOND_ASKED: Final = lazy_pattern(lambda: alternatives("place.beyond_asked"))
_FEWEST: Final = 2
"""A text of fewer words is nothing but a country or its adjective."""


@cache
def _countries() -> dict[str, str]:
    """The English name of a country for each of its adjectives."""
    pairs = (pair.partition("/")[::2] for pair in expressions("place.countries", "en"))
    return {word: country for country, words in pairs for word in (country, *words.split("|"))}


@cache
def _irregular() -> tuple[tuple[str, str], ...]:
    """The beginnings of Russian names of countries and of their adjectives, if these are irregular."""
    parts = (pair.partition("/")[::2] for pair in expressions("place.countries", "ru"))
    return tuple((country, adjective) for country, adjective in parts)


def with_one_part(text: str, wording: str) -> tuple[str, str]:
    """``text`` and ``wording`` with one form for a part of a country.

    >>> with_one_part("in the north of Ghana", "Northern Ghana")
    ('in northern Ghana', 'Northern Ghana')
    """
    if not wording.isascii() or len(content_words(wording)) < _FEWEST:
        return text, wording
    return _PART.sub(_part, text), _PART.sub(_part, wording)


def with_one_country(text: str, wording: str) -> tuple[str, str]:
    """``text`` and ``wording`` with one form for a country and its adjective.

    >>> with_one_country("the Irish High Court", "High Court of Ireland")
    ('the Ireland High Court', 'High Court of Ireland')
    """
    if len(content_words(wording)) < _FEWEST:
        return text, wording
    if not wording.isascii():
        return _with_one_noun(text, wording), wording
    words = [word.lower() for word in re.findall(r"\b[A-Z][a-z]+\b", wording)]
    countries = {_countries()[word] for word in words if word in _countries()}
    for country in countries:
        forms = "|".join(word for word, other in _countries().items() if other == country)
        pattern = re.compile(rf"\b(?:{forms})(?:['’]s)?\b", re.IGNORECASE)
        name = country.capitalize()
        text, wording = pattern.sub(name, text), pattern.sub(name, wording)
    return text, wording


def has_sides(wording: str, text: str) -> bool:
    """Whether ``text`` has every side of a Chinese place that ``wording`` names: 东部 is not 西部."""
    return all(side.group() in text for side in _SIDE.finditer(wording))


def is_outside(text: str, span: Span, question: str) -> bool:
    """Whether the value is only a place beside which something lies: to the east of Poland."""
    if _BEYOND_ASKED.search(question):
        return False
    return any(
        match.start() < span.end and span.start <= match.end() + 1
        for match in _BEYOND.finditer(text)
    )


def _part(match: re.Match[str]) -> str:
    return f"{next(filter(None, match.groups()))}ern "


def _with_one_noun(text: str, wording: str) -> str:
    """``text`` with the Russian name of a country for its adjective: «эстонский суд», «суд Эстонии»."""
    for match in _NAME.finditer(wording):
        noun = match.group()
        for adjective in reversed(list(_ADJECTIVE.finditer(text))):
            if _is_adjective_of(noun.lower(), adjective.group().lower()):
                text = f"{text[: adjective.start()]}{noun}{text[adjective.end() :]}"
    return text


def _is_adjective_of(noun: str, adjective: str) -> bool:
    plain = normalised(noun), normalised(adjective)
    return is_relation(*plain) or any(
        plain[0].startswith(country) and plain[1].startswith(stem) for country, stem in _irregular()
    )


def origins(wording: str, text: str, question: str | None) -> Iterator[Span]:
    """Where ``text`` tells from which country somebody comes, if ``question`` asks for that.

    >>> text = "She came from Denmark."
    >>> [span.of(text) for span in origins("Danish", text, "What nationality was she?")]
    ['from Denmark']
    """
    if question is None or not _ORIGIN_ASKED.search(question):
        return
    if people := _HAN_PEOPLE.fullmatch(wording):
        native = alternatives("place.native", "zh").replace("<place>", people["place"])
        for match in re.finditer(native, text):
            yield Span(start=match.start(), end=match.end())
        return
    country = _countries().get(wording.removeprefix("the ").lower())
    if country is None:
        return
    for match in re.finditer(r"\b[A-Z][a-z]+\b", text):
        if _countries().get(match.group().lower()) != country:
            continue
        before = _FROM.search(text[: match.start()])
        if before is not None:
            yield Span(start=before.start(), end=match.end())
        elif match.group().lower() != country:
            yield Span(start=match.start(), end=match.end())
