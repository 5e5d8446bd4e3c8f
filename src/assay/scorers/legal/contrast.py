"""Whether two clauses are set against each other, and the value is in the one that is not asked about.

"Orme taught physics, while Pell took chemistry" names Orme for physics: of the words of "Who taught
chemistry?" the other clause has one that this clause lacks, and this clause has another in its place.
"""

import re
from collections.abc import Collection, Sequence
from typing import Final

from assay.scorers.evidence import tokens
from assay.scorers.legal.rival import overlap, predicate_of
from assay.scorers.legal.root import content_words
from assay.text import HAN, Span, numbers
from assay.text.lexicon import alternatives, lazy_pattern

_HAN: Final = re.compile(f"[{HAN}]")
_MOST_CLAUSES: Final = 4
_LONGEST: Final = 13
_LONGEST_HAN: Final = 40
"""An answer with more clauses, content words or characters may return to its subject."""
_ROOT: Final = 5
"""So many letters of a verb are the beginning of a noun that is made of it."""
_SET_AGAINST: Final = lazy_pattern(lambda: alternatives("contrast.between"))
"""Between two clauses that are set against each other."""
_INSIDE: Final = lazy_pattern(lambda: alternatives("contrast.inside", "ru"))
"""Near the beginning of a clause that is set against the one before: «мачты же»."""
_HIMSELF: Final = lazy_pattern(lambda: alternatives("contrast.himself"))
"""Says that a clause returns to the one who is asked about: the patient herself."""
_HIMSELF_ASKED: Final = lazy_pattern(lambda: alternatives("contrast.himself_asked"))
_RESTATED: Final = lazy_pattern(lambda: alternatives("clause.restated"))
_CORRECTION: Final = lazy_pattern(lambda: rf"(?:{alternatives('clause.correction_before')})\Z")
_RELATIVE: Final = lazy_pattern(lambda: alternatives("clause.relative"))
_ANAPHOR: Final = lazy_pattern(lambda: alternatives("clause.anaphor"))
_CONDITION: Final = lazy_pattern(lambda: alternatives("clause.condition"))
_WORD: Final = re.compile(r"[^\W\d_]+")
_HYPHEN: Final = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])")


def is_contrasted(clauses: Sequence[Span], text: str, span: Span, question: str) -> bool:
    """Whether another clause, set against the one with the value, is about what is asked.

    >>> text = "Orme taught physics, while Pell took chemistry."
    >>> clauses = [Span(start=0, end=19), Span(start=27, end=46)]
    >>> is_contrasted(clauses, text, Span(start=0, end=4), "Who taught chemistry?")
    True
    """
    if len(content_words(text)) > _LONGEST or (_HAN.search(text) and len(text) > _LONGEST_HAN):
        return False
    here = [clause for clause in clauses if overlap(clause, span)]
    if len(here) != 1 or not 1 < len(clauses) <= _MOST_CLAUSES:
        return False
    if _RESTATED.match(here[0].of(text)) or _CORRECTION.search(text[: span.start]):
        return False
    if _RELATIVE.match(text, span.end):
        return False
    own = f"{text[here[0].start : span.start]} , {text[span.end : here[0].end]}"
    return any(
        (bool(_told(own)) and here[0] < other and _returns(here[0], other, text, question))
        or (
            _is_asked_about(here[0], other, text, own, question)
            and _is_rival(clauses, other, text, span, question)
        )
        for other in clauses
        if other not in here
        and not _ANAPHOR.search(other.of(text))
        and not _CONDITION.search(other.of(text))
    )


def _returns(here: Span, other: Span, text: str, question: str) -> bool:
    """Whether a clause stresses that it is about the one who is asked about.

    "Orme built the bridge, himself a man from Riga" has all words of the question before that.
    """
    if _HIMSELF.search(other.of(text)) is None or _HIMSELF_ASKED.search(question):
        return False
    asked = _told(question)
    return bool(asked - _told(here.of(text)) or asked & _told(other.of(text)))


def _is_asked_about(here: Span, other: Span, text: str, own: str, question: str) -> bool:
    """Whether ``other`` has a word of the question for which the clause of the value has another one."""
    asked, told, rival = _told(question), _told(here.of(text)), _told(other.of(text))
    missing = _missing(asked, rival, told)
    if not _told(own) - asked or not missing:
        return False
    verb = {predicate_of(question)}
    if asked & told - rival - verb and not (
        (here < other and _goes_on(other, text, missing, verb))
        or (other < here and verb <= rival & told and _SET_AGAINST.search(text, other.end - 1))
    ):
        return False
    rest = text[other.start :] if here < other else other.of(text)
    return bool(_told(rest) - asked - told) or bool(numbers(rest))


def _goes_on(other: Span, text: str, missing: frozenset[str], verb: Collection[str | None]) -> bool:
    """Whether a later clause may have left out what both are about: "He served in Riga, but died in Tartu".

    If it has only the verb of the question, it must begin with it.
    """
    first = next((told for word in _WORD.findall(other.of(text)) if (told := _told(word))), None)
    return bool(missing - set(verb)) or (first is not None and first <= missing)


def _missing(asked: frozenset[str], rival: frozenset[str], told: frozenset[str]) -> frozenset[str]:
    """The words of the question that a rival has, or has the root of, and the clause lacks."""
    return frozenset(
        word
        for word in asked - told
        if word in rival or (len(word) >= _ROOT and any(w.startswith(word) for w in rival))
    )


def _told(text: str) -> frozenset[str]:
    """The content words; a semi-final is no final."""
    return content_words(_HYPHEN.sub("", text))


def _is_rival(clauses: Sequence[Span], other: Span, text: str, span: Span, question: str) -> bool:
    """Whether the other clause is set against the one with the value, or has a value of its kind."""
    if _HAN.search(question):
        # A Chinese clause begins with what it is about.
        topic = other.of(text).lstrip()
        here = next(clause for clause in clauses if overlap(clause, span))
        asked = _told(question) - _told(here.of(text))
        return here < other and any(len(word) > 1 and topic.startswith(word) for word in asked)
    is_later = span.end <= other.start
    second = other if is_later else next(clause for clause in clauses if overlap(clause, span))
    first = max((clause for clause in clauses if clause < second), default=second)
    between = text[first.end : second.start]
    if _SET_AGAINST.search(between) or _INSIDE.match(second.of(text)):
        return True
    return _has_same_kind(span.of(text), other.of(text))


def _has_same_kind(value: str, rival: str) -> bool:
    """Whether the value is a number, and the other clause has another one with the same unit."""
    known, others = _measures(value), _measures(rival)
    return len(known) == 1 and any(
        unit == other and number != value for number, unit in known for value, other in others
    )


def _measures(text: str) -> set[tuple[str, str]]:
    """The numbers of a text that have a unit, each with it: years in months."""
    parts = (token.key.partition(" ") for token in tokens(text) if token.kind == "number")
    measures = {(number, unit) for number, _, unit in parts if unit}
    return measures | {(str(n.value), n.unit) for n in numbers(text) if n.unit}
