"""Details of an answer that neither the document nor the question contains.

These details are searched for in the answer: numbers, dates, times, telephone and account
numbers, document numbers and codes, addresses, e-mail addresses and names. A detail that the
sources do not contain, in any notation or grammatical case, is reported with its position. A
detail that the sources contain but the answer applies to the wrong thing is not invented.
References to clauses and pages are not details, nor are counts like "two versions".

Names are recognised by capital letters, by quotation marks and, in Chinese, by surnames and the
words around them (``assay.scorers.invention.name``). A name that is written like an ordinary
word is not noticed.
"""

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from msgspec import Struct, structs

from assay.scorers.invention.name import known_words, unknown_names
from assay.scorers.value import (
    answer_dates,
    codes,
    long_numbers,
    quantities,
    references,
    times_of_day,
)
from assay.text import Date, Number, Ranges, Span, normalised, numbers
from assay.text.lexicon import alternatives, lazy_pattern, word_list

Penalty: TypeAlias = str | int | float
"""A level, or the weight of one invented detail as a number."""
Kind: TypeAlias = Literal["number", "date", "time", "name", "account", "code", "address", "contact"]

SEVERITY: Final[dict[str, float]] = {"high": 1.0, "medium": 0.5, "low": 0.25}
"""The weight of one invented detail for each level; it is 1 for a level that is not listed."""

_CONTACT: Final = re.compile(
    r"[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+|\b(?:https?://|www\.)[^\s,;，；。)）]+|(?<!\w)@[A-Za-z]\w{2,}"
)
_ADDRESS: Final = lazy_pattern(lambda: alternatives("invention.address"), re.NOFLAG)
_MEASURE: Final = lazy_pattern(lambda: alternatives("invention.measure"))
_VERSIONS: Final = lazy_pattern(lambda: alternatives("invention.versions"))
_REFERRING: Final = lazy_pattern(lambda: alternatives("invention.referring"))
_ABOUT: Final = re.compile(
    "(?<![一二三四五六七八九十百千第])[一二两三四五六七八九]{2}(?=[次个名人位天年月笔张万千百])"
)
_PERIODS: Final = ("hours", "minutes", "days", "weeks", "months", "years", "times")


def _ordinal_expression() -> str:
    english, russian = (word_list("date.ordinals", language)[:6] for language in ("en", "ru"))
    ending = alternatives("invention.ordinal_ending")
    return (
        rf"\b(?:{'|'.join(f'(?P<e{n}>{word})' for n, word in enumerate(english, 1))})\b"
        rf"|第(?:{'|'.join(f'(?P<z{n}>[{han}{n}])' for n, han in enumerate('一二三四五六', 1))})(?=[次期笔批])"
        rf"|\b(?:{'|'.join(f'(?P<r{n}>{stem})' for n, stem in enumerate(russian, 1))})(?:{ending})\b"
    )


_ORDINAL: Final = lazy_pattern(_ordinal_expression)
_PERIOD: Final = lazy_pattern(
    lambda: rf"\s?(?:{'|'.join(f'(?P<{name}>{_period(name)})' for name in _PERIODS)})"
)


def _period(name: str) -> str:
    return alternatives(f"invention.period.{name}")


_TIMES_WORD: Final = lazy_pattern(lambda: alternatives("invention.times_word"))
_NOT_DIGIT: Final = re.compile(r"\D")


class Invention(Struct, frozen=True, kw_only=True):
    """An invented detail, with its text and span in the answer."""

    kind: Kind
    text: str
    span: Span


class Source(Struct, frozen=True, kw_only=True):
    """The details of a document or a question, prepared for lookup.

    ``letters`` are the letters and digits of ``text`` without spaces and punctuation;
    ``digits`` are its telephone and account numbers; ``words`` includes stems.
    """

    text: str
    letters: str
    values: frozenset[Decimal]
    percents: frozenset[Decimal]
    periods: frozenset[tuple[Decimal, str]]
    dates: tuple[Date, ...]
    times: frozenset[str]
    digits: tuple[str, ...]
    words: frozenset[str]


def inventions(answer: str, sources: Sequence[str]) -> list[Invention]:
    """The details of ``answer`` that no source contains, from left to right.

    >>> answer = "He paid £900 to Marcus Hale."
    >>> [invention.text for invention in inventions(answer, ["I paid £800."])]
    ['£900', 'Marcus Hale']
    """
    source = _joined_sources(*map(_source, _blocks(sources)))
    invented: list[Invention] = []
    covered: list[Span] = list(references(answer))
    for kind, spans in _details(answer, source):
        for span, is_in_source in without_overlap_pairs(spans, covered):
            covered.append(span)
            if not is_in_source:
                invented.append(Invention(kind=kind, text=span.of(answer), span=span))
    taken = Ranges((span.start, span.end) for span in covered)
    for span in unknown_names(answer, source.text, source.words):
        if not taken.overlap(span.start, span.end):
            invented.append(Invention(kind="name", text=span.of(answer), span=span))
            taken.add(span.start, span.end)
    return sorted(invented, key=lambda invention: invention.span)


def severity(invented: Sequence[Invention], penalty: Penalty) -> float:
    """The severity of the inventions: their number times the weight of the penalty.

    A number is the weight itself; its sign does not matter.

    >>> invented = inventions("He paid £900.", [])
    >>> severity(invented, "low"), severity(invented, -2), severity(invented, "critical")
    (0.25, 2.0, 1.0)
    """
    weight = SEVERITY.get(penalty.lower(), 1.0) if isinstance(penalty, str) else abs(penalty)
    return float(weight * len(invented))


def without_overlap_pairs(
    pairs: Iterable[tuple[Span, bool]], covered: Sequence[Span]
) -> list[tuple[Span, bool]]:
    """The pairs whose span overlaps none of the covered spans."""
    taken = Ranges((span.start, span.end) for span in covered)
    return [pair for pair in pairs if not taken.overlap(pair[0].start, pair[0].end)]


def _details(answer: str, source: Source) -> Iterable[tuple[Kind, list[tuple[Span, bool]]]]:
    """The details of each kind, each with whether the source contains it.

    If details of two kinds overlap, the kind that comes first counts: the number of a house is
    part of its address.
    """
    yield (
        "contact",
        [(span, _has_letters(span, answer, source)) for span in _spans(_CONTACT, answer)],
    )
    yield (
        "address",
        [(span, _has_address(span, answer, source)) for span in _spans(_ADDRESS, answer)],
    )
    yield (
        "date",
        [
            (Span(start=date.start, end=date.end), _has_date(date, source))
            for date in answer_dates(answer)
        ],
    )
    yield (
        "time",
        [(span, _clock_time(span.of(answer)) in source.times) for span in times_of_day(answer)],
    )
    yield (
        "account",
        [(span, _has_digits(span.of(answer), source)) for span in long_numbers(answer)],
    )
    yield "code", [(span, _has_letters(span, answer, source)) for span in codes(answer)]
    yield "number", [*_approximate_numbers(answer, source), *_exact_numbers(answer, source)]


def _exact_numbers(answer: str, source: Source) -> list[tuple[Span, bool]]:
    """The quantities, except counts of versions, "these two" and the word "one" by itself."""
    pairs = []
    for number in quantities(answer):
        number_text = answer[number.start : number.end]
        before = answer[max(0, number.start - 12) : number.start]
        if number.unit is None and (
            _VERSIONS.match(answer, number.end)
            or (number.value <= 10 and _REFERRING.search(before))
        ):
            continue
        if number.value == 1 and not any(map(str.isdigit, number_text)) and number.unit is None:
            continue
        pairs.append((_span_with_unit(answer, number), _has_number(answer, number, source)))
    return pairs


def _approximate_numbers(answer: str, source: Source) -> list[tuple[Span, bool]]:
    """Chinese approximations like 五六次; the source must contain the same characters."""
    pairs = []
    for match in _ABOUT.finditer(answer):
        measure = _MEASURE.match(answer, match.end())
        span = Span(start=match.start(), end=measure.end() if measure else match.end())
        pairs.append((span, span.of(answer) in source.text))
    return pairs


def _span_with_unit(answer: str, number: Number) -> Span:
    start, end = number.start, number.end
    if number.unit_span is not None:
        start, end = min(start, number.unit_span.start), max(end, number.unit_span.end)
    elif measure := _MEASURE.match(answer, end):
        end = measure.end()
    return Span(start=start, end=end)


def _has_number(answer: str, number: Number, source: Source) -> bool:
    period = period_of(answer, number)
    if period is not None:
        return (number.value, period) in source.periods
    known = source.percents if number.unit == "percent" else source.values
    if number.value in known or (number.alternative is not None and number.alternative in known):
        return True
    return number.unit is None and any(date.year == number.value for date in source.dates)


def _has_date(date: Date, source: Source) -> bool:
    """Whether the source contains the date; the answer may leave out its year, month or day.

    A date of the source without a year matches any year that the source mentions.
    """
    years = {known.year for known in source.dates} | {
        int(value) for value in source.values if value % 1 == 0 and 1000 <= value < 3000
    }
    for known in source.dates:
        if date.month is not None and date.month != known.month:
            continue
        if date.day is not None and date.day != known.day:
            continue
        if date.year in {None, known.year} or (known.year is None and date.year in years):
            return True
    return date.month is None and date.year in years


def _has_digits(number_text: str, source: Source) -> bool:
    """Whether the source has the number; a country code at its beginning may differ."""
    digits = _NOT_DIGIT.sub("", number_text)
    return any(digits in known or known.endswith(digits[-10:]) for known in source.digits)


def _has_letters(span: Span, answer: str, source: Source) -> bool:
    return _letters(span.of(answer)) in source.letters


def _has_address(span: Span, answer: str, source: Source) -> bool:
    """Whether the source has the address literally or, unless a digit comes first, its parts."""
    address = span.of(answer)
    if _letters(address) in source.letters:
        return True
    has_words = known_words(address) <= source.words
    has_numbers = all(number.value in source.values for number in numbers(address))
    return has_words and has_numbers and not address[0].isdigit()


def _blocks(sources: Sequence[str]) -> tuple[str, ...]:
    """All sources but the last joined into one text, and the last source.

    The last source is the question. The document before it stays the same for many questions,
    so that ``_source`` finds it in its cache.
    """
    return "\n".join((*sources[:-1], "")), *sources[-1:]


def _joined_sources(first: Source, *others: Source) -> Source:
    """One source that contains the details of all of them."""
    joined = first
    for other in others:
        values = zip(structs.astuple(joined), structs.astuple(other), strict=True)
        joined = Source(
            **{
                name: left | right if isinstance(left, frozenset) else left + right
                for name, (left, right) in zip(Source.__struct_fields__, values, strict=True)
            }
        )
    return joined


@lru_cache(maxsize=64)
def _source(text: str) -> Source:
    amounts = quantities(text)
    ordinal_counts = _ordinal_counts(text)
    return Source(
        text=text,
        letters=_letters(text),
        values=frozenset(
            value for number in amounts if number.unit != "percent" for value in _values(number)
        )
        | ordinal_counts,
        percents=frozenset(
            value for number in amounts if number.unit == "percent" for value in _values(number)
        ),
        periods=frozenset(
            (number.value, period)
            for number in amounts
            if (period := period_of(text, number)) is not None
        )
        | frozenset((value, "times") for value in ordinal_counts),
        dates=tuple(answer_dates(text)),
        times=frozenset(_clock_time(span.of(text)) for span in times_of_day(text)),
        digits=tuple(_NOT_DIGIT.sub("", span.of(text)) for span in long_numbers(text)),
        words=known_words(text),
    )


def period_of(text: str, number: Number) -> str | None:
    """The unit of a number of hours, days, times and so on, or ``None`` for any other number.

    >>> from assay.scorers.value.quantity import quantities
    >>> texts = ("6小时", "30 дней", "42 cows", "twice")
    >>> [period_of(text, quantities(text)[0]) for text in texts]
    ['hours', 'days', None, 'times']
    """
    if _TIMES_WORD.fullmatch(text[number.start : number.end]):
        return "times"
    match = _PERIOD.match(text, number.end) if number.unit is None else None
    return match.lastgroup if match else None


def _ordinal_counts(text: str) -> frozenset[Decimal]:
    """The counts that ordinal words imply: a text with a third thing has three of them.

    All numbers from 1 to the highest ordinal are returned.
    """
    ordinals = {int(str(match.lastgroup)[1]) for match in _ORDINAL.finditer(text)}
    return frozenset(Decimal(count) for count in range(1, max(ordinals, default=0) + 1))


def _values(number: Number) -> list[Decimal]:
    return [number.value] if number.alternative is None else [number.value, number.alternative]


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, normalised(text, fold_case=True)))


def _clock_time(time_text: str) -> str:
    """A time of day as hours and minutes: 23:10 for "11.10 pm"."""
    parts = [int(part) for part in re.findall(r"\d+", time_text)]
    half = 30 if "半" in time_text else 0
    hour = parts[0] + (12 if re.search(r"\dp|\sp", time_text.lower()) and parts[0] < 12 else 0)
    return f"{hour}:{parts[1] if len(parts) > 1 else half:02d}"


def _spans(pattern: re.Pattern[str], text: str) -> list[Span]:
    return [Span(start=match.start(), end=match.end()) for match in pattern.finditer(text)]
