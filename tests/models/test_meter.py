"""The meter: the usage of one case, also when other cases run at the same time."""

import asyncio

import pytest

from assay.models.meter import Meter, metering, record_call
from assay.records import Usage


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
def test_tokens_not_told_make_an_unmetered_call(tokens: tuple[int | None, int | None]):
    """A call with an unknown token count is counted as unmetered."""
    with metering() as meter:
        record_call(prompt_tokens=tokens[0], completion_tokens=tokens[1], cost=None)
    usage = meter.usage()
    assert usage is not None
    assert usage.unmetered_calls == 1
    assert (usage.cost, usage.paid) == (None, None)
    assert usage.prompt_tokens + usage.completion_tokens == sum(count or 0 for count in tokens)


def test_a_known_cost_stands_beside_an_unknown_one():
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
