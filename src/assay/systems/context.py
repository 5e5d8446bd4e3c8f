"""What a system may need besides its specification: models, keys, the call cache, the corpus."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import yaml
from msgspec.structs import replace

from assay.config.document import Document, ExperimentFile
from assay.config.experiment import Defaults
from assay.config.system import ClusterOptions, HttpConfig, ModelConfig, SystemConfig
from assay.config.workspace import Workspace
from assay.errors import SystemLoadError, UseError
from assay.mask import private_path, redactor
from assay.models.address import url_secrets
from assay.models.cache import CallCache
from assay.models.cache_file import sealed_path
from assay.models.client import ModelClient
from assay.models.secret import Environment
from assay.registry import nearest

KNOWN_PROVIDERS = (
    ("OPENROUTER_API_KEY", "https://openrouter.ai/api/v1"),
    ("OPENAI_API_KEY", "https://api.openai.com/v1"),
)
"""Providers tried in order for ``openai:MODEL`` if the configuration does not name the model.

Each entry has the environment variable that holds the key, and the provider's address.
"""


class MakesClients(Protocol):
    """Makes the clients of a worker, whose calls are made elsewhere."""

    def client(self, name: str) -> ModelClient:
        """A client for the model of this name."""


class SystemContext:
    """Configured models and systems, keys, the call cache, and the workspace's defaults.

    The first model that needs the cache at ``cache_path`` opens it. If ``cache_path`` is None,
    calls are not cached. Files that data name must lie in ``bounds``, anywhere if it is None.
    ``concurrency`` is the number of questions at once that the user asks for on the command line;
    None if they do not. With ``cluster``, systems that compute answer in its workers; in a worker,
    ``remote_models`` makes the clients. ``clients`` are those that were made, by their names, and
    ``link`` is the connection to the cluster. ``columns`` are the columns of tables that the user
    names by their roles. Call ``close`` when the run is over.
    """

    def __init__(
        self,
        root: Path,
        *,
        models: Mapping[str, ModelConfig] | None = None,
        systems: Mapping[str, SystemConfig] | None = None,
        defaults: Defaults | None = None,
        locate: Callable[[str, str], Path] | None = None,
        cache_path: Path | None = None,
        bounds: Path | None = None,
        concurrency: int | None = None,
        cluster: ClusterOptions | None = None,
        remote_models: MakesClients | None = None,
        columns: Mapping[str, str] | None = None,
    ) -> None:
        self.root = root
        self.columns = columns or {}
        self.cluster = cluster
        self.remote_models = remote_models
        self.clients: dict[str, ModelClient] = {}
        self.link: Any = None
        self.concurrency = concurrency
        self.environment = Environment(root)
        self.models = models or {}
        self.systems = systems or {}
        for model in self.models.values():
            url_secrets(model.base_url)  # masked from now on, also if the model is never asked
        for system in self.systems.values():
            if isinstance(system, HttpConfig):
                url_secrets(system.url)
        self.defaults = defaults or Defaults()
        self.bounds = bounds
        self._locate = locate
        self._cache_path = cache_path
        self._cache: CallCache | None = None

    def path(self, configured: str, where: str) -> Path:
        """The absolute path for a configured path; a workspace may refuse paths outside it.

        ``where`` names the configuration key for the error message.
        """
        if self._locate is None:
            return private_path(self.root / configured)
        return private_path(self._locate(configured, where))

    def bounds_of(self, file: Path) -> Path | None:
        """The folder in which the files that ``file`` names must lie; ``None``: anywhere."""
        is_private = redactor() is not None and not file.is_relative_to(self.root)
        return file.parent if is_private and self.bounds is not None else self.bounds

    def call_cache(self) -> CallCache | None:
        """The cache that all models share; None if calls are not cached.

        With redaction it is another file, which is encrypted; without a key there is none.
        """
        if self._cache is None and self._cache_path is not None:
            active = redactor()
            if active is None:
                self._cache = CallCache(self._cache_path)
            elif active.has_key:
                self._cache = CallCache(sealed_path(self._cache_path), active.cipher())
        return self._cache

    def close(self) -> None:
        """Leave the cluster, write the last calls to disk and close the cache; safe to call twice."""
        if self.link is not None:
            self.link.close()
        if self._cache is not None:
            self._cache.close()
            self._cache = None


def model_client(name: str, context: SystemContext, *, retries: int | None = None) -> ModelClient:
    """A client for an entry under ``models``, or for a model of that name at a known provider.

    ``retries`` replaces the number of the configuration.

    Raises ``SystemLoadError`` if there is no such entry and no key of a known provider is set.
    """
    if context.remote_models is not None:
        return context.remote_models.client(name)
    config = context.models.get(name)
    if config is None:
        config = _model_at_known_provider(name, context)
    if retries is not None:
        config = replace(config, retries=retries)
    client = ModelClient(config, context.environment, cache=context.call_cache())
    context.clients[name] = client
    return client


def _model_at_known_provider(name: str, context: SystemContext) -> ModelConfig:
    for variable, base_url in KNOWN_PROVIDERS:
        if context.environment.get(variable):
            return ModelConfig(model=name, base_url=base_url, api_key_env=variable)
    keys = " or ".join(variable for variable, _ in KNOWN_PROVIDERS)
    raise SystemLoadError(
        f"openai:{name}: there is no {name!r} under 'models' in the configuration"
        f"{nearest(name, context.models)}, and no {keys} is set"
    )


# What every run command sets up first: the workspace's configuration, systems and settings.


def load_configuration(
    workspace: Workspace, path: Path | None = None
) -> Document[ExperimentFile] | None:
    """The configuration at ``path`` or of the workspace; ``None`` if there is none."""
    return workspace.load_configuration(path)


def make_system_context(
    workspace: Workspace,
    document: Document[ExperimentFile] | None,
    *,
    use_cache: bool = True,
    concurrency: int | None = None,
    cluster: ClusterOptions | None = None,
    columns: Mapping[str, str] | None = None,
) -> SystemContext:
    """Models and systems that can be named, keys, and the call cache.

    ``concurrency`` is what the user says on the command line, if anything; with a ``cluster`` it is
    the number of questions in all workers together, and says nothing about one of them. ``columns``
    are the columns of tables with recorded answers that the user names.
    """
    file = document.value if document is not None else ExperimentFile()
    return SystemContext(
        workspace.root,
        locate=workspace.resolve,
        bounds=workspace.bounds,
        models=file.models,
        systems=file.systems,
        defaults=file.defaults,
        cache_path=workspace.call_cache if use_cache else None,
        concurrency=concurrency if cluster is None else None,
        cluster=cluster,
        columns=columns,
    )


def parse_settings(words: Sequence[str]) -> dict[str, Any]:
    """Settings from words such as ``fast_mode=true``; values are parsed as YAML.

    >>> parse_settings(["fast_mode=true", "top_k=5", "repack_strategy=none"])
    {'fast_mode': True, 'top_k': 5, 'repack_strategy': 'none'}
    """
    settings = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name.strip():
            raise UseError(f"--set {word}: write it as NAME=VALUE")
        try:
            settings[name.strip()] = yaml.safe_load(value)
        except yaml.YAMLError:
            settings[name.strip()] = value
    return settings
