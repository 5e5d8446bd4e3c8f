"""Turning gold chunks into spans of documents, which survive another chunk size."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from assay.data.corpus import Chunk, load_corpus
from assay.data.decoded_line import decoded_lines
from assay.data.question import is_metadata, read_questions
from assay.data.question_set import foreign_questions, is_own_format
from assay.errors import UseError
from assay.jobs.questions.file import write_lines
from assay.records import GoldSpan
from assay.text import counted

_CHUNK_FIELDS: Final = ("bundle", "gold_chunk_ids", "gold")
_MOST_NAMED: Final = 3


class Respanned(Struct, frozen=True, kw_only=True):
    """A set of questions with spans: its file, and how many questions and spans it has."""

    path: Path
    questions: int
    spans: int


def respan(questions: Path, manifest: Path, out: Path, bounds: Path | None = None) -> Respanned:
    """Write the questions with a span of its document in place of each gold chunk.

    All other fields of a line stay as they are. Raises ``UseError`` if a gold chunk is not in the
    corpus.
    """
    chunks = {chunk.id: chunk for chunk in load_corpus(manifest, bounds).chunks}
    read = {question.id: question for question in read_questions(questions)}
    missing = [name for question in read.values() for name in question.gold if name not in chunks]
    if missing:
        raise UseError(
            f"{questions}: {counted(len(missing), 'gold chunk')} not in {manifest} "
            f"({', '.join(missing[:_MOST_NAMED])}{' …' if len(missing) > _MOST_NAMED else ''}); "
            "use the corpus that the questions were written for"
        )
    lines, spans = [], 0
    for fields in _rows(questions):
        if is_metadata(fields):
            lines.append(fields)
            continue
        question = read[str(fields["id"])]
        gold = list(dict.fromkeys([*question.spans, *_spans(question.gold, chunks)]))
        spans += len(gold)
        kept = {name: value for name, value in fields.items() if name not in _CHUNK_FIELDS}
        lines.append({**kept, "gold": gold} if gold else kept)
        if (
            not gold
            and question.answerable is None
            and any(name in fields for name in _CHUNK_FIELDS)
        ):
            lines[-1] = {**kept, "gold": []}
    write_lines(out, lines)
    return Respanned(path=out, questions=len(lines), spans=spans)


def _rows(path: Path) -> list[dict[str, Any]]:
    """The lines of a file; those of another tool with the names of our fields."""
    if not is_own_format(path):
        return [row.fields for row in foreign_questions(path)]
    return [msgspec.json.decode(line) for _, line in decoded_lines(path)]


def _spans(gold: tuple[str, ...], chunks: Mapping[str, Chunk]) -> list[GoldSpan]:
    return [
        GoldSpan(source=chunk.source, text=chunk.text, start=chunk.start, end=chunk.end)
        for chunk in (chunks[name] for name in gold)
    ]
