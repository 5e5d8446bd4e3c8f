"""A question about a novel as it is written, without looking for its evidence in the novel."""

from collections.abc import Mapping

from msgspec import Struct

from assay.data.novel.question_row import (
    Bounds,
    QuestionRow,
    QuestionType,
    RowFault,
    lettered_choices,
    question_text,
    quotations,
    read_row,
    typed_answers,
)


class WrittenQuestion(Struct, frozen=True, kw_only=True):
    """What a line says: the question, its choices and answers, and its evidence.

    ``answers`` are letters if there are choices. ``quotations`` are the passages that the line
    quotes; ``start`` and ``end`` are its ``evidence_span``. ``id`` is empty if the line has none.
    """

    id: str
    text: str
    question_type: QuestionType
    choices: Mapping[str, str]
    answers: tuple[str, ...]
    quotations: tuple[str, ...]
    start: int | None = None
    end: int | None = None
    source: str | None = None


def read_written_question(line: bytes) -> WrittenQuestion:
    """The question of one line.

    Raises:
        RowFault: a field is missing or wrong.
        msgspec.DecodeError: the line is not an object with these fields.
    """
    row = read_row(line)
    choices = lettered_choices(row)
    kind, answers = typed_answers(row, choices)
    start, end = _bounds(row)
    return WrittenQuestion(
        id="" if row.id is None else str(row.id).strip(),
        text=question_text(row),
        question_type=kind,
        choices=choices,
        answers=answers,
        quotations=tuple(quotations(row)),
        start=start,
        end=end,
        source=row.source,
    )


def _bounds(row: QuestionRow) -> tuple[int | None, int | None]:
    span = row.evidence_span
    if span is None:
        return None, None
    start, end = (span.start, span.end) if isinstance(span, Bounds) else span
    if not 0 <= start < end:
        raise RowFault(f"`evidence_span` starts before its end, not at {start}")
    return start, end
