"""Asking one case: what is put to the system, its attempts, its cost and its outcome."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Final, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from assay.config.experiment import RunSettings
from assay.errors import CaseError, CaseSkipped, RateLimited, RunStopped, TransientError
from assay.mask import learn_values
from assay.models.cache import current_draw
from assay.models.foreign_error import classify, skip_of
from assay.models.limit import AdaptiveLimit, Backoff, Deadline, current_deadline, is_hopeless
from assay.models.meter import (
    Meter,
    Stopwatch,
    checked_usage,
    count_by,
    is_finite,
    measure_by,
    time_to_first_text,
)
from assay.records import Answer, Answered, Case, Failed, Passage, Prompt, Skipped, Stage, Usage
from assay.redact.error_text import error_line
from assay.runs.executor import Deadlines, Stop
from assay.runs.handler import CaseHandler
from assay.runs.write import UNWRITABLE, encode_row
from assay.systems.reply import plain_answer

LARGEST_ANSWER: Final = 4 << 20
"""The largest answer in bytes of JSON, with its passages and all its other fields."""
_LONGEST_MESSAGE: Final = 2000

# Attempts at one action: a deadline, retries of what may pass by itself, and their cost.

T = TypeVar("T")


class Attempted(Struct, Generic[T], frozen=True, kw_only=True):
    """How the attempts ended: with a ``value``, or with the ``failure`` of the last one.

    ``elapsed_s`` is the time that the last attempt worked, ``used_s`` the time of all together,
    both without the time spent waiting for one of our own limits (``assay.models.meter`` says
    what else is not in ``elapsed_s``). ``ttft_s`` is the part of ``elapsed_s`` until the first text of
    a stream; None without one, and if calls were replayed. ``tries`` counts the attempts: one, and one more for each
    time that the whole action or one of its calls was repeated. ``meter`` counted the calls of
    the last attempt; earlier ones have cost ``paid_before``.
    """

    value: T | None = None
    failure: CaseError | None = None
    tries: int
    elapsed_s: float
    ttft_s: float | None = None
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
            except Exception as error:
                if skip := skip_of(error):
                    raise skip from None
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
                ttft_s=time_to_first_text(watch, meter),
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
        except Exception as error:
            if skip := skip_of(error):
                return Skipped(reason=_message(skip))
            failure = classify(error)
            if isinstance(failure, RunStopped):
                raise failure from error
            return Failed(kind=failure.kind, message=_message(failure), elapsed_s=0.0, attempts=0)
        learn_values((prompt.question.text,))
        try:
            attempted = await self._attempts.run(self._ask_draw, case, prompt)
        except CaseSkipped as skipped:
            return Skipped(reason=_message(skipped))
        if attempted.failure is not None:
            return self._failed(attempted, prompt)
        answer: Any = attempted.value
        fault = _fault(answer)
        if not fault:
            answer = _sound(answer)
            fault = _excess(answer)
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
        if answer.ttft_s is None and attempted.ttft_s is not None:
            answer = replace(answer, ttft_s=attempted.ttft_s)
        elapsed_s = attempted.elapsed_s if answer.latency_s is None else answer.latency_s
        return Answered(answer=answer, elapsed_s=round(elapsed_s, 6), attempts=attempted.tries)

    async def _ask_draw(self, case: Case, prompt: Prompt) -> Answer:
        """Ask the system; the model calls of a later draw are not those of an earlier one."""
        current_draw.set(case.run or 1)  # each attempt is a task with a context of its own
        return await self._handler.ask(case, prompt)

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
            message=_message(failure),
            elapsed_s=round(attempted.used_s, 6),
            attempts=attempted.tries,
            usage=usage,
            facts=prompt.facts,
        )


def _message(error: Exception) -> str:
    """The text of an error as it is recorded; code of the user may write anything into one of ours."""
    text = str(error)
    return text if len(text) <= _LONGEST_MESSAGE else error_line(text, _LONGEST_MESSAGE)


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


def _excess(answer: Answer) -> str:
    """What is wrong with the size of an answer; empty if nothing is.

    A system may return whatever it holds in memory. Each byte of it would be searched for personal
    data, written, and read again by every report.
    """
    try:
        size = len(encode_row(answer))
    except UNWRITABLE:  # its row says so
        return ""
    if size <= LARGEST_ANSWER:
        return ""
    return (
        f"the answer with its passages and other fields has {size / 2**20:.1f} MB, and at most "
        f"{LARGEST_ANSWER >> 20} MB are recorded; return fewer or shorter texts"
    )


def _sound(answer: Answer) -> Answer:
    """The answer without what cannot be right beside its text: usage, latency, stages, extras.

    They never discard an answer. A bill that cannot be right is not known.
    """
    if type(answer.text) is not str or answer.extra:
        answer = plain_answer(answer)
    changes: dict[str, Any] = {}
    usage = checked_usage(answer.usage)
    if usage is not answer.usage:
        changes["usage"] = usage
    for name in ("latency_s", "ttft_s"):
        seconds: Any = getattr(answer, name)
        if seconds is not None and not is_finite(seconds):
            changes[name] = None
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
