"""Times of day: 18:00, 6 p.m., ten to six, четверть восьмого вечера, 晚上七点半."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from assay.text import Span, normalised
from assay.text.lexicon import expressions, languages_of, word_list
from assay.text.number import numeral_value, words_value

_DIGITAL: Final = r"(?<![\d:.,])(?P<hour>[01]?\d|2[0-4])[:.](?P<minute>[0-5]\d)(?![\d:]|\.\d)"
_HALF_DAY: Final = 12


class Clock(NamedTuple):
    """A time of day; ``is_known`` is false if it may be before or after noon."""

    minutes: int
    is_known: bool


@cache
def _patterns(languages: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    sources = expressions("form.clock", *languages) if languages else ()
    return tuple(re.compile(source, re.IGNORECASE) for source in (*sources, _DIGITAL))


def clock_times(text: str) -> Iterator[tuple[Clock, Span]]:
    """Yield the times of day in ``text``, each with its span; they do not overlap."""
    end = -1
    matches = [m for pattern in _patterns(languages_of(text)) for m in pattern.finditer(text)]
    for match in sorted(matches, key=lambda m: (m.start(), -m.end())):
        time = _time(match) if match.start() >= end else None
        if time is not None:
            end = match.end()
            yield time, Span(start=match.start(), end=end)


def _time(match: re.Match[str]) -> Clock | None:
    parts = {name: text for name, text in match.groupdict().items() if text}
    if "noon" in parts or "midnight" in parts:
        return Clock(720 if "noon" in parts else 0, is_known=True)
    hour, minute = _number(parts.get("hour", "")), _number(parts.get("minute", "0"))
    if "ordinal" in parts:
        hour = _ordinal_hour(parts["ordinal"])
    if hour is None or minute is None or hour > 24 or minute > 59:
        return None
    shift = 30 if "half" in parts else 15 if "quarter" in parts else 0
    shift += 45 if "three_quarters" in parts else 0
    if "to" in parts:
        # "ten to six", «без десяти шесть», and otherwise a quarter.
        shift, minute = -(minute or _number(parts["to"]) or 15), 0
    is_known = hour > _HALF_DAY or hour == 0 or "am" in parts or "pm" in parts
    if "pm" in parts and hour < _HALF_DAY:
        hour += _HALF_DAY
    if "am" in parts and hour == _HALF_DAY:
        hour = 0
    minutes = (hour * 60 + minute + shift - (60 if "ordinal" in parts else 0)) % 1440
    return Clock(minutes, is_known=is_known)


def _number(text: str) -> int | None:
    if text.isdigit():
        return int(text)
    value = words_value(text) if text[:1].isalpha() and text[:1] < "\u3000" else numeral_value(text)
    return None if value is None else int(value)


def _ordinal_hour(word: str) -> int | None:
    hours = word_list("form.hours_ordinal", "ru")
    form = normalised(word, fold_case=True)
    return hours.index(form) + 1 if form in hours else None
