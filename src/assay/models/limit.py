"""How many at once, for how long, and how often again.

``AdaptiveLimit`` bounds what is in flight (AIMD), ``Deadline`` bounds one case's own time,
``Backoff`` says how long to wait before the next try. All three are plain objects without
a network: the runner uses them for cases and the model client for calls.
"""

import asyncio
import random
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from msgspec import Struct

from assay.errors import TransientError


class AdaptiveLimit:
    """A bound on what is in flight that yields to rate limits (AIMD).

    It starts at its ceiling. ``cut`` halves it, at most once per ``cooldown_s`` so that a
    burst of refusals from one moment counts as one; ``grow`` adds one for about every
    ``limit`` successes. Use it as an async context manager around the work.
    """

    def __init__(
        self,
        ceiling: int,
        *,
        cooldown_s: float = 1.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.ceiling = ceiling
        self.in_flight = 0
        self._limit = float(ceiling)
        self._cooldown_s = cooldown_s
        self._clock = clock
        self._cut_at = float("-inf")
        self._waiting: deque[asyncio.Future[None]] = deque()

    @property
    def limit(self) -> int:
        """How many may be in flight now; never below one."""
        return max(1, int(self._limit))

    def cut(self) -> None:
        """Halve the limit: the other side asked for less."""
        now = self._clock()
        if now - self._cut_at >= self._cooldown_s:
            self._cut_at = now
            self._limit = max(1.0, self._limit / 2)

    def grow(self) -> None:
        """Take a success as a reason to allow a little more, up to the ceiling."""
        if self._limit < self.ceiling:
            self._limit = min(float(self.ceiling), self._limit + 1 / self._limit)
            self._wake()

    def take(self) -> bool:
        """Take a place if there is one at once and nobody waits for it."""
        if self._waiting or self.in_flight >= self.limit:
            return False
        self.in_flight += 1
        return True

    async def acquire(self) -> None:
        """Wait for a place and take it."""
        while self.in_flight >= self.limit:
            place = asyncio.get_running_loop().create_future()
            self._waiting.append(place)
            try:
                await place
            except asyncio.CancelledError:
                if place.done() and not place.cancelled():
                    self._wake()  # the place was given to this waiter: pass it on
                raise
        self.in_flight += 1

    def release(self) -> None:
        """Give the place back."""
        self.in_flight -= 1
        self._wake()

    async def __aenter__(self) -> None:
        await self.acquire()

    async def __aexit__(self, *exc: object) -> None:
        self.release()

    def _wake(self) -> None:
        free = self.limit - self.in_flight
        while free > 0 and self._waiting:
            place = self._waiting.popleft()
            if not place.done():
                place.set_result(None)
                free -= 1


class Deadline:
    """The time a case may take, not counting the time it waits in a line of ours.

    >>> ticks = iter([0.0, 4.0, 4.0, 9.0, 12.0])
    >>> deadline = Deadline(10.0, clock=lambda: next(ticks))  # at 0
    >>> deadline.left()  # at 4
    6.0
    >>> with deadline.paused():  # from 4 to 9
    ...     pass
    >>> deadline.used_s()  # at 12, less the pause
    7.0
    """

    def __init__(self, seconds: float, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.seconds = seconds
        self._clock = clock
        self._began_at = clock()
        self._paused_at: float | None = None
        self._pauses = 0

    def used_s(self) -> float:
        """Seconds used so far; while paused, those used when the pause began."""
        now = self._paused_at if self._paused_at is not None else self._clock()
        return now - self._began_at

    def left(self) -> float:
        """Seconds left."""
        return self.seconds - self.used_s()

    @property
    def is_paused(self) -> bool:
        """Whether the case is waiting in a line of ours just now."""
        return self._paused_at is not None

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Stop the clock; pauses may overlap (several calls of one case waiting)."""
        if self._pauses == 0:
            self._paused_at = self._clock()
        self._pauses += 1
        try:
            yield
        finally:
            self._pauses -= 1
            if self._pauses == 0 and self._paused_at is not None:
                self._began_at += self._clock() - self._paused_at
                self._paused_at = None


current_deadline: ContextVar[Deadline | None] = ContextVar("current_deadline", default=None)
"""The deadline of the case being worked on, for whoever makes it wait."""


class RateGate:
    """At most so many requests, and so many tokens, in any sixty seconds.

    Tokens are booked by an estimate before the call and put right after it. ``None`` is no
    limit. A single call larger than the whole allowance is let through on its own.
    """

    def __init__(
        self,
        requests: int | None = None,
        tokens: int | None = None,
        *,
        window_s: float = 60.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._requests = requests
        self._tokens = tokens
        self._window_s = window_s
        self._clock = clock
        self._booked: deque[Booking] = deque()
        self._booked_tokens = 0
        self._turn = asyncio.Lock()

    @property
    def is_open(self) -> bool:
        """Whether there is no limit at all."""
        return self._requests is None and self._tokens is None

    async def book(self, tokens: int) -> "Booking":
        """Wait for a place for a call of about ``tokens`` and take it."""
        if self.is_open:
            return Booking(0.0, tokens)
        async with self._turn:
            while (wait_s := self._wait_s(tokens)) > 0:  # noqa: ASYNC110 - only time frees a place
                await asyncio.sleep(wait_s)
            booking = Booking(self._clock(), tokens)
            self._booked.append(booking)
            self._booked_tokens += tokens
            return booking

    def settle(self, booking: "Booking", tokens: int) -> None:
        """Put the booked estimate right."""
        if booking in self._booked:
            self._booked_tokens += tokens - booking.tokens
        booking.tokens = tokens

    def _wait_s(self, tokens: int) -> float:
        """Seconds until the call fits, 0 if it does now."""
        now = self._clock()
        while self._booked and self._booked[0].at <= now - self._window_s:
            self._booked_tokens -= self._booked.popleft().tokens
        if not self._booked:
            return 0.0
        full = self._requests is not None and len(self._booked) >= self._requests
        heavy = self._tokens is not None and self._booked_tokens + tokens > self._tokens
        if not full and not heavy:
            return 0.0
        return max(0.001, self._booked[0].at + self._window_s - now)


class Booking:
    """A place taken in a ``RateGate``."""

    __slots__ = ("at", "tokens")

    def __init__(self, at: float, tokens: int) -> None:
        self.at = at
        self.tokens = tokens


class CircuitBreaker:
    """Notices when everything fails: so many outages in a row, and not one call that got through.

    >>> breaker = CircuitBreaker(limit=2)
    >>> breaker.outage("refused"), breaker.outage("refused")
    (False, True)
    >>> breaker.alive(); breaker.outage("refused")
    False
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.in_a_row = 0
        self.last = ""

    def outage(self, reason: str) -> bool:
        """Count a call that no patience could get through; true once it is time to stop."""
        self.in_a_row += 1
        self.last = reason
        return self.in_a_row >= self.limit

    def alive(self) -> None:
        """Something answered, if only with a refusal of one request."""
        self.in_a_row = 0


@contextmanager
def waiting_in_line() -> Iterator[None]:
    """Stop the clock of the case being worked on, if there is one."""
    deadline = current_deadline.get()
    if deadline is None:
        yield
        return
    with deadline.paused():
        yield


class Backoff(Struct, frozen=True, kw_only=True):
    """Exponential back-off with full jitter: a random wait up to ``base_s * 2 ** attempt``.

    Full jitter keeps many cases that failed together from coming back together.
    """

    base_s: float = 0.5
    cap_s: float = 30.0

    def delay_s(self, attempt: int, *, retry_after_s: float | None = None) -> float:
        """Seconds to wait after the ``attempt``-th failure (from 0), at least what was asked."""
        jitter = random.uniform(0, min(self.cap_s, self.base_s * 2**attempt))  # noqa: S311
        return jitter if retry_after_s is None else retry_after_s + jitter


PATIENCE_S = 900.0


def is_hopeless(error: TransientError) -> bool:
    """Whether the wait that was asked for is longer than anybody's patience.

    >>> is_hopeless(TransientError("come back tomorrow", retry_after_s=86_400.0))
    True
    """
    asked = error.retry_after_s
    return asked is not None and asked > PATIENCE_S
