"""Whether a later clause of an answer begins with what the question is about, and the value stands before it.

"The inner wall is 4 metres tall and the outer one 7" tells of the outer wall only after the 4 metres: the
second clause begins with a word of the question that the first one lacks, and says something new.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from assay.scorers.legal.rival import joined, overlap, predicate_of
from assay.scorers.legal.root import content_words
from assay.text import HAN, Span, numbers
from assay.text.lexicon import alternatives, lazy_pattern

_HAN: Final = re.compile(f"[{HAN}]")
_MOST_CLAUSES: Final = 4
_LONGEST: Final = 16
_LONGEST_HAN: Final = 40
"""An answer with more clauses, content words or characters may return to its subject."""
_SHORT: Final = 10
"""In a sentence of more content words the reason may go on about the value."""
_FEW_WORDS: Final = 11
_PAIR: Final = 2
_STOP: Final = re.compile("[,;.，；。]")
_MAIN_STOP: Final = re.compile("[;.；。]")
_LED: Final = lazy_pattern(lambda: alternatives("topic.led"))
"""At the beginning of a clause that belongs to the one before it, or goes on about the same."""
_WORD: Final = re.compile(r"[^\W\d_]+(?P<owner>['’]s)?")
_RESTATED: Final = lazy_pattern(lambda: alternatives("clause.restated"))
_CORRECTION: Final = lazy_pattern(lambda: rf"(?:{alternatives('clause.correction_before')})\Z")
_RELATIVE: Final = lazy_pattern(lambda: alternatives("clause.relative"))
_ANAPHOR: Final = lazy_pattern(lambda: alternatives("clause.anaphor"))
_CONDITION: Final = lazy_pattern(lambda: alternatives("clause.condition"))
_ADDED: Final = lazy_pattern(lambda: alternatives("topic.added"))
"""At the beginning of a clause that is no statement of its own, or that goes on about the value."""
_SUBJECT: Final = lazy_pattern(lambda: alternatives("topic.subject", "en"))
_AND: Final = lazy_pattern(lambda: alternatives("clause.and"))
_HOW: Final = lazy_pattern(lambda: alternatives("topic.how"))
"""A question word with the quality of which it asks the degree: how often."""
_REASON: Final = lazy_pattern(lambda: alternatives("topic.reason"))
_REASON_ASKED: Final = lazy_pattern(lambda: alternatives("aside.side_asked"))
_PICKED: Final = lazy_pattern(lambda: alternatives("topic.picked", "zh"))
"""At the beginning of a clause that tells what it was that somebody did: 他养的是."""
_YEAR: Final = re.compile(r"(?<!\d)\d{3,4}(?=年)")


def has_topic_elsewhere(clauses: Sequence[Span], text: str, span: Span, question: str) -> bool:
    """Whether a later clause begins with a word of the question that the one of the value lacks.

    >>> text = "The inner wall is 4 m tall and the outer one 7."
    >>> clauses = [Span(start=0, end=26), Span(start=31, end=46)]
    >>> has_topic_elsewhere(clauses, text, Span(start=18, end=21), "How tall is the outer wall?")
    True
    """
    is_han = _HAN.search(question) is not None
    if len(content_words(text)) > _LONGEST or (is_han and len(text) > _LONGEST_HAN):
        return False
    clauses = joined(clauses, text)
    here = [clause for clause in clauses if overlap(clause, span)]
    if len(here) != 1 or len(clauses) > _MOST_CLAUSES or _RESTATED.match(here[0].of(text)):
        return False
    if _RELATIVE.match(text, span.end) or _CORRECTION.search(text[: span.start]):
        return False
    later = [clause.of(text) for clause in clauses if here[0] < clause]
    own = here[0].of(text)
    if _follows_other_answer(clauses, here[0], text, span, question):
        return True
    if is_han:
        return any(_is_picked(other, own, span.of(text), question) for other in later)
    if _is_in_reason(here[0], text, span, question):
        return True
    if _AND.search(question):
        return False  # a clause may begin with the second of two things
    asked = content_words(_HOW.sub(" ", question)) - content_words(span.of(text))
    told = content_words(own)
    if not told - asked - content_words(span.of(text)):
        return False
    is_subject = not content_words(text[here[0].start : span.start]) - asked
    return any(
        _begins_with(other, asked - told, asked | told) and not (is_subject and _goes_on(other))
        for other in later
    )


def _goes_on(clause: str) -> bool:
    """Whether a clause begins with a verb, whose subject stands in the clause before: "and opened by"."""
    return clause.isascii() and _SUBJECT.match(clause) is None


def _begins_with(clause: str, missing: frozenset[str], known: frozenset[str]) -> bool:
    """Whether the first content word of a clause is a missing one, and the clause says something new."""
    if _ADDED.match(clause) or _ANAPHOR.search(clause) or _CONDITION.search(clause):
        return False
    first = next(_first_words(clause), None)
    if first is None or first["owner"] or not content_words(first.group()) & missing:
        return False
    return bool(content_words(clause) - known) or bool(numbers(clause))


def _follows_other_answer(
    clauses: Sequence[Span], here: Span, text: str, span: Span, question: str
) -> bool:
    """Whether the clause before is about what is asked, and the one of the value about something else.

    "The club was fined for being late. The flares were the guests' fault": nothing in the second
    sentence is asked about, and it does not go on about the club.
    """
    asked = content_words(question) - content_words(span.of(text))
    own = content_words(here.of(text))
    before = max((clause for clause in clauses if clause < here), default=None)
    if before is None or asked & own or _LED.match(here.of(text)):
        return False
    if len(content_words(text)) > _FEW_WORDS or len(own - content_words(span.of(text))) < _PAIR:
        return False
    told = content_words(before.of(text))
    stop = _MAIN_STOP if _REASON_ASKED.search(question) else _STOP
    is_cut = stop.search(text, before.end - 1, here.start + 1) is not None
    is_other = not _CONDITION.search(before.of(text)) and not _LED.match(before.of(text))
    return is_cut and is_other and bool(asked & told) and bool(told - asked - own)


def _first_words(clause: str) -> Iterator[re.Match[str]]:
    return (word for word in _WORD.finditer(clause) if content_words(word.group()))


def _is_in_reason(here: Span, text: str, span: Span, question: str) -> bool:
    """Whether the reason after the value tells what is asked: "led along A because B was closed"."""
    predicate = predicate_of(question) if len(content_words(text)) <= _SHORT else None
    reason = _REASON.search(text, span.end, here.end)
    if predicate is None or reason is None or _REASON_ASKED.search(question):
        return False
    asked = content_words(question)
    told, given = (
        content_words(text[here.start : reason.start()]),
        content_words(text[reason.end() : here.end]),
    )
    if predicate in told or not told - asked - content_words(span.of(text)):
        return False
    return predicate in given and bool(given - asked - told)


def _is_picked(clause: str, own: str, value: str, question: str) -> bool:
    """The same in Chinese: 他养的是一只乌龟, or another year with the verb of the question."""
    picked = _PICKED.match(clause)
    if picked and picked["verb"] in question and picked["verb"] not in own:
        return True
    years, others = set(_YEAR.findall(value)), set(_YEAR.findall(clause))
    if not years or not others - years:
        return False
    verbs = [question[i : i + _PAIR] for i in range(len(question) - 1)]
    return any(
        verb in clause and verb not in own and _HAN.match(verb[0]) and content_words(verb)
        for verb in verbs
        if "年" not in verb
    )
