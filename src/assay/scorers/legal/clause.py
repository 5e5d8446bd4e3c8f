"""Whether a value that an answer names is asserted about what was asked, clause by clause.

A sentence may contain the right words and answer something else: "Pell signed for the buyer, and
Orme for the seller"; "it does not cover theft"; "the cargo went from Riga to Malmö". The clauses
are cut at punctuation and at conjunctions. The rules only compare them with the question; they do
not understand them.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from assay.scorers.abstention import content_words
from assay.text import Span, normalised
from assay.text.lexicon import alternatives, lazy_pattern

_FEW: Final = 3
"""Parts of a sentence are compared only if there are so few of them …"""
_SHORT: Final = 16
"""… and if the answer has so few content words."""

_MAIN_END: Final = re.compile(r"[;；。！？!?\n]+|\.(?=\s|\Z)(?<!\b\w\.)")
_CUT: Final = lazy_pattern(
    lambda: (
        r"[;；。！？!?，、：:\n]+|(?<!\d),|,(?!\d)|\.(?=\s|\Z)(?<!\b\w\.)"
        rf"|{alternatives('clause.cut')}"
    )
)
_NEGATION: Final = lazy_pattern(lambda: alternatives("clause.negation"))
_LIFTED: Final = lazy_pattern(lambda: alternatives("clause.negation_lifted"))
_ORIGIN: Final = lazy_pattern(lambda: alternatives("clause.origin_before"))
_DESTINATION: Final = lazy_pattern(lambda: alternatives("clause.destination_after"))
_ORIGIN_ASKED: Final = lazy_pattern(lambda: alternatives("clause.origin_question"))
_BESIDE: Final = lazy_pattern(lambda: alternatives("clause.beside_before"))


def is_about(text: str, span: Span, question: str, others: Sequence[Span] = ()) -> bool:
    """Whether what stands at ``span`` is said about what ``question`` asks.

    It is not if another clause shares more words with the question, at least two more:
    "Pell was the lawyer of the plaintiff; Orme was the driver" does not name Orme as the lawyer.
    One more is enough if one of ``others``, the other names of the answer, is in that clause.

    >>> text = "Pell was the lawyer of the plaintiff; Orme was the driver."
    >>> is_about(text, Span(start=38, end=42), "Who was the lawyer of the plaintiff?")
    False
    >>> text = "Signed in Leeds and performed in Bristol."
    >>> is_about(text, Span(start=33, end=40), "Where was it signed?", [Span(start=10, end=15)])
    False
    """
    asked = content_words(question)
    if not _is_closest(list(_stretches(text, _MAIN_END)), text, span, asked, ()):
        return False
    if is_beside(text, span, question):
        return False
    clauses = list(_stretches(text, _CUT))
    if len(clauses) > _FEW or len(content_words(text)) > _SHORT:
        return True  # a long sentence returns to its subject in many ways
    return _is_closest(clauses, text, span, asked, others)


def _is_closest(
    clauses: Sequence[Span], text: str, span: Span, asked: frozenset[str], others: Sequence[Span]
) -> bool:
    """Whether no other clause is much closer to the question."""
    here = [clause for clause in clauses if _overlap(clause, span)]
    shared_here = max((len(asked & content_words(c.of(text))) for c in here), default=0)
    for clause in clauses:
        if clause in here:
            continue
        shared = len(asked & content_words(clause.of(text)))
        has_other = any(_overlap(clause, other) for other in others)
        if shared >= shared_here + (1 if has_other else 2):
            return False
    return True


def is_beside(text: str, span: Span, question: str) -> bool:
    """Whether the name at ``span`` only says where something comes from, or for whom it is done.

    >>> is_beside("From Riga to Malmö.", Span(start=5, end=9), "To which port was it sent?")
    True
    """
    before, after = text[max(0, span.start - 30) : span.start], text[span.end : span.end + 30]
    if _ORIGIN.search(before) and _DESTINATION.search(after):
        return not _ORIGIN_ASKED.search(question)
    beside = _BESIDE.search(before)
    return beside is not None and normalised(beside.group().strip()) not in normalised(question)


def is_negated(text: str, span: Span, wording: str, question: str | None) -> bool:
    """Whether the clause denies what stands at ``span``, and neither ``wording`` nor the question.

    >>> is_negated("It does not cover theft.", Span(start=18, end=23), "theft", None)
    True
    >>> is_negated("Not without consent.", Span(start=12, end=19), "consent", None)
    False
    """
    if _NEGATION.search(wording) or (question and _NEGATION.search(question)):
        return False
    for clause in _stretches(text, _CUT):
        if clause.start <= span.start < clause.end:
            before = text[clause.start : span.start]
            return _NEGATION.search(before) is not None and _LIFTED.search(before) is None
    return False


def _overlap(first: Span, second: Span) -> bool:
    return first.start < second.end and second.start < first.end


def _stretches(text: str, cut: re.Pattern[str]) -> Iterator[Span]:
    """The stretches of ``text`` between the cuts that contain a letter or a digit."""
    start = 0
    for match in [*cut.finditer(text), None]:
        end = match.start() if match else len(text)
        if any(map(str.isalnum, text[start:end])):
            yield Span(start=start, end=end)
        start = match.end() if match else end
