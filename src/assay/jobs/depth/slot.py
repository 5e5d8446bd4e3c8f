"""The types of a depth plan: the layout that the user chooses, and the slots of the plan."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct

from assay.jobs.depth.novel_data import NovelData
from assay.jobs.depth.question import NovelQuestion
from assay.runs.plan import Plan
from assay.systems.protocol import System
from assay.words.message import Message

Mode: TypeAlias = Literal["legacy", "uniform", "fixed"]
MODES: Final[tuple[Mode, ...]] = ("legacy", "uniform", "fixed")
DEPTHS: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
MIN_PER_CELL: Final = 5
POSITION_PADDING: Final = 500
"""The tokens of padding by default if evidence is given by token positions, as published tests."""


class Layout(Struct, frozen=True, kw_only=True):
    """The layout of a test: context lengths in tokens, and how depths are chosen.

    ``depth``, from 0 to 1, is for the mode ``fixed`` only. ``padding`` is the number of tokens
    added on each side of the evidence; None is the default, see ``padding_of``. ``per_cell`` is the exact number of questions in each
    cell, ``min_per_cell`` the minimum.
    """

    mode: Mode
    lengths: tuple[int, ...]
    depth: float | None = None
    padding: int | None = None
    limit: int | None = None
    per_cell: int | None = None
    min_per_cell: int = MIN_PER_CELL

    def padding_of(self, question: NovelQuestion) -> int:
        """The padding of a question's evidence.

        By default a token position, which is only roughly the place of the evidence, is padded;
        quoted evidence is not, and in ``legacy`` mode nothing is, because nothing is placed.
        """
        if self.padding is not None:
            return self.padding
        is_padded = question.located == "position" and self.mode != "legacy"
        return POSITION_PADDING if is_padded else 0

    @property
    def bins(self) -> tuple[str, ...]:
        """The labels of the planned depths."""
        return (
            (depth_label(self.depth),)
            if self.depth is not None
            else tuple(map(depth_label, DEPTHS))
        )


class Slot(Struct, frozen=True, kw_only=True, gc=False):
    """A question at a context length, with the depth of its evidence.

    In ``legacy`` mode the depth is where the evidence is in the novel, None if it is not in the
    context. ``reason`` says why the question cannot be asked; None if it can.
    """

    question: NovelQuestion
    length: int
    depth: float | None
    reason: Message | str | None = None


class DepthPlan(Struct, frozen=True, kw_only=True):
    """The slots in the order in which they are asked, and notes for the user.

    ``questions`` is the number of distinct questions.
    """

    layout: Layout
    slots: tuple[Slot, ...]
    questions: int
    notes: tuple[Message | str, ...] = ()

    @property
    def askable(self) -> int:
        """The number of slots that can be asked."""
        return sum(slot.reason is None for slot in self.slots)


def depth_label(depth: float) -> str:
    """A depth as a label in percent.

    >>> depth_label(0.25), depth_label(0.333)
    ('25%', '33.3%')
    """
    return f"{round(100 * depth, 4):g}%"


def nearest_depth(depth: float) -> float:
    """The nearest of the five depths; if two are equally near, the smaller.

    >>> nearest_depth(0.4), nearest_depth(0.125)
    (0.5, 0.0)
    """
    return min(DEPTHS, key=lambda candidate: (abs(candidate - depth), candidate))


# A planned depth test: the data that its two passes share.


class DepthTest(Struct, frozen=True, kw_only=True):
    """The data, the plan and its cases, and the journal for the rows.

    ``closed`` has the cases of the pass without the novel; it is ``None`` without such a pass.
    ``facts`` is the metadata of the results file.
    """

    data: NovelData
    plan: DepthPlan
    cases: Plan
    closed: Plan | None
    system: System
    facts: Mapping[str, Any]
    journal: Path

    @property
    def closed_journal(self) -> Path:
        """The journal of the pass without the novel."""
        return self.journal.with_name(f"{self.journal.stem}.closed.jsonl")
