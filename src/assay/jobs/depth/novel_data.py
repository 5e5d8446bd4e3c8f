"""Reading a novel and its questions, and counting the novel's tokens once."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from assay.jobs.depth.chronicle.story import chronicle
from assay.jobs.depth.novel import Novel, TokenizedNovel, read_novel
from assay.jobs.depth.position_unit import PositionUnit, find_position_unit
from assay.jobs.depth.question import (
    NovelQuestion,
    QuestionFile,
    locate_questions,
    read_question_file,
)
from assay.text.language import Language
from assay.text.tokenizer import Tokenizer, load_tokenizer
from assay.words.message import Message, message, message_n

TOKENIZER: Final = "o200k"
"""The tokenizer of a run, unless the positions of its questions are counted by another."""


class NovelData(Struct, frozen=True, kw_only=True):
    """A novel with its questions. ``name`` is a short name for the results file.

    ``positions`` is the novel in the tokens that positions count; None if they are those of
    ``novel``. ``file`` has the lines of the questions; None if they are from no file.
    """

    name: str
    novel: TokenizedNovel
    novel_name: str
    novel_sha256: str
    questions: tuple[NovelQuestion, ...]
    questions_name: str
    questions_sha256: str | None = None
    set_metadata: Mapping[str, Any] = {}
    notes: tuple[Message | str, ...] = ()
    positions: TokenizedNovel | None = None
    file: QuestionFile | None = None


def read_novel_data(
    novel: Path,
    questions: Path,
    tokenizer: str | None = None,
    position_tokenizer: str | None = None,
) -> NovelData:
    """Read both files; raises ``DatasetError`` or ``UseError`` if one of them is not valid.

    Without ``tokenizer``, lengths are counted by the tokenizer of the positions, if the file says
    which one it is.
    """
    counter = None if tokenizer is None else load_tokenizer(tokenizer)
    book = read_novel(novel)
    file = read_question_file(questions)
    unit = find_position_unit(
        book,
        [row for _, row in file.rows],
        file.metadata,
        named=position_tokenizer,
        run_tokenizer=tokenizer,
    )
    tokenized = _tokenized(book, counter, unit)
    loaded = locate_questions(file, tokenized, unit)
    notes = [*book.notes, *file.notes]
    if unit is not None and unit.note:
        notes.append(unit.note)
    notes.extend(_evidence_notes(loaded))
    return NovelData(
        name=questions.stem,
        novel=tokenized,
        novel_name=novel.as_posix(),
        novel_sha256=text_sha256(book.text),
        questions=tuple(loaded),
        questions_name=questions.as_posix(),
        questions_sha256=hashlib.sha256(questions.read_bytes()).hexdigest(),
        set_metadata=file.metadata,
        notes=tuple(notes),
        positions=unit.novel if unit is not None and unit.novel is not tokenized else None,
        file=file,
    )


def _tokenized(book: Novel, counter: Tokenizer | None, unit: PositionUnit | None) -> TokenizedNovel:
    """The novel in the tokens of the run."""
    positions = None if unit is None else unit.novel
    if positions is not None and (counter is None or counter.name == positions.tokenizer.name):
        return positions
    return TokenizedNovel(book, counter or load_tokenizer(TOKENIZER))


def _evidence_notes(loaded: Sequence[NovelQuestion]) -> Iterator[Message | str]:
    without_evidence = [question for question in loaded if question.evidence is None]
    doubtful = [question for question in loaded if question.evidence is not None and question.note]
    if without_evidence:
        yield message_n(
            "{n} of {questions} has no evidence in the novel and is skipped, first {id}: {note}",
            "{n} of {questions} have no evidence in the novel and are skipped, first {id}: {note}",
            len(without_evidence),
            questions=message_n("{n} question", "{n} questions", len(loaded)),
            id=without_evidence[0].id,
            note=without_evidence[0].note,
        )
    if doubtful:
        yield (
            message(
                "the evidence of {questions} is doubtful, first {id}: {note}",
                questions=message_n("{n} question", "{n} questions", len(doubtful)),
                id=doubtful[0].id,
                note=doubtful[0].note,
            )
        )


def text_sha256(text: str) -> str:
    """A hash of the text, which does not depend on the encoding of its file."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


# The offline sample: a generated chronicle, which no model knows, and the windowed reader.
#
# With the default lengths and window, the map shows that everything is found in contexts up to the
# size of the window, that the middle of longer contexts is lost, and that only the two ends of the
# longest contexts are read.

LENGTHS: Final = (4_000, 8_000, 16_000, 32_000)
SYSTEM: Final = "reader:12000"
QUESTIONS: Final = 30
MOST_TOKENS: Final = 1_000_000


def sample_novel_data(
    language: Language,
    *,
    longest: int,
    tokenizer: str = "o200k",
    seed: int = 0,
    questions: int = QUESTIONS,
) -> NovelData:
    """A chronicle that is a quarter longer than the longest context, with its questions.

    It is at least 2,000 tokens longer, and never longer than ``MOST_TOKENS``.
    """
    tokens = min(MOST_TOKENS, longest + max(longest // 4, 2_000))
    story = chronicle(language, tokens=tokens, seed=seed, questions=questions)
    name = f"chronicle_{language}_{tokens}_{seed}"
    return NovelData(
        name=f"sample_{language}",
        novel=TokenizedNovel(Novel(text=story.text), load_tokenizer(tokenizer)),
        novel_name=name,
        novel_sha256=text_sha256(story.text),
        questions=story.questions,
        questions_name=f"{name}_questions",
        questions_sha256=hashlib.sha256(msgspec.json.encode(story.questions)).hexdigest(),
        set_metadata={"language": language, "seed": seed, "tokens": tokens},
    )
