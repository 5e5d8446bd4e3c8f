"""No call is begun that would probably pass the cost limit, with those in flight counted."""

import asyncio
import math
from collections.abc import Callable

from assay.errors import CeilingReached
from assay.records import Usage
from assay.runner.executor import Stop


class CostGate:
    """Lets cases begin while what is paid and what those in flight will cost is within the limit.

    A case is taken to cost the mean of those that have ended, and that of earlier commands before
    one has ended. If nothing is known, the first case is asked alone. A case whose calls were all
    replayed tells nothing about the cost of others.

    Args:
        ceiling: the limit; without one every case may begin.
        paid: what is paid so far, earlier commands included.
        earlier_mean: what a case of earlier commands cost; ``None`` if it is not known.
        why: the reason to stop, in words, for what is paid at that time.
    """

    def __init__(
        self,
        ceiling: float | None,
        *,
        paid: Callable[[], float],
        earlier_mean: float | None,
        why: Callable[[float, float], str],
    ) -> None:
        self._ceiling = ceiling
        self._paid = paid
        self._earlier_mean = earlier_mean
        self._why = why
        self._in_flight = 0
        self._counted = 0
        self._paid_for_cases = 0.0
        self._waiting: list[asyncio.Future[None]] = []
        self._reason: CeilingReached | None = None

    def check(self, stop: Stop) -> None:
        """Stop if not even one more case may begin."""
        is_over = self._ceiling is not None and self._paid() >= self._ceiling
        if is_over or (not self._in_flight and not self._has_room()):
            self._request(stop)

    async def begin(self, stop: Stop) -> bool:
        """Wait until a case may begin; ``False`` if the run stops before."""
        while not stop.requested():
            if self._has_room():
                self._in_flight += 1
                return True
            if not self._in_flight:
                self._request(stop)
                break
            turn = asyncio.get_running_loop().create_future()
            self._waiting.append(turn)
            await turn
        return False

    def end(self) -> None:
        """A case is over; those that wait look again."""
        self._in_flight -= 1
        waiting, self._waiting = self._waiting, []
        for turn in waiting:
            if not turn.done():
                turn.set_result(None)

    def charge(self, usage: Usage | None) -> None:
        """Count what a case cost, before its end; ``None`` if it made no calls that are known."""
        self.charge_further(usage)
        if usage is None or not usage.calls or usage.replayed_calls < usage.calls:
            self._counted += 1

    def charge_further(self, usage: Usage | None) -> None:
        """Count what judging the answer of a case cost."""
        self._paid_for_cases += (usage.paid or 0.0) if usage is not None else 0.0

    def settled(self) -> CeilingReached | None:
        """The reason to stop with what is paid at the end; ``None`` if the limit stopped nothing."""
        if self._reason is not None:
            self._reason.args = (self._text(),)
        return self._reason

    def _has_room(self) -> bool:
        if self._ceiling is None:
            return True
        each, paid = self._mean(), self._paid()
        if paid >= self._ceiling:
            return False
        if each is None:
            return not self._in_flight
        return paid + each * (self._in_flight + 1) <= self._ceiling * (1 + 1e-9)

    def _mean(self) -> float | None:
        if self._counted or self._paid_for_cases:
            return self._paid_for_cases / max(self._counted, 1)
        return self._earlier_mean

    def _request(self, stop: Stop) -> None:
        if self._reason is None and not stop.requested():
            self._reason = CeilingReached(self._text(), raised=self._raised())
            stop.request(self._reason)

    def _text(self) -> str:
        assert self._ceiling is not None
        return self._why(self._paid(), self._ceiling)

    def _raised(self) -> float:
        """A limit that lets the run go on: twice this one, with two digits."""
        assert self._ceiling is not None
        return raised_limit(max(self._paid(), self._ceiling))


def raised_limit(spent: float) -> float:
    """Twice what is spent, rounded up to two digits.

    >>> raised_limit(0.00581), raised_limit(1.0)
    (0.012, 2.0)
    """
    if spent <= 0:
        return 1.0
    digit = 10.0 ** (math.floor(math.log10(2 * spent)) - 1)
    return float(f"{math.ceil(2 * spent / digit - 1e-9) * digit:.2g}")
