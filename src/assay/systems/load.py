"""Loading a system from its specification: a name in the configuration, or ``word:rest``.

Assay's own words stand in the table ``SYSTEMS``. Another package adds one by an entry point of
the group ``assay.systems`` that names a ``SystemFactory``.
"""

import os
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeAlias

import msgspec

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
from assay.errors import AssayError, SystemLoadError, UseError
from assay.models import variables_in
from assay.registry import Registry, error_line, load_object
from assay.systems.command import CommandSystem
from assay.systems.context import SystemContext, model_client
from assay.systems.http import HttpSystem
from assay.systems.openai import OpenAISystem
from assay.systems.protocol import System
from assay.systems.python import load_python
from assay.systems.replay import ReplaySystem

SystemFactory: TypeAlias = Callable[[str, SystemContext], System]
"""Creates the system for ``word:rest`` on the command line; it gets the rest and the context."""

CALLERS: Final = (HttpSystem, OpenAISystem, ReplaySystem)
"""Systems that compute nothing here: they are asked by the driver even if there are workers."""
_REPLACED: Final = frozenset({"url", "body", "headers", "prepare", "env"})
"""The fields of a system in which a variable is replaced by its value."""
_PROTOCOL: Final = ("identity", "settings", "max_concurrency", "ask", "close")


def load_system(spec: str, context: SystemContext | None = None) -> System:
    """Load the system that ``spec`` names (see ``load_here``).

    If the context has a cluster, its copies answer there, unless the system only calls a server.
    """
    context = context or SystemContext(Path())
    system = load_here(spec, context)
    if context.cluster is None or isinstance(system, CALLERS):
        return system
    # imported only for --on ray
    on_workers: Callable[..., System] = load_object("assay.systems.cluster:on_workers")
    return on_workers(system, context, "assay.systems.load:load_here", spec)


def load_here(spec: str, context: SystemContext) -> System:
    """Load the system that ``spec`` names: an entry under ``systems``, or ``word:rest``.

    The words are

    - ``reference``: the RAG pipeline that comes with assay, over the workspace's corpus;
    - ``reviewer``: the contract reviewer that comes with assay; rules and laws are configured;
    - ``reader:WINDOW``: the offline reader of ``assay depth``;
    - ``python:package.module:callable``;
    - ``openai:MODEL``;
    - ``http://…`` or ``https://…``: posts ``{"question": …}`` to the address;
    - ``command:PROGRAM ARGUMENTS``;
    - ``replay:RESULTS.jsonl``, or ``replay:TABLE.csv#COLUMN``;
    - and those that other packages register.

    Raises ``SystemLoadError`` if there is no such system or it cannot be loaded.
    """
    config = context.systems.get(spec)
    try:
        return _load(spec, context) if config is None else _load_configured(spec, config, context)
    except UseError as error:
        error.args = (*error.args[:-1], f"{error.args[-1]}{_unreplaced(config or spec)}")
        raise


def _unreplaced(config: SystemConfig | str) -> str:
    """That the variables which a system names are not replaced where they stand; often empty."""
    fields = {"spec": config} if isinstance(config, str) else msgspec.to_builtins(config)
    texts = [str(value) for name, value in fields.items() if name not in _REPLACED]
    names = dict.fromkeys(name for text in texts for name in variables_in(text))
    if not names or (isinstance(config, str) and config.startswith(("http:", "https:"))):
        return ""
    listed = ", ".join(f"${{{name}}}" for name in names)
    return f"; {listed} is not replaced here, only in url, body, headers and env of a system"


def _load(spec: str, context: SystemContext) -> System:
    """Load the system that is written as ``word:rest``."""
    word, _, rest = spec.partition(":")
    if word not in SYSTEMS.names():
        if os.path.isfile(spec):  # noqa: PTH113 - a name that is too long is no file
            raise SystemLoadError(
                f"there is no system {spec!r}; for the recorded answers in this file write replay:{spec}"
            )
        raise SystemLoadError(f"there is no system {spec!r}{_suggestion(spec, context)}")
    factory, package = SYSTEMS.get(word), SYSTEMS.package_of(word)
    if not package:
        return factory(rest, context)
    return _load_registered(
        f"the system {word!r} of the package {package!r}", factory, rest, context
    )


def _suggestion(spec: str, context: SystemContext) -> str:
    """The name that was probably meant, or all names. Only the word before a colon counts."""
    words = [word for word in SYSTEMS.names() if word != "https"]
    known = [*context.systems, "reference", *(f"{word}:…" for word in words)]
    word, colon, _ = spec.partition(":")
    return nearest(f"{word}:…" if colon else spec, known)


def _load_registered(
    label: str, factory: SystemFactory, rest: str, context: SystemContext
) -> System:
    """Create a system with the factory of another package; any fault of it is one line."""
    try:
        system = factory(rest, context)
    except AssayError:
        raise
    except (Exception, SystemExit) as error:
        raise SystemLoadError(f"{label} cannot be created: {error_line(error)}") from error
    missing = [name for name in _PROTOCOL if not hasattr(system, name)]
    if missing:
        raise SystemLoadError(
            f"{label} is a {type(system).__name__} without {', '.join(missing)} "
            "(see assay.systems.System)"
        )
    return system


def _load_configured(name: str, config: SystemConfig, context: SystemContext) -> System:
    match config:
        case ReferenceConfig():
            return _load_reference(config, context)
        case ReviewerConfig():
            return _load_reviewer(config, context)
        case PythonConfig():
            return load_python(
                config.target,
                config.passages,
                max_concurrency=config.max_concurrency,
                vouched=context.concurrency,
                isolate=config.isolate,
            )
        case ReplayConfig(path=path):
            return ReplaySystem(context.path(path, f"system {name!r}"), context.columns)
        case OpenAIConfig(model=model, system_prompt=prompt):
            return OpenAISystem(model_client(model, context), system_prompt=prompt)
        case HttpConfig():
            return HttpSystem(config, context.environment, name=name)
        case CommandConfig():
            return CommandSystem(config, context.environment, name=name)


def _load_reference(config: ReferenceConfig, context: SystemContext) -> System:
    # by its path, because NumPy takes 0.1 s to import and only this system needs it
    load: Callable[..., System] = load_object("assay.systems.reference:load_reference")
    return load(config, context)


def _load_reviewer(config: ReviewerConfig, context: SystemContext) -> System:
    # by its path, because its word lists are compiled at import and only this system needs them
    load: Callable[..., System] = load_object("assay.systems.reviewer:load_reviewer")
    return load(config, context)


def _load_reader(window: str, _: SystemContext) -> System:
    # by its path, because the tokenizer is slow to load and only this system needs it
    load: Callable[..., System] = load_object("assay.systems.windowed_reader:load_windowed_reader")
    return load(window)


def _load_replay(rest: str, context: SystemContext) -> System:
    """Recorded answers; after ``#`` the column that has them, unless a file has that whole name."""
    file, mark, column = rest.rpartition("#")
    if not mark or not column or Path(rest).exists():
        return ReplaySystem(Path(rest), context.columns)
    return ReplaySystem(Path(file), {**context.columns, "response": column})


def _load_command(rest: str, context: SystemContext) -> System:
    try:
        words = shlex.split(rest)
    except ValueError as error:
        raise SystemLoadError(f"command:{rest}: {error}; close the quotation mark") from None
    if not words:
        raise SystemLoadError("write it as command:PROGRAM ARGUMENTS")
    return CommandSystem(CommandConfig(command=words), context.environment)


def _check(_: str, target: Any) -> str:
    if not callable(target):
        return f"it is a {type(target).__name__}, not a function of (rest, context)"
    return ""


SYSTEMS: Final = Registry[SystemFactory](
    "assay.systems",
    "system",
    {
        "reference": lambda _, context: _load_reference(ReferenceConfig(), context),
        "reviewer": lambda _, context: _load_reviewer(ReviewerConfig(), context),
        "reader": _load_reader,
        "python": lambda target, context: load_python(target, vouched=context.concurrency),
        "replay": _load_replay,
        "openai": lambda model, context: OpenAISystem(model_client(model, context)),
        "command": _load_command,
        "http": lambda rest, context: HttpSystem(
            HttpConfig(url=f"http:{rest}"), context.environment
        ),
        "https": lambda rest, context: HttpSystem(
            HttpConfig(url=f"https:{rest}"), context.environment
        ),
    },
    check=_check,
    error=SystemLoadError,
)
"""All words before the colon of ``--system``, with the function that creates the system."""
