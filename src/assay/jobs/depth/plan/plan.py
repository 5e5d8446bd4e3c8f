"""Deciding which question is asked at which length and depth.

- ``uniform``: at each length the questions are distributed over the five depths in rotation, and
  the rotation is shifted by one from length to length (a Latin square). No question always has
  the same depth, and all cells get the same number of questions, plus or minus one. If a cell
  has fewer questions than required, questions of other depths of this length are added to it.
- ``fixed``: all questions have the same depth.
- ``legacy``: the context is the beginning of the novel, and the evidence is where it happens to
  be.

A question that cannot be asked at a length stays in the plan with the reason, which is written to
its row. The plan only compares sizes; a context is built when its case is asked.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from assay.data.context import skip_reason
from assay.data.novel import NovelQuestion, TokenizedNovel
from assay.errors import UseError
from assay.jobs.depth.plan.latin_square import uniform_slots
from assay.jobs.depth.plan.slot import DEPTHS, DepthPlan, Layout, Slot
from assay.text import Span, counted


def evidence_span(question: NovelQuestion, novel: TokenizedNovel, layout: Layout) -> Span | None:
    """The passage that is placed in the context: the evidence with its padding around it.

    Returns None if the question has no evidence in the novel.
    """
    if question.evidence is None:
        return None
    padding = layout.padding_of(question)
    if not padding:
        return question.evidence
    return novel.whole_sentences(question.evidence, padding_tokens=padding)


def plan_depth(
    questions: Sequence[NovelQuestion], novel: TokenizedNovel, layout: Layout
) -> DepthPlan:
    """Plan the questions at the lengths and depths of the layout.

    Raises:
        UseError: A length is too short for the evidence of every question, or no question can
            be asked at any length.
    """
    reasons = _Reasons(novel, layout)
    _refuse_short_lengths(questions, novel, reasons, layout)
    chosen = _choose_questions(questions, reasons, layout)
    if layout.mode == "uniform":
        slots, notes = uniform_slots(chosen, reasons.of, layout)
    else:
        slots, notes = _single_depth_slots(chosen, reasons, layout, novel), []
    plan = DepthPlan(
        layout=layout,
        slots=tuple(slots),
        questions=len(chosen),
        notes=(*notes, *_skip_notes(slots, layout)),
    )
    if not plan.askable:
        first = next((slot.reason for slot in slots if slot.reason), "there are no questions")
        raise UseError(f"no question can be asked at any length; the first because {first}")
    return plan


class _Reasons:
    """The reasons why questions cannot be asked at a length; each is determined once."""

    def __init__(self, novel: TokenizedNovel, layout: Layout) -> None:
        self._novel = novel
        self._layout = layout
        self._known: dict[tuple[str, int], str | None] = {}
        self._spans: dict[str, Span | None] = {}
        self._sizes: dict[str, int] = {}

    def of(self, question: NovelQuestion, length: int) -> str | None:
        key = (question.id, length)
        if key not in self._known:
            self._known[key] = self._reason(question, length)
        return self._known[key]

    def _reason(self, question: NovelQuestion, length: int) -> str | None:
        span = self._span(question)
        if span is None:
            return question.note or "its evidence is not in the novel"
        if self._layout.mode == "legacy":
            return _legacy_reason(self._novel, span, length)
        return skip_reason(self._novel, span, target_tokens=length)

    def _span(self, question: NovelQuestion) -> Span | None:
        if question.id not in self._spans:
            self._spans[question.id] = evidence_span(question, self._novel, self._layout)
        return self._spans[question.id]

    def size(self, question: NovelQuestion) -> int:
        """The number of tokens of the passage that is placed, in whole sentences; 0 if none."""
        if question.id not in self._sizes:
            novel, span = self._novel, self._span(question)
            passage = Span(start=0, end=0) if span is None else novel.whole_sentences(span)
            tokens = novel.tokens_before(passage.end) - novel.tokens_before(passage.start)
            self._sizes[question.id] = tokens
        return self._sizes[question.id]


def _legacy_reason(novel: TokenizedNovel, span: Span, length: int) -> str | None:
    if novel.tokens < length:
        return f"the novel has {novel.tokens} tokens, fewer than {length}"
    if span.end > novel.offset(length):
        return (
            f"the evidence ends at token {novel.tokens_before(span.end)} of the novel, "
            f"beyond its first {length}"
        )
    return None


def _refuse_short_lengths(
    questions: Sequence[NovelQuestion], novel: TokenizedNovel, reasons: _Reasons, layout: Layout
) -> None:
    """Raise ``UseError`` for a length that is too short for the evidence of every question."""
    with_evidence = [question for question in questions if question.evidence is not None]
    smallest = min(map(reasons.size, with_evidence), default=0)
    for length in layout.lengths:
        is_short = smallest >= length
        # in a novel this long, there is enough other text, so the evidence must be the reason
        if not is_short and layout.mode != "legacy" and novel.tokens >= 2 * length:
            is_short = bool(with_evidence) and all(
                reasons.of(question, length) for question in with_evidence
            )
        if is_short:
            padding = max(map(layout.padding_of, with_evidence), default=0)
            raise UseError(
                f"a context of {length} tokens has no room for the evidence of any question: the "
                f"shortest has {smallest} tokens in whole sentences"
                + (f" with {padding} of padding on each side (--padding-size)" if padding else "")
                + ", and the context must contain other text too"
            )


def _choose_questions(
    questions: Sequence[NovelQuestion], reasons: _Reasons, layout: Layout
) -> Sequence[NovelQuestion]:
    """The questions to plan; if not all are needed, they are chosen evenly from the file."""
    most = layout.max_questions
    if layout.per_cell is not None:
        cells = len(DEPTHS) if layout.mode == "uniform" else 1
        most = min(layout.per_cell * cells, most if most is not None else len(questions))
    if most is None or most >= len(questions):
        return questions
    usable = [
        question
        for question in questions
        if any(reasons.of(question, length) is None for length in layout.lengths)
    ]
    return spread(usable or questions, most)


def spread(items: Sequence[Any], most: int) -> list[Any]:
    """At most ``most`` of the items, evenly spaced, in order.

    >>> spread("abcdefg", 3), spread("ab", 3)
    (['a', 'c', 'e'], ['a', 'b'])
    """
    if most >= len(items):
        return list(items)
    return [items[index * len(items) // most] for index in range(most)]


def _single_depth_slots(
    questions: Sequence[NovelQuestion], reasons: _Reasons, layout: Layout, novel: TokenizedNovel
) -> list[Slot]:
    is_fixed = layout.mode == "fixed"
    return [
        Slot(
            question=question,
            length=length,
            depth=layout.depth if is_fixed else _natural_depth(question, novel, length),
            reason=reasons.of(question, length),
        )
        for question in questions
        for length in layout.lengths
    ]


def _natural_depth(question: NovelQuestion, novel: TokenizedNovel, length: int) -> float | None:
    """The depth of the evidence in the first ``length`` tokens of the novel.

    Returns None if the evidence is missing or not completely within these tokens.
    """
    span = question.evidence
    if span is None or span.end > novel.offset(length):
        return None
    before = novel.tokens_before(span.start)
    other_tokens = length - (novel.tokens_before(span.end) - before)
    return before / other_tokens if other_tokens > 0 else 0.0


def _skip_notes(slots: Sequence[Slot], layout: Layout) -> Iterator[str]:
    for length in layout.lengths:
        of_length = [slot for slot in slots if slot.length == length]
        reasons = [slot.reason for slot in of_length if slot.reason]
        if reasons:
            yield (
                f"{len(reasons)} of {counted(len(of_length), 'case')} of {length} tokens cannot be asked, "
                f"the first because {reasons[0]}"
            )
