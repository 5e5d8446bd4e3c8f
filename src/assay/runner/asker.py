"""Asking one case: its deadline, its attempts, its cost and its outcome."""

import asyncio

from msgspec.structs import replace

from assay.config import RunSettings
from assay.errors import CaseError, CaseSkipped, RateLimited, RunStopped, TransientError
from assay.models import (
    AdaptiveLimit,
    Backoff,
    Deadline,
    Meter,
    current_deadline,
    is_hopeless,
    metering,
)
from assay.records import Answer, Case, Failed, Outcome, Scored, Skipped, Usage
from assay.runner.executor import Stop
from assay.runner.failure import classify, describe
from assay.runner.handler import CaseHandler
from assay.runner.loop import within


class Asker:
    """Asks cases and retries transient failures. Raises ``RunStopped`` if the run must end."""

    def __init__(
        self,
        handler: CaseHandler,
        settings: RunSettings,
        limit: AdaptiveLimit,
        backoff: Backoff,
        stop: Stop,
    ) -> None:
        self._handler = handler
        self._settings = settings
        self._limit = limit
        self._backoff = backoff
        self._stop = stop

    async def outcome(self, case: Case) -> Outcome | None:
        """Return the outcome of the case after all attempts; ``None`` if the run ends first."""
        deadline = Deadline(self._settings.timeout_s)
        tries = 0
        paid_before = 0.0
        while True:
            tries += 1
            used_before = deadline.used_s()
            with metering() as meter:
                try:
                    answer = await self._attempt(case, deadline)
                except CaseSkipped as skipped:
                    return Skipped(reason=str(skipped))
                except Exception as error:
                    failure = classify(error)
                    if isinstance(failure, RunStopped):
                        raise failure from error
                    if not await self._wait_for_retry(failure, tries, deadline):
                        return self._final_failure(
                            failure, tries, deadline, bill(meter, None, paid_before)
                        )
                    paid_before += meter.paid or 0.0
                else:
                    self._limit.grow()
                    answer = replace(answer, usage=bill(meter, answer.usage, paid_before))
                    elapsed_s = deadline.used_s() - used_before + meter.replayed_s
                    return self._score_answer(case, answer, elapsed_s, tries)

    async def _attempt(self, case: Case, deadline: Deadline) -> Answer:
        """Ask once, within the time that is left until the deadline."""
        current_deadline.set(deadline)
        return await within(deadline, self._handler.ask(case))

    async def _wait_for_retry(self, failure: CaseError, tries: int, deadline: Deadline) -> bool:
        """Wait before the next attempt; return whether there is to be one."""
        if isinstance(failure, RateLimited):
            self._limit.cut()
        if not self._may_retry(failure, tries):
            return False
        retry_after_s = failure.retry_after_s if isinstance(failure, TransientError) else None
        with deadline.paused():
            await asyncio.sleep(self._backoff.delay_s(tries - 1, retry_after_s=retry_after_s))
        return not self._stop.requested()

    def _final_failure(
        self, failure: CaseError, tries: int, deadline: Deadline, usage: Usage | None
    ) -> Failed | None:
        """The failed outcome; ``None`` if the case would have been retried had the run not ended.

        A case that has already cost money is recorded in any event, so that its cost is counted.
        """
        cut_short = (
            self._stop.requested()
            and isinstance(failure, TransientError)
            and not failure.retried
            and not is_hopeless(failure)
        )
        if cut_short and not (usage and usage.paid):
            return None
        return _failed_outcome(failure, tries, deadline, usage)

    def _may_retry(self, failure: CaseError, tries: int) -> bool:
        return (
            isinstance(failure, TransientError)
            and not failure.retried
            and not is_hopeless(failure)
            and tries <= self._settings.retries
            and not self._stop.requested()
        )

    def _score_answer(self, case: Case, answer: Answer, elapsed_s: float, tries: int) -> Outcome:
        elapsed_s = round(elapsed_s if answer.latency_s is None else answer.latency_s, 6)
        try:
            scores = self._handler.score(case, answer)
        except Exception as error:  # noqa: BLE001 - a missing score is not a score of zero
            return Failed(
                kind="scorer",
                message=describe(error),
                elapsed_s=elapsed_s,
                attempts=tries,
                usage=answer.usage,
                answer=answer,
            )
        return Scored(answer=answer, elapsed_s=elapsed_s, scores=scores)


def bill(meter: Meter, reported: Usage | None, paid_before: float) -> Usage | None:
    """The usage of an answer as the system reports it, otherwise as its calls were metered.

    ``paid_before`` is what earlier attempts at the same case have already cost.
    """
    usage = reported if reported is not None else meter.usage()
    if not paid_before:
        return usage
    if usage is None:
        return Usage(cost=paid_before, paid=paid_before)
    return replace(usage, paid=(usage.paid or 0.0) + paid_before)


def _failed_outcome(
    failure: CaseError, tries: int, deadline: Deadline, usage: Usage | None
) -> Failed:
    return Failed(
        kind=failure.kind,
        message=str(failure),
        elapsed_s=round(deadline.used_s(), 6),
        attempts=tries,
        usage=usage,
    )
