"""One run from plan to journal: ``run_plan`` is the only way cases get asked.

The order of things, which the tests hold:

1. lock and index the journal; refuse one made by an edited experiment;
2. write the header (``NAME.json``), so that even a run killed at once says what it was;
3. ask the pending cases, each under its deadline, with retries; write each row before its
   place is given to the next case;
4. on the last case, or when told to stop: make the journal durable, write the summary.
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
"""Kinds of failure that say the provider is down, not that one request was wrong."""
OUTAGES_IN_A_ROW = 12
"""How many such failures, with no answer in between, end a run."""

Aggregate = Callable[[Path], Mapping[str, Any]]


class RunResult(Struct, frozen=True, kw_only=True):
    """How a run ended. ``tally`` counts the whole plan, ``asked`` only what was new."""

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
    work: CaseHandler,
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
    """Ask every case of ``plan`` that ``journal_path`` does not hold yet.

    ``aggregate`` makes the summary's results from the finished journal. ``preamble`` is a line
    without a key (metadata) that becomes the first line of an empty journal. ``begin`` is called
    after the journal was read and before anything is asked. A run that is stopped early returns
    with ``stopped`` set; wrong use raises before the first call.
    """
    if fresh:
        with locked_journal(journal_path):  # nobody may be writing what is moved
            set_aside(journal_path)
    survey = Survey(plan)
    with Journal.open(journal_path, survey) as journal:
        before = read_summary(summary_path(journal_path))
        if not keep_stale:
            variants: tuple[Variant, ...] = before.variants if before else ()
            survey.refuse_stale(before.system if before else None, variants)
        standing = survey.standing()
        summary = start_summary(header)
        if before is not None and standing.done == plan.total:
            summary = before
        else:
            write_summary(summary_path(journal_path), summary)
        if preamble is not None and not journal_path.stat().st_size:
            journal.write([preamble])
        run = _Run(
            plan, work, journal, survey, settings or RunSettings(), reporter or SilentReporter()
        )
        run.backoff = backoff or run.backoff
        if begin is not None:
            begin(survey)
        if standing.done < plan.total:
            run_in_loop(run.go(executor))
    result = run.result(summary)
    if run.asked or summary.state != "complete":
        summary = _ended(result, summary, aggregate(journal_path) if aggregate else {})
        write_summary(summary_path(journal_path), summary)
    return replace(result, summary=summary)


def _ended(result: RunResult, summary: Summary, results: Mapping[str, Any]) -> Summary:
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
    """The state of one run while it lasts."""

    def __init__(
        self,
        plan: Plan,
        work: CaseHandler,
        journal: Journal,
        survey: Survey,
        settings: RunSettings,
        reporter: Reporter,
    ) -> None:
        self.plan = plan
        self.work = work
        self.journal = journal
        self.survey = survey
        self.standing = standing = survey.standing()
        self.settings = settings
        self.reporter = reporter
        self.backoff = Backoff()
        self.limit = AdaptiveLimit(
            min(settings.concurrency, work.max_concurrency or settings.concurrency)
        )
        self.progress = Progress(
            total=plan.total, done_before=standing.done, paid_before=standing.paid
        )
        self.breaker = CircuitBreaker(OUTAGES_IN_A_ROW)
        self.asked = 0
        self.scored = 0
        self.failed_before = set(standing.failed)
        self.stopped: RunStopped | None = None

    async def go(self, executor: Callable[[AdaptiveLimit], Executor]) -> None:
        """Ask all pending cases."""
        self.stop = Stop()
        self.asker = Asker(self.work, self.settings, self.limit, self.backoff, self.stop)
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
            await self._close_work()
        self.stopped = self.stop.reason

    async def _prepare(self) -> None:
        """Let the system get ready; what that costs counts, and a stop ends it."""
        with metering() as meter:
            preparing = asyncio.ensure_future(self.work.prepare())
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

    async def _close_work(self) -> None:
        """Let the system go; one that cannot even end does not take the results with it."""
        try:
            await self.work.close()
        except Exception as error:  # noqa: BLE001 - the run is over either way
            sys.stderr.write(f"assay: the system could not be closed: {describe(error)}\n")

    async def perform(self, case: Case) -> None:
        """Ask one case and record how it ended."""
        outcome = await self.asker.outcome(case)
        if outcome is None:
            return
        row = self._row(case, outcome)
        try:
            encoded = encode_row(row)
        except (TypeError, ValueError, OverflowError) as error:
            outcome = _unwritable(outcome, error)
            row = self._row(case, outcome)
            encoded = encode_row(row)
        self.journal.write([encoded])
        self.failed_before.discard(case.key)
        self._count(outcome)
        try:
            self.reporter.case(self.progress, row)
        except OSError:  # nobody reads the lines any more (`| head`): the run goes on
            self.reporter = SilentReporter()

    def _row(self, case: Case, outcome: Outcome) -> dict[str, Any]:
        return complete_row(case, outcome, self.work.row(case, outcome), time.time())

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
        """Stop when nothing gets through any more, before the whole set is failures."""
        if not isinstance(outcome, Failed) or outcome.kind not in OUTAGES:
            self.breaker.alive()
            return
        down = self.breaker.outage(outcome.message)
        all_of_them = self.breaker.in_a_row == self.plan.total - self.standing.done
        if down or (all_of_them and outcome.kind != CaseTimeout.kind):
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
                    f"spent {self.progress.paid:.4f} of the ceiling of {ceiling:g} "
                    "(earlier runs of this file included); raise --max-cost to go on"
                )
            )

    def _start_timer(self, loop: asyncio.AbstractEventLoop) -> asyncio.TimerHandle | None:
        minutes = self.settings.max_minutes
        if minutes is None:
            return None
        reason = CeilingReached(f"the time allowed, {minutes:g} min, is used up")
        return loop.call_later(minutes * 60, self.stop.request, reason)

    def result(self, summary: Summary) -> RunResult:
        """What the run came to."""
        return RunResult(
            tally=Tally(
                scored=self.standing.done - self.standing.skipped + self.scored,
                failed=self.progress.failed + len(self.failed_before),
                skipped=self.standing.skipped + self.progress.skipped,
            ),
            asked=self.asked,
            total=self.plan.total,
            paid=self.progress.paid if self.progress.priced else None,
            elapsed_s=self.progress.elapsed_s,
            summary=summary,
            stopped=self.stopped,
        )


def _unwritable(outcome: Outcome, error: Exception) -> Failed:
    """A reply that JSON cannot hold (a lone surrogate, an object) fails its case, not the run."""
    return Failed(
        kind="system",
        message=f"the reply cannot be written down: {describe(error)}",
        elapsed_s=getattr(outcome, "elapsed_s", 0.0),
        usage=outcome.answer.usage if isinstance(outcome, Scored) else None,
    )
