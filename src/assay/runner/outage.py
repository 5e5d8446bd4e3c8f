"""When a provider is down: a run is stopped before all of its remaining cases fail."""

from typing import Final

from assay.errors import CaseTimeout, ProviderUnavailable, RateLimited, TransientError
from assay.models import CircuitBreaker
from assay.records import Answered, Failed, Skipped
from assay.text import counted

OUTAGES: Final = frozenset({TransientError.kind, RateLimited.kind, CaseTimeout.kind})
"""Kinds of failure that point to a provider outage and not to a single wrong request."""
OUTAGES_IN_A_ROW: Final = 12
"""The number of consecutive outage failures that ends a run."""


class ProviderWatch:
    """Watches the outcomes of a run that asks ``to_ask`` cases."""

    def __init__(self, to_ask: int) -> None:
        self._to_ask = to_ask
        self._breaker = CircuitBreaker(OUTAGES_IN_A_ROW)

    def outage(self, outcome: Answered | Failed | Skipped) -> ProviderUnavailable | None:
        """Why the run should stop after this outcome; ``None`` if it should go on."""
        breaker = self._breaker
        if not isinstance(outcome, Failed) or outcome.kind not in OUTAGES:
            breaker.alive()
            return None
        down = breaker.outage(outcome.message)
        is_every_case = breaker.in_a_row == self._to_ask
        if not down and not (is_every_case and outcome.kind != CaseTimeout.kind):
            return None
        return ProviderUnavailable(
            f"provider unavailable: {counted(breaker.in_a_row, 'case')} in a row got "
            f"no answer, the last with: {breaker.last}"
        )
