"""Whether an answer asserts a value that it names, or denies it, or leaves the choice open."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from assay.scorers.abstention import (
    BREAK,
    DOCUMENT,
    HEDGE,
    QUOTATION,
    assess_abstention,
    phrases,
)
from assay.scorers.value import answer_dates, quantities
from assay.text import Ranges, Span, normalised, sentences
from assay.text.lexicon import alternatives, lazy_pattern

_NEAR: Final = 60
"""The largest number of characters between two values that are alternatives."""

_DENIED_BEFORE: Final = lazy_pattern(
    lambda: (
        rf"(?:{alternatives('stance.denied_before')})"
        rf"(?:\s*(?:{alternatives('stance.between')}|[£$€¥₽“”«»\"'(《「『]))*\s*\Z"
    )
)
_DENIED_AFTER: Final = lazy_pattern(lambda: alternatives("stance.denied_after"))
_CLAIMED_BEFORE: Final = lazy_pattern(lambda: rf"(?:{alternatives('stance.claimed_before')})\Z")
_REFUTED_AFTER: Final = lazy_pattern(lambda: alternatives("stance.refuted_after"))
"""Around a value that was claimed and did not prove true."""
_OR: Final = lazy_pattern(lambda: alternatives("stance.or"))
_SENTENCE_END: Final = re.compile(r"[。！？!?]|\.(?=\s|\Z)(?<!\b\w\.)")

_CONFLICT: Final = lazy_pattern(lambda: alternatives("stance.conflict"))
_DISPUTE: Final = lazy_pattern(lambda: alternatives("stance.dispute"))
"""Also a conflict, unless exactly one value is given, as in "the contested sum was £5"."""
_WITNESS: Final = lazy_pattern(lambda: alternatives("stance.witness"))
"""What may contradict each other: sources, versions, statements."""
_LEANING: Final = lazy_pattern(lambda: alternatives("stance.leaning"))
_SOURCE: Final = lazy_pattern(lambda: alternatives("stance.source"))
_UNSURE: Final = lazy_pattern(lambda: alternatives("stance.unsure"))
_CHOICE: Final = lazy_pattern(lambda: alternatives("stance.choice"))
_ORDINAL_END: Final = re.compile(r"\A-?(?:st|nd|rd|th|[а-я]{1,2})\b")
_CLAUSE_CUT: Final = lazy_pattern(lambda: alternatives("stance.clause_cut"), re.NOFLAG)
_LEFT_OPEN: Final = lazy_pattern(lambda: alternatives("stance.left_open"))
_CONCESSION: Final = lazy_pattern(lambda: alternatives("stance.concession"))
"""A part of a sentence that concedes something and is not its main statement."""
_NAMING: Final = lazy_pattern(lambda: alternatives("stance.naming"), re.NOFLAG)
"""Says who or what it was; a part after it ("but …") may leave something else open."""
_NO_LEANING: Final = lazy_pattern(lambda: alternatives("stance.no_leaning"))


def is_denied(text: str, start: int, end: int) -> bool:
    """Whether the value between ``start`` and ``end`` is mentioned only to deny it.

    >>> text = "Не 310 000, а 300 000 рублей"
    >>> is_denied(text, 3, 10), is_denied(text, 14, 21)
    (True, False)
    """
    if _DENIED_BEFORE.search(text[max(0, start - 40) : start]):
        return True
    is_claimed = _CLAIMED_BEFORE.search(text[max(0, start - _NEAR) : start]) is not None
    if is_claimed and _REFUTED_AFTER.match(text, end):
        return True
    return _DENIED_AFTER.match(text, end) is not None


def is_alternative(text: str, span: Span, others: Sequence[Span]) -> bool:
    """Whether an "or" or a word like "maybe" separates the value from one of the others.

    The two values must be in one sentence and at most 60 characters apart.

    >>> text = "Either £4,200 or £5,100."
    >>> is_alternative(text, Span(start=7, end=13), [Span(start=17, end=23)])
    True
    """
    for other in others:
        first, last = sorted((span, other))
        between = text[first.end : last.start]
        if len(between) <= _NEAR and not _SENTENCE_END.search(between) and _OR.search(between):
            return True
    return False


def reports_conflict(text: str) -> bool:
    """Whether ``text`` says that sources disagree, and does not choose between them.

    >>> reports_conflict("正文写4小时，附件写8小时，二者不一致。"), reports_conflict("说法不一致，应以收条为准。")
    (True, False)
    """
    form = normalised(text)
    if _CONFLICT.search(form) is None and not _is_disputed(form):
        return False
    return not leans(form) and not _chooses(form)


def has_conflicting_sources(text: str) -> bool:
    """Whether ``text`` reports a conflict, and it is one between sources, versions or statements.

    >>> has_conflicting_sources("The two lists differ."), has_conflicting_sources("Two different teams.")
    (True, False)
    """
    return _WITNESS.search(text) is not None and reports_conflict(text)


def gives_two_accounts(text: str) -> bool:
    """Whether ``text`` attributes two values of one kind to two sources and chooses neither.

    >>> gives_two_accounts("Fenwick names 21 April, Ms Braddock says 28 April.")
    True
    >>> gives_two_accounts("He says 21 April, so it was 21 April.")
    False
    """
    form = normalised(text)
    if leans(form) or _chooses(form):
        return False
    values_by_kind: dict[str, set[str]] = {}
    # One source is enough if the answer itself says that it cannot tell.
    is_unsure = bool(assess_abstention(text).phrases) or _UNSURE.search(form) is not None
    is_open = is_unsure and bool(_SOURCE.search(form) or DOCUMENT.search(form.lower()))
    for clause in _CLAUSE_CUT.split(form):
        if not is_open and not _SOURCE.search(clause) and not DOCUMENT.search(clause.lower()):
            continue
        for date in answer_dates(clause):
            values_by_kind.setdefault("date", set()).add(date.iso[-5:])
        for number in quantities(clause):
            unit = _ORDINAL_END.sub("", clause[number.end :]).strip(" .")[:3]
            values_by_kind.setdefault(number.unit or unit, set()).add(number.canonical)
    # "72 hours in one, 48 in the other": the second value may have no unit.
    without_unit = values_by_kind.get("", set())
    return any(
        len(values) == 2
        or (kind and len(values) == len(without_unit) == len(without_unit - values) == 1)
        for kind, values in values_by_kind.items()
    )


def leaves_open(text: str) -> bool:
    """Whether ``text`` says that a matter was left open or forgotten, and offers no value.

    The last statement of every sentence must say so, and the text must contain no number, date
    or guess.

    >>> leaves_open("The agreement leaves it open."), leaves_open("It is left blank, say 5 %.")
    (True, False)
    """
    form = QUOTATION.sub(" ", normalised(text))
    if HEDGE.search(form.lower()) or quantities(form) or answer_dates(form):
        return False
    texts = [span.of(form) for span in sentences(form) if any(map(str.isalpha, span.of(form)))]
    statements = [list(_statements(sentence)) for sentence in texts]
    return bool(statements) and all(parts and _is_left_open(parts) for parts in statements)


def _statements(sentence: str) -> Iterator[str]:
    start = 0
    for match in [*BREAK.finditer(sentence.lower()), None]:
        part = sentence[start : match.start() if match else len(sentence)]
        if part.strip(" .,"):
            yield part
        start = match.end() if match else len(sentence)


def _is_left_open(statements: Sequence[str]) -> bool:
    """Whether the last statement of a sentence leaves the matter open.

    Returns False if a statement before it names a person or thing, because that is an answer.
    """
    *previous, last = statements
    main_part = _CONCESSION.sub(" ", last)
    if any(map(_NAMING.search, previous)):
        return False
    return bool(_LEFT_OPEN.search(main_part) or (previous and phrases(main_part.lower())))


def _is_disputed(form: str) -> bool:
    """Whether the text calls the matter disputed and does not give exactly one value."""
    values = {date.iso for date in answer_dates(form)}
    values |= {number.canonical for number in quantities(form)}
    return len(values) != 1 and _DISPUTE.search(form) is not None


def _chooses(text: str) -> bool:
    """Whether a value follows "but", "so" or a similar word and is not attributed to a source."""
    for match in _CHOICE.finditer(text):
        stop = _SENTENCE_END.search(text, match.end())
        rest = text[match.end() : stop.start() if stop else len(text)]
        values = [*answer_dates(rest), *quantities(rest)]
        if values and not _SOURCE.search(rest) and not _NO_LEANING.search(rest):
            return True
    return False


def leans(text: str) -> bool:
    """Whether ``text`` prefers one of several values, or guesses."""
    for span in sentences(text):
        sentence = span.of(text)
        open_parts = Ranges(match.span() for match in _NO_LEANING.finditer(sentence))
        if any(match.start() not in open_parts for match in _LEANING.finditer(sentence)):
            return True
    return False
