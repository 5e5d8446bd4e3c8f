"""Questions over a novel: JSON lines, each with its evidence in one of three shapes.

``evidence_span`` gives the evidence in characters of the novel (``{"start", "end"}`` or two
numbers), ``evidence`` quotes it, ``position`` (``{"start_pos", "end_pos"}``) gives it in tokens
of the run's tokenizer. With several, the first of these that is there wins, and a quotation
is checked against it. A first line ``{"metadata": …}`` is passed over.

A question with ``choice`` (letters with texts) is a single or a multiple choice and its
``answer`` is letters; one without is open and its ``answer`` a text or a list of accepted ones.
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
    """The evidence in tokens of the novel, as the file gave it; ``end_pos`` is past the last."""

    start_pos: int
    end_pos: int


class NovelQuestion(Question, frozen=True, kw_only=True):
    """A question over a novel.

    ``answers`` are the letters of the right choices, or the accepted texts of an open
    question. ``evidence`` is in characters of the novel, ``None`` where it could not be found;
    ``note`` then says so, and otherwise what is uncertain about it.
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
    """The questions of a file in order, their evidence located; every fault names its line."""
    reader = _Reader(path, novel)
    decoder = msgspec.json.Decoder(_Row)
    questions: list[NovelQuestion] = []
    for place, (number, line) in enumerate(numbered_lines(path)):
        try:
            row = decoder.decode(line)
        except msgspec.DecodeError as error:
            raise BadLine(path, number, f"not a question: {error}") from None
        if place == 0 and row.metadata is not None and row.question is None:
            continue
        questions.append(reader.question(row, number))
    if not questions:
        raise DatasetError(f"{path}: there are no questions in it")
    return questions


def read_question_metadata(path: Path) -> Mapping[str, Any]:
    """What the file's first line says of the set; empty where it says nothing."""
    for number, line in numbered_lines(path):
        try:
            return msgspec.json.decode(line, type=_Row).metadata or {}
        except msgspec.DecodeError as error:
            raise BadLine(path, number, f"not a question: {error}") from None
    return {}


class _Reader:
    """Turns the rows of one file into questions."""

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
            id=self._id(row, number, [text, choices, answers, _place_key(row)]),
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
            name = str(row.id)
            first = self._lines.setdefault(name, number)
            if first != number:
                raise BadLine(
                    self._path, number, f"question {name!r} stands already on line {first}"
                )
            return name
        return _fresh_id(content, self._lines, number)

    def _evidence(self, row: _Row) -> tuple[Span | None, Located | None, str]:
        quoted = _quotation(row)
        given, kind = self._given(row)
        if given is None and quoted is None:
            raise _Fault("no evidence; give `evidence`, `evidence_span` or `position`")
        if quoted is None:
            return given, kind, ""
        if given is not None and quoted in given.of(self._novel.text):
            return given, kind, ""
        near = None if given is None else given.start
        found = self._locator.location(quoted, near=near)
        if found is None:
            lost = f"evidence not found in the novel: {_shortened(quoted)!r}"
            return (None, None, lost) if given is None else (given, kind, f"{lost}; {kind} used")
        doubt = "" if given is None else f"`{kind}` does not hold the evidence quoted"
        return found.span, found.how, "; ".join(filter(None, (doubt, found.note)))

    def _given(self, row: _Row) -> tuple[Span | None, Located | None]:
        """The evidence as offsets say."""
        if row.evidence_span is not None:
            ends = row.evidence_span
            start, end = ends if isinstance(ends, tuple) else (ends.start, ends.end)
            size = len(self._novel.novel.text)
            if not 0 <= start < end <= size:
                raise _Fault(
                    f"`evidence_span` {start} to {end} is no stretch of the novel's "
                    f"{size} characters"
                )
            return Span(start=start, end=end), "span"
        if row.position is not None:
            first, last = row.position.start_pos, row.position.end_pos
            if not 0 <= first < last <= self._novel.tokens:
                raise _Fault(
                    f"`position` {first} to {last} is no stretch of the novel's "
                    f"{self._novel.tokens} tokens ({self._novel.tokenizer.name}); "
                    "is it the right novel and tokenizer?"
                )
            span = Span(start=self._novel.offset(first), end=self._novel.offset(last))
            return span, "position"
        return None, None


class _Fault(ValueError):
    """What is wrong with a row, without its line."""


def _text(row: _Row) -> str:
    text = row.question if row.question is not None else row.text
    if text is None or not text.strip():
        raise _Fault("the question has no text; give it as `question`")
    return text


def _choices(row: _Row) -> dict[str, str]:
    given = row.choice if row.choice is not None else row.choices
    if given is None:
        return {}
    named = given if isinstance(given, dict) else dict(zip(_LETTERS, given, strict=False))
    choices = {name.strip().lower(): text for name, text in named.items()}
    if len(choices) < 2 or len(choices) != len(given):
        raise _Fault("`choice` needs two or more choices, each with a letter of its own")
    return choices


def _answers(row: _Row, choices: Mapping[str, str]) -> tuple[QuestionType, tuple[str, ...]]:
    given = row.answer if row.answer is not None else row.correct_answer
    listed = given if isinstance(given, list) else [] if given is None else [given]
    answers = tuple(dict.fromkeys(str(answer).strip() for answer in listed))
    if not answers or not all(answers):
        raise _Fault("the question has no `answer`")
    if not choices:
        if row.question_type not in {None, "open"}:
            raise _Fault(_wrong_type(row) if _unknown(row) else "the choices are missing: `choice`")
        return "open", answers
    letters = tuple(dict.fromkeys(answer.lower() for answer in answers))
    unknown = [letter for letter in letters if letter not in choices]
    if unknown:
        raise _Fault(f"`answer` {unknown[0]!r} is none of the choices {', '.join(choices)}")
    kind = row.question_type or ("single_choice" if len(letters) == 1 else "multiple_choice")
    if kind == "single_choice":
        if len(letters) > 1:
            raise _Fault(f"a single choice has one answer, not {len(letters)}")
        return "single_choice", letters
    if kind == "multiple_choice":
        return "multiple_choice", tuple(sorted(letters))
    raise _Fault(_wrong_type(row) if _unknown(row) else "an open question has no `choice`")


def _unknown(row: _Row) -> bool:
    return row.question_type not in {"single_choice", "multiple_choice", "open"}


def _wrong_type(row: _Row) -> str:
    return (
        f"`question_type` {row.question_type!r} is unknown; "
        "there are: single_choice, multiple_choice, open"
    )


def _quotation(row: _Row) -> str | None:
    quoted = row.evidence
    if isinstance(quoted, list):
        if len(quoted) != 1:
            raise _Fault("`evidence` must be one passage; quote the stretch that holds all of it")
        quoted = quoted[0]
    return quoted.strip() or None if quoted is not None else None


def _place_key(row: _Row) -> list[Any]:
    return [row.evidence, row.evidence_span, row.position]


def _fresh_id(content: Sequence[Any], taken: dict[str, int], number: int) -> str:
    """A name made of what the question says; the n-th of the same content ends in ``-n``."""
    data = msgspec.json.encode(content, order="deterministic")
    base = name = "q" + hashlib.blake2b(data, digest_size=5).hexdigest()
    copies = 1
    while name in taken:
        copies += 1
        name = f"{base}-{copies}"
    taken[name] = number
    return name


def _shortened(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"
