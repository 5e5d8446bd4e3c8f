"""Whether a number counts something else than what is asked: "two brothers and one sister"."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from assay.scorers.legal.rival import overlap
from assay.scorers.legal.root import content_words
from assay.text import Span, numbers
from assay.text.lexicon import alternatives, expressions, lazy_pattern

_THING: Final = re.compile(r" [a-zа-яё]{3,}")
_ALONE: Final = re.compile(r"\s*(?:[,;.]|\Z)")
"""After a number that counts something else, and after one that stands alone."""
_COUNTED: Final = re.compile(r"(?:of (?:the |all )?)?(?P<noun>[^\W\d_]+)")
_SUBSET: Final = lazy_pattern(lambda: alternatives("clause.subset"))
_ONE: Final = lazy_pattern(lambda: alternatives("clause.one"))
_ONE_OF: Final = lazy_pattern(lambda: alternatives("clause.one_of"))


def counts_something_else(clauses: Sequence[Span], text: str, span: Span, question: str) -> bool:
    """Whether another clause has a number of what is to be counted, and this one does not.

    "She has two brothers and one sister" does not say that there are two sisters.
    """
    match = next(matches("clause.counted", question.lower()), None)
    counted = next(iter(content_words(match["noun"])), None) if match else None
    here = [clause for clause in clauses if overlap(clause, span)]
    if counted is not None and _ONE_OF.search(text[max(0, span.start - 16) : span.start]):
        return True  # "one of three children"
    if counted is not None and _is_counted_elsewhere(text, span, counted):
        return True
    if counted is None or len(here) != 1 or counted in content_words(here[0].of(text)):
        return False
    if not content_words(here[0].of(text)) - content_words(span.of(text)):
        return False
    others = (clause.of(text) for clause in clauses if clause not in here)
    return any(
        counted in content_words(other) and _has_number(other) and not _SUBSET.search(other)
        for other in others
    )


def _is_counted_elsewhere(text: str, span: Span, counted: str) -> bool:
    """Whether another number stands directly before what is counted, and this one does not.

    "Five players were injured in the first three minutes" counts five players.
    """

    def counts(end: int) -> bool:
        word = _COUNTED.search(text, end)
        return word is not None and counted in content_words(word["noun"])

    if counts(span.end):
        return False
    others = [number for number in numbers(text) if number.start != span.start]
    if any(counts(number.end) for number in others):
        return True
    # "Six, and eight eyes": the number that is answered stands alone, this one counts eyes.
    first = next((number for number in others if not text[: number.start].strip()), None)
    is_first_alone = first is not None and _ALONE.match(text, first.end) is not None
    return is_first_alone and _THING.match(text, span.end) is not None


@cache
def _patterns(key: str) -> tuple[re.Pattern[str], ...]:
    """The expressions of a key one by one, because they have groups of the same names."""
    return tuple(map(re.compile, expressions(key)))


def matches(key: str, text: str) -> Iterator[re.Match[str]]:
    """Where ``text`` has one of the expressions of a key."""
    return (match for pattern in _patterns(key) for match in pattern.finditer(text))


def _has_number(text: str) -> bool:
    """Whether a text has a number, also a single "one"."""
    return bool(numbers(text)) or _ONE.search(text) is not None
