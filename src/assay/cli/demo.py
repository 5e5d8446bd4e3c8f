"""``assay demo``: the five jobs shown offline, with no key and no download."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from assay.cli.ending import end_run
from assay.cli.options import Lang, LogLines, one_of
from assay.cli.report import LANGUAGES, present
from assay.cli.run_command import LEFT
from assay.config import Workspace
from assay.jobs.demo import STOPS, Tour, demo_workspace, demonstrate
from assay.runner import (
    CaseHandler,
    Reporter,
    choose_reporter,
)


def demo(
    folder: Annotated[
        Path | None, typer.Argument(help="Where to lay the samples out. Default: a new folder.")
    ] = None,
    questions: Annotated[
        int, typer.Option("--questions", min=1, help="How many questions the ablation asks.")
    ] = 90,
    lang: Lang = "en",
    *,
    log_lines: LogLines = False,
) -> None:
    """Lay out the samples and run all five jobs on them, offline."""
    one_of("--lang", lang, LANGUAGES)
    chosen = [] if folder else [tempfile.mkdtemp(prefix="assay-demo-")]
    workspace = demo_workspace(folder or Path(*chosen))
    typer.echo(f"samples laid out in {workspace.root}")
    quiet = not typer.get_text_stream("stderr").isatty()

    def reporter(work: CaseHandler) -> Reporter:
        return choose_reporter(work.line, log_lines=log_lines, quiet=quiet)

    code = _ablate(workspace, questions, reporter, lang, chosen)
    if code == 0:
        code = _tour(workspace, reporter, lang, chosen)
    if code == 0:
        typer.echo(
            f"\nRun it again, assay demo {workspace.root}: what is recorded is not asked twice."
        )
        typer.echo(f"Go on: cd {workspace.root} && assay list")
    raise typer.Exit(code)


def _ablate(
    workspace: Workspace,
    questions: int,
    reporter: Callable[[CaseHandler], Reporter],
    lang: str,
    chosen: list[str],
) -> int:
    """Three variables of the pipeline, with their tables; the exit code."""
    steps = demonstrate(
        workspace,
        questions=questions,
        begin=lambda run: typer.echo(
            f"\n== ablation, {run.header.name}: {run.header.extra['description']}"
        ),
        reporter=reporter,
    )
    code = 0
    for run, result in steps:
        code = max(code, end_run(result, *chosen))
        if result.tally.scored and code not in LEFT:
            present(run.journal, lang=lang)
    return code


def _tour(
    workspace: Workspace,
    reporter: Callable[[CaseHandler], Reporter],
    lang: str,
    chosen: list[str],
) -> int:
    """The other four jobs, a sentence and a picture each; the exit code."""
    tour = Tour(
        workspace=workspace,
        reporter=reporter,
        lang=lang,  # type: ignore[arg-type]  # checked by the caller
    )
    code = 0
    for stop in STOPS:
        typer.echo(f"\n== {stop.job}: {stop.question}\n$ {stop.command}")
        shown = stop.show(tour)
        code = max(code, end_run(shown.result, *chosen))
        if shown.result.stopped is not None:
            break
        if shown.sentence:  # nothing is found where nothing was scored
            typer.echo(f"- {shown.sentence}")
        if shown.picture is not None:
            typer.echo(f"picture  {shown.picture}")
    return code
