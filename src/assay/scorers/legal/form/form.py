"""Where an answer gives the value of an expected text in another form."""

from typing import Final, NamedTuple

from assay.scorers.legal.form.bound import bound, without_bound
from assay.scorers.legal.form.clock import Clock, clock_times
from assay.scorers.legal.form.compound import compounds
from assay.scorers.legal.form.frequency import frequencies
from assay.scorers.legal.form.measure import (
    bare_numbers,
    has_other_unit,
    is_measure,
    same_measures,
)
from assay.scorers.legal.form.month import last_days
from assay.scorers.legal.form.ordinal import ordinals
from assay.scorers.legal.form.season import seasons
from assay.scorers.legal.form.synonym import abbreviations, same_currency, short_years, synonyms
from assay.scorers.legal.form.term import term_spans
from assay.text import Span
from assay.text.lexicon import alternatives, lazy_pattern

_SMALL: Final = lazy_pattern(lambda: alternatives("form.small_words"))
_YEAR_END: Final = lazy_pattern(lambda: rf"\b(?:{alternatives('form.year')})(?!\w)")
_LETTERS: Final = 2
"""So many letters that are no part of a value make a text more than a value."""


class Forms(NamedTuple):
    """The spans with the same value; ``complete`` if no other wording can be right."""

    spans: tuple[Span, ...]
    complete: bool


def other_forms(wording: str, text: str, question: str | None) -> Forms:
    """Where ``text`` has the value of ``wording``, which must be nothing but a value.

    >>> text = "18:00 sharp"
    >>> [span.of(text) for span in other_forms("6 pm", text, None).spans]
    ['18:00']
    """
    if years := (*short_years(wording, text), *last_days(wording, text)):
        return Forms(years, complete=False)
    for read in (_season, _clock, _frequency, _term, _measure, _ordinal):
        forms = read(wording, text, question)
        if forms is not None:
            return forms
    spans = (
        *same_currency(wording, text),
        *synonyms(wording, text),
        *(s for s in abbreviations(wording, text) if s.of(text) not in (question or "")),
    )
    return Forms(spans, complete=False)


def _season(wording: str, text: str, question: str | None) -> Forms | None:
    known = list(seasons(wording))
    if len(known) != 1 or _has_more(_YEAR_END.sub(" ", wording), known[0][1], question):
        return None
    found = list(seasons(text))
    spans = tuple(span for season, span in found if season == known[0][0])
    return Forms(spans, complete=bool(found))


def _clock(wording: str, text: str, question: str | None) -> Forms | None:
    known = list(clock_times(wording))
    if len(known) != 1 or _has_more(wording, known[0][1], question):
        return None
    found = list(clock_times(text))
    spans = tuple(span for time, span in found if _is_same_time(time, known[0][0]))
    return Forms(spans, complete=bool(found))


def _is_same_time(first: Clock, second: Clock) -> bool:
    if first.is_known and second.is_known:
        return first.minutes == second.minutes
    return first.minutes % 720 == second.minutes % 720


def _frequency(wording: str, text: str, question: str | None) -> Forms | None:
    known = list(frequencies(wording))
    if len(known) != 1 or _has_more(wording, known[0][1], question):
        return None
    found = list(frequencies(text))
    spans = tuple(span for often, span in found if often == known[0][0])
    return Forms(spans, complete=bool(found))


def _term(wording: str, text: str, _question: str | None) -> Forms | None:
    found = term_spans(wording, text)
    if found is None:
        return None
    spans, is_other = found
    return Forms(tuple(spans), complete=is_other) if is_other else None


def _measure(wording: str, text: str, question: str | None) -> Forms | None:
    value = is_measure(wording)
    if value is None:
        return None
    side = bound(wording, value.span)
    if _has_more(without_bound(wording, value.span), value.span, question):
        return None
    found = (
        tuple(same_measures(value, text))
        or tuple(bare_numbers(value, text))
        or tuple(compounds(value, text, question))
    )
    spans = tuple(span for span in found if not side or bound(text, span) in {side, None})
    is_other = bool(found) or has_other_unit(value, text)
    return Forms(spans, complete=is_other and not spans)


def _ordinal(wording: str, text: str, question: str | None) -> Forms | None:
    known = list(ordinals(wording))
    if len(known) != 1 or question is None or _has_more(wording, known[0][1], question):
        return None
    spans = tuple(span for number, span in ordinals(text) if number == known[0][0])
    return Forms(spans, complete=False)


def _has_more(wording: str, span: Span, question: str | None) -> bool:
    """Whether ``wording`` says more than what stands at ``span`` and the words of the question."""
    rest = f"{wording[: span.start]} {wording[span.end :]}"
    asked = (question or "").lower()
    words = _SMALL.sub(" ", rest).lower().split()
    letters = [word for word in (w.strip(".,;:!?()") for w in words) if not _is_asked(word, asked)]
    return sum(map(len, letters)) >= _LETTERS


def _is_asked(word: str, asked: str) -> bool:
    return bool(word) and word[: max(3, len(word) - 2)] in asked
