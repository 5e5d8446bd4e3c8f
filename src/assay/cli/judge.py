"""``assay judge``: ask models about recorded answers, and check them against people."""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from assay.cli.bench_run import ShortForm
from assay.cli.ending import continuing_command
from assay.cli.judge_text import (
    calibration_text,
    compared_text,
    drawn_line,
    estimate_text,
    plan_text,
    preference_text,
    run_text,
)
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
from assay.cli.privacy import keep_private
from assay.cli.redaction import redacted
from assay.config import Workspace
from assay.errors import UseError
from assay.jobs.description import file_line, noted
from assay.jobs.judge import (
    TWO_ANSWERS,
    JudgedRun,
    JudgeEstimate,
    OpenRun,
    RecordedCase,
    check_judge,
    compare_judges,
    draw_answers,
    estimate_judging,
    judge_answers,
    judge_scores,
    judge_verdicts,
    judgeable,
    label_sheet,
    labels_of,
    open_judge,
    open_run,
    pair_verdicts,
    paired_cases,
    pending_cases,
    plan_labels,
    read_verdicts,
    same_model_warning,
    sample_of,
    scores_of,
)
from assay.jobs.prepared import RunOptions
from assay.journal import write_atomically
from assay.judges.rubric import PairJudge, RubricJudge
from assay.words import say

Run = Annotated[str, typer.Argument(help="NAME of a past run (see assay list), or its file.")]
Labels = Annotated[
    Path | None,
    typer.Option("--labels", help="File of labels. Default: labels/NAME.jsonl of the workspace."),
]
Metric = Annotated[
    str | None,
    typer.Option(
        "--metric", help="Check a value of the rows instead of a judge, for example abstained."
    ),
]
Threshold = Annotated[
    float,
    typer.Option("--threshold", min=0, max=1, help="A score from this on counts as yes."),
]
AtRandom = Annotated[
    bool,
    typer.Option(
        "--drawn-at-random",
        help="The labels have no probability, but every answer was equally likely to be labelled.",
    ),
]

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
        list[str], typer.Option("--judge", help="A judge of experiments.yaml; repeatable.")
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
    """Ask judges about the answers of a run. The system under test is not asked.

    A verdict that is stored is not asked for again. Exit code 1: some answers could not be judged.
    """
    opened = open_run(Workspace.find(root), run)
    options = RunOptions(
        concurrency=concurrency, timeout=timeout, retries=retries, max_cost=max_cost
    )
    code = 0
    facts: list[dict[str, Any]] = []
    for name in names:
        with open_judge(opened, name, use_cache=not no_call_cache, retries=retries) as (
            loaded,
            document,
        ):
            cases, skipped = judgeable(opened, loaded)
            _warn(same_model_warning(loaded, name, opened.summary))
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
        _say(run_text(name, loaded.rubric.name, result), as_json=as_json)
        code = code or result.exit_code
        if result.stopped is not None:
            _say_stopped(result)
            break
    if as_json:
        _print_json(facts)
    elif not dry_run:
        command = f"assay judge check {opened.journal.stem} --judge {names[0]}"
        echo(say("rates with: {command}", command=command))
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
        _warn(same_model_warning(loaded, name, opened.summary))
        if dry_run:
            estimate = _estimated(opened, name, loaded, cases, {}, as_json=as_json)
            if as_json:
                _print_json(estimate)
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
        _print_json({**_facts(result), "verdicts": pair_verdicts(cases, by_key, variants)})
    else:
        _say(run_text(name, "preference", result))
        _say(preference_text(variants, findings, stops_early=opened.stops_early))
    if result.stopped is not None:
        _say_stopped(result)
    if result.exit_code:
        raise typer.Exit(result.exit_code)


@app.command("check")
@redacted
def check(
    run: Run,
    labels: Labels = None,
    name: Annotated[
        str | None, typer.Option("--judge", help="The judge. Default: the only one of the run.")
    ] = None,
    against: Annotated[
        str | None,
        typer.Option("--against", help="Compare with this other judge, not with labels."),
    ] = None,
    metric: Metric = None,
    threshold: Threshold = 0.5,
    root: Root = None,
    *,
    drawn_at_random: AtRandom = False,
    as_json: Json = False,
) -> None:
    """Hold a judge against labels of people: its errors, and corrected rates. No model is called."""
    opened = open_run(Workspace.find(root), run)
    if against is not None:
        compared = _compared(opened, name, against, threshold)
        _print_json(compared) if as_json else _say(compared_text(compared))
        return
    chosen = scores_of(opened, name, metric)
    for note in chosen.notes:
        _warn(note)
    found = labels_of(opened, labels, chosen.rubric)
    if not found:
        raise UseError(_no_labels(opened, chosen.rubric))
    calibration = check_judge(
        opened, chosen, found, threshold=threshold, drawn_at_random=drawn_at_random
    )
    _print_json(calibration) if as_json else _say(calibration_text(calibration))


@app.command("plan")
@redacted
def plan(
    run: Run,
    labels: Labels = None,
    name: Annotated[
        str | None, typer.Option("--judge", help="The judge. Default: the only one of the run.")
    ] = None,
    metric: Metric = None,
    width: Annotated[
        float, typer.Option("--width", min=0.001, max=1, help="Wanted width of the interval.")
    ] = 0.2,
    draw: Annotated[
        int | None,
        typer.Option(
            "--draw", min=1, help="Draw this many answers of each variant, earlier ones included."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="With --draw: write a file of labels to fill in."),
    ] = None,
    labeller: Annotated[
        str, typer.Option("--labeller", help="With --out: the name of who labels.")
    ] = "me",
    seed: Annotated[int, typer.Option("--seed", help="Another number draws other answers.")] = 0,
    threshold: Threshold = 0.5,
    root: Root = None,
    *,
    as_json: Json = False,
) -> None:
    """Say how many labels reach a width, and draw which answers to label next."""
    if out is not None and draw is None:
        raise UseError("--out writes the drawn answers: add --draw N")
    if out is not None:
        _check_sheet(out)
    opened = open_run(Workspace.find(root), run)
    chosen = scores_of(opened, name, metric)
    for note in chosen.notes:
        _warn(note)
    known = labels_of(opened, labels, chosen.rubric)
    sample = sample_of(opened, chosen.scores, known)
    planned = plan_labels(chosen.name, sample, width=width, threshold=threshold)
    facts: dict[str, Any] = {"plan": planned}
    _say(plan_text(planned), as_json=as_json)
    if draw is not None:
        drawn = draw_answers(
            opened,
            chosen.scores,
            known,
            count=draw,
            seed=seed,
            threshold=threshold,
            judge=chosen.name,
        )
        facts["drawn"] = drawn.drawn
        lines = [drawn_line(len(drawn.drawn), len(drawn.unlabelled)), file_line("draw", drawn.path)]
        if out is not None:
            _write_sheet(out, label_sheet(opened, drawn.unlabelled, labeller))
            line = "{file}: fill in right, partly or wrong for unclear"
            lines.append(file_line("labels", say(line, file=out)))
        _say(lines, as_json=as_json)
    if as_json:
        _print_json(facts)


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
    _say(estimate_text(name, estimate, stored.stored, skipped), as_json=as_json)
    return estimate


def _say_stopped(result: JudgedRun) -> None:
    assert result.stopped is not None
    echo(say("stopped: {why}", why=result.stopped), err=True)
    command = continuing_command(sys.argv, result.stopped)
    echo(say("resume with: {command}", command=command), err=True)


def _no_labels(opened: OpenRun, rubric: str) -> str:
    name = opened.journal.stem
    if rubric == "correctness":
        return (
            f"there are no labels of {name}: label answers in assay view, or give --labels FILE; "
            f"assay judge plan {name} says which answers"
        )
    return (
        "the labels of the workspace say whether answers are right; give --labels FILE with labels "
        f"about {rubric or 'this metric'}, where right means yes"
    )


def _compared(opened: OpenRun, name: str | None, against: str, threshold: float) -> Any:
    if name is None:
        raise UseError(f"say which judge is compared with {against}: add --judge NAME")
    one, other = judge_verdicts(opened, name), judge_verdicts(opened, against)
    first, second = judge_scores(one), judge_scores(other)
    both = [
        (left, right, case.case.question.id)
        for case in opened.cases
        if (left := first.get(case.case.key)) is not None
        and (right := second.get(case.case.key)) is not None
    ]
    return compare_judges((name, against), both, threshold)


def _check_sheet(out: Path) -> None:
    """Refuse a file that exists, before anything is drawn."""
    if out.exists():
        raise UseError(f"{out}: exists already, and may hold labels; give another file")


def _write_sheet(out: Path, lines: bytes) -> None:
    _check_sheet(out)
    out.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(out, lines)
    keep_private(out)


def _progress(name: str) -> Callable[[int, int], None]:
    """A line that counts, on a terminal only."""

    def show(done: int, total: int) -> None:
        if sys.stderr.isatty():
            echo_text(f"\r{name}: {done}/{total}", err=True, nl=done == total)

    return show


def _warn(warning: str) -> None:
    if warning:
        echo(say("warning: {warning}", warning=noted(warning)), err=True)


def _facts(result: JudgedRun) -> dict[str, Any]:
    facts: Mapping[str, Any] = msgspec.structs.asdict(result)
    stopped = str(result.stopped) if result.stopped is not None else None
    return {**facts, "judged": result.judged, "stopped": stopped}


def _say(lines: Sequence[str], *, as_json: bool = False) -> None:
    if not as_json:
        for line in lines:
            echo(line)


def _print_json(value: Any) -> None:
    echo_text(json.dumps(msgspec.to_builtins(value), ensure_ascii=False, indent=2))
