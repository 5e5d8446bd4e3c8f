"""From a word on the command line to a system: a name in the configuration, or ``kind:rest``."""

from collections.abc import Callable, Mapping
from pathlib import Path

from assay.config import ModelConfig, SystemConfig
from assay.config.document import nearest
from assay.config.system import (
    CommandConfig,
    HttpConfig,
    OpenAIConfig,
    PythonConfig,
    ReplayConfig,
)
from assay.errors import SystemLoadError
from assay.models.cache import CallCache
from assay.models.client import ModelClient
from assay.models.secret import Environment
from assay.systems.command import CommandSystem
from assay.systems.http import HttpSystem
from assay.systems.openai import OpenAISystem
from assay.systems.protocol import System
from assay.systems.python import load_python
from assay.systems.replay import ReplaySystem

GUESSES = (
    ("OPENROUTER_API_KEY", "https://openrouter.ai/api/v1"),
    ("OPENAI_API_KEY", "https://api.openai.com/v1"),
)
"""Where ``openai:MODEL`` is looked for when the configuration does not name the model."""


class Surroundings:
    """What a system may need besides its own word: configured models, keys, the call cache.

    The cache at ``cache_path`` is opened by the first model that needs it; ``None`` does
    without. ``close`` it when the run is over.
    """

    def __init__(
        self,
        root: Path,
        *,
        models: Mapping[str, ModelConfig] | None = None,
        systems: Mapping[str, SystemConfig] | None = None,
        cache_path: Path | None = None,
    ) -> None:
        self.root = root
        self.environment = Environment(root)
        self.models = models or {}
        self.systems = systems or {}
        self._cache_path = cache_path
        self._cache: CallCache | None = None

    def call_cache(self) -> CallCache | None:
        """The cache that all models share."""
        if self._cache is None and self._cache_path is not None:
            self._cache = CallCache(self._cache_path)
        return self._cache

    def close(self) -> None:
        """Put the last calls on disk. Safe to call twice."""
        if self._cache is not None:
            self._cache.close()
            self._cache = None


def load_system(spec: str, surroundings: Surroundings | None = None) -> System:
    """The system that ``spec`` names: an entry under ``systems``, or ``kind:rest``.

    Kinds: ``python:package.module:callable``, ``openai:MODEL``, ``http://…`` (posts
    ``{"question": …}``), ``command:PROGRAM ARGUMENTS``, ``replay:RESULTS.jsonl``.
    """
    around = surroundings or Surroundings(Path())
    if spec in around.systems:
        return _configured(spec, around.systems[spec], around)
    kind, _, rest = spec.partition(":")
    if kind in {"http", "https"}:
        return HttpSystem(HttpConfig(url=spec), around.environment)
    if kind not in _LOADERS:
        known = [*around.systems, *(f"{one}:…" for one in (*_LOADERS, "http"))]
        raise SystemLoadError(f"there is no system {spec!r}{nearest(spec, known)}")
    return _LOADERS[kind](rest, around)


def model_client(name: str, around: Surroundings) -> ModelClient:
    """A client for an entry under ``models``, or for a model of that name at a usual provider."""
    config = around.models.get(name)
    if config is None:
        config = _guessed_model(name, around)
    return ModelClient(config, around.environment, cache=around.call_cache())


def _guessed_model(name: str, around: Surroundings) -> ModelConfig:
    for variable, base_url in GUESSES:
        if around.environment.get(variable):
            return ModelConfig(model=name, base_url=base_url, api_key_env=variable)
    keys = " or ".join(variable for variable, _ in GUESSES)
    raise SystemLoadError(
        f"openai:{name}: there is no {name!r} under 'models' in the configuration"
        f"{nearest(name, around.models)}, and no {keys} is set"
    )


def _configured(name: str, config: SystemConfig, around: Surroundings) -> System:
    match config:
        case PythonConfig(target=target):
            return load_python(target)
        case ReplayConfig(path=path):
            return ReplaySystem(around.root / path)
        case OpenAIConfig(model=model, system_prompt=prompt):
            return OpenAISystem(model_client(model, around), system_prompt=prompt)
        case HttpConfig():
            return HttpSystem(config, around.environment, name=name)
        case CommandConfig():
            return CommandSystem(config, around.environment, name=name)


def _load_command(rest: str, around: Surroundings) -> System:
    words = rest.split()
    if not words:
        raise SystemLoadError("write it as command:PROGRAM ARGUMENTS")
    return CommandSystem(CommandConfig(command=words), around.environment)


_LOADERS: Mapping[str, Callable[[str, Surroundings], System]] = {
    "python": lambda rest, _: load_python(rest),
    "replay": lambda rest, _: ReplaySystem(Path(rest)),
    "openai": lambda rest, around: OpenAISystem(model_client(rest, around)),
    "command": _load_command,
}
