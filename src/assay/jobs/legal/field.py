"""Whether an answer gives the expected value of a field: amount, count, date, entity, text, yes or no.

A value counts if the answer names it. What is beside it does not matter: the parts of a total, a further
amount, a quotation. A value that is named behind a negation is unsure.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Final

from msgspec import Struct

from assay.checks.abstention import is_denying, polarity
from assay.checks.answer import Check, check_answer
from assay.checks.doubt import is_denied
from assay.jobs.legal.expectation import DateRangeFields
from assay.text.citation import without_citations
from assay.text.date import Date
from assay.text.date import read_dates as dates
from assay.text.normalise import Ranges, Span
from assay.text.number import Number, numbers
from assay.text.search_term import Token, content_units, tokens

TOLERANCE: Final = Decimal("0.01")
"""The largest relative error of a number if ``numeric_exact`` is false: 1 %."""
_MARKER: Final = re.compile(r"(?m)^[^\S\n]*+[(（]?\d{1,2}[.)）、．](?=\s|\D)")
"""The number of an item of a list is no value."""
_TIMES: Final = re.compile(r"(?:两|二|2)\s?[期次笔]各?|\btwice\b|дважды")


class FieldVerdict(Struct, frozen=True, kw_only=True):
    """Whether one expected field is correct; ``found`` are the values that the answer names.

    ``unsure`` says that ``holds`` is only the way the verdict leans.
    """

    holds: bool
    found: tuple[str, ...] = ()
    why: str
    unsure: bool = False


def amount_verdict(
    text: str, expected: float, *, exact: bool = True, currency: str | None = None
) -> FieldVerdict:
    """Whether ``text`` gives the amount; a number without a currency fits any currency.

    >>> amount_verdict("共计四万二千元", 42000).holds, amount_verdict("$42,000", 42000, currency="CNY").holds
    (True, False)
    >>> amount_verdict("已还18000元，尚欠24000元", 18000).holds
    True
    """
    value = Decimal(str(expected))
    plain = _plain(text)
    given = _numbers(plain)
    right = [n for n in given if is_close(n, value, exact=exact) and _fits(n, currency)]
    shown = str(expected) if exact else f"{expected} within 1 %"
    return _verdict(plain, [_span(n) for n in right], [_span(n) for n in given], shown)


def count_verdict(text: str, expected: int, *, exact: bool = True) -> FieldVerdict:
    """Whether ``text`` gives the count; a number with a currency or per cent counts nothing.

    >>> count_verdict("两次（第2页）", 2).holds, count_verdict("2 %", 2).holds
    (True, False)
    """
    plain = _plain(text)
    given = [number for number in _numbers(plain) if number.unit is None]
    right = [number for number in given if is_close(number, Decimal(expected), exact=exact)]
    return _verdict(plain, [_span(n) for n in right], [_span(n) for n in given], str(expected))


def breakdown_verdict(
    text: str,
    expected: Sequence[float],
    *,
    total: float | None = None,
    exact: bool = True,
    currency: str | None = None,
) -> FieldVerdict:
    """Whether ``text`` gives all these amounts, in any order; it may also give their total.

    Further amounts make the verdict unsure.

    >>> breakdown_verdict("£1,200 and £1,500, £2,700 in all", [1500, 1200]).holds
    True
    """
    plain = _plain(text)
    parts = Counter(Decimal(str(value)) for value in expected)
    totals = {sum(parts.elements(), Decimal(0)), *([] if total is None else [Decimal(str(total))])}
    given = [n for n in _numbers(plain) if _fits(n, currency) and n.unit != "percent"]
    counts: Counter[Decimal] = Counter()
    others = []
    for number in given:
        part = next((value for value in parts if is_close(number, value, exact=exact)), None)
        if part is not None:
            counts[part] += 1
        elif number.unit == "currency" and not any(
            is_close(number, each, exact=exact) for each in totals
        ):
            others.append(plain[number.start : number.end])
    if _TIMES.search(plain):  # "two parts of 1,500" name an amount once
        counts = Counter({part: max(counts[part], parts[part]) for part in counts})
    found = tuple(plain[number.start : number.end] for number in given)
    if missing := parts - counts:
        names = ", ".join(f"{value.normalize():f}" for value in missing.elements())
        return FieldVerdict(holds=False, found=found, why=f"missing: {names}")
    if others:
        why = f"all parts are there, and beside them {', '.join(others)}"
        return FieldVerdict(holds=True, found=found, why=why, unsure=True)
    return FieldVerdict(holds=True, found=found, why="all parts are there")


def date_verdict(
    text: str, expected: str, *, exact: bool = True, context: Sequence[str] = ()
) -> FieldVerdict:
    """Whether ``text`` gives the expected day, in any notation.

    A day without a year is accepted unless ``context`` (the pages of the document) contains the
    same day of another year. If ``exact`` is false, the month without the day is accepted too.

    >>> date_verdict("30 августа 2020 г.", "2020-08-30").holds
    True
    >>> date_verdict("In August 2020", "2020-08-30", exact=False).holds
    True
    """
    plain = _plain(text)
    given = dates(plain)
    right = [date for date in given if _is_day(date, expected, exact=exact, context=context)]
    return _verdict(plain, [_span(date) for date in right], [_span(d) for d in given], expected)


def date_range_verdict(
    text: str, expected: DateRangeFields, *, exact: bool = True, context: Sequence[str] = ()
) -> FieldVerdict:
    """Whether ``text`` gives both ends, the last one after the first.

    >>> from assay.jobs.legal.question import DateSpan
    >>> span = DateSpan(start="2031-05-01", end="2031-09-30")
    >>> date_range_verdict("from 1 May to 30 September 2031", span).holds
    True
    """
    plain = _plain(text)
    given = dates(plain)
    firsts, lasts = (
        [date for date in given if _is_day(date, day, exact=exact, context=context)]
        for day in (expected.start, expected.end)
    )
    shown = f"{expected.start} to {expected.end}"
    right = [
        Span(start=first.start, end=last.end)
        for first in firsts
        for last in lasts
        if first.start < last.start
    ]
    return _verdict(plain, right, [_span(date) for date in given], shown)


def text_verdict(text: str, expected: str, question: str | None = None) -> FieldVerdict:
    """Whether ``text`` gives an expected text or name, by the check of answers."""
    return _of_check(check_answer(expected, _plain(text), question), _plain(text))


def boolean_verdict(text: str, expected: bool, question: str | None = None) -> FieldVerdict:
    """Whether ``text`` says the expected yes or no: its first word decides.

    An answer without such a word leans by its denials, unless it has no word of the question.

    >>> boolean_verdict("没有（见第2页）", False).holds, boolean_verdict("Yes.", False).holds
    (True, False)
    >>> boolean_verdict("The tenant may not sublet.", False).unsure
    True
    """
    word = "yes" if expected else "no"
    stated = polarity(_plain(text))
    if stated is None:
        asked = set(content_units(question or text))
        is_about = not asked.isdisjoint(content_units(text))
        leans = is_about and is_denying(_plain(text)) is not expected
        why = f"neither yes nor no is said; expected {word}"
        return FieldVerdict(holds=leans, why=why, unsure=True)
    said = "yes" if stated else "no"
    why = f"the answer says {said}" + ("" if stated is expected else f"; expected {word}")
    return FieldVerdict(holds=stated is expected, found=(said,), why=why)


def money_of(value: float, texts: Iterable[str]) -> str | None:
    """The currency of this amount in ``texts``, or ``None`` if they name none.

    >>> money_of(4200, ["£4,200 in all"])
    'GBP'
    """
    amount = Decimal(str(value))
    currencies = (n.currency for text in texts for n in numbers(text) if n.value == amount)
    return next((currency for currency in currencies if currency is not None), None)


def is_close(number: Number, expected: Decimal, *, exact: bool) -> bool:
    """Whether the number equals the expected value or, unless ``exact``, is within 1 % of it."""
    values = [number.value] if number.alternative is None else [number.value, number.alternative]
    if expected in values:
        return True
    return not exact and any(abs(value - expected) <= TOLERANCE * abs(expected) for value in values)


def _plain(text: str) -> str:
    """The text without citations of passages and pages, which are no values."""
    return without_citations(text, pages=True)


def _numbers(text: str) -> list[Number]:
    """The numbers of a text that are no part of a date and no mark of a list."""
    taken = [(date.start, date.end) for date in dates(text) if date.day or date.month]
    marks = list(_MARKER.finditer(text))
    # a list has more than one item; "3." alone may be the answer
    taken += [each.span() for each in marks if len(marks) > 1 or each.group()[-1] not in ".．"]
    no_values = Ranges(taken)
    return [
        number
        for number in numbers(text)
        if not (number.start in no_values and number.end - 1 in no_values)
    ]


def _fits(number: Number, currency: str | None) -> bool:
    """Whether the number names the expected currency or none, or no currency is expected."""
    return number.currency is None or currency is None or number.currency == currency


def _span(value: Number | Date) -> Span:
    return Span(start=value.start, end=value.end)


def _verdict(text: str, right: Sequence[Span], given: Sequence[Span], shown: str) -> FieldVerdict:
    """The verdict on a value that is at ``right``, among all ``given`` values of its kind."""
    found = tuple(span.of(text) for span in given)
    if not right:
        return FieldVerdict(holds=False, found=found, why=f"{shown} is not in the answer")
    asserted = next(_asserted(text, tokens(text), right), None)
    if asserted is None:
        why = f"{shown} is named behind a negation"
        return FieldVerdict(holds=False, found=found, why=why, unsure=True)
    return FieldVerdict(holds=True, found=found, why=f"“{asserted.of(text)}” is {shown}")


def _asserted(text: str, said: Sequence[Token], places: Sequence[Span]) -> Iterator[Span]:
    return (place for place in places if not is_denied(text, said, place.start))


def _of_check(check: Check, text: str) -> FieldVerdict:
    return FieldVerdict(
        holds=check.leans_right,
        found=(check.span.of(text),) if check.span else (),
        why=check.why,
        unsure=check.outcome == "unsure",
    )


def _is_day(date: Date, expected: str, *, exact: bool, context: Sequence[str]) -> bool:
    year, month, day = map(int, expected.split("-"))
    if date.month != month or date.day not in {day, *([] if exact else [None])}:
        return False
    if date.year is not None:
        return date.year == year
    document_years = {
        mention.year
        for page in context
        for mention in dates(page)
        if mention.month == month and mention.day == day and mention.year is not None
    }
    return document_years <= {year}
