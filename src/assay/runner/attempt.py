"""Attempts at one action: a deadline, retries of what may pass by itself, and their cost."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from assay.errors import CaseError, CaseSkipped, RateLimited, RunStopped, TransientError
from assay.models import (
    AdaptiveLimit,
    Backoff,
    Deadline,
    Meter,
    Stopwatch,
    classify,
    count_by,
    current_deadline,
    is_hopeless,
    measure_by,
)
from assay.records import Usage
from assay.runner.executor import Stop
from assay.runner.loop import Deadlines

T = TypeVar("T")


class Attempted(Struct, Generic[T], frozen=True, kw_only=True):
    """How the attempts ended: with a ``value``, or with the ``failure`` of the last one.

    ``elapsed_s`` is the time that the last attempt worked, ``used_s`` the time of all together,
    both without the time spent waiting for one of our own limits (``assay.models.work_time`` says
    what else is not in ``elapsed_s``). ``tries`` counts the attempts: one, and one more for each
    time that the whole action or one of its calls was repeated. ``meter`` counted the calls of
    the last attempt; earlier ones have cost ``paid_before``.
    """

    value: T | None = None
    failure: CaseError | None = None
    tries: int
    elapsed_s: float
    used_s: float
    meter: Meter
    paid_before: float

    def usage(self, reported: Usage | None = None) -> Usage | None:
        """The usage that the system reports, otherwise that of the metered calls."""
        usage = reported if reported is not None else self.meter.usage()
        if not self.paid_before:
            return usage
        if usage is None:
            return Usage(cost=self.paid_before, paid=self.paid_before)
        return replace(usage, paid=(usage.paid or 0.0) + self.paid_before)


class Attempts:
    """Makes attempts with one set of limits. Raises ``RunStopped`` if the run must end."""

    def __init__(
        self,
        *,
        timeout_s: float,
        retries: int,
        backoff: Backoff,
        stop: Stop,
        limit: AdaptiveLimit | None = None,
    ) -> None:
        self._timeout_s = timeout_s
        self._retries = retries
        self._backoff = backoff
        self._stop = stop
        self._limit = limit
        self._deadlines = Deadlines()

    async def run(
        self,
        action: Callable[..., Coroutine[Any, Any, T]],
        *arguments: Any,
        spent: Meter | None = None,
    ) -> Attempted[T]:
        """Call ``action`` until it succeeds, fails for good, or the run ends.

        ``spent`` counts the calls of all attempts, also if an exception ends them.
        """
        deadline = Deadline(self._timeout_s)
        tries = repeated_calls = 0
        paid_before = 0.0
        while True:
            tries += 1
            meter, watch = Meter(), Stopwatch()
            value: T | None = None
            failure: CaseError | None = None
            try:
                value, used_s = await self._deadlines.wait(
                    deadline, _measured(deadline, meter, watch, action(*arguments))
                )
            except CaseSkipped:
                raise
            except Exception as error:
                used_s = deadline.used_s()  # before the error is read, which is not its work
                classified = classify(error)
                if isinstance(classified, RunStopped):
                    raise classified from error
                failure = classified
                if await self._wait_for_retry(failure, tries, deadline):
                    paid_before += meter.paid or 0.0
                    repeated_calls += meter.retries
                    continue
            finally:
                if spent is not None:
                    spent.take(meter)
            if failure is None and self._limit is not None:
                self._limit.grow()
            return Attempted(
                value=value,
                failure=failure,
                tries=tries + repeated_calls + meter.retries,
                elapsed_s=watch.elapsed_s() + meter.replayed_s,
                used_s=used_s,
                meter=meter,
                paid_before=paid_before,
            )

    async def _wait_for_retry(self, failure: CaseError, tries: int, deadline: Deadline) -> bool:
        """Wait before the next attempt; return whether there is to be one."""
        if isinstance(failure, RateLimited) and self._limit is not None:
            self._limit.cut()
        if not may_pass(failure) or tries > self._retries or self._stop.requested():
            return False
        retry_after_s = failure.retry_after_s if isinstance(failure, TransientError) else None
        with deadline.paused():
            await asyncio.sleep(self._backoff.delay_s(tries - 1, retry_after_s=retry_after_s))
        return not self._stop.requested()


async def _measured(
    deadline: Deadline, meter: Meter, watch: Stopwatch, action: Coroutine[Any, Any, T]
) -> tuple[T, float]:
    """The result of an action, and the time used until it was there.

    This runs as a task of its own, so deadline, meter and stopwatch are those of one attempt only.
    The time is taken here, because the event loop may be busy before the action begins and before
    the case goes on. An action that works in a thread takes its time there (``work_starts``).
    """
    current_deadline.set(deadline)
    count_by(meter)
    measure_by(watch)
    value = await action
    watch.stop()
    return value, deadline.used_s()


def may_pass(failure: CaseError) -> bool:
    """Whether another attempt may succeed."""
    return isinstance(failure, TransientError) and not failure.retried and not is_hopeless(failure)
