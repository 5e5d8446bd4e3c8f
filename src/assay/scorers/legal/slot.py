"""Whether a value stands in another place of its clause than the one that is asked for.

"Opposite the Town Archive" tells where something lies, "a captain who was born in a lighthouse" tells of
a captain, and "two months before the harvest" is a point of time, not a duration.
"""

import re
from collections.abc import Sequence
from typing import Final

from assay.scorers.legal.rival import overlap
from assay.scorers.legal.root import content_words
from assay.text import HAN, Span, numbers
from assay.text.lexicon import alternatives, lazy_pattern

_HAN: Final = re.compile(f"[{HAN}]")
_LANDMARK_BEFORE: Final = lazy_pattern(lambda: rf"(?:{alternatives('slot.landmark_before')})\Z")
_LANDMARK_AFTER: Final = lazy_pattern(lambda: alternatives("slot.landmark_after"))
_LANDMARK_ASKED: Final = lazy_pattern(lambda: alternatives("slot.landmark_asked"))
_WHERE_ASKED: Final = lazy_pattern(lambda: alternatives("form.where_asked"))
_TARGET_ASKED: Final = lazy_pattern(lambda: alternatives("clause.doer_asked", "ru"))
_TARGET_BEFORE: Final = lazy_pattern(lambda: rf"(?:{alternatives('slot.target_before', 'ru')})\Z")
_LONG_ASKED: Final = lazy_pattern(lambda: alternatives("slot.duration_asked"))
_POINT_BEFORE: Final = lazy_pattern(lambda: rf"(?:{alternatives('slot.point_before')})\Z")
_LASTED: Final = lazy_pattern(lambda: rf"(?:{alternatives('slot.lasted_before')})\Z")
"""Before a duration: for, lasted."""
_POINT_AFTER: Final = lazy_pattern(lambda: alternatives("slot.point_after"))
_WHO: Final = lazy_pattern(lambda: alternatives("slot.relative"))
_SUBSET: Final = lazy_pattern(lambda: alternatives("clause.subset"))
_ALLOWED: Final = lazy_pattern(lambda: alternatives("slot.allowed_after"))
_ALLOWED_BEFORE: Final = lazy_pattern(lambda: rf"(?:{alternatives('slot.allowed_before')})\Z")
_GIVEN_UP_ASKED: Final = lazy_pattern(lambda: alternatives("slot.given_up_asked"))
_NEAR: Final = 40
"""How many characters before the value are looked at."""
_LONGEST: Final = 14
"""A sentence of more content words may return to its subject."""


def is_in_other_slot(
    clauses: Sequence[Span], text: str, span: Span, question: str, wording: str | None
) -> bool:
    """Whether the words around the value give it another place than the one asked for.

    >>> text = "It lies opposite the Town Archive."
    >>> span = Span(start=21, end=33)
    >>> is_in_other_slot([Span(start=0, end=33)], text, span, "Which archive has it?", None)
    True
    """
    before = text[max(0, span.start - _NEAR) : span.start]
    return (
        _is_landmark(text, span, before, question, wording)
        or _is_target(span.of(text), before, question, wording)
        or _is_point_of_time(text, span, before, question)
        or _is_allowed(text, span, before, question)
        or _is_of_subset(clauses, text, span, question)
        or _is_in_relative_clause(clauses, text, span, question)
    )


def _is_landmark(text: str, span: Span, before: str, question: str, wording: str | None) -> bool:
    """Whether something only lies beside the value: opposite the archive, музей напротив вокзала."""
    if _WHERE_ASKED.search(question) or _LANDMARK_ASKED.search(question):
        return False
    if _LANDMARK_ASKED.search(wording or "") or numbers(span.of(text)):
        return False
    return bool(_LANDMARK_BEFORE.search(before) or _LANDMARK_AFTER.match(text, span.end))


def _is_target(value: str, before: str, question: str, wording: str | None) -> bool:
    """Whether a doer is asked for in Russian, and something was done about or against the value."""
    if wording is None or value == wording or not _TARGET_ASKED.search(question):
        return False
    return value[:1].isupper() and _TARGET_BEFORE.search(before) is not None


def _is_point_of_time(text: str, span: Span, before: str, question: str) -> bool:
    """Whether a duration is asked for, and the value only tells how far two events lie apart."""
    if not _LONG_ASKED.search(question) or not numbers(span.of(text)):
        return False
    point = None if _LASTED.search(before) else _POINT_AFTER.match(text, span.end)
    return point is not None and (
        span.of(text).isascii()
        or _HAN.search(question) is not None
        or _POINT_BEFORE.search(before) is not None
    )


def _is_allowed(text: str, span: Span, before: str, question: str) -> bool:
    """Whether it is asked what somebody gives up, and the value is allowed."""
    if not _GIVEN_UP_ASKED.search(question):
        return False
    return bool(_ALLOWED.match(text, span.end) or _ALLOWED_BEFORE.search(before))


def _is_of_subset(clauses: Sequence[Span], text: str, span: Span, question: str) -> bool:
    """Whether a number is called a part of the one before it, which is asked for."""
    here = next((clause for clause in clauses if overlap(clause, span)), None)
    if here is None or not numbers(span.of(text)):
        return False
    subset = _SUBSET.match(here.of(text))
    if subset is None or subset.group().strip(" ,") in question:
        return False
    whole = [clause.of(text) for clause in clauses if clause < here]
    units = [number.unit_span.of(text) for number in numbers(text) if number.unit_span]
    asked = content_words(question) - content_words(" ".join(units))
    own = content_words(here.of(text)) - content_words(span.of(text))
    return not asked & own and any(
        asked & content_words(clause) and numbers(clause) for clause in whole
    )


def _is_in_relative_clause(clauses: Sequence[Span], text: str, span: Span, question: str) -> bool:
    """Whether the value is in a relative clause about something that answers the question itself.

    The main clause must have a word of the question and end with something new, and the relative
    clause no word of the question: "It is named after a captain who was born in a lighthouse".
    """
    if len(content_words(text)) > _LONGEST:
        return False
    found = list(_WHO.finditer(text, 0, span.start))
    here = next((clause for clause in clauses if overlap(clause, span)), None)
    if not found or here is None or found[-1].start() < here.start - len(found[-1].group()):
        return False
    who = found[-1]
    main = max((c for c in clauses if c.start < who.start()), key=lambda c: c.start, default=None)
    if main is None:
        return False
    head = text[main.start : who.start()]
    asked, value = content_words(question), content_words(span.of(text))
    own = content_words(text[who.end() : here.end]) - value
    last = head.split()[-1:] or [""]
    is_new = bool(content_words(last[0])) and not content_words(last[0]) & asked
    return bool(asked & content_words(head)) and is_new and bool(own) and not own & asked
