"""The event loop at the edge: interruptible, and never held up by a task that will not end."""

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
"""Tasks that did not end when cancelled. Kept, because destroying such a coroutine runs it
once more, and it may never give back control; a program that has any leaves by ``os._exit``."""

_PATIENCE_S = 1.0
_SHOW_CURSOR = b"\x1b[?25h\n"


def run_in_loop(main: Coroutine[Any, Any, T]) -> T:
    """``asyncio.run`` that does not wait for tasks which ignore their cancellation."""
    loop = asyncio.new_event_loop()
    try:
        asyncio.set_event_loop(loop)
        try:
            return loop.run_until_complete(main)
        finally:
            loop.run_until_complete(_cancel_rest())
            loop.run_until_complete(loop.shutdown_asyncgens())
    finally:
        asyncio.set_event_loop(None)
        left_behind.extend(asyncio.all_tasks(loop))
        loop.close()


async def _cancel_rest() -> None:
    rest = asyncio.all_tasks() - {asyncio.current_task()}
    for task in rest:
        task.cancel()
    if rest:
        await asyncio.wait(rest, timeout=_PATIENCE_S)


async def within(deadline: Deadline, work: Coroutine[Any, Any, T]) -> T:
    """What ``work`` returns, or ``CaseTimeout`` once the deadline has passed.

    Work that does not end even when cancelled is left behind, not waited for.
    """
    loop = asyncio.get_running_loop()
    task = loop.create_task(work)
    over: asyncio.Future[None] = loop.create_future()

    timer: asyncio.TimerHandle | None = None

    def end(_: object = None) -> None:
        if not over.done():
            over.set_result(None)

    def look() -> None:
        """End it if the time is up; look again later if it was waiting in a line of ours."""
        nonlocal timer
        left = deadline.left()
        if left <= 0 and not deadline.is_paused:
            end()
        else:
            timer = loop.call_later(max(left, 0.05), look)

    look()
    task.add_done_callback(end)
    try:
        await over
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
    """While this lasts, Ctrl+C and SIGTERM ask for a stop; a second one leaves at once.

    The handlers are plain signal handlers, not the loop's: they run even while a system
    blocks the loop, so that Ctrl+C always works the second time.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    asked = False

    def handle(number: int, _frame: FrameType | None) -> None:
        nonlocal asked
        code = 128 + number
        if asked:
            if os.isatty(2):
                os.write(2, _SHOW_CURSOR)
            os._exit(code)
        asked = True
        name = "interrupted" if number == signal.SIGINT else "told to end (SIGTERM)"
        loop.call_soon_threadsafe(request_stop, Interrupted(name, exit_code=code))

    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
