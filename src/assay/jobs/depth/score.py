"""The scores of one answer about a long text: choices by letters, open questions by words.

A single choice is right or wrong, and two letters are wrong. A multiple choice is scored by the
F1 of its letters. An open answer is right if it gives an accepted answer. A reply that cannot
be read has the ``parsing_status`` ``"parsing_error"`` and, as in published results, a ``score``
of 0.0. Its ``scores.score_if_parsed`` is ``None``, so that the same rows also show the mean
over the parsed replies alone.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

from msgspec import UNSET, Struct, to_builtins

from assay.checks.answer import Check, check_answer, said_span
from assay.jobs.depth.choice import Source, choice_f1, chosen_letters, is_exact, json_answer
from assay.text.lexicon import alternatives, lazy_pattern
from assay.text.search_term import exact_match
from assay.text.thought import scored_text

# Whether a reply gives an accepted answer in the model's own words, and where.
#
# Answers are found by ``assay.check_answer``. A JSON list of several answers is right only if each
# of them is accepted: a reply that names two has not chosen.

_LABELLED: Final = lazy_pattern(
    lambda: rf"^\W*(?:{alternatives('open_answer.label')})\W*?[:：=]\s*(?P<answer>\S.*)$",
    re.IGNORECASE | re.MULTILINE,
)


class StatedAnswer(Struct, frozen=True, kw_only=True):
    """The answers that a reply gives; empty if the reply says that there is none."""

    answers: tuple[str, ...]
    source: Source


class AnswerMatch(Struct, frozen=True, kw_only=True):
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
    match: AnswerMatch | None = None


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
        whole = AnswerMatch(accepted=joined, said=joined, start=0, end=len(joined))
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
        match = AnswerMatch(accepted=accepted_one, said=said, start=span.start, end=span.end)
    return OpenMatch(
        right=worst.leans_right,
        unsure=worst.outcome == "unsure" if worst.leans_right else _may_be_right(checks),
        why=worst.why,
        match=match,
    )


def _may_be_right(checks: Sequence[Check]) -> bool:
    """Whether no stated answer is clearly wrong."""
    return not any(check.outcome == "wrong" for check in checks)


ReadingType: TypeAlias = Literal["single_choice", "multiple_choice", "open"]

PARSED: Final = "success"
UNPARSED: Final = "parsing_error"


def score_answer(
    question_type: ReadingType, choices: Mapping[str, str], right: Sequence[str], reply: str
) -> dict[str, Any]:
    """The fields that scoring adds to a row.

    Args:
        question_type: the kind of the question; it decides what ``right`` contains.
        choices: the texts of the choices by letter; empty for an open question.
        right: the letters of the right choices or, for an open question, the accepted answers.
        reply: the model's reply, including its thoughts.

    >>> four = {"a": "oats", "b": "barley", "c": "rye", "d": "wheat"}
    >>> row = score_answer("multiple_choice", four, ["b", "c"], '{"answer": ["a", "b", "c"]}')
    >>> row["model_answer"], row["score"], row["parsing_status"]
    (['a', 'b', 'c'], 0.8, 'success')
    >>> row = score_answer("single_choice", four, ["b"], "The answer is INCORRECT")
    >>> row["score"], row["parsing_status"], row["scores"]["score_if_parsed"]
    (0.0, 'parsing_error', None)
    """
    text = scored_text(reply).strip()
    return (
        _open_fields(right, text)
        if question_type == "open"
        else _choice_fields(question_type, choices, right, text)
    )


def _choice_fields(
    question_type: ReadingType, choices: Mapping[str, str], right: Sequence[str], text: str
) -> dict[str, Any]:
    chosen = chosen_letters(text, choices)
    if chosen is None:
        return _row_fields(None)
    exact = is_exact(chosen.letters, right)
    metrics = choice_f1(chosen.letters, right) if question_type == "multiple_choice" else {}
    score = metrics["f1_score"] if metrics else float(exact)
    return _row_fields(
        score or 0.0, answer=chosen.letters, source=chosen.source, metrics=metrics, exact=exact
    )


def _open_fields(right: Sequence[str], text: str) -> dict[str, Any]:
    stated = stated_answers(text)
    if stated is None:
        return _row_fields(None)
    found = open_match(right, stated.answers)
    fields = _row_fields(
        float(found.right), answer=stated.answers, source=stated.source, exact=found.right
    )
    fields["matched"] = None if found.match is None else to_builtins(found.match)
    if found.why and (found.unsure or not found.right):
        fields["reasons"] = {"score": found.why}
    if found.unsure:
        names = ("score", "score_if_parsed", "exact")
        fields |= {"at_least": dict.fromkeys(names, 0.0), "at_most": dict.fromkeys(names, 1.0)}
    return fields


def _row_fields(
    score: float | None,
    *,
    answer: Sequence[str] = (),
    source: str | None = None,
    metrics: Mapping[str, Any] | None = None,
    exact: bool = False,
) -> dict[str, Any]:
    """The fields of the row. ``score`` is ``None`` if the reply cannot be parsed: 0.0 in the row."""
    is_parsed = score is not None
    return {
        "model_answer": list(answer),
        "parsing_status": PARSED if is_parsed else UNPARSED,
        "parsed_from": source,
        "score": score if is_parsed else 0.0,
        "metrics": metrics or {},
        "scores": {"parsed": is_parsed, "score_if_parsed": score, "exact": exact},
    }
