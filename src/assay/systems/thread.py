"""Worker threads for blocking callables, where a call that never returns can be abandoned.

``concurrent.futures`` joins its threads at exit, so a single hanging call would hang the whole
program. The threads of this module are daemons. When a call is cancelled, its thread is abandoned
and a new thread may replace it; ``settled`` waits until all abandoned calls have ended.
"""

import asyncio
import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from typing import Any

from assay.errors import ProviderUnavailable
from assay.redact.error_text import class_name
from assay.text.width import counted

MAX_ABANDONED = 1000


class ThreadPool:
    """Runs blocking calls; it has as many threads as there are simultaneous calls."""

    def __init__(self, name: str = "assay-system") -> None:
        self._name = name
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._threads = 0
        self._busy = 0
        self._abandoned: list[_Job] = []

    @property
    def has_abandoned(self) -> bool:
        """Whether a call that was abandoned still runs."""
        self._abandoned = [job for job in self._abandoned if not job.returned]
        return bool(self._abandoned)

    async def settled(self) -> None:
        """Wait until no abandoned call runs."""
        while self.has_abandoned:
            await asyncio.wait([job.ended for job in self._abandoned])

    async def call(self, function: Callable[[], Any]) -> Any:
        """Run ``function`` in a thread; if this coroutine is cancelled, abandon that thread.

        Raises ``ProviderUnavailable`` if more than ``MAX_ABANDONED`` abandoned calls have still
        not returned.
        """
        if self.has_abandoned and len(self._abandoned) > MAX_ABANDONED:
            raise ProviderUnavailable(
                f"{counted(len(self._abandoned), 'call')} of the system never returned; it seems to hang"
            )
        job = _Job(function, asyncio.get_running_loop())
        if self._busy >= self._threads:
            self._start_thread()
        self._busy += 1
        self._jobs.put(job)
        try:
            return await job.future
        except asyncio.CancelledError:
            job.abandoned = True
            self._threads -= 1
            self._abandoned.append(job)
            raise
        finally:
            self._busy -= 1

    def close(self) -> None:
        """Let the idle threads end; busy threads end with the process."""
        for _ in range(self._threads):
            self._jobs.put(None)
        self._threads = 0

    def _start_thread(self) -> None:
        self._threads += 1
        threading.Thread(
            target=_serve, args=(self._jobs,), name=f"{self._name}-{self._threads}", daemon=True
        ).start()


class _Job:
    """One call and the future that receives its result."""

    def __init__(self, function: Callable[[], Any], loop: asyncio.AbstractEventLoop) -> None:
        self.function = function
        self.context = copy_context()
        self.loop = loop
        self.future: asyncio.Future[Any] = loop.create_future()
        self.ended: asyncio.Future[None] = loop.create_future()
        self.abandoned = False
        self.returned = False

    def run(self) -> None:
        """Make the call in the thread that has taken the job."""
        try:
            try:
                result = self.context.run(self.function)
            finally:
                self.end()
        except BaseException as error:  # noqa: BLE001 - raised again where the result is awaited
            failure = _future_error(error)
            self._deliver(lambda future: future.set_exception(failure))
        else:
            self._deliver(lambda future: future.set_result(result))

    def end(self) -> None:
        """Note that the call does not run any more, or was never begun."""
        self.returned = True
        with suppress(RuntimeError):  # the loop is closed: nobody waits
            self.loop.call_soon_threadsafe(self._note_end)

    def _note_end(self) -> None:
        if not self.ended.done():
            self.ended.set_result(None)

    def _deliver(self, settle: Callable[[asyncio.Future[Any]], None]) -> None:
        def deliver() -> None:
            if not self.future.done():
                settle(self.future)

        if not self.abandoned and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(deliver)


def _future_error(error: BaseException) -> BaseException:
    """An error that a future can hold, which ``StopIteration`` and ``SystemExit`` are not."""
    if isinstance(error, Exception) and not isinstance(error, StopIteration):
        return error
    failure = RuntimeError(f"the system raised {class_name(error)}: {error}")
    failure.__cause__ = error  # a group may hold what says whether another attempt helps
    return failure


def _serve(jobs: "queue.SimpleQueue[_Job | None]") -> None:
    while (job := jobs.get()) is not None:
        if job.abandoned:
            job.end()
        else:
            job.run()
        if job.abandoned:
            return  # the pool no longer counts this thread
