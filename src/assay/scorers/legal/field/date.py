"""Dates and ranges of dates of an answer against the expected ones."""

from collections.abc import Sequence

from assay.scorers.legal.expectation import DateRangeFields
from assay.scorers.legal.field.verdict import FieldVerdict, asserted_candidates
from assay.scorers.value import answer_dates
from assay.text import Date, Span, date_ranges, dates


def date_verdict(
    text: str, expected: str, *, exact: bool = True, context: Sequence[str] = ()
) -> FieldVerdict:
    """Whether ``text`` gives the day, in any writing.

    A day without its year holds where ``context`` (the document's pages) has that day of no
    other year. With ``exact`` false, the month that holds the day will do.

    >>> date_verdict("30 августа 2020 г.", "2020-08-30").holds
    True
    >>> date_verdict("In August 2020", "2020-08-30", exact=False).holds
    True
    """
    found = answer_dates(text)
    good = [_is_day(date, expected, exact=exact, context=context) for date in found]
    spans = [Span(start=date.start, end=date.end) for date in found]
    return asserted_candidates(text, spans, good, expected)


def date_range_verdict(
    text: str, expected: DateRangeFields, *, exact: bool = True, context: Sequence[str] = ()
) -> FieldVerdict:
    """Whether ``text`` gives both ends, linked as a range or as its only two dates.

    >>> from assay.data.legal import DateSpan
    >>> span = DateSpan(start="2031-05-01", end="2031-09-30")
    >>> date_range_verdict("from 1 May to 30 September 2031", span).holds
    True
    """
    shown = f"{expected.start} to {expected.end}"
    ranges = date_ranges(text)
    good = [
        _is_day(one.first, expected.start, exact=exact, context=context)
        and _is_day(one.last, expected.end, exact=exact, context=context)
        for one in ranges
    ]
    if any(good):
        return asserted_candidates(
            text, [Span(start=r.start, end=r.end) for r in ranges], good, shown
        )
    found = answer_dates(text)
    said = tuple(text[date.start : date.end] for date in found)
    ends = [expected.start, expected.end]
    if len(found) == 2 and not ranges:
        first, last = found
        if first.year is None and last.year is not None and first.month is not None:
            first = Date(
                year=last.year, month=first.month, day=first.day, start=first.start, end=first.end
            )
        pair = zip((first, last), ends, strict=True)
        if all(_is_day(date, end, exact=exact, context=context) for date, end in pair):
            return FieldVerdict(holds=True, found=said, why=f"both ends of {shown} are there")
    return FieldVerdict(holds=False, found=said, why=f"{shown} is not in the answer")


def _is_day(date: Date, expected: str, *, exact: bool, context: Sequence[str]) -> bool:
    year, month, day = map(int, expected.split("-"))
    if date.month != month or date.day not in {day, *([] if exact else [None])}:
        return False
    if date.year is not None:
        return date.year == year
    years = {
        one.year
        for page in context
        for one in dates(page)
        if one.month == month and one.day == day and one.year is not None
    }
    return years <= {year}
