"""Whether another clause of an answer is closer to the question than the one with the value."""

import re
from collections.abc import Sequence
from typing import Final

from assay.scorers.legal.root import content_words
from assay.text import HAN, Span, words
from assay.text.lexicon import alternatives, lazy_pattern

_PAIR: Final = 2
_TERSE: Final = 8
"""An answer of two clauses and so few content words has one that answers."""
_SHORT_HAN: Final = 40
"""A Chinese answer of more characters may return to its subject."""
_HAN: Final = re.compile(f"[{HAN}]")
_HAN_PREDICATE: Final = re.compile(f"谁([{HAN}]{{2}})")
_WORD: Final = re.compile(r"[^\W\d_]+")
_VERB: Final = lazy_pattern(lambda: alternatives("clause.predicate"))
_ANAPHOR: Final = lazy_pattern(lambda: alternatives("clause.anaphor"))
_SUBJECT_ASKED: Final = lazy_pattern(lambda: alternatives("clause.subject_asked"))
_AFTERTHOUGHT: Final = lazy_pattern(lambda: alternatives("clause.afterthought"))
_RESTATED: Final = lazy_pattern(lambda: alternatives("clause.restated"))
_CONDITION: Final = lazy_pattern(lambda: alternatives("clause.condition"))


def has_predicate_elsewhere(clauses: Sequence[Span], text: str, span: Span, question: str) -> bool:
    """Whether the clause has a verb of its own, and another clause has the one of the question.

    "The error was made by Orme and discovered by Pell" does not tell that Orme discovered it.
    """
    predicate = _predicate(question)
    here = [clause for clause in clauses if overlap(clause, span)]
    if predicate is None or len(here) != 1:
        return False
    told, asked = content_words(here[0].of(text)), content_words(question)
    if predicate in told or not told - content_words(span.of(text)) - asked:
        return False
    rivals = (content_words(clause.of(text)) for clause in clauses if clause not in here)
    return any(predicate in rival and rival - asked for rival in rivals)


def has_han_predicate_elsewhere(
    clauses: Sequence[Span], text: str, span: Span, question: str
) -> bool:
    """The same in Chinese, where the last word of the question is usually its verb: 在哪里签订."""
    asked = [word for word in words(question) if len(word) == _PAIR and content_words(word)]
    here = [clause for clause in clauses if overlap(clause, span)]
    if not asked or len(here) != 1 or len(text) > _SHORT_HAN:
        return False
    if _RESTATED.match(here[0].of(text)):
        return False
    if any(c in here[0].of(text) for c in asked[-1]):
        return False
    own = set(here[0].of(text)) - set(span.of(text)) - set(question)
    if len([c for c in own if _HAN.match(c)]) < _PAIR:
        return False
    if any(word in here[0].of(text) for word in asked):
        return False
    return any(
        (asked[-1][0] in other or any(word in other for word in asked))
        and not _ANAPHOR.search(other)
        and not _CONDITION.search(other)
        for other in (clause.of(text) for clause in clauses if clause not in here)
    )


def is_afterthought(clauses: Sequence[Span], text: str, span: Span, question: str) -> bool:
    """Whether another of two clauses may answer, and this one tells what came later or before.

    "Milan; it moved to Turin later" answers "Where was it founded?" with Milan.
    """
    if len(clauses) != _PAIR or _AFTERTHOUGHT.search(question):
        return False
    here, other = clauses if overlap(clauses[0], span) else reversed(clauses)
    if _AFTERTHOUGHT.search(text, here.start, here.end) is None:
        return False
    is_bare = not content_words(here.of(text)) & content_words(question)
    return is_bare and bool(content_words(other.of(text)))


def _predicate(question: str) -> str | None:
    """The word of a question that tells what is asked about the answer, if it is clear which."""
    if _HAN.search(question):
        match = _HAN_PREDICATE.search(question)
        return next(iter(content_words(match[1])), None) if match else None
    if verb := _VERB.search(question.lower()):
        word = next(filter(None, verb.groups()))
        return next(iter(content_words(word)), None)
    tokens = [word for word in _WORD.findall(question) if content_words(word)]
    if len(tokens) < _PAIR:
        return None
    chosen = tokens[0] if _SUBJECT_ASKED.search(question.lower()) else tokens[-1]
    return next(iter(content_words(chosen)), None)


def has_rival(clauses: Sequence[Span], text: str, span: Span, asked: frozenset[str]) -> bool:
    """Whether one of two clauses answers the question, and the one with ``span`` is beside it.

    "It stops at Inverness and terminates at Wick": only the second clause has a word of the
    question, "Where does the train terminate?", and it has something new.
    """
    if len(clauses) != _PAIR or len(content_words(text)) > _TERSE:
        return False
    here = [clause for clause in clauses if overlap(clause, span)]
    rivals = [
        content_words(clause.of(text))
        for clause in clauses
        if clause not in here
        and not _CONDITION.search(clause.of(text))
        and not _ANAPHOR.search(clause.of(text))
    ]
    about = content_words(here[0].of(text)) if len(here) == 1 else asked
    if here and _RESTATED.match(here[0].of(text)):
        return False
    if not about - content_words(span.of(text)):
        return False  # nothing but the value: "Orme, once"
    if asked & about:
        # "The tenant pays for repairs; the landlord pays the insurance."
        own = about - asked - content_words(span.of(text))
        return bool(own) and any(
            asked & about < asked & rival and rival - asked for rival in rivals
        )
    return any(asked & rival and rival - asked for rival in rivals)


def is_closest(
    clauses: Sequence[Span], text: str, span: Span, asked: frozenset[str], others: Sequence[Span]
) -> bool:
    """Whether no other clause is much closer to the question."""
    here = [clause for clause in clauses if overlap(clause, span)]
    shared_here = max((len(asked & content_words(c.of(text))) for c in here), default=0)
    for clause in clauses:
        if clause in here or _ANAPHOR.search(clause.of(text)):
            continue
        shared = len(asked & content_words(clause.of(text)))
        has_other = any(overlap(clause, other) for other in others)
        if shared >= shared_here + (1 if has_other else 2):
            return False
    return True


def overlap(first: Span, second: Span) -> bool:
    """Whether two spans have a character in common."""
    return first.start < second.end and second.start < first.end
