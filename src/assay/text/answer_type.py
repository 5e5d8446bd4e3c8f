"""Kinds of answers: which a question expects, and which a sentence contains."""

import re
from collections.abc import Iterator
from functools import lru_cache, partial
from typing import Final, Literal, TypeAlias

from assay.text.article import articles
from assay.text.character import CYRILLIC, LATIN
from assay.text.date import read_dates as dates
from assay.text.lexicon import alternatives, lazy_pattern
from assay.text.normalise import Ranges
from assay.text.number import numbers

AnswerType: TypeAlias = Literal["number", "amount", "duration", "date", "person", "place", "yes_no"]

_KINDS: Final[tuple[AnswerType, ...]] = (
    "amount", "duration", "date", "person", "place", "yes_no", "number",
)  # fmt: skip
_CAPITALISED: Final = rf"(?<=[{CYRILLIC}{LATIN},;] )[A-ZА-ЯЁ][{CYRILLIC}{LATIN}]+"
_NAMED: Final = frozenset({"person", "place"})


def _sign(kind: AnswerType) -> re.Pattern[str]:
    name = f"{_CAPITALISED}|" if kind in _NAMED else ""
    return lazy_pattern(lambda: name + alternatives(f"answer_type.sign.{kind}"), re.NOFLAG)


_ASKING: Final = {
    kind: lazy_pattern(partial(alternatives, f"answer_type.asking.{kind}")) for kind in _KINDS
}
_SIGNED: Final[tuple[AnswerType, ...]] = ("person", "place", "yes_no")
_SIGNS: Final = {kind: _sign(kind) for kind in _SIGNED}
_TIME_AFTER: Final = lazy_pattern(
    lambda: (
        rf"[\s-]*(?:个|(?:{alternatives('answer_type.time_adjective')})\s+)?"
        rf"(?:{alternatives('answer_type.time_unit')})"
    )
)
_TIME_WORD: Final = lazy_pattern(lambda: alternatives("answer_type.time_word"))
_DATE_WORD: Final = lazy_pattern(lambda: alternatives("answer_type.date_word"))
_MONEY_WORD: Final = lazy_pattern(lambda: alternatives("answer_type.money_word"))


def expected_types(question: str) -> tuple[AnswerType, ...]:
    """The kinds of answer that the question words ask for; empty if they do not say.

    >>> expected_types("How much is it, and when is it due?")
    ('amount', 'date')
    """
    kinds = tuple(kind for kind, pattern in _ASKING.items() if pattern.search(question))
    # "多少钱" asks for an amount, so "number", which also matches, adds no information.
    return tuple(kind for kind in kinds if kind != "number") or kinds


@lru_cache(maxsize=8192)
def types_present(piece: str) -> frozenset[AnswerType]:
    """The kinds of answer that a sentence contains.

    >>> sorted(types_present("The deposit of 480 crowns is returned in 30 days."))
    ['amount', 'duration', 'number']
    """
    return frozenset(_kinds(piece))


def _kinds(piece: str) -> Iterator[AnswerType]:
    marks = Ranges((mark.start, mark.end) for mark in articles(piece))
    # the number of an article is not an answer
    figures = [number for number in numbers(piece) if number.start not in marks]
    if figures:
        yield "number"
    if _MONEY_WORD.search(piece) or any(n.unit is not None for n in figures):
        yield "amount"
    if _TIME_WORD.search(piece) or any(_TIME_AFTER.match(piece, n.end) for n in figures):
        yield "duration"
    if _DATE_WORD.search(piece) or dates(piece):
        yield "date"
    for kind, pattern in _SIGNS.items():
        if pattern.search(piece):
            yield kind
