"""Whether an answer gives the expected date or range of dates."""

from collections.abc import Sequence

from assay.scorers.legal.clause import is_about
from assay.scorers.legal.expectation import DateRangeFields
from assay.scorers.legal.verdict import FieldVerdict, asserted_candidates
from assay.scorers.mention import short_dates
from assay.scorers.value import answer_dates
from assay.text import Date, Span, date_ranges, dates, said_text, with_plain_e


def date_verdict(
    text: str,
    expected: str,
    *,
    exact: bool = True,
    context: Sequence[str] = (),
    question: str | None = None,
) -> FieldVerdict:
    """Whether ``text`` gives the expected day, in any notation.

    A day without a year is accepted unless ``context`` (the pages of the document) contains the
    same day of another year. If ``exact`` is false, the month without the day is accepted too.
    If there are several dates, the right one must be in the clause that ``question`` is about.

    >>> date_verdict("30 августа 2020 г.", "2020-08-30").holds
    True
    >>> date_verdict("In August 2020", "2020-08-30", exact=False).holds
    True
    """
    text = with_plain_e(said_text(text))
    question = None if question is None else with_plain_e(question)
    candidates = answer_dates(text)
    is_right = [_is_day(date, expected, exact=exact, context=context) for date in candidates]
    spans = [Span(start=date.start, end=date.end) for date in candidates]
    # A year of two digits (12.02.22) can be told from the expected one.
    short = list(short_dates(dates(expected)[0], text)) if dates(expected) else []
    spans += short
    is_right += [True] * len(short)
    if question is not None and any(is_right) and not all(is_right):
        wrong = [span for span, right in zip(spans, is_right, strict=True) if not right]
        is_right = [
            right and is_about(text, span, question, wrong)
            for span, right in zip(spans, is_right, strict=True)
        ]
    verdict = asserted_candidates(text, spans, is_right, expected)
    exchanged = [date for date in candidates if _is_exchanged(text, date, expected)]
    if exchanged and not any(is_right):
        shown = text[exchanged[0].start : exchanged[0].end]
        return FieldVerdict(
            holds=False,
            found=verdict.found,
            why=f"{expected} is not in the answer; “{shown}” is read with the month first",
        )
    return verdict


def _is_exchanged(text: str, date: Date, expected: str) -> bool:
    """Whether a date with slashes would be the expected one if its day came first."""
    year, month, day = map(int, expected.split("-"))
    return "/" in text[date.start : date.end] and (date.year, date.day, date.month) == (
        year,
        month,
        day,
    )


def date_range_verdict(
    text: str, expected: DateRangeFields, *, exact: bool = True, context: Sequence[str] = ()
) -> FieldVerdict:
    """Whether ``text`` gives both ends, written as a range or as the only two dates of the text.

    >>> from assay.data.legal import DateSpan
    >>> span = DateSpan(start="2031-05-01", end="2031-09-30")
    >>> date_range_verdict("from 1 May to 30 September 2031", span).holds
    True
    """
    text = with_plain_e(said_text(text))
    shown = f"{expected.start} to {expected.end}"
    ranges = date_ranges(text)
    is_right = [
        _is_day(date_range.first, expected.start, exact=exact, context=context)
        and _is_day(date_range.last, expected.end, exact=exact, context=context)
        for date_range in ranges
    ]
    if any(is_right):
        spans = [Span(start=date_range.start, end=date_range.end) for date_range in ranges]
        return asserted_candidates(text, spans, is_right, shown)
    single_dates = answer_dates(text)
    found = tuple(text[date.start : date.end] for date in single_dates)
    ends = [expected.start, expected.end]
    if len(single_dates) == 2 and not ranges:
        first, last = single_dates
        if first.year is None and last.year is not None and first.month is not None:
            first = Date(
                year=last.year, month=first.month, day=first.day, start=first.start, end=first.end
            )
        pair = zip((first, last), ends, strict=True)
        if all(_is_day(date, end, exact=exact, context=context) for date, end in pair):
            return FieldVerdict(holds=True, found=found, why=f"both ends of {shown} are there")
    return FieldVerdict(holds=False, found=found, why=f"{shown} is not in the answer")


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
