"""A benchmark read and found to be in order: its questions, and the pages of its documents."""

import hashlib
from collections.abc import Mapping
from importlib.resources import files
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
"""The types of question there are."""


class BenchmarkData(Struct, frozen=True, kw_only=True):
    """What is asked and judged by. Documents are by their name in the benchmark."""

    path: Path
    files: tuple[str, ...]
    sha256: str
    questions: tuple[AskedQuestion, ...]
    documents: Mapping[str, PagedSource]
    question_type: str | None = None

    def of_type(self, question_type: str | None) -> "BenchmarkData":
        """The questions of one type and the documents that they are about; all for ``None``."""
        if question_type is None:
            return self
        chosen = tuple(
            one for one in self.questions if one.question.type == check_type(question_type)
        )
        if not chosen:
            raise UseError(f"{self.path}: has no questions of the type {question_type}")
        about = {one.document for one in chosen}
        kept = {name: one for name, one in self.documents.items() if name in about}
        return replace(self, questions=chosen, documents=kept, question_type=question_type)


def check_type(question_type: str) -> str:
    """``question_type``, if there is such a type."""
    if question_type not in TYPES:
        raise UseError(f"{question_type!r} is no type of question{nearest(question_type, TYPES)}")
    return question_type


def sample_path() -> Path:
    """The sample benchmark that comes with assay."""
    return Path(str(files("assay.data.samples") / "bench"))


def read_benchmark_data(path: Path) -> BenchmarkData:
    """Read a benchmark file or a folder of them; ``DatasetError`` names every problem there is."""
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
        place = document_path(file.path, file.benchmark.document)
        document = document_path(name, file.benchmark.document).as_posix()
        names.append(name.as_posix())
        content.update(file.path.read_bytes())
        documents.setdefault(document, paged_source(place, file.document))
        questions += [
            AskedQuestion(
                id=one.id,
                file=name.as_posix(),
                document=document,
                question=one,
                min_score=file.benchmark.evaluation_criteria.min_score,
            )
            for one in file.benchmark.questions
        ]
    return BenchmarkData(
        path=path,
        files=tuple(names),
        sha256=content.hexdigest(),
        questions=tuple(questions),
        documents=documents,
    )
