"""The rate gate: it limits the requests and tokens in any period of sixty seconds."""

import asyncio
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.models.limit import Booking, RateGate
from tests.support.clock import Clock


def book_calls(
    make: Callable[[Clock], RateGate], calls: list[tuple[float, int]]
) -> list[tuple[float, int]]:
    """Book calls ``(pause before the call, tokens)`` in order; return when each was admitted."""
    clock = Clock(1000.0)
    gate = make(clock)

    async def story() -> list[tuple[float, int]]:
        bookings = []
        for pause_s, tokens in calls:
            clock.now += pause_s
            await gate.book(tokens)
            bookings.append((clock.now, tokens))
        return bookings

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("assay.models.limit.asyncio.sleep", clock.sleep)
        return asyncio.run(story())


def windows(bookings: list[tuple[float, int]]) -> list[list[int]]:
    """For each call, the tokens of all calls in the sixty seconds that begin with it."""
    return [
        [tokens for at, tokens in bookings[number:] if at < start + 60.0]
        for number, (start, _) in enumerate(bookings)
    ]


CALLS = st.lists(
    st.tuples(st.floats(0, 50, allow_subnormal=False), st.integers(0, 120)), max_size=60
)


@given(st.integers(1, 6), CALLS)
def test_requests_hold_in_any_window(limit: int, calls: list[tuple[float, int]]):
    """No period of sixty seconds has more requests than allowed, and no request is lost."""
    bookings = book_calls(lambda clock: RateGate(limit, clock=clock), calls)
    assert len(bookings) == len(calls)
    assert all(len(window) <= limit for window in windows(bookings))


@given(st.integers(50, 300), CALLS)
def test_tokens_hold_in_any_window(limit: int, calls: list[tuple[float, int]]):
    """No sixty seconds have more tokens than allowed, except for one call above the limit."""
    bookings = book_calls(lambda clock: RateGate(None, limit, clock=clock), calls)
    assert len(bookings) == len(calls)
    for window in windows(bookings):
        assert sum(window) <= limit or sum(tokens > 0 for tokens in window) == 1


@given(st.integers(1, 6), CALLS)
def test_nobody_waits_without_need(limit: int, calls: list[tuple[float, int]]):
    """A call waits only if the sixty seconds before it have as many calls as allowed."""
    bookings = book_calls(lambda clock: RateGate(limit, clock=clock), calls)
    arrived = 1000.0
    for number, ((pause_s, _), (at, _)) in enumerate(zip(calls, bookings, strict=True)):
        arrived += pause_s
        if at > arrived + 0.002:
            earlier = [before for before, _ in bookings[:number] if before > arrived - 60.0]
            assert len(earlier) >= limit
        arrived = at


def test_both_limits_hold_together():
    """With both limits set, the stricter one decides."""
    calls = [(0.0, 40)] * 6
    bookings = book_calls(lambda clock: RateGate(3, 100, clock=clock), calls)
    assert [at - 1000.0 for at, _ in bookings] == pytest.approx([0, 0, 60, 60, 120, 120], abs=0.01)


def test_no_limit_is_no_wait():
    """A gate without limits admits every call at once."""
    gate = RateGate()
    assert gate.is_open
    bookings = book_calls(lambda clock: RateGate(clock=clock), [(0.0, 10**9)] * 1000)
    assert {at for at, _ in bookings} == {1000.0}


def test_a_call_larger_than_the_whole_allowance_goes_alone():
    """A call above the token limit is admitted alone, because it would wait forever otherwise."""
    bookings = book_calls(
        lambda clock: RateGate(None, 100, clock=clock), [(0.0, 30), (0.0, 500), (0.0, 30)]
    )
    assert [at - 1000.0 for at, _ in bookings] == pytest.approx([0, 60, 120], abs=0.01)


@pytest.mark.parametrize(("real", "waits_s"), [(90, 60.0), (10, 0.0), (50, 0.0)])
def test_an_estimate_is_put_right(real: int, waits_s: float):
    """The actual tokens of a call decide whether the next call has to wait."""
    clock = Clock(1000.0)
    gate = RateGate(None, 100, clock=clock)

    async def story() -> float:
        booking = await gate.book(50)
        gate.settle(booking, real)
        await gate.book(50)
        return clock.now - 1000.0

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("assay.models.limit.asyncio.sleep", clock.sleep)
        assert asyncio.run(story()) == pytest.approx(waits_s, abs=0.01)


def test_a_booking_put_right_after_its_window_changes_nothing():
    """Settling a booking that has left the window does not change the count."""
    clock = Clock(1000.0)
    gate = RateGate(None, 100, clock=clock)

    async def story() -> None:
        old = await gate.book(50)
        clock.now += 61.0
        await gate.book(100)
        gate.settle(old, 5000)
        clock.now += 61.0
        await gate.book(100)

    asyncio.run(story())
    assert gate._booked_tokens == 100
    assert isinstance(gate._booked[0], Booking)


def test_many_waiting_at_once_are_let_in_one_by_one():
    """Tasks that book at the same time keep to the limit together."""
    gate = RateGate(3, window_s=0.2)
    times: list[float] = []

    async def book() -> None:
        times.append((await gate.book(1)).at)

    async def story() -> None:
        await asyncio.gather(*(book() for _ in range(9)))

    asyncio.run(story())
    times.sort()
    assert all(
        later - earlier >= 0.2 - 1e-6 for earlier, later in zip(times, times[3:], strict=False)
    )


def test_a_waiter_that_gives_up_takes_no_place():
    """A task that is cancelled while it waits books nothing, and others can still book."""
    gate = RateGate(1, window_s=0.1)

    async def story() -> None:
        await gate.book(1)
        waiting = asyncio.create_task(gate.book(1))
        await asyncio.sleep(0.01)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        await gate.book(1)

    asyncio.run(story())
    assert len(gate._booked) == 1
