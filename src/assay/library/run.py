"""``run``, ``ablate``, ``evaluate`` and ``open``: what begins with a system, or with what was recorded."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypedDict, Unpack, overload

import yaml
from msgspec.structs import replace

from assay.config.document import ConfigDocument, ExperimentFile, parse_document
from assay.config.workspace import Workspace
from assay.errors import CeilingReached, Interrupted, RunStopped, UseError
from assay.jobs.answers.log_run import LogOptions
from assay.jobs.answers.log_run import prepare as prepare_log
from assay.jobs.answers.plain_run import PlainRunOptions
from assay.jobs.answers.plain_run import prepare as prepare_plain_run
from assay.jobs.answers.preparation import AblationOptions
from assay.jobs.answers.preparation import prepare as prepare_ablation
from assay.jobs.prepared import FinishedRun, JobRuns, PreparedRun, RunOptions
from assay.library.perform import each_prepared, perform
from assay.library.progress import is_interactive, progress_reporter
from assay.library.result import Run, StrPath
from assay.library.source import read_question_set, read_systems
from assay.mask import redactor, set_redactor
from assay.records import Estimand
from assay.registry import nearest
from assay.report.description import noted
from assay.results.find_results import find_results
from assay.runs.executor import outside_loop
from assay.runs.own_scorer import GivenScorer, scorer_notes
from assay.runs.progress import Reporter
from assay.runs.redaction import RedactOptions, redacting
from assay.runs.resume import Resume
from assay.systems.load import load_configuration
from assay.systems.protocol import System
from assay.words.language import language
from assay.words.message import text_of
from assay.words.say import say

OneSystem: TypeAlias = str | System | Callable[..., Any] | Any
Questions: TypeAlias = StrPath | Iterable[str | Mapping[str, Any]] | Any


class EvaluateOptions(TypedDict, total=False):
    """The options of ``evaluate``, by the names of the command's options.

    ``scorers`` are functions of your own (``assay.scorer``), or texts as for ``--scorer``.
    ``judges`` are judges of the configuration, which are asked about the answers afterwards
    (``assay judge``). ``redact`` is ``off``, ``outputs`` or ``calls``. ``progress``: ``None`` shows a bar in notebooks and
    terminals, ``False`` nothing, ``True`` lines where there is no bar; or it is a ``Reporter``.
    """

    judges: Sequence[str]
    limit: int | None
    primary: str | None
    documents: Estimand | None
    scorers: Sequence[GivenScorer]
    resume: Resume
    redact: Literal["off", "outputs", "calls"] | None
    config: StrPath | None
    root: StrPath | None
    out: StrPath | None
    progress: bool | Reporter | None


class SharedOptions(EvaluateOptions, total=False):
    """The options that ``run`` and ``ablate`` share, by the names of the command's options."""

    top_k: int | None
    runs: int | None
    stop_early: bool
    concurrency: int | None
    timeout: float | None
    retries: int | None
    max_cost: float | None
    max_minutes: float | None


def run(
    system: OneSystem | Sequence[OneSystem] | Mapping[str, OneSystem] | None,
    questions: Questions = None,
    *,
    name: str | None = None,
    columns: Mapping[str, str] | None = None,
    settings: Mapping[str, Any] | None = None,
    prompts: Sequence[StrPath] = (),
    **options: Unpack[SharedOptions],
) -> Run:
    """Ask a system the questions, score the answers, and record both as ``assay run`` does.

    ``system`` is a function, an object with ``ask``, ``query`` or ``invoke``, an address, or a text as
    for ``--system``; several of them are asked side by side: a list, or a dictionary with the names of
    the variants. ``questions`` is a path, a list of texts or of dictionaries with ``question`` and perhaps
    ``answer``, or a DataFrame. Everything else is an option of ``assay run`` by its name
    (``SharedOptions``).

    The run is in ``experiments/NAME.jsonl`` of the workspace. The same call goes on with what is not
    asked yet, also after the command has begun it. Questions from Python are named by their content,
    so give a run whose list grows a ``name``.

    Raises:
        UseError: something is wrong with the system, the questions or an option; nothing was asked.
        RunStopped: the rest cannot be asked, for example because the key is refused.
        KeyboardInterrupt: Ctrl+C. What was answered is recorded in both cases.
    """
    _check_options("assay.run", options, SharedOptions)
    asked = read_systems(system, at_once=options.get("concurrency"))
    plain = PlainRunOptions(
        questions=read_question_set(questions, columns),
        systems=asked.systems,
        given=asked.given,
        borrowed=asked.borrowed,
        prompts=[Path(each) for each in prompts],
        settings=settings or {},
        columns=columns or {},
        name=name,
        config=_path(options.get("config")),
        limit=options.get("limit"),
        top_k=options.get("top_k"),
        primary=options.get("primary"),
        out=_path(options.get("out")),
        stop_early=options.get("stop_early", False),
    )
    shared = _run_options(options)
    (finished,) = _performed(lambda: prepare_plain_run(plain, shared), shared, options)
    return finished


def evaluate(
    rows: Questions,
    *,
    name: str | None = None,
    columns: Mapping[str, str] | None = None,
    **options: Unpack[EvaluateOptions],
) -> Run:
    """Score answers that exist already, as ``assay evaluate`` does: a log, a table, an export.

    ``rows`` is a path, a list of dictionaries or a DataFrame with a question and an answer in each row,
    and perhaps passages, an expected answer, an error, a latency, a cost and what users thought of it.
    Columns are recognised by their names, or named by their roles: ``columns={"response": "reply",
    "answer": "gold"}``. If only one column has answers, they are those of the system.

    A longer list or file is scored where it is new or has changed; give a list that grows a ``name``.

    Raises:
        UseError: no column has questions or answers.
        DatasetError: there are no rows, or they cannot be read.
    """
    _check_options("assay.evaluate", options, EvaluateOptions)
    path = read_question_set(rows, columns)
    if path is None:
        raise UseError(
            "there is nothing to evaluate: pass a path, a list of dictionaries or a table"
        )
    log = LogOptions(
        log=path,
        columns=columns or {},
        name=name,
        limit=options.get("limit"),
        primary=options.get("primary"),
        out=_path(options.get("out")),
    )
    shared = _run_options(options)
    (finished,) = _performed(lambda: prepare_log(log, shared), shared, options)
    return finished


@overload
def ablate(
    experiment: str | Mapping[str, Any],
    system: OneSystem | None = None,
    questions: Questions = None,
    **options: Unpack[SharedOptions],
) -> Run: ...


@overload
def ablate(
    experiment: list[str] | tuple[str, ...],
    system: OneSystem | None = None,
    questions: Questions = None,
    **options: Unpack[SharedOptions],
) -> list[Run]: ...


def ablate(
    experiment: str | Mapping[str, Any] | list[str] | tuple[str, ...],
    system: OneSystem | None = None,
    questions: Questions = None,
    **options: Unpack[SharedOptions],
) -> Run | list[Run]:
    """Ask the variants of an experiment, and compare each with the baseline, as ``assay ablate`` does.

    ``experiment`` is a name in the configuration or of the experiments that come with assay, a list of
    names, or the experiment itself as a dictionary with the keys of the configuration. ``system`` and
    ``questions`` replace those of the configuration, and may be what ``run`` takes.

    Raises as ``run`` does.
    """
    _check_options("assay.ablate", options, SharedOptions)
    asked = read_systems(system, at_once=options.get("concurrency"))
    if len(asked.systems) > 1:
        raise UseError("an experiment asks one system; its variants are settings of it")
    (spec,) = asked.systems or (None,)
    shared = _run_options(options)
    config = _path(options.get("config"))
    names, document = _experiments(experiment, shared.find_workspace(), config)
    chosen = AblationOptions(
        experiments=names,
        config=config,
        document=document,
        questions=read_question_set(questions),
        system=asked.given.get(spec, spec) if spec is not None else None,
        borrowed=asked.borrowed,
        limit=options.get("limit"),
        top_k=options.get("top_k"),
        primary=options.get("primary"),
        out=_path(options.get("out")),
        stop_early=options.get("stop_early", False),
    )
    ended = _performed(lambda: prepare_ablation(chosen, shared), shared, options)
    return ended[0] if isinstance(experiment, str | Mapping) else ended


def _experiments(
    experiment: str | Mapping[str, Any] | Sequence[str], workspace: Workspace, config: Path | None
) -> tuple[list[str], ConfigDocument[ExperimentFile] | None]:
    """The names of the experiments, and the configuration with one that a program wrote."""
    if not isinstance(experiment, Mapping):
        return [experiment] if isinstance(experiment, str) else list(experiment), None
    text = yaml.safe_dump({"experiments": [dict(experiment)]}, allow_unicode=True, sort_keys=False)
    own = parse_document(text, ExperimentFile, Path("experiment"))
    document = load_configuration(workspace, config)
    value = own.value if document is None else document.value
    experiments = own.value.experiments
    return [each.name for each in experiments], ConfigDocument(
        value=replace(value, experiments=experiments), path=own.path, lines=own.lines
    )


def _check_options(call: str, options: EvaluateOptions, valid: type[EvaluateOptions]) -> None:
    """Raise ``UseError`` if an option is misspelt, which Python does not see, or the limit is no number."""
    for name in options:
        if name not in valid.__annotations__:
            raise UseError(f"{call} has no option {name!r}{nearest(name, valid.__annotations__)}")
    limit: Any = options.get("limit")
    if limit is not None and (not isinstance(limit, int) or limit < 0):
        raise UseError(f"limit={limit!r}: pass a whole number of questions, or None for all")


def _run_options(options: EvaluateOptions) -> RunOptions:
    names = (
        "concurrency", "timeout", "retries", "max_cost", "max_minutes", "documents", "runs", "resume",
    )  # fmt: skip
    given = {name: each for name, each in options.items() if name in names}
    scorers = options.get("scorers")
    return RunOptions(root=_path(options.get("root")), scorer=scorers, **given)  # type: ignore[arg-type]


def _performed(
    prepare: Callable[[], JobRuns], shared: RunOptions, options: EvaluateOptions
) -> list[Run]:
    """The runs of a job, performed one after the other until one of them stops.

    Works in a notebook, where an event loop runs already. Raises as ``run`` does.
    """
    reporter = progress_reporter(options.get("progress"))
    redact = RedactOptions(mode=options.get("redact"))

    judges = options.get("judges", ())

    def perform_each() -> list[tuple[PreparedRun, FinishedRun, list[str]]]:
        with redacting(shared.find_workspace(), redact, _path(options.get("config"))):
            runs = prepare()
            try:
                ended = []
                for prepared in each_prepared(runs, shared):
                    result = perform(prepared, runs.settings, shared, reporter=reporter)
                    result, judged = _judged(prepared.journal, result, judges, shared)
                    ended.append((prepared, result, judged))
                    if result.stopped is not None:
                        break
                return ended
            finally:
                runs.close()

    before = redactor()
    try:
        ended = outside_loop(perform_each, always=is_interactive())
    finally:
        # a command ends with an unforeseen error, and stays masked until then; a program goes on
        set_redactor(before)
    for _, result, _ in ended:
        _raise_stop(result.stopped)
    return [_finished(*each, shared) for each in ended]


def _judged(
    journal: Path, result: FinishedRun, judges: Sequence[str], options: RunOptions
) -> tuple[FinishedRun, list[str]]:
    """The result after judges were asked about its answers, and what there is to say about them."""
    notes = []
    for name in judges if result.stopped is None else ():
        # imported here because judges take longer to import than many runs take
        from assay.library.judging import judge_run  # noqa: PLC0415

        judged = judge_run(journal, name, options)
        result = replace(result, stopped=judged.stopped)
        if judged.judged < judged.answers:
            notes.append(
                say(
                    "{name}: {judged} of {answers} answers are judged; {problem}",
                    name=name,
                    judged=judged.judged,
                    answers=judged.answers,
                    problem=judged.stopped or judged.problem,
                )
            )
        if result.stopped is not None:
            break
    return result, notes


def _raise_stop(stopped: RunStopped | None) -> None:
    """Raise why a run stopped, unless it is a limit that the caller has set."""
    if stopped is None or isinstance(stopped, CeilingReached):
        return
    if isinstance(stopped, Interrupted) and stopped.exit_code == Interrupted.exit_code:
        raise KeyboardInterrupt from stopped
    stopped.add_note("What was answered is recorded; the same call goes on.")
    raise stopped


def _finished(
    prepared: PreparedRun, result: FinishedRun, judged: Sequence[str], options: RunOptions
) -> Run:
    notes = [*(text_of(noted(note), language()) for note in prepared.notes()), *judged]
    notes += scorer_notes(prepared.journal, result.summary, prepared.scorers)
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
