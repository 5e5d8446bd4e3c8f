"""Whether the value of an answer only tells who somebody else is, or whom somebody else has beaten.

"The baker's son", "the deputy mayor", "Tern, who beat Cobalt" and "at Rook's request" have the right
words, and each of them names another one.
"""

from collections.abc import Sequence
from typing import Final

from assay.scorers.legal.counted import matches
from assay.scorers.legal.rival import overlap
from assay.text import Span
from assay.text.lexicon import alternatives, lazy_pattern

_SOMEBODY_ASKED: Final = lazy_pattern(lambda: alternatives("clause.somebody_asked"))
_POSSESSIVE_AFTER: Final = lazy_pattern(lambda: alternatives("clause.possessive_after"))
_POSSESSIVE_BEFORE: Final = lazy_pattern(lambda: alternatives("clause.possessive_before"))
_RANK_BEFORE: Final = lazy_pattern(lambda: rf"(?:{alternatives('clause.rank_before')})\Z")
_RANK_AFTER: Final = lazy_pattern(lambda: alternatives("clause.rank_after"))
_WIN_ASKED: Final = lazy_pattern(lambda: alternatives("clause.win_asked"))
_LOSER_ASKED: Final = lazy_pattern(lambda: alternatives("clause.loser_asked"))
_BEATEN_BEFORE: Final = lazy_pattern(lambda: rf"(?:{alternatives('clause.beaten_before')})\Z")
_BEATEN_BY_VERB: Final = lazy_pattern(
    lambda: rf"(?:{alternatives('clause.beaten_by_verb', 'ru')})\Z"
)
_REQUEST_BEFORE: Final = lazy_pattern(lambda: rf"(?:{alternatives('clause.request_before')})\Z")
_REQUEST_AFTER: Final = lazy_pattern(lambda: alternatives("clause.request_after"))
_OFFSET_BEFORE: Final = lazy_pattern(lambda: rf"(?:{alternatives('clause.offset_before')})\Z")
_OFFSET_AFTER: Final = lazy_pattern(lambda: alternatives("clause.offset_after"))
"""Around a value from which something is a step away: two stops past, днём позже, 的后一天."""
_NEAR: Final = 40
"""How many characters before the value are looked at."""


def names_other(text: str, span: Span, question: str, wording: str | None = None) -> bool:
    """Whether what stands at ``span`` belongs to the name of somebody else.

    >>> names_other("The deputy mayor signed.", Span(start=11, end=16), "Who signed?")
    True
    >>> names_other("The mayor signed.", Span(start=4, end=9), "Who signed?")
    False
    """
    before = text[max(0, span.start - _NEAR) : span.start]
    if _REQUEST_BEFORE.search(before) and _REQUEST_AFTER.match(text, span.end):
        return True
    if _OFFSET_BEFORE.search(before) or _OFFSET_AFTER.match(text, span.end):
        return True
    # «его сын Эдгар» is Edgar, «сын Эдгара» is not: the form tells which of them is meant.
    is_unchanged = wording is not None and not wording.isascii() and wording == span.of(text)
    if _has_other_rank(text, before, span, question) and not (
        is_unchanged and span.of(text)[:1].isupper()
    ):
        return True
    if _is_beaten(before, question, is_unchanged=_is_same(wording, span.of(text))):
        return True
    if _SOMEBODY_ASKED.search(question) is None:
        return False
    if _POSSESSIVE_AFTER.match(text, span.end):
        return True
    return not is_unchanged and _POSSESSIVE_BEFORE.search(before) is not None


def _is_same(wording: str | None, found: str) -> bool:
    """Whether a name stands in the form of the expected text, apart from quotation marks."""
    return wording is not None and wording.strip('«»"“”') == found


def _is_beaten(before: str, question: str, *, is_unchanged: bool) -> bool:
    """Whether the winner is asked for, and the value is whom the winner has beaten."""
    if _WIN_ASKED.search(question) is None or _LOSER_ASKED.search(question):
        return False
    if _BEATEN_BEFORE.search(before):
        return True
    return not is_unchanged and _BEATEN_BY_VERB.search(before) is not None


def _has_other_rank(text: str, before: str, span: Span, question: str) -> bool:
    """Whether a word beside the value makes another rank of it, which is not asked for.

    "His assistant Orme" is Orme, unlike the deputy mayor and the assistant to Orme.
    """
    rank = _RANK_BEFORE.search(before) or _RANK_AFTER.match(text, span.end)
    if rank is None or rank.group().strip(" -").lower() in question.lower():
        return False
    is_name = text[span.start].isupper() and text.isascii() and rank.group()[0].islower()
    return not is_name or rank.group().count(" ") > 1


def is_of_relative(clauses: Sequence[Span], text: str, span: Span, question: str) -> bool:
    """Whether the clause is about somebody who belongs to the one that is asked about.

    "Ravi's sister plays the cello; Ravi himself plays the oboe": another clause is about him.
    """
    here = [clause for clause in clauses if overlap(clause, span)]
    if len(here) != 1:
        return False
    for owner in matches("clause.owner", here[0].of(text)):
        name = owner["owner"] if owner["owner"] in question else owner["owner"][-2:]
        others = [clause.of(text) for clause in clauses if clause not in here]
        if len(name) > 1 and name in question and owner["noun"][:3] not in question:
            return any(name in other for other in others)
    return False
