"""Read a benchmark without problems: its questions and the pages of its documents."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Final, get_args

from msgspec import Struct
from msgspec.structs import replace

from assay.config import nearest
from assay.data.legal import QuestionType, document_path
from assay.errors import DatasetError, UseError
from assay.jobs.legal.handler import AskedQuestion, PagedSource, paged_source
from assay.jobs.legal.validate import validate_benchmark

TYPES: Final[tuple[str, ...]] = get_args(QuestionType)
"""All types of questions."""


class BenchmarkData(Struct, frozen=True, kw_only=True):
    """The questions of a benchmark, and its documents by their names in the benchmark.

    ``files`` are relative to the folder of the benchmark, ``sha256`` is the hash of their
    contents. ``question_type`` is set if only the questions of one type were chosen.
    """

    path: Path
    files: tuple[str, ...]
    sha256: str
    questions: tuple[AskedQuestion, ...]
    documents: Mapping[str, PagedSource]
    question_type: str | None = None

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
        names = {item.document for item in questions}
        documents = {name: source for name, source in self.documents.items() if name in names}
        return replace(self, questions=questions, documents=documents, question_type=question_type)


def check_type(question_type: str) -> str:
    """Return ``question_type`` if such a type exists, otherwise raise ``UseError``."""
    if question_type not in TYPES:
        raise UseError(
            f"{question_type!r} is not a type of question{nearest(question_type, TYPES)}"
        )
    return question_type


def read_benchmark_data(path: Path) -> BenchmarkData:
    """Read a benchmark file or a folder of benchmark files.

    Raises:
        DatasetError: There are problems; the message lists all of them.
    """
    checked = validate_benchmark(path)
    if checked.problems:
        raise DatasetError("\n".join(map(str, checked.problems)))
    base = path if path.is_dir() else path.parent
    content = hashlib.sha256()
    names: list[str] = []
    documents: dict[str, PagedSource] = {}
    questions: list[AskedQuestion] = []
    for file in checked.files:
        assert file.benchmark is not None
        assert file.document is not None
        name = file.path.relative_to(base)
        full_path = document_path(file.path, file.benchmark.document)
        document = document_path(name, file.benchmark.document).as_posix()
        names.append(name.as_posix())
        content.update(file.path.read_bytes())
        documents.setdefault(document, paged_source(full_path, file.document))
        questions += [
            AskedQuestion(
                id=question.id,
                file=name.as_posix(),
                document=document,
                question=question,
                min_score=file.benchmark.evaluation_criteria.min_score,
            )
            for question in file.benchmark.questions
        ]
    return BenchmarkData(
        path=path,
        files=tuple(names),
        sha256=content.hexdigest(),
        questions=tuple(questions),
        documents=documents,
    )
