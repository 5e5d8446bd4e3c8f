"""The Latin square of a uniform plan: questions take turns at the depths, length by length."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from assay.data.novel import NovelQuestion
from assay.jobs.depth.plan.slot import DEPTHS, Layout, Slot

Reason: TypeAlias = Callable[[NovelQuestion, int], str | None]
"""Why a question cannot be asked at a length; ``None`` where it can."""


def uniform_slots(
    questions: Sequence[NovelQuestion], reason: Reason, layout: Layout
) -> tuple[list[Slot], list[str]]:
    """The slots question by question, and what a user should know of them."""
    turns = [
        _Turns(questions, reason, length, place) for place, length in enumerate(layout.lengths)
    ]
    wanted = layout.per_cell or layout.min_per_cell
    uses = dict.fromkeys((question.id for question in questions), 0)
    again = 0
    for turn in turns:
        again += turn.fill(wanted, uses)
    by_question: dict[str, list[Slot]] = {question.id: [] for question in questions}
    for turn in turns:
        for slot in turn.slots():
            by_question[slot.question.id].append(slot)
    slots = [slot for question in questions for slot in by_question[question.id]]
    return slots, list(_reuse_notes(turns, wanted, again))


class _Turns:
    """One length: which questions stand at which of the five depths."""

    def __init__(
        self, questions: Sequence[NovelQuestion], reason: Reason, length: int, place: int
    ) -> None:
        self.length = length
        found = [(question, reason(question, length)) for question in questions]
        self._usable = [question for question, why in found if why is None]
        self.cells: list[dict[str, NovelQuestion]] = [{} for _ in DEPTHS]
        for number, question in enumerate(self._usable):
            self.cells[(number + place) % len(DEPTHS)][question.id] = question
        lost = [(question, why) for question, why in found if why is not None]
        self._skipped = [
            Slot(
                question=question,
                length=length,
                depth=DEPTHS[(number + place) % len(DEPTHS)],
                reason=why,
            )
            for number, (question, why) in enumerate(lost)
        ]

    @property
    def usable(self) -> int:
        """How many questions can be asked at this length."""
        return len(self._usable)

    def fill(self, wanted: int, uses: dict[str, int]) -> int:
        """Ask again, those first that were asked least, until each cell has ``wanted``."""
        added = 0
        here = dict.fromkeys((question.id for question in self._usable), 1)
        for cell in self.cells:
            if len(cell) >= wanted:
                continue
            free = [question for question in self._usable if question.id not in cell]
            free.sort(key=lambda question: (here[question.id], uses[question.id]))
            for question in free[: wanted - len(cell)]:
                cell[question.id] = question
                here[question.id] += 1
                uses[question.id] += 1
                added += 1
        return added

    def slots(self) -> Iterator[Slot]:
        for depth, cell in zip(DEPTHS, self.cells, strict=True):
            for question in cell.values():
                yield Slot(question=question, length=self.length, depth=depth)
        yield from self._skipped


def _reuse_notes(turns: Sequence[_Turns], wanted: int, again: int) -> Iterator[str]:
    usable = [turn for turn in turns if turn.usable]
    if again:
        least = min(usable, key=lambda turn: turn.usable)
        yield (
            f"{least.usable} questions at {least.length} tokens are too few for {wanted} a cell: "
            f"{again} times a question is asked at a further depth of the same length"
        )
    fewest = min((len(cell) for turn in usable for cell in turn.cells), default=wanted)
    if fewest < wanted:
        yield f"some cells have only {fewest} questions, not {wanted}: there are no more"
