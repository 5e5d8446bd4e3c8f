"""What a depth test would take, before it is paid for: tokens are known, since they are planned."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from assay.jobs.depth.plan import Slot
from assay.jobs.depth.planned_test import DepthTest
from assay.jobs.depth.prompt import prompt_text
from assay.jobs.estimate import Estimate, estimate, model_facts
from assay.models import cost
from assay.runner import Plan, Survey, survey_journal
from assay.systems import CountsCalls

REPLY_TOKENS: Final = 40
"""Tokens of a reply where neither rows nor the configuration tell: JSON with a few letters."""


def depth_estimate(test: DepthTest, *, concurrency: int, fresh: bool = False) -> Estimate:
    """Cases, calls, tokens, cost and time of both passes; time only where rows were recorded.

    With ``fresh`` what is recorded counts as not asked yet.
    """
    made = _pass_estimate(test, test.cases, test.journal, concurrency, fresh=fresh)
    if test.closed is None:
        return made
    first = _pass_estimate(test, test.closed, test.closed_journal, concurrency, fresh=fresh)
    return Estimate(
        cases=made.cases + first.cases,
        recorded=made.recorded + first.recorded,
        calls=_sum(made.calls, first.calls),
        calls_without_sharing=_sum(made.calls_without_sharing, first.calls_without_sharing),
        prompt_tokens=(made.prompt_tokens or 0) + (first.prompt_tokens or 0),
        completion_tokens=(made.completion_tokens or 0) + (first.completion_tokens or 0),
        cost=None if made.cost is None or first.cost is None else made.cost + first.cost,
        seconds=None
        if made.seconds is None or first.seconds is None
        else made.seconds + first.seconds,
        basis=made.basis,
    )


def _pass_estimate(
    test: DepthTest, plan: Plan, journal: Path, concurrency: int, *, fresh: bool
) -> Estimate:
    price, averages = model_facts(test.system)
    base = estimate(
        plan,
        test.system,
        journal,
        concurrency=concurrency,
        price=price,
        averages=averages,
        fresh=fresh,
    )
    survey = Survey(plan) if fresh else survey_journal(journal, plan)
    slots = [case.placement["slot"] for case in survey.pending()]
    asked = [slot for slot in slots if slot.reason is None]
    prompt = _prompt_tokens(test, asked)
    reply = (
        base.completion_tokens / base.calls
        if base.completion_tokens and base.calls
        else REPLY_TOKENS
    )
    calls = len(asked) if isinstance(test.system, CountsCalls) else None
    return replace(
        base,
        calls=calls,
        calls_without_sharing=calls,
        prompt_tokens=float(prompt),
        completion_tokens=reply * len(asked),
        cost=cost(price, prompt, round(reply * len(asked))),
        basis=f"the planned lengths in tokens of {test.data.novel.tokenizer.name}, "
        f"{reply:.0f} tokens a reply",
    )


def _prompt_tokens(test: DepthTest, slots: Iterable[Slot]) -> int:
    """Tokens of all prompts: their contexts and what stands around them."""
    count = test.data.novel.tokenizer.count
    around: dict[tuple[str, bool], int] = {}
    total = 0
    for slot in slots:
        key = (slot.question.id, slot.length > 0)
        if key not in around:
            around[key] = count(prompt_text(slot.question, "" if slot.length else None))
        total += slot.length + around[key]
    return total


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other
