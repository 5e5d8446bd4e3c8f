"""A run while it is in progress: it asks the pending cases, judges, records and counts."""

import asyncio
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import filterfalse
from typing import Final

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from assay.checks import registered
from assay.checks.own_scorer import OwnScorer
from assay.checks.registered import without_credit
from assay.config.experiment import RunSettings
from assay.data.jsonl import UNREADABLE
from assay.errors import (
    CaseTimeout,
    Filtered,
    ProviderUnavailable,
    RateLimited,
    RunStopped,
    TransientError,
)
from assay.mask import read_environment, restored_record
from assay.models.foreign_error import describe
from assay.models.limit import AdaptiveLimit, Backoff, CircuitBreaker
from assay.models.meter import metering
from assay.records import Answered, Case, Failed, Metric, Outcome, Scored, Skipped, Spared, Tally
from assay.redact.error_text import masked_errors
from assay.runs.asker import Asker
from assay.runs.budget import Spending
from assay.runs.early_stop import EarlyStopping, early_stopping
from assay.runs.executor import Executor, Stop, interruptible
from assay.runs.handler import CaseHandler, lost_answer, unwritable_outcome
from assay.runs.judging import Judging, VerdictStore
from assay.runs.plan import Plan
from assay.runs.progress import Progress, Reporter, SilentReporter
from assay.runs.rejudge import MASKED, judge_again
from assay.runs.row import Row, RowHead, complete_row
from assay.runs.summary import RunResult, Summary
from assay.runs.survey import QUESTIONS_EACH, SettingsGate, Survey, SurveyResult, by_variant
from assay.runs.write import UNWRITABLE, Journal, encode_row
from assay.systems.protocol import CostsNothing
from assay.text.width import counted

# When a provider is down: a run is stopped before all of its remaining cases fail.

OUTAGES: Final = frozenset({TransientError.kind, RateLimited.kind, CaseTimeout.kind})
"""Kinds of failure that point to a provider outage and not to a single wrong request."""
OUTAGES_IN_A_ROW: Final = 12
"""The number of consecutive outage failures that ends a run."""


class ProviderWatch:
    """Watches the outcomes of a run with so many cases, some of which may be recorded already.

    A short run of which no case gets an answer is an outage too. But if the provider has answered
    other cases, the few that are asked again may fail by themselves: they then end as failed, as
    they did among the others.
    """

    def __init__(self, total: int, recorded: SurveyResult) -> None:
        answers = recorded.done - recorded.skipped - len(recorded.spared) + len(recorded.answered)
        to_ask = total - recorded.done - len(recorded.answered)
        self._short_run = 0 if answers else to_ask
        self._breaker = CircuitBreaker(OUTAGES_IN_A_ROW)

    def outage(self, outcome: Answered | Failed | Skipped) -> ProviderUnavailable | None:
        """Why the run should stop after this outcome; ``None`` if it should go on."""
        breaker = self._breaker
        if not isinstance(outcome, Failed) or outcome.kind not in OUTAGES:
            breaker.alive()
            return None
        down = breaker.outage(outcome.message)
        is_every_case = breaker.in_a_row == self._short_run
        if not down and not (is_every_case and outcome.kind != CaseTimeout.kind):
            return None
        return ProviderUnavailable(
            f"provider unavailable: {counted(breaker.in_a_row, 'case')} in a row got "
            f"no answer, the last with: {breaker.last}"
        )


# An answer that an earlier run recorded and did not judge.


def recorded_answered(head: RowHead) -> Answered:
    """The recorded answer; if it was redacted, with the key, as it was."""
    assert head.recorded is not UNSET
    if not head.redacted:
        return msgspec.json.decode(head.recorded, type=Answered)
    restored = restored_record(msgspec.json.decode(head.recorded))
    if restored is None:
        raise msgspec.DecodeError(MASKED)
    return msgspec.convert(restored, Answered)


class ActiveRun:
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
        early: EarlyStopping | None = None,
        scorers: Sequence[OwnScorer] = (),
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
        self.provider = ProviderWatch(plan.total, survey_result)
        self.judges_again = False
        self.asked = 0
        self.has_ended = False  # whether any question of this run has come to its end
        self.judged = 0
        self.unjudged = ""
        self.has_others = False
        self.scored = 0
        self.answered = dict(survey_result.answered)
        self.failed_before = set(survey_result.failed)
        self.filtered = set(survey_result.filtered)
        self.lost = set(survey_result.lost)
        self.answered_now: set[str] = set()
        self.stopped: RunStopped | None = None
        self.job = job
        self.metrics = metrics
        system = getattr(handler, "system", None)
        self.spending = Spending(
            self.progress,
            survey_result,
            max_cost=settings.max_cost,
            prepare_paid=prepare_paid_before,
            is_free=isinstance(system, CostsNothing) and system.costs_nothing,
        )
        self.scorers = (*registered.registered_scorers(job), *scorers)
        self.scorer_needs = {scorer.needs for scorer in self.scorers}
        self.early = early

    @property
    def has_judged_again(self) -> bool:
        """Whether all recorded answers are judged by what the header says."""
        return not self.judges_again or not (self.unjudged or self.has_others)

    async def go(self, executor: Callable[[AdaptiveLimit], Executor]) -> None:
        """Judge recorded answers again if that is needed, then ask all pending cases."""
        self.stop = Stop()
        one_variant = self.handler.one_variant_at_a_time
        self.gate = SettingsGate() if one_variant else None
        self.asker = Asker(self.handler, self.settings, self.limit, self.backoff, self.stop)
        self.judging = Judging(self.handler, self.verdicts, self.settings, self.backoff, self.stop)
        syncing = asyncio.create_task(self.journal.sync_regularly())
        syncing.add_done_callback(self._note_sync_failure)
        timer = self.stop.after(self.settings.max_minutes)
        self.spending.begin(self.stop)
        try:
            with interruptible(self.stop.request):
                self.reporter.begin(self.progress)
                if self.judges_again:
                    await self._judge_again()
                    self._check_decisions()
                if self.survey_result.done < self.plan.total:
                    if not self.answered or next(self.survey.to_ask(), None) is not None:
                        await self._prepare()
                        self.progress.begin_asking()
                    await executor(self.limit).execute(self._pending(), self.perform, self.stop)
        finally:
            self.reporter.end(self.progress)
            syncing.cancel()
            self.judging.close()
            if timer:
                timer.cancel()
            await self._close_handler()
        self.spending.settle()
        self.stopped = self.stop.reason

    def _pending(self) -> Iterator[Case]:
        """The cases to perform, in an order that suits the system.

        Whether a case is still needed is asked when a worker takes it, not before.
        """
        pending, variants = self.survey.pending(), len(self.plan.variants)
        if self.gate is not None and self.limit.ceiling > 1 and variants > 1:
            questions = self.limit.ceiling * (1 if self.early is not None else QUESTIONS_EACH)
            pending = by_variant(pending, variants=variants, questions=questions)
        return filterfalse(self._is_spared, pending) if self.early is not None else pending

    def _is_spared(self, case: Case) -> bool:
        """Whether no comparison needs the case any more; then this is recorded."""
        if self.early is None or case.key in self.answered:
            return False
        if (spared := self.early.spared(case)) is not None:
            self._record(case, spared)
        return spared is not None

    async def _judge_again(self) -> None:
        rejudged = await judge_again(
            self.plan,
            self.handler,
            self.journal,
            job=self.job,
            judging=self.judging,
            concurrency=self.settings.concurrency,
            stop=self.stop,
            charge=partial(self.spending.charge_judge, in_case=False),
            corrected=self.survey_result.corrected,
            scorers=self.scorers,
            metrics=self.metrics,
        )
        self.judged += rejudged.changed
        self.unjudged = rejudged.problem
        self.has_others = rejudged.has_others

    def _check_decisions(self) -> None:
        """Decide anew by the scores of today; what is no longer decided is asked after all."""
        done = self.survey_result.done
        self.early = early_stopping(self.plan, self.journal.path, self.survey)
        self.survey_result = self.survey.result()
        self.progress.reopen(done - self.survey_result.done)
        self.provider = ProviderWatch(self.plan.total, self.survey_result)

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
            self.spending.charge_preparing(meter.paid)
        self.spending.check_counted(meter.usage())

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
        """Ask one case, judge its answer, and record the outcome, if the cost limit lets it begin."""
        if await self.spending.begin_case():
            try:
                await self._perform(case)
            finally:
                self.spending.end_case()

    async def _perform(self, case: Case) -> None:
        """An answer that an earlier run recorded is judged without asking again."""
        recorded = self.answered.get(case.key)
        if recorded is not None:
            await self._judge_recorded(case, recorded)
            return
        is_first = not self.has_ended
        asked = await (self._ask_in_turn(case) if self.gate else self.asker.ask(case))
        if asked is None:
            return
        if not isinstance(asked, Skipped):
            self.has_ended = True
            asked = replace(asked, first_in_flight=is_first) if is_first else asked
        self.asked += 1
        self.failed_before.discard(case.key)
        self.filtered.discard(case.key)
        if (outage := self.provider.outage(asked)) is not None:
            self.stop.request(outage)
        if isinstance(asked, Failed) and asked.kind == Filtered.kind:
            if self.settings.count_filtered:
                asked = lost_answer(asked)
            else:
                self.filtered.add(case.key)
        if not isinstance(asked, Answered):
            self._record(case, asked)
            return
        if self.handler.judge_identity is None:
            self._record(case, await self.judging.score(case, asked))
        elif self._write_answer(case, asked):
            self._record(case, await self.judging.judge(case, asked), billed=False)

    async def _ask_in_turn(self, case: Case) -> Answered | Failed | Skipped | None:
        """Ask when no case of another variant is being asked; ``None`` if it is needed no more."""
        assert self.gate is not None
        async with self.gate.variant(case.variant.name):
            if self.stop.requested() or self._is_spared(case):  # while it waited for its turn
                return None
            return await self.asker.ask(case)

    async def _judge_recorded(self, case: Case, head: RowHead) -> None:
        """Judge an answer that an earlier run recorded."""
        try:
            answered = recorded_answered(head)
        except UNREADABLE as error:
            message = f"the recorded answer cannot be read ({error}); the next run asks again"
            failed = Failed(kind="journal", message=message, elapsed_s=0.0, attempts=0)
            self._record(case, failed)
            return
        # with --resume keep the answer may belong to an earlier version of the experiment
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
            self._record(case, unwritable_outcome(answered, error))
            return False
        self.journal.write([encoded])
        self.answered_now.add(case.key)
        self.spending.charge(answered.answer.usage)
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
            outcome = unwritable_outcome(outcome, error)
            row = self._row(case, outcome, billed=billed)
            encoded = encode_row(row)
        self.journal.write([encoded])
        self._count(case, outcome, billed=billed)
        if self.early is not None:
            self.early.note(case, outcome, row)
        try:
            self.reporter.case(self.progress, row)
        except OSError:  # the reader of the lines is gone (`| head`): continue silently
            self.reporter = SilentReporter()

    def _row(self, case: Case, outcome: Outcome, *, billed: bool = True) -> Row:
        row = self.handler.row(case, outcome)
        complete_row(row, case, outcome, time.time(), billed=billed)
        if isinstance(outcome, Scored) and registered.has_fields(row, self.scorer_needs):
            recorded = msgspec.to_builtins(row)
            fields = registered.registered_fields(
                self.job, self.scorers, recorded, case.variant.settings
            )
            row.scores = fields.get(registered.SCORES, row.scores)
            for name in registered.KNOWN:
                setattr(row, name, fields.get(name, getattr(row, name)))
            row.scorer_errors = masked_errors(fields.get(registered.ERRORS, {})) or UNSET
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
            self.spending.charge_judge(outcome.judging)
        elif isinstance(outcome, Answered):
            self.answered_now.add(case.key)
            usage = outcome.answer.usage
            self.spending.charge_judge(outcome.judging)
        elif isinstance(outcome, Failed):
            self.progress.failed += 1
            usage = outcome.usage
        elif isinstance(outcome, Spared):
            self.progress.spared += 1
            self.failed_before.discard(case.key)
            self.filtered.discard(case.key)
            usage = None
        else:
            self.progress.skipped += 1
            usage = None
        if billed and (usage is not None or isinstance(outcome, Scored)):
            self.spending.charge(usage)

    def result(self, summary: Summary) -> RunResult:
        """The result of the run, with the given summary."""
        return RunResult(
            tally=Tally(
                scored=self.survey_result.done
                - self.survey_result.skipped
                - len(self.survey_result.spared)
                + self.scored,
                answered=len(self.answered) + len(self.answered_now),
                failed=self.progress.failed + len(self.failed_before),
                skipped=self.survey_result.skipped + self.progress.skipped,
                lost=len(self.lost) or UNSET,
                filtered=len(self.filtered) or UNSET,
                spared=len(self.survey_result.spared) + self.progress.spared or UNSET,
            ),
            asked=self.asked,
            judged=self.judged,
            unjudged=self.unjudged,
            total=self.plan.total,
            outside=self.survey_result.outside,
            outside_top_k=self.survey_result.outside_top_k,
            paid=self.spending.paid,
            judge_paid=self.spending.judge_paid,
            elapsed_s=self.progress.elapsed_s,
            summary=summary,
            stopped=self.stopped,
        )
