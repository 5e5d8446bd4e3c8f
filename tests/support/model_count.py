"""The calls that a model server has received, and what it would bill for them.

Every call ends with one of five outcomes:

- ``completed``: a complete 200 response with an answer was sent. Its tokens are billed, even if
  the fault removed them from ``usage`` (then they are in ``unstated`` as well).
- ``broken_off``: an answer was produced, but the client cannot read it: the connection was reset
  or went silent in the middle, or the JSON is cut off. Its tokens are counted separately;
  ``billed`` includes them only on request.
- ``refused``: an error was sent, with any status. No tokens.
- ``dropped``: the server closed the connection before the first byte. No tokens.
- ``abandoned``: the client left, or the server stopped, before the first byte. No tokens.

The outcome is set just before the last byte is sent, so a call is always counted when its client
has read the response.
"""

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from tests.support.model_fault import UNSTATED, Body, Fault, kind_of

Outcome: TypeAlias = Literal["completed", "broken_off", "refused", "dropped", "abandoned"]


@dataclass(kw_only=True)
class Call:
    """One request as the server received it; ``status`` and ``outcome`` are set when it ends.

    ``key`` is a hash of the body, and ``attempt`` counts the calls with that key from 1.
    ``authorization`` is the value of the header, for tests that look for leaked keys; it is not
    part of ``repr``.
    """

    number: int
    path: str
    key: str
    attempt: int
    body: Body = field(repr=False)
    authorization: str | None = field(repr=False)
    arrived_s: float
    fault: Fault | None = None
    status: int | None = None
    outcome: Outcome | None = None
    prompt_tokens: int = 0
    completion_tokens: int = 0

    @property
    def authorized(self) -> bool:
        """Whether the request had an Authorization header."""
        return self.authorization is not None

    @property
    def messages(self) -> list[Body]:
        """The chat messages; empty for an embedding request."""
        return list(self.body.get("messages", ()))

    @property
    def model(self) -> str:
        """The model that the request names."""
        return str(self.body.get("model", ""))


@dataclass(frozen=True, kw_only=True)
class Count:
    """A number of calls and their tokens."""

    calls: int
    prompt_tokens: int
    completion_tokens: int


class Ledger:
    """Every call in the order of arrival, and totals over them."""

    def __init__(self) -> None:
        self._calls: list[Call] = []

    @property
    def calls(self) -> list[Call]:
        """Every chat and embedding request so far, in the order of arrival."""
        return list(self._calls)

    @property
    def completed(self) -> Count:
        """The calls whose answer was sent completely."""
        return self._count(lambda call: call.outcome == "completed")

    @property
    def broken_off(self) -> Count:
        """The calls whose answer was produced but not sent completely."""
        return self._count(lambda call: call.outcome == "broken_off")

    @property
    def unstated(self) -> Count:
        """The completed calls whose response did not state all of its tokens."""
        return self._count(
            lambda call: call.outcome == "completed" and kind_of(call.fault) in UNSTATED
        )

    @property
    def answered_tokens(self) -> tuple[int, int]:
        """The prompt and completion tokens of all completed calls."""
        count = self.completed
        return count.prompt_tokens, count.completion_tokens

    @property
    def outcomes(self) -> Counter[str]:
        """The number of calls with each outcome; calls that have not ended are ``open``."""
        return Counter(call.outcome or "open" for call in self.calls)

    @property
    def completed_by_key(self) -> Counter[str]:
        """How often each request was completed; above 1 means that it was paid for again."""
        return Counter(call.key for call in self.calls if call.outcome == "completed")

    def billed(
        self, prices: dict[str, tuple[float, float]], *, with_broken_off: bool = False
    ) -> float:
        """The cost of the completed calls.

        Args:
            prices: the price per million prompt and completion tokens of each model. A model
                that was used and has no price raises ``KeyError``.
            with_broken_off: whether to include answers that were not sent completely.
        """
        outcomes = {"completed", "broken_off"} if with_broken_off else {"completed"}
        return math.fsum(
            (call.prompt_tokens * prices[call.model][0] / 1e6)
            + (call.completion_tokens * prices[call.model][1] / 1e6)
            for call in self.calls
            if call.outcome in outcomes
        )

    def _count(self, predicate: Callable[[Call], bool]) -> Count:
        calls = [call for call in self.calls if predicate(call)]
        return Count(
            calls=len(calls),
            prompt_tokens=sum(call.prompt_tokens for call in calls),
            completion_tokens=sum(call.completion_tokens for call in calls),
        )
