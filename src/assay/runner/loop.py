"""Running the event loop: it can be interrupted, and no task can keep it from ending."""

import asyncio
import os
import signal
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeVar

from assay.errors import CaseTimeout, Interrupted, RunStopped, SystemFailed
from assay.models import Deadline

T = TypeVar("T")

left_behind: list[asyncio.Task[Any]] = []
"""Tasks that did not end when cancelled. They are kept because destroying a coroutine resumes
it once more, and it may never return control. A program with such tasks exits by ``os._exit``."""

_CANCEL_TIMEOUT_S = 1.0
_SHOW_CURSOR = b"\x1b[?25h\n"


def run_in_loop(main: Coroutine[Any, Any, T]) -> T:
    """Like ``asyncio.run``, but without waiting for tasks that ignore their cancellation."""
    loop = asyncio.new_event_loop()
    try:
        asyncio.set_event_loop(loop)
        try:
            return loop.run_until_complete(main)
        finally:
            loop.run_until_complete(_cancel_other_tasks())
            loop.run_until_complete(loop.shutdown_asyncgens())
    finally:
        asyncio.set_event_loop(None)
        left_behind.extend(asyncio.all_tasks(loop))
        loop.close()


async def _cancel_other_tasks() -> None:
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks, timeout=_CANCEL_TIMEOUT_S)


async def within(deadline: Deadline, coroutine: Coroutine[Any, Any, T]) -> T:
    """Return the result of ``coroutine``; raise ``CaseTimeout`` once the deadline has passed.

    On a timeout the coroutine is cancelled, but its end is not waited for.
    """
    loop = asyncio.get_running_loop()
    task = loop.create_task(coroutine)
    finished: asyncio.Future[None] = loop.create_future()

    timer: asyncio.TimerHandle | None = None

    def end(_: object = None) -> None:
        if not finished.done():
            finished.set_result(None)

    def check_deadline() -> None:
        """End the wait at the deadline; check again later if the deadline is paused."""
        nonlocal timer
        left_s = deadline.left()
        if left_s <= 0 and not deadline.is_paused:
            end()
        else:
            timer = loop.call_later(max(left_s, 0.05), check_deadline)

    timer = loop.call_later(max(deadline.left(), 0.0), check_deadline)
    task.add_done_callback(end)
    try:
        await finished
    finally:
        if timer is not None:
            timer.cancel()
        if not task.done():
            task.cancel()
    if not task.done():
        raise CaseTimeout(f"no answer within {deadline.seconds:g} s")
    if task.cancelled():
        raise SystemFailed("the system cancelled its own work")
    return task.result()


@contextmanager
def interruptible(request_stop: Callable[[RunStopped], None]) -> Iterator[None]:
    """Within this context, Ctrl+C and SIGTERM request a stop; the second signal exits at once.

    The handlers are ordinary signal handlers and not those of the event loop. They run even
    while a system blocks the loop, so that the second Ctrl+C always works. In a thread other
    than the main thread the context does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
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
