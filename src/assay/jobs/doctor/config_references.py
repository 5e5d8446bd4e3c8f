"""Checking that the names used in a configuration refer to something that exists."""

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct

from assay.config.document import ConfigDocument, ExperimentFile
from assay.config.system import HttpConfig, ModelConfig, OpenAIConfig, ReferenceConfig
from assay.config.workspace import Workspace
from assay.errors import AssayError
from assay.jobs.doctor.leak import CheckResult
from assay.models.address import key_problem
from assay.models.secret import Environment
from assay.registry import EXTRAS, install_command, missing_distributions, nearest
from assay.systems.load import KNOWN_PROVIDERS
from assay.words.say import say

BASELINES: Final = ("fast", "normal")
_SYSTEMS: Final = ("reference", "python:…", "openai:…", "http:…", "command:…", "replay:…")
_EMBEDDERS: Final = ("hashed", "e5", "openai:…", "onnx:…", "sentence-transformers:…")
_GENERATORS: Final = ("extractive", "openai:…")
_FOLDERS: Final = ("onnx", "sentence-transformers")
_VARIABLE: Final = re.compile(r"\$\{([A-Za-z_]\w*)\}")


class Reference(Struct, frozen=True, kw_only=True):
    """A name used in the configuration, and where it is used (``file:line: key``)."""

    name: str
    where: str


def check_references(
    document: ConfigDocument[ExperimentFile], workspace: Workspace, environment: Environment
) -> Iterator[CheckResult]:
    """Check the names of experiments, systems, models, embedders and generators, and keys."""
    file = document.value
    yield from _check_experiment_names(document)
    yield from _check_baselines(document)
    used: set[str] = set()
    needed_models: list[Reference] = []
    for reference in used_systems(document):
        used.add(reference.name)
        yield from _check_known(reference, "system", file.systems, _SYSTEMS)
        needed_models += _model_references(reference)
    other_models: list[Reference] = []
    for name, config in file.systems.items():
        where = _location(document, "systems", name)
        models = needed_models if name in used else other_models
        if isinstance(config, OpenAIConfig):
            models.append(Reference(name=config.model, where=f"{where}: model"))
        elif isinstance(config, ReferenceConfig):
            yield from _check_reference_system(config, where, workspace)
            for part in (config.embedder, config.generator):
                models += _model_references(Reference(name=part, where=where))
    for reference in (*needed_models, *other_models):
        yield from _check_model(reference, file.models, environment)
    needed = used | {reference.name for reference in needed_models}
    yield from _check_variables(file, needed, environment)


def used_systems(document: ConfigDocument[ExperimentFile]) -> list[Reference]:
    """The default system, and the systems of single experiments."""
    file = document.value
    where = _location(document, "defaults", "system")
    used = [Reference(name=file.defaults.asked_system, where=where)]
    for number, experiment in enumerate(file.experiments):
        if experiment.system is not None:
            where = _location(document, "experiments", number, "system")
            used.append(Reference(name=experiment.system, where=where))
    return used


def _location(document: ConfigDocument[ExperimentFile], *path: str | int) -> str:
    names = [str(step) for step in path if isinstance(step, str)]
    return f"{document.where(*path)}: {'.'.join(names)}"


def _check_experiment_names(document: ConfigDocument[ExperimentFile]) -> Iterator[CheckResult]:
    first: dict[str, int] = {}
    for number, experiment in enumerate(document.value.experiments):
        if (before := first.setdefault(experiment.name, number)) != number:
            line = document.where("experiments", before, "name").rpartition(":")[2]
            where = document.where("experiments", number, "name")
            yield CheckResult(
                ok=False,
                what=f"{where}: the name {experiment.name!r} is already used on line {line}, and "
                "both would write to the same file; rename one of them",
            )


def _check_baselines(document: ConfigDocument[ExperimentFile]) -> Iterator[CheckResult]:
    known = (*BASELINES, *document.value.baselines)
    for number, experiment in enumerate(document.value.experiments):
        if experiment.baseline not in known:
            where = document.where("experiments", number, "baseline")
            hint = nearest(experiment.baseline, known)
            yield CheckResult(
                ok=False, what=f"{where}: there is no baseline {experiment.baseline!r}{hint}"
            )


def _check_known(
    reference: Reference, kind: str, entries: Iterable[str], built_in: tuple[str, ...]
) -> Iterator[CheckResult]:
    """Report a fault if the name is neither an entry nor begins like a built-in form."""
    known = [*entries, *built_in]
    head = reference.name.partition(":")[0]
    heads = [form.partition(":")[0] for form in built_in]
    if kind == "system":
        heads.append("https")
    if reference.name not in known and head not in heads:
        hint = nearest(reference.name, known)
        yield CheckResult(
            ok=False, what=f"{reference.where}: there is no {kind} {reference.name!r}{hint}"
        )


def _check_reference_system(
    config: ReferenceConfig, where: str, workspace: Workspace
) -> Iterator[CheckResult]:
    embedder = Reference(name=config.embedder, where=where)
    yield from _check_known(embedder, "embedder", (), _EMBEDDERS)
    yield from _check_known(
        Reference(name=config.generator, where=where), "generator", (), _GENERATORS
    )
    kind, _, rest = config.embedder.partition(":")
    for extra in (kind, config.index):
        if extra in EXTRAS and missing_distributions(extra):
            yield CheckResult(
                ok=False,
                what=f"{where}: {extra} needs an extra; install it with {install_command(extra)}",
            )
    if kind in _FOLDERS:
        try:
            folder = workspace.resolve(rest, where)
        except AssayError as error:
            yield CheckResult(ok=False, what=str(error))
        else:
            if not folder.is_dir():
                yield CheckResult(ok=False, what=f"{where}: embedder: there is no folder {folder}")


def _model_references(reference: Reference) -> list[Reference]:
    kind, _, rest = reference.name.partition(":")
    return [Reference(name=rest, where=reference.where)] if kind == "openai" else []


def _check_model(
    reference: Reference, models: Mapping[str, ModelConfig], environment: Environment
) -> Iterator[CheckResult]:
    if reference.name in models:
        return
    provider = next((url for key, url in KNOWN_PROVIDERS if environment.get(key)), None)
    hint = nearest(reference.name, models)
    problem = f"{reference.where}: there is no {reference.name!r} under 'models'{hint}"
    if provider is None:
        keys = " or ".join(key for key, _ in KNOWN_PROVIDERS)
        yield CheckResult(ok=False, what=f"{problem}; configure it, or set {keys}")
    else:
        fields = {"where": reference.where, "name": reference.name, "hint": hint, "url": provider}
        yield CheckResult(
            ok=None,
            what=say(
                "{where}: there is no {name!r} under 'models'{hint}; the model of that name at {url} is used",
                **fields,
            ),
        )


def _check_variables(
    file: ExperimentFile, needed: Container[str], environment: Environment
) -> Iterator[CheckResult]:
    """Report which variables are used and whether they are set, but never their values.

    A variable that is not set is a fault if a model or system in ``needed`` uses it, and
    otherwise a note.
    """
    users: dict[str, list[str]] = {}
    for name, model in file.models.items():
        if problem := key_problem(model):
            yield CheckResult(ok=False if name in needed else None, what=problem)
        key = [model.key_variable] if model.key_variable else []
        for variable in (*key, *_variables_in(model.headers.values())):
            users.setdefault(variable, []).append(name)
    for name, system in file.systems.items():
        if isinstance(system, HttpConfig):
            for variable in _variables_in([system.url, *system.headers.values()]):
                users.setdefault(variable, []).append(name)
    for variable, names in users.items():
        user_names = ", ".join(dict.fromkeys(names))
        if environment.get(variable):
            yield CheckResult(
                ok=True,
                what=say("{variable} is set, for {names}", variable=variable, names=user_names),
            )
        else:
            is_needed = any(name in needed for name in names)
            what = say(
                "{variable} is not set, but {names} needs it; set it in the environment or in .env",
                variable=variable,
                names=user_names,
            )
            yield CheckResult(ok=False if is_needed else None, what=what)


def _variables_in(texts: Iterable[str]) -> list[str]:
    return [match[1] for text in texts for match in _VARIABLE.finditer(text)]
