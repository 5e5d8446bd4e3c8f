"""Worker threads for blocking callables, with a way out of one that never returns.

``concurrent.futures`` joins its threads at exit, so one hanging call would hang the whole
program. Here threads are daemons, and a call that is given up leaves its thread behind and
lets a new one take its place.
"""

import asyncio
import queue
import threading
from collections.abc import Callable
from contextvars import copy_context
from typing import Any

from assay.errors import ProviderUnavailable

MAX_LOST = 1000


class ThreadPool:
    """Runs blocking calls; grows to as many threads as are called at once."""

    def __init__(self, name: str = "assay-system") -> None:
        self._name = name
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._threads = 0
        self._busy = 0
        self._lost: list[_Job] = []

    async def call(self, function: Callable[[], Any]) -> Any:
        """Run ``function`` in a thread; when this is cancelled, leave that thread behind."""
        self._lost = [job for job in self._lost if not job.returned]
        if len(self._lost) > MAX_LOST:
            raise ProviderUnavailable(
                f"{len(self._lost)} calls of the system never returned; it seems to hang for good"
            )
        job = _Job(function, asyncio.get_running_loop())
        if self._busy >= self._threads:
            self._start_thread()
        self._busy += 1
        self._jobs.put(job)
        try:
            return await job.future
        except asyncio.CancelledError:
            job.given_up = True
            self._threads -= 1
            self._lost.append(job)
            raise
        finally:
            self._busy -= 1

    def close(self) -> None:
        """Let the idle threads end; busy ones end with the process."""
        for _ in range(self._threads):
            self._jobs.put(None)
        self._threads = 0

    def _start_thread(self) -> None:
        self._threads += 1
        threading.Thread(
            target=_serve, args=(self._jobs,), name=f"{self._name}-{self._threads}", daemon=True
        ).start()


class _Job:
    """One call and where its result goes."""

    def __init__(self, function: Callable[[], Any], loop: asyncio.AbstractEventLoop) -> None:
        self.function = function
        self.context = copy_context()
        self.loop = loop
        self.future: asyncio.Future[Any] = loop.create_future()
        self.given_up = False
        self.returned = False

    def run(self) -> None:
        try:
            try:
                result = self.context.run(self.function)
            finally:
                self.returned = True
        except BaseException as error:  # noqa: BLE001 - it is raised where the result is awaited
            failure = _awaitable(error)
            self._deliver(lambda future: future.set_exception(failure))
        else:
            self._deliver(lambda future: future.set_result(result))

    def _deliver(self, settle: Callable[[asyncio.Future[Any]], None]) -> None:
        def deliver() -> None:
            if not self.future.done():
                settle(self.future)

        if not self.given_up and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(deliver)


def _awaitable(error: BaseException) -> BaseException:
    """An error that a future can carry: ``StopIteration`` and exits cannot pass through one."""
    if isinstance(error, Exception) and not isinstance(error, StopIteration):
        return error
    return RuntimeError(f"the system raised {type(error).__name__}: {error}")


def _serve(jobs: "queue.SimpleQueue[_Job | None]") -> None:
    while (job := jobs.get()) is not None:
        if not job.given_up:
            job.run()
        if job.given_up:
            return  # another thread takes this one's place
