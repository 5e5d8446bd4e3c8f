"""The same value in another notation: 10 kilometres, 3-й, 15:00, пятого мая, 1812 г., XIX век.

The expected answer must be nothing but the value. A value with a comparator ("at least 5 kg") and a
number without the unit that is expected ("30" for "30 days") are not the same, nor is a time that may
be before or after noon ("8:00" for "20:00").
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from assay.scorers.legal.form import clock_times, measures, other_forms
from assay.scorers.mention.limit import compounds, limited_spans
from assay.scorers.mention.numbered import numbered_spans, quarter_spans
from assay.scorers.mention.short_date import short_dates
from assay.text import Date, Span, dates, find_phrase, numbers
from assay.text.lexicon import alternatives, lazy_pattern

_LIMIT: Final = lazy_pattern(
    lambda: "|".join(
        alternatives(f"form.{side}_{place}")
        for side in ("upper", "lower")
        for place in ("before", "after")
    )
)
_HALF_DAY: Final = re.compile(r"\W*(?:0?[1-9]|1[01])[:.][0-5]\d\W*")
"""A time of day that may be before or after noon."""
_PREPOSITION: Final = 2
"""So many letters may stand beside a time: в 9:00, at 9 a.m."""
_MARKS: Final = re.compile(r"[\W_]+")
_ROMAN: Final = re.compile(r"(?<!\w)[IVXLХ]{2,}(?!\w)")
_ROMAN_VALUES: Final = {"I": 1, "V": 5, "X": 10, "Х": 10, "L": 50}
_RANGE_LINK: Final = lazy_pattern(lambda: rf"\s*(?:[-–—~]|{alternatives('open_answer.to')})\s*")
_RANGE_START: Final = lazy_pattern(lambda: rf"(?:{alternatives('open_answer.from')})\s*\Z")
_TIMES: Final = lazy_pattern(lambda: rf"\s?(?:{alternatives('open_answer.times')})")
_YEAR_BEFORE: Final = lazy_pattern(lambda: rf"\b(?:{alternatives('form.in_year')})\s?\Z")
_YEAR: Final = re.compile(r"(?<![\w.,:/-])[12]\d{3}(?![\w/:-]|[.,]\d)")
_YEAR_END: Final = re.compile(r"\s*(?:[.,;:!?)\]。，；：！？）—–-]|\Z)")
_TIMES_WORDS: Final = {"one": 1, "two": 2, "three": 3}


def notation_spans(answer: str, text: str, question: str = "") -> Iterator[Span]:
    """Yield where ``text`` has the value of ``answer`` in another notation.

    >>> text = "The war began in 1812, on the 3rd day."
    >>> [span.of(text) for span in notation_spans("1812 г.", text)]
    ['1812']
    """
    yield from dict.fromkeys(_notation_spans(answer, text, question))


def _notation_spans(answer: str, text: str, question: str) -> Iterator[Span]:
    """As ``notation_spans``; a place comes twice if it is read in two ways."""
    yield from _same_forms(answer, text, question)
    known = dates(answer)
    if len(known) == 1 and not _has_more(answer, known[0].start, known[0].end):
        yield from _same_dates(known[0], text)
    for read in (_ranges, _times):
        values = list(read(answer))
        if len(values) == 1 and not _has_more(answer, values[0][1].start, values[0][1].end):
            yield from (span for value, span in read(text) if value == values[0][0])
    if _ROMAN.search(answer) or _ROMAN.search(text):
        yield from _roman_spans(answer, text)


def value_spans(answer: str, text: str, question: str = "") -> Iterator[Span]:
    """Yield where ``text`` has the value of ``answer`` in another notation or in other words.

    These are times of day, quantities in two units, limits, quarters, clauses, document numbers,
    people and multiples, besides ``notation_spans``. Phrases of the user are not found so.

    >>> text = "в 9 часов утра"
    >>> [span.of(text) for span in value_spans("9:00", text)]
    ['9 часов утра']
    """
    yield from notation_spans(answer, text, question)
    yield from _same_times(answer, text)
    yield from quarter_spans(answer, text, question)
    if _has_number(answer) and _has_number(text):
        yield from _same_compounds(answer, text)
        yield from limited_spans(answer, text)
    if _has_number(answer):
        yield from numbered_spans(answer, text, question)


def _has_more(text: str, start: int, end: int) -> bool:
    """Whether there is anything but marks beside the value."""
    return bool(_MARKS.sub("", text[:start] + text[end:]))


def _same_forms(answer: str, text: str, question: str) -> Iterator[Span]:
    """Times of day, measures, ordinals and frequencies; words for other words are not values."""
    if _LIMIT.search(answer) or _HALF_DAY.fullmatch(answer):
        return
    for span in other_forms(answer, text, question).spans:
        found = span.of(text)
        is_value = _has_number(answer) or _has_number(found)
        if is_value and not _is_bare(found, answer) and not _HALF_DAY.fullmatch(found):
            yield span


def _same_times(answer: str, text: str) -> Iterator[Span]:
    """Times of day; one that may be before or after noon is before it: 9:00 is 9 a.m., never 9 p.m."""
    known = list(clock_times(answer))
    if len(known) != 1 or "." in known[0][1].of(answer).strip(".") or _LIMIT.search(answer):
        return
    rest = answer[: known[0][1].start] + answer[known[0][1].end :]
    if sum(map(str.isalpha, rest)) > _PREPOSITION:
        return
    for time, span in clock_times(text):
        if time.minutes == known[0][0].minutes:
            yield span


def _same_compounds(answer: str, text: str) -> Iterator[Span]:
    """Quantities in two units or in one: 3 years and 6 months, 42 months."""
    both = list(compounds(answer))
    known = both or [measure for measure in measures(answer) if measure.kind]
    if len(known) != 1 or known[0].amount < 0 or _has_more(answer, *_ends(known[0].span)):
        return
    told = (*compounds(text), *(measures(text) if both else ()))
    for measure in told:
        if (measure.kind, measure.amount) == (known[0].kind, known[0].amount):
            yield measure.span


def _ends(span: Span) -> tuple[int, int]:
    return span.start, span.end


def _has_number(text: str) -> bool:
    return bool(re.search(r"\d", text)) or bool(numbers(text))


def _is_bare(found: str, answer: str) -> bool:
    """Whether ``found`` is only a number, and ``answer`` has a unit with it."""
    in_found, in_answer = numbers(found), numbers(answer)
    return (
        len(in_found) == len(in_answer) == 1
        and not _has_more(found, in_found[0].start, in_found[0].end)
        and _has_more(answer, in_answer[0].start, in_answer[0].end)
    )


def _same_dates(known: Date, text: str) -> Iterator[Span]:
    """A day without a year, a year without the word for it, and a year of two digits."""
    for date in dates(text):
        if (date.year, date.month, date.day) == (known.year, known.month, known.day):
            yield Span(start=date.start, end=date.end)
    if known.month is None and known.year is not None:
        for match in _YEAR.finditer(text):
            before = text[max(0, match.start() - 8) : match.start()]
            is_year = _YEAR_END.match(text, match.end()) or _YEAR_BEFORE.search(before)
            if is_year and int(match.group()) == known.year:
                yield Span(start=match.start(), end=match.end())
    yield from short_dates(known, text)


def _ranges(text: str) -> Iterator[tuple[tuple[str, str], Span]]:
    """The ranges of two numbers: 10–20, from 10 to 20, от 10 до 20."""
    for first, second in pairwise(numbers(text)):
        if _RANGE_LINK.fullmatch(text, first.end, second.start):
            lead = _RANGE_START.search(text, max(0, first.start - 10), first.start)
            start = lead.start() if lead else first.start
            unit = second.unit_span
            end = unit.end if unit is not None and unit.end > second.end else second.end
            key = (first.canonical, f"{second.canonical} {second.currency or second.unit or ''}")
            yield key, Span(start=start, end=end)


def _times(text: str) -> Iterator[tuple[int, Span]]:
    """How many times: twice, дважды, 2 раза, two times."""
    for name, value in _TIMES_WORDS.items():
        for match in re.finditer(rf"\b(?:{alternatives(f'number.times.{name}')})\b", text.lower()):
            yield value, Span(start=match.start(), end=match.end())
    for number in numbers(text):
        word = _TIMES.match(text, number.end)
        if word is not None and number.value == int(number.value):
            yield int(number.value), Span(start=number.start, end=word.end())


def _roman_spans(answer: str, text: str) -> Iterator[Span]:
    """Where ``text`` has the answer with Roman numerals read as numbers: World War II and 2."""
    plain, starts = "", list[tuple[int, int]]()
    position = 0
    for match in _ROMAN.finditer(text):
        plain += text[position : match.start()]
        starts.append((len(plain), match.start()))
        plain += _roman_digits(match)
        position = match.end()
        starts.append((len(plain), position))
    plain += text[position:]
    span = find_phrase(_ROMAN.sub(_roman_digits, answer), plain)
    if span is not None:
        yield Span(start=_original(span.start, starts), end=_original(span.end, starts))


def _original(offset: int, starts: list[tuple[int, int]]) -> int:
    new, old = next(((n, o) for n, o in reversed(starts) if n <= offset), (0, 0))
    return old + offset - new


def _roman_digits(match: re.Match[str]) -> str:
    values = [_ROMAN_VALUES[sign] for sign in match.group()]
    following = (*values[1:], 0)
    return str(sum(-v if v < after else v for v, after in zip(values, following, strict=True)))
