"""Whether a value is named as what once was, only might be, or belongs to another year or day.

"JSON used to be the default; now it is plain text", "They gave up barley", "Norway came second" and
"in fiscal 2018 it was $48 million" have the right words, and each of them answers something else.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from assay.scorers.legal.aside import is_head
from assay.scorers.legal.form import ordinals
from assay.scorers.legal.rival import overlap
from assay.scorers.legal.root import content_words
from assay.text import HAN, Span, numbers, words
from assay.text.lexicon import alternatives, lazy_pattern

_THEN: Final = lazy_pattern(lambda: alternatives("standing.then"))
_NOW: Final = lazy_pattern(lambda: alternatives("standing.now"))
_NOW_ASKED: Final = lazy_pattern(lambda: alternatives("standing.now_asked"))
_FORMER: Final = lazy_pattern(lambda: alternatives("standing.former_noun"))
_STRONG_NOW: Final = lazy_pattern(lambda: alternatives("standing.strong_now"))
_PAST_ASKED: Final = lazy_pattern(lambda: alternatives("standing.past_asked"))
_ONLY_AFTER: Final = lazy_pattern(lambda: alternatives("standing.only_after"))
_LATER: Final = lazy_pattern(lambda: alternatives("standing.later"))
_FORGOTTEN_ASKED: Final = lazy_pattern(lambda: alternatives("standing.forgotten_asked"))
_MOMENT_ASKED: Final = lazy_pattern(lambda: alternatives("standing.moment_asked"))
_ONLY_LATER: Final = lazy_pattern(lambda: alternatives("standing.only_later"))
_CALLED: Final = lazy_pattern(lambda: alternatives("standing.called_after"))
_THEN_ASKED: Final = lazy_pattern(lambda: alternatives("standing.then_asked"))
_FORBIDDEN_ASKED: Final = lazy_pattern(lambda: alternatives("clause.forbidden_asked"))
_CONSIDERED: Final = lazy_pattern(lambda: alternatives("clause.considered"))
_GONE_BEFORE: Final = lazy_pattern(lambda: rf"(?:{alternatives('standing.gone_before')})\Z")
_AFFECTED: Final = lazy_pattern(lambda: rf"(?:{alternatives('standing.affected_before', 'en')})\Z")
_GONE_AFTER: Final = lazy_pattern(lambda: alternatives("standing.gone_after"))
_LESSER: Final = lazy_pattern(lambda: alternatives("standing.lesser_after"))
_BIGGER_NAME: Final = lazy_pattern(
    lambda: rf"(?:{alternatives('standing.bigger_name')})\Z", re.NOFLAG
)
_ORDINAL_ASIDE: Final = lazy_pattern(lambda: rf"(?:{alternatives('standing.ordinal_aside')})\Z")
_YEAR: Final = re.compile(r"(?<![\d.,])(?:1[5-9]|20)\d\d(?![\d.,]\d|\d)")
_LABEL: Final = lazy_pattern(lambda: alternatives("standing.label"), re.NOFLAG)
_WEEKDAY: Final = lazy_pattern(lambda: alternatives("standing.weekday"))
_HAN: Final = re.compile(f"[{HAN}]")
_WORD: Final = re.compile(r"[^\W\d_]+")
_ONES: Final = re.compile(
    r"\W*(?:and |but |while )?(?:the )?(?P<kind>[a-z-]+) ones?\b", re.IGNORECASE
)
_NEAR: Final = 48
"""How many characters before the value are looked at."""
_ROOT: Final = 5
"""A word with so many letters has the root of a longer one that begins with it."""
_MOST_CLAUSES: Final = 8
_LONGEST: Final = 16
"""An answer of more content words may return to its subject."""


def lacks_standing(
    clauses: Sequence[Span], text: str, span: Span, question: str, wording: str | None = None
) -> bool:
    """Whether the value is named as something that does not hold, or not for what is asked.

    >>> text = "They gave up barley long ago."
    >>> lacks_standing([Span(start=0, end=28)], text, Span(start=13, end=19), "What do they grow?")
    True
    """
    if _is_gone(text, span, question, wording) or _is_part_of_name(text, span, question):
        return True
    if len(clauses) > _MOST_CLAUSES or len(content_words(text)) > _LONGEST:
        return False
    here = next((clause for clause in clauses if overlap(clause, span)), None)
    if here is None:
        return False
    others = [clause for clause in clauses if not overlap(clause, span)]
    own = f"{text[here.start : span.start]} {text[span.end : here.end]}"
    return (
        _is_of_then(own, span.of(text), others, text, question)
        or _is_of_later(own, others, text, question)
        or _is_only_later(own, text[: here.start], question)
        or _is_something_else(text, span, others, question)
        or _is_before_now(own, here, others, text, question)
        or _is_only_part(text, span, here, question)
        or _is_of_former(own, question)
        or _is_of_other_place(own, question)
        or _is_of_other(own, others, text, question)
        or _is_lesser(here, others, text, span, question)
        or _is_of_other_kind(own, others, text, question)
    )


def is_outdated(clauses: Sequence[Span], text: str, span: Span, question: str) -> bool:
    """Whether the clause tells what was, and another one what is, and the question is about that.

    >>> text = "It used to be red; it is now blue."
    >>> is_outdated([Span(start=0, end=17), Span(start=18, end=33)], text, Span(start=14, end=17), "")
    True
    """
    if _THEN_ASKED.search(question) or len(clauses) > _MOST_CLAUSES:
        return False
    here = next((clause for clause in clauses if overlap(clause, span)), None)
    if here is None or len(content_words(text)) > _LONGEST:
        return False
    others = [clause for clause in clauses if not overlap(clause, span)]
    own = f"{text[here.start : span.start]} {text[span.end : here.end]}"
    then = _THEN.search(own)
    if then is None or then.group() in question or _NOW.search(own):
        return _is_before_now(own, here, others, text, question)
    return any(_NOW.search(text, other.start, other.end) for other in others)


def is_current(clauses: Sequence[Span], text: str, span: Span) -> bool:
    """Whether the clause tells what is, and another one what was or was only planned."""
    own = [clause for clause in clauses if overlap(clause, span)]
    others = [clause for clause in clauses if clause not in own]
    return any(_NOW.search(text, clause.start, clause.end) for clause in own) and any(
        pattern.search(text, other.start, other.end)
        for other in others
        for pattern in (_THEN, _CONSIDERED)
    )


def _is_gone(text: str, span: Span, question: str, wording: str | None) -> bool:
    """Whether the words beside the value say that it was left, lost, sold, feared or hoped for.

    A Russian name in the form of the expected text may be the subject: «её сменила Роза».
    """
    before = text[max(0, span.start - _NEAR) : span.start]
    value = span.of(text)
    if _AFFECTED.search(before) and numbers(value):
        return False  # "left 300 homes without power"
    if _FORGOTTEN_ASKED.search(question):
        return False  # "left her keys behind"
    is_subject = not value.isascii() and value[:1].isupper() and wording in {value, None}
    found = (
        None if is_subject else _GONE_BEFORE.search(before),
        _GONE_AFTER.match(text, span.end),
    )
    # "It had sold expired milk" is "selling expired milk".
    known = f"{question} {' '.join((wording or '').split()[:1])}"
    return any(match is not None and not _is_asked(match.group(), known) for match in found)


def _is_asked(words: str, question: str) -> bool:
    """Whether the question itself has one of the words, or asks for what was."""
    if _THEN_ASKED.search(question) or _FORBIDDEN_ASKED.search(question):
        return True
    if _HAN.search(words) and any(word in question for word in (words.strip(), words[:2])):
        return True
    asked = content_words(question)
    return any(
        word in asked or (len(word) >= _ROOT and any(other.startswith(word) for other in asked))
        for word in content_words(words)
    )


def _is_part_of_name(text: str, span: Span, question: str) -> bool:
    """Whether the value is the end of a longer name: the Little Ouse is not the Ouse."""
    if not text[span.start].isupper():
        return False
    bigger = _BIGGER_NAME.search(text[max(0, span.start - _NEAR) : span.start])
    return bigger is not None and bigger.group().strip() not in question


def _is_of_then(own: str, value: str, others: Sequence[Span], text: str, question: str) -> bool:
    """Whether the clause tells what was, and the question or another clause is about what is."""
    then = _THEN.search(own)
    if _THEN_ASKED.search(question) or then is None or then.group() in question:
        return False
    if _NOW.search(own) and not _NOW_ASKED.search(question):
        return False
    if _NOW_ASKED.search(question):
        return True
    asked, told = content_words(question), content_words(own)
    return any(
        _NOW.search(text, other.start, other.end)
        or asked & content_words(other.of(text)) - told
        or is_head(other.of(text), value, question)
        for other in others
    )


def _is_before_now(own: str, here: Span, others: Sequence[Span], text: str, question: str) -> bool:
    """Whether the question is about the present, and a later clause tells what is now."""
    if _PAST_ASKED.search(question) or _THEN_ASKED.search(question) or _NOW.search(own):
        return False
    return any(
        other.start > here.start and _STRONG_NOW.search(text, other.start, other.end)
        for other in others
    )


def _is_of_later(own: str, others: Sequence[Span], text: str, question: str) -> bool:
    """Whether the clause tells what came later, and another one is at least as close to the question."""
    if not _LATER.search(own) or _LATER.search(question):
        return False
    asked = content_words(question)
    least = max(1, len(asked & content_words(own)))
    return any(len(asked & content_words(other.of(text))) >= least for other in others)


def _is_only_later(own: str, before: str, question: str) -> bool:
    """Whether a moment is asked about, and what the clause tells came only after it."""
    if not _MOMENT_ASKED.search(question) or _ONLY_LATER.search(question):
        return False
    return _ONLY_LATER.search(own) is not None and not _ONLY_LATER.search(before)


def _is_something_else(text: str, span: Span, others: Sequence[Span], question: str) -> bool:
    """Whether a number is called something else, and a clause about the question has another one."""
    called = _CALLED.match(text, span.end)
    if called is None or not numbers(span.of(text)):
        return False
    noun, asked = next(filter(None, called.groups())), content_words(question)
    if content_words(noun) & asked or noun in question:
        return False
    rivals = (other.of(text) for other in others)
    return any(asked & content_words(rival) and numbers(rival) for rival in rivals)


def _is_only_part(text: str, span: Span, here: Span, question: str) -> bool:
    """Whether the value does only something that is not asked about: he pays only the tax."""
    match = _ONLY_AFTER.match(text, span.end, here.end)
    if match is None:
        return False
    part = next(filter(None, match.groups()), "")
    asked = content_words(question)
    if _HAN.search(part):
        return not any(part[i : i + 2] in question for i in range(len(part) - 1))
    told = content_words(text[span.end : here.end])
    return bool(content_words(part)) and not content_words(part) & asked and len(told & asked) <= 1


def _is_of_former(own: str, question: str) -> bool:
    """Whether the clause is about the former, the next or another one of what is asked about."""
    if _THEN_ASKED.search(question):
        return False
    asked = content_words(question)
    for match in _FORMER.finditer(own):
        noun = next(filter(None, match.groups()))
        if match.group().lower() in question.lower():
            continue
        if content_words(noun) & asked or (not noun.isascii() and noun in question):
            return True
    return False


def _is_of_other_place(own: str, question: str) -> bool:
    """Whether the clause has another ordinal number before the same noun: the second director."""
    asked, told = _ordinal_nouns(question), _ordinal_nouns(own)
    return any(
        noun == other and number != place and (number, noun) not in told
        for number, noun in asked
        for place, other in told
    )


def _ordinal_nouns(text: str) -> set[tuple[int, frozenset[str]]]:
    """The ordinal numbers of a text, each with the noun after it."""
    found = (
        (number, _WORD.search(text, span.end))
        for number, span in ordinals(text)
        if not _ORDINAL_ASIDE.search(text[: span.start])
    )
    nouns = ((number, content_words(noun.group()) if noun else None) for number, noun in found)
    return {(number, roots) for number, roots in nouns if roots}


def _is_of_other(own: str, others: Sequence[Span], text: str, question: str) -> bool:
    """Whether the clause has another year, day or label than the question, and a rival has it."""
    told = _marks(own)
    if not any(told) or not others:
        return False
    rest = _marks("\n".join(other.of(text) for other in others))
    kinds = zip(_marks(question), told, rest, strict=True)
    return any(here and asked & there and not asked & here for asked, here, there in kinds)


def _marks(text: str) -> tuple[frozenset[str], ...]:
    """The years, the labels (zone B) and the days of the week in a text."""
    return tuple(
        frozenset(match.group().lower() for match in pattern.finditer(text))
        for pattern in (_YEAR, _LABEL, _WEEKDAY)
    )


def _is_lesser(here: Span, others: Sequence[Span], text: str, span: Span, question: str) -> bool:
    """Whether the value only does something smaller, and another clause is about the question."""
    if not _LESSER.match(text, span.end):
        return False
    asked = content_words(question)
    own = asked & content_words(here.of(text))
    return any(len(asked & content_words(other.of(text))) >= max(1, len(own)) for other in others)


def _is_of_other_kind(own: str, others: Sequence[Span], text: str, question: str) -> bool:
    """Whether the clause is about another thing of the kind that is asked about, and a rival about that one.

    "Pell chairs the pay committee, whereas the audit committee is headed by Orme": it is the audit
    committee that is asked about.
    """
    told, asked = _pairs(own), content_words(question)
    least = len(asked & content_words(own))
    rivals = [
        other.of(text) for other in others if len(asked & content_words(other.of(text))) >= least
    ]
    for kind, thing in _pairs(question):
        is_other = any(second == thing and not first & asked for first, second in told)
        if is_other and not kind & content_words(own):
            return any(
                (kind, thing) in _pairs(rival) or _is_short_for(kind, rival) for rival in rivals
            )
    return False


def _is_short_for(kind: frozenset[str], clause: str) -> bool:
    """Whether a clause begins with the kind and has no noun after it: "large ones take twenty"."""
    match = _ONES.match(clause)
    return match is not None and kind == content_words(match["kind"])


def _pairs(text: str) -> set[tuple[frozenset[str], frozenset[str]]]:
    """The words that stand side by side, by their roots."""
    parts = words(text) if _HAN.search(text) else _WORD.findall(text)
    roots = [content_words(word) if len(word) > 1 else frozenset() for word in parts]
    return {(one, other) for one, other in pairwise(roots) if one and other}
