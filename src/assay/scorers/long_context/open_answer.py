"""Whether a reply gives an accepted answer in the model's own words, and where.

Answers are found by ``assay.scorers.mention``: in any notation, in any form of a word, not denied and
decided on. A JSON list of several answers is right only if each of them is accepted: a reply that
names two has not chosen.
"""

import re
from collections.abc import Sequence
from typing import Final

from msgspec import UNSET, Struct

from assay.scorers.long_context.choice import Source
from assay.scorers.long_context.reply import json_answer
from assay.scorers.mention import answer_span
from assay.text import exact_match
from assay.text.lexicon import alternatives, lazy_pattern

_LABELLED: Final = lazy_pattern(
    lambda: rf"^\W*(?:{alternatives('open_answer.label')})\W*?[:：=]\s*(?P<answer>\S.*)$",
    re.IGNORECASE | re.MULTILINE,
)


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
        span = answer_span(answer, text, strict=False)
        if span is not None:
            return Match(accepted=answer, said=text, start=span.start, end=span.end)
    return None
