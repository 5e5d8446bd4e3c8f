"""Whether a short answer in the model's own words is one of the accepted ones, and where.

Compared as ``assay.text.find_phrase`` does (case, width, punctuation, the writing of numbers
and dates make no difference, and no number is found inside another), then by Russian stems,
since a name may be inflected. A phrase that is denied ("not Bravegund", "不是…") is not said.
A JSON list of several answers is right only if each of them is: who names two has not chosen.
"""

import re
from collections.abc import Sequence
from typing import Final

from msgspec import UNSET, Struct

from assay.scorers.long_context.choice import Source
from assay.scorers.long_context.reply import json_answer
from assay.text import CYRILLIC, HAN, Span, exact_match, find_phrase, pieces, stem

_LABELLED: Final = re.compile(
    r"^\W*(?:(?:the\s+)?(?:final\s+|correct\s+)?answer(?:\s+is)?|(?:最终|正确)?答案(?:是|为)?|ответ)"
    r"\W*?[:：=]\s*(?P<answer>\S.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_DENIED: Final = re.compile(
    r"(?:\b(?:not|never|neither|nor|no|isn't|wasn't|не|ни|нет)\s+(?:(?:the|a|an|called|named)\s+)*"
    r"|(?:并非|并不是|不是|不叫|不为|绝非|而非))[\W_]*\Z",
    re.IGNORECASE,
)
_REACH: Final = 40
_MOST_DENIALS: Final = 8
_HAN: Final = re.compile(f"[{HAN}]")
_RUSSIAN: Final = re.compile(f"[{CYRILLIC}]")


class StatedAnswer(Struct, frozen=True, kw_only=True):
    """The answers that a reply gives; none where it says that there is none."""

    answers: tuple[str, ...]
    source: Source


class Match(Struct, frozen=True, kw_only=True):
    """Which accepted answer was found, in which of the answers said, and where in it."""

    accepted: str
    said: str
    start: int
    end: int


def stated_answers(text: str) -> StatedAnswer | None:
    r"""The answers in a reply without its thoughts; ``None`` where it says nothing at all.

    >>> stated_answers('{"answer": ["Bravegund"]}').answers, stated_answers("  ")
    (('Bravegund',), None)
    >>> stated_answers("I looked it up.\nAnswer: Bravegund").answers
    ('Bravegund',)
    """
    value = json_answer(text)
    if value is not UNSET:
        items = value if isinstance(value, list) else [] if value is None else [value]
        if any(isinstance(item, bool) or not isinstance(item, str | int | float) for item in items):
            return None
        return StatedAnswer(
            answers=tuple(one for item in items if (one := str(item).strip())), source="json"
        )
    labelled = [match["answer"].strip() for match in _LABELLED.finditer(text)]
    if labelled:
        return StatedAnswer(answers=(labelled[-1].strip("*_` "),), source="labelled")
    return StatedAnswer(answers=(text.strip(),), source="text") if text.strip() else None


def open_match(accepted: Sequence[str], said: Sequence[str]) -> Match | None:
    """The accepted answer that is said; ``None`` where none is, or something else is said too.

    >>> match = open_match(["42000"], ["It was 四万二千 sacks."])
    >>> match.said[match.start : match.end]
    '四万二千'
    >>> open_match(["235"], ["1235"]) is None, open_match(["Olm"], ["Olm", "Rus"]) is None
    (True, True)
    """
    matches = [_item_match(accepted, item) for item in said]
    if matches and all(matches):
        return matches[0]
    together = ", ".join(said)
    if len(said) > 1:
        for answer in accepted:
            if exact_match(answer, together):
                return Match(accepted=answer, said=together, start=0, end=len(together))
    return None


def _item_match(accepted: Sequence[str], said: str) -> Match | None:
    for answer in accepted:
        span = answer_span(answer, said)
        if span is not None:
            return Match(accepted=answer, said=said, start=span.start, end=span.end)
    return None


def answer_span(answer: str, said: str) -> Span | None:
    """The first place in ``said`` that gives ``answer`` and does not deny it.

    >>> answer_span("Бравегунд", "Корабль назвали Бравегундом.")
    Span(start=16, end=27)
    >>> answer_span("Bravegund", "It was not Bravegund.") is None
    True
    """
    if exact_match(answer, said):
        return Span(start=0, end=len(said))
    place = 0
    for _ in range(_MOST_DENIALS):
        span = _phrase(answer, said[place:])
        if span is None:
            return None
        start, end = place + span.start, place + span.end
        if not _DENIED.search(said[max(0, start - _REACH) : start]):
            return Span(start=start, end=end)
        place = max(end, place + 1)
    return None


def _phrase(answer: str, said: str) -> Span | None:
    span = find_phrase(answer, said)
    if span is None and _RUSSIAN.search(answer):
        span = _stemmed(answer, said)
    if span is None and _HAN.search(answer) and _HAN.search(said):
        span = find_phrase(answer, said, simplify=True)
    return span


def _stemmed(answer: str, said: str) -> Span | None:
    """The words of ``answer`` in a row, whatever their Russian endings."""
    wanted = [_root(piece.key) for piece in pieces(answer) if not piece.is_mark]
    there = [piece for piece in pieces(said) if not piece.is_mark]
    roots = [_root(piece.key) for piece in there]
    for place in range(len(roots) - len(wanted) + 1):
        if wanted and roots[place : place + len(wanted)] == wanted:
            return Span(start=there[place].start, end=there[place + len(wanted) - 1].end)
    return None


def _root(key: str) -> str:
    return stem(key) if _RUSSIAN.match(key) else key
