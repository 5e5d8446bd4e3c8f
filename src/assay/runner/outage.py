"""When a provider is down: a run is stopped before all of its remaining cases fail."""

from typing import Final

from assay.errors import CaseTimeout, ProviderUnavailable, RateLimited, TransientError
from assay.models import CircuitBreaker
from assay.records import Answered, Failed, Skipped
from assay.runner.survey import SurveyResult
from assay.text import counted

OUTAGES: Final = frozenset({TransientError.kind, RateLimited.kind, CaseTimeout.kind})
"""Kinds of failure that point to a provider outage and not to a single wrong request."""
OUTAGES_IN_A_ROW: Final = 12
"""The number of consecutive outage failures that ends a run."""


class ProviderWatch:
    """Watches the outcomes of a run with so many cases, some of which may be recorded already.

    A short run of which no case gets an answer is an outage too. But if the provider has answered
    other cases, the few that are asked again may fail by themselves: they then end as failed, as
    they did among the others.
    """

    def __init__(self, total: int, recorded: SurveyResult) -> None:
        answers = recorded.done - recorded.skipped - len(recorded.spared) + len(recorded.answered)
        to_ask = total - recorded.done - len(recorded.answered)
        self._short_run = 0 if answers else to_ask
        self._breaker = CircuitBreaker(OUTAGES_IN_A_ROW)

    def outage(self, outcome: Answered | Failed | Skipped) -> ProviderUnavailable | None:
        """Why the run should stop after this outcome; ``None`` if it should go on."""
        breaker = self._breaker
        if not isinstance(outcome, Failed) or outcome.kind not in OUTAGES:
            breaker.alive()
            return None
        down = breaker.outage(outcome.message)
        is_every_case = breaker.in_a_row == self._short_run
        if not down and not (is_every_case and outcome.kind != CaseTimeout.kind):
            return None
        return ProviderUnavailable(
            f"provider unavailable: {counted(breaker.in_a_row, 'case')} in a row got "
            f"no answer, the last with: {breaker.last}"
        )
