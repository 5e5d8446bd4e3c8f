"""Prepare a depth test: read, check and plan it; a first pass without the novel is optional."""

import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from glob import escape
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from assay import __version__
from assay.config.experiment import Defaults
from assay.config.workspace import Workspace
from assay.data.foreign_value import without_secrets
from assay.data.question_set import BY_MASKED_TEXT, IDS
from assay.errors import UseError
from assay.jobs.depth.handler import JOB, DepthHandler, prompt_text, prompts_hash
from assay.jobs.depth.novel_data import (
    SYSTEM,
    TOKENIZER,
    NovelData,
    read_novel_data,
    sample_novel_data,
)
from assay.jobs.depth.plan import (
    DepthLayout,
    DepthPlan,
    DepthTest,
    LayoutOptions,
    Slot,
    case_plan,
    closed_journal,
    compared_with,
    layout_of,
    plan_depth,
)
from assay.jobs.depth.question import NovelQuestion, with_plain_ids
from assay.jobs.estimate import Estimate, estimate_from, model_facts, read_experience
from assay.jobs.prepared import FinishedRun, JobRuns, PreparedRun, RunOptions
from assay.mask import mask_identifier, mask_json, redactor, same_hash
from assay.models.meter import cost
from assay.records import RunHeader, Variant, digest
from assay.report.description import noted
from assay.runs.plan import Plan, repeated_plan
from assay.runs.read import read_metadata, read_rows
from assay.runs.resume import Resume
from assay.runs.summary import now
from assay.runs.write import check_rows_path
from assay.systems.load import default_system, load_configuration, load_system, make_system_context
from assay.systems.protocol import CountsCalls, System, is_imported, with_configuration
from assay.systems.replay import ReplaySystem
from assay.text.language import Language
from assay.text.width import labelled
from assay.words.say import listed, say, say_n

# Estimate a depth test before it is paid for; the plan gives the tokens of its contexts.

_Figure = TypeVar("_Figure", int, float)
REPLY_TOKENS: Final = 40
"""Tokens of a reply if neither rows nor the configuration give a mean: short JSON."""


def depth_estimate(test: DepthTest, *, concurrency: int, fresh: bool = False) -> Estimate:
    """The cases, calls, tokens, cost and time of both passes together.

    The time is ``None`` if no rows were recorded. With ``fresh`` recorded cases are counted as
    not asked yet.
    """
    main = _pass_estimate(test, test.cases, test.journal, concurrency, fresh=fresh)
    if test.closed is None:
        return main
    closed = _pass_estimate(test, test.closed, test.closed_journal, concurrency, fresh=fresh)
    return Estimate(
        cases=main.cases + closed.cases,
        recorded=main.recorded + closed.recorded,
        answered=main.answered + closed.answered,
        calls=_sum(main.calls, closed.calls),
        calls_without_sharing=_sum(main.calls_without_sharing, closed.calls_without_sharing),
        own_calls=_sum(main.own_calls, closed.own_calls),
        prompt_tokens=(main.prompt_tokens or 0) + (closed.prompt_tokens or 0),
        completion_tokens=(main.completion_tokens or 0) + (closed.completion_tokens or 0),
        cost=_sum(main.cost, closed.cost),
        seconds=_sum(main.seconds, closed.seconds),
        basis=main.basis,
        own_basis=main.own_basis,
        unbuildable=main.unbuildable + closed.unbuildable,
    )


def _pass_estimate(
    test: DepthTest, plan: Plan, journal: Path, concurrency: int, *, fresh: bool
) -> Estimate:
    price, averages = model_facts(test.system)
    experience = read_experience(journal, plan, fresh=fresh)
    base = estimate_from(
        experience,
        plan,
        test.system,
        concurrency=concurrency,
        price=price,
        averages=averages,
    )
    slots = [case.placement["slot"] for case in experience.survey.to_ask()]
    askable = [slot for slot in slots if slot.reason is None]
    prompt = _prompt_tokens(test, askable)
    reply = (
        base.completion_tokens / base.calls
        if base.completion_tokens and base.calls
        else REPLY_TOKENS
    )
    calls = len(askable) if isinstance(test.system, CountsCalls) else None

    def of_askable(figure: float | None) -> float | None:
        return None if figure is None else figure * len(askable) / max(1, len(slots))

    return replace(
        base,
        unbuildable=len(slots) - len(askable),
        seconds=of_askable(base.seconds),
        own_calls=of_askable(base.own_calls),
        own_basis=base.basis if calls is None else "",
        calls=calls,
        calls_without_sharing=calls,
        prompt_tokens=float(prompt),
        completion_tokens=reply * len(askable),
        cost=of_askable(base.cost)
        if calls is None
        else cost(price, prompt, round(reply * len(askable))),
        basis=f"the planned lengths in tokens of {test.data.novel.tokenizer.name}, "
        f"{reply:.0f} tokens per reply",
    )


def _prompt_tokens(test: DepthTest, slots: Iterable[Slot]) -> int:
    """The tokens of all prompts: of the contexts, and of the instructions and questions."""
    count = test.data.novel.tokenizer.count
    frame_tokens: dict[tuple[str, bool], int] = {}
    total = 0
    for slot in slots:
        key = (slot.question.id, slot.length > 0)
        if key not in frame_tokens:
            frame_tokens[key] = count(prompt_text(slot.question, "" if slot.length else None))
        total += slot.length + frame_tokens[key]
    return total


def _sum(first: _Figure | None, second: _Figure | None) -> _Figure | None:
    return None if first is None or second is None else first + second


# The first line of a results file: metadata of the test, under the published names.
#
# It contains no API key: only the part of a model's configuration that affects its answers is
# written, and everything that looks like a secret is left out of the question set's metadata.

_MAY_DIFFER: Final = frozenset({"tested_at", "assay_version"})


def metadata(novel_data: NovelData, plan: DepthPlan, system: System) -> dict[str, Any]:
    """The metadata of a run, for the first line of its results file."""
    layout = plan.layout
    return {
        "tested_at": now(),
        "model_name": model_name(system),
        "novel_path": novel_data.novel_name,
        "question_set_path": novel_data.questions_name,
        "depth_mode": layout.mode,
        "context_lengths": list(layout.lengths),
        "fixed_depth": None if layout.depth is None else round(100 * layout.depth, 4),
        "depth_bins": list(layout.bins),
        "padding_size": largest_padding(novel_data, layout),
        "total_questions": plan.questions,
        "total_cases": len(plan.slots),
        "per_cell": layout.per_cell,
        "min_per_cell": layout.min_per_cell if layout.mode == "uniform" else None,
        "tokenizer": novel_data.novel.tokenizer.name,
        **_position_facts(novel_data),
        "novel_tokens": novel_data.novel.tokens,
        "novel_sha256": novel_data.novel_sha256,
        "config": _config(system),
        "question_set_metadata": without_secrets(novel_data.set_metadata),
        "assay_version": __version__,
    }


def largest_padding(novel_data: NovelData, layout: DepthLayout) -> int:
    """The padding of the test; by default, questions with quoted evidence have none."""
    if layout.padding is not None:
        return layout.padding
    return max(map(layout.padding_of, novel_data.questions), default=0)


def _position_facts(novel_data: NovelData) -> dict[str, Any]:
    """The tokenizer of the positions and its count of the novel, if it is not that of the run."""
    positions = novel_data.positions
    if positions is None:
        return {}
    return {"position_tokenizer": positions.tokenizer.name, "total_tokens": positions.tokens}


def model_name(system: System) -> str:
    """The name of the model, or the identity of a system that is not a single model."""
    config = getattr(system, "model_config", None)
    return str(config.model) if config is not None else without_secrets(system.identity)


def _config(system: System) -> dict[str, Any]:
    config = getattr(system, "model_config", None)
    if config is None:
        return {"system": without_secrets(system.identity)}
    return {
        "model_name": config.model,
        "base_url": without_secrets(config.base_url),
        **without_secrets(config.parameters),
        "timeout": config.timeout_s,
    }


def first_line(facts: Mapping[str, Any]) -> bytes:
    """The metadata as the bytes of the first line, without the line break."""
    return msgspec.json.encode({"metadata": facts})


def refuse_other_test(journal: Path, facts: Mapping[str, Any]) -> None:
    """Raise ``UseError`` if the file has results of another test, so that they are not mixed."""
    try:
        first_line = read_metadata(journal)
    except OSError as error:
        raise UseError(f"{journal}: cannot be read: {error.strerror or error}") from None
    if first_line is None:
        return
    recorded = first_line.get("metadata")
    if not isinstance(recorded, dict):
        raise UseError(
            f"{journal}: not a results file of assay depth (its first line has no metadata); "
            "name another --out"
        )
    recorded, current = (
        msgspec.json.decode(mask_json(msgspec.json.encode(each))) for each in (recorded, facts)
    )
    differing = [
        f"{name} {_short_json(recorded.get(name))}, now {_short_json(value)}"
        for name, value in current.items()
        if name not in _MAY_DIFFER and not _is_same(recorded.get(name), value)
    ]
    if differing:
        raise UseError(
            f"{journal} contains results of another test ({'; '.join(differing[:3])}); name "
            "another --out, or use --resume fresh to start again (the old file is kept)"
        )


def _is_same(recorded: Any, value: Any) -> bool:
    """Whether two values of the metadata are equal, as far as hashes without a key can tell."""
    is_text = isinstance(recorded, str) and isinstance(value, str)
    return bool(recorded == value or (is_text and same_hash(recorded, value) is None))


def _short_json(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 60 else f"{text[:59]}…"


CLOSED: Final = "closed-book"
"""The variant of the pass without the novel."""

_DIGIT: Final = re.compile(r"\d")


class DepthOptions(Struct, frozen=True, kw_only=True):
    """The options of ``assay depth`` besides those that all run commands share."""

    layout: LayoutOptions = LayoutOptions()
    novel: Path | None = None
    questions: Path | None = None
    sample: bool = False
    lang: Language = "en"
    seed: int = 0
    system: str | None = None
    model: str | None = None
    tokenizer: str | None = None
    position_tokenizer: str | None = None
    out: Path | None = None
    closed_book: bool = False


def prepare(options: DepthOptions, run: RunOptions) -> JobRuns:
    """Read the novel and the questions, and plan the test; no question is asked yet."""
    if run.shard is not None and options.closed_book:
        raise UseError(
            "--shard cannot be combined with --closed-book: the test marks what the system knew "
            "in the pass without the novel, which must have ended; run this pass whole"
        )
    layout = layout_of(options.layout)
    workspace = run.find_workspace()
    spec = _system_spec(options, workspace)
    data = _read_data(options, layout)
    document = load_configuration(workspace)
    context = make_system_context(
        workspace,
        document,
        use_cache=not run.no_call_cache,
        concurrency=run.concurrency,
        cluster=run.cluster,
        imports=not run.dry_run,
    )

    def prepared() -> Iterator[PreparedRun]:
        yield from prepare_depth(
            data,
            layout,
            lambda: load_system(spec, context),
            folder=workspace.experiments_dir,
            journal=options.out,
            closed_book=options.closed_book,
            runs=run.runs or 1,
            fresh=run.resume == "fresh",
        )

    return JobRuns(settings=run.run_settings(document), prepared=prepared, close=context.close)


def _system_spec(options: DepthOptions, workspace: Workspace) -> str:
    if options.system is not None and options.model is not None:
        raise UseError("give --system or --model, not both")
    if options.model is not None:
        return f"openai:{options.model.removeprefix('openai:')}"
    if options.system is None and not options.sample:
        default_system(Defaults(), workspace, SYSTEM)
        raise UseError(
            "name the system to ask: --model NAME, or --system openai:NAME, python:…, http://…; "
            f"--system {SYSTEM} is an offline reader to try the job with"
        )
    return options.system or SYSTEM


def _read_data(options: DepthOptions, layout: DepthLayout) -> NovelData:
    if options.sample:
        if options.novel is not None or options.questions is not None:
            raise UseError(
                "--sample makes its own novel and questions; remove --novel and --questions"
            )
        return sample_novel_data(
            options.lang,
            longest=layout.lengths[-1],
            tokenizer=options.tokenizer or TOKENIZER,
            seed=options.seed,
        )
    if options.novel is None or options.questions is None:
        missing = "--novel" if options.novel is None else "--questions"
        raise UseError(f"{missing} is missing; to try the job without files: assay depth --sample")
    return read_novel_data(
        options.novel, options.questions, options.tokenizer, options.position_tokenizer
    )


def plan_test(
    data: NovelData,
    layout: DepthLayout,
    system: System,
    *,
    folder: Path,
    journal: Path | None = None,
    closed_book: bool = False,
    fresh: bool = False,
) -> DepthTest:
    """Plan the test and check the plan; no context is built yet.

    The results are written to ``journal``; by default, to a file in ``folder`` that is named
    after the test. With ``fresh``, nothing follows from what is recorded there.

    Raises:
        UseError: The lengths do not fit the novel or the evidence, or the system is a replay.
    """
    if isinstance(system, ReplaySystem):
        raise UseError(
            "replay: has one answer for each question, but a depth test asks a question at many "
            "depths; to score recorded answers again, use assay score"
        )
    journal = (
        check_rows_path(journal)
        if journal is not None
        else _default_journal(folder, data, layout, system)
    )
    ids = _ids(journal, fresh=fresh)
    if redactor() is not None and not ids and data.file is not None:
        data = replace(data, questions=with_plain_ids(data.file, data.questions))
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
        cases=case_plan(
            plan,
            with_configuration(Variant(name=layout.mode, settings=settings), system),
            system.identity,
        ),
        closed=_closed_plan(plan, system) if closed_book else None,
        system=system,
        facts={**metadata(data, plan, system), **ids},
        journal=journal,
    )


def _ids(journal: Path, *, fresh: bool) -> dict[str, str]:
    """What the metadata say about the ids of questions without one; empty if these are plain.

    A redacted run that an earlier version began keeps the ids that it has.
    """
    if redactor() is None:
        return {}
    paths = [path for path in (journal, closed_journal(journal)) if path.is_file()]
    first = read_metadata(paths[0]) if paths and not fresh else None
    recorded = first.get("metadata") if first is not None else None
    is_plain = isinstance(recorded, dict) and IDS not in recorded
    return {} if is_plain else {IDS: BY_MASKED_TEXT}


def prepare_depth(
    data: NovelData,
    layout: DepthLayout,
    load: Callable[[], System],
    *,
    folder: Path,
    journal: Path | None = None,
    closed_book: bool = False,
    runs: int = 1,
    fresh: bool = False,
) -> Iterator[PreparedRun]:
    """The runs of a test, prepared: with ``closed_book`` one without the novel, then the main one.

    ``load`` makes a system; each pass gets its own, because a run closes the system it used.
    ``runs`` is how often each case of the main one will be asked, for the estimate.
    """
    test = plan_test(
        data, layout, load(), folder=folder, journal=journal, closed_book=closed_book, fresh=fresh
    )
    description = tuple(_describe(test))

    def make_estimate(concurrency: int, fresh: bool) -> Estimate:
        repeated = replace(test, cases=repeated_plan(test.cases, runs))
        return depth_estimate(repeated, concurrency=concurrency, fresh=fresh)

    if test.closed is not None:
        yield PreparedRun(
            plan=test.closed,
            system=test.system,
            handler=DepthHandler(load(), data.novel, layout, positions=data.positions),
            header=_header(test, test.closed, test.closed_journal, known={}),
            journal=test.closed_journal,
            description=description,
            preamble=first_line(test.facts),
            check=lambda resume: _check(test, resume),
            make_estimate=make_estimate,
            title=say("without the novel:"),
            runs=None,
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
        check=lambda resume: _check(test, resume),
        make_estimate=make_estimate,
        has_estimate=test.closed is None,
        outcome=lambda result: _outcome(test, result),
    )


def _check(test: DepthTest, resume: Resume) -> None:
    """Raise ``UseError`` if the results file is of another test, before anything is paid for."""
    if resume not in {"fresh", "keep"}:
        refuse_other_test(test.journal, test.facts)


def default_name(data: NovelData, layout: DepthLayout, system: System) -> str:
    """The default name of the results file: its questions, the model and the mode."""
    model = re.sub(r"[^\w.-]+", "-", model_name(system)).strip("-.")[:60]
    return mask_identifier(f"depth_{data.name}_{model}_{layout.mode}")


def _default_journal(folder: Path, data: NovelData, layout: DepthLayout, system: System) -> Path:
    """The file named after the test; of a system that was not imported, that of its last version."""
    name = default_name(data, layout, system)
    ending = f"_{layout.mode}.jsonl"
    versions = (
        []
        if is_imported(system)
        else folder.glob(f"{escape(name.removesuffix(f'_{layout.mode}'))}-*{ending}")
    )
    return max(versions, key=lambda path: path.stat().st_mtime, default=folder / f"{name}.jsonl")


def _closed_plan(plan: DepthPlan, system: System) -> Plan:
    """The plan of the pass without the novel: each question that can be asked, once."""
    questions = {slot.question.id: slot.question for slot in plan.slots if slot.reason is None}
    slots = tuple(Slot(question=question, length=0, depth=None) for question in questions.values())
    variant = with_configuration(Variant(name=CLOSED, settings={"prompts": prompts_hash()}), system)
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
    answers = {slot.question.id: compared_with(slot.question) for slot in test.plan.slots}
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
        limit=test.plan.layout.limit,
        judging=digest([__version__, answers, known]),
        extra={**extra, "questions": test.plan.questions, "notes": [*map(str, test.plan.notes)]},
    )


def _describe(test: DepthTest) -> Iterator[str]:
    """A few lines that describe the run before it starts."""
    data, layout = test.data, test.plan.layout
    size = largest_padding(data, layout)
    yield labelled(
        say("novel"),
        say_n(
            "{name}: {n} token ({tokenizer})",
            "{name}: {n} tokens ({tokenizer})",
            data.novel.tokens,
            name=data.novel_name,
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
        padding = (
            say_n(
                ", {n} token of padding on each side", ", {n} tokens of padding on each side", size
            )
            if size
            else ""
        )
        at = say("{mode} at {depths}", mode=layout.mode, depths=", ".join(layout.bins))
        yield labelled(say("depth"), f"{at}{padding}")
    cases = say_n("{n} case", "{n} cases", len(test.plan.slots))
    yield labelled(say("lengths"), f"{', '.join(map(str, layout.lengths))}; {cases}")
    yield from (labelled(say("note"), noted(note)) for note in (*data.notes, *test.plan.notes))
    skipped = len(test.plan.slots) - test.plan.askable
    if skipped:
        yield labelled(
            say("skips"),
            say_n(
                "{n} of {cases} cannot be built and is not asked",
                "{n} of {cases} cannot be built and are not asked",
                skipped,
                cases=cases,
            ),
        )


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
    command = ["assay", "heatmap", str(test.journal), "--mode", "depth"]
    return (
        labelled(say("result"), listed(facts)),
        labelled(say("rows"), str(test.journal)),
        labelled(say("summary"), str(test.journal.with_suffix(".json"))),
        labelled(say("the map"), shlex.join(command)),
    )
