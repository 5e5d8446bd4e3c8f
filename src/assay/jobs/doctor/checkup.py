"""The checks of ``assay doctor``: each finding is one line that says what to do."""

import importlib.metadata
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, Final

from msgspec.structs import replace

from assay import __version__
from assay.checks.registered import SCORERS
from assay.config.document import ConfigDocument, ExperimentFile
from assay.config.workspace import Workspace
from assay.data.question import QuestionWithRow, read_further_fields, read_questions
from assay.errors import AssayError
from assay.jobs.doctor.config_references import check_references
from assay.jobs.doctor.data_check import check_data
from assay.jobs.doctor.leak import CheckResult, LeakPair, check_leaks, setting_pairs
from assay.jobs.experiment import lay_out_variants
from assay.mask import sealed
from assay.models.secret import Environment
from assay.records import Question
from assay.registry import DISTRIBUTION, EXTRAS, Registry, install_command, missing_distributions
from assay.report.chart.bundled_font import font_note
from assay.results.job import JOBS, scorer_clash
from assay.systems.command import CommandSystem
from assay.systems.http import HttpSystem
from assay.systems.load import (
    SYSTEMS,
    SystemContext,
    load_configuration,
    load_system,
    make_system_context,
)
from assay.systems.protocol import (
    HasNotes,
    SeparatesVariants,
    System,
    TakesRow,
)
from assay.systems.python.system import PythonSystem
from assay.words.language import language
from assay.words.message import text_of
from assay.words.say import say, say_n

_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?")


def check_installation() -> Iterator[CheckResult]:
    """Check the Python version, this package, and the packages it needs."""
    version = ".".join(map(str, sys.version_info[:3]))
    versions = say("assay {own} on Python {version}", own=__version__, version=version)
    yield CheckResult(ok=sys.version_info >= (3, 11), what=versions)
    for name in _required_distributions():
        try:
            installed = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            yield CheckResult(ok=False, what=f"{name} is missing: {install_command()}")
        else:
            yield CheckResult(ok=True, what=f"{name} {installed}")


def check_extras() -> Iterator[CheckResult]:
    """Check the optional extras, and whether charts have fonts for Chinese and Russian."""
    for extra, needed in EXTRAS.items():
        if missing_distributions(extra):
            yield CheckResult(
                ok=None,
                what=say(
                    "the extra {name} is not installed; install it with {command}",
                    name=extra,
                    command=install_command(extra),
                ),
            )
        else:
            versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in needed)
            what = say("extra {name}: {versions}", name=extra, versions=versions)
            yield CheckResult(ok=True, what=what)
    note = font_note()
    yield CheckResult(
        ok=None if note else True, what=note or say("charts have fonts for zh, ru and en")
    )


def not_needed(findings: Iterable[CheckResult]) -> Iterator[CheckResult]:
    """The findings, where a fault is only a note: the system that is checked may not need it.

    Whatever the system does need is found out when it is loaded and asked.
    """
    for finding in findings:
        yield CheckResult(ok=None, what=finding.what) if finding.ok is False else finding


def check_workspace(workspace: Workspace) -> Iterator[CheckResult]:
    """Check the folder for results and, if there is one, the experiments file."""
    yield CheckResult(ok=True, what=say("workspace {folder}", folder=workspace.root))
    folder = workspace.experiments_dir
    existing = folder if folder.exists() else workspace.root
    if os.access(existing, os.W_OK):
        yield CheckResult(ok=True, what=say("results can be written to {folder}", folder=folder))
    else:
        yield CheckResult(ok=False, what=f"{existing} cannot be written to; results would be lost")
    if not workspace.experiments_file.exists():
        missing = say("there is no {file} yet", file=workspace.experiments_file)
        yield CheckResult(ok=None, what=missing)
        return
    try:
        document = workspace.load_experiments()
    except AssayError as error:
        for line in error.lines:
            yield CheckResult(ok=False, what=line)
        return
    count = say_n("{n} experiment", "{n} experiments", len(document.value.experiments))
    yield CheckResult(ok=True, what=f"{workspace.experiments_file}: {count}")
    try:
        environment = Environment(workspace.root)
    except AssayError as error:  # an .env that cannot be read
        yield CheckResult(ok=False, what=str(error))
        return
    yield from check_references(document, workspace, environment)
    yield from check_data(document, workspace)


def check_system(
    spec: str,
    question: Question,
    timeout_s: float,
    context: SystemContext,
    *,
    gold: Sequence[str] = (),
    pairs: Callable[[System], Sequence[LeakPair]] = lambda _: (),
) -> Iterator[CheckResult]:
    """Load a system and ask it one question, as a run does; foreign code is also checked for leaks.

    ``gold`` are the ids of the question's gold chunks. ``pairs`` gives pairs of settings that
    experiments use with the system.
    """
    try:
        system = load_system(spec, context)
    except AssayError as error:
        yield CheckResult(ok=False, what=str(error))
        return
    yield CheckResult(ok=True, what=say("loaded {name}", name=sealed(system.identity)))
    names = system.settings
    known = say("any") if names is None else ", ".join(sorted(names)) or say("none")
    yield CheckResult(ok=True, what=say("settings it understands: {names}", names=known))
    if isinstance(system, SeparatesVariants) and system.max_concurrency == 1:
        yield CheckResult(ok=True, what=say("it is asked one question at a time"))
    is_foreign = isinstance(system, PythonSystem | CommandSystem | HttpSystem | TakesRow)
    for note in system.notes if is_foreign and isinstance(system, HasNotes) else ():
        yield CheckResult(ok=None, what=text_of(note, language()))
    tried = setting_pairs(system, pairs(system)) if is_foreign else []
    # what runs questions is only needed here
    from assay.jobs.doctor.probe import ask_to_the_row  # noqa: PLC0415 - slow to import

    yield from ask_to_the_row(
        system,
        question,
        timeout_s,
        gold=gold,
        pairs=tried,
        leaks=(lambda ask: check_leaks(system, tried, ask)) if is_foreign else None,
    )


def _required_distributions() -> list[str]:
    """The distributions that the installed package requires, without those of extras."""
    try:
        required = importlib.metadata.requires(DISTRIBUTION) or []
    except importlib.metadata.PackageNotFoundError:
        return []
    lines = [line for line in required if "extra ==" not in line]
    return sorted({match[0] for line in lines if (match := _NAME.match(line))})


# The check of what other packages add to assay.

_REGISTRIES: Final[tuple[Registry[Any], ...]] = (JOBS, SYSTEMS, SCORERS)


def check_registrations() -> Iterator[CheckResult]:
    """Load every job, system and scorer that another package registers."""
    for registry in _REGISTRIES:
        for entry, problem in registry.checked():
            problems = [problem] if problem else []
            if registry is SCORERS and not problem:
                problems = list(_clashes(entry.name))
            for line in problems:
                yield CheckResult(ok=False, what=line)
            if not problems:
                yield CheckResult(ok=True, what=say("{name} can be used", name=entry.label))


def _clashes(scorer: str) -> Iterator[str]:
    """For each job of a scorer that has a score of its own with this name, a line."""
    jobs = SCORERS.get(scorer).jobs
    for name in JOBS.own:
        problem = scorer_clash(JOBS.get_own(name), scorer)
        if problem and (not jobs or name in jobs):
            yield problem


# Checking the system that ``assay doctor --system`` names, with what the workspace has for it.

OWN_QUESTION: Final = "What does the document say?"


def check_named_system(
    spec: str, workspace: Workspace, timeout_s: float, text: str | None = None
) -> Iterator[CheckResult]:
    """Load the system, ask it, and look for leaks. ``text`` is the question that the user gives.

    A configuration that cannot be read is a fault only if the system is defined in it.
    """
    document: ConfigDocument[ExperimentFile] | None = None
    with suppress(AssayError):  # the checks of the workspace say what is wrong with it
        document = load_configuration(workspace)
    try:
        context = make_system_context(workspace, document, use_cache=False)
    except AssayError as error:  # an .env that cannot be read
        yield CheckResult(ok=False, what=str(error))
        return
    question, gold = _first_question(workspace, document)
    if text is not None:
        question, gold = replace(question, text=text), ()
    try:
        yield from check_system(
            spec,
            question,
            timeout_s,
            context,
            gold=gold,
            pairs=lambda system: _experiment_pairs(spec, document, system),
        )
    finally:
        context.close()


def _first_question(
    workspace: Workspace, document: ConfigDocument[ExperimentFile] | None
) -> tuple[QuestionWithRow, tuple[str, ...]]:
    """The first question of the workspace with its row, and its gold; ours if it has none."""
    own = QuestionWithRow(id="doctor", text=OWN_QUESTION)
    configured = document.value.defaults.questions_path if document is not None else None
    if configured is None:
        return own, ()
    try:
        path = workspace.resolve(configured, "questions_path")
        first = read_questions(path)[0]
        row = read_further_fields(path)[first.id]
    except AssayError:
        return own, ()
    asked = QuestionWithRow(id=first.id, text=first.text, source=first.source, row=row)
    return asked, first.gold


def _experiment_pairs(
    spec: str, document: ConfigDocument[ExperimentFile] | None, system: System
) -> Sequence[LeakPair]:
    """The first two variants of each experiment that asks this system."""
    pairs = []
    for number, experiment in enumerate(document.value.experiments if document else ()):
        assert document is not None
        asks = experiment.system or document.value.defaults.asked_system
        if spec == asks or system.settings:
            with suppress(AssayError):  # an experiment for another system
                first, second, *_ = lay_out_variants(document, number, system).variants
                pairs.append((first.settings, second.settings))
    return pairs
