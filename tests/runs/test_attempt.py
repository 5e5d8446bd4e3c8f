"""Attempts at one action: deadline, retries, time and cost, for asking and judging alike."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from assay.errors import (
    AccessRefused,
    CaseError,
    CaseSkipped,
    CaseTimeout,
    Interrupted,
    RateLimited,
    SystemFailed,
    TransientError,
)
from assay.models.limit import AdaptiveLimit, Backoff
from assay.models.meter import record_call
from assay.records import Usage
from assay.runs.asker import Attempted, Attempts, may_pass
from assay.runs.executor import Stop, run_in_loop
from tests.support.clock import Clock, stop_time

Action = Callable[[], Coroutine[Any, Any, Any]]


def script(*replies: Any, price: float | None = None, clock: Clock | None = None) -> Action:
    """An action that gives these replies one after the other; an exception is raised.

    With a clock, each attempt takes 0.2 seconds of it.
    """
    left = iter(replies)

    async def act() -> Any:
        if price is not None:
            record_call(prompt_tokens=1, completion_tokens=0, cost=price)
        await (clock or Clock()).sleep(0.2)
        reply = next(left)
        if isinstance(reply, BaseException):
            raise reply
        return reply

    return act


def attempt(
    action: Action,
    *,
    retries: int = 3,
    timeout_s: float = 5.0,
    backoff: Any = None,
    limit: AdaptiveLimit | None = None,
    stop_first: bool = False,
) -> Attempted[Any]:
    """Make attempts in an event loop of their own."""

    async def main() -> Attempted[Any]:
        stop = Stop()
        if stop_first:
            stop.request(Interrupted("stop"))
        attempts = Attempts(
            timeout_s=timeout_s,
            retries=retries,
            backoff=backoff or Backoff(base_s=0.0),
            stop=stop,
            limit=limit,
        )
        return await attempts.run(action)

    return run_in_loop(main())


def test_the_first_success_ends_the_attempts():
    """Value, number of attempts and time are reported."""
    attempted = attempt(script(TransientError("reset"), "fine", "never"))
    assert (attempted.value, attempted.failure, attempted.tries) == ("fine", None, 2)


def test_a_value_may_be_none():
    """An action that returns nothing has succeeded if it did not fail."""
    attempted = attempt(script(None))
    assert (attempted.value, attempted.failure, attempted.tries) == (None, None, 1)


def test_the_last_failure_is_kept():
    """After all retries the failure of the last attempt is reported."""
    attempted = attempt(script(TransientError("one"), TransientError("two")), retries=1)
    assert (attempted.value, str(attempted.failure), attempted.tries) == (None, "two", 2)


@pytest.mark.parametrize("error", [AccessRefused("no"), CaseSkipped("long")])
def test_what_ends_the_run_or_skips_the_case_is_raised(error: Exception):
    """These are no failures of an attempt."""
    with pytest.raises(type(error)):
        attempt(script(error))


def test_a_skip_is_seen_through_the_errors_that_were_raised_from_it():
    """A library that wraps what it catches does not turn a skipped case into a failed one."""
    inner, outer = ValueError("chunk"), RuntimeError("the chain broke")
    inner.__cause__ = CaseSkipped("too long")
    outer.__cause__ = inner
    with pytest.raises(CaseSkipped, match=r"^too long$"):
        attempt(script(outer))


def test_an_error_while_a_skip_is_handled_is_a_failure():
    """Only ``raise … from …`` says that the error stands for the skip."""
    error = RuntimeError("cannot log")
    error.__context__ = CaseSkipped("too long")
    assert isinstance(attempt(script(error)).failure, SystemFailed)


def test_the_deadline_holds_for_all_attempts_together(monkeypatch: pytest.MonkeyPatch):
    """Retries do not prolong it, and a timeout is not retried."""
    clock = stop_time(monkeypatch)
    first = script(TransientError("reset"), clock=clock)

    async def act() -> Any:
        if clock.now:
            clock.wait(0.1)
            await asyncio.Event().wait()
        return await first()

    attempted = attempt(act, timeout_s=0.3)
    assert isinstance(attempted.failure, CaseTimeout)
    assert attempted.tries == 2


def test_the_elapsed_time_is_that_of_the_last_attempt(monkeypatch: pytest.MonkeyPatch):
    """The time of failed attempts counts only in the sum."""
    clock = stop_time(monkeypatch)
    attempted = attempt(script(TransientError("reset"), "fine", clock=clock))
    assert (attempted.elapsed_s, attempted.used_s) == (0.2, 0.4)


def test_waiting_for_a_retry_is_no_used_time(monkeypatch: pytest.MonkeyPatch):
    """The pause between attempts is not counted and does not use up the deadline."""
    clock = stop_time(monkeypatch)

    class Long:
        def delay_s(self, attempt: int, *, retry_after_s: float | None = None) -> float:
            clock.wait(0.5)
            return 0.0

    attempted = attempt(script(TransientError("x"), "fine"), timeout_s=0.4, backoff=Long())
    assert attempted.value == "fine"
    assert attempted.used_s == 0.0


def test_nothing_is_tried_again_once_the_run_ends():
    """A failure that might pass is reported after one attempt if a stop was requested."""
    attempted = attempt(script(TransientError("reset"), "fine"), stop_first=True)
    assert (str(attempted.failure), attempted.tries) == ("reset", 1)


def test_a_rate_limit_cuts_the_limit_if_there_is_one():
    """Asking halves the number of cases in flight; judging has no such limit."""
    limit = AdaptiveLimit(8)
    assert attempt(script(RateLimited("slow"), "fine"), limit=limit).value == "fine"
    assert limit.limit == 4
    assert attempt(script(RateLimited("slow"), "fine")).value == "fine"


@pytest.mark.parametrize(
    ("failure", "passes"),
    [
        (TransientError("x"), True),
        (RateLimited("x"), True),
        (TransientError("x", retried=True), False),
        (CaseTimeout("x"), False),
        (SystemFailed("x"), False),
    ],
)
def test_only_what_may_pass_by_itself_is_tried_again(failure: CaseError, passes: bool):
    """Transient errors are, unless the client has already retried them."""
    assert may_pass(failure) is passes
    assert attempt(script(failure, "fine")).tries == 1 + passes


def test_the_cost_of_all_attempts_is_added():
    """``paid`` has what every attempt cost, ``cost`` the price of the last one."""
    usage = attempt(script(TransientError("x"), TransientError("x"), "fine", price=0.25)).usage()
    assert usage is not None
    assert (usage.calls, usage.cost, usage.paid) == (1, 0.25, 0.75)


def test_reported_usage_replaces_the_metered_one():
    """The usage that a system reports counts; earlier attempts are added to it."""
    attempted = attempt(script(TransientError("x"), "fine", price=0.25))
    usage = attempted.usage(Usage(calls=4, cost=2.0, paid=1.0))
    assert usage == Usage(calls=4, cost=2.0, paid=1.25)


def test_without_calls_there_is_no_usage():
    """Unknown is ``None``, not zero."""
    assert attempt(script("fine")).usage() is None
    failed = attempt(script(SystemFailed("x"), price=0.5)).usage()
    assert failed is not None
    assert failed.paid == 0.5
