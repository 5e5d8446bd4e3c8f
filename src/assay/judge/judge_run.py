"""Asking a judge about the answers of a finished run: only what it has not judged yet.

The system under test is never asked. Every verdict is stored as soon as it exists, so that a run
that is killed asks nothing twice beyond the calls in flight.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from assay.config.experiment import RunSettings
from assay.errors import RunStopped
from assay.judge.rubric import DamagedVerdict, StoredVerdict, read_finding, request_text
from assay.judge.rubric_judge import PairJudge, RubricJudge
from assay.judge.subject import RecordedCase
from assay.mask import sealed_name
from assay.models.limit import AdaptiveLimit, Backoff
from assay.models.meter import cost
from assay.records import Answer, Case, Usage
from assay.runs.budget import Budget
from assay.runs.executor import AsyncioExecutor, Stop, interruptible, run_in_loop
from assay.runs.judging import Verdict, VerdictAsker, VerdictStore
from assay.runs.read import read_rows
from assay.runs.write import locked_journal, verdicts_path
from assay.text.tokenizer import load_tokenizer
from assay.words.say import say, say_n


class JudgedRun(Struct, kw_only=True):
    """How judging a run went, in answers.

    ``stored`` answers had a verdict before. ``asked`` ones are those that the model was asked about
    now, with ``calls`` calls; the verdicts on ``replayed`` ones came from calls about equal answers
    or from the call cache. The replies about ``unparsed`` answers could not be read: they are not
    judged. ``repaired`` ones were read at the second attempt. ``skipped`` counts the answers that
    the judge cannot judge, by the reason. ``paid`` is what all verdicts of this judge have cost,
    failed ones too, ``paid_now`` the part of this time. ``problem`` is the first of the ``failed``.
    ``damaged`` counts the stored verdicts that no judge can have given: they are asked for again.
    """

    answers: int = 0
    stored: int = 0
    asked: int = 0
    replayed: int = 0
    calls: int = 0
    unparsed: int = 0
    repaired: int = 0
    failed: int = 0
    damaged: int = 0
    problem: str = ""
    skipped: dict[str, int] = msgspec.field(default_factory=dict)
    paid: float | None = None
    paid_now: float | None = None
    stopped: RunStopped | None = None

    @property
    def judged(self) -> int:
        """The number of answers with a verdict that could be read."""
        return self.replied - self.unparsed

    @property
    def replied(self) -> int:
        """The number of answers with a reply, also one that could not be read."""
        return self.stored + self.asked + self.replayed

    @property
    def exit_code(self) -> int:
        """0 if all answers that can be judged are judged."""
        if self.stopped is not None:
            return self.stopped.exit_code
        return 1 if self.failed or self.unparsed else 0


class _AskedJudge:
    """A judge as the runner asks it: by case."""

    def __init__(self, judge: RubricJudge | PairJudge, cases: Mapping[str, RecordedCase]) -> None:
        self._judge = judge
        self._cases = cases

    @property
    def judge_identity(self) -> str | None:
        return self._judge.identity

    async def judge(self, case: Case, answer: Answer) -> Any:
        return await self._judge.judge(self._cases[case.key].subject)


def judge_answers(
    journal: Path,
    judge: RubricJudge | PairJudge,
    cases: Sequence[RecordedCase],
    *,
    settings: RunSettings,
    skipped: Mapping[str, int] | None = None,
    backoff: Backoff | None = None,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> JudgedRun:
    """Ask ``judge`` about the ``cases`` that it has not judged yet."""
    with locked_journal(journal), VerdictStore(journal) as verdicts:
        result = JudgedRun(
            answers=len(cases), skipped=dict(skipped or {}), paid=verdicts.paid(judge.identity)
        )
        pending = [case for case in cases if not _count_stored(case, judge, verdicts, result)]
        if pending:
            work = _Work(judge, pending, verdicts, settings, backoff or Backoff(), result, progress)
            run_in_loop(work.go())
    return result


def pending_cases(
    journal: Path, judge: RubricJudge | PairJudge, cases: Sequence[RecordedCase]
) -> tuple[list[RecordedCase], JudgedRun]:
    """The cases that the judge would be asked about, and what is stored already."""
    with VerdictStore(journal) as verdicts:
        result = JudgedRun(answers=len(cases), paid=verdicts.paid(judge.identity))
        pending = [case for case in cases if not _count_stored(case, judge, verdicts, result)]
    return pending, result


def _count_stored(
    case: RecordedCase,
    judge: RubricJudge | PairJudge,
    verdicts: VerdictStore,
    result: JudgedRun,
) -> bool:
    """Whether there is a verdict already; if so, it is counted."""
    stored = verdicts.find(case.case.key, case.read_by(judge.rubric.name), judge.identity)
    if stored is None:
        return False
    try:
        finding = read_finding(stored.verdict)
    except DamagedVerdict:
        verdicts.forget(stored)
        result.damaged += 1
        return False
    result.stored += 1
    _count(result, finding)
    return True


def _count(result: JudgedRun, finding: StoredVerdict) -> None:
    result.unparsed += bool(finding.unparsed)
    result.repaired += finding.repaired


def _count_calls(result: JudgedRun, bill: Usage | None) -> None:
    """Count an answer as asked about, or as replayed if nothing was sent for it."""
    calls = bill.calls - bill.replayed_calls if bill is not None else 1
    result.calls += calls
    if calls:
        result.asked += 1
    else:
        result.replayed += 1


class _Work:
    """The asking itself, on an event loop."""

    def __init__(
        self,
        judge: RubricJudge | PairJudge,
        cases: Sequence[RecordedCase],
        verdicts: VerdictStore,
        settings: RunSettings,
        backoff: Backoff,
        result: JudgedRun,
        progress: Callable[[int, int], None],
    ) -> None:
        self._judge = judge
        self._cases = {case.case.key: case for case in cases}
        self._verdicts = verdicts
        self._settings = settings
        self._backoff = backoff
        self._result = result
        self._progress = progress
        self._budget = Budget(
            settings.max_cost,
            "the judge has",
            paid=result.paid,
            earlier=max(result.stored, 1),  # failed calls cost too
            included="earlier verdicts on this run",
        )

    async def go(self) -> None:
        """Ask about all cases, or until a stop."""
        stop = Stop()
        limit = AdaptiveLimit(self._settings.concurrency)
        asker = VerdictAsker(
            _AskedJudge(self._judge, self._cases),
            self._verdicts,
            self._settings,
            self._backoff,
            stop,
            limit,
            keeps_failures=True,
        )

        async def perform(case: Case) -> None:
            if not await self._budget.begin(stop):
                return
            try:
                judgement = await asker.verdict(
                    case, self._cases[case.key].read_by(self._judge.rubric.name), ()
                )
                self._take(judgement.verdict, judgement.problem, judgement.bill, stop)
            finally:
                self._budget.end()

        self._budget.check(stop)
        with interruptible(stop.request):
            try:
                await AsyncioExecutor(limit).execute(self._iterator(), perform, stop)
            finally:
                await self._judge.close()
        self._budget.settle()
        self._result.stopped = stop.reason

    def _iterator(self) -> Iterator[Case]:
        return iter([case.case for case in self._cases.values()])

    def _take(self, verdict: Any, problem: str | None, bill: Usage | None, stop: Stop) -> None:
        result = self._result
        self._budget.charge(bill, stop)
        result.paid = self._budget.paid
        if bill is not None and bill.paid is not None:
            result.paid_now = (result.paid_now or 0.0) + bill.paid
        if problem is not None:
            result.failed += 1
            result.problem = result.problem or problem
        else:
            _count_calls(result, bill)
            _count(result, msgspec.convert(verdict, StoredVerdict))
        self._progress(result.replied + result.failed, result.answers)


# What asking a judge would take: calls, tokens and cost, before anything is asked.

MOST_COUNTED: Final = 200
"""The tokens of at most this many prompts are counted; the others are taken to be alike."""
USUAL_REPLY_TOKENS: Final = 80
"""The length of a verdict, if no verdict of this judge is known yet."""


class JudgeEstimate(Struct, frozen=True, kw_only=True):
    """Calls, tokens and cost of the verdicts that are missing.

    Repairs are not included: a reply that cannot be read costs a second call. ``cost`` is ``None``
    if no price is known. ``basis`` says where the length of a reply comes from.
    """

    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None
    basis: str


def estimate_judging(
    journal: Path, judge: RubricJudge | PairJudge, pending: Sequence[RecordedCase]
) -> JudgeEstimate:
    """Estimate the calls for ``pending`` answers; equal answers are asked about once."""
    each = 2 if isinstance(judge, PairJudge) else 1
    texts = {request_text(judge.rubric, case.subject) for case in pending}
    step = max(1, len(texts) // MOST_COUNTED)
    counted = sorted(texts)[::step]
    tokenizer = load_tokenizer("o200k_base")
    tokens = sum(map(tokenizer.count, counted)) / len(counted) if counted else 0.0
    reply, basis = _reply_tokens(journal, judge)
    calls = len(texts) * each
    prompt, completion = round(tokens * calls), round(reply * calls)
    return JudgeEstimate(
        calls=calls,
        prompt_tokens=prompt,
        completion_tokens=completion,
        cost=cost(judge.client.config.price, prompt, completion),
        basis=basis,
    )


def _reply_tokens(journal: Path, judge: RubricJudge | PairJudge) -> tuple[float, str]:
    """The mean length of a reply: of recorded verdicts, of the configuration, or a guess."""
    path, identity = verdicts_path(journal), sealed_name(judge.identity)
    usages = [
        verdict.usage
        for verdicts in (read_rows(path, Verdict) if path.exists() else ())
        for verdict in verdicts
        if sealed_name(verdict.judge) == identity and verdict.usage is not None
    ]
    calls = sum(usage.calls - usage.unmetered_calls for usage in usages)
    if calls > 0:
        mean = sum(usage.completion_tokens for usage in usages) / calls
        return mean, say("recorded verdicts of this judge")
    averages = judge.client.config.averages
    if averages is not None and averages.completion_tokens:
        return averages.completion_tokens, say("the averages in the configuration")
    return USUAL_REPLY_TOKENS, say_n(
        "a guess of {n} token for a reply", "a guess of {n} tokens for a reply", USUAL_REPLY_TOKENS
    )


# What a judge of pairs said about each question.

_PLACES: Final = {"first": 0, "second": 1}


class PairVerdict(Struct, frozen=True, kw_only=True):
    """The verdict on the two answers to one question.

    ``preferred`` is the better variant, ``"equal"``, or ``"tie"`` if the order decided; ``orders``
    says the same for the two orders in which the judge was asked. It is ``None``, and ``unparsed``
    says why, if a reply could not be read.
    """

    question_id: str
    key: str
    first: str
    second: str
    preferred: str | None
    orders: tuple[str, ...] = ()
    score: float | None = None
    reason: str = ""
    repaired: bool = False
    unparsed: str = ""


def pair_verdicts(
    cases: Sequence[RecordedCase], findings: Mapping[str, StoredVerdict], variants: tuple[str, str]
) -> list[PairVerdict]:
    """The verdicts on the pairs that were judged, in the order of their questions."""

    def named(label: str) -> str:
        return variants[_PLACES[label]] if label in _PLACES else label

    return [
        PairVerdict(
            question_id=case.case.question.id,
            key=case.case.key,
            first=variants[0],
            second=variants[1],
            preferred=None if finding.unparsed else named(finding.label),
            orders=tuple(map(named, finding.orders)),
            score=finding.score,
            reason=finding.reason,
            repaired=finding.repaired,
            unparsed=finding.unparsed,
        )
        for case in cases
        if (finding := findings.get(case.case.key)) is not None
    ]
