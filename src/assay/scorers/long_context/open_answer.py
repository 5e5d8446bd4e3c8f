"""Whether a reply gives an accepted answer in the model's own words, and where.

Answers are first compared by ``assay.text.find_phrase``: case, width, punctuation and the
notation of numbers and dates make no difference, and a number is never found inside another
number. Then Russian answers are compared in any form, because a name may be inflected. A phrase
that is denied ("not Bravegund", "不是…", "不可以") does not count. A JSON list of several answers is
right only if each of them is accepted: a reply that names two has not chosen.
"""

import re
from collections.abc import Sequence
from typing import Final

from msgspec import UNSET, Struct

from assay.scorers.long_context.choice import Source
from assay.scorers.long_context.reply import json_answer
from assay.text import CYRILLIC, HAN, Piece, Span, exact_match, find_phrase, pieces, same_word
from assay.text.lexicon import alternatives, lazy_pattern

_LABELLED: Final = lazy_pattern(
    lambda: rf"^\W*(?:{alternatives('open_answer.label')})\W*?[:：=]\s*(?P<answer>\S.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_DENIED: Final = lazy_pattern(lambda: alternatives("open_answer.denied"))
_DENIED_TWICE: Final = lazy_pattern(lambda: alternatives("open_answer.denied_twice"))
_DENIED_AFTER: Final = lazy_pattern(lambda: alternatives("open_answer.denied_after"))
_END: Final = "\0"
"""Stands for the end of a mention in ``denied_after``."""
_REACH: Final = 40
"""How many characters before an answer are searched for a denial."""
_MOST_DENIALS: Final = 8
"""How many denied mentions of an answer are skipped before the search ends."""
_HAN: Final = re.compile(f"[{HAN}]")
_RUSSIAN: Final = re.compile(f"[{CYRILLIC}]")


class StatedAnswer(Struct, frozen=True, kw_only=True):
    """The answers that a reply gives; empty if the reply says that there is none."""

    answers: tuple[str, ...]
    source: Source


class Match(Struct, frozen=True, kw_only=True):
    """Which accepted answer was found, in which answer of the reply, and at which offsets."""

    accepted: str
    said: str
    start: int
    end: int


def stated_answers(text: str) -> StatedAnswer | None:
    r"""The answers in a reply, or ``None`` if it is empty or its JSON has another shape.

    ``text`` is a reply without the model's thoughts.

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
            answers=tuple(answer for item in items if (answer := str(item).strip())),
            source="json",
        )
    labelled = [match["answer"].strip() for match in _LABELLED.finditer(text)]
    if labelled:
        return StatedAnswer(answers=(labelled[-1].strip("*_` "),), source="labelled")
    return StatedAnswer(answers=(text.strip(),), source="text") if text.strip() else None


def open_match(accepted: Sequence[str], stated: Sequence[str]) -> Match | None:
    """The first accepted answer among the stated ones.

    Returns ``None`` if a stated answer is not accepted, unless all of them together, joined
    with commas, are one accepted answer.

    >>> match = open_match(["42000"], ["It was 四万二千 sacks."])
    >>> match.said[match.start : match.end]
    '四万二千'
    >>> open_match(["235"], ["1235"]) is None, open_match(["Olm"], ["Olm", "Rus"]) is None
    (True, True)
    """
    matches = [_item_match(accepted, item) for item in stated]
    if matches and all(matches):
        return matches[0]
    joined = ", ".join(stated)
    if len(stated) > 1:
        for answer in accepted:
            if exact_match(answer, joined):
                return Match(accepted=answer, said=joined, start=0, end=len(joined))
    return None


def _item_match(accepted: Sequence[str], text: str) -> Match | None:
    for answer in accepted:
        span = answer_span(answer, text)
        if span is not None:
            return Match(accepted=answer, said=text, start=span.start, end=span.end)
    return None


def answer_span(answer: str, text: str) -> Span | None:
    """The first mention of ``answer`` in ``text`` that is not denied, or ``None``.

    >>> answer_span("Бравегунд", "Корабль назвали Бравегундом.")
    Span(start=16, end=27)
    >>> answer_span("Bravegund", "It was not Bravegund.") is None
    True
    """
    if exact_match(answer, text):
        return Span(start=0, end=len(text))
    position = 0
    for _ in range(_MOST_DENIALS):
        span = _mention(answer, text[position:])
        if span is None:
            return None
        start, end = position + span.start, position + span.end
        if not is_denied(text, Span(start=start, end=end)):
            return Span(start=start, end=end)
        position = max(end, position + 1)
    return None


def is_denied(text: str, mention: Span) -> bool:
    """Whether a text denies what it mentions, by the words beside it.

    >>> is_denied("不可以", Span(start=1, end=3)), is_denied("并非不可以", Span(start=3, end=5))
    (True, False)
    >>> is_denied("We can't.", Span(start=3, end=6))
    True
    """
    before = text[max(0, mention.start - _REACH) : mention.start]
    after = text[mention.end : mention.end + _REACH]
    if _DENIED_AFTER.search(f"{mention.of(text)}{_END}{after}"):
        return True
    return bool(_DENIED.search(before)) and not _DENIED_TWICE.search(before)


def _mention(answer: str, text: str) -> Span | None:
    span = find_phrase(answer, text)
    if span is None and _RUSSIAN.search(answer):
        span = _inflected_mention(answer, text)
    if span is None and _HAN.search(answer) and _HAN.search(text):
        span = find_phrase(answer, text, simplify=True)
    return span


def _inflected_mention(answer: str, text: str) -> Span | None:
    """The words of ``answer`` in a row, in any Russian form."""
    answer_words = _words(answer)
    text_words = _words(text)
    size = len(answer_words)
    for first in range(len(text_words) - size + 1):
        window = text_words[first : first + size]
        if answer_words and all(map(_is_same, answer_words, window)):
            return Span(start=window[0][0].start, end=window[-1][0].end)
    return None


def _words(text: str) -> list[tuple[Piece, str]]:
    """The pieces of a text that are no marks, each as it is written."""
    return [(piece, text[piece.start : piece.end]) for piece in pieces(text) if not piece.is_mark]


def _is_same(expected: tuple[Piece, str], actual: tuple[Piece, str]) -> bool:
    key, other = expected[0].key, actual[0].key
    if _RUSSIAN.match(key) and _RUSSIAN.match(other):
        return same_word(expected[1], actual[1])
    return key == other
