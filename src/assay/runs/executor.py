"""How cases are executed: the ``Executor`` protocol and its asyncio implementation."""

import asyncio
import gc
import os
import signal
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from contextvars import copy_context
from types import FrameType
from typing import Any, Final, Protocol, TypeVar

from assay.errors import CaseTimeout, CeilingReached, Interrupted, RunStopped, SystemFailed
from assay.models.limit import AdaptiveLimit, Deadline
from assay.records import Case

# Running the event loop: it can be interrupted, and no task can keep it from ending.

T = TypeVar("T")

left_behind: list[asyncio.Task[Any]] = []
"""Tasks that did not end when cancelled. They are kept because destroying a coroutine resumes
it once more, and it may never return control. A program with such tasks exits by ``os._exit``."""

_CANCEL_TIMEOUT_S = 1.0
_CHECK_AGAIN_S = 0.05
_COLLECT_AFTER = 20_000
"""Objects that may be made before Python looks for cycles among them. Its own 700 is reached every
ten cases, and the search costs a tenth of a case that only calls a model; cases leave no cycles."""
_SHOW_CURSOR = b"\x1b[?25h\n"


def run_in_loop(main: Coroutine[Any, Any, T]) -> T:
    """Like ``asyncio.run``, but without waiting for tasks that ignore their cancellation."""
    loop = asyncio.new_event_loop()
    try:
        asyncio.set_event_loop(loop)
        try:
            with rare_collection():
                return loop.run_until_complete(main)
        finally:
            loop.run_until_complete(_cancel_other_tasks())
            loop.run_until_complete(loop.shutdown_asyncgens())
    finally:
        asyncio.set_event_loop(None)
        left_behind.extend(asyncio.all_tasks(loop))
        loop.close()


@contextmanager
def rare_collection() -> Iterator[None]:
    """Collect cycles more rarely, unless that is done still more rarely already, or not at all."""
    before = gc.get_threshold()
    ours = (max(before[0], _COLLECT_AFTER), *before[1:])
    if before[0] > 0:
        gc.set_threshold(*ours)
    try:
        yield
    finally:
        if gc.get_threshold() == ours:  # otherwise the system under test has set its own
            gc.set_threshold(*before)


async def _cancel_other_tasks() -> None:
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks, timeout=_CANCEL_TIMEOUT_S)


class Deadlines:
    """Waits for coroutines, each until its deadline. One timer serves all of them.

    A run has thousands of deadlines, and almost none of them passes.
    """

    def __init__(self) -> None:
        self._waiting: dict[asyncio.Future[None], Deadline] = {}
        self._timer: asyncio.TimerHandle | None = None

    async def wait(self, deadline: Deadline, coroutine: Coroutine[Any, Any, T]) -> T:
        """Return the result of ``coroutine``; raise ``CaseTimeout`` once the deadline has passed.

        On a timeout the coroutine is cancelled, but its end is not waited for.
        """
        loop = asyncio.get_running_loop()
        finished: asyncio.Future[None] = loop.create_future()
        task = loop.create_task(_announced(coroutine, finished))
        self._waiting[finished] = deadline
        self._check_in(loop, deadline.left())
        try:
            await finished
        finally:
            del self._waiting[finished]
            if not task.done():
                task.cancel()
        if not task.done():
            raise CaseTimeout(f"no answer within {deadline.seconds:g} s")
        if task.cancelled():
            raise SystemFailed("the system cancelled its own work")
        return task.result()

    def _check_in(self, loop: asyncio.AbstractEventLoop, seconds: float) -> None:
        """Check all deadlines after this time, unless the timer goes off earlier anyway."""
        due = loop.time() + max(seconds, 0.0)
        if self._timer is not None:
            if self._timer.when() <= due:
                return
            self._timer.cancel()
        self._timer = loop.call_at(due, self._check)

    def _check(self) -> None:
        """End the waits whose deadline has passed; check again later if one is paused."""
        self._timer = None
        loop = asyncio.get_running_loop()
        for finished, deadline in self._waiting.items():
            left_s = deadline.left()
            if left_s <= 0 and not deadline.is_paused:
                _end(finished)
            else:
                self._check_in(loop, max(left_s, _CHECK_AGAIN_S))


async def within(deadline: Deadline, coroutine: Coroutine[Any, Any, T]) -> T:
    """Wait for one coroutine (see ``Deadlines.wait``)."""
    return await Deadlines().wait(deadline, coroutine)


async def _announced(coroutine: Coroutine[Any, Any, T], finished: asyncio.Future[None]) -> T:
    """The result of the coroutine; ``finished`` is set in the same step in which it ends."""
    try:
        return await coroutine
    finally:
        _end(finished)


def _end(finished: asyncio.Future[None]) -> None:
    if not finished.done():
        finished.set_result(None)


class _Interrupts(threading.local):
    """What a thread does if the program is interrupted, which only its main thread notices."""

    stop: "_Interrupt | None" = None


class _Interrupt:
    """A wish to stop, which the run in another thread may hear of before or after it begins."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_requested = False
        self._heard: Callable[[], object] | None = None

    def request(self) -> None:
        """Ask the run to stop."""
        with self._lock:
            self._is_requested = True
            if self._heard is not None:
                self._heard()

    def hear(self, heard: Callable[[], object] | None) -> None:
        """Call ``heard`` when the run is asked to stop; at once if it was already."""
        with self._lock:
            self._heard = heard
            if self._is_requested and heard is not None:
                heard()


_interrupts: Final = _Interrupts()


def is_loop_running() -> bool:
    """Whether an event loop runs in this thread, as in a cell of a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def outside_loop(function: Callable[[], T], *, always: bool = False) -> T:
    """Call ``function``, in a new thread if an event loop runs in this one, or ``always``.

    Ctrl+C stops the run that the function has begun, and its result is returned. The second one raises
    ``KeyboardInterrupt`` at once; the run ends by itself.
    """
    if not always and not is_loop_running():
        return function()
    results: list[T] = []
    errors: list[BaseException] = []
    interrupt, context, ended = _Interrupt(), copy_context(), threading.Event()

    def run() -> None:
        _interrupts.stop = interrupt
        try:
            results.append(context.run(function))
        except BaseException as error:  # noqa: BLE001 - it is raised in the calling thread
            errors.append(error)
        finally:
            ended.set()

    threading.Thread(target=run, name="assay-run", daemon=True).start()
    try:
        ended.wait()  # an interrupted join takes the thread for ended (Python 3.11)
    except KeyboardInterrupt:
        interrupt.request()
        ended.wait()
    if errors:
        raise errors[0]
    return results[0]


@contextmanager
def interruptible(request_stop: Callable[[RunStopped], None]) -> Iterator[None]:
    """Within this context, Ctrl+C and SIGTERM request a stop; the second signal exits at once.

    The handlers are ordinary signal handlers and not those of the event loop. They run even
    while a system blocks the loop, so that the second Ctrl+C always works. In a thread other
    than the main thread, only ``outside_loop`` can request the stop.
    """
    if threading.current_thread() is not threading.main_thread():
        with _heard(request_stop):
            yield
        return
    loop = asyncio.get_running_loop()
    stop_requested = False

    def handle(number: int, _frame: FrameType | None) -> None:
        nonlocal stop_requested
        code = 128 + number
        if stop_requested:
            if os.isatty(2):
                os.write(2, _SHOW_CURSOR)
            os._exit(code)
        stop_requested = True
        name = "interrupted" if number == signal.SIGINT else "terminated (SIGTERM)"
        loop.call_soon_threadsafe(request_stop, Interrupted(name, exit_code=code))

    signals = (signal.SIGINT, signal.SIGTERM)
    previous_handlers = {number: signal.signal(number, handle) for number in signals}
    try:
        yield
    finally:
        for number, handler in previous_handlers.items():
            signal.signal(number, handler)


@contextmanager
def _heard(request_stop: Callable[[RunStopped], None]) -> Iterator[None]:
    """Request a stop if the thread that waits for this one is interrupted."""
    loop, interrupt = asyncio.get_running_loop(), _interrupts.stop
    if interrupt is None:
        yield
        return
    reason = Interrupted("interrupted")
    interrupt.hear(lambda: loop.call_soon_threadsafe(request_stop, reason))
    try:
        yield
    finally:
        interrupt.hear(None)


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
