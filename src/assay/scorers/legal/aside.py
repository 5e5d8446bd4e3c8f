"""Whether a value stands only beside the answer: in a side clause, in brackets or after another answer.

"Slate, which replaced the copper", "the sender, unless the carrier was negligent" and "50 km/h (30 near
the school)" answer first and name the value afterwards, for something else.
"""

import re
from collections.abc import Sequence
from functools import partial
from typing import Final

from assay.scorers.legal.rival import overlap
from assay.scorers.legal.root import content_words
from assay.text import CYRILLIC, HAN, LATIN, Number, Span, numbers
from assay.text.lexicon import alternatives, lazy_pattern
from assay.text.number import canonical

_HAN: Final = re.compile(f"[{HAN}]")
_SIDE: Final = lazy_pattern(lambda: rf"(?:{alternatives('aside.side')})[^,;.，；。]*\Z")
_TIME: Final = lazy_pattern(lambda: rf"(?:{alternatives('aside.side_time')})[^,;.，；。]*\Z")
_SOMEBODY_ASKED: Final = lazy_pattern(lambda: alternatives("clause.somebody_asked"))
_SIDE_ASKED: Final = lazy_pattern(lambda: alternatives("aside.side_asked"))
_SIDE_END: Final = re.compile(r"[,;.，；。]|\Z")
_NO_HEAD: Final = lazy_pattern(lambda: alternatives("aside.no_head"))
_HEAD_END: Final = frozenset(",;.，；。")
_FIGURES: Final = re.compile(r"\d+|\b[IVXL]{2,}\b|[一二三四五六七八九十百]+(?=[年月天世])")
_UNIT: Final = re.compile(r"[\s-]?([^\W\d_]{1,3}|[%°€£$])")
"""What follows a number."""
_COMMA: Final = frozenset(",，")
_AND: Final = lazy_pattern(lambda: rf"[,，]\s*(?:{alternatives('aside.and')})")
"""Goes on with the same subject: "simple, but slow"."""
_ASKED_TWICE: Final = lazy_pattern(lambda: alternatives("clause.and"))
"""A question for two things, of which the first is answered first."""
_RESTATED: Final = lazy_pattern(lambda: alternatives("clause.restated"))
_RELATIVE: Final = lazy_pattern(lambda: alternatives("aside.relative"))
_HAS: Final = lazy_pattern(lambda: alternatives("aside.has_after"))
_WAS: Final = lazy_pattern(lambda: rf"(?:{alternatives('aside.was_before')})\Z")
_PARTY: Final = lazy_pattern(lambda: alternatives("aside.party"))
_OPEN, _CLOSE = re.compile(r"[(（]"), re.compile(r"[)）]")
_WORD: Final = re.compile(rf"[{CYRILLIC}{LATIN}\d]+(?:[-'’.][{CYRILLIC}{LATIN}\d]+)*")
_MOST_WORDS: Final = 4
_MOST_HAN: Final = 5
"""An answer before a comma has so few words, or so few Chinese characters."""
_LEAST_HAN: Final = 2


def is_aside(clauses: Sequence[Span], text: str, span: Span, question: str) -> bool:
    """Whether the value is only named beside the answer.

    >>> text = "Slate, which replaced the copper."
    >>> clauses = [Span(start=0, end=5), Span(start=6, end=32)]
    >>> is_aside(clauses, text, Span(start=26, end=32), "What is the roof made of?")
    True
    """
    return (
        _is_in_side_clause(text, span, question)
        or _is_in_brackets(text, span, question)
        or _follows_answer(clauses, text, span, question)
        or _is_of_other_party(clauses, text, span, question)
    )


def _is_in_side_clause(text: str, span: Span, question: str) -> bool:
    """Whether the value is in a clause of reason, condition or concession that is about nothing asked."""
    before = text[: span.start]
    side = _SIDE.search(before)
    if side is None and _SOMEBODY_ASKED.search(question):
        side = _TIME.search(before)
    if side is None or _SIDE_ASKED.search(question):
        return False
    end = _SIDE_END.search(text, span.end)
    told = text[side.start() : end.start() if end else len(text)]
    rest = content_words(text[: side.start()] + " " + text[end.start() if end else len(text) :])
    asked = content_words(question)
    own = content_words(told) - content_words(span.of(text))
    return bool(own - asked) and not own & asked and bool(rest)


def _is_in_brackets(text: str, span: Span, question: str) -> bool:
    """Whether the value is in brackets with words of its own, after another value."""
    opened = max((m.start() for m in _OPEN.finditer(text, 0, span.start)), default=-1)
    if opened < 0 or _CLOSE.search(text, opened, span.start):
        return False
    closed = _CLOSE.search(text, span.end)
    inside = (
        text[opened : span.start] + " " + text[span.end : closed.start() if closed else len(text)]
    )
    if not content_words(inside) - content_words(question):
        return False
    before = text[:opened]
    if numbers(span.of(text)) and numbers(before):
        return True
    return is_head(before, span.of(text), question)


def _follows_answer(clauses: Sequence[Span], text: str, span: Span, question: str) -> bool:
    """Whether the text begins with another short answer, and the value is told about afterwards."""
    if len(clauses) <= 1:
        return False
    first = clauses[0]
    if overlap(first, span) or text[first.end] not in _HEAD_END:
        return False
    inside = [clause for clause in clauses if overlap(clause, span)]
    here = Span(start=inside[0].start, end=inside[-1].end)  # "coffee and tea" is in two of them
    asked = content_words(question)
    own = content_words(here.of(text)) - content_words(span.of(text))
    is_joined = text[first.end] in _COMMA or _figures(span.of(text))
    if not own - asked or (own & asked and is_joined):
        return False
    if (
        _ASKED_TWICE.search(question)
        or _AND.match(text, first.end)
        or _RESTATED.match(here.of(text))
    ):
        return False
    return is_head(first.of(text), span.of(text), question)


def is_head(head: str, value: str, question: str) -> bool:
    """Whether a text is a short answer of its own, and not the value or a word of the question."""
    head = head.strip()
    told = content_words(head)
    figures, others = _figures(head), _figures(value)
    if figures and others and _have_one_unit(head, value):
        return figures != others and not told & content_words(question)
    if not told or _NO_HEAD.search(head):
        return False
    if _HAN.search(question):
        is_short = _LEAST_HAN <= len(head) <= _MOST_HAN
        is_asked = any(head[i : i + 2] in question for i in range(len(head) - 1))
        return is_short and not is_asked and head[:2] != value[:2] and head not in value
    if told & (content_words(question) | content_words(value)):
        return False
    return 0 < len(_WORD.findall(head)) <= _MOST_WORDS


def _figures(text: str) -> list[str]:
    """The numbers of a text; those in words as figures, too."""
    return _FIGURES.findall(text) or [canonical(number.value) for number in numbers(text)]


def _have_one_unit(first: str, second: str) -> bool:
    """Whether two numbers may measure the same; one of them may have no unit."""
    units = [set(map(partial(_unit, text), numbers(text))) - {""} for text in (first, second)]
    return not units[0] or not units[1] or bool(units[0] & units[1])


def _unit(text: str, number: Number) -> str:
    match = _UNIT.match(text, number.end)
    return number.currency or (match[1].lower() if match else "")


def _is_of_other_party(clauses: Sequence[Span], text: str, span: Span, question: str) -> bool:
    """Whether the clause is about a relative, a neighbour or a rival of the one that is asked about."""
    here = next((clause for clause in clauses if overlap(clause, span)), None)
    if here is None or len(clauses) == 1:
        return False
    asked = content_words(question)
    for party in _PARTY.finditer(text, here.start, here.end):
        gap = 0 if _HAN.search(party.group()) else 1
        is_beside = span.start - party.end() <= gap and party.start() < span.end
        if is_beside or party.group().lower() in question.lower():
            continue
        if _RELATIVE.search(text, span.end, max(span.end, party.start())):
            continue
        if _HAS.match(text, party.end()) or _WAS.search(text[here.start : party.start()]):
            return True
        rivals = (clause for clause in clauses if not overlap(clause, span))
        if any(asked & content_words(rival.of(text)) for rival in rivals):
            return True
    return False
