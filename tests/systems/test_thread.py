"""Worker threads: reused while calls return, abandoned when they do not."""

import asyncio
import threading
from contextvars import ContextVar

import pytest

from assay.errors import ProviderUnavailable
from assay.systems import thread
from assay.systems.thread import ThreadPool


def test_one_thread_serves_calls_that_follow_each_other():
    """An idle thread is reused before a new one is started."""

    async def scenario() -> set[int]:
        pool = ThreadPool()
        used = {await pool.call(threading.get_ident) for _ in range(20)}
        pool.close()
        return used

    assert len(asyncio.run(scenario())) == 1


def test_context_reaches_the_thread():
    """A call sees the context variables of the task that made it."""
    name: ContextVar[str] = ContextVar("name", default="none")

    async def scenario() -> str:
        pool = ThreadPool()
        name.set("case 7")
        value: str = await pool.call(name.get)
        pool.close()
        return value

    assert asyncio.run(scenario()) == "case 7"


def test_idle_threads_end_with_the_pool():
    """After closing, no thread waits for work."""

    async def scenario() -> threading.Thread:
        pool = ThreadPool(name="lab-idle")
        worker: threading.Thread = await pool.call(threading.current_thread)
        assert worker.daemon
        pool.close()
        return worker

    worker = asyncio.run(scenario())
    worker.join(60)
    assert not worker.is_alive()


def test_a_closed_pool_can_be_used_again():
    """A pool that was closed starts new threads."""

    async def scenario() -> int:
        pool = ThreadPool()
        await pool.call(int)
        pool.close()
        async with asyncio.timeout(60):
            result: int = await pool.call(lambda: 7)
        pool.close()
        return result

    assert asyncio.run(scenario()) == 7


async def abandon_call(pool: ThreadPool, release: threading.Event) -> None:
    """Start a call that waits for ``release``, and cancel it."""
    started = threading.Event()

    def wait() -> None:
        started.set()
        release.wait(30)

    task = asyncio.create_task(pool.call(wait))
    while not started.is_set() and not task.done():  # noqa: ASYNC110 - another thread sets it
        await asyncio.sleep(0.001)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


def test_a_system_that_hangs_for_good_ends_the_run(monkeypatch: pytest.MonkeyPatch):
    """Too many calls that never return stop the run, so that threads do not pile up."""
    monkeypatch.setattr(thread, "MAX_ABANDONED", 2)
    release = threading.Event()

    async def scenario() -> None:
        pool = ThreadPool()
        for _ in range(3):
            await abandon_call(pool, release)
        with pytest.raises(ProviderUnavailable, match="3 calls of the system never returned"):
            await pool.call(int)
        pool.close()

    try:
        asyncio.run(scenario())
    finally:
        release.set()


def test_a_call_that_returns_late_is_not_lost_for_good(monkeypatch: pytest.MonkeyPatch):
    """Cancelled calls that returned later do not count towards the limit."""
    monkeypatch.setattr(thread, "MAX_ABANDONED", 2)

    async def scenario() -> None:
        pool = ThreadPool(name="lab-late")
        for _ in range(6):
            release = threading.Event()
            await abandon_call(pool, release)
            release.set()
            for worker in threading.enumerate():
                if worker.name.startswith("lab-late"):
                    await asyncio.to_thread(worker.join, 10)
        assert await pool.call(lambda: 7) == 7
        pool.close()

    asyncio.run(scenario())


def test_a_late_result_reaches_nobody():
    """A call gets its own result, not that of a call cancelled before."""
    release = threading.Event()

    async def scenario() -> str:
        pool = ThreadPool()
        await abandon_call(pool, release)
        call = asyncio.create_task(pool.call(lambda: "mine"))
        release.set()
        async with asyncio.timeout(60):
            result: str = await call
        pool.close()
        return result

    assert asyncio.run(scenario()) == "mine"
