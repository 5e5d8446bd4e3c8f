"""Which question is asked at which length and depth.

``uniform``: at every length the questions take turns at the five depths, and the turn moves
on by one from length to length (a Latin square), so that no question always sits at the same
depth and every cell gets an equal share. Where a cell is short of its least number, questions
are asked there again that had another depth at this length. ``fixed``: one depth for all.
``legacy``: the first tokens of the novel, wherever in them the evidence is.

What cannot be asked at a length stays in the plan with the reason, and its row will say so.
Only sizes are compared here; contexts are built when their case is asked.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from assay.data.context import skip_reason
from assay.data.novel import NovelQuestion, TokenizedNovel
from assay.errors import UseError
from assay.jobs.depth.plan.latin_square import uniform_slots
from assay.jobs.depth.plan.slot import DEPTHS, DepthPlan, Layout, Slot
from assay.text import Span


def evidence_span(question: NovelQuestion, novel: TokenizedNovel, padding: int) -> Span | None:
    """The passage that is placed: the evidence with ``padding`` tokens more on either side."""
    if question.evidence is None:
        return None
    if not padding:
        return question.evidence
    return novel.whole_sentences(question.evidence, padding_tokens=padding)


def plan_depth(
    questions: Sequence[NovelQuestion], novel: TokenizedNovel, layout: Layout
) -> DepthPlan:
    """Lay the questions out.

    Raises:
        UseError: a length is below the evidence of every question, or nothing can be asked.
    """
    reasons = _Reasons(novel, layout)
    _refuse_short_lengths(questions, novel, reasons, layout)
    chosen = _chosen(questions, reasons, layout)
    if layout.mode == "uniform":
        slots, notes = uniform_slots(chosen, reasons.of, layout)
    else:
        slots, notes = _one_depth(chosen, reasons, layout, novel), []
    plan = DepthPlan(
        layout=layout,
        slots=tuple(slots),
        questions=len(chosen),
        notes=(*notes, *_skipping_notes(slots, layout)),
    )
    if not plan.askable:
        first = next((slot.reason for slot in slots if slot.reason), "there are no questions")
        raise UseError(f"no question can be asked at any length; the first because {first}")
    return plan


class _Reasons:
    """Why a question cannot be asked at a length, looked up once each."""

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
            padding = self._layout.padding
            self._spans[question.id] = evidence_span(question, self._novel, padding)
        return self._spans[question.id]

    def size(self, question: NovelQuestion) -> int:
        """Tokens of the passage that is placed; 0 where there is none."""
        if question.id not in self._sizes:
            novel, span = self._novel, self._span(question)
            whole = Span(start=0, end=0) if span is None else novel.whole_sentences(span)
            held = novel.tokens_before(whole.end) - novel.tokens_before(whole.start)
            self._sizes[question.id] = held
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
    """A length that is below the evidence of every question is a slip of the hand."""
    placed = [question for question in questions if question.evidence is not None]
    smallest = min(map(reasons.size, placed), default=0)
    for length in layout.lengths:
        is_short = smallest >= length
        # with so much text beside it, only the evidence can be in the way
        if not is_short and layout.mode != "legacy" and novel.tokens >= 2 * length:
            is_short = bool(placed) and all(reasons.of(one, length) for one in placed)
        if is_short:
            raise UseError(
                f"a context of {length} tokens has no room for the evidence of any question: the "
                f"shortest is {smallest} tokens with its whole sentences"
                + (f" and {layout.padding} of padding a side" if layout.padding else "")
                + ", and other text must stand beside it"
            )


def _chosen(
    questions: Sequence[NovelQuestion], reasons: _Reasons, layout: Layout
) -> Sequence[NovelQuestion]:
    """The questions to lay out; where fewer are wanted, spread evenly through the file."""
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
    """At most so many of the items, evenly spaced, in order.

    >>> spread("abcdefg", 3), spread("ab", 3)
    (['a', 'c', 'e'], ['a', 'b'])
    """
    if most >= len(items):
        return list(items)
    return [items[place * len(items) // most] for place in range(most)]


def _one_depth(
    questions: Sequence[NovelQuestion], reasons: _Reasons, layout: Layout, novel: TokenizedNovel
) -> list[Slot]:
    is_fixed = layout.mode == "fixed"
    return [
        Slot(
            question=question,
            length=length,
            depth=layout.depth if is_fixed else _lies_at(question, novel, length),
            reason=reasons.of(question, length),
        )
        for question in questions
        for length in layout.lengths
    ]


def _lies_at(question: NovelQuestion, novel: TokenizedNovel, length: int) -> float | None:
    """The depth of evidence that lies within the first ``length`` tokens of the novel."""
    span = question.evidence
    if span is None or span.end > novel.offset(length):
        return None
    before = novel.tokens_before(span.start)
    outside = length - (novel.tokens_before(span.end) - before)
    return before / outside if outside > 0 else 0.0


def _skipping_notes(slots: Sequence[Slot], layout: Layout) -> Iterator[str]:
    for length in layout.lengths:
        here = [slot for slot in slots if slot.length == length]
        reasons = [slot.reason for slot in here if slot.reason]
        if reasons:
            yield (
                f"{len(reasons)} of {len(here)} cases of {length} tokens cannot be asked, "
                f"the first because {reasons[0]}"
            )
