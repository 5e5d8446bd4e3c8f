"""The scores of one answer about a long text: choices by letters, open questions by words.

A single choice is right or wrong, and two letters are wrong. A multiple choice is scored by the
F1 of its letters. An open answer is right if it gives an accepted answer. A reply that cannot
be read has the ``parsing_status`` ``"parsing_error"`` and, as in published results, a ``score``
of 0.0. Its ``scores.score_if_parsed`` is ``None``, so that the same rows also show the mean
over the parsed replies alone.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

from msgspec import to_builtins

from assay.scorers.long_context.choice import choice_f1, chosen_letters, is_exact
from assay.scorers.long_context.open_answer import open_match, stated_answers
from assay.text import scored_text

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
        return _unparsed_fields()
    exact = is_exact(chosen.letters, right)
    metrics = choice_f1(chosen.letters, right) if question_type == "multiple_choice" else {}
    score = metrics["f1_score"] if metrics else float(exact)
    return _parsed_fields(list(chosen.letters), chosen.source, score or 0.0, metrics, exact=exact)


def _open_fields(right: Sequence[str], text: str) -> dict[str, Any]:
    stated = stated_answers(text)
    if stated is None:
        return _unparsed_fields()
    found = open_match(right, stated.answers)
    fields = _parsed_fields(
        list(stated.answers), stated.source, float(found.right), {}, exact=found.right
    )
    fields["matched"] = None if found.match is None else to_builtins(found.match)
    if found.why and (found.unsure or not found.right):
        fields["reasons"] = {"score": found.why}
    if found.unsure:
        names = ("score", "score_if_parsed", "exact")
        fields |= {"at_least": dict.fromkeys(names, 0.0), "at_most": dict.fromkeys(names, 1.0)}
    return fields


def _parsed_fields(
    answer: list[str], source: str, score: float, metrics: Mapping[str, Any], *, exact: bool
) -> dict[str, Any]:
    return {
        "model_answer": answer,
        "parsing_status": PARSED,
        "parsed_from": source,
        "score": score,
        "metrics": metrics,
        "scores": {"parsed": True, "score_if_parsed": score, "exact": exact},
    }


def _unparsed_fields() -> dict[str, Any]:
    return {
        "model_answer": [],
        "parsing_status": UNPARSED,
        "parsed_from": None,
        "score": 0.0,
        "metrics": {},
        "scores": {"parsed": False, "score_if_parsed": None, "exact": False},
    }
