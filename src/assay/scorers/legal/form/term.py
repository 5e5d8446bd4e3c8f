"""A period that is counted from an event: within 14 days of delivery, two weeks after the goods are delivered."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from assay.scorers.legal.form.bound import bound
from assay.scorers.legal.form.measure import is_measure, same_measures
from assay.scorers.legal.root import content_words
from assay.text import Span, words
from assay.text.lexicon import alternatives, lazy_pattern

_PERIODS: Final = frozenset({"time", "months"})
_ROOT: Final = 5
"""So many letters a noun and the verb of the same event have in common: delivery, delivered."""
_HAN_LOOK: Final = 24
_AFTER: Final = lazy_pattern(
    lambda: (
        rf"\W{{0,2}}(?:(?P<after>{alternatives('form.term_after')})|(?P<before>{alternatives('form.term_before')}))"
        rf"(?P<event>[^,.;:!?()]{{3,60}})"
    )
)
_HAN_BEFORE: Final = lazy_pattern(
    lambda: (
        r"(?P<event>[\u4e00-\u9fff]{2,14}?)"
        rf"(?:(?P<after>{alternatives('form.han_term_after', 'zh')})|(?P<before>{alternatives('form.han_term_before', 'zh')}))\Z"
    )
)
_DAY_OF: Final = lazy_pattern(lambda: alternatives("form.term_day"))


class Term(NamedTuple):
    """Whether a period is before or after its event, the words of this, and where all that stands."""

    is_before: bool
    event: frozenset[str]
    span: Span


def term_spans(wording: str, text: str) -> tuple[list[Span], bool] | None:
    """Where ``text`` has the period and the event of ``wording``, and whether it has another event.

    ``None`` if ``wording`` is no period with an event.

    >>> text = "No later than 14 days after the goods are delivered."
    >>> [span.of(text) for span in term_spans("within two weeks of delivery", text)[0]]
    ['14 days after the goods are delivered']
    """
    value = is_measure(wording)
    known = _term(wording, value.span) if value and value.kind in _PERIODS else None
    if value is None or known is None:
        return None
    side = bound(wording, value.span)
    terms = list(_terms(text, list(same_measures(value, text))))
    right = [
        term.span
        for span, term in terms
        if term.is_before == known.is_before
        and _is_same_event(known.event, term.event)
        and (side is None or bound(text, span) in {side, None})
    ]
    return right, bool(terms)


def _terms(text: str, spans: list[Span]) -> Iterator[tuple[Span, Term]]:
    for span in spans:
        if (term := _term(text, span)) is not None:
            yield span, term


def _term(text: str, span: Span) -> Term | None:
    if (match := _AFTER.match(text, span.end)) is not None:
        whole = Span(start=span.start, end=match.end("event"))
        event = content_words(_DAY_OF.sub(" ", match["event"]))
    else:
        start = max(0, span.start - _HAN_LOOK)
        match = _HAN_BEFORE.search(text[start : span.start])
        if match is None:
            return None
        whole = Span(start=start + match.start(), end=span.end)
        event = frozenset(words(_DAY_OF.sub(" ", match["event"])))
    return Term(match["before"] is not None, event, whole) if event else None


def _is_same_event(known: frozenset[str], told: frozenset[str]) -> bool:
    return all(any(word[:_ROOT] == other[:_ROOT] for other in told) for word in known)
