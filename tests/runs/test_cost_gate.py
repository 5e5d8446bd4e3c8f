"""The gate that keeps a cost limit while several calls are in flight."""

import asyncio

from assay.records import Usage
from assay.runs.budget import CostGate
from assay.runs.executor import Stop


def replay_of(calls: int, *, replayed: int, paid: float) -> Usage:
    """What a case cost, with some of its calls from the cache."""
    return Usage(
        calls=calls,
        replayed_calls=replayed,
        prompt_tokens=1,
        completion_tokens=1,
        cost=paid,
        paid=paid,
    )


def test_the_first_case_is_asked_alone_and_its_cost_decides_how_many_follow():
    """Nothing is known before it has ended; a replayed case tells nothing either."""

    async def go() -> None:
        paid = 0.0
        gate = CostGate(1.0, paid=lambda: paid, earlier_mean=None, why=lambda *_: "")
        stop = Stop()
        assert await gate.begin(stop)
        second = asyncio.ensure_future(gate.begin(stop))
        await asyncio.sleep(0)
        assert not second.done()
        gate.charge(replay_of(2, replayed=2, paid=0.0))
        gate.end()
        assert await second
        third = asyncio.ensure_future(gate.begin(stop))
        await asyncio.sleep(0)
        assert not third.done()
        paid = 0.3
        gate.charge(replay_of(2, replayed=1, paid=0.3))
        gate.end()
        assert await third
        assert await gate.begin(stop)
        last = asyncio.ensure_future(gate.begin(stop))
        await asyncio.sleep(0)
        assert not last.done()  # 0.3 paid, 0.6 in flight
        assert not stop.requested()
        last.cancel()

    asyncio.run(go())


def test_without_a_limit_every_case_begins():
    """Nothing waits and nothing stops."""

    async def go() -> None:
        gate = CostGate(None, paid=lambda: 9.0, earlier_mean=5.0, why=lambda *_: "")
        stop = Stop()
        gate.check(stop)
        assert all([await gate.begin(stop) for _ in range(20)])
        assert gate.settled() is None
        assert not stop.requested()

    asyncio.run(go())
