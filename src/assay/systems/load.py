"""Loading a system from its specification: a name in the configuration, or ``word:rest``.

Assay's own words are in the table ``SYSTEMS``. Another package adds one by an entry point of
the group ``assay.systems`` that names a ``SystemFactory``.

A ``SystemContext`` has what a system may need besides its specification: models, keys, the call
cache, the corpus.
"""

import asyncio
import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias

import msgspec
import yaml
from msgspec.structs import replace

from assay.config.document import ConfigDocument, ExperimentFile
from assay.config.experiment import REFERENCE, Defaults
from assay.config.system import (
    ClusterOptions,
    CommandConfig,
    HttpConfig,
    ModelConfig,
    OpenAIConfig,
    PassagesOrder,
    PerQuestion,
    PythonConfig,
    ReferenceConfig,
    ReplayConfig,
    ReviewerConfig,
    SystemConfig,
)
from assay.config.workspace import Workspace
from assay.errors import AssayError, SystemLoadError, UseError
from assay.mask import private_path, redactor
from assay.models.address import url_secrets
from assay.models.cache import CallCache
from assay.models.cache_file import sealed_path
from assay.models.client import ModelClient
from assay.models.secret import Environment, variables_in
from assay.records import Answer, Question
from assay.registry import Registry, error_line, load_object, nearest
from assay.systems.command import CommandSystem
from assay.systems.http import HttpSystem, OpenAISystem
from assay.systems.protocol import (
    AnswersOnLoop,
    Configuration,
    DescribesItself,
    HasNotes,
    Prepares,
    PreparesSources,
    Replays,
    SeparatesVariants,
    Setting,
    System,
    TakesRow,
    WarmsUp,
    declared_use,
    is_imported,
    lists_by_rank,
    local_copy,
)
from assay.systems.python.adapter import refuse_unnamed
from assay.systems.python.system import UnimportedSystem, load_python
from assay.systems.replay import ReplaySystem
from assay.words.message import Message
from assay.words.say import marked

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
    names by their roles. Without ``imports`` no Python system is imported: a dry run needs none. Call ``close`` when the run is over.
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
        imports: bool = True,
    ) -> None:
        self.root = root
        self.imports = imports
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
) -> ConfigDocument[ExperimentFile] | None:
    """The configuration at ``path`` or of the workspace; ``None`` if there is none."""
    return workspace.load_configuration(path)


def make_system_context(
    workspace: Workspace,
    document: ConfigDocument[ExperimentFile] | None,
    *,
    use_cache: bool = True,
    concurrency: int | None = None,
    cluster: ClusterOptions | None = None,
    columns: Mapping[str, str] | None = None,
    imports: bool = True,
) -> SystemContext:
    """Models and systems that can be named, keys, and the call cache.

    ``concurrency`` is what the user says on the command line, if anything; with a ``cluster`` it is
    the number of questions in all workers together, and says nothing about one of them. ``columns``
    are the columns of tables with recorded answers that the user names. Without ``imports`` no
    Python system is imported.
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
        imports=imports,
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


def default_system(defaults: Defaults, workspace: Workspace, otherwise: str = REFERENCE) -> str:
    """The system that the configuration names, or ``otherwise``, which comes with assay.

    Raises:
        UnnamedSystem: It names none, and a file of the user can be asked.
    """
    if defaults.system is not None:
        return defaults.system
    folders = (Path.cwd(), workspace.root, workspace.repository or workspace.root)
    if any(any(folder.glob("*.py")) for folder in folders):
        refuse_unnamed(folders, otherwise)
    return otherwise


SystemFactory: TypeAlias = Callable[[str, SystemContext], System]
"""Creates the system for ``word:rest`` on the command line; it gets the rest and the context."""

CALLERS: Final = (HttpSystem, OpenAISystem, ReplaySystem, UnimportedSystem)
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
    on_workers: Callable[..., System] = load_object("assay.systems.cluster.system:on_workers")
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
    """That the variables which a system names are not replaced where they are; often empty."""
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
            "(see assay.systems.protocol.System)"
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
                per_question=config.per_question,
                isolate=config.isolate,
                imports=context.imports,
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
    load: Callable[..., System] = load_object("assay.jobs.contract.reviewer:load_reviewer")
    return load(config, context)


def _load_reader(window: str, _: SystemContext) -> System:
    # by its path, because the tokenizer is slow to load and only this system needs it
    load: Callable[..., System] = load_object("assay.jobs.depth.reader:load_windowed_reader")
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
        "python": lambda target, context: load_python(
            target, vouched=context.concurrency, imports=context.imports
        ),
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


# Several systems in one run: each variant is asked of its own system.
#
# The setting ``system`` of a variant names its system, and the setting ``identity`` identifies it, so
# that another system beside it changes nothing for the answers that are recorded.

SYSTEM: Final = "system"
IDENTITY: Final = "identity"
SIDE_BY_SIDE: Final = marked("side by side")
"""The identity of any systems that are asked side by side."""


class SideBySide:
    """Systems by the names of their variants."""

    def __init__(self, systems: Mapping[str, System]) -> None:
        self._systems = dict(systems)
        self._distinct = list({id(system): system for system in systems.values()}.values())

    @property
    def distinct(self) -> Sequence[System]:
        """The systems, each once."""
        return self._distinct

    @property
    def identity(self) -> str:
        """The same for any systems; the settings of a variant identify its system."""
        return SIDE_BY_SIDE

    @property
    def settings(self) -> Mapping[str, Setting] | None:
        """Any: each system checks its own before the run."""
        return None

    @property
    def max_concurrency(self) -> int | None:
        """The smallest limit of the systems."""
        limits = [
            system.max_concurrency
            for system in self._distinct
            if system.max_concurrency is not None
        ]
        return min(limits, default=None)

    @property
    def one_variant_at_a_time(self) -> bool:
        """Whether a system says so."""
        return any(
            isinstance(system, SeparatesVariants) and system.one_variant_at_a_time
            for system in self._distinct
        )

    def described(self, settings: Mapping[str, Any]) -> Configuration:
        """The configuration of the system of the variant, if it tells it."""
        own = local_copy(self._systems[settings[SYSTEM]])
        return (
            own.described(_own(settings)) if isinstance(own, DescribesItself) else Configuration()
        )

    @property
    def is_imported(self) -> bool:
        """Whether the code of all systems was imported."""
        return all(map(is_imported, self._distinct))

    @property
    def per_question(self) -> PerQuestion | None:
        """The mean over the variants, which are all asked the same; of what all declare."""
        declared = [declared_use(system) for system in self._systems.values()]
        means = {}
        for name in PerQuestion.__struct_fields__:
            values = [getattr(each, name) for each in declared]
            means[name] = None if None in values else sum(values) / len(values)
        return PerQuestion(**means)

    @property
    def answers_on_loop(self) -> bool:
        """Whether a system says so."""
        return any(
            isinstance(system, AnswersOnLoop) and system.answers_on_loop
            for system in self._distinct
        )

    @property
    def takes_row(self) -> bool:
        """Whether a system takes the further fields of a question."""
        return any(isinstance(system, TakesRow) and system.takes_row for system in self._distinct)

    @property
    def replayed_files(self) -> Sequence[tuple[Path, str]]:
        """The files that systems take their answers from."""
        replaying = [system for system in self._distinct if isinstance(system, Replays)]
        return [file for system in replaying for file in system.replayed_files]

    @property
    def passages_order(self) -> PassagesOrder:
        """The order of the prompt if a system lists its passages so."""
        return "rank" if all(map(lists_by_rank, self._distinct)) else "prompt_order"

    @property
    def notes(self) -> Sequence[Message | str]:
        """The notes of all systems."""
        return [
            note
            for system in self._distinct
            if isinstance(system, HasNotes)
            for note in system.notes
        ]

    @property
    def wants_sources(self) -> bool:
        """Whether a system prepares itself for the sources."""
        return any(
            isinstance(system, PreparesSources) and system.wants_sources
            for system in self._distinct
        )

    def expect_sources(self, sources: Sequence[str]) -> None:
        """Tell the systems which sources to expect."""
        for system in self._distinct:
            if isinstance(system, PreparesSources) and system.wants_sources:
                system.expect_sources(sources)

    async def prepare(self) -> None:
        """Prepare all systems."""
        for system in self._distinct:
            if isinstance(system, Prepares):
                await system.prepare()

    async def warm_up(self, settings: Sequence[Mapping[str, Any]], concurrency: int) -> None:
        """Warm each system up for the settings of its variants."""
        for system in self._distinct:
            own = [_own(each) for each in settings if self._systems[each[SYSTEM]] is system]
            if isinstance(system, WarmsUp):
                await system.warm_up(own, concurrency)

    async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
        """Ask the system of the variant."""
        return await self._systems[settings[SYSTEM]].ask(question, _own(settings), top_k)

    async def close(self) -> None:
        """Close all systems, also if one of them fails."""
        results = await asyncio.gather(
            *(system.close() for system in self._distinct), return_exceptions=True
        )
        for result in results:
            if isinstance(result, BaseException):
                raise result


def _own(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in settings.items() if name not in {SYSTEM, IDENTITY}}
