"""What a system may need besides its own word: models, keys, the call cache, the corpus."""

from collections.abc import Callable, Mapping
from pathlib import Path

from assay.config import Defaults, ModelConfig, SystemConfig, nearest
from assay.errors import SystemLoadError
from assay.models import CallCache, Environment, ModelClient

GUESSES = (
    ("OPENROUTER_API_KEY", "https://openrouter.ai/api/v1"),
    ("OPENAI_API_KEY", "https://api.openai.com/v1"),
)
"""Where ``openai:MODEL`` is looked for when the configuration does not name the model."""


class SystemContext:
    """Configured models and systems, keys, the call cache, and the workspace's defaults.

    The cache at ``cache_path`` is opened by the first model that needs it; ``None`` does
    without. ``close`` it when the run is over.
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
    ) -> None:
        self.root = root
        self.environment = Environment(root)
        self.models = models or {}
        self.systems = systems or {}
        self.defaults = defaults or Defaults()
        self._locate = locate
        self._cache_path = cache_path
        self._cache: CallCache | None = None

    def path(self, configured: str, where: str) -> Path:
        """A configured path as an absolute one; the workspace may refuse one outside it."""
        if self._locate is None:
            return self.root / configured
        return self._locate(configured, where)

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


def model_client(name: str, around: SystemContext) -> ModelClient:
    """A client for an entry under ``models``, or for a model of that name at a usual provider."""
    config = around.models.get(name)
    if config is None:
        config = _guessed_model(name, around)
    return ModelClient(config, around.environment, cache=around.call_cache())


def _guessed_model(name: str, around: SystemContext) -> ModelConfig:
    for variable, base_url in GUESSES:
        if around.environment.get(variable):
            return ModelConfig(model=name, base_url=base_url, api_key_env=variable)
    keys = " or ".join(variable for variable, _ in GUESSES)
    raise SystemLoadError(
        f"openai:{name}: there is no {name!r} under 'models' in the configuration"
        f"{nearest(name, around.models)}, and no {keys} is set"
    )
