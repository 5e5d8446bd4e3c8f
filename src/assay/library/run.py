"""``run``, ``ablate``, ``evaluate`` and ``open``: what begins with a system, or with what was recorded."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

from assay.config.workspace import Workspace
from assay.errors import CeilingReached, Interrupted, RunStopped
from assay.jobs.answers.plain_run import PlainRunOptions
from assay.jobs.answers.plain_run import prepare as prepare_plain_run
from assay.jobs.prepared import FinishedRun, JobRuns, PreparedRun, RunOptions
from assay.library.perform import each_prepared, perform
from assay.library.progress import is_interactive, progress_reporter
from assay.library.result import Run
from assay.library.source import read_question_set, read_systems
from assay.records import Estimand
from assay.report.description import noted
from assay.results.find_results import find_results
from assay.runs.executor import outside_loop
from assay.runs.progress import Reporter
from assay.runs.redaction import RedactOptions, redacting
from assay.runs.resume import Resume
from assay.systems.protocol import System
from assay.words.language import language
from assay.words.message import text_of
from assay.words.say import say

StrPath: TypeAlias = str | PathLike[str]
OneSystem: TypeAlias = str | System | Callable[..., Any] | Any
Questions: TypeAlias = StrPath | Iterable[str | Mapping[str, Any]] | Any


def run(
    system: OneSystem | Sequence[OneSystem] | Mapping[str, OneSystem] | None,
    questions: Questions = None,
    *,
    name: str | None = None,
    limit: int | None = None,
    top_k: int | None = None,
    columns: Mapping[str, str] | None = None,
    settings: Mapping[str, Any] | None = None,
    prompts: Sequence[StrPath] = (),
    primary: str | None = None,
    runs: int | None = None,
    stop_early: bool = False,
    documents: Estimand | None = None,
    concurrency: int | None = None,
    timeout: float | None = None,
    retries: int | None = None,
    max_cost: float | None = None,
    max_minutes: float | None = None,
    resume: Resume = "ask",
    redact: str | None = None,
    config: StrPath | None = None,
    root: StrPath | None = None,
    out: StrPath | None = None,
    progress: bool | Reporter | None = None,
) -> Run:
    """Ask a system the questions, score the answers, and record both as ``assay run`` does.

    ``system`` is a function, an object with ``ask``, ``query`` or ``invoke``, an address, or a text as
    for ``--system``; several of them are asked side by side: a list, or a dictionary with the names of
    the variants. ``questions`` is a path, a list of texts or of dictionaries with ``question`` and perhaps
    ``answer``, or a DataFrame. Everything else is an option of ``assay run`` by its name.

    The run is in ``experiments/NAME.jsonl`` of the workspace. The same call goes on with what is not
    asked yet, also after the command has begun it. Questions from Python are named by their content,
    so give a run whose list grows a ``name``.

    Raises:
        UseError: something is wrong with the system, the questions or an option; nothing was asked.
        RunStopped: the rest cannot be asked, for example because the key is refused.
        KeyboardInterrupt: Ctrl+C. What was answered is recorded in both cases.
    """
    asked = read_systems(system, at_once=concurrency)
    options = PlainRunOptions(
        questions=read_question_set(questions),
        systems=asked.systems,
        given=asked.given,
        borrowed=asked.borrowed,
        prompts=[Path(each) for each in prompts],
        settings=settings or {},
        columns=columns or {},
        name=name,
        config=_path(config),
        limit=limit,
        top_k=top_k,
        primary=primary,
        out=_path(out),
        stop_early=stop_early,
    )
    shared = RunOptions(
        root=_path(root),
        concurrency=concurrency,
        timeout=timeout,
        retries=retries,
        max_cost=max_cost,
        max_minutes=max_minutes,
        resume=resume,
        documents=documents,
        runs=runs,
    )
    (finished,) = perform_all(
        lambda: prepare_plain_run(options, shared),
        shared,
        redact=redact,
        config=options.config,
        progress=progress,
    )
    return finished


def perform_all(
    prepare: Callable[[], JobRuns],
    options: RunOptions,
    *,
    redact: str | None = None,
    config: Path | None = None,
    progress: bool | Reporter | None = None,
) -> list[Run]:
    """The runs of a job, performed one after the other until one of them stops.

    Works in a notebook, where an event loop runs already. Raises as ``run`` does.
    """
    reporter = progress_reporter(progress)

    def perform_each() -> list[tuple[PreparedRun, FinishedRun]]:
        with redacting(options.find_workspace(), RedactOptions(mode=redact), config):
            runs = prepare()
            try:
                ended = []
                for prepared in each_prepared(runs, options):
                    result = perform(prepared, runs.settings, options, reporter=reporter)
                    ended.append((prepared, result))
                    if result.stopped is not None:
                        break
                return ended
            finally:
                runs.close()

    ended = outside_loop(perform_each, always=is_interactive())
    for _, result in ended:
        _raise_stop(result.stopped)
    return [_finished(prepared, result, options) for prepared, result in ended]


def _raise_stop(stopped: RunStopped | None) -> None:
    """Raise why a run stopped, unless it is a limit that the caller has set."""
    if stopped is None or isinstance(stopped, CeilingReached):
        return
    if isinstance(stopped, Interrupted) and stopped.exit_code == Interrupted.exit_code:
        raise KeyboardInterrupt from stopped
    raise stopped


def _finished(prepared: PreparedRun, result: FinishedRun, options: RunOptions) -> Run:
    notes = [text_of(noted(note), language()) for note in prepared.notes()]
    if options.max_cost is not None and result.paid is None:
        notes.append(say("no price is known, so --max-cost had no effect"))
    return Run(prepared.journal, recorded=result.recorded, stopped=result.stopped, notes=notes)


def _path(path: StrPath | None) -> Path | None:
    return None if path is None else Path(path)


def open(name: StrPath, *, root: StrPath | None = None) -> Run:  # noqa: A001 - assay.open
    """A run that is recorded, by its name or by the path of its rows or its summary.

    Raises:
        UseError: there is no such run.
    """
    return Run(find_results(Workspace.find(_path(root)), str(name)))
