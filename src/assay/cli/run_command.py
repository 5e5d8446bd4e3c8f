"""The common part of all run commands: shared options, running, reporting.

A command declares its own options and returns the runs it has prepared. ``run_command`` adds
the options that all these commands share and calls ``run_job``.
"""

import asyncio
import inspect
import json
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, redirect_stdout
from functools import wraps
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, TextIO, get_type_hints

import typer

from assay.checks import registered as ruler
from assay.cli.next_step import say_next, say_next_after_run, say_next_command
from assay.cli.options import CHARTS, SHARED_OPTIONS, chosen_documents, one_of
from assay.cli.output import echo, echo_json, echo_text, json_only, note_line
from assay.cli.privacy import note_given_name
from assay.cli.redaction import REDACT_OPTIONS, redact_options
from assay.data.foreign_value import without_secrets
from assay.errors import (
    INTERRUPTED,
    CeilingReached,
    Interrupted,
    RunStopped,
    UnnamedSystem,
    UseError,
)
from assay.jobs.estimate import estimate_lines
from assay.jobs.prepared import FinishedRun, JobRuns, PreparedRun, RunOptions
from assay.library.perform import each_prepared, perform
from assay.records import Tally
from assay.redact.error_text import masked_error
from assay.report.description import file_lines, noted
from assay.results.run_cases import outside_rows
from assay.runs.own_scorer import scorer_notes
from assay.runs.progress import choose_reporter, duration, tally_facts
from assay.runs.redaction import redacting
from assay.runs.resume import RESUME, resume_line
from assay.runs.summary import RunResult
from assay.words.language import language
from assay.words.say import listed, say, say_n

# The end of a run command: its counts, its exit code and the command to resume it.


def resume_command(argv: list[str], *further: str) -> str:
    """The command line that resumes this one, with ``further`` words added at the end.

    >>> resume_command(["/usr/bin/assay", "demo", "--resume", "fresh", "my folder"])
    "assay demo 'my folder'"
    """
    return resume_line(["assay", *argv[1:], *further])


def continuing_command(argv: list[str], stopped: RunStopped, *further: str) -> str:
    """The command line that goes on after this stop: with a higher cost limit if it was that.

    >>> reached = CeilingReached("spent 1 of 1", raised=2.0)
    >>> continuing_command(["assay", "ablate", "--max-cost", "1", "-e", "hyde"], reached)
    'assay ablate -e hyde --max-cost 2'
    >>> continuing_command(["assay", "ablate", "--max-cost=1"], reached)
    'assay ablate --max-cost 2'
    """
    raised = stopped.raised if isinstance(stopped, CeilingReached) else None
    if raised is None:
        return resume_command(argv, *further)
    words = [
        word
        for before, word in pairwise(argv)
        if "--max-cost" not in {before, word} and not word.startswith("--max-cost=")
    ]
    return resume_command([argv[0], *words], *further, "--max-cost", f"{raised:g}")


def typed_words(argv: list[str]) -> tuple[str, ...]:
    """What was typed, without what looks like a secret; empty if it was not the command ``assay``.

    >>> typed_words(["/usr/bin/assay", "ablate", "-e", "hyde", "--system", "http://me:pw@host/ask"])
    ('assay', 'ablate', '-e', 'hyde', '--system', 'http://host/ask')
    """
    program = Path(argv[0])
    if program.stem != "assay" and program.name != "__main__.py":
        return ()  # the command was called from a program of its own
    return ("assay", *map(str, without_secrets(argv[1:])))


def end_run(result: RunResult, *further: str, is_recorded: bool = False) -> int:
    """Print to standard error how the run ended; return the exit code.

    ``further`` are words that must be added to the command line to find these results again,
    such as a folder that the command chose itself.

    With ``is_recorded``, answers and failures existed before, and nothing can be asked again.

    Exit code 0: every case is scored, skipped or spared. 1: some cases failed or could not be judged, or
    a limit was reached.
    A stop for another reason has its own exit code (2, 130 or 143).
    """
    tally = result.tally
    if result.earlier_ruler is not None:
        _tell(
            say_n(
                "the recorded answers were scored by other rules ({was}); they were scored again by {now} without asking: {n} answer changed",
                "the recorded answers were scored by other rules ({was}); they were scored again by {now} without asking: {n} answers changed",
                result.judged,
                was=result.earlier_ruler or say("those of an earlier version"),
                now=ruler.RULER,
            )
        )
    elif result.judged:
        _tell(
            say_n(
                "{n} recorded answer was judged, without asking again",
                "{n} recorded answers were judged, without asking again",
                result.judged,
            )
        )
    if result.outside_top_k:
        _tell(
            say_n(
                "{n} recorded row has another top_k ({values}): it is kept in the file and not counted",
                "{n} recorded rows have another top_k ({values}): they are kept in the file and not counted",
                result.outside,
                values=listed(map(str, result.outside_top_k)),
            )
        )
    elif result.outside:
        _tell(outside_rows(result.outside).text_in(language()))
    if result.unjudged:
        _tell(say("not all recorded answers could be judged again: {why}", why=result.unjudged))
    if result.asked == 0 and result.is_complete and result.stopped is None:
        _tell(
            say_n(
                "the only case was recorded earlier; nothing was asked",
                "all {n} cases were recorded earlier; nothing was asked",
                result.total,
            )
        )
        return 1 if result.unjudged else 0
    _tell(
        say(
            "{facts} of {total} in {time}",
            facts=listed(_facts(result)),
            total=result.total,
            time=duration(result.elapsed_s),
        )
    )
    if result.stopped is not None:
        _tell(say("stopped: {why}", why=_why(result.stopped)))
        command = continuing_command(sys.argv, result.stopped, *further)
        _tell(say("resume with: {command}", command=command))
        return result.stopped.exit_code
    if is_recorded and not tally.answered:
        return 1 if result.unjudged else 0
    _say_what_is_left(tally, resume_command(sys.argv, *further))
    return 1 if tally.failed or tally.answered or result.unjudged else 0


def _why(stopped: RunStopped) -> str:
    """Why a run stopped: errors are English, a stop by the user is not one."""
    if not isinstance(stopped, Interrupted):
        return masked_error(str(stopped))
    return say(
        "interrupted" if stopped.exit_code == Interrupted.exit_code else "terminated (SIGTERM)"
    )


def _facts(result: RunResult) -> list[str]:
    """The counts of the run and what was spent."""
    facts = tally_facts(result.tally, result.total)
    if result.paid is not None:
        facts.append(say("{cost:.4f} spent", cost=result.paid))
    return facts


def _say_what_is_left(tally: Tally, again: str) -> None:
    """Say which cases have no score, and the command that goes on with them."""
    if tally.answered:
        _tell(
            say_n(
                "{n} answered but not judged; judge it, without asking again, with: {command}",
                "{n} answered but not judged; judge them, without asking again, with: {command}",
                tally.answered,
                command=again,
            )
        )
    if tally.failed:
        _tell(
            say_n(
                "{n} failed; ask it again with: {command}",
                "{n} failed; ask them again with: {command}",
                tally.failed,
                command=again,
            )
        )
    if tally.filtered:
        _tell(
            say_n(
                "{n} answer was withheld by the provider's filter; --count-filtered counts such an answer as wrong",
                "{n} answers were withheld by the provider's filter; --count-filtered counts such an answer as wrong",
                tally.filtered,
            )
        )


def _tell(message: str, **fields: Any) -> None:
    """Print a line to standard error, in the language in use."""
    echo(say(message, **fields), err=True)


STOPPED: Final = (2, *INTERRUPTED)
"""Exit codes after which no further run is started."""


def run_command(
    *,
    has_report: bool = False,
    has_json: bool = False,
    has_config: bool = False,
    without: Collection[str] = (),
) -> Callable[[Callable[..., JobRuns]], Callable[..., None]]:
    """Turn a function of its own options and ``run: RunOptions`` into a command.

    The last parameter, ``run``, is replaced by the shared options on the command line.
    ``has_report`` adds ``--charts`` and ``--no-report``; ``has_json`` adds ``--json``.
    ``without`` are shared options that mean nothing to the command.
    ``has_config`` says that the option ``--config`` names a configuration like that of the workspace.
    """
    omitted = set() if has_report else {"no_report", "charts"}
    omitted |= set() if has_json else {"as_json"}
    omitted |= set(without)
    shared = {name: option for name, option in SHARED_OPTIONS.items() if name not in omitted}

    def decorate(prepare: Callable[..., JobRuns]) -> Callable[..., None]:
        hints = get_type_hints(prepare, include_extras=True)
        signature = inspect.signature(prepare)
        # quality has an option of its own in place of --runs
        options_of_all = {
            name: option for name, option in shared.items() if name not in signature.parameters
        }
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
            for name, option in options_of_all.items()
        ]
        parameters += [
            inspect.Parameter(
                name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=option
            )
            for name, (option, default) in REDACT_OPTIONS.items()
        ]

        @wraps(prepare)
        def command(**words: Any) -> None:
            options = RunOptions(**{name: words.pop(name) for name in options_of_all})
            one_of("--charts", options.charts, CHARTS)
            one_of("--resume", options.resume, RESUME)
            chosen_documents(options.documents)
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
    with naming_commands():
        runs = prepare()
    code = ended = complete = 0
    try:
        for number, run in enumerate(_each_prepared(runs, options)):
            _describe(run, options, is_first=number == 0)
            if options.dry_run:
                _show_estimate(run, runs, options)
                continue
            result = _run(run, runs, options)
            ended += 1
            complete += result.is_complete
            run_code = end_run(result, is_recorded=run.is_recorded)
            for line in scorer_notes(run.journal, result.summary, run.scorers):
                echo(note_line(line), err=True)
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
        if ended and code not in INTERRUPTED and options.shard is None:
            with redirect_stdout(stdout):
                _show_outcome(runs, options, is_complete=complete == ended)
            _say_next(code, run.journal if ended == 1 else None, options)
    finally:
        runs.close()
    return code


def _say_next(code: int, journal: Path | None, options: RunOptions) -> None:
    """Say what is sensible after the run of ``journal``, or after several; a stop has said how to go on."""
    if code in STOPPED:
        return
    if code:
        say_next_command(resume_command(sys.argv))
    elif journal is not None:
        say_next_after_run(journal)
    else:
        say_next("view", root=options.root)


def _each_prepared(runs: JobRuns, options: RunOptions) -> Iterator[PreparedRun]:
    """The runs, each prepared when it is its turn."""
    with naming_commands():
        yield from each_prepared(runs, options)


@contextmanager
def naming_commands() -> Iterator[None]:
    """Where no system is named, tell the whole commands to choose from."""
    try:
        yield
    except UnnamedSystem as error:
        if not typed_words(sys.argv):
            raise
        text = str(error)
        for choice in error.choices:
            command = resume_command(sys.argv, "--system", choice)
            text = text.replace(f": --system {choice}", f": {command}")
            text = text.replace(f"; --system {choice}", f"; {command}")
        raise UseError(text) from None


def _tell_cut(run: PreparedRun, result: FinishedRun, options: RunOptions) -> None:
    """Say how many answers were cut off or scored in part, unless the findings that follow say it."""
    if not result.tally.scored or (not options.as_json and _shows_findings(run, result, options)):
        return
    if cut := result.recorded.results.cut:
        echo(
            note_line(
                say_n(
                    "{n} answer was cut off at the limit of tokens",
                    "{n} answers were cut off at the limit of tokens",
                    cut,
                )
            ),
            err=True,
        )
    if in_part := result.recorded.results.in_part:
        echo(
            note_line(
                say_n(
                    "of {n} answer only the beginning and the end were scored",
                    "of {n} answers only the beginning and the end were scored",
                    in_part,
                )
            ),
            err=True,
        )


def _describe(run: PreparedRun, options: RunOptions, *, is_first: bool) -> None:
    if run.description and not is_first:
        echo(err=options.as_json)
    for line in run.lines:
        echo(line, err=options.as_json)
    for note in run.notes():
        echo(note_line(noted(note)), err=True)


def _run(run: PreparedRun, runs: JobRuns, options: RunOptions) -> FinishedRun:
    note_given_name(run.journal)
    result = perform(
        run,
        runs.settings,
        options,
        reporter=lambda handler: choose_reporter(
            handler,
            log_lines=options.log_lines,
            as_json=options.as_json,
            quiet=run.is_recorded and not sys.stderr.isatty(),
        ),
        begin=lambda expectation: _show_expectation(expectation, options),
        command=typed_words(sys.argv),
    )
    if run.title:
        echo(run.title, err=True)
    return result


def _show_estimate(run: PreparedRun, runs: JobRuns, options: RunOptions) -> None:
    try:
        if run.has_estimate:
            settings = run.own_settings(runs.settings, options)
            estimate = run.estimate(settings.concurrency, fresh=options.resume == "fresh")
            for line in estimate_lines(estimate):
                echo(line, err=options.as_json)
        run.refuse(resume=options.resume)
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
