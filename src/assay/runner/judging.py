"""Judging one answer, after it was asked for: its own deadline, its own attempts, its own cost.

The time of judging is never part of the latency, and its cost stands apart from the system's. A
judge that calls something (``CaseHandler.judge_identity``) gives a verdict, which is stored as
soon as it exists. The scores are then computed from the answer and the verdict, offline.
"""

import asyncio
import time
from typing import Any

import msgspec
from msgspec.structs import replace

from assay.config import RunSettings
from assay.errors import CaseSkipped
from assay.journal import UNWRITABLE, Verdict, VerdictStore, answer_hash, encode_row
from assay.models import Backoff
from assay.records import Answered, Case, Scored
from assay.runner.attempt import Attempted, Attempts
from assay.runner.executor import Stop
from assay.runner.failure import describe
from assay.runner.handler import CaseHandler


class Judging:
    """Judges answers. Raises ``RunStopped`` if the run must end."""

    def __init__(
        self,
        handler: CaseHandler,
        verdicts: VerdictStore,
        settings: RunSettings,
        backoff: Backoff,
        stop: Stop,
    ) -> None:
        self._handler = handler
        self._verdicts = verdicts
        self._attempts = Attempts(
            timeout_s=settings.timeout_s, retries=settings.retries, backoff=backoff, stop=stop
        )

    async def judge(self, case: Case, answered: Answered) -> Scored | Answered:
        """The scored answer, or the answer with the problem that kept it from being judged."""
        answered = replace(answered, problem=None, judging=None)
        identity = self._handler.judge_identity
        if identity is None:
            return score_answered(self._handler, case, answered)
        stored = self._verdicts.find(case.key, answered.answer, identity)
        # a verdict that was stored before a crash is paid for by the next row of its case
        bill = None if stored is None or answered.billed == identity else stored.usage
        if stored is None:
            try:
                attempted = await self._attempts.run(self._handler.judge, case, answered.answer)
            except CaseSkipped as skipped:  # a case that has an answer is not skipped
                return replace(answered, problem=_problem("judge", skipped))
            bill = attempted.usage()
            if attempted.failure is not None:
                problem = _problem(attempted.failure.kind, attempted.failure)
                return replace(answered, problem=problem, judging=bill)
            try:
                stored = self._store(case, answered, identity, attempted)
            except UNWRITABLE as error:
                problem = f"the verdict cannot be written as JSON: {describe(error)}"
                return replace(answered, problem=_problem("judge", problem), judging=bill)
        outcome = score_answered(self._handler, case, answered, stored.verdict)
        if isinstance(outcome, Scored):
            return replace(outcome, judging=bill)
        return replace(outcome, judging=bill, billed=identity)

    def _store(
        self, case: Case, answered: Answered, identity: str, attempted: Attempted[Any]
    ) -> Verdict:
        verdict = Verdict(
            key=case.key,
            answer_sha256=answer_hash(answered.answer),
            judge=identity,
            # as it will be read from the file
            verdict=msgspec.json.decode(encode_row(attempted.value)),
            usage=attempted.usage(),
            elapsed_s=round(attempted.used_s, 6),
            ts=time.time(),
        )
        self._verdicts.add(verdict)
        return verdict


def score_answered(
    handler: CaseHandler, case: Case, answered: Answered, verdict: Any = None
) -> Scored | Answered:
    """The scored answer; if a scorer fails, the answer with the problem."""
    try:
        scores = handler.score(case, answered.answer, verdict)
    except (Exception, SystemExit, asyncio.CancelledError) as error:  # noqa: BLE001
        # a missing score is not a score of zero, and the scorer may be the code of others
        return replace(answered, problem=_problem("scorer", describe(error)))
    return Scored(answer=answered.answer, elapsed_s=answered.elapsed_s, scores=scores)


def _problem(kind: str, problem: object) -> str:
    """The problem in words that JSON can represent."""
    return f"{kind}: {problem}".encode(errors="backslashreplace").decode()
