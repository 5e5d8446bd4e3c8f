"""Read a benchmark without problems: its questions and the pages of its documents."""

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, get_args

from msgspec import Struct
from msgspec.structs import replace

from assay.config import nearest
from assay.data.legal import (
    BenchQuestion,
    CheckedFile,
    QuestionType,
    last_page,
    passing_score,
)
from assay.errors import DatasetError, UseError
from assay.jobs.legal.handler import AskedQuestion, PagedSource, paged_source
from assay.jobs.legal.validate import Validation, note_lines, validate_benchmark
from assay.mask import learn_values

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
    questions: tuple[AskedQuestion, ...]
    documents: Mapping[str, PagedSource]
    question_type: str | None = None
    notes: tuple[str, ...] = ()
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

    def _with_questions(self, questions: tuple[AskedQuestion, ...]) -> "BenchmarkData":
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


def read_benchmark_data(path: Path, bounds: Path | None = None) -> BenchmarkData:
    """Read a benchmark file or a folder of benchmark files; see ``validate_benchmark``.

    Raises:
        DatasetError: There are problems; the message lists all of them.
    """
    checked = validate_benchmark(path, bounds)
    if any(problem.blocks for problem in checked.problems):
        raise DatasetError(*map(str, checked.problems))
    base = path if path.is_dir() else path.parent
    content = hashlib.sha256()
    documents: dict[str, PagedSource] = {}
    questions: list[AskedQuestion] = []
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
            AskedQuestion(
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
