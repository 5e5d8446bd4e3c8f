"""Prepare a depth test: read, check and plan it; a first pass without the novel is optional."""

import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from assay import __version__
from assay.data.novel import NovelQuestion
from assay.errors import UseError
from assay.jobs.depth.estimate import depth_estimate
from assay.jobs.depth.handler import JOB, DepthHandler
from assay.jobs.depth.header import (
    first_line,
    largest_padding,
    metadata,
    model_name,
    refuse_other_test,
)
from assay.jobs.depth.novel_data import TOKENIZER, NovelData, read_novel_data
from assay.jobs.depth.plan import (
    DepthPlan,
    Layout,
    LayoutOptions,
    Slot,
    case_plan,
    held_against,
    layout_of,
    plan_depth,
)
from assay.jobs.depth.planned_test import DepthTest
from assay.jobs.depth.prompt import prompts_hash
from assay.jobs.depth.sample import SYSTEM, sample_novel_data
from assay.jobs.description import noted
from assay.jobs.estimate import Estimate
from assay.jobs.prepared import FinishedRun, JobRuns, PreparedRun, RunOptions
from assay.jobs.setup import load_configuration, make_system_context
from assay.journal import check_rows_path, read_rows
from assay.mask import mask_identifier
from assay.records import RunHeader, Variant, digest
from assay.runner import Plan
from assay.systems import ReplaySystem, System, load_system
from assay.text import Language, labelled
from assay.words import listed, say

CLOSED: Final = "closed-book"
"""The variant of the pass without the novel."""

_DIGIT: Final = re.compile(r"\d")


class DepthOptions(Struct, frozen=True, kw_only=True):
    """The options of ``assay depth`` besides those that all run commands share."""

    layout: LayoutOptions = LayoutOptions()
    novel: Path | None = None
    data_set: Path | None = None
    sample: bool = False
    lang: Language = "en"
    seed: int = 0
    system: str | None = None
    model: str | None = None
    tokenizer: str | None = None
    position_tokenizer: str | None = None
    output: Path | None = None
    closed_book: bool = False


def prepare(options: DepthOptions, run: RunOptions) -> JobRuns:
    """Read the novel and the questions, and plan the test; no question is asked yet."""
    if run.shard is not None and options.closed_book:
        raise UseError(
            "--shard cannot be combined with --closed-book: the test marks what the system knew "
            "in the pass without the novel, which must have ended; run this pass whole"
        )
    layout = layout_of(options.layout)
    spec = _system_spec(options)
    data = _read_data(options, layout)
    workspace = run.find_workspace()
    document = load_configuration(workspace)
    context = make_system_context(
        workspace,
        document,
        use_cache=not run.no_call_cache,
        concurrency=run.concurrency,
        cluster=run.cluster,
    )

    def prepared() -> Iterator[PreparedRun]:
        yield from prepare_depth(
            data,
            layout,
            lambda: load_system(spec, context),
            folder=workspace.experiments_dir,
            journal=options.output,
            closed_book=options.closed_book,
        )

    return JobRuns(settings=run.run_settings(document), prepared=prepared, close=context.close)


def _system_spec(options: DepthOptions) -> str:
    if options.system is not None and options.model is not None:
        raise UseError("give --system or --model, not both")
    if options.model is not None:
        return f"openai:{options.model.removeprefix('openai:')}"
    if options.system is None and not options.sample:
        raise UseError(
            "name the system to ask: --model NAME, or --system openai:NAME, python:…, http://…; "
            f"--system {SYSTEM} is an offline reader to try the job with"
        )
    return options.system or SYSTEM


def _read_data(options: DepthOptions, layout: Layout) -> NovelData:
    if options.sample:
        if options.novel is not None or options.data_set is not None:
            raise UseError(
                "--sample makes its own novel and questions; remove --novel and --data-set"
            )
        return sample_novel_data(
            options.lang,
            longest=layout.lengths[-1],
            tokenizer=options.tokenizer or TOKENIZER,
            seed=options.seed,
        )
    if options.novel is None or options.data_set is None:
        missing = "--novel" if options.novel is None else "--data-set"
        raise UseError(f"{missing} is missing; to try the job without files: assay depth --sample")
    return read_novel_data(
        options.novel, options.data_set, options.tokenizer, options.position_tokenizer
    )


def plan_test(
    data: NovelData,
    layout: Layout,
    system: System,
    *,
    folder: Path,
    journal: Path | None = None,
    closed_book: bool = False,
) -> DepthTest:
    """Plan the test and check the plan; no context is built yet.

    The results are written to ``journal``; by default, to a file in ``folder`` that is named
    after the test.

    Raises:
        UseError: The lengths do not fit the novel or the evidence, or the system is a replay.
    """
    if isinstance(system, ReplaySystem):
        raise UseError(
            "replay: has one answer for each question, but a depth test asks a question at many "
            "depths; to score recorded answers again, use assay score"
        )
    plan = plan_depth(data.questions, data.novel, layout)
    settings = {
        "mode": layout.mode,
        "padding": largest_padding(data, layout),
        "tokenizer": data.novel.tokenizer.name,
        "novel": data.novel_sha256[:16],
        "prompts": prompts_hash(),
    }
    return DepthTest(
        data=data,
        plan=plan,
        cases=case_plan(plan, Variant(name=layout.mode, settings=settings), system.identity),
        closed=_closed_plan(plan, system) if closed_book else None,
        system=system,
        facts=metadata(data, plan, system),
        journal=check_rows_path(journal)
        if journal is not None
        else folder / f"{default_name(data, layout, system)}.jsonl",
    )


def prepare_depth(
    data: NovelData,
    layout: Layout,
    load: Callable[[], System],
    *,
    folder: Path,
    journal: Path | None = None,
    closed_book: bool = False,
) -> Iterator[PreparedRun]:
    """The runs of a test, prepared: with ``closed_book`` one without the novel, then the main one.

    ``load`` makes a system; each pass gets its own, because a run closes the system it used.
    """
    test = plan_test(data, layout, load(), folder=folder, journal=journal, closed_book=closed_book)
    description = tuple(_describe(test))

    def make_estimate(concurrency: int, fresh: bool) -> Estimate:
        return depth_estimate(test, concurrency=concurrency, fresh=fresh)

    if test.closed is not None:
        yield PreparedRun(
            plan=test.closed,
            system=test.system,
            handler=DepthHandler(load(), data.novel, layout, positions=data.positions),
            header=_header(test, test.closed, test.closed_journal, known={}),
            journal=test.closed_journal,
            description=description,
            preamble=first_line(test.facts),
            check=lambda fresh, keep_stale: _check(test, fresh=fresh, keep_stale=keep_stale),
            make_estimate=make_estimate,
            title=say("without the novel:"),
        )
        description = ()
    known = read_known_questions(test.closed_journal) if test.closed is not None else {}
    yield PreparedRun(
        plan=test.cases,
        system=test.system,
        handler=DepthHandler(
            test.system,
            data.novel,
            layout,
            known,
            first=_most_demanding_slot(test.plan),
            positions=data.positions,
        ),
        header=_header(test, test.cases, test.journal, known=known),
        journal=test.journal,
        description=description,
        preamble=first_line(test.facts),
        check=lambda fresh, keep_stale: _check(test, fresh=fresh, keep_stale=keep_stale),
        make_estimate=make_estimate,
        has_estimate=test.closed is None,
        outcome=lambda result: _outcome(test, result),
    )


def _check(test: DepthTest, *, fresh: bool, keep_stale: bool) -> None:
    """Raise ``UseError`` if the results file is of another test, before anything is paid for."""
    if not fresh and not keep_stale:
        refuse_other_test(test.journal, test.facts)


def default_name(data: NovelData, layout: Layout, system: System) -> str:
    """The default name of the results file: its questions, the model and the mode."""
    model = re.sub(r"[^\w.-]+", "-", model_name(system)).strip("-.")[:60]
    return mask_identifier(f"depth_{data.name}_{model}_{layout.mode}")


def _closed_plan(plan: DepthPlan, system: System) -> Plan:
    """The plan of the pass without the novel: each question that can be asked, once."""
    questions = {slot.question.id: slot.question for slot in plan.slots if slot.reason is None}
    slots = tuple(Slot(question=question, length=0, depth=None) for question in questions.values())
    variant = Variant(name=CLOSED, settings={"prompts": prompts_hash()})
    closed = DepthPlan(layout=plan.layout, slots=slots, questions=len(slots))
    return case_plan(closed, variant, system.identity)


def _most_demanding_slot(plan: DepthPlan) -> Slot | None:
    """A slot whose answer contains a number, or else the first slot; None if there is none.

    Building the context of such a slot loads everything that the other slots need.
    """
    askable = [slot for slot in plan.slots if slot.reason is None]
    numeric = (slot for slot in askable if any(map(_DIGIT.search, _right_texts(slot.question))))
    return next(numeric, askable[0] if askable else None)


def _right_texts(question: NovelQuestion) -> list[str]:
    """The texts of the correct answers."""
    return [question.choices.get(answer, answer) for answer in question.answers]


class _ClosedRow(Struct, frozen=True):
    key: str = ""
    schema_version: int = 0
    question_id: str = ""
    status: str = ""
    scores: Mapping[str, Any] = {}


def read_known_questions(journal: Path) -> dict[str, bool]:
    """Read whether each question was answered fully correctly without the novel.

    Questions whose case failed are left out.
    """
    if not journal.exists():
        return {}
    known: dict[str, bool] = {}
    for rows in read_rows(journal, _ClosedRow):
        for row in rows:
            if row.status == "scored":
                known[row.question_id] = bool(row.scores.get("exact"))
    return known


def _header(test: DepthTest, plan: Plan, journal: Path, *, known: Mapping[str, bool]) -> RunHeader:
    """The header of a pass; ``known`` says which questions are answered without the novel."""
    data = test.data
    answers = {slot.question.id: held_against(slot.question) for slot in test.plan.slots}
    extra = {name: value for name, value in test.facts.items() if name != "tested_at"}
    extra["closed_book"] = test.closed is not None
    return RunHeader(
        job=JOB,
        name=journal.stem,
        system=plan.system,
        variants=plan.variants,
        total=plan.total,
        questions_path=data.questions_name,
        questions_sha256=data.questions_sha256,
        limit=test.plan.layout.max_questions,
        judging=digest([__version__, answers, known]),
        extra={**extra, "questions": test.plan.questions, "notes": list(test.plan.notes)},
    )


def _describe(test: DepthTest) -> Iterator[str]:
    """A few lines that describe the run before it starts."""
    data, layout = test.data, test.plan.layout
    size = largest_padding(data, layout)
    yield labelled(
        say("novel"),
        say(
            "{name}: {n} tokens ({tokenizer})",
            name=data.novel_name,
            n=data.novel.tokens,
            tokenizer=data.novel.tokenizer.name,
        ),
    )
    yield labelled(
        say("questions"),
        say(
            "{n} of {all} in {file}",
            n=test.plan.questions,
            all=len(data.questions),
            file=data.questions_name,
        ),
    )
    yield labelled(say("system"), model_name(test.system))
    if layout.mode == "legacy":
        yield labelled(say("depth"), say("legacy: the first tokens of the novel"))
    else:
        padding = say(", {n} tokens of padding on each side", n=size) if size else ""
        at = say("{mode} at {depths}", mode=layout.mode, depths=", ".join(layout.bins))
        yield labelled(say("depth"), f"{at}{padding}")
    cases = say("{n} {n:case|cases}", n=len(test.plan.slots))
    yield labelled(say("lengths"), f"{', '.join(map(str, layout.lengths))}; {cases}")
    yield from (labelled(say("note"), noted(note)) for note in (*data.notes, *test.plan.notes))
    skipped = len(test.plan.slots) - test.plan.askable
    if skipped:
        text = "{n} of {cases} cannot be built and {n:is|are} not asked"
        yield labelled(say("skips"), say(text, n=skipped, cases=cases))


def _outcome(test: DepthTest, result: FinishedRun) -> Sequence[str]:
    """The metrics in one line, the files, and the command that draws the map."""
    if not result.tally.scored:
        return ()
    figures = next(iter(result.summary.results["variants"].values()))
    facts = [say("accuracy {value:.3f}", value=figures["accuracy"])]
    if figures["parse_rate"] is not None:
        facts.append(say("{share:.1%} of replies parsed", share=figures["parse_rate"]))
    if figures["truncated_rate"]:
        facts.append(say("{share:.1%} cut short", share=figures["truncated_rate"]))
    page = test.journal.with_suffix(".html")
    command = ["assay", "heatmap", str(test.journal), "--mode", "depth", "--output", str(page)]
    return (
        labelled(say("result"), listed(facts)),
        labelled(say("rows"), str(test.journal)),
        labelled(say("summary"), str(test.journal.with_suffix(".json"))),
        labelled(say("the map"), shlex.join(command)),
    )
