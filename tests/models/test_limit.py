"""The adaptive limit, the deadline of a case and the back-off."""

import asyncio
import random
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.models.limit import AdaptiveLimit, Backoff, Deadline, current_deadline
from tests.support.clock import Clock


@pytest.fixture(name="clock")
def _clock() -> Clock:
    return Clock(100.0)


def test_a_limit_starts_at_its_ceiling():
    """A new limit equals its ceiling."""
    assert AdaptiveLimit(7).limit == 7


def test_a_cut_halves_once_per_cooldown(clock: Clock):
    """Several cuts within the cooldown halve the limit once; a later cut halves it again."""
    limit = AdaptiveLimit(16, cooldown_s=1.0, clock=clock)
    for _ in range(5):
        limit.cut()
    assert limit.limit == 8
    clock.now += 0.99
    limit.cut()
    assert limit.limit == 8
    clock.now += 0.01
    limit.cut()
    assert limit.limit == 4


def test_a_limit_never_falls_below_one(clock: Clock):
    """The limit stays at one, however often it is cut."""
    limit = AdaptiveLimit(3, clock=clock)
    for _ in range(10):
        clock.now += 10
        limit.cut()
    assert limit.limit == 1


def test_a_limit_grows_back_to_its_ceiling_and_no_further(clock: Clock):
    """About ``limit`` successes raise the limit by one, up to the ceiling."""
    limit = AdaptiveLimit(8, clock=clock)
    for _ in range(3):
        clock.now += 10
        limit.cut()
    assert limit.limit == 1
    limits = []
    for _ in range(100):
        limit.grow()
        limits.append(limit.limit)
    assert limits == sorted(limits)
    assert limits[-1] == 8
    assert all(after - before <= 1 for before, after in pairwise(limits))
    assert limits.index(8) >= 1 + 2 + 3 + 4 + 5 + 6 - 6  # each step takes more successes


@given(
    st.integers(1, 6),
    st.lists(st.sampled_from(["start", "cut", "grow", "tick"]), max_size=60),
    st.integers(0, 2**32),
)
def test_what_is_in_flight_never_exceeds_the_limit(ceiling: int, steps: list[str], seed: int):
    """No operation starts while as many are running as the current limit allows."""
    clock = Clock()
    rng = random.Random(seed)

    async def scenario() -> None:
        limit = AdaptiveLimit(ceiling, cooldown_s=0.0, clock=clock)

        async def work() -> None:
            async with limit:
                assert limit.in_flight <= limit.ceiling
                over_limit.append(limit.in_flight > limit.limit)
                for _ in range(rng.randrange(4)):
                    await asyncio.sleep(0)

        over_limit: list[bool] = []
        tasks = []
        for step in steps:
            if step == "start":
                tasks.append(asyncio.create_task(work()))
            elif step == "tick":
                await asyncio.sleep(0)
            else:
                getattr(limit, step)()
        async with asyncio.timeout(60):
            await asyncio.gather(*tasks)
        assert not any(over_limit)
        assert limit.in_flight == 0

    asyncio.run(scenario())


def test_a_cancelled_waiter_passes_its_place_on():
    """If a task is cancelled just after it was woken, the next waiting task gets the slot."""

    async def scenario() -> None:
        limit = AdaptiveLimit(1)

        async def enter() -> None:
            async with limit:
                pass

        async with limit:
            first, second = asyncio.create_task(enter()), asyncio.create_task(enter())
            await asyncio.sleep(0)
        first.cancel()  # it has been woken but has not run yet
        async with asyncio.timeout(60):
            await second
        assert first.cancelled()
        assert limit.in_flight == 0

    asyncio.run(scenario())


def test_a_waiter_cancelled_in_line_is_passed_over():
    """A free slot goes to a task that still waits, not to one that was cancelled."""

    async def scenario() -> None:
        limit = AdaptiveLimit(1)
        async with limit:
            waiters = [asyncio.create_task(limit.__aenter__()) for _ in range(3)]
            await asyncio.sleep(0)
            waiters[0].cancel()
            waiters[1].cancel()
            await asyncio.sleep(0)
        async with asyncio.timeout(60):
            await waiters[2]
        assert limit.in_flight == 1

    asyncio.run(scenario())


@pytest.mark.parametrize("seed", range(20))
def test_no_wake_up_is_lost_under_random_cancellation(seed: int):
    """Despite random cancellations, cuts and growth, every task that is left finishes."""
    rng = random.Random(seed)

    async def scenario() -> None:
        limit = AdaptiveLimit(3, cooldown_s=0.0)
        finished: set[int] = set()

        async def work(number: int) -> None:
            async with limit:
                for _ in range(rng.randrange(3)):
                    await asyncio.sleep(0)
            finished.add(number)

        tasks = [asyncio.create_task(work(number)) for number in range(60)]
        for _ in range(80):
            rng.choice(tasks).cancel()
            rng.choice([limit.cut, limit.grow, lambda: None])()
            for _ in range(rng.randrange(2)):
                await asyncio.sleep(0)
        done, stuck = await asyncio.wait(tasks, timeout=60)
        assert not stuck
        assert finished == {n for n, task in enumerate(tasks) if not task.cancelled()}
        assert limit.in_flight == 0
        assert len(done) == 60

    asyncio.run(scenario())


def test_growth_lets_waiters_in():
    """When the limit grows, a waiting task starts even if no running task has finished."""

    async def scenario() -> None:
        limit = AdaptiveLimit(2)
        limit.cut()
        async with limit:
            waiter = asyncio.create_task(limit.__aenter__())
            await asyncio.sleep(0)
            assert not waiter.done()
            limit.grow()
            async with asyncio.timeout(60):
                await waiter
        assert limit.in_flight == 1

    asyncio.run(scenario())


def test_a_deadline_counts_down(clock: Clock):
    """``used_s`` and ``left`` add up to the time allowed; ``left`` becomes negative."""
    deadline = Deadline(10, clock=clock)
    clock.now += 4
    assert (deadline.used_s(), deadline.left()) == (4, 6)
    clock.now += 7
    assert deadline.left() == -1


def test_a_pause_does_not_count(clock: Clock):
    """The time of a pause is not counted as used."""
    deadline = Deadline(10, clock=clock)
    clock.now += 1
    with deadline.paused():
        assert deadline.is_paused
        clock.now += 100
        assert deadline.used_s() == 1
    assert not deadline.is_paused
    clock.now += 2
    assert deadline.used_s() == 3


def test_overlapping_pauses_count_once(clock: Clock):
    """If pauses overlap, the clock stops until the last one ends."""
    deadline = Deadline(10, clock=clock)
    first, second = deadline.paused(), deadline.paused()
    first.__enter__()
    clock.now += 3
    second.__enter__()
    clock.now += 3
    first.__exit__(None, None, None)
    clock.now += 3
    assert deadline.is_paused
    assert deadline.used_s() == 0
    second.__exit__(None, None, None)
    clock.now += 1
    assert deadline.used_s() == 1


def test_a_pause_ends_with_an_error(clock: Clock):
    """The clock runs again after a pause that ends with an exception."""
    deadline = Deadline(10, clock=clock)

    def broken() -> Iterator[None]:
        with deadline.paused():
            clock.now += 5
            raise RuntimeError
        yield

    with pytest.raises(RuntimeError):
        next(broken())
    clock.now += 1
    assert deadline.used_s() == 1


def test_no_deadline_is_current_outside_a_case():
    """Outside a case there is no current deadline."""
    assert current_deadline.get() is None


@given(st.integers(0, 40), st.floats(0, 10), st.floats(0, 60))
def test_a_backoff_stays_within_its_bounds(attempt: int, base_s: float, cap_s: float):
    """The wait is between zero and the smaller of the cap and the doubled base."""
    delay = Backoff(base_s=base_s, cap_s=cap_s).delay_s(attempt)
    assert 0 <= delay <= min(cap_s, base_s * 2**attempt)


@given(st.integers(0, 10), st.floats(0, 1000))
def test_a_backoff_waits_at_least_as_long_as_asked(attempt: int, retry_after_s: float):
    """The wait is at least ``Retry-After``, plus jitter so that retries are spread out."""
    backoff = Backoff()
    delay = backoff.delay_s(attempt, retry_after_s=retry_after_s)
    assert retry_after_s <= delay <= retry_after_s + backoff.cap_s


def test_backoffs_differ():
    """Repeated waits for the same attempt differ, so that retries are spread out."""
    assert len({Backoff().delay_s(3) for _ in range(20)}) > 10
