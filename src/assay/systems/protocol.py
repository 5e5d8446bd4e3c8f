"""The one interface every system under test has, and the check of its settings."""

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

from msgspec import UNSET, Struct

from assay.config import nearest
from assay.errors import UseError
from assay.records import Answer, Question


class Setting(Struct, frozen=True, kw_only=True):
    """What a system says of one of its settings.

    ``only_when`` names settings that must have these values for this one to matter
    (``{"fast_mode": True}``), so that an ablation of a switch without effect is refused.
    ``default`` is what holds where a variant does not say; ``aliases`` are other names it
    goes by in experiment files.
    """

    kind: type | None = None
    choices: tuple[Any, ...] = ()
    only_when: Mapping[str, Any] = {}
    description: str = ""
    default: Any = UNSET
    aliases: tuple[str, ...] = ()


class System(Protocol):
    """A system under test.

    ``identity`` stands for everything but the settings that shapes its answers: two systems
    of one identity give comparable answers. ``settings`` names the settings it understands,
    or is ``None`` where it takes any. ``max_concurrency`` is 1 for a system that keeps a
    conversation between calls, ``None`` where it does not matter.
    """

    @property
    def identity(self) -> str:
        """Name and version, content hash or address."""

    @property
    def settings(self) -> Mapping[str, Setting] | None:
        """The settings it understands."""

    @property
    def max_concurrency(self) -> int | None:
        """How many questions it can work on at once."""

    async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
        """Answer one question."""

    async def close(self) -> None:
        """Release what it holds."""


@runtime_checkable
class Prepares(Protocol):
    """A system with work to do before its first question, which no question should be timed for."""

    async def prepare(self) -> None:
        """Get ready. Safe to call twice."""


@runtime_checkable
class ChecksSettings(Protocol):
    """A system that can say more of its settings than names, types and choices."""

    def check(self, settings: Mapping[str, Any]) -> None:
        """Raise ``UseError`` for values it does not take."""


@runtime_checkable
class CountsCalls(Protocol):
    """A system that knows beforehand which model calls a question takes.

    Two settings that give the same signature share that call, so that ``--dry-run`` can
    count the distinct ones.
    """

    def calls(self, settings: Mapping[str, Any]) -> tuple[str, ...]:
        """A signature for each call that a question takes with these settings."""


def named_settings(names: list[str] | None) -> dict[str, Setting] | None:
    """Settings of which only the names are known; ``None`` where any is taken."""
    return None if names is None else {name: Setting() for name in names}


def check_settings(system: System, settings: Mapping[str, Any], where: str) -> None:
    """Refuse a setting the system does not know, or a value it does not take.

    ``where`` (a variant's name, or ``file:line``) begins the message.
    """
    known = system.settings
    if known is None:
        return
    for name, value in settings.items():
        if name not in known:
            short = [alias for setting in known.values() for alias in setting.aliases]
            near = nearest(name, [*known, *short])
            raise UseError(f"{where}: unknown setting {name!r}{near}")
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
    """Equality that tells ``True`` from ``1``."""
    return bool(value == choice) and isinstance(value, bool) == isinstance(choice, bool)


def _fits(value: Any, expected: type) -> bool:
    """Whether a YAML value suits a type: ``True`` is no number, ``1`` is a float."""
    if isinstance(value, bool):
        return expected is bool
    if expected is float:
        return isinstance(value, int | float)
    return isinstance(value, expected)
