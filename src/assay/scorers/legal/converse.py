"""Whether an answer tells a deed from the other side: who sold it is from whom it was bought."""

from typing import Final

from assay.text import Span
from assay.text.lexicon import alternatives, lazy_pattern

_GIVER_ASKED: Final = lazy_pattern(lambda: alternatives("clause.giver_asked"))
_TAKEN_BEFORE: Final = lazy_pattern(lambda: rf"(?:{alternatives('clause.taken_before')})\Z")
_NEAR: Final = 80
"""How many characters before the value are looked at."""


_RECEIVER_ASKED: Final = lazy_pattern(lambda: alternatives("clause.receiver_asked"))
_GIVEN_AFTER: Final = lazy_pattern(lambda: alternatives("clause.given_after"))


def gave_away(text: str, span: Span, question: str) -> bool:
    """Whether it is asked who has something, and the one at ``span`` gave it to somebody else.

    >>> gave_away("Orme sold it to Ann.", Span(start=0, end=4), "Who bought the mill?")
    True
    """
    if _RECEIVER_ASKED.search(question) is None:
        return False
    return _GIVEN_AFTER.match(text, span.end) is not None


def is_giver(text: str, span: Span, question: str) -> bool:
    """Whether the giver is asked for, and something was taken from the one at ``span``.

    >>> is_giver("Ann bought it from Orme.", Span(start=19, end=23), "Who sold it to Ann?")
    True
    """
    if _GIVER_ASKED.search(question) is None:
        return False
    return _TAKEN_BEFORE.search(text[max(0, span.start - _NEAR) : span.start]) is not None
