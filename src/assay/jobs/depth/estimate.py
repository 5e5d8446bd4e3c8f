"""Estimate a depth test before it is paid for; the plan gives the tokens of its contexts."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from assay.jobs.depth.plan import Slot
from assay.jobs.depth.planned_test import DepthTest
from assay.jobs.depth.prompt import prompt_text
from assay.jobs.estimate import Estimate, estimate_from, model_facts, read_experience
from assay.models import cost
from assay.runner import Plan
from assay.systems import CountsCalls

REPLY_TOKENS: Final = 40
"""Tokens of a reply if neither rows nor the configuration give a mean: short JSON."""


def depth_estimate(test: DepthTest, *, concurrency: int, fresh: bool = False) -> Estimate:
    """The cases, calls, tokens, cost and time of both passes together.

    The time is ``None`` if no rows were recorded. With ``fresh`` recorded cases are counted as
    not asked yet.
    """
    main = _pass_estimate(test, test.cases, test.journal, concurrency, fresh=fresh)
    if test.closed is None:
        return main
    closed = _pass_estimate(test, test.closed, test.closed_journal, concurrency, fresh=fresh)
    return Estimate(
        cases=main.cases + closed.cases,
        recorded=main.recorded + closed.recorded,
        answered=main.answered + closed.answered,
        calls=_sum(main.calls, closed.calls),
        calls_without_sharing=_sum(main.calls_without_sharing, closed.calls_without_sharing),
        prompt_tokens=(main.prompt_tokens or 0) + (closed.prompt_tokens or 0),
        completion_tokens=(main.completion_tokens or 0) + (closed.completion_tokens or 0),
        cost=None if main.cost is None or closed.cost is None else main.cost + closed.cost,
        seconds=None
        if main.seconds is None or closed.seconds is None
        else main.seconds + closed.seconds,
        basis=main.basis,
        unbuildable=main.unbuildable + closed.unbuildable,
    )


def _pass_estimate(
    test: DepthTest, plan: Plan, journal: Path, concurrency: int, *, fresh: bool
) -> Estimate:
    price, averages = model_facts(test.system)
    experience = read_experience(journal, plan, fresh=fresh)
    base = estimate_from(
        experience,
        plan,
        test.system,
        concurrency=concurrency,
        price=price,
        averages=averages,
    )
    slots = [case.placement["slot"] for case in experience.survey.to_ask()]
    askable = [slot for slot in slots if slot.reason is None]
    prompt = _prompt_tokens(test, askable)
    reply = (
        base.completion_tokens / base.calls
        if base.completion_tokens and base.calls
        else REPLY_TOKENS
    )
    calls = len(askable) if isinstance(test.system, CountsCalls) else None
    seconds = None if base.seconds is None else base.seconds * len(askable) / max(1, len(slots))
    return replace(
        base,
        unbuildable=len(slots) - len(askable),
        seconds=seconds,
        calls=calls,
        calls_without_sharing=calls,
        prompt_tokens=float(prompt),
        completion_tokens=reply * len(askable),
        cost=cost(price, prompt, round(reply * len(askable))),
        basis=f"the planned lengths in tokens of {test.data.novel.tokenizer.name}, "
        f"{reply:.0f} tokens per reply",
    )


def _prompt_tokens(test: DepthTest, slots: Iterable[Slot]) -> int:
    """The tokens of all prompts: of the contexts, and of the instructions and questions."""
    count = test.data.novel.tokenizer.count
    frame_tokens: dict[tuple[str, bool], int] = {}
    total = 0
    for slot in slots:
        key = (slot.question.id, slot.length > 0)
        if key not in frame_tokens:
            frame_tokens[key] = count(prompt_text(slot.question, "" if slot.length else None))
        total += slot.length + frame_tokens[key]
    return total


def _sum(first: int | None, second: int | None) -> int | None:
    return None if first is None or second is None else first + second
