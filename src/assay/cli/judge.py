"""``assay judge``: ask models about recorded answers. ``judge_check`` has the other commands."""

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

import msgspec
import typer

from assay.cli.bench import ShortForm
from assay.cli.judge_check import Run, check, plan
from assay.cli.judge_text import (
    estimate_text,
    preference_text,
    print_json,
    run_text,
    say_lines,
    settled_text,
    warn,
)
from assay.cli.next_step import run_reference, say_next
from assay.cli.options import (
    Concurrency,
    DryRun,
    Json,
    MaxCost,
    NoCallCache,
    Retries,
    Root,
    Timeout,
)
from assay.cli.output import echo, echo_text
from assay.cli.redaction import redacted
from assay.cli.run_command import continuing_command
from assay.config.workspace import Workspace
from assay.jobs.prepared import RunOptions
from assay.judge.judge_run import (
    JudgedRun,
    JudgeEstimate,
    estimate_judging,
    judge_answers,
    pair_verdicts,
    pending_cases,
)
from assay.judge.rubric_judge import PairJudge, RubricJudge
from assay.judge.subject import RecordedCase
from assay.judge.verdict import TWO_ANSWERS, read_verdicts
from assay.judge.workbench import (
    OpenRun,
    judgeable,
    open_judge,
    open_run,
    paired_cases,
    refuse_without_judge,
    same_model_warning,
    settled_rates,
)
from assay.words.say import say

app = typer.Typer(
    cls=ShortForm,
    help="Ask models about recorded answers, and check them against labels of people. "
    "assay judge RUN is short for assay judge run RUN.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)


@app.callback()
def judge() -> None:
    """Ask models about recorded answers, and check them against labels of people.

    assay judge RUN is short for assay judge run RUN.
    """


@app.command("run")
@redacted
def run_judge(
    run: Run,
    names: Annotated[
        list[str] | None, typer.Option("--judge", help="A judge of experiments.yaml; repeatable.")
    ] = None,
    root: Root = None,
    concurrency: Concurrency = None,
    timeout: Timeout = None,
    retries: Retries = None,
    max_cost: MaxCost = None,
    *,
    unsure: Annotated[
        bool,
        typer.Option(
            "--unsure",
            help="Ask only about answers that the check of the same question is unsure of.",
        ),
    ] = False,
    dry_run: DryRun = False,
    no_call_cache: NoCallCache = False,
    as_json: Json = False,
) -> None:
    """Ask judges about the answers of a run. The system under test is not asked.

    A verdict that is stored is not asked for again. Exit code 1: some answers could not be judged.
    """
    opened = open_run(Workspace.find(root), run)
    names = names or refuse_without_judge(opened.workspace)
    options = RunOptions(
        concurrency=concurrency, timeout=timeout, retries=retries, max_cost=max_cost
    )
    code = 0
    settling: tuple[str, ...] = ()
    facts: list[dict[str, Any]] = []
    for name in names:
        with open_judge(opened, name, use_cache=not no_call_cache, retries=retries) as (
            loaded,
            document,
        ):
            cases, skipped = judgeable(opened, loaded, unsure_only=unsure)
            warn(same_model_warning(loaded, name, opened.summary))
            settings = options.run_settings(document)
            if dry_run:
                estimate = _estimated(opened, name, loaded, cases, skipped, as_json=as_json)
                facts.append({"judge": name, **msgspec.to_builtins(estimate)})
                continue
            result = judge_answers(
                opened.journal,
                loaded,
                cases,
                settings=settings,
                skipped=skipped,
                progress=_progress(name),
            )
        facts.append({"judge": name, "rubric": loaded.rubric.name, **_facts(result)})
        say_lines(run_text(name, loaded.rubric.name, result), as_json=as_json)
        settled = settled_rates(opened, name) if unsure and result.judged else None
        if settled is not None:
            facts[-1]["settled"] = settled
            settling = ("--metric", settled.metric)
            say_lines([settled_text(name, settled)], as_json=as_json)
        code = code or result.exit_code
        if result.stopped is not None:
            _say_stopped(result)
            break
    if as_json:
        print_json(facts)
    elif not dry_run and not code:
        recorded = run_reference(opened.journal)
        say_next("judge", "check", recorded, "--judge", names[0], *settling)
    if code:
        raise typer.Exit(code)


@app.command("pair")
@redacted
def run_pairs(
    run: Run,
    name: Annotated[str, typer.Option("--judge", help="A judge of experiments.yaml.")],
    variants: Annotated[
        tuple[str, str], typer.Option("--variants", help="The two variants to compare.")
    ],
    root: Root = None,
    concurrency: Concurrency = None,
    timeout: Timeout = None,
    retries: Retries = None,
    max_cost: MaxCost = None,
    *,
    dry_run: DryRun = False,
    no_call_cache: NoCallCache = False,
    as_json: Json = False,
) -> None:
    """Ask a judge which of two variants answers better, each pair in both orders.

    A verdict that depends on the order is a tie, and is counted. --json has the verdict on each
    question. Exit code 1: some pairs could not be judged.
    """
    opened = open_run(Workspace.find(root), run)
    cases = paired_cases(opened, *variants)
    options = RunOptions(
        concurrency=concurrency, timeout=timeout, retries=retries, max_cost=max_cost
    )
    with open_judge(opened, name, pairs=True, use_cache=not no_call_cache, retries=retries) as (
        loaded,
        document,
    ):
        warn(same_model_warning(loaded, name, opened.summary))
        if dry_run:
            estimate = _estimated(opened, name, loaded, cases, {}, as_json=as_json)
            if as_json:
                print_json(estimate)
            return
        result = judge_answers(
            opened.journal,
            loaded,
            cases,
            settings=options.run_settings(document),
            progress=_progress(name),
        )
    verdicts = read_verdicts(opened.journal, cases, TWO_ANSWERS)
    by_key = verdicts[name].findings if name in verdicts else {}
    findings = list(by_key.values())
    if as_json:
        print_json({**_facts(result), "verdicts": pair_verdicts(cases, by_key, variants)})
    else:
        say_lines(run_text(name, "preference", result))
        say_lines(preference_text(variants, findings, stops_early=opened.stops_early))
    if result.stopped is not None:
        _say_stopped(result)
    if result.exit_code:
        raise typer.Exit(result.exit_code)


app.command("check")(check)
app.command("plan", help="The same as assay labels plan.")(plan)


def _estimated(
    opened: OpenRun,
    name: str,
    judge: RubricJudge | PairJudge,
    cases: Sequence[RecordedCase],
    skipped: Mapping[str, int],
    *,
    as_json: bool,
) -> JudgeEstimate:
    """What judging the rest would take; it is printed, unless JSON is wanted."""
    pending, stored = pending_cases(opened.journal, judge, cases)
    estimate = estimate_judging(opened.journal, judge, pending)
    say_lines(estimate_text(name, estimate, stored.stored, skipped), as_json=as_json)
    return estimate


def _say_stopped(result: JudgedRun) -> None:
    assert result.stopped is not None
    echo(say("stopped: {why}", why=result.stopped), err=True)
    command = continuing_command(sys.argv, result.stopped)
    echo(say("resume with: {command}", command=command), err=True)


def _progress(name: str) -> Callable[[int, int], None]:
    """A line that counts, on a terminal only."""

    def show(done: int, total: int) -> None:
        if sys.stderr.isatty():
            echo_text(f"\r{name}: {done}/{total}", err=True, nl=done == total)

    return show


def _facts(result: JudgedRun) -> dict[str, Any]:
    facts: Mapping[str, Any] = msgspec.structs.asdict(result)
    stopped = str(result.stopped) if result.stopped is not None else None
    return {**facts, "judged": result.judged, "stopped": stopped}
