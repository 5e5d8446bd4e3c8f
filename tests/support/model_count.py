"""What a model server has seen, and what it would send a bill for.

**What is billed.** Every call ends in one of five ways, its ``outcome``:

- ``completed``: a whole 200 response with an answer went out. Its tokens are billed, also
  where the fault kept them out of ``usage`` (then they are in ``unstated`` as well).
- ``broken_off``: the answer was made but the client cannot read it: reset or silent midway,
  or JSON cut short. Its tokens are counted apart; ``billed`` leaves them out unless asked.
- ``refused``: an error was sent, with whatever status. No tokens.
- ``dropped``: the server ended the connection before the first byte. No tokens.
- ``abandoned``: the client left, or the server stopped, before the first byte. No tokens.

The outcome is set just before the last byte leaves, so a client that has read a response
always finds it counted.
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
    """One request as the server saw it; ``status`` and ``outcome`` are filled in as it ends.

    ``key`` stands for the body, ``attempt`` counts the calls with that key from 1.
    ``authorization`` is the header's value, for tests that look for leaks; it is kept in
    memory alone and out of ``repr``.
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
        """Whether an Authorization header came with it."""
        return self.authorization is not None

    @property
    def messages(self) -> list[Body]:
        """The chat messages; empty for embeddings."""
        return list(self.body.get("messages", ()))

    @property
    def model(self) -> str:
        """The model that was asked for."""
        return str(self.body.get("model", ""))


@dataclass(frozen=True, kw_only=True)
class Count:
    """How many calls, and the tokens they took."""

    calls: int
    prompt_tokens: int
    completion_tokens: int


class Ledger:
    """Every call in order of arrival, and the sums a test asks for."""

    def __init__(self) -> None:
        self._calls: list[Call] = []

    @property
    def calls(self) -> list[Call]:
        """Every chat and embedding request so far, in order of arrival."""
        return list(self._calls)

    @property
    def completed(self) -> Count:
        """Answers that went out whole."""
        return self._count(lambda call: call.outcome == "completed")

    @property
    def broken_off(self) -> Count:
        """Answers made but cut short on their way."""
        return self._count(lambda call: call.outcome == "broken_off")

    @property
    def unstated(self) -> Count:
        """The part of ``completed`` whose ``usage`` was withheld, whole or in part."""
        return self._count(
            lambda call: call.outcome == "completed" and kind_of(call.fault) in UNSTATED
        )

    @property
    def answered_tokens(self) -> tuple[int, int]:
        """Prompt and completion tokens of ``completed``."""
        count = self.completed
        return count.prompt_tokens, count.completion_tokens

    @property
    def outcomes(self) -> Counter[str]:
        """How many calls ended in which way; those still open are ``open``."""
        return Counter(call.outcome or "open" for call in self.calls)

    @property
    def completed_by_key(self) -> Counter[str]:
        """How often each request was answered whole: above 1, it was paid for again."""
        return Counter(call.key for call in self.calls if call.outcome == "completed")

    def billed(
        self, prices: dict[str, tuple[float, float]], *, with_broken_off: bool = False
    ) -> float:
        """What the completed calls cost.

        Args:
            prices: model to price per million prompt and completion tokens. A model that
                was used and has no price is a ``KeyError``.
            with_broken_off: count answers cut short on their way as well.
        """
        outcomes = {"completed", "broken_off"} if with_broken_off else {"completed"}
        return math.fsum(
            (call.prompt_tokens * prices[call.model][0] / 1e6)
            + (call.completion_tokens * prices[call.model][1] / 1e6)
            for call in self.calls
            if call.outcome in outcomes
        )

    def _count(self, wanted: Callable[[Call], bool]) -> Count:
        chosen = [call for call in self.calls if wanted(call)]
        return Count(
            calls=len(chosen),
            prompt_tokens=sum(call.prompt_tokens for call in chosen),
            completion_tokens=sum(call.completion_tokens for call in chosen),
        )
