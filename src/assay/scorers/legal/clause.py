"""Whether a value that an answer names is asserted about what was asked, clause by clause.

A sentence may contain the right words and answer something else: "Pell signed for the buyer, and
Orme for the seller"; "it does not cover theft"; "the cargo went from Riga to Malmö". The clauses
are cut at punctuation and at conjunctions. The rules only compare them with the question; they do
not understand them.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from assay.scorers.legal.aside import is_aside
from assay.scorers.legal.belonging import is_of_relative, names_other
from assay.scorers.legal.contrast import is_contrasted
from assay.scorers.legal.converse import gave_away, is_giver
from assay.scorers.legal.counted import counts_something_else
from assay.scorers.legal.pronoun import is_taken_up
from assay.scorers.legal.refusal import is_refused_later
from assay.scorers.legal.rival import (
    has_han_predicate_elsewhere,
    has_predicate_elsewhere,
    has_rival,
    is_afterthought,
    is_cause,
    is_closest,
    is_han_role_elsewhere,
    is_only_considered,
    joined,
    overlap,
)
from assay.scorers.legal.role import is_swapped
from assay.scorers.legal.root import content_words
from assay.scorers.legal.slot import is_in_other_slot
from assay.scorers.legal.standing import lacks_standing
from assay.scorers.legal.topic import has_topic_elsewhere
from assay.scorers.legal.turn import is_of_other_side
from assay.text import HAN, Span, normalised, numbers
from assay.text.lexicon import alternatives, lazy_pattern, word_list

_FEW: Final = 3
"""Parts of a sentence are compared only if there are so few of them …"""
_ROOT: Final = 6
"""So many letters at the beginning are common to words of one root."""
_SHORT: Final = 16
"""… and if the answer has so few content words."""

_HAN: Final = re.compile(f"[{HAN}]")
_PREPOSITION: Final = lazy_pattern(lambda: rf"(?:{alternatives('clause.preposition')}) ")


def _dot() -> str:
    """A dot that ends a sentence: not that of an initial or of an abbreviation."""
    known = "".join(rf"(?<!\b{word}\.)" for word in word_list("clause.abbreviations"))
    return rf"\.(?!(?<=\bno\.)\s\d)(?=\s+(?-i:[^a-zа-яё\s])|\s*\Z)(?<!\b(?-i:[A-ZА-ЯЁ])\.){known}"


_MAIN_END: Final = lazy_pattern(lambda: rf"[;；。！？!?\n]+|{_dot()}")
_CUT: Final = lazy_pattern(
    lambda: (
        rf"[;；。！？!?，、\n()（）]+|(?<!\d)[：:]|[：:](?!\d)|(?<!\d),|,(?!\d)|{_dot()}|{alternatives('clause.cut')}"
    )
)
_NEGATION: Final = lazy_pattern(lambda: alternatives("clause.negation"))
_LIFTED: Final = lazy_pattern(lambda: alternatives("clause.negation_lifted"))
_DENIED_VERB: Final = lazy_pattern(lambda: alternatives("clause.denied_verb"))
"""After the value: it did not do something."""
_FORBIDDEN_ASKED: Final = lazy_pattern(lambda: alternatives("clause.forbidden_asked"))
_FORBIDDEN: Final = lazy_pattern(lambda: alternatives("clause.forbidden"))
_TURNED_DOWN: Final = lazy_pattern(lambda: alternatives("clause.turned_down"))
_ORIGIN: Final = lazy_pattern(lambda: alternatives("clause.origin_before"))
_DESTINATION: Final = lazy_pattern(lambda: alternatives("clause.destination_after"))
_DESTINATION_BEFORE: Final = lazy_pattern(lambda: alternatives("clause.destination_before"))
_FROM_ASKED: Final = lazy_pattern(lambda: alternatives("clause.from_asked"))
_ORIGIN_ASKED: Final = lazy_pattern(lambda: alternatives("clause.origin_question"))
_OWNER_AFTER: Final = re.compile(r" (?:(?:of|from) (?:the )?)?[^\W\d_]+")
_RECEIVER: Final = re.compile(r" to the [^\W\d_]+")
_MINIMUM_ASKED: Final = lazy_pattern(lambda: alternatives("clause.minimum_asked"))
_MAXIMUM_ASKED: Final = lazy_pattern(lambda: alternatives("clause.maximum_asked"))
_BELOW: Final = lazy_pattern(lambda: alternatives("clause.below_before"))
_ABOVE: Final = lazy_pattern(lambda: alternatives("clause.above_before"))
_BELOW_AFTER: Final = lazy_pattern(lambda: alternatives("clause.below_after"))
_ABOVE_AFTER: Final = lazy_pattern(lambda: alternatives("clause.above_after"))
_BOUNDS: Final = (
    (_MINIMUM_ASKED, _BELOW, _BELOW_AFTER),
    (_MAXIMUM_ASKED, _ABOVE, _ABOVE_AFTER),
)
_AGAINST_ASKED: Final = lazy_pattern(lambda: alternatives("clause.against_asked"))
_BESIDE: Final = lazy_pattern(lambda: alternatives("clause.beside_before"))


def is_about(
    text: str,
    span: Span,
    question: str,
    others: Sequence[Span] = (),
    *,
    wording: str | None = None,
) -> bool:
    """Whether what stands at ``span`` is said about what ``question`` asks.

    It is not if another clause shares more words with the question, at least two more:
    "Pell was the lawyer of the plaintiff; Orme was the driver" does not name Orme as the lawyer.
    One more is enough if one of ``others``, the other names of the answer, is in that clause.
    ``wording`` is the expected text, if it is known.

    >>> text = "Pell was the lawyer of the plaintiff; Orme was the driver."
    >>> is_about(text, Span(start=38, end=42), "Who was the lawyer of the plaintiff?")
    False
    >>> text = "Signed in Leeds and performed in Bristol."
    >>> is_about(text, Span(start=33, end=40), "Where was it signed?", [Span(start=10, end=15)])
    False
    """
    asked = content_words(question)
    if is_giver(text, span, question):
        return True
    if not is_closest(list(_stretches(text, _MAIN_END)), text, span, asked, ()):
        return False
    clauses = clauses_of(text)
    if _is_of_other(clauses, text, span, question, wording):
        return False
    is_wordy = len(content_words(text)) > _SHORT
    parts = joined(clauses, text)
    if not is_wordy and len(parts) <= _FEW and is_only_considered(parts, text, span, question):
        return False
    if is_cause(clauses, text, span, question) or is_taken_up(clauses, text, span, question):
        return True
    contrasts = (is_contrasted, has_topic_elsewhere)
    if any(check(clauses, text, span, question) for check in contrasts):
        return False
    if len(clauses) > _FEW or is_wordy:
        return True  # a long sentence returns to its subject in many ways
    if is_aside(clauses, text, span, question):
        return False
    clauses = parts
    if _is_elsewhere(clauses, text, span, question):
        return False
    return is_closest(clauses, text, span, asked, others) and not has_rival(
        clauses, text, span, asked
    )


def _is_of_other(
    clauses: Sequence[Span], text: str, span: Span, question: str, wording: str | None
) -> bool:
    """Whether the words around the value say that it is another one than the one asked for."""
    here = next((clause for clause in clauses if overlap(clause, span)), span)
    return (
        is_beside(text, span, question)
        or names_other(text, span, question, wording)
        or is_swapped(text, span, question)
        or gave_away(text, span, question)
        or _is_wrong_bound(text, span, question)
        or _is_opposite(clauses, text, span, question)
        or lacks_standing(clauses, text, span, question, wording)
        or is_of_other_side(here, text, span, question)
        or is_in_other_slot(clauses, text, span, question, wording)
    )


def _is_elsewhere(clauses: Sequence[Span], text: str, span: Span, question: str) -> bool:
    """Whether another clause of a short answer answers the question, and this one something else."""
    checks = [
        counts_something_else,
        is_of_relative,
        has_predicate_elsewhere,
        is_afterthought,
        is_only_considered,
    ]
    if _HAN.search(question):
        checks += [has_han_predicate_elsewhere, is_han_role_elsewhere]
    return any(check(clauses, text, span, question) for check in checks)


def is_denied_inside(text: str, span: Span, wording: str) -> bool:
    """Whether a denial stands between the words of ``wording``: 取暖器没有故障."""
    return _NEGATION.search(text, span.start, span.end) is not None and not _NEGATION.search(
        wording
    )


def _is_wrong_bound(text: str, span: Span, question: str) -> bool:
    """Whether the least is asked for and the value is a limit from above, or the other way round."""
    before = text[max(0, span.start - 20) : span.start]
    after = text[span.end : span.end + 6]
    return any(
        asked.search(question) and (wrong.search(before) or wrong_after.match(after))
        for asked, wrong, wrong_after in _BOUNDS
    )


@cache
def _opposites() -> tuple[tuple[str, str], ...]:
    pairs = (pair.partition("/") for pair in word_list("clause.opposites"))
    roots = (
        (next(iter(content_words(a)), a), next(iter(content_words(b)), b)) for a, _, b in pairs
    )
    return tuple(pair for one, other in roots for pair in ((one, other), (other, one)))


def _is_han_opposite(clause: str, own: str, question: str) -> bool:
    """The same in Chinese; ``own`` is the clause without the value."""
    pairs = (pair.partition("/")[::2] for pair in word_list("clause.opposites", "zh"))
    return any(
        one in question and one not in clause and other not in question and _has_party(other, own)
        for pair in pairs
        for one, other in (pair, pair[::-1])
    )


def _has_party(name: str, clause: str) -> bool:
    """Whether a clause is about somebody, and not only done to him or by a relative of his."""
    before, after = (alternatives(f"clause.{key}", "zh") for key in ("object_before", "kin_after"))
    return re.search(rf"(?<!{before}){name}(?!{after})", clause) is not None


def _is_opposite(clauses: Sequence[Span], text: str, span: Span, question: str) -> bool:
    """Whether the clause is about the opposite of what is asked: the minimum, not the maximum."""
    asked = content_words(question)
    here = next((clause for clause in clauses if overlap(clause, span)), None)
    told = _told_beside(text, here, span) if here else frozenset()
    if here is not None and _HAN.search(question):
        own = text[here.start : span.start] + "，" + text[span.end : here.end]
        return _is_han_opposite(here.of(text), own, question)
    return any(
        one in asked and other in told and other not in asked and not _has_root(one, told)
        for one, other in _opposites()
    )


def _has_root(word: str, told: frozenset[str]) -> bool:
    """Whether a word is told, or one of its root: "guarantees" tells of the guarantor."""
    if word in told or len(word) <= _ROOT:
        return word in told
    return any(other.startswith(word[:_ROOT]) for other in told)


def _told_beside(text: str, here: Span, span: Span) -> frozenset[str]:
    """The words of the clause, without one that belongs to the value: the consent *of the landlord*."""
    beside = f"{text[here.start : span.start]} {text[span.end : here.end]}"
    told = content_words(_RECEIVER.sub(" ", beside))
    owner = _OWNER_AFTER.match(text, span.end)
    if owner is None or numbers(span.of(text)) or not span.of(text)[:1].islower():
        return told
    return told - content_words(owner.group())


def is_beside(text: str, span: Span, question: str) -> bool:
    """Whether the name at ``span`` only says where something comes from, or for whom it is done.

    >>> is_beside("From Riga to Malmö.", Span(start=5, end=9), "To which port was it sent?")
    True
    """
    before, after = text[max(0, span.start - 30) : span.start], text[span.end : span.end + 30]
    if _ORIGIN.search(before) and _DESTINATION.search(after):
        return not _ORIGIN_ASKED.search(question)
    if _DESTINATION_BEFORE.search(before) and _FROM_ASKED.search(question):
        return True
    if _AGAINST_ASKED.search(question):
        return False
    # «После переговоров в Тильзите»: the preposition may be a part of the expected text.
    beside = _BESIDE.search(before + (_PREPOSITION.match(span.of(text)) or [""])[0])
    return beside is not None and normalised(beside.group().strip(" 为是")) not in normalised(
        question
    )


def is_forbidden(text: str, question: str | None) -> bool:
    """Whether the question asks what is forbidden, and ``text`` forbids something.

    Then the denial is the answer: "Guests may not smoke".
    """
    if question is None or _FORBIDDEN_ASKED.search(question) is None:
        return False
    return _FORBIDDEN.search(text) is not None


def is_negated(text: str, span: Span, wording: str, question: str | None) -> bool:
    """Whether the clause denies what stands at ``span``, and neither ``wording`` nor the question.

    >>> is_negated("It does not cover theft.", Span(start=18, end=23), "theft", None)
    True
    >>> is_negated("Not without consent.", Span(start=12, end=19), "consent", None)
    False
    """
    if _NEGATION.search(wording) or (question and _NEGATION.search(question)):
        return False
    for clause in clauses_of(text):
        if clause.start <= span.start < clause.end:
            before = text[clause.start : span.start]
            if _TURNED_DOWN.search(text, clause.start, clause.end) and not (
                _TURNED_DOWN.search(wording) or (question and _TURNED_DOWN.search(question))
            ):
                return True
            if _NEGATION.search(before) is not None:
                return _LIFTED.search(before) is None
            if _DENIED_VERB.match(text, span.end) or is_refused_later(text, clause, span, question):
                return True
            return _is_denied_subject(text, clause, span)
    return False


def _is_denied_subject(text: str, clause: Span, span: Span) -> bool:
    """Whether a short clause begins with the value and denies what it says about it.

    "The landlord does not pay for repairs": he is named only to be left out.
    """
    if len(content_words(text)) > _SHORT or content_words(text[clause.start : span.start]):
        return False
    after = text[span.end : clause.end]
    return _NEGATION.search(after) is not None and _LIFTED.search(after) is None


def clauses_of(text: str) -> list[Span]:
    """The clauses of a text, cut at punctuation and at conjunctions."""
    return list(_stretches(text, _CUT))


def _stretches(text: str, cut: re.Pattern[str]) -> Iterator[Span]:
    """The stretches of ``text`` between the cuts that contain a letter or a digit."""
    start = 0
    for match in [*cut.finditer(text), None]:
        end = match.start() if match else len(text)
        if any(map(str.isalnum, text[start:end])):
            yield Span(start=start, end=end)
        start = match.end() if match else end
