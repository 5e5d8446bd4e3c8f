"""Pacing: how many at once, for how long, and how often again."""

import asyncio
import random
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.models.limit import AdaptiveLimit, Backoff, Deadline, current_deadline


class Clock:
    """A clock that moves when told."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        """The time."""
        return self.now


@pytest.fixture(name="clock")
def _clock() -> Clock:
    return Clock()


def test_a_limit_starts_at_its_ceiling():
    """Nobody is slowed down before the other side asks for it."""
    assert AdaptiveLimit(7).limit == 7


def test_a_cut_halves_once_per_cooldown(clock: Clock):
    """A burst of refusals from one moment counts as one; a later one counts again."""
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
    """However often it is cut, one may always go on."""
    limit = AdaptiveLimit(3, clock=clock)
    for _ in range(10):
        clock.now += 10
        limit.cut()
    assert limit.limit == 1


def test_a_limit_grows_back_to_its_ceiling_and_no_further(clock: Clock):
    """About ``limit`` successes add one, up to the ceiling."""
    limit = AdaptiveLimit(8, clock=clock)
    for _ in range(3):
        clock.now += 10
        limit.cut()
    assert limit.limit == 1
    seen = []
    for _ in range(100):
        limit.grow()
        seen.append(limit.limit)
    assert seen == sorted(seen)
    assert seen[-1] == 8
    assert all(after - before <= 1 for before, after in pairwise(seen))
    assert seen.index(8) >= 1 + 2 + 3 + 4 + 5 + 6 - 6  # slowly: more at each step


@given(
    st.integers(1, 6),
    st.lists(st.sampled_from(["start", "cut", "grow", "tick"]), max_size=60),
    st.integers(0, 2**32),
)
def test_what_is_in_flight_never_exceeds_the_limit(ceiling: int, steps: list[str], seed: int):
    """Nobody enters while as many are in as the limit of that moment allows."""
    clock = Clock()
    chance = random.Random(seed)

    async def scenario() -> None:
        limit = AdaptiveLimit(ceiling, cooldown_s=0.0, clock=clock)

        async def one() -> None:
            async with limit:
                assert limit.in_flight <= limit.ceiling
                entered_over.append(limit.in_flight > limit.limit)
                for _ in range(chance.randrange(4)):
                    await asyncio.sleep(0)

        entered_over: list[bool] = []
        tasks = []
        for step in steps:
            if step == "start":
                tasks.append(asyncio.create_task(one()))
            elif step == "tick":
                await asyncio.sleep(0)
            else:
                getattr(limit, step)()
        async with asyncio.timeout(5):
            await asyncio.gather(*tasks)
        assert not any(entered_over)
        assert limit.in_flight == 0

    asyncio.run(scenario())


def test_a_cancelled_waiter_passes_its_place_on():
    """A place given to somebody who is cancelled in that moment goes to the next in line."""

    async def scenario() -> None:
        limit = AdaptiveLimit(1)

        async def enter() -> None:
            async with limit:
                pass

        async with limit:
            first, second = asyncio.create_task(enter()), asyncio.create_task(enter())
            await asyncio.sleep(0)
        first.cancel()  # it has been given the place, and has not run since
        async with asyncio.timeout(5):
            await second
        assert first.cancelled()
        assert limit.in_flight == 0

    asyncio.run(scenario())


def test_a_waiter_cancelled_in_line_is_passed_over():
    """One that left the line is not given a place that nobody then takes."""

    async def scenario() -> None:
        limit = AdaptiveLimit(1)
        async with limit:
            waiters = [asyncio.create_task(limit.__aenter__()) for _ in range(3)]
            await asyncio.sleep(0)
            waiters[0].cancel()
            waiters[1].cancel()
            await asyncio.sleep(0)
        async with asyncio.timeout(5):
            await waiters[2]
        assert limit.in_flight == 1

    asyncio.run(scenario())


@pytest.mark.parametrize("seed", range(20))
def test_no_wake_up_is_lost_under_random_cancellation(seed: int):
    """Workers cancelled at any moment, cuts and growth: those left always get through."""
    chance = random.Random(seed)

    async def scenario() -> None:
        limit = AdaptiveLimit(3, cooldown_s=0.0)
        through: set[int] = set()

        async def one(number: int) -> None:
            async with limit:
                for _ in range(chance.randrange(3)):
                    await asyncio.sleep(0)
            through.add(number)

        tasks = [asyncio.create_task(one(number)) for number in range(60)]
        for _ in range(80):
            chance.choice(tasks).cancel()
            chance.choice([limit.cut, limit.grow, lambda: None])()
            for _ in range(chance.randrange(2)):
                await asyncio.sleep(0)
        done, stuck = await asyncio.wait(tasks, timeout=5)
        assert not stuck
        assert through == {n for n, task in enumerate(tasks) if not task.cancelled()}
        assert limit.in_flight == 0
        assert len(done) == 60

    asyncio.run(scenario())


def test_growth_lets_waiters_in():
    """A limit that grows wakes those in line without waiting for somebody to leave."""

    async def scenario() -> None:
        limit = AdaptiveLimit(2)
        limit.cut()
        async with limit:
            waiter = asyncio.create_task(limit.__aenter__())
            await asyncio.sleep(0)
            assert not waiter.done()
            limit.grow()
            async with asyncio.timeout(5):
                await waiter
        assert limit.in_flight == 1

    asyncio.run(scenario())


def test_a_deadline_counts_down(clock: Clock):
    """``used_s`` and ``left`` add up to the whole."""
    deadline = Deadline(10, clock=clock)
    clock.now += 4
    assert (deadline.used_s(), deadline.left()) == (4, 6)
    clock.now += 7
    assert deadline.left() == -1


def test_a_pause_does_not_count(clock: Clock):
    """Time in a line of ours is not the case's own."""
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
    """Several calls of a case may wait at once: the clock stands while any of them does."""
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
    """A wait that is broken off starts the clock again."""
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
    """Whoever looks for the deadline outside a run finds none."""
    assert current_deadline.get() is None


@given(st.integers(0, 40), st.floats(0, 10), st.floats(0, 60))
def test_a_backoff_stays_within_its_bounds(attempt: int, base_s: float, cap_s: float):
    """The wait lies between zero and the smaller of the cap and the doubled base."""
    delay = Backoff(base_s=base_s, cap_s=cap_s).delay_s(attempt)
    assert 0 <= delay <= min(cap_s, base_s * 2**attempt)


@given(st.integers(0, 10), st.floats(0, 1000))
def test_a_backoff_waits_at_least_as_long_as_asked(attempt: int, retry_after_s: float):
    """``Retry-After`` is obeyed, with jitter on top so that not all come back at once."""
    backoff = Backoff()
    delay = backoff.delay_s(attempt, retry_after_s=retry_after_s)
    assert retry_after_s <= delay <= retry_after_s + backoff.cap_s


def test_backoffs_differ():
    """Cases that failed together do not come back together."""
    assert len({Backoff().delay_s(3) for _ in range(20)}) > 10
