"""One question on the way of a run: asked, scored and written to a journal, which is read again.

Whatever would fail a case of a run fails here, also what only shows when the row is written.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from assay.config.experiment import RunSettings
from assay.errors import AssayError, CaseTimeout
from assay.jobs.doctor.leak import CheckResult, LeakPair
from assay.models.foreign_error import classify
from assay.models.limit import Deadline
from assay.records import Answer, Case, Prompt, Question, RunHeader, Variant
from assay.runs.executor import within
from assay.runs.handler import SystemHandler
from assay.runs.plan import product_plan, top_k_placement
from assay.runs.read import last_row_fields
from assay.runs.run import run_plan
from assay.systems.protocol import System, lists_by_rank, packs_passages, with_configuration
from assay.words.say import say

_JOB: Final = "ablation"
_TOP_K: Final = 10
_FEWEST: Final = 3
"""So many passages have an order that says something."""

Settings = Mapping[str, Any]
Leaks = Callable[[Callable[[Settings], Awaitable[Answer]]], Awaitable[list[CheckResult]]]


class _ProbeHandler(SystemHandler):
    """Asks the case as a job does and, before the system is closed, looks for leaks."""

    job = _JOB

    def __init__(
        self,
        system: System,
        question: Question,
        timeout_s: float,
        pairs: Sequence[LeakPair],
        leaks: Leaks | None,
    ) -> None:
        super().__init__(system)
        self._question = question
        self._timeout_s = timeout_s
        self._pairs = pairs
        self._leaks = leaks
        self._has_answered = False
        self.findings: list[CheckResult] = []

    async def warm_up(self, variants: Sequence[Variant], concurrency: int) -> None:
        """Warm the system up for all settings that it is asked with."""
        tried = [Variant(name="tried", settings=each) for pair in self._pairs for each in pair]
        await super().warm_up(tried or variants, concurrency)

    async def ask(self, case: Case, prompt: Prompt) -> Answer:
        """Ask the system, and note that it has answered."""
        answer = await super().ask(case, prompt)
        self._has_answered = True
        return answer

    async def close(self) -> None:
        """Look for leaks if the question was answered, then close the system."""
        try:
            if self._has_answered and self._leaks is not None:
                self.findings = await self._leaks(self._ask_again)
        except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001 - it is the finding
            self.findings = [failed_call(error)]
        with suppress(AssayError):  # the answer is what counts
            await super().close()

    async def _ask_again(self, settings: Settings) -> Answer:
        return await within(
            Deadline(self._timeout_s), self.system.ask(self._question, settings, _TOP_K)
        )


def failed_call(error: BaseException) -> CheckResult:
    """The finding that a call failed."""
    if isinstance(error, CaseTimeout):
        return CheckResult(ok=False, what=f"{error}; see --timeout")
    failure = classify(error) if isinstance(error, Exception) else error
    return CheckResult(ok=False, what=f"the call failed: {failure}")


def ask_to_the_row(
    system: System,
    question: Question,
    timeout_s: float,
    *,
    gold: Sequence[str] = (),
    pairs: Sequence[LeakPair] = (),
    leaks: Leaks | None = None,
) -> list[CheckResult]:
    """What is found when the question is asked as a run asks it, and then by ``leaks``.

    ``gold`` are the ids of its gold chunks. The system is closed at the end.
    """
    settings = pairs[0][0] if pairs else {}
    variant = with_configuration(Variant(name="doctor", settings=settings), system)
    plan = product_plan(
        questions=[question],
        variants=[variant],
        placements=[top_k_placement(_TOP_K)],
        system=system.identity,
    )
    header = RunHeader(
        job=_JOB, name="doctor", system=system.identity, variants=(variant,), total=1
    )
    handler = _ProbeHandler(system, question, timeout_s, pairs, leaks)
    with TemporaryDirectory(prefix="assay-doctor-") as folder:
        journal = Path(folder, "doctor.jsonl")
        try:
            result = run_plan(
                plan,
                handler,
                header,
                journal,
                settings=RunSettings(concurrency=1, timeout_s=timeout_s, retries=0),
            )
        except AssayError as error:
            return [failed_call(error)]
        row = next(iter(last_row_fields(journal).values()), None)
    if row is None:
        return [CheckResult(ok=False, what=f"the call failed: {result.stopped}")]
    is_ranked = lists_by_rank(system) and not packs_passages(variant, system)
    order = order_note(row.get("passages") or (), gold) if is_ranked else None
    return [_ending(row), *([order] if order else []), *handler.findings]


def _ending(row: Mapping[str, Any]) -> CheckResult:
    """How the case ended, by its row."""
    if row["status"] == "scored":
        return CheckResult(
            ok=True,
            what=say(
                "answered in {time:.2f} s: {answer}",
                time=row.get("elapsed_s", 0.0),
                answer=_shown(row["answer"]),
            ),
        )
    if row["status"] == "skipped":
        return CheckResult(
            ok=None, what=say("the question was skipped: {why}", why=row.get("reason", ""))
        )
    kind = row.get("error_kind", "")
    error = str(row.get("error") or row.get("judging_error") or "").removeprefix(f"{kind}: ")
    if kind == CaseTimeout.kind:
        return CheckResult(ok=False, what=f"{error}; see --timeout")
    return CheckResult(ok=False, what=f"the call failed: {error}")


def _shown(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else line[:59] + "…"


def order_note(
    passages: Sequence[Mapping[str, Any]], gold: Sequence[str] = ()
) -> CheckResult | None:
    """A note if passages without ranks seem to be listed from the worst to the best.

    Their scores rise, and no gold shows that these are distances; or the gold is mostly in the second
    half.

    >>> rising = [{"id": name, "score": score} for score, name in enumerate("abcd")]
    >>> order_note(rising) is not None, order_note(rising, ["a"]), order_note(rising[::-1])
    (True, None, None)
    """
    if len(passages) < _FEWEST or any(each.get("rank") is not None for each in passages):
        return None
    places = [place for place, each in enumerate(passages) if each["id"] in gold]
    middle = (len(passages) - 1) / 2
    is_late = bool(places) and sum(place > middle for place in places) > len(places) / 2
    scores = [each.get("score") for each in passages]
    known = [score for score in scores if score is not None]
    rises = len(known) == len(scores) and known == sorted(known) and known[0] < known[-1]
    if not is_late and (places or not rises):
        return None
    remedy = say(
        'MRR and nDCG take this order for the rank: give each passage its rank, or declare PASSAGES = "prompt_order" in the module (passages: prompt_order in its entry), and they are undefined'
    )
    if rises:
        seen = say(
            "its passages have rising scores, from {first:g} to {last:g}: is the best one the last?",
            first=known[0],
            last=known[-1],
        )
    else:
        seen = say(
            "the gold is in the second half of its {n} passages: is the best one the last?",
            n=len(passages),
        )
    return CheckResult(ok=None, what=f"{seen} {remedy}")
