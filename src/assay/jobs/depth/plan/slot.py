"""The vocabulary of a depth plan: the layout that is asked for, and the slots it comes to."""

from typing import Final, Literal, TypeAlias

from msgspec import Struct

from assay.data.novel import NovelQuestion

Mode: TypeAlias = Literal["legacy", "uniform", "fixed"]
MODES: Final[tuple[Mode, ...]] = ("legacy", "uniform", "fixed")
DEPTHS: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
MIN_PER_CELL: Final = 5


class Layout(Struct, frozen=True, kw_only=True):
    """What is to be laid out how. ``depth`` is of ``fixed``, 0 to 1.

    ``per_cell`` asks for just so many questions a cell, ``min_per_cell`` for at least so many.
    """

    mode: Mode
    lengths: tuple[int, ...]
    depth: float | None = None
    padding: int = 0
    max_questions: int | None = None
    per_cell: int | None = None
    min_per_cell: int = MIN_PER_CELL

    @property
    def bins(self) -> tuple[str, ...]:
        """The labels of the depths that are planned for."""
        return (
            (depth_label(self.depth),)
            if self.depth is not None
            else tuple(map(depth_label, DEPTHS))
        )


class Slot(Struct, frozen=True, kw_only=True, gc=False):
    """A question at a length. ``depth`` is where its evidence goes, or lies in ``legacy``.

    ``reason`` says why it cannot be asked.
    """

    question: NovelQuestion
    length: int
    depth: float | None
    reason: str | None = None


class DepthPlan(Struct, frozen=True, kw_only=True):
    """The slots in the order they are asked in, and what a user should know of them."""

    layout: Layout
    slots: tuple[Slot, ...]
    questions: int
    notes: tuple[str, ...] = ()

    @property
    def askable(self) -> int:
        """Slots that have no reason to be skipped."""
        return sum(slot.reason is None for slot in self.slots)


def depth_label(depth: float) -> str:
    """A depth as it is written.

    >>> depth_label(0.25), depth_label(0.333)
    ('25%', '33.3%')
    """
    return f"{round(100 * depth, 4):g}%"


def nearest_depth(depth: float) -> float:
    """The one of the five depths that lies nearest, of two the shallower.

    >>> nearest_depth(0.4), nearest_depth(0.125)
    (0.5, 0.0)
    """
    return min(DEPTHS, key=lambda one: (abs(one - depth), one))
