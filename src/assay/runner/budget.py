"""What a command that only asks a model may spend: the sum so far, and the limit that stops it."""

from assay.errors import CeilingReached
from assay.records import Usage
from assay.runner.cost_gate import CostGate
from assay.runner.executor import Stop


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
