"""Where cases run: the ``Executor`` protocol and its first form, asyncio in this process."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Protocol

from assay.errors import RunStopped
from assay.models import AdaptiveLimit
from assay.records import Case

Perform = Callable[[Case], Awaitable[None]]


class Stop:
    """A request to end the run. The first reason stands."""

    def __init__(self) -> None:
        self.reason: RunStopped | None = None
        self._event = asyncio.Event()

    def request(self, reason: RunStopped) -> None:
        """Ask for the end: no new cases from here on."""
        if self.reason is None:
            self.reason = reason
            self._event.set()

    def requested(self) -> bool:
        """Whether the run is to end."""
        return self.reason is not None

    async def wait(self) -> None:
        """Until somebody asks for the end."""
        await self._event.wait()


class Executor(Protocol):
    """Runs ``perform`` once for every case, some at a time, until they are out or told to stop.

    It takes the next case only when there is a place for it, so that a plan of any length
    needs the memory of what is in flight. ``perform`` records its own outcome; a
    ``RunStopped`` that leaves it ends the run.
    """

    async def execute(self, cases: Iterator[Case], perform: Perform, stop: Stop) -> None:
        """Go through ``cases``."""


class AsyncioExecutor:
    """Cases as coroutines on this process's event loop, bounded by an adaptive limit."""

    def __init__(self, limit: AdaptiveLimit, *, grace_s: float = 5.0) -> None:
        self.limit = limit
        self.grace_s = grace_s

    async def execute(self, cases: Iterator[Case], perform: Perform, stop: Stop) -> None:
        """Go through ``cases``; once stopped, give those in flight ``grace_s`` to end."""
        workers = {
            asyncio.create_task(self._work(cases, perform, stop)) for _ in range(self.limit.ceiling)
        }
        stopped = asyncio.create_task(stop.wait())
        try:
            while workers and not stop.requested():
                await asyncio.wait({*workers, stopped}, return_when=asyncio.FIRST_COMPLETED)
                workers = _unfinished(workers)
            if workers:
                await asyncio.wait(workers, timeout=self.grace_s)
                workers = _unfinished(workers)
        finally:
            for task in (*workers, stopped):
                task.cancel()
            if workers:
                await asyncio.wait(workers, timeout=1.0)

    async def _work(self, cases: Iterator[Case], perform: Perform, stop: Stop) -> None:
        while not stop.requested():
            async with self.limit:
                if stop.requested():
                    return
                case = next(cases, None)
                if case is None:
                    return
                try:
                    await perform(case)
                except RunStopped as reason:
                    stop.request(reason)


def _unfinished(workers: set[asyncio.Task[None]]) -> set[asyncio.Task[None]]:
    """The workers still at it; an unforeseen error of one that ended is raised here."""
    for worker in workers:
        if worker.done() and not worker.cancelled():
            worker.result()
    return {worker for worker in workers if not worker.done()}
