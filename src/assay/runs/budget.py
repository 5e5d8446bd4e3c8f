"""What a command that only asks a model may spend: the sum so far, and the limit that stops it."""

import asyncio
import math
from collections.abc import Callable

from assay.errors import CeilingReached
from assay.models.meter import checked_usage
from assay.records import Usage
from assay.runs.executor import Stop
from assay.runs.progress import Progress
from assay.runs.survey import SurveyResult

# No call is begun that would probably pass the cost limit, with those in flight counted.


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


# What a run spends: on answers, on judges and on preparing, and the limit that stops it.


class Spending:
    """Counts what is paid. ``progress`` has the sum of all rows of the file, for the limit.

    Args:
        survey: what the rows recorded so far cost.
        prepare_paid: what preparing the system has cost so far; ``None`` if it is not priced.
        is_free: whether the system calls nothing that costs.
    """

    def __init__(
        self,
        progress: Progress,
        survey: SurveyResult,
        *,
        max_cost: float | None,
        prepare_paid: float | None,
        is_free: bool,
    ) -> None:
        self.prepare_paid = prepare_paid
        self._progress = progress
        self._survey = survey
        self._max_cost = max_cost
        self._is_free = is_free
        self._judge_paid: float | None = survey.judge_paid or None
        self._stop: Stop | None = None
        recorded = survey.done - survey.skipped + len(survey.failed) + len(survey.answered)
        earlier = survey.paid + survey.judge_paid
        self._gate = CostGate(
            max_cost,
            paid=lambda: progress.paid,
            earlier_mean=earlier / recorded if recorded and earlier else None,
            why=_limit_text,
        )

    def begin(self, stop: Stop) -> None:
        """Stop by ``stop`` from now on; at once if the limit has been reached already."""
        self._stop = stop
        self._gate.check(stop)

    async def begin_case(self) -> bool:
        """Wait until the limit lets a case begin; ``False`` if the run stops before."""
        assert self._stop is not None
        return await self._gate.begin(self._stop)

    def end_case(self) -> None:
        """A case that has begun is over."""
        self._gate.end()

    def settle(self) -> None:
        """State in the reason to stop what is paid at the end."""
        self._gate.settled()

    def charge(self, usage: Usage | None) -> None:
        """Count what a case cost, and stop the run at the limit."""
        usage = checked_usage(usage)  # it may come from a file
        self._gate.charge(usage)
        self._charge(usage)

    def charge_judge(self, usage: Usage | None, *, in_case: bool = True) -> None:
        """Count what a judge cost; it is not ``in_case`` if a recorded answer is judged again."""
        usage = checked_usage(usage)
        if in_case:
            self._gate.charge_further(usage)
        self._charge(usage)
        if usage is not None and usage.paid is not None:
            self._judge_paid = (self._judge_paid or 0.0) + usage.paid

    def _charge(self, usage: Usage | None) -> None:
        if usage is not None and usage.paid is not None:
            self._pay(usage.paid)
        self.check_counted(usage)

    def charge_preparing(self, paid: float) -> None:
        """Count what preparing the system cost."""
        self.prepare_paid = (self.prepare_paid or 0.0) + paid
        self._pay(paid)

    def _pay(self, amount: float) -> None:
        self._progress.paid += amount
        self._progress.priced = True
        ceiling = self._max_cost
        if self._stop is not None and ceiling is not None and self._progress.paid >= ceiling:
            self._gate.check(self._stop)

    def check_counted(self, usage: Usage | None) -> None:
        """Stop a run with a cost limit if it is not known what a call cost."""
        if usage is None or self._max_cost is None or usage.is_counted or self._is_free:
            return
        self._request_stop(
            CeilingReached(
                "it is not known what a call cost, so --max-cost cannot be kept: no price is "
                "configured (set 'price', 0 for a free model), or the provider stated no tokens "
                "or a cost that cannot be right"
            )
        )

    def _request_stop(self, reason: CeilingReached) -> None:
        if self._stop is not None:
            self._stop.request(reason)

    @property
    def paid(self) -> float | None:
        """What the cases of the plan cost; ``None`` if nothing has a price."""
        if not self._progress.priced:
            return None
        outside = self._survey.outside_paid + self._survey.outside_judge_paid
        return self._progress.paid - outside if outside else self._progress.paid

    @property
    def judge_paid(self) -> float | None:
        """What judging the answers of the plan cost."""
        outside = self._survey.outside_judge_paid
        paid = self._judge_paid
        return paid - outside or None if paid and outside else paid


def _limit_text(paid: float, ceiling: float) -> str:
    return (
        f"spent {paid:.4f} of the cost limit of {ceiling:g} (including earlier runs of this file)"
        f"{'' if paid >= ceiling else ', and one more case would probably pass it'}; "
        "raise --max-cost to continue"
    )


class Budget:
    """Counts what is paid, and lets no call begin that would probably pass the limit.

    Every ``begin`` that returns ``True`` needs its ``end``, with the ``charge`` between them.

    Args:
        ceiling: the limit, or ``None``.
        what: what is paid for, as the subject of a sentence: "the judge has".
        paid: what earlier commands paid for it; ``None`` if no price is known.
        earlier: how many calls that was for; 0 if it is not known.
        included: what is meant by earlier: "earlier verdicts on this run".
    """

    def __init__(
        self,
        ceiling: float | None,
        what: str,
        *,
        paid: float | None = None,
        earlier: int = 0,
        included: str = "",
    ) -> None:
        self.paid = paid
        self._ceiling = ceiling
        self._what = what
        self._included = f" (including {included})" if included else ""
        self._gate = CostGate(
            ceiling,
            paid=lambda: self.paid or 0.0,
            earlier_mean=paid / earlier if paid and earlier else None,
            why=self._text,
        )

    def check(self, stop: Stop) -> None:
        """Stop if not even one more call may begin."""
        self._gate.check(stop)

    async def begin(self, stop: Stop) -> bool:
        """Wait until a call may begin; ``False`` if the command stops before."""
        return await self._gate.begin(stop)

    def charge(self, usage: Usage | None, stop: Stop) -> None:
        """Count what a call cost, and stop at the limit or if the cost is not known."""
        if usage is None:
            return
        self._gate.charge(usage)
        if usage.paid is not None:
            self.paid = (self.paid or 0.0) + usage.paid
        if self._ceiling is None:
            return
        if (self.paid or 0.0) >= self._ceiling:
            self._gate.check(stop)
        elif not usage.is_counted:
            stop.request(
                CeilingReached(
                    "it is not known what a call cost, so --max-cost cannot be kept: set 'price' of "
                    "the model, 0 for a free one"
                )
            )

    def end(self) -> None:
        """A call that has begun is over."""
        self._gate.end()

    def settle(self) -> None:
        """State in the reason to stop what is paid at the end."""
        self._gate.settled()

    def _text(self, paid: float, ceiling: float) -> str:
        near = "" if paid >= ceiling else ", and one more would probably pass it"
        return (
            f"{self._what} cost {paid:.4f} of the limit of {ceiling:g}{self._included}{near}; "
            "raise --max-cost to continue"
        )
