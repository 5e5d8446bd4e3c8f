"""The event loop: deadlines are enforced, and tasks that do not end are not waited for."""

import asyncio
import gc
import subprocess
import sys
import threading
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import pytest

from assay.errors import CaseTimeout, Interrupted, SystemFailed
from assay.models.limit import Deadline
from assay.runs import executor as loop
from assay.runs.executor import (
    Deadlines,
    Stop,
    interruptible,
    is_loop_running,
    outside_loop,
    run_in_loop,
    within,
)
from tests.support.clock import Clock


async def never() -> None:
    """Wait forever."""
    await asyncio.Event().wait()


def test_work_within_its_deadline_gives_its_result():
    """A result that is ready before the deadline is returned."""

    async def quick() -> int:
        return 42

    assert run_in_loop(within(Deadline(5), quick())) == 42


def test_an_error_of_the_work_is_raised_as_it_is():
    """An error raised before the deadline reaches the caller unchanged."""

    async def bad() -> None:
        raise KeyError("x")

    with pytest.raises(KeyError):
        run_in_loop(within(Deadline(5), bad()))


def test_work_past_its_deadline_is_cancelled():
    """The coroutine is cancelled at the deadline, and the caller gets ``CaseTimeout``."""
    ended: list[str] = []

    async def slow() -> None:
        try:
            await never()
        finally:
            ended.append("cancelled")

    with pytest.raises(CaseTimeout, match=r"no answer within 0\.05 s"):
        run_in_loop(within(Deadline(0.05), slow()))
    assert ended == ["cancelled"]


def test_a_paused_deadline_does_not_pass():
    """Time spent while the deadline is paused does not lead to a timeout."""
    clock = Clock()
    deadline = Deadline(0.05, clock=clock)

    async def in_line() -> str:
        with deadline.paused():
            clock.wait(1.0)
            await asyncio.sleep(0.1)
        return "through"

    assert run_in_loop(within(deadline, in_line())) == "through"


def test_work_that_is_cancelled_by_others_is_a_failure():
    """A cancellation raised by the coroutine itself becomes ``SystemFailed``."""

    async def cancelled() -> None:
        raise asyncio.CancelledError

    with pytest.raises(SystemFailed, match="cancelled its own work"):
        run_in_loop(within(Deadline(5), cancelled()))


def test_the_loop_ends_although_a_task_does_not(monkeypatch: pytest.MonkeyPatch):
    """A task that ignores its cancellation is not waited for, and is listed in ``left_behind``."""
    left: list[asyncio.Task[Any]] = []
    monkeypatch.setattr(loop, "left_behind", left)
    free = False

    async def stubborn() -> None:
        while not free:
            try:
                await never()
            except asyncio.CancelledError:
                continue

    async def main() -> str:
        task = asyncio.get_running_loop().create_task(stubborn())
        await asyncio.sleep(0)
        assert not task.done()
        return "done"

    assert run_in_loop(main()) == "done"
    free = True
    assert len(left) == 1


def test_a_stop_keeps_its_first_reason():
    """Later reasons do not replace the first one."""

    async def main() -> None:
        stop = Stop()
        assert not stop.requested()
        first = Interrupted("first")
        stop.request(first)
        stop.request(Interrupted("second"))
        await stop.wait()
        assert stop.reason is first

    run_in_loop(main())


def test_runs_in_other_threads_leave_signals_alone():
    """A run in a thread other than the main thread works without signal handlers."""
    done: list[bool] = []

    async def main() -> None:
        with interruptible(lambda _: None):
            done.append(True)

    thread = threading.Thread(target=lambda: run_in_loop(main()))
    thread.start()
    thread.join(60)
    assert done == [True]


def test_a_shorter_deadline_that_comes_later_passes_first():
    """One timer serves all deadlines, and each of them passes at its own time."""

    async def main() -> None:
        deadlines = Deadlines()
        longer = [
            asyncio.ensure_future(deadlines.wait(Deadline(seconds), never()))
            for seconds in (900.0, 600.0)
        ]
        await asyncio.sleep(0)
        with pytest.raises(CaseTimeout, match=r"within 0\.05 s"):
            async with asyncio.timeout(60):
                await deadlines.wait(Deadline(0.05), never())
        assert not any(wait.done() for wait in longer)
        for wait in longer:
            wait.cancel()

    run_in_loop(main())


def test_a_deadline_passes_although_others_have_ended_or_are_paused():
    """Work that has ended, and work that waits in line, keep no other deadline from passing."""
    paused = Deadline(0.05)

    async def quick() -> str:
        return "done"

    async def main() -> None:
        deadlines, through = Deadlines(), asyncio.Event()

        async def in_line() -> str:
            with paused.paused():
                await through.wait()
            return "through"

        waiting = asyncio.ensure_future(deadlines.wait(paused, in_line()))
        assert await deadlines.wait(Deadline(0.02), quick()) == "done"
        with pytest.raises(CaseTimeout):
            await deadlines.wait(Deadline(0.1), never())
        through.set()
        assert await waiting == "through"

    run_in_loop(main())


@pytest.mark.parametrize(
    ("set_before", "within_loop"),
    [
        ((700, 10, 10), (20_000, 10, 10)),
        ((50_000, 5, 5), (50_000, 5, 5)),
        ((0, 10, 10), (0, 10, 10)),
    ],
)
def test_cycles_are_collected_rarely_while_cases_run(
    set_before: tuple[int, int, int], within_loop: tuple[int, int, int]
):
    """What was set before counts again afterwards; what is rarer or switched off stays so."""

    async def threshold() -> tuple[int, int, int]:
        return gc.get_threshold()

    usual = gc.get_threshold()
    try:
        gc.set_threshold(*set_before)
        assert run_in_loop(threshold()) == within_loop
        assert gc.get_threshold() == set_before
    finally:
        gc.set_threshold(*usual)


def test_a_system_that_sets_how_often_cycles_are_collected_is_obeyed():
    """Its setting stays after the run."""

    async def set_own() -> None:
        gc.set_threshold(1_000, 7, 7)

    usual = gc.get_threshold()
    try:
        run_in_loop(set_own())
        assert gc.get_threshold() == (1_000, 7, 7)
    finally:
        gc.set_threshold(*usual)


def test_a_function_runs_beside_a_running_loop():
    """In a thread of its own, with the context of the caller; its error is raised here."""
    variable: ContextVar[str] = ContextVar("variable")

    async def cell() -> tuple[str, bool]:
        variable.set("set")
        return outside_loop(lambda: (variable.get(), is_loop_running()))

    assert asyncio.run(cell()) == ("set", False)
    assert outside_loop(threading.current_thread) is threading.current_thread()
    with pytest.raises(ZeroDivisionError):
        outside_loop(lambda: 1 // 0, always=True)


INTERRUPTED = """
import os, signal, sys, time
import assay

asked = []

def ask(question):
    asked.append(question)
    if len(asked) == 3:
        os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.02)
    return "30 days"

if sys.argv[1] == "typed":
    sys.ps1 = ">>> "
questions = [f"How long is {n}?" for n in range(30)]
try:
    assay.run(ask, questions, name="x")
except KeyboardInterrupt:
    done = assay.open("x").tally.scored
    run = assay.run(ask, questions, name="x")
    print(3 <= done < 30, len(asked), run.is_complete)
"""


@pytest.mark.parametrize("how", ["script", "typed"])
def test_an_interrupted_program_goes_on_with_the_same_call(tmp_path: Path, how: str):
    """Ctrl+C raises KeyboardInterrupt after the answers are written, in a script and at a prompt."""
    ran = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, how],
        cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (ran.stdout.split(), ran.returncode) == (["True", "30", "True"], 0), ran.stderr
