"""Scoring one answer offline, in a way that does not lengthen the latency of the others."""

import asyncio
from functools import partial
from typing import Any

from msgspec.structs import replace

from assay.models import describe
from assay.records import Answered, Case, Scored
from assay.runner.handler import CaseHandler
from assay.systems import AnswersOnLoop, ThreadPool


class Scoring:
    """Scores the answers of a run one after the other.

    Where the answers of the system are timed on the event loop, and several questions are asked
    at once, it works in a thread, so that the loop notes at once that another answer has come.
    """

    def __init__(self, handler: CaseHandler, concurrency: int) -> None:
        self._handler = handler
        system = getattr(handler, "system", None)
        on_loop = isinstance(system, AnswersOnLoop) and system.answers_on_loop
        at_once = min(concurrency, handler.max_concurrency or concurrency)
        self._pool = ThreadPool(name="assay-scoring") if on_loop and at_once > 1 else None
        self._turn = asyncio.Lock()

    async def score(self, case: Case, answered: Answered, verdict: Any = None) -> Scored | Answered:
        """The scored answer; if a scorer fails, the answer with the problem."""
        if self._pool is None:
            return score_answered(self._handler, case, answered, verdict)
        async with self._turn:
            work = partial(score_answered, self._handler, case, answered, verdict)
            outcome: Scored | Answered = await self._pool.call(work)
        return outcome

    def close(self) -> None:
        """End the thread."""
        if self._pool is not None:
            self._pool.close()


def score_answered(
    handler: CaseHandler, case: Case, answered: Answered, verdict: Any = None
) -> Scored | Answered:
    """The scored answer; if a scorer fails, the answer with the problem."""
    try:
        scores = handler.score(case, answered.answer, verdict)
    except (Exception, SystemExit, asyncio.CancelledError) as error:  # noqa: BLE001
        # a missing score is not a score of zero, and the scorer may be the code of others
        return replace(answered, problem=problem_of("scorer", describe(error)))
    return Scored(
        answer=answered.answer,
        elapsed_s=answered.elapsed_s,
        attempts=answered.attempts,
        first_in_flight=answered.first_in_flight,
        scores=scores,
        judging=answered.judging,
        judges=answered.judges,
        lost=answered.lost,
    )


def problem_of(kind: str, problem: object) -> str:
    """The problem in words that JSON can represent."""
    return f"{kind}: {problem}".encode(errors="backslashreplace").decode()
