"""Check a text and one of its experiments, with the checks and messages of the command line.

It runs in a process of its own (``python -m assay.web.configure``): systems are the user's code,
which the server must neither import nor wait for.
"""

import asyncio
import re
import shlex
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from msgspec import UNSET, Struct
from msgspec.structs import replace

from assay.config.document import ConfigDocument, ExperimentFile, parse_document
from assay.config.experiment import Experiment
from assay.config.workspace import Workspace
from assay.data.question import CorpusQuestion, read_questions
from assay.errors import AssayError, UseError
from assay.jobs.answers.preparation import AblationOptions, prepare_experiment
from assay.jobs.estimate import estimate_lines
from assay.jobs.experiment import ExperimentChoice, lay_out_variants, primary_metric
from assay.jobs.prepared import repeated_run
from assay.records import Question
from assay.redact.error_text import masked_error
from assay.report.label import title_of
from assay.results.job import job_spec
from assay.systems.load import SYSTEMS, load_system, make_system_context
from assay.systems.protocol import Setting, System
from assay.text.language import language
from assay.web.configure.api import (
    Checked,
    CheckRequest,
    ConfigureProblem,
    Draft,
    DraftVariable,
    DryRun,
    MetricChoice,
    QuestionSet,
    SettingView,
    Tried,
    TryRequest,
)
from assay.web.configure.edit import (
    question_files,
    read_file,
    refuse_code,
    restored,
    with_draft,
    with_system,
)
from assay.web.configure.hidden import HiddenSecrets

JOB: Final = "ablation"
MOST_PREVIEWED: Final = 5
_NEEDS_REST: Final = frozenset(
    {"python", "command", "replay", "openai", "http", "https", "reader", "reviewer"}
)
_PLACE: Final = re.compile(r"^.*?:(\d+): ")


def check(root: Path, request: CheckRequest) -> Checked:
    """Write the form into the text, if there is one, and say everything about the result."""
    workspace = Workspace(root=root)
    hidden = HiddenSecrets(read_file(workspace).text)
    workspace.know_secrets()
    checked = _checked(root, request)
    checked = replace(checked, text=hidden.hide(checked.text))
    problems = tuple(
        replace(problem, message=problem.message.replace(f"{root}/", "").replace(str(root), "."))
        for problem in checked.problems
    )
    return replace(checked, problems=problems, question_files=tuple(question_files(root)))


def _checked(root: Path, request: CheckRequest) -> Checked:
    workspace = Workspace(root=root)
    text, name, problems = request.text, request.experiment, list[ConfigureProblem]()
    try:
        text = restored(workspace, text)
        if request.system is not None:
            text = with_system(text, request.system)
        if request.draft is not None:
            text = with_draft(text, name, request.draft)
            name = request.draft.name
    except AssayError as error:
        problems.append(ConfigureProblem(field="text", message=str(error)))
    path = workspace.experiments_file
    try:
        document = parse_document(text, ExperimentFile, path)
        refuse_code(document.value, read_file(workspace).text, path)
    except AssayError as error:
        problems += _problems(error, "text")
        return _nothing(text, name, request.draft, problems)
    names = [experiment.name for experiment in document.value.experiments]
    if name not in names:
        name = names[0] if names and not name else name
    if name not in names:
        return _described(text, name, document, request.draft, _Study(problems))
    choice = ExperimentChoice(document=document, number=names.index(name))
    study = _Study(problems)
    study.look(choice, workspace)
    return _described(text, name, document, draft_of(choice.experiment), study)


def try_question(root: Path, request: TryRequest) -> Tried:
    """Ask a system of the text one question."""
    workspace = Workspace(root=root)
    path = workspace.experiments_file
    workspace.know_secrets()
    try:
        document = parse_document(restored(workspace, request.text), ExperimentFile, path)
        refuse_code(document.value, read_file(workspace).text, path)
        if request.system not in document.value.systems:
            raise UseError(f"no system {request.system!r} under systems")
        context = make_system_context(workspace, document, use_cache=False)
        system = load_system(request.system, context)
        began = time.monotonic()
        answer = asyncio.run(_asked(system, request.question))
    except AssayError as error:
        return Tried(answer=None, problem=masked_error(str(error)))
    return Tried(answer=answer, problem=None, elapsed_s=round(time.monotonic() - began, 3))


async def _asked(system: System, question: str) -> str:
    try:
        return (await system.ask(Question(id="test", text=question), {}, 10)).text
    finally:
        await system.close()


class _Study:
    """What is found out about an experiment, step by step; a step that fails leaves a problem."""

    def __init__(self, problems: list[ConfigureProblem]) -> None:
        self.problems = problems
        self.settings: tuple[SettingView, ...] | None = None
        self.questions: QuestionSet | None = None
        self.dry_run: DryRun | None = None

    def look(self, choice: ExperimentChoice, workspace: Workspace) -> None:
        """The steps of ``assay ablate --dry-run``, each with the field that it is about."""
        file, experiment = choice.document.value, choice.experiment
        lines = _fields_by_line(choice)
        before = len(self.problems)
        self._try(lines, "questions_path", lambda: self._read_questions(choice, workspace))
        self._try(lines, "primary", lambda: primary_metric(JOB, choice, None))
        context = make_system_context(workspace, choice.document, use_cache=False)
        try:
            spec = experiment.system or file.defaults.asked_system
            system = self._try(lines, "system", lambda: load_system(spec, context))
            if system is None:
                return
            try:
                declared = system.settings
                self.settings = None if declared is None else tuple(_settings(declared))
                self._try(
                    lines,
                    "variables",
                    lambda: lay_out_variants(choice.document, choice.number, system),
                )
            finally:
                asyncio.run(system.close())
            if len(self.problems) == before:
                self._try(lines, "text", lambda: self._estimate(choice, workspace, context))
        finally:
            context.close()

    def _try(self, lines: Mapping[int, str], field: str, work: Any) -> Any:
        try:
            return work()
        except AssayError as error:
            self.problems += _problems(error, field, lines)
        except Exception as error:  # noqa: BLE001 - a system is code of the user
            message = masked_error(f"{type(error).__name__}: {error}")
            self.problems.append(ConfigureProblem(field=field, message=message))
        return None

    def _read_questions(self, choice: ExperimentChoice, workspace: Workspace) -> None:
        file = choice.document.value
        configured = choice.experiment.questions_path or file.defaults.questions_path
        if configured is None:
            raise UseError("no questions: choose a file")
        questions = read_questions(workspace.resolve(configured, choice.where))
        self.questions = _question_set(configured, questions)

    def _estimate(self, choice: ExperimentChoice, workspace: Workspace, context: Any) -> None:
        prepared = prepare_experiment(choice, workspace, context, AblationOptions())
        try:
            run = repeated_run(prepared)
            found = run.estimate(choice.document.value.defaults.run.concurrency, fresh=False)
            self.dry_run = DryRun(
                cases=found.cases,
                recorded=found.recorded,
                calls=found.calls,
                calls_without_sharing=found.calls_without_sharing,
                prompt_tokens=found.prompt_tokens,
                completion_tokens=found.completion_tokens,
                cost=found.cost,
                seconds=found.seconds,
                variants=tuple(variant.name for variant in run.header.variants),
                lines=tuple(estimate_lines(found)),
                is_time_of_earlier_runs=found.is_time_of_earlier_runs,
            )
            run.refuse()
        finally:
            asyncio.run(prepared.handler.close())


def draft_of(experiment: Experiment) -> Draft:
    """An experiment as a form."""
    variables: list[DraftVariable] = []
    if experiment.design != "single":
        components = experiment.components
        pairs = (
            components.items()
            if isinstance(components, dict)
            else [(name, ()) for name in components]
        )
        variables = [DraftVariable(name=name, values=tuple(values)) for name, values in pairs]
    elif isinstance(experiment.ablation_variable, str):
        variables = [
            DraftVariable(name=experiment.ablation_variable, values=tuple(experiment.values))
        ]
    elif experiment.ablation_variable:
        variables = [DraftVariable(name=name) for name in experiment.ablation_variable]
    return Draft(
        name=experiment.name,
        description=experiment.description,
        system=experiment.system or "",
        questions_path=experiment.questions_path or "",
        baseline=experiment.baseline,
        design=experiment.design,
        variables=tuple(variables),
        primary=experiment.primary or "",
        question_limit=experiment.question_limit,
        top_k=experiment.top_k,
        has_variants=bool(experiment.variants) or isinstance(experiment.ablation_variable, list),
    )


def _described(
    text: str,
    name: str,
    document: ConfigDocument[ExperimentFile],
    draft: Draft | None,
    study: _Study,
) -> Checked:
    file = document.value
    own = [word for word in SYSTEMS.names() if word not in _NEEDS_REST]
    spec = job_spec(JOB)
    return Checked(
        text=text,
        experiment=name,
        experiments=tuple(experiment.name for experiment in file.experiments),
        draft=draft,
        problems=tuple(study.problems),
        systems=tuple(dict.fromkeys([*file.systems, *own, *_named(file)])),
        baselines=tuple(dict.fromkeys(["normal", "fast", *file.baselines])),
        settings=study.settings,
        metrics=tuple(
            MetricChoice(
                name=metric.name,
                title=title_of(metric),
            )
            for metric in spec.metrics
            if not metric.is_percentile
        ),
        question_files=(),
        questions=study.questions,
        dry_run=study.dry_run,
        command=shlex.join(["assay", "ablate", "--experiment", name]) if name else "",
    )


def _named(file: ExperimentFile) -> Iterator[str]:
    """Systems that the file names by a word and a rest, such as ``openai:MODEL``."""
    yield file.defaults.asked_system
    for experiment in file.experiments:
        if experiment.system:
            yield experiment.system


def _nothing(
    text: str, name: str, draft: Draft | None, problems: list[ConfigureProblem]
) -> Checked:
    """What is said about a text that cannot be read: its problems."""
    empty = parse_document("experiments: []", ExperimentFile, Path("experiments.yaml"))
    return _described(text, name, empty, draft, _Study(problems))


def _question_set(path: str, questions: list[CorpusQuestion]) -> QuestionSet:
    languages = Counter(language(question.text) for question in questions)
    return QuestionSet(
        path=path,
        count=len(questions),
        languages=tuple(languages.most_common()),
        preview=tuple((each.id, each.text[:300]) for each in questions[:MOST_PREVIEWED]),
    )


def _settings(declared: Mapping[str, Setting]) -> Iterator[SettingView]:
    for name, setting in declared.items():
        start = setting.default if setting.default is not UNSET else setting.initial
        yield SettingView(
            name=name,
            kind="" if setting.kind is None else setting.kind.__name__,
            choices=tuple(setting.choices),
            default=None if start is UNSET else start,
            only_when=", ".join(
                f"{other}: {_plain(value)}" for other, value in setting.only_when.items()
            ),
            description=setting.description,
        )


def _plain(value: Any) -> str:
    return (
        {True: "true", False: "false"}.get(value, str(value))
        if isinstance(value, bool)
        else str(value)
    )


def _fields_by_line(choice: ExperimentChoice) -> dict[int, str]:
    """The field of the form that each line of the experiment belongs to."""
    fields: dict[int, str] = {}
    start = ("experiments", choice.number)
    for at, line in sorted(choice.document.lines.items(), key=lambda pair: len(pair[0])):
        if at[:2] == start and len(at) > 2:
            key = str(at[2])
            group = {"ablation_variable", "values", "components", "variants"}
            fields[line] = "variables" if key in group else key
    return fields


def _problems(
    error: AssayError, field: str, lines: Mapping[int, str] | None = None
) -> list[ConfigureProblem]:
    found = []
    for message in error.lines:
        place = _PLACE.match(message)
        line = int(place[1]) if place and "experiments.yaml" in message[: place.end()] else 0
        named = (lines or {}).get(line, field)
        if named == "name":  # the first line stands for the whole experiment
            named = field
        found.append(ConfigureProblem(field=named, message=message, line=line))
    return found


class WorkRequest(Struct, frozen=True, kw_only=True):
    """What the process is asked on its standard input."""

    root: str
    check: CheckRequest | None = None
    question: TryRequest | None = None
