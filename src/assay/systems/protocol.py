"""The interface of every system under test, and the check of its settings."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Protocol, runtime_checkable
from urllib.parse import quote

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from assay.config.system import PassagesOrder, PerQuestion
from assay.errors import UseError
from assay.records import Answer, GoldSpan, Question, Variant
from assay.registry import nearest
from assay.systems.plain import is_secret
from assay.words.message import Message


class Setting(Struct, frozen=True, kw_only=True):
    """The declaration of one setting of a system.

    ``kind`` is the type of its value, and ``choices`` are the values it may have; without them
    any value is allowed. ``only_when`` gives the values that other settings must have for this
    setting to have an effect (``{"fast_mode": True}``), so that an ablation of a setting without
    effect is refused. ``default`` is passed to the system if a variant does not set it. ``initial``
    is not passed: it is the value that the system itself starts from, as far as that is known.
    ``aliases`` are other names for it in experiment files. ``order_only`` says that the setting
    changes only the order of the passages in the prompt, not which ones are retrieved: variants
    that differ only in such settings are not compared on ranks.
    """

    kind: type | None = None
    choices: tuple[Any, ...] = ()
    only_when: Mapping[str, Any] = {}
    description: str = ""
    default: Any = UNSET
    initial: Any = UNSET
    aliases: tuple[str, ...] = ()
    order_only: bool = False


class Configuration(Struct, frozen=True, kw_only=True):
    """The settings that a system has by itself when it is loaded, in plain form.

    ``secrets`` are its keys and passwords, each with ``set`` or ``not set`` in place of its value.
    """

    settings: Mapping[str, Any] = {}
    secrets: Mapping[str, str] = {}


class System(Protocol):
    """A system under test.

    ``identity`` covers everything except the settings that affects the answers: systems with the
    same identity give comparable answers. ``settings`` declares the settings that the system
    understands; None means that it accepts any. ``max_concurrency`` is 1 for a system that keeps
    a conversation between calls, and None for a system without a limit.
    """

    @property
    def identity(self) -> str:
        """The name of the system with its version, the hash of its content, or its address."""

    @property
    def settings(self) -> Mapping[str, Setting] | None:
        """The settings that the system understands, by name; None if it accepts any."""

    @property
    def max_concurrency(self) -> int | None:
        """How many questions may be asked at the same time; None if there is no limit."""

    async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
        """Answer one question with these settings; a RAG system retrieves ``top_k`` passages."""

    async def close(self) -> None:
        """Release connections, threads and processes."""


@runtime_checkable
class Prepares(Protocol):
    """A system that must be prepared before the first question.

    Preparation is a separate step, so that its time is not added to any question's latency.
    """

    async def prepare(self) -> None:
        """Do the preparatory work. It is safe to call this twice."""


@runtime_checkable
class WarmsUp(Protocol):
    """A system that can do more before the first question if it knows what will be asked of it.

    It is called after ``prepare``. What it does is in no question's latency.
    """

    async def warm_up(self, settings: Sequence[Mapping[str, Any]], concurrency: int) -> None:
        """Prepare for questions with each of these settings, ``concurrency`` of them at once.

        Connections are opened and programs are started here. No question may be asked.
        """


@runtime_checkable
class PreparesSources(Protocol):
    """A system that may want to know which documents will be asked about."""

    @property
    def wants_sources(self) -> bool:
        """Whether ``expect_sources`` is to be called; collecting the sources takes time."""

    def expect_sources(self, sources: Sequence[str]) -> None:
        """Note the sources of all questions to come, in their order; called before ``warm_up``."""


@runtime_checkable
class SeparatesVariants(Protocol):
    """A system that may keep its settings in a place that all its calls share."""

    @property
    def one_variant_at_a_time(self) -> bool:
        """Whether questions of two variants must not be asked at the same time."""


@runtime_checkable
class AnswersOnLoop(Protocol):
    """A system whose answers come, and are timed, on the event loop of the run."""

    @property
    def answers_on_loop(self) -> bool:
        """Whether they do; then the loop must be free while other answers are scored."""


@runtime_checkable
class TakesRow(Protocol):
    """A system that may be asked with the further fields of a question's line."""

    @property
    def takes_row(self) -> bool:
        """Whether it is; these fields are then part of what is asked."""


@runtime_checkable
class Replays(Protocol):
    """A system whose answers come from files."""

    @property
    def replayed_files(self) -> Sequence[tuple[Path, str]]:
        """The files with the answers, each with the column that was named, or an empty text."""


@runtime_checkable
class HasNotes(Protocol):
    """A system with something to tell the user before a run."""

    @property
    def notes(self) -> Sequence[Message | str]:
        """One line for each note."""


@runtime_checkable
class HasConfiguration(Protocol):
    """A system that knows the settings that it has by itself: defaults, or from the environment.

    Its answers depend on them as on the settings of a variant, so they belong to its identity.
    """

    @property
    def configuration(self) -> Configuration:
        """The settings; without any, the settings of a variant are all that is known."""


@runtime_checkable
class DescribesItself(Protocol):
    """A system that can tell its whole configuration, for those who read the header of a run.

    Its identity covers what affects the answers, so no fingerprint contains the description.
    """

    def described(self, settings: Mapping[str, Any]) -> Configuration:
        """The configuration that is in force with these settings of a variant, without secrets."""


@runtime_checkable
class OrdersPassages(Protocol):
    """A system that declares what the order of its passages says.

    Systems without this property list their passages from the best to the worst.
    """

    @property
    def passages_order(self) -> PassagesOrder:
        """``prompt_order`` if the passages are listed as in the prompt; otherwise ``rank``."""


@runtime_checkable
class KnowsChunks(Protocol):
    """A system that knows all chunks that it can retrieve."""

    @property
    def chunk_ids(self) -> Collection[str]:
        """The ids of the chunks."""


@runtime_checkable
class KnowsSources(Protocol):
    """A system that knows all documents from which it can retrieve."""

    @property
    def sources(self) -> Collection[str]:
        """The names of the documents."""


@runtime_checkable
class KnowsSpans(Protocol):
    """A system that knows the texts of the documents from which it can retrieve."""

    def holds_span(self, span: GoldSpan) -> bool:
        """Whether a passage can cover some of the span."""


@runtime_checkable
class ChecksSettings(Protocol):
    """A system that checks its settings beyond names, types and choices."""

    def check(self, settings: Mapping[str, Any]) -> None:
        """Raise ``UseError`` for values that the system does not accept."""


@runtime_checkable
class CountsCalls(Protocol):
    """A system that knows in advance which model calls a question needs.

    Variants whose settings give the same signature share that call, so that ``--dry-run`` can
    count the distinct calls.
    """

    def calls(self, settings: Mapping[str, Any]) -> tuple[str, ...]:
        """One signature for each model call that a question needs with these settings."""


@runtime_checkable
class CostsNothing(Protocol):
    """A system that works on this machine: the usage that it states is for information only."""

    @property
    def costs_nothing(self) -> bool:
        """Whether its answers are free; a limit on the cost then has nothing to count."""


def local_copy(system: Any) -> Any:
    """The system itself, or the driver's copy of one whose copies answer in a cluster."""
    return getattr(system, "local_copy", system)


def is_imported(system: System) -> bool:
    """Whether the code of a system was imported if it has any; a dry run imports none."""
    return bool(getattr(local_copy(system), "is_imported", True))


def declared_use(system: System) -> PerQuestion:
    """What a system declares that it takes for a question; the fields are None without it."""
    declared: PerQuestion | None = getattr(local_copy(system), "per_question", None)
    return declared or PerQuestion()


ORDER_ONLY: Final = frozenset({"repack", "repack_strategy"})
"""Settings that change only the order of the passages in every system that has them."""


_IN_ORDER: Final = frozenset({"none", "forward", "off", ""})
"""Values of such a setting with which the best passage comes first."""


def packs_passages(variant: Variant, system: System) -> bool:
    """Whether a setting of the variant, or of the system itself, puts the passages in another order.

    The passages of such a system are listed as in its prompt. Where they have no ranks, the order says
    nothing about these, unless the module says that it does (``PASSAGES = "rank"``).
    """
    own = local_copy(system)
    # the passages of the reference pipeline have ranks
    if corpus_sha256(own) or getattr(own, "declares_rank", False):
        return False
    values = variant.configuration or variant.settings
    chosen = [values[name] for name in order_settings(system) if name in values]
    return any(value and str(value).lower() not in _IN_ORDER for value in chosen)


def order_settings(system: System) -> frozenset[str]:
    """The settings of a system that change only the order of the passages in the prompt."""
    declared = system.settings or {}
    return ORDER_ONLY | {name for name, setting in declared.items() if setting.order_only}


def differs_in_corpus_only(one: str, other: str) -> bool:
    """Whether two identities of the reference system name another corpus and nothing else.

    >>> differs_in_corpus_only("reference:510a:hashed:e", "reference:6050:hashed:e")
    True
    """
    kind, _, rest = one.partition(":")
    other_kind, _, other_rest = other.partition(":")
    is_reference = kind == other_kind == "reference"
    return is_reference and one != other and rest.split(":")[1:] == other_rest.split(":")[1:]


def corpus_sha256(system: Any) -> str | None:
    """The hash of the corpus that a system searches; ``None`` if it has none of the workspace."""
    sha256 = getattr(system, "corpus_sha256", None)
    return sha256 if isinstance(sha256, str) and sha256 else None


def lists_by_rank(system: System) -> bool:
    """Whether the order in which a system lists its passages is their rank."""
    return not isinstance(system, OrdersPassages) or system.passages_order == "rank"


def with_configuration(variant: Variant, system: System) -> Variant:
    """The variant with the whole configuration of the system: its own settings, then the variant's."""
    own = local_copy(system)
    if not isinstance(own, HasConfiguration):
        return variant
    configuration = own.configuration
    if not configuration.settings and not configuration.secrets:
        return variant
    chosen = {
        name: value
        for name, value in variant.settings.items()
        if name not in configuration.secrets and not is_secret(name, value)
    }
    return replace(
        variant,
        configuration={**configuration.settings, **chosen},
        secrets=configuration.secrets or UNSET,
    )


def described_variant(variant: Variant, system: System) -> Variant:
    """The variant as a header has it: with the whole configuration of its system, if it tells it."""
    own = local_copy(system)
    if variant.configuration or not isinstance(own, DescribesItself):
        return variant
    known = own.described(variant.settings)
    return replace(variant, configuration=known.settings or UNSET, secrets=known.secrets or UNSET)


def named_settings(names: list[str] | None) -> dict[str, Setting] | None:
    """Declarations of settings of which only the names are known; None (any) for None."""
    return None if names is None else {name: Setting() for name in names}


def check_settings(system: System, settings: Mapping[str, Any], where: str) -> None:
    """Raise ``UseError`` for a setting the system does not know or a value it does not accept.

    ``where`` (a variant's name, or ``file:line``) begins the message.
    """
    known = system.settings
    if known is None:
        return
    for name, value in settings.items():
        if name not in known:
            aliases = [alias for setting in known.values() for alias in setting.aliases]
            suggestion = nearest(name, [*known, *aliases])
            raise UseError(f"{where}: unknown setting {name!r}{suggestion}")
        setting = known[name]
        if setting.choices and not any(_same(value, choice) for choice in setting.choices):
            allowed = ", ".join(repr(choice) for choice in setting.choices)
            raise UseError(f"{where}: {name} is {value!r}, but takes one of {allowed}")
        if setting.kind is not None and not _fits(value, setting.kind):
            raise UseError(
                f"{where}: {name} is {value!r} ({type(value).__name__}), "
                f"but takes {setting.kind.__name__}"
            )
    if isinstance(system, ChecksSettings):
        try:
            system.check(settings)
        except UseError as error:
            raise UseError(f"{where}: {error}") from None


def _same(value: Any, choice: Any) -> bool:
    """Whether the values are equal, where ``True`` and ``1`` are different."""
    return bool(value == choice) and isinstance(value, bool) == isinstance(choice, bool)


def _fits(value: Any, expected: type) -> bool:
    """Whether a YAML value has the expected type: ``True`` is not a number, ``1`` is a float."""
    if isinstance(value, bool):
        return expected is bool
    if expected is float:
        return isinstance(value, int | float)
    return isinstance(value, expected)


# Filling placeholders such as ``{{question}}`` in the template of a request.
#
# All functions are pure.

_PLACEHOLDER = re.compile(r"\{\{\s*([\w.]+)\s*\}\}")


def fill_template(template: Any, values: Mapping[str, Any]) -> Any:
    """``template`` with every placeholder replaced by its value.

    A string that consists of one placeholder becomes the value itself and keeps its type.

    >>> fill_template({"q": "{{question}}", "n": "{{top_k}}", "s": "top {{top_k}}"},
    ...        {"question": "why?", "top_k": 3})
    {'q': 'why?', 'n': 3, 's': 'top 3'}
    """
    if isinstance(template, str):
        only = _PLACEHOLDER.fullmatch(template.strip())
        if only:
            return _value(only[1], values)
        return _PLACEHOLDER.sub(lambda match: _text(_value(match[1], values)), template)
    if isinstance(template, Mapping):
        return {key: fill_template(value, values) for key, value in template.items()}
    if isinstance(template, list):
        return [fill_template(item, values) for item in template]
    return template


def with_texts(template: Any, change: Callable[[str], str]) -> Any:
    """``template`` with ``change`` applied to every string value; keys stay as they are.

    >>> with_texts({"a": ["x", 1]}, str.upper)
    {'a': ['X', 1]}
    """
    if isinstance(template, str):
        return change(template)
    if isinstance(template, Mapping):
        return {key: with_texts(value, change) for key, value in template.items()}
    if isinstance(template, list):
        return [with_texts(item, change) for item in template]
    return template


def fill_url(template: str, values: Mapping[str, Any]) -> str:
    """A URL with every placeholder replaced by its value, percent-encoded.

    >>> fill_url("http://x/ask?q={{question}}", {"question": "a b&c"})
    'http://x/ask?q=a%20b%26c'
    """
    return _PLACEHOLDER.sub(lambda match: quote(_text(_value(match[1], values)), safe=""), template)


def check_placeholders(template: Any, known: set[str], where: str) -> None:
    """Raise ``UseError`` for a placeholder that is not known, before the first call."""
    for name in _PLACEHOLDER.findall(str(template)):
        if name.split(".")[0] not in known:
            raise UseError(
                f"{where}: there is no {{{{{name}}}}}; placeholders are "
                + ", ".join(f"{{{{{placeholder}}}}}" for placeholder in sorted(known))
            )


def _value(name: str, values: Mapping[str, Any]) -> Any:
    """The value of a placeholder; ``settings.NAME`` is None if that setting is not set."""
    first, _, rest = name.partition(".")
    value = values.get(first)
    return value.get(rest) if rest and isinstance(value, Mapping) else value


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None else msgspec.json.encode(value).decode()


# The embedding dimension that a question is asked with, whatever the system calls it.

DIMENSION_ALIASES: Final = ("dim", "mrl_dimension")
"""What experiment files call the embedding dimension of any system."""

_USUAL: Final = ("search_dim", "dim")
_WORDS: Final = frozenset({"dim", "dims", "dimension", "dimensions"})


def dimension_setting(names: Sequence[str]) -> str | None:
    """The setting that is the embedding dimension by its name; None if it is not clear.

    >>> dimension_setting(["fast_mode", "embedding_dim_fast_mode"])
    'embedding_dim_fast_mode'
    """
    for usual in _USUAL:
        if usual in names:
            return usual
    candidates = [name for name in names if _WORDS & set(name.lower().split("_"))]
    if len(candidates) > 1:
        candidates = [name for name in candidates if "fast" in name.lower().split("_")]
    return candidates[0] if len(candidates) == 1 else None


FAST_MODE: Final = "fast_mode"


def has_implied_mode(names: Iterable[str]) -> bool:
    """Whether a backend takes the mode with the request, so that its settings do not have it.

    >>> has_implied_mode(["embedding_dim_fast_mode"]), has_implied_mode(["fast_mode", "a_fast_mode"])
    (True, False)
    """
    known = set(names)
    return FAST_MODE not in known and any(name.endswith(f"_{FAST_MODE}") for name in known)


def fast_mode(system: System, settings: Mapping[str, Any]) -> Any:
    """The mode of a variant: ``fast_mode`` of its settings, None if the system has no such mode."""
    return settings.get(FAST_MODE, False if has_implied_mode(system.settings or ()) else None)


def dimension(system: System, settings: Mapping[str, Any]) -> Any:
    """The dimension in the settings of a variant; None if it is not there or has no effect."""
    known = system.settings or {}
    named = (name for name, setting in known.items() if "dim" in setting.aliases)
    name = next(named, None) or dimension_setting([*known, *settings])
    if name is None:
        return None
    needed = known[name].only_when if name in known else {}
    is_used = all(settings.get(other) == value for other, value in needed.items())
    if name.endswith(f"_{FAST_MODE}") and FAST_MODE not in known:
        is_used = settings.get(FAST_MODE) is True
    initial = known[name].initial if name in known else None
    value = settings.get(name, initial)
    return value if is_used and isinstance(value, int) and not isinstance(value, bool) else None
