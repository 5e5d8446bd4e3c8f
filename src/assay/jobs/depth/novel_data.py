"""Reading a novel and its questions, and counting the novel's tokens once."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from assay.data.novel import (
    NovelQuestion,
    TokenizedNovel,
    read_novel,
    read_novel_questions,
    read_question_metadata,
)
from assay.text import Count, counted
from assay.text.tokenizer import load_tokenizer


class NovelData(Struct, frozen=True, kw_only=True):
    """A novel with its questions. ``name`` is a short name for the results file."""

    name: str
    novel: TokenizedNovel
    novel_name: str
    novel_sha256: str
    questions: tuple[NovelQuestion, ...]
    questions_name: str
    questions_sha256: str | None = None
    set_metadata: Mapping[str, Any] = {}
    notes: tuple[str, ...] = ()


def read_novel_data(novel: Path, questions: Path, tokenizer: str) -> NovelData:
    """Read both files; raises ``DatasetError`` or ``UseError`` if one of them is not valid."""
    counter = load_tokenizer(tokenizer)
    book = read_novel(novel)
    tokenized = TokenizedNovel(book, counter)
    loaded = read_novel_questions(questions, tokenized)
    without_evidence = [question for question in loaded if question.evidence is None]
    doubtful = [question for question in loaded if question.evidence is not None and question.note]
    notes = [*book.notes]
    if without_evidence:
        number = Count(len(without_evidence))
        notes.append(
            f"{number} of {counted(len(loaded), 'question')} {number:has|have} no evidence in the "
            f"novel and {number:is|are} skipped, first {without_evidence[0].id}"
        )
    if doubtful:
        notes.append(
            f"the evidence of {counted(len(doubtful), 'question')} is doubtful, first {doubtful[0].id}: "
            f"{doubtful[0].note}"
        )
    return NovelData(
        name=questions.stem,
        novel=tokenized,
        novel_name=novel.as_posix(),
        novel_sha256=text_sha256(book.text),
        questions=tuple(loaded),
        questions_name=questions.as_posix(),
        questions_sha256=hashlib.sha256(questions.read_bytes()).hexdigest(),
        set_metadata=read_question_metadata(questions),
        notes=tuple(notes),
    )


def text_sha256(text: str) -> str:
    """A hash of the text, which does not depend on the encoding of its file."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
