"""How often something happens: twice a year, every six months, раз в квартал, 每两周."""

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Final

from assay.text import Span
from assay.text.lexicon import alternatives, expressions, languages_of
from assay.text.number import numeral_value, words_value

_PER_YEAR: Final = {
    "hour": 8760,
    "day": 365,
    "week": 52,
    "month": 12,
    "quarter": 4,
    "half_year": 2,
    "year": 1,
}
_NEAR: Final = 40
"""How many characters around a number are looked at."""
_TIMES: Final = {"once": 1, "twice": 2, "thrice": 3}


@cache
def _patterns(languages: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    return tuple(
        re.compile(source.replace("<period>", _period(language)), re.IGNORECASE)
        for language in languages
        for source in expressions("form.often", language)
    )


def _period(language: str) -> str:
    groups = (f"(?P<{name}>{alternatives(f'form.period.{name}', language)})" for name in _PER_YEAR)
    return f"(?:{'|'.join(groups)})"


def frequencies(text: str) -> Iterator[tuple[Fraction, Span]]:
    """Yield how many times in a year something happens, each with its span.

    >>> [(str(often), span.start) for often, span in frequencies("twice a year; every six months")]
    [('2', 0), ('2', 14)]
    """
    end = -1
    matches = [m for pattern in _patterns(languages_of(text)) for m in pattern.finditer(text)]
    for match in sorted(matches, key=lambda m: (m.start(), -m.end())):
        often = _often(match) if match.start() >= end else None
        if often is not None:
            end = match.end()
            yield often, Span(start=match.start(), end=end)


def is_interval(text: str, span: Span, question: str) -> bool:
    """Whether the number at ``span`` only says how long the interval between two times is.

    "Once every 2 years" is no answer to "How many inspections are there?", unless the interval is asked for.

    >>> text = "It is inspected once every 2 years."
    >>> is_interval(text, Span(start=27, end=28), "How many inspections are there?")
    True
    >>> is_interval(text, Span(start=27, end=28), "How many years are between two inspections?")
    False
    """
    near = Span(start=max(0, span.start - _NEAR), end=span.end + _NEAR)
    part, offset = near.of(text), near.start
    return any(
        match.start("every") + offset <= span.start
        and span.end <= match.end("every") + offset
        and _often(match) is not None
        for pattern in _patterns(languages_of(part))
        if "every" in pattern.groupindex
        for match in pattern.finditer(part)
        if match["every"]
    ) and not any(pattern.search(question) for pattern in _asked(languages_of(question)))


@cache
def _asked(languages: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    return tuple(
        re.compile(
            re.sub(r"\?P<\w+>", "?:", source.replace("<period>", _period(language))), re.IGNORECASE
        )
        for language in languages
        for source in expressions("form.interval_asked", language)
    )


def _often(match: re.Match[str]) -> Fraction | None:
    parts = {name: text for name, text in match.groupdict().items() if text}
    period = next((_PER_YEAR[name] for name in _PER_YEAR if name in parts), None)
    every = _number(parts.get("every", "1")) if "other" not in parts else 2
    times = next((count for name, count in _TIMES.items() if name in parts), None)
    if times is None:
        times = _number(parts.get("times", "1"))
    if not period or not every or not times:
        return None
    return Fraction(times * period, every)


def _number(text: str) -> int | None:
    if text.isdigit():
        return int(text)
    value = numeral_value(text) if text[0] >= "\u3000" else words_value(text)
    return None if value is None or value != int(value) else int(value)
