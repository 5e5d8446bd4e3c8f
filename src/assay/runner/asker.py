"""Asking one case: its deadline, its tries, its bill, and the outcome it comes to."""

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
    """Asks cases, each as often as it takes. ``RunStopped`` passes through: it ends the run."""

    def __init__(
        self,
        work: CaseHandler,
        settings: RunSettings,
        limit: AdaptiveLimit,
        backoff: Backoff,
        stop: Stop,
    ) -> None:
        self._work = work
        self._settings = settings
        self._limit = limit
        self._backoff = backoff
        self._stop = stop

    async def outcome(self, case: Case) -> Outcome | None:
        """The case's outcome after as many tries as it takes; ``None`` if the run ends first."""
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
                    if not await self._waited_to_retry(failure, tries, deadline):
                        return self._given_up(
                            failure, tries, deadline, bill(meter, None, paid_before)
                        )
                    paid_before += meter.paid or 0.0
                else:
                    self._limit.grow()
                    answer = replace(answer, usage=bill(meter, answer.usage, paid_before))
                    elapsed_s = deadline.used_s() - used_before + meter.replayed_s
                    return self._scored(case, answer, elapsed_s, tries)

    async def _attempt(self, case: Case, deadline: Deadline) -> Answer:
        """Ask once, within what is left of the deadline."""
        current_deadline.set(deadline)
        return await within(deadline, self._work.ask(case))

    async def _waited_to_retry(self, failure: CaseError, tries: int, deadline: Deadline) -> bool:
        """Wait for the next try, if there is to be one and the run goes on."""
        if isinstance(failure, RateLimited):
            self._limit.cut()
        if not self._may_retry(failure, tries):
            return False
        asked = failure.retry_after_s if isinstance(failure, TransientError) else None
        with deadline.paused():
            await asyncio.sleep(self._backoff.delay_s(tries - 1, retry_after_s=asked))
        return not self._stop.requested()

    def _given_up(
        self, failure: CaseError, tries: int, deadline: Deadline, usage: Usage | None
    ) -> Failed | None:
        """The failure; nothing where only the end of the run kept the case from another try.

        A case that has cost money is written down all the same, so that its bill is kept.
        """
        cut_short = (
            self._stop.requested()
            and isinstance(failure, TransientError)
            and not failure.retried
            and not is_hopeless(failure)
        )
        if cut_short and not (usage and usage.paid):
            return None
        return _failed(failure, tries, deadline, usage)

    def _may_retry(self, failure: CaseError, tries: int) -> bool:
        return (
            isinstance(failure, TransientError)
            and not failure.retried
            and not is_hopeless(failure)
            and tries <= self._settings.retries
            and not self._stop.requested()
        )

    def _scored(self, case: Case, answer: Answer, elapsed_s: float, tries: int) -> Outcome:
        elapsed_s = round(elapsed_s if answer.latency_s is None else answer.latency_s, 6)
        try:
            scores = self._work.score(case, answer)
        except Exception as error:  # noqa: BLE001 - no score is not a score of zero
            return Failed(
                kind="scorer",
                message=describe(error),
                elapsed_s=elapsed_s,
                attempts=tries,
                usage=answer.usage,
                answer=answer,
            )
        return Scored(answer=answer, elapsed_s=elapsed_s, scores=scores)


def bill(meter: Meter, said: Usage | None, paid_before: float) -> Usage | None:
    """The usage of an answer: what the system says, else what its calls were metered at.

    ``paid_before`` is what earlier tries of the same case have already cost.
    """
    usage = said if said is not None else meter.usage()
    if not paid_before:
        return usage
    if usage is None:
        return Usage(cost=paid_before, paid=paid_before)
    return replace(usage, paid=(usage.paid or 0.0) + paid_before)


def _failed(failure: CaseError, tries: int, deadline: Deadline, usage: Usage | None) -> Failed:
    return Failed(
        kind=failure.kind,
        message=str(failure),
        elapsed_s=round(deadline.used_s(), 6),
        attempts=tries,
        usage=usage,
    )
