"""Several systems in one run: each variant is asked of its own system.

The setting ``system`` of a variant names its system, and the setting ``identity`` identifies it, so
that another system beside it changes nothing for the answers that are recorded.
"""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from assay.config import PassagesOrder
from assay.records import Answer, Question
from assay.systems.protocol import (
    AnswersOnLoop,
    HasNotes,
    Prepares,
    PreparesSources,
    Replays,
    SeparatesVariants,
    Setting,
    System,
    TakesRow,
    WarmsUp,
    lists_by_rank,
)

SYSTEM: Final = "system"
IDENTITY: Final = "identity"
SIDE_BY_SIDE: Final = "side by side"
"""The identity of any systems that are asked side by side."""


class SideBySide:
    """Systems by the names of their variants."""

    def __init__(self, systems: Mapping[str, System]) -> None:
        self._systems = dict(systems)
        self._distinct = list({id(system): system for system in systems.values()}.values())

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
    def notes(self) -> Sequence[str]:
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
