"""Asking one case: what is put to the system, its attempts, its cost and its outcome."""

from typing import Any

from msgspec.structs import replace

from assay.config import RunSettings
from assay.errors import CaseSkipped, RunStopped
from assay.models import AdaptiveLimit, Backoff, classify
from assay.records import Answer, Answered, Case, Failed, Prompt, Skipped, Usage
from assay.runner.attempt import Attempted, Attempts, may_pass
from assay.runner.executor import Stop
from assay.runner.handler import CaseHandler


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
        self._stop = stop
        self._attempts = Attempts(
            timeout_s=settings.timeout_s,
            retries=settings.retries,
            backoff=backoff,
            stop=stop,
            limit=limit,
        )

    async def ask(self, case: Case) -> Answered | Failed | Skipped | None:
        """Return how asking ended after all attempts; ``None`` if the run ends first."""
        try:
            prompt = self._handler.compose(case)
        except CaseSkipped as skipped:
            return Skipped(reason=str(skipped))
        except Exception as error:
            failure = classify(error)
            if isinstance(failure, RunStopped):
                raise failure from error
            return Failed(kind=failure.kind, message=str(failure), elapsed_s=0.0, attempts=0)
        try:
            attempted = await self._attempts.run(self._handler.ask, case, prompt)
        except CaseSkipped as skipped:
            return Skipped(reason=str(skipped))
        if attempted.failure is not None:
            return self._failed(attempted, prompt)
        answer: Any = attempted.value
        fault = _fault(answer)
        if fault:
            return Failed(
                kind="system",
                message=fault,
                elapsed_s=round(attempted.used_s, 6),
                attempts=attempted.tries,
                usage=attempted.usage(),
                facts=prompt.facts,
            )
        usage = attempted.usage(answer.usage)
        if usage is not answer.usage or prompt.facts:
            answer = replace(answer, usage=usage, facts={**prompt.facts, **answer.facts})
        elapsed_s = attempted.elapsed_s if answer.latency_s is None else answer.latency_s
        return Answered(answer=answer, elapsed_s=round(elapsed_s, 6), attempts=attempted.tries)

    def _failed(self, attempted: Attempted[Answer], prompt: Prompt) -> Failed | None:
        """The failed outcome; ``None`` if the case would have been retried had the run not ended.

        A case that has already cost money is recorded in any event, so that its cost is counted.
        """
        failure, usage = attempted.failure, attempted.usage()
        assert failure is not None
        is_cut_short = self._stop.requested() and may_pass(failure)
        if is_cut_short and not (usage and usage.paid):
            return None
        return Failed(
            kind=failure.kind,
            message=str(failure),
            elapsed_s=round(attempted.used_s, 6),
            attempts=attempted.tries,
            usage=usage,
            facts=prompt.facts,
        )


def _fault(answer: object) -> str:
    """What is wrong with the answer of a system that is not ours; empty if nothing is."""
    if not isinstance(answer, Answer):
        return f"the system returned a {type(answer).__name__}, not an Answer"
    usage: Any = answer.usage
    if usage is not None and not isinstance(usage, Usage):
        return f"the usage of the answer is a {type(usage).__name__}, not a Usage"
    latency_s: Any = answer.latency_s
    if latency_s is not None and not isinstance(latency_s, (int, float)):
        return f"the latency of the answer is a {type(latency_s).__name__}, not a number"
    return ""
