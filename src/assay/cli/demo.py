"""``assay demo``: run the five jobs offline, without an API key or a download."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from assay.cli.heatmap import write_depth_map
from assay.cli.next_step import say_next
from assay.cli.options import LogLines
from assay.cli.output import echo, echo_text
from assay.cli.redaction import Key, NoKey, Redact, redact_options
from assay.cli.report import present
from assay.cli.run_command import end_run
from assay.config.workspace import Workspace
from assay.demo import STOPS, Tour, demo_workspace, demonstrate
from assay.errors import INTERRUPTED
from assay.report.description import file_line
from assay.runs.handler import CaseHandler
from assay.runs.progress import Reporter, choose_reporter
from assay.runs.redaction import redacting
from assay.words.language import language
from assay.words.say import say


def demo(
    folder: Annotated[
        Path | None, typer.Argument(help="Folder for the samples. Default: a new folder.")
    ] = None,
    limit: Annotated[
        int, typer.Option("--limit", min=1, help="Number of questions of the ablation.")
    ] = 90,
    redact: Redact = None,
    key: Key = None,
    *,
    no_key: NoKey = False,
    log_lines: LogLines = False,
) -> None:
    """Create a folder with the samples and run all five jobs on them, offline."""
    extra_words = [] if folder else [tempfile.mkdtemp(prefix="assay-demo-")]
    workspace = demo_workspace(folder or Path(*extra_words))
    options = redact_options({"redact": redact, "key": key, "no_key": no_key})
    with redacting(workspace, options):
        code = _demonstrate(workspace, limit, extra_words, log_lines=log_lines)
    raise typer.Exit(code)


def _demonstrate(
    workspace: Workspace, questions: int, extra_words: list[str], *, log_lines: bool
) -> int:
    """Run all jobs; return the exit code."""
    echo(say("samples are in {folder}", folder=workspace.root))
    quiet = not typer.get_text_stream("stderr").isatty()

    def reporter(handler: CaseHandler) -> Reporter:
        return choose_reporter(handler, log_lines=log_lines, quiet=quiet)

    code = _ablate(workspace, questions, reporter, extra_words)
    if code == 0:
        code = _tour(workspace, reporter, extra_words)
    if code == 0:
        again = say(
            "Run assay demo {folder} again: recorded cases are not asked a second time.",
            folder=workspace.root,
        )
        echo_text(f"\n{again}")
        say_next("view", folder=workspace.root)
    return code


def _ablate(
    workspace: Workspace,
    questions: int,
    reporter: Callable[[CaseHandler], Reporter],
    extra_words: list[str],
) -> int:
    """Run experiments on three variables of the pipeline; return the exit code."""
    steps = demonstrate(
        workspace,
        questions=questions,
        begin=lambda run: echo_text(
            f"\n== {say('ablation')}, {run.header.name}: {run.header.extra['description']}"
        ),
        reporter=reporter,
    )
    code = 0
    for _, result in steps:
        code = max(code, end_run(result, *extra_words))
        if result.tally.scored and code not in INTERRUPTED:
            present(result.recorded.findings)
    return code


def _tour(
    workspace: Workspace,
    reporter: Callable[[CaseHandler], Reporter],
    extra_words: list[str],
) -> int:
    """Run the other four jobs and print a result of each; return the exit code."""
    tour = Tour(workspace=workspace, reporter=reporter, lang=language(), draw_map=write_depth_map)
    code = 0
    for stop in STOPS:
        echo_text(f"\n== {stop.job}: {say(stop.question)}\n$ {stop.command}")
        tour_result = stop.show(tour)
        code = max(code, end_run(tour_result.result, *extra_words))
        if tour_result.result.stopped is not None:
            break
        if tour_result.sentence:  # it is empty if no case was scored
            echo_text(f"- {tour_result.sentence}")
        if tour_result.picture is not None:
            echo(file_line("picture", tour_result.picture))
    return code
