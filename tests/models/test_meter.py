"""The meter: the usage of one case, also when other cases run at the same time."""

import asyncio

import pytest

from assay.models.limit import Deadline, current_deadline, waiting_in_line
from assay.models.meter import (
    Meter,
    Stopwatch,
    metering,
    not_working,
    record_call,
    stopwatch,
    take_out,
    time_to_first_text,
    work_ends,
    work_starts,
)
from assay.records import Usage
from tests.support.clock import Clock, stop_time


def test_no_calls_are_no_bill():
    """Without model calls the usage is None, not zero."""
    with metering() as meter:
        pass
    assert meter.usage() is None


def test_calls_add_up():
    """Calls, tokens and cost are added up; a replayed call has a cost but is not paid."""
    with metering() as meter:
        record_call(prompt_tokens=10, completion_tokens=5, cost=0.5)
        record_call(prompt_tokens=20, completion_tokens=1, cost=0.25, replayed=True, latency_s=2.0)
    assert meter.usage() == Usage(
        calls=2,
        replayed_calls=1,
        prompt_tokens=30,
        completion_tokens=6,
        unmetered_calls=0,
        cost=0.75,
        paid=0.5,
    )
    assert meter.replayed_s == 2.0


@pytest.mark.parametrize("tokens", [(None, None), (7, None), (None, 7)])
def test_tokens_not_stated_make_an_unmetered_call(tokens: tuple[int | None, int | None]):
    """A call with an unknown token count is counted as unmetered."""
    with metering() as meter:
        record_call(prompt_tokens=tokens[0], completion_tokens=tokens[1], cost=None)
    usage = meter.usage()
    assert usage is not None
    assert usage.unmetered_calls == 1
    assert (usage.cost, usage.paid) == (None, None)
    assert usage.prompt_tokens + usage.completion_tokens == sum(count or 0 for count in tokens)


def test_a_known_cost_is_beside_an_unknown_one():
    """A call without a known cost does not make the cost of the other calls unknown."""
    with metering() as meter:
        record_call(prompt_tokens=1, completion_tokens=1, cost=None)
        record_call(prompt_tokens=1, completion_tokens=1, cost=0.5)
    assert (meter.cost, meter.paid) == (0.5, 0.5)


def test_a_call_outside_any_meter_is_not_booked():
    """A call outside any meter raises nothing and is not counted later."""
    record_call(prompt_tokens=1, completion_tokens=1, cost=1.0)
    with metering() as meter:
        pass
    assert meter.calls == 0


def test_an_inner_meter_has_a_bill_of_its_own():
    """Calls inside an inner meter are counted there and not in the outer one."""
    with metering() as outer:
        with metering() as inner:
            record_call(prompt_tokens=1, completion_tokens=1, cost=1.0)
        record_call(prompt_tokens=1, completion_tokens=1, cost=1.0)
    assert (inner.calls, outer.calls) == (1, 1)


def test_cases_side_by_side_have_their_own_meters():
    """Concurrent cases have separate meters, which also count the tasks that a case starts."""

    async def call(times: int) -> None:
        for _ in range(times):
            await asyncio.sleep(0)
            record_call(prompt_tokens=1, completion_tokens=1, cost=1.0)

    async def case(times: int) -> Meter:
        with metering() as meter:
            await asyncio.gather(call(times), asyncio.create_task(call(times)))
        return meter

    async def story() -> list[int]:
        return [meter.calls for meter in await asyncio.gather(*(case(n) for n in range(5)))]

    assert asyncio.run(story()) == [0, 2, 4, 6, 8]


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


def test_the_mark_is_measured_like_the_end():
    """Without what was taken out before it; a new start forgets it."""
    clock = Clock()
    watch = Stopwatch(clock)
    assert watch.marked_s() is None
    watch.start()
    watch.take_out(1.0, 3.0)
    watch.take_out(6.0, 7.0)
    watch.mark(5.0)
    clock.now = 10.0
    assert (watch.marked_s(), watch.elapsed_s()) == (3.0, 7.0)
    assert time_to_first_text(watch, Meter()) == 3.0
    assert time_to_first_text(watch, Meter(replayed_calls=1)) is None
    watch.start()
    assert watch.marked_s() is None


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
