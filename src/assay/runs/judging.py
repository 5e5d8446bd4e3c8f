"""Judging one answer, after it was asked for: its own deadline, its own attempts, its own cost.

The time of judging is never part of the latency, and its cost stands apart from the system's. A
judge that calls something (``CaseHandler.judge_identity``) gives a verdict, which is stored as
soon as it exists. The scores are then computed from the answer and the verdict, offline.
Answers that were scored before are judged again in the same way (``assay.runs.rejudge``).
"""

import asyncio
import time
from typing import Any, Protocol

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from assay.config.experiment import RunSettings
from assay.errors import CaseSkipped, RunStopped
from assay.models.foreign_error import describe
from assay.models.limit import AdaptiveLimit, Backoff
from assay.models.meter import Meter
from assay.records import Answer, Answered, Case, Scored, Usage
from assay.runs.asker import Attempted, Attempts
from assay.runs.executor import Stop
from assay.runs.handler import CaseHandler, Scoring, problem_of
from assay.runs.verdict import FAILED, Verdict, VerdictStore, answer_hash
from assay.runs.write import UNWRITABLE, encode_row


class Judgement(Struct, frozen=True, kw_only=True):
    """A verdict on an answer, or the ``problem`` that kept the judge from giving one.

    ``bill`` is what has to be paid for it now. ``judges`` are those whose verdicts on this answer
    are paid for then.
    """

    verdict: Any = None
    problem: str | None = None
    bill: Usage | None = None
    judges: tuple[str, ...] = ()


class GivesVerdicts(Protocol):
    """A judge that calls something; a ``CaseHandler`` may be one."""

    @property
    def judge_identity(self) -> str | None:
        """Identifies the judge; it changes whenever the verdicts may."""

    async def judge(self, case: Case, answer: Answer) -> Any:
        """The judge's verdict on an answer."""


class VerdictAsker:
    """Asks a judge for verdicts and stores them. Raises ``RunStopped`` if the run must end.

    ``limit`` is cut if the judge's server reports a rate limit. With ``keeps_failures``, what a
    failed judgement cost is stored with the verdicts; a run records it in the row of the case.
    """

    def __init__(
        self,
        judge: GivesVerdicts,
        verdicts: VerdictStore,
        settings: RunSettings,
        backoff: Backoff,
        stop: Stop,
        limit: AdaptiveLimit | None = None,
        *,
        keeps_failures: bool = False,
    ) -> None:
        self._judge = judge
        self._keeps_failures = keeps_failures
        self._verdicts = verdicts
        self._stop = stop
        self._attempts = Attempts(
            timeout_s=settings.timeout_s,
            retries=settings.retries,
            backoff=backoff,
            stop=stop,
            limit=limit,
        )

    async def verdict(self, case: Case, answer: Answer, judges: tuple[str, ...]) -> Judgement:
        """The judge's verdict on an answer. One that is stored already is not asked for again.

        ``judges`` are those whose verdicts on this answer have been paid for.
        """
        identity = self._judge.judge_identity
        if identity is None:
            return Judgement(judges=judges)
        stored = self._verdicts.find(case.key, answer, identity)
        if stored is not None:
            # a verdict that was stored before a crash is paid for by the next row of its case
            bill = None if identity in judges else stored.usage
            return Judgement(verdict=stored.verdict, bill=bill, judges=_with(judges, identity))
        judgement = await self._ask(case, answer, judges, identity)
        bill = judgement.bill
        if self._keeps_failures and judgement.problem is not None and bill is not None:
            self._verdicts.add(
                Verdict(
                    key=case.key,
                    answer_sha256=answer_hash(answer),
                    judge=f"{FAILED}{identity}",
                    usage=bill,
                    ts=time.time(),
                )
            )
        return judgement

    async def _ask(
        self, case: Case, answer: Answer, judges: tuple[str, ...], identity: str
    ) -> Judgement:
        spent = Meter()
        try:
            attempted = await self._attempts.run(self._judge.judge, case, answer, spent=spent)
        except CaseSkipped as skipped:  # a case that has an answer is not skipped
            return Judgement(
                problem=problem_of("judge", skipped), bill=spent.usage(), judges=judges
            )
        except (RunStopped, asyncio.CancelledError) as reason:
            if isinstance(reason, RunStopped):
                self._stop.request(reason)
            if spent.usage() is None or not self._stop.requested():
                raise
            # the run ends, but what was paid must be recorded
            problem = problem_of("judge", str(reason) or "the run ended")
            return Judgement(problem=problem, bill=spent.usage(), judges=judges)
        bill = attempted.usage()
        if attempted.failure is not None:
            problem = problem_of(attempted.failure.kind, attempted.failure)
            return Judgement(problem=problem, bill=bill, judges=judges)
        try:
            stored = self._store(case, answer, identity, attempted)
        except UNWRITABLE as error:
            problem = f"the verdict cannot be written as JSON: {describe(error)}"
            return Judgement(problem=problem_of("judge", problem), bill=bill, judges=judges)
        return Judgement(verdict=stored.verdict, bill=bill, judges=_with(judges, identity))

    def _store(
        self, case: Case, answer: Answer, identity: str, attempted: Attempted[Any]
    ) -> Verdict:
        verdict = Verdict(
            key=case.key,
            answer_sha256=answer_hash(answer),
            judge=identity,
            # as it will be read from the file
            verdict=msgspec.json.decode(encode_row(attempted.value)),
            usage=attempted.usage(),
            elapsed_s=round(attempted.used_s, 6),
            ts=time.time(),
        )
        self._verdicts.add(verdict)
        return verdict


class Judging(VerdictAsker):
    """Judges the answers of a run and scores them."""

    def __init__(
        self,
        handler: CaseHandler,
        verdicts: VerdictStore,
        settings: RunSettings,
        backoff: Backoff,
        stop: Stop,
    ) -> None:
        super().__init__(handler, verdicts, settings, backoff, stop)
        scoring = Scoring(handler, settings.concurrency)
        self.score, self.close = scoring.score, scoring.close

    async def judge(self, case: Case, answered: Answered) -> Scored | Answered:
        """The scored answer, or the answer with the problem that kept it from being judged."""
        answered = replace(answered, problem=None, judging=None)
        judgement = await self.verdict(case, answered.answer, answered.judges)
        answered = replace(answered, judges=judgement.judges, judging=judgement.bill)
        if judgement.problem is not None:
            return replace(answered, problem=judgement.problem)
        return await self.score(case, answered, judgement.verdict)


def _with(judges: tuple[str, ...], identity: str) -> tuple[str, ...]:
    return judges if identity in judges else (*judges, identity)
