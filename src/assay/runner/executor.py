"""How cases are executed: the ``Executor`` protocol and its asyncio implementation."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Protocol

from assay.errors import CeilingReached, RunStopped
from assay.models import AdaptiveLimit
from assay.records import Case

Perform = Callable[[Case], Awaitable[None]]


class Stop:
    """A request to end the run. Only the first reason is kept."""

    def __init__(self) -> None:
        self.reason: RunStopped | None = None
        self._event = asyncio.Event()

    def request(self, reason: RunStopped) -> None:
        """Request the end of the run: no further cases are started."""
        if self.reason is None:
            self.reason = reason
            self._event.set()

    def after(self, minutes: float | None) -> asyncio.TimerHandle | None:
        """Request the end of the run after some minutes of the running loop; never if ``None``."""
        if minutes is None:
            return None
        reason = CeilingReached(f"the time limit of {minutes:g} min has been reached")
        return asyncio.get_running_loop().call_later(minutes * 60, self.request, reason)

    def requested(self) -> bool:
        """Whether the end of the run was requested."""
        return self.reason is not None

    async def wait(self) -> None:
        """Wait until the end of the run is requested."""
        await self._event.wait()


class Executor(Protocol):
    """Runs ``perform`` once for every case, several at a time, until all are done or a stop.

    It takes the next case only when it can start it, so that memory depends on the number of
    cases in flight and not on the length of the plan. ``perform`` records the outcome itself;
    if it raises ``RunStopped``, the run ends.
    """

    async def execute(self, cases: Iterator[Case], perform: Perform, stop: Stop) -> None:
        """Run ``perform`` for all ``cases``; return early once ``stop`` is requested."""


class AsyncioExecutor:
    """Runs cases as coroutines on the event loop of this process, up to an adaptive limit."""

    def __init__(self, limit: AdaptiveLimit, *, grace_s: float = 5.0) -> None:
        self.limit = limit
        self.grace_s = grace_s

    async def execute(self, cases: Iterator[Case], perform: Perform, stop: Stop) -> None:
        """Run all ``cases``; after a stop, wait up to ``grace_s`` for those in flight."""
        workers = {
            asyncio.create_task(self._run_worker(cases, perform, stop))
            for _ in range(self.limit.ceiling)
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

    async def _run_worker(self, cases: Iterator[Case], perform: Perform, stop: Stop) -> None:
        while not stop.requested():
            if not self.limit.take():
                await self.limit.acquire()
            try:
                case = None if stop.requested() else next(cases, None)
                if case is None:
                    return
                await perform(case)
            except RunStopped as reason:
                stop.request(reason)
            finally:
                self.limit.release()


def _unfinished(workers: set[asyncio.Task[None]]) -> set[asyncio.Task[None]]:
    """The workers that still run. Raises the error of a worker that ended with one."""
    for worker in workers:
        if worker.done() and not worker.cancelled():
            worker.result()
    return {worker for worker in workers if not worker.done()}
