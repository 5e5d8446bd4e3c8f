"""Read a benchmark without problems: its questions and the pages of its documents."""

import hashlib
import json
import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from assay.data.jsonl import read_text
from assay.errors import DatasetError, UseError
from assay.jobs.legal.benchmark_check import (
    CheckedFile,
    check_benchmark,
    last_page,
    passing_score,
    repeated_across,
)
from assay.jobs.legal.document_lookup import FileProblem, check_document
from assay.jobs.legal.handler import BenchItem, PagedSource, paged_source
from assay.jobs.legal.question import BenchQuestion, QuestionType
from assay.mask import learn_values
from assay.registry import nearest
from assay.words.message import Message, message, message_n

# Check benchmark files before any question is asked, and report all problems at once.

_INDEX: Final = re.compile(r"\[[0-9]+\]")
MOST_REMARKS: Final = 5
"""How many remarks are shown before a run."""


class Validation(Struct, frozen=True, kw_only=True):
    """The checked files and all problems; ``passed_over`` are JSON files of another kind."""

    files: tuple[CheckedFile, ...]
    problems: tuple[FileProblem, ...]
    passed_over: tuple[Path, ...] = ()

    @property
    def remarks(self) -> tuple[FileProblem, ...]:
        """What is unusual but no problem, and what cannot be checked."""
        return tuple(remark for file in self.files for remark in file.remarks)

    @property
    def ignored(self) -> tuple[str, ...]:
        """The unknown fields of all files, each once."""
        return tuple(dict.fromkeys(name for file in self.files for name in file.ignored))

    def of_files(self, paths: Collection[Path]) -> "Validation":
        """What concerns some of the files."""
        return Validation(
            files=tuple(file for file in self.files if file.path in paths),
            problems=tuple(problem for problem in self.problems if problem.file in paths),
        )

    @property
    def questions(self) -> int:
        """The number of questions in all files."""
        return sum(len(file.ids) for file in self.files)


def validate_benchmark(
    path: Path, bounds: Path | None = None, document: Path | None = None
) -> Validation:
    """Check a file, or all benchmark files in a folder and its subfolders.

    With ``bounds``, documents must lie in that folder or beside the file that names them. ``document``
    takes the place of all documents that the files name.

    Raises:
        DatasetError: The path does not exist, or there is no benchmark file in the folder, or
            ``document`` is no document that can be read.
    """
    if document is not None:
        check_document(document, bounds)
    paths, passed_over = benchmark_files(path)
    files = tuple(check_benchmark(file_path, bounds, document) for file_path in paths)
    problems = [problem for file in files for problem in file.problems]
    problems += repeated_across(files)
    problems.sort(key=lambda problem: (str(problem.file), problem.line))
    return Validation(files=files, problems=tuple(problems), passed_over=tuple(passed_over))


def note_lines(validation: Validation) -> list[Message | str]:
    """A few lines about what was ignored and what cannot be checked; the first remarks only."""
    lines: list[Message | str] = [ignored_line(validation.ignored)] if validation.ignored else []
    files: dict[tuple[str, str], list[str]] = {}
    misplaced = [problem for problem in validation.problems if not problem.blocks]
    remarks = sorted(validation.remarks, key=lambda remark: remark.path != "$.document")
    for remark in (*remarks, *misplaced):
        # a message about the document names it; others are about what stands at their place
        subject = "" if remark.path == "$.document" else _INDEX.sub("[…]", f"{remark.path}: ")
        files.setdefault((subject, remark.message), []).append(remark.file.name)
    lines += [
        f"{', '.join(dict.fromkeys(names))}: {subject}{message}"
        for (subject, message), names in list(files.items())[:MOST_REMARKS]
    ]
    if len(files) > MOST_REMARKS:
        lines.append(
            message("{n} further remarks: assay bench validate", n=len(files) - MOST_REMARKS)
        )
    return lines


def ignored_line(names: Sequence[str]) -> Message:
    """The line about unknown fields.

    >>> str(ignored_line(["questions.reviewer", "author"]))
    'ignored 2 fields: questions.reviewer, author'
    """
    return message_n(
        "ignored {n} field: {names}",
        "ignored {n} fields: {names}",
        len(names),
        names=", ".join(names),
    )


def benchmark_files(path: Path) -> tuple[list[Path], list[Path]]:
    """Find the benchmark files at ``path`` or below it, and the other JSON files there.

    A file that is named directly counts as a benchmark file. A JSON schema is in neither list.

    Raises:
        DatasetError: The path does not exist, or there is no benchmark file in the folder.
    """
    if not path.exists():
        raise DatasetError(f"{path}: no such file or folder")
    if path.is_file():
        return [path], []
    kinds = {file: _read_kind(file) for file in sorted(path.rglob("*.json")) if file.is_file()}
    benchmarks = [file for file, kind in kinds.items() if kind == "benchmark"]
    if not benchmarks:
        raise DatasetError(
            f"{path}: no benchmark files; a benchmark file is a .json with `benchmark_type`"
        )
    return benchmarks, [file for file, kind in kinds.items() if kind == "other"]


def _read_kind(path: Path) -> Literal["benchmark", "schema", "other"]:
    """The kind of a JSON file; a broken file counts as a benchmark, so that it is reported."""
    text = read_text(path)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return "benchmark"
    is_result = isinstance(value, dict) and "overall_percentage" in value
    if isinstance(value, dict) and {"benchmark_type", "questions"} & value.keys() and not is_result:
        return "benchmark"
    return "schema" if isinstance(value, dict) and "$schema" in value else "other"


TYPES: Final[tuple[str, ...]] = get_args(QuestionType)
"""All types of questions."""
NO_DOCUMENT: Final = "(no document)"
"""The name of the document of questions whose file names none."""
_USED: Final = frozenset(
    {"benchmark_type", "document", "description", "questions", "schema_version",
     "evaluation_criteria"}
)  # fmt: skip
"""The fields of a file that the rows and the summary contain in another form."""


class BenchmarkData(Struct, frozen=True, kw_only=True):
    """The questions of a benchmark, and its documents by their names in the benchmark.

    ``files`` are relative to the folder of the benchmark, ``sha256`` is the hash of their
    contents. ``question_type`` is set if only the questions of one type were chosen. ``notes``
    say what was ignored and what cannot be checked; ``roots`` are the fields beside the questions
    of each file that are kept and not used. ``validation`` is what the notes are made of.
    """

    path: Path
    files: tuple[str, ...]
    sha256: str
    questions: tuple[BenchItem, ...]
    documents: Mapping[str, PagedSource]
    question_type: str | None = None
    notes: tuple[Message | str, ...] = ()
    roots: Mapping[str, Mapping[str, Any]] = {}
    validation: Validation = Validation(files=(), problems=())

    def of_type(self, question_type: str | None) -> "BenchmarkData":
        """The questions of one type and their documents; everything if the type is ``None``.

        Raises:
            UseError: The type does not exist, or the benchmark has no questions of it.
        """
        if question_type is None:
            return self
        questions = tuple(
            item for item in self.questions if item.question.type == check_type(question_type)
        )
        if not questions:
            raise UseError(f"{self.path}: has no questions of the type {question_type}")
        return replace(self._with_questions(questions), question_type=question_type)

    def first(self, limit: int | None) -> "BenchmarkData":
        """The first questions in file order; all for 0 or ``None``.

        The documents stay, so that a system that searches them is the same for more questions.
        """
        return replace(self, questions=self.questions[: limit or None])

    def of_question(self, question_id: str) -> "BenchmarkData":
        """One question and its document.

        Raises:
            UseError: The benchmark has no such question.
        """
        questions = tuple(item for item in self.questions if item.id == question_id)
        if not questions:
            ids = [item.id for item in self.questions]
            raise UseError(
                f"{self.path}: has no question {question_id!r}{nearest(question_id, ids)}"
            )
        return self._with_questions(questions)

    def _with_questions(self, questions: tuple[BenchItem, ...]) -> "BenchmarkData":
        names = {item.document for item in questions}
        documents = {name: source for name, source in self.documents.items() if name in names}
        chosen = {item.file for item in questions}
        base = self.path if self.path.is_dir() else self.path.parent
        checked = self.validation.of_files({base / file for file in chosen})
        return replace(
            self, questions=questions, documents=documents, notes=tuple(note_lines(checked))
        )


def check_type(question_type: str) -> str:
    """Return ``question_type`` if such a type exists, otherwise raise ``UseError``."""
    if question_type not in TYPES:
        raise UseError(
            f"{question_type!r} is not a type of question{nearest(question_type, TYPES)}"
        )
    return question_type


def read_benchmark_data(
    path: Path, bounds: Path | None = None, document: Path | None = None
) -> BenchmarkData:
    """Read a benchmark file or a folder of benchmark files; see ``validate_benchmark``.

    Raises:
        DatasetError: There are problems; the message lists all of them.
    """
    checked = validate_benchmark(path, bounds, document)
    if any(problem.blocks for problem in checked.problems):
        raise DatasetError(*map(str, checked.problems))
    base = path if path.is_dir() else path.parent
    content = hashlib.sha256()
    documents: dict[str, PagedSource] = {}
    questions: list[BenchItem] = []
    type_weights = _type_weights(checked.files)
    last_pages = _last_pages(checked.files)
    for file in checked.files:
        assert file.benchmark is not None
        content.update(file.path.read_bytes())
        name, source = _document(file, base, last_pages)
        documents.setdefault(name, source)
        learn_values(source.pages)
        file_questions: tuple[BenchQuestion, ...] = file.benchmark.questions
        questions += [
            BenchItem(
                id=question.id,
                file=file.path.relative_to(base).as_posix(),
                document=name,
                question=question,
                min_score=passing_score(question, file.benchmark),
                weight=_weight(question),
                type_weight=type_weights.get(question.type),
                gold={"type": question.type, **gold},
            )
            for question, gold in zip(file_questions, file.raw["questions"], strict=True)
        ]
    return BenchmarkData(
        path=path,
        files=tuple(file.path.relative_to(base).as_posix() for file in checked.files),
        sha256=content.hexdigest(),
        questions=tuple(questions),
        documents=documents,
        notes=tuple(note_lines(checked)),
        roots=dict(_roots(checked.files, base)),
        validation=checked,
    )


def _last_pages(files: Sequence[CheckedFile]) -> dict[Path | None, int]:
    """The highest page that the questions name, for each document."""
    pages: dict[Path | None, int] = {}
    for file in files:
        pages[file.document_path] = max(pages.get(file.document_path, 0), last_page(file.raw))
    return pages


def _document(
    file: CheckedFile, base: Path, last_pages: Mapping[Path | None, int]
) -> tuple[str, PagedSource]:
    """The name and the text of the document of a file; without a text if it was not found."""
    assert file.benchmark is not None
    if file.document is None or file.document_path is None:
        name = file.benchmark.document or NO_DOCUMENT
        return name, PagedSource(path=Path(name), sha256="", pages=(), has_page_marks=False)
    name = Path(os.path.relpath(file.document_path, base)).as_posix()
    last = last_pages[file.document_path]
    return name, paged_source(file.document_path, file.document, last_page=last)


def _weight(question: BenchQuestion) -> float | None:
    return question.scoring.weight if question.weight is None else question.weight


def _type_weights(files: Sequence[CheckedFile]) -> dict[str, float]:
    """The weights of the types in all files; what a file says about its own type is preferred."""
    weights: dict[str, float] = {}
    for file in files:
        assert file.benchmark is not None
        weights = {**file.benchmark.scoring_config.weights, **weights}
    for file in files:
        assert file.benchmark is not None
        kind = file.benchmark.questions[0].type
        own = file.benchmark.scoring_config.weights.get(kind)
        weights |= {} if own is None else {kind: own}
    return weights


def _roots(files: Sequence[CheckedFile], base: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for file in files:
        kept = {name: value for name, value in file.raw.items() if name not in _USED}
        if kept:
            yield file.path.relative_to(base).as_posix(), kept
