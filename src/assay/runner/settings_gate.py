"""Keeping the variants of an experiment apart in time.

Some systems keep their settings in a place that all their calls share. Questions of two variants
that are asked at the same time would then be answered with each other's settings, and every row
would still look right. For such a system, a question of another variant has to wait until all
that are being asked have ended.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from itertools import islice
from typing import Final

from assay.records import Case

_MOST_HELD: Final = 4096
QUESTIONS_EACH: Final = 8
"""So many questions of a variant for each one that is asked at a time: turns shall be rare."""


class SettingsGate:
    """Lets cases of one variant in together, those of another only when all have left.

    Cases are let in in the order in which they come, so that no variant waits for ever.
    """

    def __init__(self) -> None:
        self._variant = ""
        self._inside = 0
        self._waiting: deque[tuple[str, asyncio.Future[None]]] = deque()

    @asynccontextmanager
    async def variant(self, name: str) -> AsyncIterator[None]:
        """Hold a place for a case of this variant during the ``with`` block."""
        if self._waiting or not self._fits(name):
            turn = asyncio.get_running_loop().create_future()
            self._waiting.append((name, turn))
            try:
                await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled():
                    self._leave()  # it had been let in at the same moment
                raise
        else:
            self._enter(name)
        try:
            yield
        finally:
            self._leave()

    def _fits(self, name: str) -> bool:
        return self._inside == 0 or name == self._variant

    def _enter(self, name: str) -> None:
        self._variant = name
        self._inside += 1

    def _leave(self) -> None:
        self._inside -= 1
        while self._waiting and (self._waiting[0][1].done() or self._fits(self._waiting[0][0])):
            name, turn = self._waiting.popleft()
            if not turn.done():
                self._enter(name)
                turn.set_result(None)


def by_variant(cases: Iterator[Case], *, variants: int, questions: int) -> Iterator[Case]:
    """The cases, where so many questions of each variant follow each other.

    A plan changes the variant at every case. With a gate between variants only one question would
    then be asked at a time. Only a part of the plan is held in memory, and every variant is asked
    about the same questions before the next part begins.
    """
    size = min(_MOST_HELD, variants * questions)
    while part := list(islice(cases, size)):
        groups: dict[str, list[Case]] = {}
        for case in part:
            groups.setdefault(case.variant.name, []).append(case)
        for group in groups.values():
            yield from group
