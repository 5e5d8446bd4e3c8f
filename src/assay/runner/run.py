"""One run from plan to journal: ``run_plan`` is the only function that asks cases.

It works in this order, which the tests check:

1. Lock and read the journal. Refuse it if the experiment was edited since.
2. Write the header (``NAME.json``), so that even a run that is killed early is documented.
3. Ask the pending cases, each with a deadline and retries. Write the row of a case before the
   next case takes its place.
4. After the last case, or after a stop, sync the journal to disk and write the summary.
"""

import asyncio
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from assay.config import RunSettings
from assay.errors import (
    CaseTimeout,
    CeilingReached,
    ProviderUnavailable,
    RateLimited,
    RunStopped,
    TransientError,
)
from assay.journal import (
    Journal,
    Summary,
    encode_row,
    locked_journal,
    now,
    read_summary,
    set_aside,
    start_summary,
    summary_path,
    write_summary,
)
from assay.models import AdaptiveLimit, Backoff, CircuitBreaker, metering
from assay.records import (
    Case,
    Failed,
    Outcome,
    RunHeader,
    Scored,
    Tally,
    Variant,
)
from assay.runner.asker import Asker
from assay.runner.executor import AsyncioExecutor, Executor, Stop
from assay.runner.failure import describe
from assay.runner.handler import CaseHandler, complete_row
from assay.runner.loop import interruptible, run_in_loop
from assay.runner.plan import Plan
from assay.runner.progress import Progress, Reporter, SilentReporter
from assay.runner.survey import Survey

OUTAGES = frozenset({TransientError.kind, RateLimited.kind, CaseTimeout.kind})
"""Kinds of failure that point to a provider outage and not to a single wrong request."""
OUTAGES_IN_A_ROW = 12
"""The number of consecutive outage failures that ends a run."""

Aggregate = Callable[[Path], Mapping[str, Any]]


class RunResult(Struct, frozen=True, kw_only=True):
    """How a run ended. ``tally`` counts the whole plan, ``asked`` only the cases of this run."""

    tally: Tally
    asked: int
    total: int
    paid: float | None
    elapsed_s: float
    summary: Summary
    stopped: RunStopped | None = None

    @property
    def is_complete(self) -> bool:
        """Whether every case has been scored or skipped."""
        return self.tally.scored + self.tally.skipped == self.total


def run_plan(
    plan: Plan,
    handler: CaseHandler,
    header: RunHeader,
    journal_path: Path,
    *,
    settings: RunSettings | None = None,
    reporter: Reporter | None = None,
    executor: Callable[[AdaptiveLimit], Executor] = AsyncioExecutor,
    backoff: Backoff | None = None,
    aggregate: Aggregate | None = None,
    fresh: bool = False,
    keep_stale: bool = False,
    preamble: bytes | None = None,
    begin: Callable[[Survey], None] | None = None,
) -> RunResult:
    """Ask every case of ``plan`` that has no outcome in ``journal_path`` yet.

    ``aggregate`` computes the results for the summary from the finished journal. ``preamble``
    is a line without a key (metadata) that becomes the first line of an empty journal.
    ``begin`` is called after the journal was read and before any case is asked. If the run
    stops early, the result has ``stopped`` set. Wrong use raises an error before the first call.
    """
    if fresh:
        with locked_journal(journal_path):  # no other run may write to the file while it is moved
            set_aside(journal_path)
    survey = Survey(plan)
    with Journal.open(journal_path, survey) as journal:
        previous = read_summary(summary_path(journal_path))
        if not keep_stale:
            variants: tuple[Variant, ...] = previous.variants if previous else ()
            survey.refuse_stale(previous.system if previous else None, variants)
        survey_result = survey.result()
        summary = start_summary(header)
        if previous is not None and survey_result.done == plan.total:
            summary = previous
        else:
            write_summary(summary_path(journal_path), summary)
        if preamble is not None and not journal_path.stat().st_size:
            journal.write([preamble])
        run = _Run(
            plan, handler, journal, survey, settings or RunSettings(), reporter or SilentReporter()
        )
        run.backoff = backoff or run.backoff
        if begin is not None:
            begin(survey)
        if survey_result.done < plan.total:
            run_in_loop(run.go(executor))
    result = run.result(summary)
    if run.asked or summary.state != "complete":
        summary = _final_summary(result, summary, aggregate(journal_path) if aggregate else {})
        write_summary(summary_path(journal_path), summary)
    return replace(result, summary=summary)


def _final_summary(result: RunResult, summary: Summary, results: Mapping[str, Any]) -> Summary:
    return replace(
        summary,
        state="complete" if result.is_complete else "partial",
        completed_at=now() if result.is_complete else None,
        tally=result.tally,
        paid=result.paid,
        elapsed_s=round(result.elapsed_s, 3),
        results=results,
    )


class _Run:
    """The state of one run while it is in progress."""

    def __init__(
        self,
        plan: Plan,
        handler: CaseHandler,
        journal: Journal,
        survey: Survey,
        settings: RunSettings,
        reporter: Reporter,
    ) -> None:
        self.plan = plan
        self.handler = handler
        self.journal = journal
        self.survey = survey
        self.survey_result = survey_result = survey.result()
        self.settings = settings
        self.reporter = reporter
        self.backoff = Backoff()
        self.limit = AdaptiveLimit(
            min(settings.concurrency, handler.max_concurrency or settings.concurrency)
        )
        self.progress = Progress(
            total=plan.total, done_before=survey_result.done, paid_before=survey_result.paid
        )
        self.breaker = CircuitBreaker(OUTAGES_IN_A_ROW)
        self.asked = 0
        self.scored = 0
        self.failed_before = set(survey_result.failed)
        self.stopped: RunStopped | None = None

    async def go(self, executor: Callable[[AdaptiveLimit], Executor]) -> None:
        """Ask all pending cases."""
        self.stop = Stop()
        self.asker = Asker(self.handler, self.settings, self.limit, self.backoff, self.stop)
        loop = asyncio.get_running_loop()
        syncing = loop.create_task(self.journal.sync_regularly())
        syncing.add_done_callback(self._note_sync_failure)
        timer = self._start_timer(loop)
        self._check_cost()
        self.reporter.begin(self.progress)
        try:
            with interruptible(self.stop.request):
                await self._prepare()
                await executor(self.limit).execute(self.survey.pending(), self.perform, self.stop)
        finally:
            self.reporter.end(self.progress)
            syncing.cancel()
            if timer:
                timer.cancel()
            await self._close_handler()
        self.stopped = self.stop.reason

    async def _prepare(self) -> None:
        """Prepare the system. The cost is counted, and a stop ends the preparation."""
        with metering() as meter:
            preparing = asyncio.ensure_future(self.handler.prepare())
            stopped = asyncio.ensure_future(self.stop.wait())
            try:
                await asyncio.wait({preparing, stopped}, return_when=asyncio.FIRST_COMPLETED)
                if preparing.done():
                    preparing.result()
            finally:
                preparing.cancel()
                stopped.cancel()
        if meter.paid is not None:
            self.progress.paid += meter.paid
            self.progress.priced = True
            self._check_cost()

    def _note_sync_failure(self, syncing: "asyncio.Task[None]") -> None:
        if not syncing.cancelled() and isinstance(syncing.exception(), RunStopped):
            self.stop.request(syncing.exception())  # type: ignore[arg-type]

    async def _close_handler(self) -> None:
        """Close the system. If that fails, print the error: the results must not be lost."""
        try:
            await self.handler.close()
        except Exception as error:  # noqa: BLE001 - the run is over either way
            sys.stderr.write(f"assay: the system could not be closed: {describe(error)}\n")

    async def perform(self, case: Case) -> None:
        """Ask one case and record its outcome."""
        outcome = await self.asker.outcome(case)
        if outcome is None:
            return
        row = self._row(case, outcome)
        try:
            encoded = encode_row(row)
        except (TypeError, ValueError, OverflowError) as error:
            outcome = _unwritable_failure(outcome, error)
            row = self._row(case, outcome)
            encoded = encode_row(row)
        self.journal.write([encoded])
        self.failed_before.discard(case.key)
        self._count(outcome)
        try:
            self.reporter.case(self.progress, row)
        except OSError:  # the reader of the lines is gone (`| head`): continue silently
            self.reporter = SilentReporter()

    def _row(self, case: Case, outcome: Outcome) -> dict[str, Any]:
        return complete_row(case, outcome, self.handler.row(case, outcome), time.time())

    def _count(self, outcome: Outcome) -> None:
        self.asked += 1
        self.progress.done += 1
        usage = None
        if isinstance(outcome, Scored):
            self.scored += 1
            usage = outcome.answer.usage
        elif isinstance(outcome, Failed):
            self.progress.failed += 1
            usage = outcome.usage
        else:
            self.progress.skipped += 1
        self._check_provider(outcome)
        if usage is not None and usage.paid is not None:
            self.progress.paid += usage.paid
            self.progress.priced = True
            self._check_cost()

    def _check_provider(self, outcome: Outcome) -> None:
        """Request a stop when the provider is down, before all remaining cases fail."""
        if not isinstance(outcome, Failed) or outcome.kind not in OUTAGES:
            self.breaker.alive()
            return
        down = self.breaker.outage(outcome.message)
        is_every_case = self.breaker.in_a_row == self.plan.total - self.survey_result.done
        if down or (is_every_case and outcome.kind != CaseTimeout.kind):
            self.stop.request(
                ProviderUnavailable(
                    f"provider unavailable: {self.breaker.in_a_row} cases in a row got no "
                    f"answer, the last with: {self.breaker.last}"
                )
            )

    def _check_cost(self) -> None:
        ceiling = self.settings.max_cost
        if ceiling is not None and self.progress.paid >= ceiling:
            self.stop.request(
                CeilingReached(
                    f"spent {self.progress.paid:.4f} of the cost limit of {ceiling:g} "
                    "(including earlier runs of this file); raise --max-cost to continue"
                )
            )

    def _start_timer(self, loop: asyncio.AbstractEventLoop) -> asyncio.TimerHandle | None:
        minutes = self.settings.max_minutes
        if minutes is None:
            return None
        reason = CeilingReached(f"the time limit of {minutes:g} min has been reached")
        return loop.call_later(minutes * 60, self.stop.request, reason)

    def result(self, summary: Summary) -> RunResult:
        """The result of the run, with the given summary."""
        return RunResult(
            tally=Tally(
                scored=self.survey_result.done - self.survey_result.skipped + self.scored,
                failed=self.progress.failed + len(self.failed_before),
                skipped=self.survey_result.skipped + self.progress.skipped,
            ),
            asked=self.asked,
            total=self.plan.total,
            paid=self.progress.paid if self.progress.priced else None,
            elapsed_s=self.progress.elapsed_s,
            summary=summary,
            stopped=self.stopped,
        )


def _unwritable_failure(outcome: Outcome, error: Exception) -> Failed:
    """The failure of a case whose reply JSON cannot represent (a lone surrogate, an object)."""
    return Failed(
        kind="system",
        message=f"the reply cannot be written as JSON: {describe(error)}",
        elapsed_s=getattr(outcome, "elapsed_s", 0.0),
        usage=outcome.answer.usage if isinstance(outcome, Scored) else None,
    )
