"""A clock that only the test moves, so that no test depends on how busy the machine is."""

import asyncio
import time

import pytest

from assay.models.limit import Deadline, current_deadline
from assay.models.meter import Stopwatch

_sleep = asyncio.sleep  # a test may put a clock in its place

LONG_S = 3600.0
"""Longer than any deadline of a test."""


class Clock:
    """Shows the time that the test has set."""

    def __init__(self, now: float = 0.0) -> None:
        self.now = now

    def __call__(self) -> float:
        """The time in seconds."""
        return self.now

    def wait(self, seconds: float) -> None:
        """Let time pass instead of waiting."""
        self.now += max(0.0, seconds)

    async def sleep(self, seconds: float) -> None:
        """Let time pass, and let other tasks go on."""
        self.wait(seconds)
        await _sleep(0)


def stop_time(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Measure latencies and deadlines by a clock that stands still until the test moves it."""
    clock = Clock()
    monkeypatch.setattr(Deadline.__init__, "__kwdefaults__", {"clock": clock})
    monkeypatch.setattr(Stopwatch.__init__, "__defaults__", (clock,))
    monkeypatch.setattr(time, "perf_counter", clock)
    return clock


def pass_deadline() -> None:
    """Let the deadline of this case pass; those of other cases keep their time."""
    deadline = current_deadline.get()
    assert deadline is not None
    deadline._began_at -= LONG_S


async def hang() -> None:
    """Never end, so that the deadline of this case passes and that of no other."""
    pass_deadline()
    await asyncio.Event().wait()
