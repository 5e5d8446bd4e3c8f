"""Whether a value in an answer is the one that holds, and not what was or belongs to something else.

"It used to be 30 days; it is now 14 days" and "The penalty is 5%; the interest rate is 7%" have two
values, and each question is answered by one of them. The rules of ``clause`` are asked only if there
is another value of the same kind: an answer may give its only value in any words.
"""

import re
from typing import Final

from assay.scorers.legal.clause import clauses_of, is_about
from assay.scorers.legal.rival import overlap
from assay.scorers.legal.root import content_words
from assay.scorers.legal.standing import is_current, is_outdated
from assay.scorers.value import answer_dates
from assay.text import HAN, Number, Span, numbers

_HAN: Final = re.compile(f"[{HAN}]")
_WORD: Final = re.compile(rf"[\s-]?(?P<word>[{HAN}]|[^\W\d_]+)")
_RANGE_AFTER: Final = re.compile(r"\s?[-–—]\s?\d")
_RANGE_BEFORE: Final = re.compile(r"\d\s?[-–—]\s?\Z")
_STEM: Final = 3
"""So many letters are common to the forms of a word that is counted: day, days."""


def is_meant(text: str, span: Span, question: str, wording: str) -> bool:
    """Whether the value at ``span`` answers the question; ``wording`` is the expected text.

    >>> text = "The penalty is 5%; the interest rate is 7%."
    >>> is_meant(text, Span(start=15, end=17), "What is the interest rate?", "5%")
    False
    >>> is_meant(text, Span(start=40, end=42), "What is the interest rate?", "7%")
    True
    """
    if not question or _is_end_of_range(text, span):
        return True
    clauses = clauses_of(text)
    if is_outdated(clauses, text, span, question):
        return False
    if not _has_other_value(text, span) or is_current(clauses, text, span):
        return True
    return is_about(text, span, question, wording=wording)


def _is_end_of_range(text: str, span: Span) -> bool:
    """Whether a dash joins the value and another one: (1930–2001)."""
    return _RANGE_AFTER.match(text, span.end) is not None or (
        _RANGE_BEFORE.search(text[: span.start]) is not None
    )


def _has_other_value(text: str, span: Span) -> bool:
    """Whether the text has another date, or another number of the same things."""
    days = [(Span(start=date.start, end=date.end), date.iso) for date in answer_dates(text)]
    if any(overlap(day, span) for day, _ in days):
        return len({iso for _, iso in days}) > 1
    values = [
        number
        for number in numbers(text)
        if not any(overlap(day, _place(number)) for day, _ in days)
    ]
    own = next((number for number in values if overlap(_place(number), span)), None)
    return own is not None and any(
        number.canonical != own.canonical and _may_be_alike(text, own, number) for number in values
    )


def _place(number: Number) -> Span:
    return Span(start=number.start, end=number.end)


def _may_be_alike(text: str, own: Number, other: Number) -> bool:
    """Whether two numbers have the same unit; one that is followed by no noun may have any."""
    if own.unit is not None or other.unit is not None:
        return own.unit == other.unit
    noun = _noun_after(text, own)
    return not noun or noun == _noun_after(text, other)


def _noun_after(text: str, number: Number) -> str:
    """The first letters of the word after a number; empty if there is none, or only "of"."""
    word = _WORD.match(text, number.end)
    if word is None or not (content_words(word["word"]) or _HAN.match(word["word"])):
        return ""
    return word["word"][:_STEM].lower()
