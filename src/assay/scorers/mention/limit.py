"""Quantities that are not the expected one although they have its number.

A limit ("at least 30 days", 不超过30天) is not the value, unless the question asks for what is needed
or allowed. Nor is a part of a compound value ("3 years and 6 months"), one end of a range, or a
change in the other direction ("下降8.3%" for a growth).
"""

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Final, Literal

from assay.scorers.legal.form import Measure, measures
from assay.text import Span, dates, numbers
from assay.text.lexicon import alternatives, expressions, lazy_pattern

Side = Literal["least", "most"]
_NEAR: Final = 40
_LEAD: Final = 12
"""So many characters of an expected text may stand before its number: 合同金额的5%."""
_DURATION: Final = frozenset({"time", "months"})


def _limit(name: str, end: str = "") -> re.Pattern[str]:
    return lazy_pattern(lambda: rf"(?:{alternatives(f'open_answer.{name}')}){end}")


_BEFORE: Final[dict[Side, re.Pattern[str]]] = {
    "least": _limit("least_before", r"[$£€¥₽]?\Z"),
    "most": _limit("most_before", r"[$£€¥₽]?\Z"),
}
_AFTER: Final[dict[Side, re.Pattern[str]]] = {
    "least": _limit("least_after"),
    "most": _limit("most_after"),
}
_ASKED: Final[dict[Side, re.Pattern[str]]] = {
    "least": _limit("least_asked"),
    "most": _limit("most_asked"),
}
_WITHIN: Final = lazy_pattern(lambda: rf"(?:{alternatives('open_answer.within_before')})\Z")
_CHANGED_TO: Final = lazy_pattern(lambda: alternatives("open_answer.changed_to"))
_ANY_LIMIT: Final = lazy_pattern(lambda: alternatives("open_answer.beyond_asked"))
_JOINT: Final = lazy_pattern(lambda: rf"\s*(?:,|{alternatives('open_answer.and')}|零|又)?\s*")
_RANGE: Final = lazy_pattern(lambda: rf"\s*(?:[-–—~]|{alternatives('open_answer.to')})\s*")
_BETWEEN: Final = lazy_pattern(lambda: rf"(?:{alternatives('open_answer.from')})\s*\Z")
_MARKS: Final = re.compile(r"[\W_]+")
_CLAUSE_START: Final = re.compile(r"[,，;；:：。！？!?\n]|\.(?=\s)")
_NOTHING: Final = re.compile(r"\s*(?:[.,;:!?)]|\Z)")
_YEAR: Final = re.compile(r"\W*[12]\d{3}\W*")


def limit_side(text: str, span: Span) -> Side | None:
    """Whether the quantity at ``span`` is said to be the least or the most.

    >>> limit_side("at least 30 days", Span(start=9, end=16))
    'least'
    >>> limit_side("вырос до 30 %", Span(start=9, end=13)) is None
    True
    """
    if _CHANGED_TO.search(text, max(0, span.start - 2 * _NEAR), span.start):
        return None
    before = text[max(0, span.start - _NEAR) : span.start]
    sides: tuple[Side, ...] = ("least", "most")
    for side in sides:
        if _BEFORE[side].search(before) or _AFTER[side].match(text, span.end):
            return side
    return None


def is_other_quantity(expected: str, text: str, mention: Span, question: str) -> bool:
    """Whether the mention has the number of ``expected`` and is another quantity.

    >>> is_other_quantity("30 days", "at least 30 days", Span(start=9, end=16), "How long is it?")
    True
    >>> is_other_quantity("30 days", "at least 30 days", Span(start=9, end=16), "How long must it be?")
    False
    """
    said = mention.of(text)
    first = next(iter(numbers(said)), None)
    if first is None:
        return False
    if is_direction_turned(expected, text, mention, question):
        return True
    if dates(said):
        return False
    return (
        (first.start <= _LEAD and _is_limit(expected, text, mention, question))
        or _is_part_of_compound(text, mention)
        or _is_end_of_range(expected, text, mention, question)
    )


def _is_limit(expected: str, text: str, mention: Span, question: str) -> bool:
    side = limit_side(text, mention)
    if side is None or _ANY_LIMIT.search(question) or _ASKED[side].search(question):
        return False
    known = (Span(start=number.start, end=number.end) for number in numbers(expected)[:1])
    return all(limit_side(expected, span) != side for span in known)


def compounds(text: str) -> Iterator[Measure]:
    """The quantities that are written in two units: 3 years and 6 months, 2 кг 300 г, 三年零六个月.

    >>> text = "for 3 years and 6 months"
    >>> [(measure.kind, str(measure.amount)) for measure in compounds(text)]
    [('months', '42')]
    """
    for first, second in pairwise(measures(text)):
        if _is_compound(text, first, second):
            span = Span(start=first.span.start, end=second.span.end)
            amount = first.amount + second.amount if first.kind == second.kind else Fraction(-1)
            yield first._replace(amount=amount, span=span)


def _is_compound(text: str, first: Measure, second: Measure) -> bool:
    kinds = {first.kind, second.kind}
    if not first.kind or not second.kind or not first.number.value or not second.number.value:
        return False
    if len(kinds) > 1 and (kinds != _DURATION or first.kind != "months"):
        return False
    sizes = [measure.amount / Fraction(measure.number.value) for measure in (first, second)]
    joint = _JOINT.fullmatch(text, first.span.end, second.span.start)
    if joint is None or (len(kinds) == 1 and sizes[1] >= sizes[0]):
        return False
    # "3 years, 30 days' notice" is a list
    return "," not in joint.group() or _NOTHING.match(text, second.span.end) is not None


def _is_part_of_compound(text: str, mention: Span) -> bool:
    return any(_overlaps(measure.span, mention) for measure in compounds(text))


def _overlaps(whole: Span, mention: Span) -> bool:
    """Whether the mention has a part of ``whole`` and not all of it."""
    is_in = whole.start < mention.end and mention.start < whole.end
    return is_in and not (mention.start <= whole.start and whole.end <= mention.end)


def _is_end_of_range(expected: str, text: str, mention: Span, question: str) -> bool:
    """Whether the mention is one end of a range; years may be, unless the range is all that is said."""
    for first, second in pairwise(numbers(text)):
        link = _RANGE.fullmatch(text, first.end, second.start)
        whole = Span(start=first.start, end=second.end)
        if link is None or not _overlaps(whole, mention):
            continue
        is_open = any(map(str.isalpha, link.group()))
        lead = text[max(0, first.start - _NEAR) : first.start]
        if (is_open and not _BETWEEN.search(lead)) or _is_change(lead):
            continue
        if _YEAR.fullmatch(expected):
            rest = text[: whole.start] + text[whole.end :]
            return len(_MARKS.sub("", rest)) <= 1
        return _ANY_LIMIT.search(question) is None
    return False


def _is_change(lead: str) -> bool:
    """Whether a range is a change: rose from 10 to 20."""
    pairs = expressions("open_answer.directions")
    return any(_has(one, lead) for pair in pairs for one in pair.split("/"))


def is_direction_turned(expected: str, text: str, mention: Span, question: str) -> bool:
    """Whether the question is about a growth and the clause of the mention about a decline, or so.

    >>> is_direction_turned("8.3%", "下降8.3%", Span(start=2, end=6), "增长多少？")
    True
    """
    if any(number.value < 0 for number in numbers(expected)):
        return False
    starts = [match.end() for match in _CLAUSE_START.finditer(text, 0, mention.start)]
    stop = _CLAUSE_START.search(text, mention.end)
    clause = text[max(starts, default=0) : stop.start() if stop else len(text)]
    for pair in expressions("open_answer.directions"):
        one, _, other = pair.partition("/")
        for asked, told in ((one, other), (other, one)):
            if _has(asked, question) and not _has(told, question) and _has(told, clause):
                return not _has(asked, clause)
    return False


def _has(expression: str, text: str) -> bool:
    return re.search(expression, text, re.IGNORECASE) is not None


def limited_spans(expected: str, text: str) -> Iterator[Span]:
    """Where ``text`` has the limit that ``expected`` is, in other words: не позднее, не позже.

    >>> text = "не позже сорока пяти календарных дней"
    >>> [span.of(text) for span in limited_spans("не позднее 45 календарных дней", text)]
    ['сорока пяти календарных дней']
    """
    known = [measure for measure in measures(expected) if measure.kind]
    if len(known) != 1 or _MARKS.sub("", expected[known[0].span.end :]):
        return
    lead = expected[: known[0].span.start]
    side, is_within = limit_side(expected, known[0].span), _WITHIN.search(lead) is not None
    if (side is None and not is_within) or not _is_only_limit(lead):
        return
    for measure in measures(text):
        if (measure.kind, measure.amount) != (known[0].kind, known[0].amount):
            continue
        told = limit_side(text, measure.span)
        within = _WITHIN.search(text[max(0, measure.span.start - _NEAR) : measure.span.start])
        if told == side if side else told is None and within:
            yield measure.span


def _is_only_limit(lead: str) -> bool:
    patterns = (_BEFORE["least"], _BEFORE["most"], _WITHIN)
    return any(
        not _MARKS.sub("", lead[: match.start()])
        for match in (pattern.search(lead) for pattern in patterns)
        if match
    )
