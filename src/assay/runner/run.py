"""One run from plan to journal: ``run_plan`` is the only function that asks cases.

It works in this order, which the tests check:

1. Lock and read the journal. Refuse it if the experiment was edited since.
2. Write the header (``NAME.json``), so that even a run that is killed early is documented.
3. Judge recorded answers again if what they are held against has changed.
4. Ask the pending cases, each with a deadline and retries, and judge their answers. An answer
   that was recorded but not judged is judged without asking again. Write the row of a case
   before the next case takes its place.
5. After the last case, or after a stop, sync the journal to disk and write the summary.
"""

import asyncio
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from assay.config import RunSettings
from assay.data.jsonl import UNREADABLE
from assay.errors import (
    CaseTimeout,
    CeilingReached,
    Filtered,
    JournalReadOnly,
    ProviderUnavailable,
    RateLimited,
    RunStopped,
    TransientError,
    UseError,
)
from assay.journal import (
    UNWRITABLE,
    Journal,
    Row,
    RowHead,
    Summary,
    VerdictStore,
    complete_row,
    encode_row,
    end_stretch,
    locked_journal,
    now,
    read_summary,
    set_aside,
    start_summary,
    summary_path,
    write_summary,
)
from assay.mask import read_environment
from assay.models import AdaptiveLimit, Backoff, CircuitBreaker, checked_usage, describe, metering
from assay.records import (
    SCHEMA_VERSION,
    Answer,
    Answered,
    Case,
    Failed,
    Metric,
    Outcome,
    RunHeader,
    Scored,
    Skipped,
    Tally,
    Usage,
    Variant,
    digest,
)
from assay.runner.asker import Asker
from assay.runner.executor import AsyncioExecutor, Executor, Stop
from assay.runner.handler import CaseHandler
from assay.runner.judging import Judging, score_answered
from assay.runner.loop import interruptible, run_in_loop
from assay.runner.plan import Plan, store_plan
from assay.runner.progress import Progress, Reporter, SilentReporter
from assay.runner.rejudge import judge_again
from assay.runner.settings_gate import SettingsGate, by_variant
from assay.runner.survey import Survey, survey_journal
from assay.scorers.lost import without_credit
from assay.scorers.registered import ERRORS, SCORES, registered_fields, registered_scorers
from assay.systems import CostsNothing
from assay.text import counted

OUTAGES = frozenset({TransientError.kind, RateLimited.kind, CaseTimeout.kind})
"""Kinds of failure that point to a provider outage and not to a single wrong request."""
MIXED = "mixed"
"""The judging of a run whose recorded answers are not all judged by the same."""
OUTAGES_IN_A_ROW = 12
"""The number of consecutive outage failures that ends a run."""

Aggregate = Callable[[Path], Mapping[str, Any]]


class RunResult(Struct, frozen=True, kw_only=True):
    """How a run ended. ``tally`` counts the whole plan, ``asked`` only the cases of this run.

    ``judged`` counts the recorded answers that this run judged without asking: those that were
    not judged yet, and those that were judged again because what they are held against changed.
    ``unjudged`` says why some of the latter could not be judged again. ``outside`` is the number
    of recorded cases that are not part of the plan; nothing else counts them.
    """

    tally: Tally
    asked: int
    total: int
    paid: float | None
    judge_paid: float | None = None
    elapsed_s: float
    summary: Summary
    judged: int = 0
    unjudged: str = ""
    outside: int = 0
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
    metrics: Sequence[Metric] = (),
) -> RunResult:
    """Ask every case of ``plan`` that has no outcome in ``journal_path`` yet.

    Answers that are recorded but not judged are judged without asking again; so are all recorded
    answers if ``header.judging`` or the judge has changed. ``aggregate`` computes the results for the summary
    from the finished journal. ``preamble`` is a line without a key (metadata) that becomes the
    first line of an empty journal. ``begin`` is called after the journal was read and before any
    case is asked. ``metrics`` are those of the job: an answer that counts as lost gets no credit
    from any of them. If the run stops early, the result has ``stopped`` set. Wrong use raises an
    error before the first call.
    """
    _refuse_name(journal_path)
    header = replace(header, judging=_judging(header, handler))
    if fresh:
        with locked_journal(journal_path):  # no other run may write to the file while it is moved
            set_aside(journal_path)
    survey = Survey(plan)
    with Journal.open(journal_path, survey) as journal:
        previous = read_summary(summary_path(journal_path))
        survey.accept_corrected(journal_path)
        if not keep_stale:
            variants: tuple[Variant, ...] = previous.variants if previous else ()
            survey.refuse_stale(previous.system if previous else None, variants)
        is_done = survey.result().done == plan.total
        store_plan(journal_path, plan, header)
        # a header whose rows are gone belongs to another run
        continued = previous if journal_path.stat().st_size else None
        summary = _first_summary(header, previous, continued, is_done=is_done)
        # without a summary it is not known what the recorded answers were judged by
        judged_by = (
            previous.judging if previous else None if survey.result().done else header.judging
        )
        judges_again = judged_by != header.judging and (
            previous is not None or header.judging != ""
        )
        judges_again = judges_again or bool(survey.result().outdated)
        if previous is not None and summary is previous and judges_again:
            summary = replace(previous, stretches=start_summary(header, previous).stretches)
        is_new_stretch = summary is not previous
        if is_new_stretch:
            # until all recorded answers are judged again, rows of two judgings are mixed
            judging = MIXED if judges_again else header.judging
            summary = replace(summary, judging=judging, state="running", results={})
            write_summary(summary_path(journal_path), summary)
        if preamble is not None and not journal_path.stat().st_size:
            journal.write([preamble])
        with VerdictStore(journal_path) as verdicts:
            run = _Run(
                plan,
                handler,
                journal,
                verdicts,
                survey,
                settings or RunSettings(),
                reporter or SilentReporter(),
                header.job,
                prepare_paid_before=summary.prepare_paid,
                metrics=metrics,
            )
            run.backoff = backoff or run.backoff
            run.judges_again = judges_again
            if begin is not None:
                begin(survey)
            if run.judges_again or not is_done:
                run_in_loop(run.go(executor))
    result = run.result(summary)
    is_described_anew = digest(summary.extra) != digest(header.extra)  # another primary metric
    is_changed = run.asked or run.judged or run.judges_again or is_described_anew
    if is_changed or summary.state != "complete":
        summary = replace(
            summary,
            schema_version=SCHEMA_VERSION,
            judging=header.judging if run.has_judged_again else MIXED,
            questions_sha256=header.questions_sha256,
            extra=header.extra,
            state="running",
            results={},
        )
        write_summary(summary_path(journal_path), summary)  # the results depend on the header
        if is_new_stretch:
            summary = _end_stretch(run, result, summary)
        summary = _final_summary(run, result, summary, aggregate(journal_path) if aggregate else {})
        write_summary(summary_path(journal_path), summary)
    return replace(result, summary=summary)


def check_run(plan: Plan, journal_path: Path, *, fresh: bool, keep_stale: bool) -> None:
    """Refuse what ``run_plan`` would refuse before its first call, without changing a file."""
    _refuse_name(journal_path)
    folder = next(parent for parent in journal_path.parents if parent.exists())
    for path in (folder, journal_path):
        if path.exists() and not os.access(path, os.W_OK):
            raise JournalReadOnly(f"{path}: results cannot be written here")
    if fresh or keep_stale:
        return
    survey = survey_journal(journal_path, plan)
    previous = read_summary(summary_path(journal_path))
    survey.accept_corrected(journal_path)
    survey.refuse_stale(
        previous.system if previous else None, previous.variants if previous else ()
    )


def _judging(header: RunHeader, handler: CaseHandler) -> str:
    """What the answers are held against; a judge that calls something belongs to it."""
    return " ".join(filter(None, (header.judging, handler.judge_identity)))


def _first_summary(
    header: RunHeader, previous: Summary | None, continued: Summary | None, *, is_done: bool
) -> Summary:
    """The summary to start with: that of the last run if it has nothing left to do.

    If the last run had other cases, and all of this one are among them, its results are not those
    of this run. ``continued`` is the last run if this one goes on with its rows.
    """
    if previous is not None and is_done and _cases_of(previous) == _cases_of(header):
        return previous
    return start_summary(header, continued)


def _cases_of(header: RunHeader) -> str:
    """A digest of what decides which cases a run has.

    System and settings do not: with ``--keep-stale`` the answers are those of the last run.
    """
    return digest(
        [
            [variant.name for variant in header.variants],
            header.total,
            header.questions_sha256,
            header.limit or 0,
            header.top_k,
        ]
    )


def _refuse_name(journal: Path) -> None:
    if journal.name.endswith((".plan.jsonl", ".verdicts.jsonl")):
        raise UseError(f"{journal}: files with this ending belong to another run; use another name")


def _final_summary(
    run: "_Run", result: RunResult, summary: Summary, results: Mapping[str, Any]
) -> Summary:
    return replace(
        summary,
        state="complete" if result.is_complete else "partial",
        completed_at=now() if result.is_complete else None,
        tally=result.tally,
        paid=result.paid,
        judge_paid=result.judge_paid,
        prepare_paid=run.prepare_paid,
        results=results,
    )


def _end_stretch(run: "_Run", result: RunResult, summary: Summary) -> Summary:
    progress = run.progress
    return end_stretch(
        summary,
        asked=result.asked,
        judged=result.judged,
        elapsed_s=result.elapsed_s,
        paid=round(progress.paid - progress.paid_before, 12) if progress.priced else None,
    )


class _Run:
    """The state of one run while it is in progress."""

    def __init__(
        self,
        plan: Plan,
        handler: CaseHandler,
        journal: Journal,
        verdicts: VerdictStore,
        survey: Survey,
        settings: RunSettings,
        reporter: Reporter,
        job: str,
        *,
        prepare_paid_before: float | None = None,
        metrics: Sequence[Metric] = (),
    ) -> None:
        self.plan = plan
        self.handler = handler
        self.journal = journal
        self.verdicts = verdicts
        self.survey = survey
        self.survey_result = survey_result = survey.result()
        self.settings = settings
        self.reporter = reporter
        self.backoff = Backoff()
        self.limit = AdaptiveLimit(
            min(settings.concurrency, handler.max_concurrency or settings.concurrency)
        )
        self.progress = Progress(
            total=plan.total,
            done_before=survey_result.done,
            paid_before=survey_result.paid
            + survey_result.judge_paid
            + max(prepare_paid_before or 0.0, 0.0),
        )
        self.prepare_paid = prepare_paid_before
        self.breaker = CircuitBreaker(OUTAGES_IN_A_ROW)
        self.judges_again = False
        self.asked = 0
        self.has_ended = False  # whether any question of this run has come to its end
        self.judged = 0
        self.unjudged = ""
        self.has_others = False
        self.scored = 0
        self.judge_paid: float | None = survey_result.judge_paid or None
        self.answered = dict(survey_result.answered)
        self.failed_before = set(survey_result.failed)
        self.filtered = set(survey_result.filtered)
        self.lost = set(survey_result.lost)
        self.answered_now: set[str] = set()
        self.stopped: RunStopped | None = None
        self.job = job
        self.metrics = metrics
        system = getattr(handler, "system", None)
        self.is_free = isinstance(system, CostsNothing) and system.costs_nothing
        self.has_registered_scorers = bool(registered_scorers(job))

    @property
    def has_judged_again(self) -> bool:
        """Whether all recorded answers are judged by what the header says."""
        return not self.judges_again or not (self.unjudged or self.has_others)

    async def go(self, executor: Callable[[AdaptiveLimit], Executor]) -> None:
        """Judge recorded answers again if that is needed, then ask all pending cases."""
        self.stop = Stop()
        apart = self.handler.one_variant_at_a_time
        self.gate = SettingsGate() if apart else None
        self.asker = Asker(self.handler, self.settings, self.limit, self.backoff, self.stop)
        self.judging = Judging(self.handler, self.verdicts, self.settings, self.backoff, self.stop)
        loop = asyncio.get_running_loop()
        syncing = loop.create_task(self.journal.sync_regularly())
        syncing.add_done_callback(self._note_sync_failure)
        timer = self._start_timer(loop)
        self._check_cost()
        try:
            with interruptible(self.stop.request):
                self.reporter.begin(self.progress)
                if self.judges_again:
                    await self._judge_again()
                if self.survey_result.done < self.plan.total:
                    if not self.answered or next(self.survey.to_ask(), None) is not None:
                        await self._prepare()
                    await executor(self.limit).execute(self._pending(), self.perform, self.stop)
        finally:
            self.reporter.end(self.progress)
            syncing.cancel()
            if timer:
                timer.cancel()
            await self._close_handler()
        self.stopped = self.stop.reason

    def _pending(self) -> Iterator[Case]:
        """The cases to perform, in an order that suits the system."""
        pending, variants = self.survey.pending(), len(self.plan.variants)
        if self.gate is None or self.limit.ceiling == 1 or variants == 1:
            return pending
        return by_variant(pending, variants=variants, concurrency=self.limit.ceiling)

    async def _judge_again(self) -> None:
        rejudged = await judge_again(
            self.plan,
            self.handler,
            self.journal,
            job=self.job,
            judging=self.judging,
            concurrency=self.settings.concurrency,
            stop=self.stop,
            charge=self._charge_judge,
            corrected=self.survey_result.corrected,
            metrics=self.metrics,
        )
        self.judged += rejudged.changed
        self.unjudged = rejudged.problem
        self.has_others = rejudged.has_others

    async def _prepare(self) -> None:
        """Prepare the system. The cost is counted, and a stop ends the preparation."""
        with metering() as meter:
            preparing = asyncio.ensure_future(self._prepare_handler())
            stopped = asyncio.ensure_future(self.stop.wait())
            try:
                await asyncio.wait({preparing, stopped}, return_when=asyncio.FIRST_COMPLETED)
                if preparing.done():
                    preparing.result()
            finally:
                preparing.cancel()
                stopped.cancel()
        read_environment()  # a system may read a file of keys when it is loaded
        if meter.paid is not None:
            self.prepare_paid = (self.prepare_paid or 0.0) + meter.paid
            self.progress.paid += meter.paid
            self.progress.priced = True
            self._check_cost()
        self._check_counted(meter.usage())

    async def _prepare_handler(self) -> None:
        await self.handler.prepare()
        if self.handler.wants_sources:
            sources = (case.question.source for case in self.survey.to_ask())
            known = dict.fromkeys(source for source in sources if source is not None)
            self.handler.expect_sources(list(known))
        pending = self.plan.total - self.survey_result.done - len(self.answered)
        await self.handler.warm_up(self.plan.variants, min(self.limit.limit, max(pending, 1)))

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
        """Ask one case, judge its answer, and record the outcome.

        An answer that an earlier run recorded is judged without asking again.
        """
        recorded = self.answered.get(case.key)
        if recorded is not None:
            await self._judge_recorded(case, recorded)
            return
        is_first = not self.has_ended
        async with self.gate.variant(case.variant.name) if self.gate else nullcontext():
            is_late = self.gate is not None and self.stop.requested()  # it may have waited long
            asked = None if is_late else await self.asker.ask(case)
        if asked is None:
            return
        if not isinstance(asked, Skipped):
            self.has_ended = True
            asked = replace(asked, first_in_flight=is_first) if is_first else asked
        self.asked += 1
        self.failed_before.discard(case.key)
        self.filtered.discard(case.key)
        self._check_provider(asked)
        if isinstance(asked, Failed) and asked.kind == Filtered.kind:
            if self.settings.count_filtered:
                asked = _lost_answer(asked)
            else:
                self.filtered.add(case.key)
        if not isinstance(asked, Answered):
            self._record(case, asked)
            return
        if self.handler.judge_identity is None:
            self._record(case, score_answered(self.handler, case, asked))
        elif self._write_answer(case, asked):
            self._record(case, await self.judging.judge(case, asked), billed=False)

    async def _judge_recorded(self, case: Case, head: RowHead) -> None:
        """Judge an answer that an earlier run recorded."""
        assert head.recorded is not UNSET
        try:
            answered = msgspec.json.decode(head.recorded, type=Answered)
        except UNREADABLE as error:
            message = f"the recorded answer cannot be read ({error}); the next run asks again"
            failed = Failed(kind="journal", message=message, elapsed_s=0.0, attempts=0)
            self._record(case, failed)
            return
        # with --keep-stale the answer may belong to an earlier version of the experiment
        case = replace(case, fingerprint=head.fingerprint)
        outcome = await self.judging.judge(case, answered)
        self.judged += isinstance(outcome, Scored)
        self._record(case, outcome, billed=False)

    def _write_answer(self, case: Case, answered: Answered) -> bool:
        """Write the answer before it is judged; return whether it could be written."""
        try:
            encoded = encode_row(self._row(case, answered))
            msgspec.json.decode(encode_row(answered), type=Answered)  # the next run must read it
        except UNWRITABLE as error:
            self._record(case, _unwritable_outcome(answered, error))
            return False
        self.journal.write([encoded])
        self.answered_now.add(case.key)
        self._charge(answered.answer.usage)
        return True

    def _record(self, case: Case, outcome: Outcome, *, billed: bool = True) -> None:
        """Write the row of an outcome, count it and report it.

        ``billed`` is false if an earlier row of the case has the cost of the answer already.
        """
        try:
            row = self._row(case, outcome, billed=billed)
            encoded = encode_row(row)
            if isinstance(outcome, Answered):  # the next run must be able to read it
                msgspec.json.decode(encode_row(outcome), type=Answered)
        except UNWRITABLE as error:
            outcome = _unwritable_outcome(outcome, error)
            row = self._row(case, outcome, billed=billed)
            encoded = encode_row(row)
        self.journal.write([encoded])
        self._count(case, outcome, billed=billed)
        try:
            self.reporter.case(self.progress, row)
        except OSError:  # the reader of the lines is gone (`| head`): continue silently
            self.reporter = SilentReporter()

    def _row(self, case: Case, outcome: Outcome, *, billed: bool = True) -> Row:
        row = self.handler.row(case, outcome)
        complete_row(row, case, outcome, time.time(), billed=billed)
        if self.has_registered_scorers and isinstance(outcome, Scored):
            recorded = msgspec.to_builtins(row)
            fields = registered_fields(self.job, recorded, case.variant.settings)
            row.scores = fields.get(SCORES, row.scores)
            row.scorer_errors = fields.get(ERRORS, UNSET)
        if isinstance(outcome, Scored) and outcome.lost:
            recorded = without_credit(msgspec.to_builtins(row), self.metrics)
            return msgspec.convert(recorded, type(row))
        return row

    def _count(self, case: Case, outcome: Outcome, *, billed: bool) -> None:
        self.progress.done += 1
        self.answered.pop(case.key, None)
        self.answered_now.discard(case.key)
        if isinstance(outcome, Scored):
            self.scored += 1
            if outcome.lost:
                self.lost.add(case.key)
            usage = outcome.answer.usage
            self._charge_judge(outcome.judging)
        elif isinstance(outcome, Answered):
            self.answered_now.add(case.key)
            usage = outcome.answer.usage
            self._charge_judge(outcome.judging)
        elif isinstance(outcome, Failed):
            self.progress.failed += 1
            usage = outcome.usage
        else:
            self.progress.skipped += 1
            usage = None
        if billed and usage is not None:
            self._charge(usage)

    def _charge(self, usage: Usage | None) -> None:
        """Count what a case cost, and stop the run at the limit."""
        usage = checked_usage(usage)  # it may come from a file
        if usage is not None and usage.paid is not None:
            self.progress.paid += usage.paid
            self.progress.priced = True
            self._check_cost()
        self._check_counted(usage)

    def _charge_judge(self, usage: Usage | None) -> None:
        self._charge(usage)
        if usage is not None and usage.paid is not None:
            self.judge_paid = (self.judge_paid or 0.0) + usage.paid

    def _check_provider(self, outcome: Answered | Failed | Skipped) -> None:
        """Request a stop when the provider is down, before all remaining cases fail."""
        if not isinstance(outcome, Failed) or outcome.kind not in OUTAGES:
            self.breaker.alive()
            return
        down = self.breaker.outage(outcome.message)
        to_ask = self.plan.total - self.survey_result.done - len(self.survey_result.answered)
        is_every_case = self.breaker.in_a_row == to_ask
        if down or (is_every_case and outcome.kind != CaseTimeout.kind):
            self.stop.request(
                ProviderUnavailable(
                    f"provider unavailable: {counted(self.breaker.in_a_row, 'case')} in a row got "
                    f"no answer, the last with: {self.breaker.last}"
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

    def _check_counted(self, usage: Usage | None) -> None:
        """Stop a run with a cost limit if it is not known what a call cost."""
        if usage is None or self.settings.max_cost is None or usage.is_counted or self.is_free:
            return
        self.stop.request(
            CeilingReached(
                "it is not known what a call cost, so --max-cost cannot be kept: no price is "
                "configured (set 'price', 0 for a free model), or the provider stated no tokens "
                "or a cost that cannot be right"
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
                answered=len(self.answered) + len(self.answered_now),
                failed=self.progress.failed + len(self.failed_before),
                skipped=self.survey_result.skipped + self.progress.skipped,
                lost=len(self.lost) or UNSET,
                filtered=len(self.filtered) or UNSET,
            ),
            asked=self.asked,
            judged=self.judged,
            unjudged=self.unjudged,
            total=self.plan.total,
            outside=self.survey_result.outside,
            paid=self._paid() if self.progress.priced else None,
            judge_paid=self._judge_paid(),
            elapsed_s=self.progress.elapsed_s,
            summary=summary,
            stopped=self.stopped,
        )

    def _paid(self) -> float:
        """What the cases of the plan cost; ``progress`` counts all rows, for the cost limit."""
        outside = self.survey_result.outside_paid + self.survey_result.outside_judge_paid
        return self.progress.paid - outside if outside else self.progress.paid

    def _judge_paid(self) -> float | None:
        outside = self.survey_result.outside_judge_paid
        return self.judge_paid - outside or None if self.judge_paid and outside else self.judge_paid


def _lost_answer(failed: Failed) -> Answered:
    """A case that the provider's filter refused, as an empty answer that is scored."""
    answer = Answer(text="", usage=failed.usage, finish_reason="content_filter", facts=failed.facts)
    return Answered(
        answer=answer,
        elapsed_s=failed.elapsed_s,
        attempts=failed.attempts,
        first_in_flight=failed.first_in_flight,
        lost=f"{failed.kind}: {failed.message}",
    )


def _unwritable_outcome(outcome: Outcome, error: Exception) -> Failed | Answered:
    """The outcome of a case whose reply or scores JSON cannot represent (a lone surrogate).

    If only the scores cannot be written, the answer is kept.
    """
    if isinstance(outcome, Scored):
        with suppress(*UNWRITABLE):
            encode_row(outcome.answer)
            return Answered(
                answer=outcome.answer,
                elapsed_s=outcome.elapsed_s,
                attempts=outcome.attempts,
                first_in_flight=outcome.first_in_flight,
                problem=f"scorer: the scores cannot be written as JSON: {describe(error)}",
                judging=outcome.judging,
                judges=outcome.judges,
                lost=outcome.lost,
            )
    usage = outcome.answer.usage if isinstance(outcome, Scored | Answered) else None
    return Failed(
        kind="system",
        message=f"the reply cannot be written as JSON: {describe(error)}",
        elapsed_s=getattr(outcome, "elapsed_s", 0.0),
        attempts=getattr(outcome, "attempts", 0),
        first_in_flight=getattr(outcome, "first_in_flight", False),
        usage=usage,
    )
