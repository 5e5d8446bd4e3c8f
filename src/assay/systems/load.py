"""From a word on the command line to a system: a name in the configuration, or ``kind:rest``."""

import shlex
from collections.abc import Callable, Mapping
from pathlib import Path

from assay.config import (
    CommandConfig,
    HttpConfig,
    OpenAIConfig,
    PythonConfig,
    ReferenceConfig,
    ReplayConfig,
    ReviewerConfig,
    SystemConfig,
    nearest,
)
from assay.errors import SystemLoadError
from assay.systems.command import CommandSystem
from assay.systems.context import SystemContext, model_client
from assay.systems.http import HttpSystem
from assay.systems.openai import OpenAISystem
from assay.systems.protocol import System
from assay.systems.python import load_python
from assay.systems.replay import ReplaySystem


def load_system(spec: str, surroundings: SystemContext | None = None) -> System:
    """The system that ``spec`` names: an entry under ``systems``, or ``kind:rest``.

    Kinds: ``reference`` (the pipeline that comes with assay, over the workspace's corpus),
    ``reviewer`` (the reviewer of contracts that comes with assay, with its sample rules),
    ``reader:WINDOW`` (the offline reader of ``assay depth``),
    ``python:package.module:callable``, ``openai:MODEL``, ``http://…`` (posts
    ``{"question": …}``), ``command:PROGRAM ARGUMENTS``, ``replay:RESULTS.jsonl``.
    """
    around = surroundings or SystemContext(Path())
    if spec in around.systems:
        return _configured(spec, around.systems[spec], around)
    kind, _, rest = spec.partition(":")
    if kind in {"http", "https"}:
        return HttpSystem(HttpConfig(url=spec), around.environment)
    if kind not in _LOADERS:
        known = [*around.systems, "reference", *(f"{one}:…" for one in (*_LOADERS, "http"))]
        raise SystemLoadError(f"there is no system {spec!r}{nearest(spec, known)}")
    return _LOADERS[kind](rest, around)


def _configured(name: str, config: SystemConfig, around: SystemContext) -> System:
    match config:
        case ReferenceConfig():
            return _reference(config, around)
        case ReviewerConfig():
            return _reviewer(config, around)
        case PythonConfig(target=target):
            return load_python(target)
        case ReplayConfig(path=path):
            return ReplaySystem(around.path(path, f"system {name!r}"))
        case OpenAIConfig(model=model, system_prompt=prompt):
            return OpenAISystem(model_client(model, around), system_prompt=prompt)
        case HttpConfig():
            return HttpSystem(config, around.environment, name=name)
        case CommandConfig():
            return CommandSystem(config, around.environment, name=name)


def _reference(config: ReferenceConfig, around: SystemContext) -> System:
    # NumPy takes 0.1 s to import, and only this system needs it
    from assay.systems.reference import load_reference  # noqa: PLC0415

    return load_reference(config, around)


def _reviewer(config: ReviewerConfig, around: SystemContext) -> System:
    # its rules and word lists are compiled at import, and only this system needs them
    from assay.systems.reviewer import load_reviewer  # noqa: PLC0415

    return load_reviewer(config, around)


def _reader(rest: str, _: SystemContext) -> System:
    # its tokenizer's vocabulary takes a moment to load, and only this system needs it
    from assay.systems.windowed_reader import load_windowed_reader  # noqa: PLC0415

    return load_windowed_reader(rest)


def _load_command(rest: str, around: SystemContext) -> System:
    try:
        words = shlex.split(rest)
    except ValueError as error:
        raise SystemLoadError(f"command:{rest}: {error}; close the quotation") from None
    if not words:
        raise SystemLoadError("write it as command:PROGRAM ARGUMENTS")
    return CommandSystem(CommandConfig(command=words), around.environment)


_LOADERS: Mapping[str, Callable[[str, SystemContext], System]] = {
    "reference": lambda _, around: _reference(ReferenceConfig(), around),
    "reviewer": lambda _, around: _reviewer(ReviewerConfig(), around),
    "reader": _reader,
    "python": lambda rest, _: load_python(rest),
    "replay": lambda rest, _: ReplaySystem(Path(rest)),
    "openai": lambda rest, around: OpenAISystem(model_client(rest, around)),
    "command": _load_command,
}
