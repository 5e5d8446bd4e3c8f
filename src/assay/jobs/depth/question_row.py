"""A line of a question file as it is written, and the checks of its fields.

Fields of other tools are accepted: a line may have any further field, numbers may be written as
text, and the quoted evidence may be in ``validation``, as in files that a validator has written.
"""

import re
from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import fields

from assay.data.foreign_value import as_items, as_text, as_whole_number
from assay.data.jsonl import repeated_key

QuestionType: TypeAlias = Literal["single_choice", "multiple_choice", "open"]

_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_TYPES: Final = frozenset({"single_choice", "multiple_choice", "open"})
_LABELLED: Final = re.compile(r"\W*([a-z])(?:\W.*)?", re.DOTALL)
_SEVERAL: Final = re.compile(r"[a-z](?:[\s,;/、，；]*[a-z])*")
_LETTER_FIELDS: Final = ("key", "label", "letter", "option", "id")
_TEXT_FIELDS: Final = ("text", "content", "value")


class Position(Struct, frozen=True, kw_only=True):
    """The evidence in tokens of the novel, as in the file; ``end_pos`` is after the last token."""

    start_pos: int
    end_pos: int


class RowFault(ValueError):
    """What is wrong with a row; the caller adds the line."""


class EvidenceBounds(Struct):
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
    evidence_span: EvidenceBounds | tuple[int, int] | None = None
    position: Position | None = None
    validation: Any = None
    source: str | None = None
    metadata: dict[str, Any] | None = None
    draft: Any = None


def read_row(line: bytes) -> QuestionRow:
    """Read a line; raises ``msgspec.DecodeError`` if it is not an object with these fields."""
    content = msgspec.json.decode(line, type=dict[str, Any])
    if repeated := repeated_key(line):
        raise msgspec.ValidationError(repeated.problem)
    for name in ("question", "text", "question_type", "source"):
        if name in content:
            content[name] = as_text(content[name])
    for name in ("choice", "choices"):
        if name in content:
            content[name] = _choice_texts(content[name])
    if "position" in content:
        content["position"] = _position(content["position"])
    if not isinstance(content.get("metadata"), dict):
        content.pop("metadata", None)
    return msgspec.convert(content, QuestionRow)


def read_position(value: Any) -> Position | None:
    """The position that a value states: an object or two numbers, perhaps as text; else None.

    >>> read_position({"start_pos": "12", "end_pos": 40.0})
    Position(start_pos=12, end_pos=40)
    >>> read_position([3, 9]), read_position({"start_pos": None, "end_pos": None})
    (Position(start_pos=3, end_pos=9), None)
    """
    if isinstance(value, Mapping):
        value = [value.get("start_pos"), value.get("end_pos")]
    ends = [as_whole_number(end) for end in value] if isinstance(value, list) else []
    if len(ends) != 2 or ends[0] is None or ends[1] is None:
        return None
    return Position(start_pos=ends[0], end_pos=ends[1])


def _position(value: Any) -> Any:
    """A position as an object; what cannot be read stays, so that it is refused."""
    position = read_position(value)
    if position is not None:
        return {"start_pos": position.start_pos, "end_pos": position.end_pos}
    values = value.values() if isinstance(value, Mapping) else as_items(value)
    return None if all(end is None for end in values) else value


def _choice_texts(value: Any) -> Any:
    """Choices with texts: numbers become texts, and objects their letter and their text."""
    if isinstance(value, dict):
        return {letter: _choice_text(text) for letter, text in value.items()}
    if not isinstance(value, list):
        return value
    letters = [_first_of(item, _LETTER_FIELDS) for item in value]
    if value and all(isinstance(letter, str) for letter in letters):
        texts = (_first_of(item, _TEXT_FIELDS) for item in value)
        return {
            str(letter): _choice_text(text) for letter, text in zip(letters, texts, strict=True)
        }
    return [_choice_text(item) for item in value]


def _first_of(item: Any, names: tuple[str, ...]) -> Any:
    """The first of these fields that an object has; None if it is no object."""
    if not isinstance(item, Mapping):
        return None
    return next((item[name] for name in names if name in item), None)


def _choice_text(value: Any) -> Any:
    text = "" if value is None else as_text(value)
    return value if text is None else text


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
    kind = _known_type(row.question_type)
    if not choices:
        if kind not in {None, "open"}:
            raise RowFault("the choices are missing; add `choice`")
        return "open", answers
    if kind == "open":
        raise RowFault("an open question has no `choice`")
    letters = tuple(
        dict.fromkeys(letter for answer in answers for letter in _letters(answer, choices))
    )
    if kind is None:
        kind = "single_choice" if len(letters) == 1 else "multiple_choice"
    if kind == "single_choice":
        if len(letters) > 1:
            raise RowFault(f"a single choice question has one answer, not {len(letters)}")
        return "single_choice", letters
    return "multiple_choice", tuple(sorted(letters))


def _known_type(written: str | None) -> QuestionType | None:
    """The type that a word names; None if it names no known one, and the answers decide.

    >>> _known_type("Multi-choice"), _known_type("单选题")
    ('multiple_choice', None)
    """
    word = (written or "").strip().lower().replace("-", "_").replace(" ", "_")
    if word in _TYPES or not word:
        return word or None  # type: ignore[return-value]
    if word.startswith("multi"):
        return "multiple_choice"
    return "single_choice" if word.startswith("single") else None


def _letters(answer: str, choices: Mapping[str, str]) -> tuple[str, ...]:
    """The letters of an answer: ``b``, ``B.``, ``b. the lamp``, ``ab`` or ``a, b``."""
    written = answer.lower()
    if written in choices:
        return (written,)
    if _SEVERAL.fullmatch(written):
        letters = tuple(letter for letter in written if letter in _LETTERS)
        if all(letter in choices for letter in letters):
            return letters
    labelled = _LABELLED.fullmatch(written)
    if labelled and labelled[1] in choices:
        return (labelled[1],)
    texts = [letter for letter, text in choices.items() if text.strip().lower() == written.strip()]
    if len(texts) == 1:
        return (texts[0],)
    raise RowFault(f"`answer` {answer!r} is not one of the choices {', '.join(choices)}")


def quotations(row: QuestionRow) -> list[str]:
    """The passages that the row quotes as evidence; empty if it quotes none.

    It may quote several, or one with omissions; they are one place if they are near each other.
    """
    if row.evidence is not None:
        passages = row.evidence if isinstance(row.evidence, list) else [row.evidence]
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
