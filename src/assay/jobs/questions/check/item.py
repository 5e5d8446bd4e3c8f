"""The questions of a set in one form, whatever job they are for, and the faults of its file.

A line with ``must_include`` and the like is a question of the quality job; one with choices or
evidence of a novel is one of the depth job; every other line is a question about a corpus. A set
may mix them. Files of other tools are read as ``assay.data.question_set`` reads them.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from assay.data.decoded_line import decoded_lines
from assay.data.expected_answer import accepted_answers
from assay.data.foreign_set import FORMATS
from assay.data.json_line_set import is_json_lines
from assay.data.jsonl import UNREADABLE, BadLine, decode_problem
from assay.data.novel import RowFault, read_written_question
from assay.data.other_format import refuse_other_format
from assay.data.quality import read_quality_line
from assay.data.question import (
    CorpusQuestion,
    is_metadata,
    question_of_foreign,
    read_question_line,
)
from assay.data.question_set import foreign_questions, is_own_format
from assay.errors import DatasetError
from assay.jobs.questions.check.finding import Finding
from assay.records import GoldSpan

_QUALITY: Final = frozenset({"must_include", "must_include_any", "must_not_include"})
_NOVEL: Final = frozenset({"choice", "choices", "evidence", "evidence_span", "position"})


class Item(Struct, frozen=True, kw_only=True, gc=False):
    """A question of any job.

    ``answers`` are texts; those of a choice question are the texts of its right choices.
    ``unused`` are those of a question that is marked unanswerable: nothing is held against them.
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


def read_items(path: Path) -> tuple[list[Item], list[Finding]]:
    """The questions of a file, and a finding for every line that is none.

    Raises:
        DatasetError: the file cannot be read, or has no questions.
    """
    items: list[Item] = []
    faults: list[Finding] = []
    lines: dict[str, int] = {}
    for number, read in _read(path):
        if isinstance(read, str):
            faults.append(Finding(kind="file_problem", what=read, line=number))
        elif (first := lines.setdefault(read.id, number)) != number:
            what = f"the id {read.id!r} is already on line {first}; ids are unique"
            faults.append(Finding(kind="file_problem", what=what, id=read.id, line=number))
        else:
            items.append(read)
    if not items and not faults:
        raise DatasetError(f"{path}: the file has no questions")
    return items, faults


def _read(path: Path) -> Iterator[tuple[int, Item | str]]:
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
            yield number, f"not JSON: {decode_problem(line, error)}"
            continue
        if not isinstance(fields, dict):
            yield number, "not a JSON object; put one question on each line"
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


def _item(line: bytes, fields: Mapping[str, Any], path: Path, number: int) -> Item | str:
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


def _quality_item(line: bytes, number: int) -> Item | str:
    question, problems = read_quality_line(line)
    if question is None:
        return "; ".join(problems)
    return Item(id=question.id, line=number, text=question.text, answers=question.answers)


def _novel_item(line: bytes, fields: Mapping[str, Any], number: int) -> Item | str:
    try:
        written = read_written_question(line)
    except RowFault as fault:
        return str(fault)
    except UNREADABLE as error:
        return f"not a question: {decode_problem(line, error)}"
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
