"""The Latin square of a uniform plan: the questions rotate through the depths at each length."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from assay.data.novel import NovelQuestion
from assay.jobs.depth.plan.slot import DEPTHS, Layout, Slot
from assay.text import counted

Reason: TypeAlias = Callable[[NovelQuestion, int], str | None]
"""Gives the reason why a question cannot be asked at a length; None if it can be asked."""


def uniform_slots(
    questions: Sequence[NovelQuestion], reason: Reason, layout: Layout
) -> tuple[list[Slot], list[str]]:
    """The slots, question by question, and notes for the user."""
    rows = [
        _LengthRow(questions, reason, length, offset)
        for offset, length in enumerate(layout.lengths)
    ]
    per_cell = layout.per_cell or layout.min_per_cell
    uses = dict.fromkeys((question.id for question in questions), 0)
    reused = [row.fill(per_cell, uses) for row in rows]
    by_question: dict[str, list[Slot]] = {question.id: [] for question in questions}
    for row in rows:
        for slot in row.slots():
            by_question[slot.question.id].append(slot)
    slots = [slot for question in questions for slot in by_question[question.id]]
    return slots, list(_reuse_notes(rows, per_cell, reused))


class _LengthRow:
    """The questions of one context length at each of the five depths.

    ``offset`` is the number of depths by which the rotation is shifted at this length.
    """

    def __init__(
        self, questions: Sequence[NovelQuestion], reason: Reason, length: int, offset: int
    ) -> None:
        self.length = length
        reasons = [(question, reason(question, length)) for question in questions]
        self._usable = [question for question, why in reasons if why is None]
        self.cells: list[dict[str, NovelQuestion]] = [{} for _ in DEPTHS]
        for number, question in enumerate(self._usable):
            self.cells[(number + offset) % len(DEPTHS)][question.id] = question
        unusable = [(question, why) for question, why in reasons if why is not None]
        self._skipped = [
            Slot(
                question=question,
                length=length,
                depth=DEPTHS[(number + offset) % len(DEPTHS)],
                reason=why,
            )
            for number, (question, why) in enumerate(unusable)
        ]

    @property
    def usable(self) -> int:
        """The number of questions that can be asked at this length."""
        return len(self._usable)

    def fill(self, per_cell: int, uses: dict[str, int]) -> int:
        """Add questions of other depths until each cell has ``per_cell``; return their number.

        The questions with the fewest uses at this length, then in the whole plan, come first.
        ``uses`` is updated.
        """
        added = 0
        uses_here = dict.fromkeys((question.id for question in self._usable), 1)
        for cell in self.cells:
            if len(cell) >= per_cell:
                continue
            candidates = [question for question in self._usable if question.id not in cell]
            candidates.sort(key=lambda question: (uses_here[question.id], uses[question.id]))
            for question in candidates[: per_cell - len(cell)]:
                cell[question.id] = question
                uses_here[question.id] += 1
                uses[question.id] += 1
                added += 1
        return added

    def slots(self) -> Iterator[Slot]:
        for depth, cell in zip(DEPTHS, self.cells, strict=True):
            for question in cell.values():
                yield Slot(question=question, length=self.length, depth=depth)
        yield from self._skipped


def _reuse_notes(rows: Sequence[_LengthRow], per_cell: int, reused: Sequence[int]) -> Iterator[str]:
    """What was done where questions were too few; ``reused`` has the cases of each length."""
    usable = [row for row in rows if row.usable]
    filled = {row: cases for row, cases in zip(rows, reused, strict=True) if cases}
    again = "a question again at another depth of the same length"
    if filled:
        least = min(filled, key=lambda row: row.usable)
        yield (
            f"{counted(least.usable, 'question')} at {least.length} tokens: too few for {per_cell} in "
            f"each cell; {counted(filled[least], 'case asks', 'cases ask')} {again}"
        )
    if len(filled) > 1:
        yield f"{sum(reused)} cases at {len(filled)} lengths ask {again}"
    fewest = min((len(cell) for row in usable for cell in row.cells), default=per_cell)
    if fewest < per_cell:
        yield f"some cells have only {counted(fewest, 'question')}, not {per_cell}: there are no more"
