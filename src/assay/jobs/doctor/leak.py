"""Whether a system keeps settings or answers of one question for another.

The same question is asked without settings, with two settings in turn, without settings again, and
then with both at the same time. An answer that turns into that of another setting shows that the
system keeps its settings in a place that all calls share.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from assay.records import Answer
from assay.systems.protocol import SeparatesVariants, System
from assay.words.say import say

# The findings of ``assay doctor``.


class CheckResult(Struct, frozen=True, kw_only=True):
    """The result of one check, on one line; for a fault it says what to do.

    ``ok`` is None for a note: worth knowing, but not a fault.
    """

    ok: bool | None
    what: str


MOST_PAIRS: Final = 3
_ROUNDS: Final = 2

LeakSettings = Mapping[str, Any]
Ask = Callable[[LeakSettings], Awaitable[Answer]]
LeakPair = tuple[LeakSettings, LeakSettings]


class _InTurn(Struct, frozen=True):
    """What the two settings gave when they were asked in turn, each twice."""

    first: Any
    second: Any
    first_again: Any
    second_again: Any

    @property
    def is_stable(self) -> bool:
        """Whether the same settings gave the same answer."""
        return bool(self.first == self.first_again and self.second == self.second_again)

    @property
    def leaks(self) -> bool:
        """Whether an answer turned into that of the other setting."""
        return bool(
            self.first != self.second
            and (self.first_again == self.second or self.second_again == self.first)
        )


def setting_pairs(system: System, configured: Sequence[LeakPair] = ()) -> list[LeakPair]:
    """Pairs of settings to try: those of experiments, then switches and choices of the system."""
    pairs = list(configured)
    for name, setting in (system.settings or {}).items():
        values = (False, True) if setting.kind is bool else setting.choices
        given = [value for value in values if value is not None]
        given.sort(key=lambda value: value != setting.initial)  # what sticks is seen later
        if len(given) > 1:
            needed = dict(setting.only_when)
            pairs.append(({**needed, name: given[0]}, {**needed, name: given[1]}))
    return pairs[:MOST_PAIRS]


async def check_leaks(system: System, pairs: Sequence[LeakPair], ask: Ask) -> list[CheckResult]:
    """Ask with two settings, in turn and at the same time, and say what is seen."""
    if not pairs:
        return [
            CheckResult(
                ok=None,
                what=say(
                    "no two settings of the system are known, so it is not checked whether they "
                    "leak; declare SETTINGS, or name the system in an experiment"
                ),
            )
        ]
    unset = await _seen_without(ask)
    for first, second in pairs:
        seen = [_seen(await ask(each)) for each in (first, second)]
        if seen[0] != seen[1]:
            seen += [_seen(await ask(each)) for each in (first, second)]
            break
    in_turn = _InTurn(*seen) if len(seen) > 2 else _InTurn(*seen, *seen)
    label = f"{_text(first)} and {_text(second)}"
    if in_turn.leaks:
        return [
            CheckResult(
                ok=False,
                what=f"asked with {label} in turn, it gives the answer of the other setting: it "
                "keeps settings or answers from one question to the next; define reset(), or "
                "isolate what it keeps (docs/adapters.md)",
            )
        ]
    if not in_turn.is_stable:
        return [
            CheckResult(
                ok=None,
                what=say(
                    "asked with {settings} in turn, the same settings give different answers, so a leak cannot be distinguished from chance",
                    settings=label,
                ),
            )
        ]
    if in_turn.first == in_turn.second:
        return [
            CheckResult(
                ok=None,
                what=say(
                    "{settings} give the same answer, so nothing is seen of a leak between them",
                    settings=label,
                ),
            )
        ]
    if unset is not None and unset != in_turn.second and await _seen_without(ask) == in_turn.second:
        return [_sticky_finding(second)]
    findings = [
        CheckResult(
            ok=True,
            what=say("asked with {settings} in turn, each keeps its answer", settings=label),
        )
    ]
    if system.max_concurrency == 1 and not _may_take_more(system):
        return findings
    mixed = await _mixed_up(ask, (first, in_turn.first), (second, in_turn.second))
    return [*findings, _at_once_finding(system, label, mixed=mixed)]


async def _seen_without(ask: Ask) -> Any:
    """What an answer without settings shows; ``None`` if the system cannot do without them."""
    try:
        return _seen(await ask({}))
    except Exception:  # noqa: BLE001 - other people's code; the checks that follow show its errors
        return None


def _sticky_finding(settings: LeakSettings) -> CheckResult:
    return CheckResult(
        ok=False,
        what=f"asked with {_text(settings)} and then without it, it gives the answer of that "
        "setting: it keeps settings that the next variant does not set; start each call from its "
        "own defaults, define reset(), or use isolate: process (docs/adapters.md)",
    )


def _may_take_more(system: System) -> bool:
    """Whether only we limit the system to one question at a time, and the user may say more."""
    return isinstance(system, SeparatesVariants) and system.one_variant_at_a_time


async def _mixed_up(ask: Ask, *expected: tuple[LeakSettings, Any]) -> bool:
    """Whether an answer is another one if both settings are asked at the same time."""
    for number in range(_ROUNDS):
        order = expected[::-1] if number % 2 else expected
        answers = await asyncio.gather(
            *(ask(settings) for settings, _ in order), return_exceptions=True
        )
        for answer, (_, wanted) in zip(answers, order, strict=True):
            if not isinstance(answer, Answer) or _seen(answer) != wanted:
                return True
    return False


def _at_once_finding(system: System, label: str, *, mixed: bool) -> CheckResult:
    if not mixed:
        return CheckResult(
            ok=True,
            what=say(
                "asked with {settings} at the same time, each keeps its answer", settings=label
            ),
        )
    if _may_take_more(system) and system.max_concurrency == 1:
        return CheckResult(
            ok=None,
            what=say(
                "asked with {settings} at the same time, its answers mix: it keeps its settings or "
                "its session where all calls share them. It is asked one question at a time, which "
                "is safe; do not use --concurrency or max_concurrency with it",
                settings=label,
            ),
        )
    return CheckResult(
        ok=False,
        what=f"asked with {label} at the same time, its answers mix: rows would have the answers "
        "of other variants; use --concurrency 1 or max_concurrency: 1, or isolate: process",
    )


def _seen(answer: Answer) -> Any:
    """What of an answer can show a leak: not its times."""
    passages = None if answer.passages is None else [passage.id for passage in answer.passages]
    return (answer.text, passages)


def _text(settings: LeakSettings) -> str:
    return ", ".join(f"{name}={value}" for name, value in settings.items()) or "no settings"
