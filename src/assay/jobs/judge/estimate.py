"""What asking a judge would take: calls, tokens and cost, before anything is asked."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from assay.jobs.judge.subject import RecordedCase
from assay.journal import Verdict, read_rows, verdicts_path
from assay.judges.rubric import PairJudge, RubricJudge, request_text
from assay.models import cost
from assay.text.tokenizer import load_tokenizer
from assay.words import say

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
    path = verdicts_path(journal)
    usages = [
        verdict.usage
        for verdicts in (read_rows(path, Verdict) if path.exists() else ())
        for verdict in verdicts
        if verdict.judge == judge.identity and verdict.usage is not None
    ]
    calls = sum(usage.calls - usage.unmetered_calls for usage in usages)
    if calls > 0:
        mean = sum(usage.completion_tokens for usage in usages) / calls
        return mean, say("recorded verdicts of this judge")
    averages = judge.client.config.averages
    if averages is not None and averages.completion_tokens:
        return averages.completion_tokens, say("the averages in the configuration")
    guess = "a guess of {n} tokens for a reply"
    return USUAL_REPLY_TOKENS, say(guess, n=USUAL_REPLY_TOKENS)
