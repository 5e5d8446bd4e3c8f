"""What a run spends: on answers, on judges and on preparing, and the limit that stops it."""

from assay.errors import CeilingReached
from assay.models import checked_usage
from assay.records import Usage
from assay.runner.cost_gate import CostGate
from assay.runner.executor import Stop
from assay.runner.progress import Progress
from assay.runner.survey import SurveyResult


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
