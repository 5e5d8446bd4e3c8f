"""The common part of all run commands: shared options, running, reporting.

A command declares its own options and returns the runs it has prepared. ``run_command`` adds
the options that all these commands share and calls ``run_job``.
"""

import asyncio
import inspect
import json
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import wraps
from typing import Any, Final, TextIO, get_type_hints

import typer

from assay.cli.ending import end_run, typed_words
from assay.cli.options import CHARTS, SHARED_OPTIONS, one_of
from assay.cli.output import echo, echo_json, echo_text, json_only, note_line
from assay.cli.privacy import keep_run_private, note_given_name
from assay.cli.redaction import REDACT_OPTIONS, redact_options
from assay.errors import INTERRUPTED, UseError
from assay.jobs.description import file_lines, noted
from assay.jobs.estimate import estimate_lines
from assay.jobs.part import part_of_run
from assay.jobs.prepared import FinishedRun, JobRuns, PreparedRun, RunOptions, run_prepared
from assay.jobs.redact import redacting
from assay.runner import choose_reporter, parse_shard
from assay.words import say

STOPPED: Final = (2, *INTERRUPTED)
"""Exit codes after which no further run is started."""


def run_command(
    *, has_report: bool = False, has_json: bool = False, has_config: bool = False
) -> Callable[[Callable[..., JobRuns]], Callable[..., None]]:
    """Turn a function of its own options and ``run: RunOptions`` into a command.

    The last parameter, ``run``, is replaced by the shared options on the command line.
    ``has_report`` adds ``--charts`` and ``--no-report``; ``has_json`` adds ``--json``.
    ``has_config`` says that the option ``--config`` names a configuration like that of the workspace.
    """
    omitted = set() if has_report else {"no_report", "charts"}
    omitted |= set() if has_json else {"as_json"}
    shared = {name: option for name, option in SHARED_OPTIONS.items() if name not in omitted}

    def decorate(prepare: Callable[..., JobRuns]) -> Callable[..., None]:
        hints = get_type_hints(prepare, include_extras=True)
        signature = inspect.signature(prepare)
        parameters = [
            parameter.replace(annotation=hints[name], kind=inspect.Parameter.KEYWORD_ONLY)
            if parameter.kind is not inspect.Parameter.POSITIONAL_OR_KEYWORD
            else parameter.replace(annotation=hints[name])
            for name, parameter in signature.parameters.items()
            if name != "run"
        ]
        defaults = RunOptions()
        parameters += [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                default=getattr(defaults, name),
                annotation=option,
            )
            for name, option in shared.items()
        ]
        parameters += [
            inspect.Parameter(
                name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=option
            )
            for name, (option, default) in REDACT_OPTIONS.items()
        ]

        @wraps(prepare)
        def command(**words: Any) -> None:
            options = RunOptions(**{name: words.pop(name) for name in shared})
            one_of("--charts", options.charts, CHARTS)
            config = words.get("config") if has_config else None
            redact = redact_options(words)
            with redacting(options.find_workspace(), redact, config):
                code = run_job(lambda: prepare(**words, run=options), options)
            raise typer.Exit(code)

        command.__signature__ = signature.replace(  # type: ignore[attr-defined]
            parameters=parameters, return_annotation=None
        )
        command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        return command

    return decorate


def run_job(prepare: Callable[[], JobRuns], options: RunOptions) -> int:
    """Run the prepared runs of a command and print their results; return the exit code."""
    with json_only(options.as_json) as stdout:
        return _run_job(prepare, options, stdout)


def _run_job(prepare: Callable[[], JobRuns], options: RunOptions, stdout: TextIO) -> int:
    if options.keep_stale and options.ask_changed:
        raise UseError("--keep-stale keeps what --ask-changed asks again: give one of them")
    shard = parse_shard(options.shard) if options.shard is not None else None
    runs = prepare()
    code = ended = complete = 0
    try:
        for number, whole in enumerate(runs.prepared()):
            run = whole if shard is None else part_of_run(whole, shard)
            _describe(run, options, is_first=number == 0)
            if options.dry_run:
                _show_estimate(run, runs, options)
                continue
            result = _run(run, runs, options)
            ended += 1
            complete += result.is_complete
            run_code = end_run(result)
            if options.max_cost is not None and result.paid is None:
                note = say("no price is known, so --max-cost had no effect")
                echo(note_line(note), err=True)
            code = run_code if run_code in STOPPED else max(code, run_code)
            if run_code not in INTERRUPTED:
                _tell_cut(run, result, options)
                if not options.as_json:
                    _show_result(run, result, options)
            if code in STOPPED:
                break
        if ended and code not in INTERRUPTED and shard is None:
            with redirect_stdout(stdout):
                _show_outcome(runs, options, is_complete=complete == ended)
    finally:
        runs.close()
    return code


def _tell_cut(run: PreparedRun, result: FinishedRun, options: RunOptions) -> None:
    """Say how many answers were cut off or scored in part, unless the findings that follow say it."""
    if not result.tally.scored or (not options.as_json and _shows_findings(run, result, options)):
        return
    if cut := result.recorded.results.cut:
        line = "{n} {n:answer was|answers were} cut off at the limit of tokens"
        echo(note_line(say(line, n=cut)), err=True)
    if in_part := result.recorded.results.in_part:
        line = "of {n} {n:answer|answers} only the beginning and the end were scored"
        echo(note_line(say(line, n=in_part)), err=True)


def _describe(run: PreparedRun, options: RunOptions, *, is_first: bool) -> None:
    if run.description and not is_first:
        echo(err=options.as_json)
    for line in run.description:
        echo(line, err=options.as_json)
    for note in run.notes():
        echo(note_line(noted(note)), err=True)


def _run(run: PreparedRun, runs: JobRuns, options: RunOptions) -> FinishedRun:
    pace = run.pace()  # before the summary of an earlier run is replaced
    note_given_name(run.journal)
    keep_run_private(run.journal)
    settings = run.own_settings(runs.settings, options)
    result = run_prepared(
        run,
        settings=settings,
        reporter=lambda handler: choose_reporter(
            handler, log_lines=options.log_lines, as_json=options.as_json
        ),
        fresh=options.fresh,
        keep_stale=options.keep_stale,
        ask_changed=options.ask_changed,
        begin=lambda survey: _show_expectation(
            run.expectation(survey, settings.concurrency, pace), options
        ),
        command=typed_words(sys.argv),
    )
    if run.title:
        echo(run.title, err=True)
    return result


def _show_estimate(run: PreparedRun, runs: JobRuns, options: RunOptions) -> None:
    try:
        if run.has_estimate:
            settings = run.own_settings(runs.settings, options)
            estimate = run.estimate(settings.concurrency, fresh=options.fresh)
            for line in estimate_lines(estimate):
                echo(line, err=options.as_json)
        run.refuse(
            fresh=options.fresh, keep_stale=options.keep_stale, ask_changed=options.ask_changed
        )
    finally:
        asyncio.run(run.handler.close())


def _show_expectation(line: str, options: RunOptions) -> None:
    if line:
        echo_text(line, err=options.as_json)


def _show_result(run: PreparedRun, result: FinishedRun, options: RunOptions) -> None:
    """Print the outcome of one run, and its report or the paths of its rows and summary."""
    for line in run.outcome(result):
        echo(line)
    if not run.writes_report:
        return
    if _shows_findings(run, result, options) and not options.no_report:
        # imported here because NumPy takes 0.1 s to import, and a refused run does not need it
        from assay.cli.report import present  # noqa: PLC0415

        present(result.recorded.findings, charts=options.charts)
    else:
        if _shows_findings(run, result, options):
            from assay.cli.report import show_findings  # noqa: PLC0415 - as above

            show_findings(result.recorded.findings)
        echo_text(f"\n{file_lines(run.journal)}")


def _shows_findings(run: PreparedRun, result: FinishedRun, options: RunOptions) -> bool:
    """Whether the findings of a run are shown: without a report, only if variants are compared."""
    has_report = not options.no_report or len(run.header.variants) > 1
    return run.writes_report and bool(result.tally.scored) and has_report


def _show_outcome(runs: JobRuns, options: RunOptions, *, is_complete: bool) -> None:
    """Print the outcome of all runs together, as JSON or as lines."""
    if options.as_json and runs.outcome_json is not None:
        echo_json(json.dumps(runs.outcome_json(), ensure_ascii=False, indent=2))
        return
    lines = runs.outcome()
    if lines:
        for line in lines:
            echo(line)
        if not is_complete:
            note = say("the run is not complete: the results include only the scored cases")
            echo(note, err=True)
