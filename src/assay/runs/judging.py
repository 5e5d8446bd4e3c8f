"""Judging one answer, after it was asked for: its own deadline, its own attempts, its own cost.

The time of judging is never part of the latency, and its cost is booked separately from the system's. A
judge that calls something (``CaseHandler.judge_identity``) gives a verdict, which is stored as
soon as it exists. The scores are then computed from the answer and the verdict, offline.
Answers that were scored before are judged again in the same way (``assay.runs.rejudge``).

Verdicts are stored in ``NAME.verdicts.jsonl``. A verdict is kept by the key of its case, the hash of the answer, and the identity of the judge
(its model, and its rubric and prompt by hash). It is appended as soon as it exists, so that an
answer is never judged twice by the same judge, whatever ends the run. The file only grows; the
last verdict with the same three counts.

Judging that failed may have cost something too: then there is a line without a verdict, whose
judge is ``failed IDENTITY``.
"""

import asyncio
import hashlib
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Protocol, Self

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from assay.config.experiment import RunSettings
from assay.data.jsonl import UNREADABLE
from assay.errors import CaseSkipped, RunStopped
from assay.mask import sealed, sealed_name
from assay.models.foreign_error import describe
from assay.models.limit import AdaptiveLimit, Backoff
from assay.models.meter import Meter
from assay.records import SCHEMA_VERSION, Answer, Answered, Case, Scored, Usage
from assay.runs.asker import Attempted, Attempts
from assay.runs.executor import Stop
from assay.runs.handler import CaseHandler, Scoring, problem_of
from assay.runs.read import read_rows
from assay.runs.write import UNWRITABLE, Journal, encode_row, incomplete_line, verdicts_path

FAILED: Final = "failed "
"""How the judge of a line begins that only says what judging cost."""


class Verdict(Struct, frozen=True, kw_only=True):
    """One verdict: on which answer to which case, by which judge, and what it cost."""

    key: str = ""
    answer_sha256: str = ""
    judge: str = ""
    verdict: Any = None
    usage: Usage | None = None
    elapsed_s: float = 0.0
    ts: float = 0.0
    schema_version: int = SCHEMA_VERSION


def answer_hash(answer: Answer) -> str:
    """The hash of what a judge reads: the text of the answer and its passages.

    >>> answer_hash(Answer(text="yes")) == answer_hash(Answer(text="yes", finish_reason="stop"))
    True
    """
    passages = [(passage.id, passage.text) for passage in answer.passages or ()]
    return sealed(hashlib.sha256(msgspec.json.encode((answer.text, passages))).hexdigest()[:16])


class VerdictStore:
    """The verdicts of a run, opened for reading and appending; it is a context manager.

    The file is created with the first verdict.
    """

    def __init__(self, journal: Path) -> None:
        self._path = verdicts_path(journal)
        self._file: Journal | None = None
        self._verdicts: dict[tuple[str, str, str], Verdict] = {}
        self._paid: dict[str, float] = {}
        if self._path.exists():
            for verdicts in read_rows(self._path, Verdict):
                for verdict in verdicts:
                    self._take(verdict)
            self._add_last_line()

    def _add_last_line(self) -> None:
        """Add the last verdict if only its newline was not written."""
        with self._path.open("rb") as file:
            _, line = incomplete_line(file.fileno(), self._path.stat().st_size)
        with suppress(*UNREADABLE):
            self._take(msgspec.json.decode(line, type=Verdict))

    def _take(self, verdict: Verdict) -> None:
        self._verdicts[_identity(verdict)] = verdict
        paid = verdict.usage.paid if verdict.usage is not None else None
        if paid is not None:
            judge = sealed_name(verdict.judge.removeprefix(FAILED))
            self._paid[judge] = self._paid.get(judge, 0.0) + max(paid, 0.0)

    def find(self, key: str, answer: Answer, judge: str) -> Verdict | None:
        """The verdict of this judge on this answer, if there is one."""
        return self._verdicts.get((key, answer_hash(answer), sealed_name(judge)))

    def add(self, verdict: Verdict) -> None:
        """Append a verdict."""
        if self._file is None:
            self._file = Journal.open(self._path)
        self._file.write([encode_row(verdict)])
        self._take(verdict)

    def forget(self, verdict: Verdict) -> None:
        """Let a damaged verdict be asked for again; its line stays, and a later one replaces it."""
        self._verdicts.pop(_identity(verdict), None)

    def paid(self, judge: str) -> float | None:
        """What all lines of this judge have cost, those of failed judging too."""
        return self._paid.get(sealed_name(judge))

    def close(self) -> None:
        """Sync and close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


def _identity(verdict: Verdict) -> tuple[str, str, str]:
    return verdict.key, sealed(verdict.answer_sha256), sealed_name(verdict.judge)


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
