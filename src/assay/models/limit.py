"""Limits for cases and calls: concurrency, time, request rate and retries.

``AdaptiveLimit`` limits how many operations run at once, ``Deadline`` limits the working time of
one case, ``RateGate`` limits requests and tokens per minute, ``Backoff`` computes the wait before
the next attempt, and ``CircuitBreaker`` detects an outage. None of them uses the network. The
runner uses them for cases and the model client for calls.
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
from assay.models.meter import not_working


class AdaptiveLimit:
    """A limit on concurrent operations that adapts to the server's rate limits (AIMD).

    The limit starts at ``ceiling``. ``cut`` halves it, at most once per ``cooldown_s``, so that
    several refusals at the same moment count as one. ``grow`` raises it by one for about every
    ``limit`` successes. Use the object as an async context manager around each operation.
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
        self.limit = max(1, ceiling)
        """How many operations may run at once now; at least 1."""
        self._exact = float(ceiling)
        self._cooldown_s = cooldown_s
        self._clock = clock
        self._cut_at = float("-inf")
        self._waiting: deque[asyncio.Future[None]] = deque()

    def cut(self) -> None:
        """Halve the limit, because the server reported a rate limit."""
        now = self._clock()
        if now - self._cut_at >= self._cooldown_s:
            self._cut_at = now
            self._set(max(1.0, self._exact / 2))

    def grow(self) -> None:
        """Raise the limit slightly after a success, up to the ceiling."""
        if self._exact < self.ceiling:
            self._set(min(float(self.ceiling), self._exact + 1 / self._exact))
            self._wake()

    def take(self) -> bool:
        """Take a slot without waiting; return False if none is free or another task waits for one."""
        if self._waiting or self.in_flight >= self.limit:
            return False
        self.in_flight += 1
        return True

    async def acquire(self) -> None:
        """Wait for a free slot and take it."""
        while self.in_flight >= self.limit:
            turn = asyncio.get_running_loop().create_future()
            self._waiting.append(turn)
            try:
                await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled():
                    self._wake()  # the cancelled task had been woken: wake the next one instead
                raise
        self.in_flight += 1

    def release(self) -> None:
        """Give the slot back."""
        self.in_flight -= 1
        if self._waiting:
            self._wake()

    async def __aenter__(self) -> None:
        await self.acquire()

    async def __aexit__(self, *exc: object) -> None:
        self.release()

    def _set(self, exact: float) -> None:
        self._exact = exact
        self.limit = max(1, int(exact))

    def _wake(self) -> None:
        free = self.limit - self.in_flight
        while free > 0 and self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                free -= 1


class Deadline:
    """The time a case may take, not counting the time it waits for one of our own limits.

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
        """Seconds used so far, without pauses."""
        now = self._paused_at if self._paused_at is not None else self._clock()
        return now - self._began_at

    def left(self) -> float:
        """Seconds left; negative if the deadline has passed."""
        return self.seconds - self.used_s()

    @property
    def is_paused(self) -> bool:
        """Whether the case is waiting for one of our own limits at the moment."""
        return self._paused_at is not None

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Stop the clock during the ``with`` block.

        Pauses may overlap, for example when several calls of one case wait. The clock runs again
        when the last one ends.
        """
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
"""The deadline of the current case; code that makes the case wait pauses it."""


class RateGate:
    """Limits the number of requests and of tokens in any period of ``window_s`` seconds.

    ``None`` means no limit. The tokens of a call are estimated before the call and corrected
    after it. A single call that needs more tokens than the limit is allowed when no other call
    is in the window.
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
        """Wait until a call of about ``tokens`` tokens fits into the limits, and count it."""
        if self.is_open:
            return Booking(0.0, tokens)
        async with self._turn:
            while (wait_s := self._wait_s(tokens)) > 0:  # noqa: ASYNC110 - only time frees room
                await asyncio.sleep(wait_s)
            booking = Booking(self._clock(), tokens)
            self._booked.append(booking)
            self._booked_tokens += tokens
            return booking

    def settle(self, booking: "Booking", tokens: int) -> None:
        """Replace the estimated tokens of a call by the actual number."""
        if booking in self._booked:
            self._booked_tokens += tokens - booking.tokens
        booking.tokens = tokens

    def _wait_s(self, tokens: int) -> float:
        """Seconds until the call may fit; 0 if it fits now."""
        now = self._clock()
        while self._booked and self._booked[0].at <= now - self._window_s:
            self._booked_tokens -= self._booked.popleft().tokens
        if not self._booked:
            return 0.0
        too_many = self._requests is not None and len(self._booked) >= self._requests
        too_large = self._tokens is not None and self._booked_tokens + tokens > self._tokens
        if not too_many and not too_large:
            return 0.0
        return max(0.001, self._booked[0].at + self._window_s - now)


class Booking:
    """A call counted by a ``RateGate``: when it started, and its tokens."""

    __slots__ = ("at", "tokens")

    def __init__(self, at: float, tokens: int) -> None:
        self.at = at
        self.tokens = tokens


class CircuitBreaker:
    """Detects an outage: ``limit`` failed calls in a row, without any reply in between.

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
        """Count a call that failed after all retries; return True if the run should stop."""
        self.in_a_row += 1
        self.last = reason
        return self.in_a_row >= self.limit

    def alive(self) -> None:
        """Start counting again, because the server replied, even if only with a refusal."""
        self.in_a_row = 0


@contextmanager
def waiting_in_line() -> Iterator[None]:
    """Pause the deadline and the stopwatch of the current case during the ``with`` block."""
    deadline = current_deadline.get()
    with not_working():
        if deadline is None:
            yield
            return
        with deadline.paused():
            yield


@contextmanager
def waiting_for_another(*, again: bool) -> Iterator[None]:
    """Wait for a call that another task makes; its time is recorded as replayed time.

    The wait is not part of the latency. The first wait pauses the deadline. A call that hangs
    ends with the deadline of the task that makes it; whoever waits ``again``, for the next task
    that makes it, does so on its own time, so that one call cannot delay it twice.
    """
    if not again:
        with waiting_in_line():
            yield
        return
    with not_working():
        yield


class Backoff(Struct, frozen=True, kw_only=True):
    """Exponential back-off with full jitter: a random wait up to ``base_s * 2 ** attempt``.

    The random wait is never longer than ``cap_s``. Full jitter prevents cases that failed
    together from being retried together.
    """

    base_s: float = 0.5
    cap_s: float = 30.0

    def delay_s(self, attempt: int, *, retry_after_s: float | None = None) -> float:
        """Seconds to wait after failure number ``attempt``, counted from 0.

        If the server asked for a wait (``retry_after_s``), the random wait is added to it.
        """
        jitter = random.uniform(0, min(self.cap_s, self.base_s * 2**attempt))  # noqa: S311
        return jitter if retry_after_s is None else retry_after_s + jitter


PATIENCE_S = 900.0
"""The longest wait, in seconds, that a server may ask for before we stop retrying."""


def is_hopeless(error: TransientError) -> bool:
    """Whether the server asked for a wait of more than ``PATIENCE_S``, so a retry is pointless.

    >>> is_hopeless(TransientError("come back tomorrow", retry_after_s=86_400.0))
    True
    """
    return error.retry_after_s is not None and error.retry_after_s > PATIENCE_S
