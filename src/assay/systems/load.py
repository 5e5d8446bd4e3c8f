"""Loading a system from its specification: a name in the configuration, or ``kind:rest``."""

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


def load_system(spec: str, context: SystemContext | None = None) -> System:
    """Load the system that ``spec`` names: an entry under ``systems``, or ``kind:rest``.

    The kinds are

    - ``reference``: the RAG pipeline that comes with assay, over the workspace's corpus;
    - ``reviewer``: the contract reviewer that comes with assay, with its sample rules;
    - ``reader:WINDOW``: the offline reader of ``assay depth``;
    - ``python:package.module:callable``;
    - ``openai:MODEL``;
    - ``http://…`` or ``https://…``: posts ``{"question": …}`` to the address;
    - ``command:PROGRAM ARGUMENTS``;
    - ``replay:RESULTS.jsonl``.

    Raises ``SystemLoadError`` if there is no such system or it cannot be loaded.
    """
    context = context or SystemContext(Path())
    if spec in context.systems:
        return _load_configured(spec, context.systems[spec], context)
    kind, _, rest = spec.partition(":")
    if kind in {"http", "https"}:
        return HttpSystem(HttpConfig(url=spec), context.environment)
    if kind not in _LOADERS:
        kinds = [f"{name}:…" for name in (*_LOADERS, "http")]
        known = [*context.systems, "reference", *kinds]
        raise SystemLoadError(f"there is no system {spec!r}{nearest(spec, known)}")
    return _LOADERS[kind](rest, context)


def _load_configured(name: str, config: SystemConfig, context: SystemContext) -> System:
    match config:
        case ReferenceConfig():
            return _load_reference(config, context)
        case ReviewerConfig():
            return _load_reviewer(config, context)
        case PythonConfig(target=target):
            return load_python(target)
        case ReplayConfig(path=path):
            return ReplaySystem(context.path(path, f"system {name!r}"))
        case OpenAIConfig(model=model, system_prompt=prompt):
            return OpenAISystem(model_client(model, context), system_prompt=prompt)
        case HttpConfig():
            return HttpSystem(config, context.environment, name=name)
        case CommandConfig():
            return CommandSystem(config, context.environment, name=name)


def _load_reference(config: ReferenceConfig, context: SystemContext) -> System:
    # imported here because NumPy takes 0.1 s to import and only this system needs it
    from assay.systems.reference import load_reference  # noqa: PLC0415

    return load_reference(config, context)


def _load_reviewer(config: ReviewerConfig, context: SystemContext) -> System:
    # imported here because its word lists are compiled at import and only this system needs them
    from assay.systems.reviewer import load_reviewer  # noqa: PLC0415

    return load_reviewer(config, context)


def _load_reader(rest: str, _: SystemContext) -> System:
    # imported here because the tokenizer is slow to load and only this system needs it
    from assay.systems.windowed_reader import load_windowed_reader  # noqa: PLC0415

    return load_windowed_reader(rest)


def _load_command(rest: str, context: SystemContext) -> System:
    try:
        words = shlex.split(rest)
    except ValueError as error:
        raise SystemLoadError(f"command:{rest}: {error}; close the quotation mark") from None
    if not words:
        raise SystemLoadError("write it as command:PROGRAM ARGUMENTS")
    return CommandSystem(CommandConfig(command=words), context.environment)


_LOADERS: Mapping[str, Callable[[str, SystemContext], System]] = {
    "reference": lambda _, context: _load_reference(ReferenceConfig(), context),
    "reviewer": lambda _, context: _load_reviewer(ReviewerConfig(), context),
    "reader": _load_reader,
    "python": lambda rest, _: load_python(rest),
    "replay": lambda rest, _: ReplaySystem(Path(rest)),
    "openai": lambda rest, context: OpenAISystem(model_client(rest, context)),
    "command": _load_command,
}
