"""The meter: the bill of one case, whatever runs beside it."""

import asyncio

import pytest

from assay.models.meter import Meter, metering, record_call
from assay.records import Usage


def test_no_calls_are_no_bill():
    """A system without model calls has no usage, not a usage of zero."""
    with metering() as meter:
        pass
    assert meter.usage() is None


def test_calls_add_up():
    """Calls, tokens and money are summed; a replayed call costs but is not paid."""
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


@pytest.mark.parametrize("told", [(None, None), (7, None), (None, 7)])
def test_tokens_not_told_make_an_unmetered_call(told: tuple[int | None, int | None]):
    """A call of which anything is unknown is counted as such."""
    with metering() as meter:
        record_call(prompt_tokens=told[0], completion_tokens=told[1], cost=None)
    usage = meter.usage()
    assert usage is not None
    assert usage.unmetered_calls == 1
    assert (usage.cost, usage.paid) == (None, None)
    assert usage.prompt_tokens + usage.completion_tokens == sum(one or 0 for one in told)


def test_a_known_cost_stands_beside_an_unknown_one():
    """One call without a price does not make the bill of the others unknown."""
    with metering() as meter:
        record_call(prompt_tokens=1, completion_tokens=1, cost=None)
        record_call(prompt_tokens=1, completion_tokens=1, cost=0.5)
    assert (meter.cost, meter.paid) == (0.5, 0.5)


def test_a_call_outside_any_meter_is_not_booked():
    """A client may be used without a run."""
    record_call(prompt_tokens=1, completion_tokens=1, cost=1.0)
    with metering() as meter:
        pass
    assert meter.calls == 0


def test_an_inner_meter_has_a_bill_of_its_own():
    """The meter around it goes on where the inner one ends."""
    with metering() as outer:
        with metering() as inner:
            record_call(prompt_tokens=1, completion_tokens=1, cost=1.0)
        record_call(prompt_tokens=1, completion_tokens=1, cost=1.0)
    assert (inner.calls, outer.calls) == (1, 1)


def test_cases_side_by_side_have_their_own_meters():
    """Calls find their meter by context: also those of tasks that a case starts."""

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
