"""A line of a question file as it is written, and the checks of its fields.

Fields of other tools are accepted: a line may have any further field, and the quoted evidence may
stand in ``validation``, as in files that a validator has written.
"""

from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import fields

QuestionType: TypeAlias = Literal["single_choice", "multiple_choice", "open"]

_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"


class Position(Struct, frozen=True, kw_only=True):
    """The evidence in tokens of the novel, as in the file; ``end_pos`` is after the last token."""

    start_pos: int
    end_pos: int


class RowFault(ValueError):
    """What is wrong with a row; the caller adds the line."""


class Bounds(Struct):
    """The evidence in characters of the novel."""

    start: int
    end: int


class QuestionRow(Struct):
    """The fields that are read; all are optional here and checked below."""

    id: str | int | None = None
    question: str | None = None
    text: str | None = None
    question_type: str | None = None
    choice: dict[str, str] | list[str] | None = None
    choices: dict[str, str] | list[str] | None = None
    answer: str | int | float | list[str | int | float] | None = None
    correct_answer: str | int | float | list[str | int | float] | None = None
    evidence: str | list[str] | None = None
    evidence_span: Bounds | tuple[int, int] | None = None
    position: Position | None = None
    validation: Any = None
    source: str | None = None
    metadata: dict[str, Any] | None = None


def question_text(row: QuestionRow) -> str:
    """The text of the question."""
    text = row.question if row.question is not None else row.text
    if text is None or not text.strip():
        raise RowFault("the question has no text; write it as `question`")
    return text


def lettered_choices(row: QuestionRow) -> dict[str, str]:
    """The texts of the choices by letter; empty for an open question."""
    value = row.choice if row.choice is not None else row.choices
    if value is None:
        return {}
    lettered = value if isinstance(value, dict) else dict(zip(_LETTERS, value, strict=False))
    choices = {letter.strip().lower(): text for letter, text in lettered.items()}
    if len(choices) < 2 or len(choices) != len(value):
        raise RowFault("`choice` needs two or more choices with different letters")
    return choices


def typed_answers(
    row: QuestionRow, choices: Mapping[str, str]
) -> tuple[QuestionType, tuple[str, ...]]:
    """The type of the question, and its answers: letters, or the accepted texts."""
    value = row.answer if row.answer is not None else row.correct_answer
    values = value if isinstance(value, list) else [] if value is None else [value]
    answers = tuple(dict.fromkeys(str(answer).strip() for answer in values))
    if not answers or not all(answers):
        raise RowFault("the question has no `answer`")
    if not choices:
        if row.question_type not in {None, "open"}:
            raise RowFault(
                _unknown_type_message(row)
                if _has_unknown_type(row)
                else "the choices are missing; add `choice`"
            )
        return "open", answers
    letters = tuple(dict.fromkeys(answer.lower() for answer in answers))
    unknown = [letter for letter in letters if letter not in choices]
    if unknown:
        raise RowFault(f"`answer` {unknown[0]!r} is not one of the choices {', '.join(choices)}")
    kind = row.question_type or ("single_choice" if len(letters) == 1 else "multiple_choice")
    if kind == "single_choice":
        if len(letters) > 1:
            raise RowFault(f"a single choice question has one answer, not {len(letters)}")
        return "single_choice", letters
    if kind == "multiple_choice":
        return "multiple_choice", tuple(sorted(letters))
    raise RowFault(
        _unknown_type_message(row) if _has_unknown_type(row) else "an open question has no `choice`"
    )


def _has_unknown_type(row: QuestionRow) -> bool:
    return row.question_type not in {"single_choice", "multiple_choice", "open"}


def _unknown_type_message(row: QuestionRow) -> str:
    return (
        f"`question_type` {row.question_type!r} is unknown; "
        "use single_choice, multiple_choice or open"
    )


def quotations(row: QuestionRow) -> list[str]:
    """The passages that the row quotes as evidence; empty if it quotes none.

    ``evidence`` is one passage. ``validation.evidence`` may quote several, or one with omissions.
    """
    if row.evidence is not None:
        passages = row.evidence if isinstance(row.evidence, list) else [row.evidence]
        if len(passages) > 1:
            raise RowFault("`evidence` must be one passage; quote one passage that contains it all")
        written = [passage.strip() for passage in passages if passage.strip()]
        if written:
            return written
    validated = row.validation.get("evidence") if isinstance(row.validation, dict) else None
    quoted = validated if isinstance(validated, list) else [validated]
    return [text.strip() for text in quoted if isinstance(text, str) and text.strip()]


def is_rejected(row: QuestionRow) -> bool:
    """Whether the validator of the file rejected the question."""
    return isinstance(row.validation, dict) and row.validation.get("is_valid") is False


KNOWN_FIELDS: Final = frozenset(field.name for field in fields(QuestionRow))
"""The fields that are read."""
