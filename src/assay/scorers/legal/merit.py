"""Whether a value is what speaks for or against something that was not taken.

"Lower noise was the selling point of the newer engine" does not tell why the older one was chosen,
"slate seemed too heavy" names the roof that was not taken, and "bidding opened at 40,000" is no price.
"""

from typing import Final

from assay.scorers.legal.root import content_words
from assay.text import HAN, Span, numbers
from assay.text.lexicon import alternatives, lazy_pattern

_MERIT_AFTER: Final = lazy_pattern(lambda: alternatives("merit.after"))
_MERIT_BEFORE: Final = lazy_pattern(lambda: rf"(?:{alternatives('merit.before')})\Z")
_LOST: Final = lazy_pattern(lambda: alternatives("merit.lost"))
_HAN: Final = lazy_pattern(lambda: f"[{HAN}]")
_CHOICE_ASKED: Final = lazy_pattern(lambda: alternatives("merit.choice_asked"))
_TOO_AFTER: Final = lazy_pattern(lambda: alternatives("merit.too_after"))
_PRICE_ASKED: Final = lazy_pattern(lambda: alternatives("merit.price_asked"))
_START: Final = lazy_pattern(lambda: alternatives("merit.start"))
_CLAUSE_END: Final = lazy_pattern(lambda: r"[.;。；!！?？]|\Z")
_NEAR: Final = 60
"""How many characters before the value are looked at."""


def is_of_rejected(clause: Span, text: str, span: Span, question: str) -> bool:
    """Whether the value belongs to what was not taken, or only to the beginning of a sale.

    >>> text = "Bidding opened at 40, and the hammer fell at 72."
    >>> is_of_rejected(Span(start=0, end=20), text, Span(start=18, end=20), "What was it sold for?")
    True
    """
    return (
        _is_merit_of_other(text, span, question)
        or _is_too_much(text, span, question)
        or _is_first_price(clause, text, span, question)
    )


def _is_merit_of_other(text: str, span: Span, question: str) -> bool:
    """Whether the value is called an advantage of something else than the one asked about."""
    before = text[max(0, span.start - _NEAR) : span.start]
    merit = _MERIT_AFTER.match(text, span.end) or _MERIT_BEFORE.search(before)
    if merit is None:
        return False
    thing = next(filter(None, merit.groups()))
    if _HAN.search(thing):
        return _LOST.search(thing) is not None and _LOST.search(question) is None
    asked, told = content_words(question), content_words(thing)
    if not told - asked:
        return False
    end = _CLAUSE_END.search(text, span.end)
    is_lost = _LOST.search(text, span.start, end.start() if end else len(text)) is not None
    return is_lost or bool(told & asked)


def _is_too_much(text: str, span: Span, question: str) -> bool:
    """Whether a choice is asked for, and the value is called too heavy, too dear or the like."""
    return _CHOICE_ASKED.search(question) is not None and bool(_TOO_AFTER.match(text, span.end))


def _is_first_price(clause: Span, text: str, span: Span, question: str) -> bool:
    """Whether a price is asked for, and the clause tells where the bidding began."""
    if not _START.search(text, clause.start, clause.end) or _START.search(question):
        return False
    if not _PRICE_ASKED.search(question) or not numbers(span.of(text)):
        return False
    return bool(numbers(text[: clause.start]) or numbers(text[clause.end :]))
