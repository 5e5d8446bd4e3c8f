"""Run a depth test: plan, ask without the novel where wanted, ask with it, sum up."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from assay.config import RunSettings
from assay.data.novel import NovelQuestion
from assay.errors import UseError
from assay.jobs.depth.handler import JOB, DepthHandler
from assay.jobs.depth.header import first_line, metadata, model_name, refuse_other_test
from assay.jobs.depth.novel_data import NovelData
from assay.jobs.depth.plan import DepthPlan, Layout, Slot, case_plan, plan_depth
from assay.jobs.depth.prompt import prompts_hash
from assay.journal import append_corrections, last_rows, read_rows
from assay.records import RunHeader, Variant
from assay.runner import Plan, Reporter, RunResult, run_plan
from assay.systems import ReplaySystem, System

CLOSED: Final = "closed-book"
"""The variant of the pass without the novel."""

_DIGIT: Final = re.compile(r"\d")


class Depth(Struct, frozen=True, kw_only=True):
    """A test made ready: checked, with its system and plans.

    ``closed`` is the pass without the novel, ``facts`` the metadata of the results file.
    """

    material: NovelData
    plan: DepthPlan
    cases: Plan
    closed: Plan | None
    system: System
    load: Callable[[], System]
    facts: Mapping[str, Any]
    journal: Path

    @property
    def closed_journal(self) -> Path:
        """Where the answers without the novel go."""
        return self.journal.with_name(f"{self.journal.stem}.closed.jsonl")


def default_name(material: NovelData, layout: Layout, system: System) -> str:
    """A name for the results file that tells questions, model and mode."""
    model = re.sub(r"[^\w.-]+", "-", model_name(system)).strip("-.")[:60]
    return f"depth_{material.name}_{model}_{layout.mode}"


def prepare_depth(
    material: NovelData,
    layout: Layout,
    load: Callable[[], System],
    *,
    folder: Path,
    journal: Path | None = None,
    closed_book: bool = False,
) -> Depth:
    """Check and plan everything; nothing is asked, no context is built.

    ``load`` makes the system; the pass without the novel gets one of its own, since a run
    closes what it has used. Results go to ``journal``, by default one named for the test in
    ``folder``.

    Raises:
        UseError: the lengths do not fit the novel or the evidence, or the system cannot do it.
    """
    system = load()
    if isinstance(system, ReplaySystem):
        raise UseError(
            "replay: answers by question, and here a question is asked at many places; "
            "judge recorded answers again with assay score"
        )
    plan = plan_depth(material.questions, material.novel, layout)
    settings = {
        "mode": layout.mode,
        "padding": layout.padding,
        "tokenizer": material.novel.tokenizer.name,
        "novel": material.novel_sha256[:16],
        "prompts": prompts_hash(),
    }
    return Depth(
        material=material,
        plan=plan,
        cases=case_plan(plan, Variant(name=layout.mode, settings=settings), system.identity),
        closed=_closed_plan(plan, system) if closed_book else None,
        system=system,
        load=load,
        facts=metadata(material, plan, system),
        journal=journal or folder / f"{default_name(material, layout, system)}.jsonl",
    )


def _closed_plan(plan: DepthPlan, system: System) -> Plan:
    """Every question that is asked at all, once, without the novel."""
    asked = {slot.question.id: slot.question for slot in plan.slots if slot.reason is None}
    slots = tuple(Slot(question=question, length=0, depth=None) for question in asked.values())
    variant = Variant(name=CLOSED, settings={"prompts": prompts_hash()})
    closed = DepthPlan(layout=plan.layout, slots=slots, questions=len(slots))
    return case_plan(closed, variant, system.identity)


def run_closed_book(
    depth: Depth,
    *,
    settings: RunSettings,
    reporter: Callable[[DepthHandler], Reporter],
    fresh: bool = False,
    keep_stale: bool = False,
) -> RunResult | None:
    """Ask the questions without the novel; ``None`` where that is not wanted."""
    if depth.closed is None:
        return None
    if not fresh and not keep_stale:
        refuse_other_test(depth.journal, depth.facts)  # before anything is paid for
    work = DepthHandler(depth.load(), depth.material.novel, depth.plan.layout)
    return _run(
        depth, work, depth.closed, depth.closed_journal, settings, reporter, fresh, keep_stale
    )


def run_depth(
    depth: Depth,
    *,
    settings: RunSettings,
    reporter: Callable[[DepthHandler], Reporter],
    fresh: bool = False,
    keep_stale: bool = False,
) -> RunResult:
    """Ask what is not recorded yet, and sum up what is."""
    if not fresh and not keep_stale:
        refuse_other_test(depth.journal, depth.facts)
    known = read_known_questions(depth.closed_journal) if depth.closed is not None else {}
    work = DepthHandler(
        depth.system, depth.material.novel, depth.plan.layout, known, first=_telling(depth.plan)
    )
    result = _run(depth, work, depth.cases, depth.journal, settings, reporter, fresh, keep_stale)
    mark_known(depth.journal, known)
    return result


def _telling(plan: DepthPlan) -> Slot | None:
    """A slot whose answer has a number if any has: what it needs, the others need no more of."""
    asked = [slot for slot in plan.slots if slot.reason is None]
    numeric = (slot for slot in asked if any(map(_DIGIT.search, _right_texts(slot.question))))
    return next(numeric, asked[0] if asked else None)


def _right_texts(question: NovelQuestion) -> list[str]:
    """The texts of the right answers."""
    return [question.choices.get(answer, answer) for answer in question.answers]


def _run(
    depth: Depth,
    work: DepthHandler,
    plan: Plan,
    journal: Path,
    settings: RunSettings,
    reporter: Callable[[DepthHandler], Reporter],
    fresh: bool,
    keep_stale: bool,
) -> RunResult:
    return run_plan(
        plan,
        work,
        header(depth, plan, journal),
        journal,
        settings=settings,
        reporter=reporter(work),
        aggregate=_summed_up,
        fresh=fresh,
        keep_stale=keep_stale,
        preamble=first_line(depth.facts),
    )


def _summed_up(journal: Path) -> Mapping[str, Any]:
    # NumPy takes 0.2 s to import, and only the end of a run needs it
    from assay.jobs.study import summarise_run  # noqa: PLC0415

    return summarise_run(journal)


class _Known(Struct, frozen=True):
    question_id: str = ""
    status: str = ""
    scores: Mapping[str, Any] = {}


def read_known_questions(journal: Path) -> dict[str, bool]:
    """Which questions were answered wholly right without the novel; failed ones are not known of."""
    if not journal.exists():
        return {}
    known: dict[str, bool] = {}
    for rows in read_rows(journal, _Known):
        for row in rows:
            if row.status == "scored":
                known[row.question_id] = bool(row.scores.get("exact"))
    return known


def mark_known(journal: Path, known: Mapping[str, bool]) -> int:
    """Write again the rows that do not say yet whether their question is known; nobody is asked.

    That is so where ``--closed-book`` came later than the answers. Returns how many they were.
    """
    if not known:
        return 0
    corrections = [
        (row, {"closed_book_correct": known[row["question_id"]]})
        for row in last_rows(journal).values()
        if row["question_id"] in known
    ]
    return append_corrections(journal, corrections)


def header(depth: Depth, plan: Plan, journal: Path) -> RunHeader:
    """What was run on what, enough to repeat it."""
    material = depth.material
    extra = {name: value for name, value in depth.facts.items() if name != "tested_at"}
    extra["closed_book"] = depth.closed is not None
    return RunHeader(
        job=JOB,
        name=journal.stem,
        system=plan.system,
        variants=plan.variants,
        total=plan.total,
        questions_path=material.questions_name,
        questions_sha256=material.questions_sha256,
        limit=depth.plan.layout.max_questions,
        extra={**extra, "questions": depth.plan.questions, "notes": list(depth.plan.notes)},
    )


def describe(depth: Depth) -> list[str]:
    """What is about to run, in a few lines."""
    material, layout = depth.material, depth.plan.layout
    lengths = ", ".join(map(str, layout.lengths))
    padding = f", {layout.padding} tokens of padding a side" if layout.padding else ""
    tokens = f"{material.novel.tokens} tokens ({material.novel.tokenizer.name})"
    lines = [
        f"novel       {material.novel_name}: {tokens}",
        f"questions   {depth.plan.questions} of {len(material.questions)} in {material.questions_name}",
        f"system      {model_name(depth.system)}",
        f"depth       {layout.mode} at {', '.join(layout.bins)}{padding}"
        if layout.mode != "legacy"
        else "depth       legacy: the first tokens of the novel",
        f"lengths     {lengths}; {len(depth.plan.slots)} cases",
    ]
    return [*lines, *(f"note        {note}" for note in (*material.notes, *depth.plan.notes))]
