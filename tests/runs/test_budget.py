"""The budget of commands that only ask a model."""

import asyncio

import pytest

from assay.records import Usage
from assay.runs.budget import Budget
from assay.runs.executor import Stop


def call(paid: float | None) -> Usage:
    """What one call cost."""
    return Usage(calls=1, prompt_tokens=1, completion_tokens=1, cost=paid, paid=paid)


async def spend(budget: Budget, stop: Stop, *prices: float | None) -> int:
    """Make one call after the other; the number of those that were let begin."""
    for number, price in enumerate(prices):
        if not await budget.begin(stop):
            return number
        budget.charge(call(price), stop)
        budget.end()
    return len(prices)


def test_no_call_begins_that_would_pass_the_limit():
    """Three calls of 0.3 fit into 1; the reason says what was paid, also by earlier commands."""
    budget, stop = Budget(1.0, "the judge has", included="earlier verdicts"), Stop()
    assert asyncio.run(spend(budget, stop, 0.3, 0.3, 0.3, 0.3)) == 3
    budget.settle()
    assert budget.paid == pytest.approx(0.9)
    assert str(stop.reason) == (
        "the judge has cost 0.9000 of the limit of 1 (including earlier verdicts), "
        "and one more would probably pass it; raise --max-cost to continue"
    )


def test_what_earlier_calls_cost_decides_before_the_first():
    """0.9 for three calls leaves no room for a fourth within 1."""
    budget, stop = Budget(1.0, "the judge has", paid=0.9, earlier=3), Stop()
    budget.check(stop)
    assert stop.requested()


def test_a_call_of_unknown_cost_stops_only_a_command_with_a_limit():
    """Without a limit nothing has to be known."""
    for ceiling, stopped in ((1.0, True), (None, False)):
        budget, stop = Budget(ceiling, "asking has"), Stop()
        asyncio.run(spend(budget, stop, None))
        assert stop.requested() is stopped
        assert budget.paid is None


def test_no_usage_is_no_cost():
    """A reply that was kept by an earlier command makes no call."""
    budget, stop = Budget(1.0, "asking has"), Stop()
    budget.charge(None, stop)
    assert budget.paid is None
    assert not stop.requested()
