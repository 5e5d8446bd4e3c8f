"""Sample documents and questions in Chinese, Russian and English, written for this project.

The documents are a fictional municipal code with three contracts (zh), the annual report of a
fictional company as PDF (ru), and the staff handbook of a fictional ferry line (en). Each
question names the sections that contain its answer; this module converts them to chunk ids.
"""

import functools
import re
from collections.abc import Iterable, Sequence
from importlib.resources import as_file, files
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from assay.data.corpus.chunk import Chunk
from assay.data.corpus.chunker import SEPARATOR, chunk_document
from assay.data.document.document import Document, read_document
from assay.errors import DatasetError

LANGUAGES: Final = ("zh", "ru", "en")

DOCUMENTS: Final = (
    "en/handbook.md",
    "ru/report.pdf",
    "zh/code.md",
    "zh/contracts/lease.md",
    "zh/contracts/services.md",
    "zh/contracts/supply.md",
)
"""The names of the documents, in the order in which ``assay ingest`` reads a folder of them."""

# The questions name the Markdown source of the report; the sample corpus has the PDF.
_CORPUS_NAME: Final = {"ru/report.md": "ru/report.pdf"}


class GoldSection(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A section of a sample document, identified by the beginning of its heading."""

    document: str
    section: str


class SampleQuestion(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A question of a sample file. ``gold`` is empty if the documents do not have the answer."""

    id: str
    question: str
    answer: str
    kind: str
    gold: tuple[GoldSection, ...]
    page: int | None = None


def sample_document_bytes(name: str) -> bytes:
    """Read the bytes of a packaged sample file, such as one of ``DOCUMENTS``."""
    return files("assay.data.samples").joinpath(name).read_bytes()


def sample_document(name: str) -> Document:
    """Read one of ``DOCUMENTS`` in the same way as ``assay ingest``."""
    with as_file(files("assay.data.samples").joinpath(name)) as path:
        return read_document(path, name=name)


@functools.cache
def sample_chunks() -> tuple[Chunk, ...]:
    """The chunks of all sample documents, with the default settings of ``assay ingest``."""
    return tuple(chunk for name in DOCUMENTS for chunk in chunk_document(sample_document(name)))


def written_questions(language: str) -> list[SampleQuestion]:
    """Read the sample questions of one language."""
    lines = files("assay.data.samples").joinpath(language, "questions.jsonl").read_bytes()
    return msgspec.json.Decoder(SampleQuestion).decode_lines(lines)


def sample_question_lines(chunks: Sequence[Chunk]) -> bytes:
    """All questions as JSON lines, with the ids of the matching ``chunks`` as gold.

    Languages and kinds are spread evenly, so that the first N questions are representative.
    """
    rows = [
        (language, question) for language in LANGUAGES for question in written_questions(language)
    ]
    return b"".join(_line(language, question, chunks) for language, question in interleaved(rows))


def interleaved(
    rows: Iterable[tuple[str, SampleQuestion]],
) -> list[tuple[str, SampleQuestion]]:
    """The rows in an order in which each language and kind is spread evenly."""
    groups: dict[tuple[str, str], list[tuple[str, SampleQuestion]]] = {}
    for language, question in rows:
        groups.setdefault((language, question.kind), []).append((language, question))
    ranked = [
        ((index + 0.5) / len(group), number, row)
        for number, group in enumerate(groups.values())
        for index, row in enumerate(group)
    ]
    return [row for _, _, row in sorted(ranked, key=lambda item: item[:2])]


def gold_chunks(gold: GoldSection, language: str, chunks: Iterable[Chunk]) -> list[Chunk]:
    """The chunks of a section: one, or several if the section was cut.

    Raises:
        DatasetError: no chunk has such a heading, or chunks of different sections have.
    """
    name = f"{language}/{gold.document}"
    source = _CORPUS_NAME.get(name, name)
    # "Article 1" must not match "Article 12", and "1.1" must not match "1.10"
    heading_start = re.compile(rf"{re.escape(gold.section)}(?![\w]|\.\d)")
    matches = [
        chunk
        for chunk in chunks
        if chunk.source == source
        and heading_start.match((chunk.heading or "").split(SEPARATOR)[-1])
    ]
    if not matches or len({chunk.heading for chunk in matches}) > 1:
        raise DatasetError(f"{source}: {len(matches)} chunks for section {gold.section!r}")
    return matches


def _line(language: str, question: SampleQuestion, chunks: Sequence[Chunk]) -> bytes:
    gold = [chunk for part in question.gold for chunk in gold_chunks(part, language, chunks)]
    row: dict[str, object] = {
        "id": question.id,
        "question": question.question,
        "language": language,
        "kind": question.kind,
        "source": gold[0].source if gold else None,
        "answer": question.answer,
        "bundle": [{"chunk_id": chunk.id} for chunk in gold],
    }
    if question.page is not None:
        row["page"] = question.page
    return msgspec.json.encode(row) + b"\n"


def sample_benchmark() -> Path:
    """The folder of the sample benchmark: documents and questions in three languages."""
    return Path(str(files("assay.data.samples") / "bench"))
