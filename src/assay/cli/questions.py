"""``assay questions``: work with sets of questions."""

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from assay.cli.options import AllowOutsideRoot, Json, Root
from assay.cli.output import echo, echo_json
from assay.cli.question_note import echo_question_notes
from assay.cli.questions_check import check
from assay.cli.questions_draft import draft
from assay.cli.redaction import redacted
from assay.config.workspace import Workspace
from assay.data.corpus.chunk import corpus_path
from assay.data.question import read_questions
from assay.errors import UseError
from assay.jobs.answers.preparation import has_value, plain_primary
from assay.jobs.corpus.ingest import chunks_folder
from assay.questions.gold import diff_lines, diff_questions
from assay.questions.gold import respan as respan_questions
from assay.questions.power import (
    DEFAULT_CHANGED,
    Power,
    assumed_basis,
    largest_difference,
    power,
    recorded_basis,
)
from assay.results.find_results import find_results
from assay.results.job import job_spec
from assay.stats.planning import POWER
from assay.systems.load import load_configuration
from assay.words.say import listed, say, say_n

app = typer.Typer(
    help="Work with sets of questions.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)

Questions = Annotated[
    Path | None,
    typer.Argument(metavar="[QUESTIONS]", help="A file of questions. Default: the configured one."),
]


@app.callback()
def questions() -> None:
    """Work with sets of questions."""


app.command("check")(check)
app.command("draft")(draft)


@app.command()
@redacted
def respan(
    questions: Questions = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="The new file. Default: NAME.spans.jsonl beside the questions."),
    ] = None,
    root: Root = None,
    *,
    allow_outside_root: AllowOutsideRoot = False,
) -> None:
    """Turn gold chunks into spans of the documents, which survive another chunk size."""
    workspace = Workspace.find(root, allow_outside_root=allow_outside_root)
    path = _questions_path(questions, workspace)
    target = out or path.with_name(f"{path.stem}.spans.jsonl")
    manifest = corpus_path(chunks_folder(workspace) / "manifest.json")
    result = respan_questions(path, manifest, target, workspace.bounds)
    echo_question_notes(path)
    counts = (
        say_n("{n} question", "{n} questions", result.questions),
        say_n("{n} gold span", "{n} gold spans", result.spans),
    )
    echo(f"{result.path}: {listed(counts)}")


@app.command()
@redacted
def diff(
    old: Annotated[Path, typer.Argument(help="The earlier set.")],
    new: Annotated[Path, typer.Argument(help="The later set.")],
    *,
    as_json: Json = False,
) -> None:
    """Say what changed between two versions of a set. Exit code 1 if something did."""
    found = diff_questions(old, new)
    echo_question_notes(old, new)
    if as_json:
        echo_json(msgspec.json.format(msgspec.json.encode(found), indent=2).decode())
    else:
        versions = (
            say("{file} version {version}", file=old, version=found.old_version),
            say("{file} version {version}", file=new, version=found.new_version),
        )
        echo(listed(versions))
        for line in diff_lines(found):
            echo(line)
        echo(
            say(
                "{added} added, {removed} removed, {changed} changed, {same} the same",
                added=len(found.added),
                removed=len(found.removed),
                changed=len(found.changed),
                same=found.same,
            )
        )
    if not found.is_same:
        raise typer.Exit(1)


@app.command("power")
@redacted
def show_power(
    questions: Questions = None,
    run: Annotated[
        str | None,
        typer.Option(
            "--run",
            metavar="RESULTS",
            help="NAME of an earlier run, or its rows, which say how much scores vary.",
        ),
    ] = None,
    metric: Annotated[
        str | None, typer.Option("--metric", help="Default: the primary metric.")
    ] = None,
    changed: Annotated[
        float,
        typer.Option(
            "--changed",
            min=0.001,
            max=1.0,
            help="Without a run: the share of questions that change between two variants.",
        ),
    ] = DEFAULT_CHANGED,
    variants: Annotated[
        int | None,
        typer.Option(
            "--variants",
            min=1,
            max=1000,
            help="How many variants are compared with the baseline. Default: those of the run, or 1.",
        ),
    ] = None,
    delta: Annotated[
        float | None,
        typer.Option(
            "--delta",
            min=0.001,
            max=1.0,
            help="The difference to show. Default: 0.02, 0.05 and 0.1.",
        ),
    ] = None,
    share: Annotated[
        float, typer.Option("--power", min=0.5, max=0.99, help="How often it must be found.")
    ] = POWER,
    margin: Annotated[
        float | None,
        typer.Option(
            "--margin",
            min=0.001,
            max=0.5,
            help="Also: how many questions until the interval leaves out a loss of more than this.",
        ),
    ] = None,
    root: Root = None,
    *,
    allow_outside_root: AllowOutsideRoot = False,
    as_json: Json = False,
) -> None:
    """Say how large a difference the set can show, and how many questions show a given one."""
    workspace = Workspace.find(root, allow_outside_root=allow_outside_root)
    path = _questions_path(questions, workspace)
    read = read_questions(path)
    echo_question_notes(path)
    if run is not None:
        basis = recorded_basis(find_results(workspace, run), metric, variants)
    else:
        basis = assumed_basis(plain_primary(metric, read, "--metric"), changed, variants or 1)
    known = {each.name: each for each in job_spec("ablation").metrics}
    decides = known.get(basis.metric)
    count = sum(decides is None or has_value(decides, question) for question in read)
    found = power(count, basis, share=share, delta=delta, margin=margin)
    if as_json:
        echo_json(msgspec.json.format(msgspec.json.encode(found), indent=2).decode())
        return
    questions_text = say_n("{n} question", "{n} questions", count)
    parts = [questions_text, f"{basis.metric} ({basis.source})"]
    if count < len(read):
        parts.append(
            say("{n} of {total} have no value of it", n=len(read) - count, total=len(read))
        )
    echo(listed(parts))
    if basis.variants > 1:
        echo(say("{n} variants, each against the baseline, corrected together", n=basis.variants))
    if basis.design > 1:
        echo(
            say(
                "questions of one document move together: {n:.1f} of them tell as much as one alone",
                n=basis.design,
            )
        )
    echo(
        say(
            "smallest difference that is found in {share:g} % of runs: {shown}",
            share=100 * share,
            shown=_smallest(found),
        )
    )
    for points, needed in found.needed.items():
        if float(points) / 100 > largest_difference(basis):
            text = say("not possible under this assumption")
        else:
            text = _count(needed)
        echo(
            say(
                "questions in all for a difference of {points:>2} points: {needed}",
                points=points,
                needed=text,
            )
        )
    if margin is not None:
        echo(
            say(
                "questions until the interval leaves out a loss of {points:g} points, if there is none: {needed}",
                points=100 * margin,
                needed=_count(found.for_margin),
            )
        )


def _count(needed: int | None) -> str:
    return say("more than a million") if needed is None else f"{needed}"


def _smallest(found: Power) -> str:
    """The smallest difference that a set shows, or why it shows none."""
    if found.detectable is not None:
        return say("{points:.1f} points", points=100 * found.detectable)
    if not found.basis.is_assumed:
        return say("none, however large")
    most = f"{100 * found.basis.changed:g}"
    if found.beyond is None:
        return say(
            (
                "none; if {most} % change, a difference is at most {most} points, and there are too few "
                "questions for any difference"
            ),
            most=most,
        )
    return say(
        (
            "none; if {most} % change, a difference is at most {most} points, and it takes a change of "
            "{beyond:.0f} % (--changed {changed})"
        ),
        most=most,
        beyond=100 * found.beyond,
        changed=f"{found.beyond:g}",
    )


def _questions_path(given: Path | None, workspace: Workspace) -> Path:
    """The named file, or that of the configuration."""
    if given is not None:
        return given
    document = load_configuration(workspace)
    configured = document.value.defaults.questions_path if document is not None else None
    if document is None or configured is None:
        raise UseError("name a file of questions; the configuration has no questions_path")
    return workspace.resolve(configured, document.where("defaults", "questions_path"))
