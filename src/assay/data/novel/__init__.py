"""Read novels with their tokens and sentences, and questions about them."""

from assay.data.novel.filler import Filler
from assay.data.novel.position_unit import PositionUnit, find_position_unit
from assay.data.novel.question import (
    NovelQuestion,
    QuestionFile,
    locate_questions,
    read_novel_questions,
    read_question_file,
    read_question_metadata,
)
from assay.data.novel.question_row import Position, QuestionType, RowFault, read_position
from assay.data.novel.text import Novel, read_novel
from assay.data.novel.tokenized import TokenizedNovel
from assay.data.novel.written import WrittenQuestion, read_written_question

__all__ = [
    "Filler",
    "Novel",
    "NovelQuestion",
    "Position",
    "PositionUnit",
    "QuestionFile",
    "QuestionType",
    "RowFault",
    "TokenizedNovel",
    "WrittenQuestion",
    "find_position_unit",
    "locate_questions",
    "read_novel",
    "read_novel_questions",
    "read_position",
    "read_question_file",
    "read_question_metadata",
    "read_written_question",
]
