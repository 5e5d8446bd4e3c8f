"""Provisional: replaced by the check of abstention."""

from typing import Literal

from msgspec import Struct

from assay.text import NO_MENTION, Span


class Abstention(Struct, frozen=True, kw_only=True):
    """Whether an answer abstains."""

    outcome: Literal["abstains", "answers", "partial", "unsure"]
    leans_abstaining: bool
    why: str = ""
    sentence: Span | None = None


_CUES = ("not mention", "does not say", "not stated", "не указано", "未提及", "不知道", "do not know", "silent")


def assess_abstention(answer: str, question: str | None = None) -> Abstention:
    """Provisional."""
    text = answer.lower()
    silent = any(cue in text for cue in (*_CUES, *(each.lower() for each in NO_MENTION.values())))
    return Abstention(outcome="abstains" if silent else "answers", leans_abstaining=silent)


def abstains(answer: str, question: str | None = None) -> bool:
    """Provisional."""
    return assess_abstention(answer, question).leans_abstaining
