"""A judge: a rubric and the chat model that is asked by it."""

from typing import Final

from assay.judge.rubric import (
    PREFERENCE,
    TIE,
    JudgeInput,
    ReadVerdict,
    Rubric,
    StoredVerdict,
    Unreadable,
    messages,
    read_verdict,
    repair_messages,
)
from assay.models.client import ModelClient

LONGEST_KEPT: Final = 2_000
"""How much of a reply that could not be read is kept."""


class RubricJudge:
    """Judges one answer after the other; ``close`` closes the connections."""

    def __init__(self, name: str, rubric: Rubric, client: ModelClient) -> None:
        self.name = name
        self.rubric = rubric
        self.client = client

    @property
    def identity(self) -> str:
        """The name, the rubric and its prompts by hash, and the model with its parameters."""
        return f"judge {self.name} {self.rubric.identity} {self.client.identity}"

    async def judge(self, subject: JudgeInput) -> StoredVerdict:
        """Ask the model; if its reply cannot be read, ask once more and say why."""
        finding = StoredVerdict(judge=self.name, rubric=self.rubric.name)
        asked = messages(self.rubric, subject)
        reply = await self.client.chat(asked)
        try:
            return _found(finding, self._read(reply.text, subject))
        except Unreadable as unreadable:
            again = repair_messages(asked, reply.text, str(unreadable), subject.language)
        reply = await self.client.chat(again)
        try:
            return _found(finding, self._read(reply.text, subject), repaired=True)
        except Unreadable as unreadable:
            return StoredVerdict(
                judge=self.name,
                rubric=self.rubric.name,
                unparsed=str(unreadable),
                reply=reply.text[:LONGEST_KEPT],
            )

    def _read(self, text: str, subject: JudgeInput) -> ReadVerdict:
        return read_verdict(text, self.rubric, len(subject.passages))

    async def close(self) -> None:
        """Close the connections."""
        await self.client.close()


class PairJudge:
    """Says which of two answers is better, asked in both orders."""

    def __init__(self, name: str, client: ModelClient) -> None:
        self._judge = RubricJudge(name, PREFERENCE, client)
        self.client = client
        self.rubric = PREFERENCE

    @property
    def identity(self) -> str:
        """The identity of the judge that is asked twice."""
        return f"pair {self._judge.identity}"

    async def judge(self, subject: JudgeInput) -> StoredVerdict:
        """Ask in both orders. If the verdict depends on the order, it is a tie, and counted."""
        turned = JudgeInput(
            question=subject.question,
            answer=subject.other,
            other=subject.answer,
            expected=subject.expected,
            passages=subject.passages,
        )
        forward, backward = await self._judge.judge(subject), await self._judge.judge(turned)
        if forward.unparsed or backward.unparsed:
            return forward if forward.unparsed else backward
        seen = forward.label, _TURNED[backward.label]
        agrees = seen[0] == seen[1]
        return StoredVerdict(
            judge=forward.judge,
            rubric=forward.rubric,
            label=seen[0] if agrees else TIE,
            score=PREFERENCE.scale[seen[0]] if agrees else 0.5,
            reason=forward.reason,
            repaired=forward.repaired or backward.repaired,
            orders=seen,
        )

    async def close(self) -> None:
        """Close the connections."""
        await self._judge.close()


_TURNED: Final = {"first": "second", "second": "first", "equal": "equal"}


def _found(
    finding: StoredVerdict, verdict: ReadVerdict, *, repaired: bool = False
) -> StoredVerdict:
    return StoredVerdict(
        judge=finding.judge,
        rubric=finding.rubric,
        label=verdict.label,
        score=verdict.score,
        reason=verdict.reason[:LONGEST_KEPT],
        claims=verdict.claims,
        repaired=repaired,
    )
