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

A ``DepthLayout`` is what the user chooses, and a ``Slot`` is one place of the plan.
"""

from collections.abc import Callable, Collection, Container, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from assay.errors import UseError
from assay.jobs.depth.context import skip_reason
from assay.jobs.depth.novel import TokenizedNovel
from assay.jobs.depth.novel_data import NovelData
from assay.jobs.depth.question import NovelQuestion
from assay.mask import mask_identifier, sealed
from assay.records import Case, Variant, digest
from assay.registry import nearest
from assay.runs.plan import FurtherMark, Plan, settings_mark
from assay.systems.protocol import System
from assay.text.normalise import Span
from assay.words.message import Message, message, message_n

Mode: TypeAlias = Literal["legacy", "uniform", "fixed"]
MODES: Final[tuple[Mode, ...]] = ("legacy", "uniform", "fixed")
DEPTHS: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
MIN_PER_CELL: Final = 5
POSITION_PADDING: Final = 500
"""The tokens of padding by default if evidence is given by token positions, as published tests."""


class DepthLayout(Struct, frozen=True, kw_only=True):
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

    layout: DepthLayout
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
        return closed_journal(self.journal)


def closed_journal(journal: Path) -> Path:
    """The journal of the pass without the novel that belongs to a journal."""
    return journal.with_name(f"{journal.stem}.closed.jsonl")


# The Latin square of a uniform plan: the questions rotate through the depths at each length.

Reason: TypeAlias = Callable[[NovelQuestion, int], Message | str | None]
"""Gives the reason why a question cannot be asked at a length; None if it can be asked."""


def uniform_slots(
    questions: Sequence[NovelQuestion], reason: Reason, layout: DepthLayout
) -> tuple[list[Slot], list[Message | str]]:
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


def _reuse_notes(
    rows: Sequence[_LengthRow], per_cell: int, reused: Sequence[int]
) -> Iterator[Message | str]:
    """What was done where questions were too few; ``reused`` has the cases of each length."""
    usable = [row for row in rows if row.usable]
    filled = {row: cases for row, cases in zip(rows, reused, strict=True) if cases}
    if filled:
        least = min(filled, key=lambda row: row.usable)
        yield message_n(
            "{questions} at {length} tokens: too few for {per_cell} in each cell; {n} case asks a question again at another depth of the same length",
            "{questions} at {length} tokens: too few for {per_cell} in each cell; {n} cases ask a question again at another depth of the same length",
            filled[least],
            questions=message_n("{n} question", "{n} questions", least.usable),
            length=least.length,
            per_cell=per_cell,
        )
    if len(filled) > 1:
        yield message(
            "{n} cases at {lengths} lengths ask a question again at another depth of the same length",
            n=sum(reused),
            lengths=len(filled),
        )
    fewest = min((len(cell) for row in usable for cell in row.cells), default=per_cell)
    if fewest < per_cell:
        yield message_n(
            "some cells have only {n} question, not {per_cell}: there are no more",
            "some cells have only {n} questions, not {per_cell}: there are no more",
            fewest,
            per_cell=per_cell,
        )


def evidence_span(
    question: NovelQuestion, novel: TokenizedNovel, layout: DepthLayout
) -> Span | None:
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
    questions: Sequence[NovelQuestion], novel: TokenizedNovel, layout: DepthLayout
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

    def __init__(self, novel: TokenizedNovel, layout: DepthLayout) -> None:
        self._novel = novel
        self._layout = layout
        self._known: dict[tuple[str, int], Message | str | None] = {}
        self._spans: dict[str, Span | None] = {}
        self._sizes: dict[str, int] = {}

    def of(self, question: NovelQuestion, length: int) -> Message | str | None:
        key = (question.id, length)
        if key not in self._known:
            self._known[key] = self._reason(question, length)
        return self._known[key]

    def _reason(self, question: NovelQuestion, length: int) -> Message | str | None:
        span = self._span(question)
        if span is None:
            return question.note or message("its evidence is not in the novel")
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


def _legacy_reason(novel: TokenizedNovel, span: Span, length: int) -> Message | str | None:
    if novel.tokens < length:
        return message(
            "the novel has {tokens} tokens, fewer than {length}", tokens=novel.tokens, length=length
        )
    if span.end > novel.offset(length):
        return message(
            "the evidence ends at token {a} of the novel, beyond its first {length}",
            a=novel.tokens_before(span.end),
            length=length,
        )
    return None


def _refuse_short_lengths(
    questions: Sequence[NovelQuestion],
    novel: TokenizedNovel,
    reasons: _Reasons,
    layout: DepthLayout,
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
    questions: Sequence[NovelQuestion], reasons: _Reasons, layout: DepthLayout
) -> Sequence[NovelQuestion]:
    """The questions to plan; if not all are needed, they are chosen evenly from the file."""
    most = layout.limit
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
    questions: Sequence[NovelQuestion],
    reasons: _Reasons,
    layout: DepthLayout,
    novel: TokenizedNovel,
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


def _skip_notes(slots: Sequence[Slot], layout: DepthLayout) -> Iterator[Message | str]:
    for length in layout.lengths:
        of_length = [slot for slot in slots if slot.length == length]
        reasons = [slot.reason for slot in of_length if slot.reason]
        if reasons:
            yield message_n(
                "{some} of {n} case of {length} tokens cannot be asked, the first because {reason}",
                "{some} of {n} cases of {length} tokens cannot be asked, the first because {reason}",
                len(of_length),
                some=len(reasons),
                length=length,
                reason=reasons[0],
            )


# The layout for the options of ``assay depth``, with a check for contradictions.


class LayoutOptions(Struct, frozen=True, kw_only=True):
    """The options as typed by the user; None for options that were not given.

    ``usual_lengths`` are the default lengths.
    """

    mode: str | None = None
    depth: str | None = None
    context_length: str | None = None
    context_lengths: str | None = None
    padding: int | None = None
    limit: int | None = None
    per_cell: int | None = None
    min_per_cell: int | None = None
    usual_lengths: tuple[int, ...] = ()


def layout_of(options: LayoutOptions) -> DepthLayout:
    """The layout that the options describe.

    Raises:
        UseError: The options contradict each other, or a value is not valid.
    """
    mode = _mode(options)
    share = None if options.depth is None else depth_share(options.depth)
    if mode == "fixed" and share is None:
        raise UseError("--depth-mode fixed needs a depth: add --depth 0 to 100")
    if mode != "fixed" and share is not None:
        raise UseError(f"--depth is for --depth-mode fixed, not {mode}")
    if mode == "legacy" and options.per_cell is not None:
        raise UseError("--per-cell needs chosen depths: use --depth-mode uniform or fixed")
    if mode != "uniform" and options.min_per_cell is not None:
        raise UseError(f"--min-per-cell is for --depth-mode uniform, not {mode}")
    _check_numbers(options)
    min_per_cell = options.min_per_cell
    return DepthLayout(
        mode=mode,
        lengths=_lengths(options),
        depth=share,
        padding=options.padding,
        limit=options.limit or None,
        per_cell=options.per_cell,
        min_per_cell=MIN_PER_CELL if min_per_cell is None else min_per_cell,
    )


def _mode(options: LayoutOptions) -> Mode:
    name = options.mode or "legacy"
    for mode in MODES:
        if mode == name:
            return mode
    raise UseError(f"--depth-mode {name}: no such mode{nearest(name, MODES)}")


def _check_numbers(options: LayoutOptions) -> None:
    numbers = (
        ("--padding-size", options.padding, 0),
        ("--limit", options.limit, 0),
        ("--per-cell", options.per_cell, 1),
        ("--min-per-cell", options.min_per_cell, 0),
    )
    for option, value, least in numbers:
        if value is not None and value < least:
            raise UseError(f"{option} {value}: must be {least} or more")


def _lengths(options: LayoutOptions) -> tuple[int, ...]:
    if options.context_lengths is not None:
        return token_lengths("--context-lengths", options.context_lengths)
    if options.context_length is not None:
        return token_lengths("--context-length", options.context_length)
    if not options.usual_lengths:
        raise UseError("give the lengths of the contexts, for example --context-lengths 32k,64k")
    return options.usual_lengths


def depth_share(depth: str) -> float:
    """A depth in percent, with or without the percent sign, as a number from 0 to 1.

    A fraction such as 0.5 could mean half a percent or the middle, so it needs the sign.

    >>> depth_share("50"), depth_share("12.5%")
    (0.5, 0.125)
    """
    written = depth.strip()
    try:
        percent = float(written.removesuffix("%"))
    except ValueError:
        raise UseError(f"--depth {depth}: not a number from 0 to 100") from None
    if 0 < percent <= 1 and "%" not in written and not written.isdecimal():
        raise UseError(
            f"--depth {depth}: {percent:g} % or {100 * percent:g} %? "
            f"write {percent:g}% or {100 * percent:g}"
        )
    if not 0 <= percent <= 100:
        raise UseError(f"--depth {depth}: must be between 0 and 100 %")
    return percent / 100


def token_lengths(option: str, value: str) -> tuple[int, ...]:
    """The distinct lengths in a list such as ``4000,8k``, in ascending order.

    >>> token_lengths("--context-lengths", "64k, 32000,64000")
    (32000, 64000)
    """
    lengths = set()
    for word in value.split(","):
        number = word.strip().lower()
        digits = number.removesuffix("k").replace("_", "")
        if not (digits.isascii() and digits.isdecimal()) or int(digits) == 0:
            raise UseError(f"{option} {value}: {word.strip()!r} is not a number of tokens")
        lengths.add(int(digits) * (1000 if number.endswith("k") else 1))
    return tuple(sorted(lengths))


# The plan in the form that the runner needs: one case for each slot, created on demand.
#
# The fingerprint of a case covers the question without its correct answers, so that a correction of
# these asks nothing again.


def case_plan(plan: DepthPlan, variant: Variant, system: str) -> Plan:
    """The runner's plan; the placement of each case contains its slot."""
    prefix = sealed(f"{digest(system)}-{settings_mark(variant)}") + "-"
    with_depth = plan.layout.mode != "legacy"

    def key(slot: Slot) -> str:
        label = slot_label(slot, with_depth=with_depth)
        return mask_identifier(f"{slot.question.id}::{variant.name}::{label}")

    def marks() -> Iterator[tuple[str, str]]:
        question_id, fingerprint = "", ""
        for slot in plan.slots:
            if slot.question.id != question_id:
                question_id = slot.question.id
                fingerprint = prefix + sealed(digest(asked(slot.question)))
            yield key(slot), fingerprint

    def cases(
        *, first: int = 0, open_keys: Collection[str] = (), done_keys: Container[str] = ()
    ) -> Iterator[Case]:
        for number, (slot, (name, fingerprint)) in enumerate(
            zip(plan.slots, marks(), strict=True), 1
        ):
            if (name not in open_keys) if number <= first else (name in done_keys):
                continue
            yield Case(
                key=name,
                question=slot.question,
                variant=variant,
                fingerprint=fingerprint,
                against=sealed(digest(compared_with(slot.question))),
                top_k=1,
                placement={"slot": slot},
            )

    return Plan(
        total=len(plan.slots),
        cases=cases,
        marks=marks,
        system=system,
        variants=(variant,),
        further_marks=lambda: _further_marks(plan),
        with_recorded_gold=with_recorded_answers,
    )


def _further_marks(plan: DepthPlan) -> Iterator[FurtherMark]:
    question_id, mark = "", FurtherMark()
    for slot in plan.slots:
        if slot.question.id != question_id:
            question_id = slot.question.id
            against = sealed(digest(compared_with(slot.question)))
            mark = FurtherMark(against, partial(digest, slot.question))
        yield mark


def asked(question: NovelQuestion) -> NovelQuestion:
    """The question without what its answer is compared with."""
    return replace(question, answers=())


def compared_with(question: NovelQuestion) -> tuple[str, ...]:
    """What an answer to the question is compared with."""
    return question.answers


def with_recorded_answers(question: NovelQuestion, row: Mapping[str, Any]) -> NovelQuestion:
    """The question with the correct answers of a recorded row."""
    return replace(question, answers=tuple(map(str, row.get("correct_answer") or ())))


def slot_label(slot: Slot, *, with_depth: bool) -> str:
    """The label that distinguishes the cases of one question.

    In ``legacy`` mode it is the length only, because the depth is not chosen.
    """
    if not with_depth or slot.depth is None:
        return f"length={slot.length}"
    return f"length={slot.length},depth={depth_label(slot.depth)}"
