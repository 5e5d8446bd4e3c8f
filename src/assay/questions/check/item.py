"""The questions of a set in one form, whatever job they are for, and the faults of its file.

A line with ``must_include`` and the like is a question of the quality job; one with choices or
evidence of a novel is one of the depth job; every other line is a question about a corpus. A set
may mix them. Files of other tools are read as ``assay.data.question_set`` reads them.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, get_args

import msgspec
from msgspec import Struct

from assay.data.foreign_set import FORMATS, is_json_lines, refuse_other_format
from assay.data.jsonl import UNREADABLE, BadLine, decode_problem, decoded_lines
from assay.data.question import CorpusQuestion, is_metadata, question_of_foreign, read_question_line
from assay.data.question_set import accepted_answers, foreign_questions, is_own_format
from assay.errors import DatasetError
from assay.jobs.depth.question import read_written_question
from assay.jobs.depth.question_row import RowFault
from assay.jobs.legal.benchmark_check import check_benchmark
from assay.jobs.legal.question import BenchQuestion, FactQuestion, GapQuestion, QuestionType
from assay.jobs.quality.question import read_quality_line
from assay.records import GoldSpan
from assay.words.message import Message, message

# What ``assay questions check`` can find, how serious it is, and what a question is worth.

Kind: TypeAlias = Literal[
    "file_problem",
    "duplicate",
    "near_duplicate",
    "gold_missing",
    "answer_not_in_evidence",
    "answer_in_question",
    "two_right_choices",
    "answer_elsewhere",
    "answered_by_corpus",
    "unanswerable_answer",
    "language_mix",
    "closed_book",
    "copied_words",
    "unbalanced_sources",
    "unbalanced_positions",
]
FaultLevel: TypeAlias = Literal["error", "warning", "note"]

LEVELS: Final[dict[Kind, FaultLevel]] = {
    "file_problem": "error",
    "duplicate": "error",
    "near_duplicate": "error",
    "gold_missing": "error",
    "answer_not_in_evidence": "error",
    "answer_in_question": "error",
    "two_right_choices": "error",
    "answer_elsewhere": "warning",
    "answered_by_corpus": "warning",
    "unanswerable_answer": "warning",
    "language_mix": "warning",
    "closed_book": "warning",
    "unbalanced_sources": "warning",
    "unbalanced_positions": "warning",
    "copied_words": "note",
}
"""``--fix`` takes out questions with an error; a note alone does not change the exit code."""

KINDS: Final[dict[Kind, Message]] = {
    "file_problem": message("not a question"),
    "duplicate": message("the same question twice"),
    "near_duplicate": message("nearly the same question"),
    "gold_missing": message("the gold passage is not in the corpus"),
    "answer_not_in_evidence": message("the gold passage does not say the answer"),
    "answer_in_question": message("answer in the question"),
    "two_right_choices": message("two right choices"),
    "answer_elsewhere": message("another passage answers too"),
    "answered_by_corpus": message("marked unanswerable, but a passage seems to answer"),
    "unanswerable_answer": message("marked unanswerable, but with an expected answer"),
    "language_mix": message("languages mixed"),
    "closed_book": message("answered without the document"),
    "copied_words": message("the question repeats its passage word for word"),
    "unbalanced_sources": message("most questions are about few documents"),
    "unbalanced_positions": message("most questions are about one part of the documents"),
}

COST: Final[dict[FaultLevel, float]] = {"error": 0.5, "warning": 0.2, "note": 0.05}


class QuestionFault(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One fault. ``id`` is empty if it is one of the whole set; ``line`` is 0 then.

    ``other`` is the id of the other question or the passage that is meant; ``proposal`` is a gold
    span or chunk that the question could have besides.
    """

    kind: Kind
    what: Message | str
    id: str = ""
    line: int = 0
    other: str = ""
    proposal: dict[str, Any] | None = None

    @property
    def level(self) -> FaultLevel:
        """How serious it is."""
        return LEVELS[self.kind]


def question_score(findings: Iterable[QuestionFault]) -> float:
    """1 less 0.5 for each error, 0.2 for each warning and 0.05 for each note; never below 0.

    Several findings of one kind count once.

    >>> found = [QuestionFault(kind="duplicate", what=""), QuestionFault(kind="copied_words", what="")]
    >>> question_score(found), question_score([])
    (0.45, 1.0)
    """
    kinds = {finding.kind for finding in findings}
    return round(max(0.0, 1.0 - sum(COST[LEVELS[kind]] for kind in kinds)), 2)


_QUALITY: Final = frozenset({"must_include", "must_include_any", "must_not_include"})
_NOVEL: Final = frozenset({"choice", "choices", "evidence", "evidence_span", "position"})


class Item(Struct, frozen=True, kw_only=True, gc=False):
    """A question of any job.

    ``answers`` are texts; those of a choice question are the texts of its right choices.
    ``unused`` are those of a question that is marked unanswerable: nothing is compared with them.
    ``choices`` are all choices by letter, and ``letters`` the right ones. ``has_own_check`` if the
    evidence was checked by the reader of the file.
    """

    id: str
    line: int
    text: str
    answers: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()
    choices: Mapping[str, str] | None = None
    letters: tuple[str, ...] = ()
    source: str | None = None
    gold: tuple[str, ...] = ()
    spans: tuple[GoldSpan, ...] = ()
    answerable: bool | None = None
    kind: str = ""
    has_own_check: bool = False


def read_items(path: Path) -> tuple[list[Item], list[QuestionFault]]:
    """The questions of a file, and a finding for every line that is none.

    Raises:
        DatasetError: the file cannot be read, or has no questions.
    """
    items: list[Item] = []
    faults: list[QuestionFault] = []
    lines: dict[str, int] = {}
    for number, read in _read(path):
        if not isinstance(read, Item):
            faults.append(QuestionFault(kind="file_problem", what=read, line=number))
        elif (first := lines.setdefault(read.id, number)) != number:
            what = message(
                "the id {id} is already on line {first}; ids are unique",
                id=repr(read.id),
                first=first,
            )
            faults.append(QuestionFault(kind="file_problem", what=what, id=read.id, line=number))
        else:
            items.append(read)
    if not items and not faults:
        raise DatasetError(f"{path}: the file has no questions")
    return items, faults


def _read(path: Path) -> Iterator[tuple[int, Item | Message | str]]:
    """The questions with their lines; in place of a question, what is wrong with its line."""
    if not is_own_format(path) and not _is_of_other_job(path):
        for row in foreign_questions(path, with_repeats=True):
            try:
                yield row.line, _corpus_item(question_of_foreign(row, path), row.fields, row.line)
            except BadLine as bad:
                yield row.line, bad.reason
        return
    refuse_other_format(path, FORMATS)
    for number, line in decoded_lines(path):
        try:
            fields = msgspec.json.decode(line)
        except UNREADABLE as error:
            yield number, message("not JSON: {line}", line=decode_problem(line, error))
            continue
        if not isinstance(fields, dict):
            yield number, message("not a JSON object; put one question on each line")
        elif not is_metadata(fields):
            yield number, _item(line, fields, path, number)


def _is_of_other_job(path: Path) -> bool:
    """Whether lines of JSON have fields of the quality or the depth job, which name answers too."""
    if not is_json_lines(path):
        return False
    for _, line in decoded_lines(path):
        try:
            fields = msgspec.json.decode(line)
        except UNREADABLE:
            continue
        if isinstance(fields, dict) and not (_QUALITY | _NOVEL).isdisjoint(fields):
            return True
    return False


def _item(line: bytes, fields: Mapping[str, Any], path: Path, number: int) -> Item | Message | str:
    if _QUALITY & fields.keys():
        return _quality_item(line, number)
    if _NOVEL & fields.keys():
        return _novel_item(line, fields, number)
    try:
        question = read_question_line(line, path, number)
    except BadLine as bad:
        return bad.reason
    return "no question" if question is None else _corpus_item(question, fields, number)


def _corpus_item(question: CorpusQuestion, fields: Mapping[str, Any], number: int) -> Item:
    return Item(
        id=question.id,
        line=number,
        text=question.text,
        answers=question.answers,
        unused=accepted_answers(fields.get("answer")) if question.answerable is False else (),
        source=question.source,
        gold=question.gold,
        spans=question.spans,
        answerable=question.answerable,
        kind=_kind(fields),
    )


def _quality_item(line: bytes, number: int) -> Item | Message | str:
    question, problems = read_quality_line(line)
    if question is None:
        return "; ".join(problems)
    return Item(id=question.id, line=number, text=question.text, answers=question.answers)


def _novel_item(line: bytes, fields: Mapping[str, Any], number: int) -> Item | Message | str:
    try:
        written = read_written_question(line)
    except RowFault as fault:
        return str(fault)
    except UNREADABLE as error:
        return message("not a question: {line}", line=decode_problem(line, error))
    source = written.source or ""
    if written.quotations:
        spans = tuple(GoldSpan(source=source, text=text) for text in written.quotations)
    elif written.start is not None:
        spans = (GoldSpan(source=source, start=written.start, end=written.end),)
    else:
        spans = ()
    right = tuple(written.choices.get(letter, letter) for letter in written.answers)
    return Item(
        id=written.id or f"line {number}",
        line=number,
        text=written.text,
        answers=right if written.question_type != "multiple_choice" else (),
        choices=dict(written.choices) or None,
        letters=written.answers if written.choices else (),
        source=written.source,
        spans=spans,
        answerable=True,
        kind=_kind(fields) or written.question_type,
    )


def _kind(fields: Mapping[str, Any]) -> str:
    draft = fields.get("draft")
    written = draft.get("kind") if isinstance(draft, Mapping) else fields.get("kind")
    return written if isinstance(written, str) else ""


# Files of ``assay bench``: their own check knows their structure and their quotations.

_TYPES = frozenset(get_args(QuestionType))


def is_bench_file(path: Path) -> bool:
    """Whether a file is one of ``assay bench``: its questions have one of its types."""
    if path.suffix.lower() != ".json":
        return False
    try:
        content = msgspec.json.decode(path.read_bytes())
    except (OSError, *UNREADABLE):
        return False
    if not isinstance(content, dict) or not isinstance(content.get("questions"), list):
        return False
    types = [content.get("benchmark_type")]
    types += [each.get("type") for each in content["questions"] if isinstance(each, dict)]
    return any(isinstance(name, str) and name in _TYPES for name in types)


def read_bench_items(path: Path) -> tuple[list[Item], list[QuestionFault]]:
    """The questions of a file of ``assay bench``, and what its own check finds.

    A quotation that is not at its place is gold that does not exist; every other problem is one
    of the file. With a problem that blocks the file, its questions are not read.
    """
    checked = check_benchmark(path)
    findings = [
        QuestionFault(
            kind="file_problem" if problem.blocks else "gold_missing",
            what=f"{problem.path}: {problem.message}",
            line=problem.line,
        )
        for problem in checked.problems
    ]
    if checked.benchmark is None:
        return [], findings
    lines = dict(checked.ids)
    return [
        _bench_item(each, lines.get(each.id, 0)) for each in checked.benchmark.questions
    ], findings


def _bench_item(question: BenchQuestion, line: int) -> Item:
    answers: tuple[str | None, ...] = ()
    if isinstance(question, FactQuestion):
        answers = (question.expected.text_answer or question.expected.entity,)
    is_gap = isinstance(question, GapQuestion) and question.must_abstain
    return Item(
        id=question.id,
        line=line,
        text=question.question,
        answers=tuple(answer for answer in answers if answer),
        answerable=not is_gap,
        kind=question.type,
        has_own_check=True,
    )
