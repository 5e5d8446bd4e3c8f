"""Whether a value is said of the other side: before instead of after, got instead of given, a difference.

"Before the review the rent was 900" does not tell the rent after it, "Ann was given a comb" does not
tell what she gave, and "12 more than the basic plan" is not a price.
"""

import re
from typing import Final

from assay.scorers.legal.form import is_interval
from assay.scorers.legal.merit import is_of_rejected
from assay.scorers.legal.rate import has_other_period
from assay.scorers.legal.root import content_words
from assay.text import Span, numbers
from assay.text.lexicon import alternatives, lazy_pattern

_BEFORE: Final = lazy_pattern(lambda: alternatives("contrast.before"))
_AFTER: Final = lazy_pattern(lambda: alternatives("contrast.after"))
"""Before and after a turn: after the review."""
_RUSSIAN_BEFORE: Final = lazy_pattern(
    lambda: rf"(?:{alternatives('contrast.difference_before', 'ru')})\Z"
)
_RUSSIAN_AFTER: Final = lazy_pattern(lambda: alternatives("contrast.difference_after", "ru"))
_HAN_DIFFERENCE: Final = lazy_pattern(
    lambda: rf"(?:{alternatives('contrast.difference_before', 'zh')})\Z"
)
_DIFFERENCE_AFTER: Final = lazy_pattern(lambda: alternatives("contrast.difference_after", "en"))
_DIFFERENCE_ASKED: Final = lazy_pattern(lambda: alternatives("contrast.difference_asked"))
_GIFT_ASKED: Final = lazy_pattern(lambda: alternatives("contrast.gift_asked"))
_GOT_BEFORE: Final = lazy_pattern(lambda: rf"(?:{alternatives('contrast.got_before')})\Z")
_NEAR: Final = 40
"""How many characters before the value are looked at."""


def is_of_other_side(clause: Span, text: str, span: Span, question: str) -> bool:
    """Whether the clause with the value is about the other side of what is asked.

    >>> text = "Before the review it was 900."
    >>> clause = Span(start=0, end=28)
    >>> is_of_other_side(clause, text, Span(start=25, end=28), "What is it after the review?")
    True
    """
    own = f"{text[clause.start : span.start]} , {text[span.end : clause.end]}"
    return (
        _is_of_other_time(own, question)
        or _is_difference(text, span, question)
        or _was_received(text, span, question)
        or has_other_period(text, span, question)
        or is_interval(text, span, question)
        or is_of_rejected(clause, text, span, question)
    )


def _is_of_other_time(own: str, question: str) -> bool:
    """Whether the clause tells what was before something, and the question asks for what was after it."""
    return any(
        _turns(asked, question) & _turns(told, own) - _turns(asked, own) - _turns(told, question)
        for asked, told in ((_BEFORE, _AFTER), (_AFTER, _BEFORE))
    )


def _turns(pattern: re.Pattern[str], text: str) -> frozenset[str]:
    nouns = (next(filter(None, match.groups())) for match in pattern.finditer(text))
    return frozenset(root for noun in nouns for root in content_words(noun))


def _is_difference(text: str, span: Span, question: str) -> bool:
    """Whether a number only tells by how much two things differ, and that is not asked."""
    if not numbers(span.of(text)) or _DIFFERENCE_ASKED.search(question):
        return False
    before = text[max(0, span.start - _NEAR) : span.start]
    if _HAN_DIFFERENCE.search(before):
        return True
    if _RUSSIAN_BEFORE.search(before) and _RUSSIAN_AFTER.match(text, span.end):
        return True
    return _DIFFERENCE_AFTER.match(text, span.end) is not None


def _was_received(text: str, span: Span, question: str) -> bool:
    """Whether it is asked what somebody gave, and the value is what he got."""
    if _GIFT_ASKED.search(question) is None or _GOT_BEFORE.search(question):
        return False
    return _GOT_BEFORE.search(text[max(0, span.start - _NEAR) : span.start]) is not None
