"""Whether a text states an expected answer, and whether a question gives its answer away."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, product
from typing import Final

from assay.checks.abstention import expected_polarity
from assay.checks.answer import said_span
from assay.checks.doubt import is_denied
from assay.text.date import Date
from assay.text.date import read_dates as dates
from assay.text.lexicon import word_set
from assay.text.number import numbers
from assay.text.search_term import content_units, tokens
from assay.words.message import Message, message

RECALL: Final = 0.5
"""A longer answer in other words must have this share of its words in the evidence."""
_FIRST_CLAUSE: Final = re.compile(r"([^,.;:!，。；：！]*)([\s,.;:!，。；：！]*)(.*)\Z", re.DOTALL)
_EITHER: Final = "还是"
_VALUE: Final = re.compile(r"\d")
_PLAIN: Final = re.compile(r"-?\d{1,15}(?:\.\d{1,6})?")
_RUN: Final = re.compile(r"\d{1,3}(?:\s\d{3})+(?:[.,]\d+)?|\d+[.,\d]*\d")
_NO_DIGIT: Final = re.compile(r"\D")
_FEW: Final = 6
"""An answer with a value and not more words than this is its value; units are often elsewhere."""
_LONGEST: Final = 80
_FEW_FIGURES: Final = 12
_BEFORE: Final = 500
"""So many characters before an answer can deny it."""


def is_stated(answer: str, text: str) -> bool:
    """Whether ``text`` states ``answer`` in any notation, and does not deny it.

    >>> is_stated("42000", "共计四万二千元。"), is_stated("235", "in 1235"), is_stated("可以", "不可以")
    (True, False, False)
    """
    span = said_span(answer, text)
    if span is None:
        return False
    # a negation is near: the words of a whole document need not be looked at
    before = text[max(0, span.start - _BEFORE) : span.start]
    return not is_denied(before, tokens(before), len(before))


def without_yes_no(answer: str) -> str:
    """An answer without the yes or no at its beginning, which no text states.

    >>> without_yes_no("Yes, 35 crowns."), without_yes_no("否"), without_yes_no("Norway")
    ('35 crowns.', '', 'Norway')
    """
    clause = _FIRST_CLAUSE.match(answer)
    is_polar = clause is not None and expected_polarity(clause[1]) is not None
    return clause[3].strip() if clause is not None and is_polar else answer


def unstated(answers: Sequence[str], evidence: str, question: str) -> Message | str:
    """Why the evidence does not contain any of the accepted answers; empty if it does.

    A longer answer may have other words than the evidence: at least half of them must be there,
    and one of its numbers and dates, or one that follows from the question's.
    """
    reason: Message | str = ""
    for answer in answers:
        rest = without_yes_no(answer)
        if not rest.strip() or is_stated(rest, evidence):
            return ""
        reason = _difference(rest, evidence, question)
        if not reason:
            return ""
    return reason


def _difference(answer: str, evidence: str, question: str) -> Message | str:
    shown = f"{answer[:_LONGEST]!r}"
    known = _tokens(evidence) | _tokens(question)
    values = _values(answer)
    terms = _terms(answer)
    if lost := _lost_date(answer, f"{evidence}\n{question}"):
        return message(
            "the gold passage does not have the date {lost} of the expected answer {shown}",
            lost=repr(lost),
            shown=shown,
        )
    if values:
        is_known = any(value in known for value in values) or bool(_runs(answer) & _runs(evidence))
        if not is_known and not _is_computed(values, evidence, question):
            return message(
                "the gold passage does not have {a} of the expected answer {shown}",
                a=values[0],
                shown=shown,
            )
        if len(terms) <= _FEW:
            return ""
    elif not terms:
        return message("the gold passage does not say the expected answer {shown}", shown=shown)
    stated = _unit_set(evidence)
    share = sum(term in stated for term in terms) / len(terms)
    if share >= (RECALL / 2 if values else RECALL):
        return ""
    return message(
        "the gold passage has {share} of the words of the expected answer {shown}",
        share=f"{share:.0%}",
        shown=shown,
    )


def _lost_date(answer: str, text: str) -> str:
    """The first date of an answer if none of its dates is in the text; empty otherwise.

    A part that one of the two dates leaves out, mostly the year, makes no difference.
    """
    wanted = dates(answer)
    known = _dates(text) if wanted else ()
    for date in wanted:
        for other in known:
            parts = ((date.year, other.year), (date.month, other.month), (date.day, other.day))
            if all(a is None or b is None or a == b for a, b in parts):
                return ""
    return answer[wanted[0].start : wanted[0].end] if wanted else ""


@lru_cache(maxsize=512)
def _dates(text: str) -> tuple[Date, ...]:
    return tuple(dates(text))


def _runs(text: str) -> set[str]:
    """The figures of a text as their digits alone: a table may have the unit somewhere else."""
    return {_NO_DIGIT.sub("", run) for run in _RUN.findall(text)}


def _is_computed(values: Sequence[str], evidence: str, question: str) -> bool:
    """Whether a value follows from a number of the question and one of the evidence.

    It may also take three numbers, or two of the evidence, if the evidence has only a few: in a
    table of many numbers some of them would give any value.
    """
    wanted = {float(value) for value in values if _PLAIN.fullmatch(value)}
    given = _figures(question)
    stated = _figures(evidence)
    if len(stated) <= _FEW_FIGURES and not wanted.isdisjoint(_longer_results(stated, given)):
        return True
    return any(
        result in wanted
        for a in stated | given
        for b in given
        for result in (
            a + b,
            a - b,
            b - a,
            a * b,
            a * b / 100,
            a / b if b else a,
            b / a if a else b,
        )
    )


def _longer_results(stated: frozenset[float], given: frozenset[float]) -> Iterator[float]:
    """Amount times price; a half; a price for two numbers of the question; a rate above a limit."""
    yield from (a / 2 for a in stated)
    for a, b in combinations(stated, 2):
        yield round(a * b, 6)
    for a in stated:
        for b, c in combinations(given, 2):
            yield round(a * b * c, 6)
        for b, limit in product(given, stated - {a}):
            yield round(a * (b - limit), 6)


def _figures(text: str) -> frozenset[float]:
    return frozenset(float(token) for token in _tokens(text) if _PLAIN.fullmatch(token))


def _values(text: str) -> list[str]:
    """The numbers and dates of a text as they are compared."""
    found = dates(text)
    inside = [(date.start, date.end) for date in found]
    return [date.iso for date in found] + [
        number.canonical
        for number in numbers(text)
        if not any(start <= number.start < end for start, end in inside)
    ]


@lru_cache(maxsize=512)
def _tokens(text: str) -> frozenset[str]:
    return frozenset(_values(text)) | frozenset(number.canonical for number in numbers(text))


@lru_cache(maxsize=512)
def _unit_set(text: str) -> frozenset[str]:
    return frozenset(content_units(text))


def _terms(text: str) -> list[str]:
    """The words of an answer that carry its meaning."""
    return [unit for unit in content_units(text) if not _VALUE.search(unit)]


def given_away(answers: Sequence[str], question: str) -> str:
    """The accepted answer that the question itself states; empty if it states none.

    A question that offers several answers ("red or blue?") does not give one away.
    """
    if any(token.word in word_set("either") for token in tokens(question)) or _EITHER in question:
        return ""
    for answer in answers:
        rest = without_yes_no(answer).strip()
        if len(rest) > 1 and rest == answer.strip() and is_stated(rest, question):
            return rest
    return ""
