"""Whether a reply gives an accepted answer in the model's own words, and where.

Answers are found by ``assay.checks.check_answer``. A JSON list of several answers is right only if each
of them is accepted: a reply that names two has not chosen.
"""

import re
from collections.abc import Sequence
from typing import Final

from msgspec import UNSET, Struct

from assay.checks import Check, check_answer, said_span
from assay.scorers.long_context.choice import Source
from assay.scorers.long_context.reply import json_answer
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


class OpenMatch(Struct, frozen=True, kw_only=True):
    """Whether the stated answers are accepted; ``match`` is the first place that says so."""

    right: bool
    unsure: bool = False
    why: str = ""
    match: Match | None = None


def open_match(accepted: Sequence[str], stated: Sequence[str]) -> OpenMatch:
    """Whether each stated answer gives an accepted one, or all of them together are one.

    >>> found = open_match(["42000"], ["It was 四万二千 sacks."]).match
    >>> found.said[found.start : found.end]
    '四万二千'
    >>> open_match(["235"], ["1235"]).right, open_match(["Olm"], ["Olm", "Rus"]).right
    (False, False)
    """
    joined = ", ".join(stated)
    if len(stated) > 1 and any(exact_match(answer, joined) for answer in accepted):
        whole = Match(accepted=joined, said=joined, start=0, end=len(joined))
        return OpenMatch(right=True, match=whole)
    checks = [check_answer(accepted, item) for item in stated]
    if not checks:
        return OpenMatch(right=False, why="the reply gives no answer")
    worst = min(checks, key=lambda check: (check.leans_right, check.outcome != "unsure"))
    place = next(((item, c) for item, c in zip(stated, checks, strict=True) if c.span), None)
    match = None
    if place is not None and worst.leans_right and place[1].span is not None:
        said, span = place[0], place[1].span
        accepted_one = next((a for a in accepted if said_span(a, said)), accepted[0])
        match = Match(accepted=accepted_one, said=said, start=span.start, end=span.end)
    return OpenMatch(
        right=worst.leans_right,
        unsure=worst.outcome == "unsure" if worst.leans_right else _may_be_right(checks),
        why=worst.why,
        match=match,
    )


def _may_be_right(checks: Sequence[Check]) -> bool:
    """Whether no stated answer is clearly wrong."""
    return not any(check.outcome == "wrong" for check in checks)
