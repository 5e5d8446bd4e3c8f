"""Outcomes that take the place of others: of filtered answers, and of what JSON cannot hold."""

from contextlib import suppress

from assay.journal import UNWRITABLE, encode_row
from assay.models import describe
from assay.records import Answer, Answered, Failed, Outcome, Scored


def lost_answer(failed: Failed) -> Answered:
    """A case that the provider's filter refused, as an empty answer that is scored."""
    answer = Answer(text="", usage=failed.usage, finish_reason="content_filter", facts=failed.facts)
    return Answered(
        answer=answer,
        elapsed_s=failed.elapsed_s,
        attempts=failed.attempts,
        first_in_flight=failed.first_in_flight,
        lost=f"{failed.kind}: {failed.message}",
    )


def unwritable_outcome(outcome: Outcome, error: Exception) -> Failed | Answered:
    """The outcome of a case whose reply or scores JSON cannot represent (a lone surrogate).

    If only the scores cannot be written, the answer is kept.
    """
    if isinstance(outcome, Scored):
        with suppress(*UNWRITABLE):
            encode_row(outcome.answer)
            return Answered(
                answer=outcome.answer,
                elapsed_s=outcome.elapsed_s,
                attempts=outcome.attempts,
                first_in_flight=outcome.first_in_flight,
                problem=f"scorer: the scores cannot be written as JSON: {describe(error)}",
                judging=outcome.judging,
                judges=outcome.judges,
                lost=outcome.lost,
            )
    usage = outcome.answer.usage if isinstance(outcome, Scored | Answered) else None
    return Failed(
        kind="system",
        message=f"the reply cannot be written as JSON: {describe(error)}",
        elapsed_s=getattr(outcome, "elapsed_s", 0.0),
        attempts=getattr(outcome, "attempts", 0),
        first_in_flight=getattr(outcome, "first_in_flight", False),
        usage=usage,
    )
