"""Asking one case: what is put to the system, its attempts, its cost and its outcome."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from assay.config import RunSettings
from assay.errors import CaseSkipped, RunStopped
from assay.mask import learn_values
from assay.models import AdaptiveLimit, Backoff, checked_usage, classify, is_finite
from assay.records import Answer, Answered, Case, Failed, Passage, Prompt, Skipped, Stage
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
        learn_values((prompt.question.text,))
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
        answer = _sound(answer)
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
    text: Any = answer.text
    if not isinstance(text, str):
        return f"the text of the answer is a {type(text).__name__}, not a string"
    passages: Any = answer.passages
    if passages is not None and not (
        isinstance(passages, tuple) and all(isinstance(each, Passage) for each in passages)
    ):
        return "the passages of the answer are not a tuple of Passage"
    return ""


def _sound(answer: Answer) -> Answer:
    """The answer without what cannot be right beside its text: usage, latency, stages, extras.

    They never discard an answer. A bill that cannot be right is not known.
    """
    changes: dict[str, Any] = {}
    usage = checked_usage(answer.usage)
    if usage is not answer.usage:
        changes["usage"] = usage
    if answer.latency_s is not None and not is_finite(answer.latency_s):
        changes["latency_s"] = None
    if answer.stages and not _are_stages(answer.stages):
        changes["stages"] = ()
    for name in ("extra", "facts"):
        value: Any = getattr(answer, name)
        if not isinstance(value, Mapping):
            changes[name] = {}
    finish_reason: Any = answer.finish_reason
    if finish_reason is not None and not isinstance(finish_reason, str):
        changes["finish_reason"] = None
    return replace(answer, **changes) if changes else answer


def _are_stages(stages: Any) -> bool:
    """Whether these are stages whose fields can be written to a row."""
    return isinstance(stages, tuple | list) and all(map(_is_stage, stages))


def _is_stage(stage: Any) -> bool:
    if not isinstance(stage, Stage):
        return False
    name: Any = stage.name
    skipped: Any = stage.skipped
    detail: Any = stage.detail
    return (
        isinstance(name, str)
        and is_finite(stage.elapsed_s)
        and isinstance(skipped, str | None)
        and isinstance(detail, Mapping)
    )
