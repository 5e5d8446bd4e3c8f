"""All runs that go on, counted once for everybody who watches.

The hub works only while somebody watches. It keeps the newest state of each run and nothing else:
a client that is slow finds a newer state, not a longer queue.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from assay.errors import AssayError
from assay.journal import is_being_written
from assay.web.events.count import RunCount
from assay.web.events.cursor import Cursor
from assay.web.library import Library
from assay.web.live_api import LiveRun

TURN_S: Final = 0.25
"""A run is counted again after this time: a few times a second."""
SLOWEST_S: Final = 0.9
"""A server that has much to do counts less often, but not less often than this."""
SHARE: Final = 0.05
"""How much of a core counting and sending may take: the runs need the cores themselves."""
SEARCH_S: Final = 1.0
"""The folders are searched for new journals after this time."""
ENDED_S: Final = 60.0
"""How long the last state of a run that has ended is kept, for clients that come back."""


class LiveState(Struct, frozen=True):
    """The newest state of a run as an event; ``version`` grows with each change."""

    version: int
    cursor: Cursor
    run: LiveRun
    event: bytes


class Hub:
    """Counts the runs of a library while it is watched."""

    def __init__(self, library: Library) -> None:
        self.states: dict[str, LiveState] = {}
        self.live: tuple[str, ...] = ()
        self._library = library
        self._counts: dict[str, RunCount] = {}
        self._journals: dict[str, Path] = {}
        self._search_at = 0.0
        self._ended_at: dict[str, float] = {}
        self._version = 0
        self._watchers = 0
        self._task: asyncio.Task[None] | None = None
        self._turned = asyncio.Event()

    @asynccontextmanager
    async def watched(self) -> AsyncIterator[None]:
        """While this context is open, the states are kept up to date; they are when it opens."""
        self._watchers += 1
        if self._task is None:
            self._search_at = 0.0
            self._task = asyncio.create_task(self._work())
            await self.turn()
        try:
            yield
        finally:
            self._watchers -= 1
            if not self._watchers and self._task is not None:
                task, self._task = self._task, None
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
                self._forget()

    async def turn(self) -> None:
        """Wait until all runs were counted again."""
        await self._turned.wait()

    async def _work(self) -> None:
        used = time.process_time()
        while True:
            began = time.monotonic()
            with suppress(AssayError, OSError):  # a folder that is gone for a moment
                await asyncio.to_thread(self._count)
            turned, self._turned = self._turned, asyncio.Event()
            turned.set()
            before, used = used, time.process_time()
            took = time.monotonic() - began
            await asyncio.sleep(max(turn_s(used - before) - took, TURN_S / 5))

    def _count(self) -> None:
        """Look for runs that go on, and read what they added."""
        now = time.monotonic()
        if now >= self._search_at:
            self._journals = self._library.journals()
            self._search_at = now + SEARCH_S
        for run, journal in self._journals.items():
            if run not in self._counts and is_being_written(journal):
                self._counts[run] = RunCount(run, journal)
                self._ended_at.pop(run, None)
        for run, count in list(self._counts.items()):
            self._take(run, count)
        self.live = tuple(self._counts)
        for run, moment in list(self._ended_at.items()):
            if now - moment > ENDED_S:
                del self._ended_at[run]
                self.states.pop(run, None)

    def _take(self, run: str, count: RunCount) -> None:
        try:
            found = count.update()
        except Exception:  # noqa: BLE001 - one bad file must not hide the other runs; the list says why
            found, is_readable = None, False
        else:
            is_readable = True
        if found is not None:
            cursor, state = found
            known = self.states.get(run)
            if known is None or not _is_same(known.run, state):
                self._version += 1
                event = b"id: %b\nevent: progress\ndata: %b\n\n" % (
                    str(cursor).encode(),
                    msgspec.json.encode(state),
                )
                self.states[run] = LiveState(self._version, cursor, state, event)
        if not is_readable or (found is not None and not found[1].is_running):
            count.close()
            del self._counts[run]
            self._ended_at[run] = time.monotonic()

    def _forget(self) -> None:
        for count in self._counts.values():
            count.close()
        self._counts.clear()
        self._ended_at.clear()
        self.states.clear()
        self.live = ()


def turn_s(used_s: float) -> float:
    """How long a turn lasts after one in which the server used this CPU time, sending included.

    >>> turn_s(0.001), turn_s(0.025), turn_s(3.0)
    (0.25, 0.5, 0.9)
    """
    return min(max(TURN_S, used_s / SHARE), SLOWEST_S)


def _is_same(known: LiveRun, state: LiveRun) -> bool:
    """Whether nothing but the clock has moved."""
    return msgspec.structs.replace(known, elapsed_s=None) == msgspec.structs.replace(
        state, elapsed_s=None
    )
