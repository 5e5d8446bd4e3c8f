"""Sample documents and questions in Chinese, Russian and English, written for this project.

A fictional municipal code with three contracts (zh), the annual report of a fictional
company as PDF (ru), and the staff handbook of a fictional ferry line (en). Each question
names the sections its answer stands in; here they become the ids of chunks.
"""

import re
from collections.abc import Iterable, Sequence
from importlib.resources import as_file, files
from typing import Final

import msgspec
from msgspec import Struct

from assay.data.corpus import SEPARATOR, Chunk, chunk_document
from assay.data.document import Document, read_document
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
"""The documents by name, in the order in which a folder of them is ingested."""

# The report's questions name its source; what is laid out and read is the PDF made from it.
_MADE_FROM: Final = {"ru/report.md": "ru/report.pdf"}


class GoldSection(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A section of a sample document, by the beginning of its heading."""

    document: str
    section: str


class SampleQuestion(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A question as it is written down. ``gold`` is empty where the documents do not say."""

    id: str
    question: str
    answer: str
    kind: str
    gold: tuple[GoldSection, ...]
    page: int | None = None


def sample_document_bytes(name: str) -> bytes:
    """The file of one of ``DOCUMENTS``."""
    return files("assay.data.samples").joinpath(name).read_bytes()


def sample_document(name: str) -> Document:
    """One of ``DOCUMENTS``, read as ``assay ingest`` reads it."""
    with as_file(files("assay.data.samples").joinpath(name)) as path:
        return read_document(path, name=name)


def sample_chunks() -> list[Chunk]:
    """The chunks of all sample documents, as ``assay ingest`` makes them by default."""
    return [chunk for name in DOCUMENTS for chunk in chunk_document(sample_document(name))]


def written_questions(language: str) -> list[SampleQuestion]:
    """The questions of one language as they are written down."""
    lines = files("assay.data.samples").joinpath(language, "questions.jsonl").read_bytes()
    return msgspec.json.Decoder(SampleQuestion).decode_lines(lines)


def sample_question_lines(chunks: Sequence[Chunk]) -> bytes:
    """All questions as JSON lines, with the chunks of ``chunks`` as gold.

    Languages and kinds are spread evenly, so that the first N are like the whole.
    """
    rows = [
        (language, question) for language in LANGUAGES for question in written_questions(language)
    ]
    return b"".join(_line(language, question, chunks) for language, question in interleaved(rows))


def interleaved(
    rows: Iterable[tuple[str, SampleQuestion]],
) -> list[tuple[str, SampleQuestion]]:
    """The rows with every language and kind spread evenly over the whole."""
    groups: dict[tuple[str, str], list[tuple[str, SampleQuestion]]] = {}
    for language, question in rows:
        groups.setdefault((language, question.kind), []).append((language, question))
    placed = [
        ((place + 0.5) / len(group), number, row)
        for number, group in enumerate(groups.values())
        for place, row in enumerate(group)
    ]
    return [row for _, _, row in sorted(placed, key=lambda item: item[:2])]


def gold_chunks(gold: GoldSection, language: str, chunks: Iterable[Chunk]) -> list[Chunk]:
    """The chunk of a section, or the several it was cut into."""
    name = f"{language}/{gold.document}"
    source = _MADE_FROM.get(name, name)
    # "Article 1" is not the beginning of "Article 12", nor "1.1" of "1.10"
    begins = re.compile(rf"{re.escape(gold.section)}(?![\w]|\.\d)")
    found = [
        chunk
        for chunk in chunks
        if chunk.source == source and begins.match((chunk.heading or "").split(SEPARATOR)[-1])
    ]
    if not found or len({chunk.heading for chunk in found}) > 1:
        raise DatasetError(f"{source}: {len(found)} chunks for section {gold.section!r}")
    return found


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
