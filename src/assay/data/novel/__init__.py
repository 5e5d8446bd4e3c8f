"""Read novels with their tokens and sentences, and questions about them."""

from assay.data.novel.filler import Filler
from assay.data.novel.question import (
    NovelQuestion,
    QuestionType,
    read_novel_questions,
    read_question_metadata,
)
from assay.data.novel.text import Novel, read_novel
from assay.data.novel.tokenized import TokenizedNovel

__all__ = [
    "Filler",
    "Novel",
    "NovelQuestion",
    "QuestionType",
    "TokenizedNovel",
    "read_novel",
    "read_novel_questions",
    "read_question_metadata",
]
