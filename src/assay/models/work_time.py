"""Measuring how long a system works on an answer, without the time that is not its own.

A stopwatch measures from ``start`` to ``stop``. Parts of this time are taken out by
``not_working``: waiting for one of our own limits, opening a connection, and calls that failed and
were made again. Parts may overlap, for example if two calls of one question wait at once; then
they are taken out once.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_running: ContextVar[tuple["Stopwatch", ...]] = ContextVar("running_stopwatches", default=())


class Stopwatch:
    """Measures the time from ``start`` to ``stop``, without the parts that were taken out.

    >>> ticks = iter([1.0, 9.0])
    >>> stopwatch = Stopwatch(clock=lambda: next(ticks))
    >>> stopwatch.start()  # at 1
    >>> stopwatch.take_out(2.0, 4.0); stopwatch.take_out(3.0, 5.0); stopwatch.take_out(0.0, 1.5)
    >>> stopwatch.stop()  # at 9
    >>> stopwatch.elapsed_s()
    4.5
    """

    __slots__ = ("_started_at", "_stopped_at", "_taken_out", "clock")

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self.clock = clock
        self._started_at: float | None = None
        self._stopped_at: float | None = None
        self._taken_out: list[tuple[float, float]] = []

    def start(self) -> None:
        """Begin to measure; the worker that does the work begins again when its turn comes."""
        self._stopped_at = None
        self._started_at = self.clock()

    def stop(self) -> None:
        """End the measurement. Only the first call after ``start`` counts."""
        if self._stopped_at is None:
            self._stopped_at = self.clock()

    def take_out(self, started_at: float, ended_at: float) -> None:
        """Do not count the time between two moments of the clock."""
        self._taken_out.append((started_at, ended_at))

    def elapsed_s(self) -> float:
        """The measured seconds; until now, if the stopwatch is still running."""
        if self._started_at is None:
            return 0.0
        end = self.clock() if self._stopped_at is None else self._stopped_at
        elapsed_s = end - self._started_at
        counted_until = self._started_at
        for part_start, part_end in sorted(self._taken_out):
            # comparisons and not min and max: this is called several times for every question
            first = max(counted_until, part_start)
            last = min(end, part_end)
            if last > first:
                elapsed_s -= last - first
                counted_until = last
        return elapsed_s


class stopwatch:  # noqa: N801 - a context manager; as a class it takes half the time
    """A new stopwatch for the ``with`` block; those that run already go on."""

    def __enter__(self) -> Stopwatch:
        watch = Stopwatch()
        watch.start()
        self._token = _running.set((*_running.get(), watch))
        return watch

    def __exit__(self, *exc: object) -> None:
        _running.reset(self._token)


def measure_by(watch: Stopwatch) -> None:
    """Start a stopwatch for what the current task does from now on."""
    _running.set((*_running.get(), watch))
    watch.start()


def work_starts() -> None:
    """Start the stopwatch of the current question here; called by the thread that does the work."""
    for watch in _running.get():
        watch.start()


def work_ends() -> None:
    """Stop the stopwatch of the current question here."""
    for watch in _running.get():
        watch.stop()


def take_out(started_at: float, ended_at: float) -> None:
    """Take a part, in seconds of ``time.perf_counter``, out of all stopwatches that are running."""
    for watch in _running.get():
        watch.take_out(started_at, ended_at)


@contextmanager
def not_working() -> Iterator[None]:
    """Take the time of the ``with`` block out of all stopwatches that are running."""
    watches = _running.get()
    if not watches:
        yield
        return
    started_at = time.perf_counter()
    try:
        yield
    finally:
        take_out(started_at, time.perf_counter())
