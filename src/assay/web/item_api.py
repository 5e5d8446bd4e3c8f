"""The items of a run, as the page receives them: the table of questions, and one question.

``assay.web.api`` names the calls that return these structs.
"""

from typing import Literal

from msgspec import Struct

from assay.web.judge.api import VerdictView
from assay.words.message import Message, Said

Mark = Literal["better", "worse", "same", ""]
"""A value against the baseline's value of the same item; empty if they cannot be compared."""
CellStatus = Literal["scored", "answered", "failed", "skipped", "spared", "unparsed", "absent"]


class ItemQuery(Struct, frozen=True, kw_only=True):
    """Which items are shown, and in which order.

    ``show`` is one of all, different, worse, better, failed, skipped, unparsed, abstained, unsure,
    without_gold, answered, spared, against_people, against_judges, judge_unparsed; the last three are about
    the judge ``judge`` ("" is any). ``variant`` restricts it to one variant; "" is any variant, and for
    different, worse, better and the sort by difference any except the baseline.
    ``metric`` is the one that is compared and shown ("" is the primary one).
    ``low`` and ``high`` keep items with a value of ``metric`` in this range in the chosen variant
    (any, if none is chosen). ``tag`` is a tag, or several on lines of their own, all of which an
    item must have. ``text`` is searched in questions and answers, without regard to
    case; as a regular expression if ``regex``. ``sort`` is ``file`` (the order of the questions),
    ``difference`` (worst first), ``id``, or a variant's name; ``descending`` turns it round.
    """

    show: str = "all"
    variant: str = ""
    metric: str = ""
    low: float | None = None
    high: float | None = None
    source: str = ""
    tag: str = ""
    text: str = ""
    regex: bool = False
    sort: str = "file"
    descending: bool = False
    judge: str = ""
    offset: int = 0
    limit: int = 100


class ItemCell(Struct, frozen=True, kw_only=True):
    """A case in the table of items: its value of the chosen metric, and how it ended.

    ``is_unsure`` if a check is unsure of a score of the answer.
    """

    status: CellStatus
    value: float | None
    mark: Mark
    is_abstained: bool | None = None
    is_unsure: bool = False


class ItemRow(Struct, frozen=True, kw_only=True):
    """An item: its index in the run, and one cell for each variant in the run's order."""

    item: int
    id: str
    question: str
    source: str
    cells: tuple[ItemCell, ...]


class ItemPage(Struct, frozen=True, kw_only=True):
    """Items ``offset`` and following; ``total`` is ``None`` if counting takes longer (ask count)."""

    rows: tuple[ItemRow, ...]
    offset: int
    total: int | None
    is_last: bool


class ItemCount(Struct, frozen=True, kw_only=True):
    """How many items match."""

    total: int


class TextPart(Struct, frozen=True, kw_only=True):
    """A part of a long text from character ``offset`` on; ``total`` is the length of the whole.

    ``next`` is the offset of the next part, ``None`` after the last one. Characters are code
    points, as Python counts them.
    """

    text: str
    offset: int
    total: int
    next: int | None = None


class PassageView(Struct, frozen=True, kw_only=True):
    """A retrieved passage in the order of the answer's citations; ``spans`` are cited stretches.

    ``spans`` count code points of ``text``.
    """

    id: str
    number: int
    text: str | None
    page: int | None
    score: float | None
    rank: int | None
    is_gold: bool | None
    is_cited: bool
    spans: tuple[tuple[int, int], ...] = ()
    is_cut: bool = False


class StageView(Struct, frozen=True, kw_only=True):
    """A step of the system: its time, why it was skipped, and what it kept."""

    name: str
    elapsed_s: float | None
    skipped: str | None
    detail: str


class ScoreView(Struct, frozen=True, kw_only=True):
    """One score of an answer with its reason in words.

    ``unsure`` says which way the score leans and why, if the check is unsure of it.
    """

    name: str
    title: Said
    value: str
    reason: Said | None
    unsure: Message | None = None


class AnswerView(Struct, frozen=True, kw_only=True):
    """What one variant answered."""

    variant: str
    status: CellStatus
    answer: str | None
    error: str | None
    passages: tuple[PassageView, ...] | None
    stages: tuple[StageView, ...]
    scores: tuple[ScoreView, ...]
    value: float | None
    mark: Mark
    elapsed_s: float | None
    is_first_in_flight: bool
    cost: float | None
    tokens: tuple[int, int] | None
    is_abstained: bool | None
    attempts: int | None
    is_cut: bool = False
    verdicts: tuple[VerdictView, ...] = ()


class GoldView(Struct, frozen=True, kw_only=True):
    """A gold passage: its id, and its text if a row or the corpus has it."""

    id: str
    text: str | None = None


class ItemView(Struct, frozen=True, kw_only=True):
    """One question with everything that was expected and answered."""

    item: int
    id: str
    question: str
    source: str
    expected: tuple[tuple[Said, Said], ...]
    gold: tuple[GoldView, ...]
    tags: tuple[str, ...]
    answers: tuple[AnswerView, ...]
    is_cut: bool = False
