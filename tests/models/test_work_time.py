"""The stopwatch: what is measured, and what is taken out."""

import asyncio

import pytest

from assay.models.limit import Deadline, current_deadline, waiting_in_line
from assay.models.work_time import (
    Stopwatch,
    not_working,
    stopwatch,
    take_out,
    work_ends,
    work_starts,
)
from tests.support.clock import Clock, stop_time


def test_parts_that_overlap_are_taken_out_once():
    """Two calls of one question that wait at the same moment do not shorten it twice."""
    clock = Clock()
    watch = Stopwatch(clock)
    watch.start()
    for start, end in ((1.0, 3.0), (2.0, 4.0), (2.5, 2.6), (6.0, 7.0)):
        watch.take_out(start, end)
    clock.now = 10.0
    watch.stop()
    assert watch.elapsed_s() == 6.0


def test_only_what_is_inside_the_measurement_is_taken_out():
    """A part before the start or after the end changes nothing."""
    clock = Clock()
    watch = Stopwatch(clock)
    clock.now = 5.0
    watch.start()
    watch.take_out(0.0, 4.0)
    watch.take_out(4.0, 6.0)
    clock.now = 8.0
    watch.stop()
    watch.take_out(8.0, 9.0)
    assert watch.elapsed_s() == 2.0


def test_the_worker_decides_when_the_work_starts_and_ends():
    """A second start begins anew, and only the first stop after it counts."""
    with stopwatch() as watch:
        watch.clock = clock = Clock()
        watch.start()
        clock.now = 3.0
        work_starts()
        clock.now = 5.0
        work_ends()
        clock.now = 9.0
        watch.stop()
        assert watch.elapsed_s() == 2.0


def test_all_stopwatches_that_run_lose_the_part():
    """A call inside a question is measured by two stopwatches."""
    with stopwatch() as question, stopwatch() as call:
        question.clock = call.clock = clock = Clock()
        question.start()
        call.start()
        take_out(1.0, 3.0)
        clock.now = 4.0
        assert (question.elapsed_s(), call.elapsed_s()) == (2.0, 2.0)


def test_without_a_stopwatch_nothing_happens():
    """Calls outside of a question are made in the same way."""
    with not_working():
        take_out(0.0, 1.0)
    work_starts()
    work_ends()


def test_waiting_in_line_is_not_measured(monkeypatch: pytest.MonkeyPatch):
    """Time spent waiting for one of our own limits is in no latency, with and without a deadline."""
    clock = stop_time(monkeypatch)

    async def wait(deadline: Deadline | None) -> float:
        current_deadline.set(deadline)
        with stopwatch() as watch:
            clock.wait(1.0)
            with waiting_in_line():
                await clock.sleep(5.0)
            return watch.elapsed_s()

    assert asyncio.run(wait(None)) == 1.0
    assert asyncio.run(wait(Deadline(10.0))) == 1.0


def test_a_stopwatch_that_never_started_has_measured_nothing():
    """Work that was cancelled before its first step took no time."""
    assert Stopwatch(clock=lambda: 100.0).elapsed_s() == 0.0
