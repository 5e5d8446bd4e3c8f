"""Read questions about a novel: JSON lines, each with its evidence in one of three forms.

``evidence_span`` gives the evidence in characters of the novel (``{"start", "end"}`` or two
numbers), ``position`` (``{"start_pos", "end_pos"}``) gives it in tokens of the run's tokenizer,
and ``evidence`` quotes it. Of the first two, ``evidence_span`` is used if both are present. A
quotation is compared with the novel's text there; if it differs, the quotation is searched for
in the novel. A first line ``{"metadata": …}`` is skipped.

A question with ``choice`` (letters with texts) is a single or multiple choice question, and its
``answer`` consists of letters. Without ``choice`` it is an open question, and its ``answer`` is
a text or a list of accepted texts.
"""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Struct, field

from assay.data.jsonl import BadLine
from assay.data.line import numbered_lines
from assay.data.novel.evidence_location import EvidenceLocator
from assay.data.novel.tokenized import TokenizedNovel
from assay.errors import DatasetError
from assay.records import Question
from assay.text import Span

QuestionType: TypeAlias = Literal["single_choice", "multiple_choice", "open"]
Located: TypeAlias = Literal["span", "position", "exact", "normalised", "fuzzy"]

_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"


class Position(Struct, frozen=True, kw_only=True):
    """The evidence in tokens of the novel, as in the file; ``end_pos`` is after the last token."""

    start_pos: int
    end_pos: int


class NovelQuestion(Question, frozen=True, kw_only=True):
    """A question about a novel.

    ``answers`` are the letters of the correct choices, or the accepted texts of an open
    question. ``evidence`` is in characters of the novel, or ``None`` if it was not found.
    ``note`` then says so; otherwise it says what is uncertain about the location, or is empty.
    """

    question_type: QuestionType
    choices: Mapping[str, str] = field(default_factory=dict)
    answers: tuple[str, ...]
    evidence: Span | None = None
    located: Located | None = None
    position: Position | None = None
    note: str = ""


class _Bounds(Struct):
    start: int
    end: int


class _Row(Struct):
    id: str | int | None = None
    question: str | None = None
    text: str | None = None
    question_type: str | None = None
    choice: dict[str, str] | list[str] | None = None
    choices: dict[str, str] | list[str] | None = None
    answer: str | int | float | list[str | int | float] | None = None
    correct_answer: str | int | float | list[str | int | float] | None = None
    evidence: str | list[str] | None = None
    evidence_span: _Bounds | tuple[int, int] | None = None
    position: Position | None = None
    source: str | None = None
    metadata: dict[str, Any] | None = None


def read_novel_questions(path: Path, novel: TokenizedNovel) -> list[NovelQuestion]:
    """Read the questions of a file in order and locate their evidence in the novel.

    Raises:
        BadLine: a line is not a valid question, or repeats an id; the message gives the line.
        DatasetError: the file cannot be read, or has no questions.
    """
    reader = _Reader(path, novel)
    decoder = msgspec.json.Decoder(_Row)
    questions: list[NovelQuestion] = []
    for index, (number, line) in enumerate(numbered_lines(path)):
        try:
            row = decoder.decode(line)
        except msgspec.DecodeError as error:
            raise BadLine(path, number, f"not a question: {error}") from None
        if index == 0 and row.metadata is not None and row.question is None:
            continue
        questions.append(reader.question(row, number))
    if not questions:
        raise DatasetError(f"{path}: the file has no questions")
    return questions


def read_question_metadata(path: Path) -> Mapping[str, Any]:
    """Read ``metadata`` from the first line of a question file; empty if there is none."""
    for number, line in numbered_lines(path):
        try:
            return msgspec.json.decode(line, type=_Row).metadata or {}
        except msgspec.DecodeError as error:
            raise BadLine(path, number, f"not a question: {error}") from None
    return {}


class _Reader:
    """Converts the rows of one file to questions."""

    def __init__(self, path: Path, novel: TokenizedNovel) -> None:
        self._path = path
        self._novel = novel
        self._locator = EvidenceLocator(novel.text)
        self._lines: dict[str, int] = {}

    def question(self, row: _Row, number: int) -> NovelQuestion:
        try:
            text = _text(row)
            choices = _choices(row)
            kind, answers = _answers(row, choices)
            evidence, located, note = self._evidence(row)
        except _Fault as fault:
            raise BadLine(self._path, number, str(fault)) from None
        return NovelQuestion(
            id=self._id(row, number, [text, choices, answers, _evidence_fields(row)]),
            text=text,
            source=row.source,
            question_type=kind,
            choices=choices,
            answers=answers,
            evidence=evidence,
            located=located,
            position=row.position,
            note=note,
        )

    def _id(self, row: _Row, number: int, content: Sequence[Any]) -> str:
        if row.id is not None and str(row.id).strip():
            question_id = str(row.id)
            first = self._lines.setdefault(question_id, number)
            if first != number:
                raise BadLine(
                    self._path,
                    number,
                    f"question {question_id!r} is already on line {first}; ids are unique",
                )
            return question_id
        return _derived_id(content, self._lines, number)

    def _evidence(self, row: _Row) -> tuple[Span | None, Located | None, str]:
        """The span of the evidence, how it was located, and the note for the question."""
        quotation = _quotation(row)
        stated, kind = self._stated_span(row)
        if stated is None and quotation is None:
            raise _Fault("no evidence; add `evidence`, `evidence_span` or `position`")
        if quotation is None:
            return stated, kind, ""
        if stated is not None and quotation in stated.of(self._novel.text):
            return stated, kind, ""
        near = None if stated is None else stated.start
        location = self._locator.location(quotation, near=near)
        if location is None:
            note = f"evidence not found in the novel: {_excerpt(quotation)!r}"
            return (None, None, note) if stated is None else (stated, kind, f"{note}; {kind} used")
        doubt = "" if stated is None else f"`{kind}` does not contain the quoted evidence"
        return location.span, location.how, "; ".join(filter(None, (doubt, location.note)))

    def _stated_span(self, row: _Row) -> tuple[Span | None, Located | None]:
        """The span that ``evidence_span`` or ``position`` states; None if both are missing."""
        if row.evidence_span is not None:
            bounds = row.evidence_span
            start, end = bounds if isinstance(bounds, tuple) else (bounds.start, bounds.end)
            size = len(self._novel.novel.text)
            if not 0 <= start < end <= size:
                raise _Fault(
                    f"`evidence_span` {start} to {end} is not a valid range of the novel's "
                    f"{size} characters"
                )
            return Span(start=start, end=end), "span"
        if row.position is not None:
            first, last = row.position.start_pos, row.position.end_pos
            if not 0 <= first < last <= self._novel.tokens:
                raise _Fault(
                    f"`position` {first} to {last} is not a valid range of the novel's "
                    f"{self._novel.tokens} tokens ({self._novel.tokenizer.name}); "
                    "check that these are the right novel and tokenizer"
                )
            span = Span(start=self._novel.offset(first), end=self._novel.offset(last))
            return span, "position"
        return None, None


class _Fault(ValueError):
    """What is wrong with a row; the caller adds the line."""


def _text(row: _Row) -> str:
    text = row.question if row.question is not None else row.text
    if text is None or not text.strip():
        raise _Fault("the question has no text; write it as `question`")
    return text


def _choices(row: _Row) -> dict[str, str]:
    value = row.choice if row.choice is not None else row.choices
    if value is None:
        return {}
    lettered = value if isinstance(value, dict) else dict(zip(_LETTERS, value, strict=False))
    choices = {letter.strip().lower(): text for letter, text in lettered.items()}
    if len(choices) < 2 or len(choices) != len(value):
        raise _Fault("`choice` needs two or more choices with different letters")
    return choices


def _answers(row: _Row, choices: Mapping[str, str]) -> tuple[QuestionType, tuple[str, ...]]:
    value = row.answer if row.answer is not None else row.correct_answer
    values = value if isinstance(value, list) else [] if value is None else [value]
    answers = tuple(dict.fromkeys(str(answer).strip() for answer in values))
    if not answers or not all(answers):
        raise _Fault("the question has no `answer`")
    if not choices:
        if row.question_type not in {None, "open"}:
            raise _Fault(
                _unknown_type_message(row)
                if _has_unknown_type(row)
                else "the choices are missing; add `choice`"
            )
        return "open", answers
    letters = tuple(dict.fromkeys(answer.lower() for answer in answers))
    unknown = [letter for letter in letters if letter not in choices]
    if unknown:
        raise _Fault(f"`answer` {unknown[0]!r} is not one of the choices {', '.join(choices)}")
    kind = row.question_type or ("single_choice" if len(letters) == 1 else "multiple_choice")
    if kind == "single_choice":
        if len(letters) > 1:
            raise _Fault(f"a single choice question has one answer, not {len(letters)}")
        return "single_choice", letters
    if kind == "multiple_choice":
        return "multiple_choice", tuple(sorted(letters))
    raise _Fault(
        _unknown_type_message(row) if _has_unknown_type(row) else "an open question has no `choice`"
    )


def _has_unknown_type(row: _Row) -> bool:
    return row.question_type not in {"single_choice", "multiple_choice", "open"}


def _unknown_type_message(row: _Row) -> str:
    return (
        f"`question_type` {row.question_type!r} is unknown; "
        "use single_choice, multiple_choice or open"
    )


def _quotation(row: _Row) -> str | None:
    quotation = row.evidence
    if isinstance(quotation, list):
        if len(quotation) != 1:
            raise _Fault("`evidence` must be one passage; quote one passage that contains it all")
        quotation = quotation[0]
    return quotation.strip() or None if quotation is not None else None


def _evidence_fields(row: _Row) -> list[Any]:
    return [row.evidence, row.evidence_span, row.position]


def _derived_id(content: Sequence[Any], taken: dict[str, int], number: int) -> str:
    """An id derived from the content; ``-n`` is appended for the n-th question with the same.

    The id and its line are added to ``taken``.
    """
    data = msgspec.json.encode(content, order="deterministic")
    base = question_id = "q" + hashlib.blake2b(data, digest_size=5).hexdigest()
    copies = 1
    while question_id in taken:
        copies += 1
        question_id = f"{base}-{copies}"
    taken[question_id] = number
    return question_id


def _excerpt(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"
