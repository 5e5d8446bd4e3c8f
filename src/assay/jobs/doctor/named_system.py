"""Checking the system that ``assay doctor --system`` names, with what the workspace has for it."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final

from msgspec.structs import replace

from assay.config import Document, ExperimentFile, Workspace
from assay.data.question import QuestionWithRow, read_further_fields, read_questions
from assay.errors import AssayError
from assay.jobs.doctor.checkup import check_system
from assay.jobs.doctor.finding import Finding
from assay.jobs.doctor.leak import Pair
from assay.jobs.experiment import lay_out_variants
from assay.jobs.setup import load_configuration, make_system_context
from assay.systems import System

OWN_QUESTION: Final = "What does the document say?"


def check_named_system(
    spec: str, workspace: Workspace, timeout_s: float, text: str | None = None
) -> Iterator[Finding]:
    """Load the system, ask it, and look for leaks. ``text`` is the question that the user gives.

    A configuration that cannot be read is a fault only if the system is defined in it.
    """
    document: Document[ExperimentFile] | None = None
    with suppress(AssayError):  # the checks of the workspace say what is wrong with it
        document = load_configuration(workspace)
    try:
        context = make_system_context(workspace, document, use_cache=False)
    except AssayError as error:  # an .env that cannot be read
        yield Finding(ok=False, what=str(error))
        return
    question = _first_question(workspace, document) or QuestionWithRow(
        id="doctor", text=OWN_QUESTION
    )
    if text is not None:
        question = replace(question, text=text)
    try:
        yield from check_system(
            spec,
            question,
            timeout_s,
            context,
            pairs=lambda system: _experiment_pairs(spec, document, system),
        )
    finally:
        context.close()


def _first_question(
    workspace: Workspace, document: Document[ExperimentFile] | None
) -> QuestionWithRow | None:
    """The first question of the workspace with its row; None if there is none to be read."""
    configured = document.value.defaults.questions_path if document is not None else None
    if configured is None:
        return None
    try:
        path = workspace.resolve(configured, "questions_path")
        first = read_questions(path)[0]
        row = read_further_fields(path)[first.id]
    except AssayError:
        return None
    return QuestionWithRow(id=first.id, text=first.text, source=first.source, row=row)


def _experiment_pairs(
    spec: str, document: Document[ExperimentFile] | None, system: System
) -> Sequence[Pair]:
    """The first two variants of each experiment that asks this system."""
    pairs = []
    for number, experiment in enumerate(document.value.experiments if document else ()):
        assert document is not None
        asks = experiment.system or document.value.defaults.system
        if spec == asks or system.settings:
            with suppress(AssayError):  # an experiment for another system
                first, second, *_ = lay_out_variants(document, number, system).variants
                pairs.append((first.settings, second.settings))
    return pairs
