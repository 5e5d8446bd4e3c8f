"""The judge of a review as a system, so that its copies can compute in the workers of a cluster."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from assay.jobs.review.check import Checks, Judge, check_reply
from assay.judges.verifier import Closes
from assay.records import Answer, Question, digest
from assay.scorers.risk.reply import parse_review
from assay.systems import Setting, System

REPLY: Final = "reply"
"""The setting that has the reply of the reviewer."""


class JudgeSystem:
    """Checks a reply: the question is the clause, and the setting ``reply`` the reply to it."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge

    @property
    def identity(self) -> str:
        """What the checks depend on."""
        return f"evidence {digest(self._judge.checks_by)}"

    @property
    def settings(self) -> Mapping[str, Setting] | None:
        """Any."""
        return None

    @property
    def max_concurrency(self) -> int | None:
        """One: a model that runs in a process uses all that it gets."""
        return 1

    async def ask(self, question: Question, settings: Mapping[str, Any], top_k: int) -> Answer:
        """The checks of the quotations and citations, among the extras of an empty answer."""
        checks = await check_reply(parse_review(settings[REPLY]), question.text, self._judge)
        return Answer(text="", extra=msgspec.to_builtins(checks))

    async def close(self) -> None:
        """Close the verifier."""
        if isinstance(self._judge.reranker, Closes):
            await self._judge.reranker.close()
        await self._judge.embedder.close()


async def ask_judge(judge: System, clause: Question, reply: str) -> Checks:
    """The checks of a reply by a judge that is asked as a system is."""
    answer = await judge.ask(clause, {REPLY: reply}, 1)
    return msgspec.convert(answer.extra, Checks)
