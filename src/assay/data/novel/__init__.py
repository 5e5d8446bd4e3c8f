"""Novels, their tokens and sentences, and questions about them."""

from assay.data.novel.filler import Filler
from assay.data.novel.text import Novel
from assay.data.novel.question import NovelQuestion
from assay.data.novel.question import QuestionType
from assay.data.novel.tokenized import TokenizedNovel
from assay.data.novel.text import read_novel
from assay.data.novel.question import read_novel_questions
from assay.data.novel.question import read_question_metadata

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
