"""The novel and its questions, read and encoded once."""

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
from assay.text.tokenizer import load_tokenizer


class NovelData(Struct, frozen=True, kw_only=True):
    """A novel with its questions. ``name`` is short, for the results file."""

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
    """Read both files. Raises ``DatasetError`` or ``UseError`` for whatever is wrong."""
    counter = load_tokenizer(tokenizer)
    book = read_novel(novel)
    encoded = TokenizedNovel(book, counter)
    asked = read_novel_questions(questions, encoded)
    lost = [question for question in asked if question.evidence is None]
    doubtful = [question for question in asked if question.evidence is not None and question.note]
    notes = [*book.notes]
    if lost:
        notes.append(
            f"{len(lost)} of {len(asked)} questions have no evidence in the novel and are "
            f"skipped, {lost[0].id} first"
        )
    if doubtful:
        notes.append(
            f"{len(doubtful)} questions have evidence in doubt, {doubtful[0].id} first: "
            f"{doubtful[0].note}"
        )
    return NovelData(
        name=questions.stem,
        novel=encoded,
        novel_name=novel.as_posix(),
        novel_sha256=text_sha256(book.text),
        questions=tuple(asked),
        questions_name=questions.as_posix(),
        questions_sha256=hashlib.sha256(questions.read_bytes()).hexdigest(),
        set_metadata=read_question_metadata(questions),
        notes=tuple(notes),
    )


def text_sha256(text: str) -> str:
    """A hash of what was read, whatever encoding it was read from."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
