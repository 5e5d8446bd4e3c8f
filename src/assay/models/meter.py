"""The usage of one answer: the calls, tokens, cost and working time of producing it.

A system opens a meter with ``metering()``, makes its calls through a model client, and puts
``meter.usage()`` into its answer. The client finds the meter through a context variable, so the
code between the system and the client does not have to pass it on.

A stopwatch measures from ``start`` to ``stop``. Parts of this time are taken out by
``not_working``: waiting for one of our own limits, opening a connection, and calls that failed and
were made again. Parts may overlap, for example if two calls of one question wait at once; then
they are taken out once.
"""

import math
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

from msgspec import UNSET, Struct, UnsetType

from assay.config.system import Price
from assay.records import Usage

# What a provider or a system states about the tokens and the cost of an answer, checked.
#
# The numbers come from others. A number that cannot be right (negative, infinite, not a number, or
# absurdly large) is not used: it would switch off a ceiling, or reach it at once. It is then not
# known, and never a reason to discard the answer beside it.

MOST_TOKENS: Final = 10**8
"""No call has more tokens than this."""
MOST_COST: Final = 1e6
"""No call costs more than this, in any currency."""


class CallBill(Struct, frozen=True, kw_only=True):
    """The stated tokens and cost of one call; None for what is not stated or cannot be right."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost: float | None = None


def read_bill(usage: Any) -> CallBill:
    """The ``usage`` object of a reply. A missing count is computed from the total if possible.

    >>> read_bill({"prompt_tokens": 7, "total_tokens": 9, "cost": 0.5})
    CallBill(prompt_tokens=7, completion_tokens=2, cost=0.5)
    >>> read_bill({"prompt_tokens": -7, "completion_tokens": "many", "cost": float("nan")})
    CallBill(prompt_tokens=None, completion_tokens=None, cost=None)
    """
    if not isinstance(usage, Mapping):
        return CallBill()
    prompt = count_of(usage.get("prompt_tokens"))
    completion = count_of(usage.get("completion_tokens"))
    total = count_of(usage.get("total_tokens"))
    if total is not None:
        if prompt is None and completion is not None:
            prompt = max(0, total - completion)
        elif completion is None and prompt is not None:
            completion = max(0, total - prompt)
    return CallBill(
        prompt_tokens=prompt, completion_tokens=completion, cost=amount_of(usage.get("cost"))
    )


def count_of(value: Any) -> int | None:
    """A stated number of tokens or calls; None if it cannot be one.

    >>> count_of(12), count_of("12"), count_of(12.0), count_of(-1), count_of(True), count_of(1e30)
    (12, 12, 12, None, None, None)
    """
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 12:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if not 0 <= value <= MOST_TOKENS or value != int(value):
        return None
    return int(value)


def amount_of(value: Any) -> float | None:
    """A stated amount of money; None if it cannot be one.

    >>> amount_of(0.5), amount_of(0), amount_of(-1), amount_of(float("inf")), amount_of("free")
    (0.5, 0.0, None, None, None)
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if not 0 <= value <= MOST_COST:  # false for NaN too
        return None
    return float(value)


def checked_usage(usage: Any) -> Usage | None:
    """The usage that a system reports, without what cannot be right.

    A cost that cannot be right is not known: all calls are then ``uncounted_calls``.

    >>> checked_usage(Usage(calls=2, cost=-1.0)).uncounted_calls
    2
    >>> checked_usage("a lot")
    Usage(calls=1, replayed_calls=0, prompt_tokens=0, completion_tokens=0, unmetered_calls=1, ...
    """
    if usage is None:
        return None
    if isinstance(usage, Usage):
        if _is_sound(usage):
            return usage
        stated: Mapping[str, Any] = {name: getattr(usage, name) for name in usage.__struct_fields__}
    else:
        stated = usage if isinstance(usage, Mapping) else {}
    return _corrected(stated)


def _is_sound(usage: Usage) -> bool:
    """Whether every number of the usage can be right; this is the usual case and must be fast."""
    cost, paid = usage.cost, usage.paid
    try:
        return (
            0 <= usage.calls <= MOST_TOKENS
            and 0 <= usage.replayed_calls <= MOST_TOKENS
            and 0 <= usage.prompt_tokens <= MOST_TOKENS
            and 0 <= usage.completion_tokens <= MOST_TOKENS
            and 0 <= usage.unmetered_calls <= MOST_TOKENS
            and (cost is None or 0 <= cost <= MOST_COST)
            and (paid is None or 0 <= paid <= MOST_COST)
            and all(
                extra is UNSET or 0 <= extra <= MOST_TOKENS
                for extra in (usage.uncounted_calls, usage.stated_calls)
            )
        )
    except TypeError:
        return False


def _corrected(stated: Mapping[str, Any]) -> Usage:
    calls = count_of(stated.get("calls", 1))
    prompt = count_of(stated.get("prompt_tokens"))
    completion = count_of(stated.get("completion_tokens"))
    cost = amount_of(stated.get("cost"))
    paid = amount_of(stated.get("paid", stated.get("cost")))
    is_unknown = any(
        stated.get(name) is not None and amount_of(stated[name]) is None
        for name in ("cost", "paid")
    )
    calls = 1 if calls is None else calls
    unmetered = count_of(stated.get("unmetered_calls", 0))
    if prompt is None or completion is None or unmetered is None:
        unmetered = calls
    uncounted: int | UnsetType = UNSET
    if is_unknown:
        uncounted = max(calls, 1)
    elif (given := count_of(stated.get("uncounted_calls"))) is not None:
        uncounted = given or UNSET
    given_stated = count_of(stated.get("stated_calls"))
    return Usage(
        calls=calls,
        replayed_calls=count_of(stated.get("replayed_calls", 0)) or 0,
        prompt_tokens=prompt or 0,
        completion_tokens=completion or 0,
        unmetered_calls=unmetered,
        cost=cost,
        paid=paid,
        uncounted_calls=uncounted,
        stated_calls=given_stated or UNSET,
    )


def is_finite(value: Any) -> bool:
    """Whether a value is a finite number that is not negative.

    >>> is_finite(0.5), is_finite(-1), is_finite(float("nan")), is_finite("1"), is_finite(True)
    (True, False, False, False, False)
    """
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and value >= 0
        and math.isfinite(value)
    )


_current: ContextVar["Meter | None"] = ContextVar("current_meter", default=None)


class Meter(Struct):
    """Adds up calls, tokens and cost.

    ``cost`` is the price of all calls, ``paid`` only that of the calls that were not replayed
    from the cache. Both are None if no call has a known cost. ``replayed_s`` is the time that
    the replayed calls took when they were made. ``retries`` counts the calls that were made again
    because an earlier attempt failed. ``uncounted_calls`` are those that were paid for, it is not
    known how much; ``stated_calls`` those whose cost the provider stated.

    >>> with metering() as meter:
    ...     record_call(prompt_tokens=10, completion_tokens=5, cost=0.5, replayed=True)
    >>> meter.usage().paid, meter.usage().cost, meter.replayed_s
    (0.0, 0.5, 0.0)
    """

    calls: int = 0
    replayed_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None
    paid: float | None = None
    replayed_s: float = 0.0
    unmetered_calls: int = 0
    retries: int = 0
    uncounted_calls: int = 0
    stated_calls: int = 0

    def usage(self) -> Usage | None:
        """The usage so far; None if no call was made."""
        if not self.calls:
            return None
        return Usage(
            calls=self.calls,
            replayed_calls=self.replayed_calls,
            prompt_tokens=self.prompt_tokens,
            completion_tokens=self.completion_tokens,
            unmetered_calls=self.unmetered_calls,
            cost=self.cost,
            paid=self.paid,
            uncounted_calls=self.uncounted_calls or UNSET,
            stated_calls=self.stated_calls or UNSET,
        )

    def take(self, part: "Meter") -> None:
        """Add the counts of another meter."""
        self.calls += part.calls
        self.replayed_calls += part.replayed_calls
        self.prompt_tokens += part.prompt_tokens
        self.completion_tokens += part.completion_tokens
        self.unmetered_calls += part.unmetered_calls
        self.replayed_s += part.replayed_s
        self.retries += part.retries
        self.uncounted_calls += part.uncounted_calls
        self.stated_calls += part.stated_calls
        if part.cost is not None:
            self.cost = (self.cost or 0.0) + part.cost
        if part.paid is not None:
            self.paid = (self.paid or 0.0) + part.paid


@contextmanager
def metering_part() -> Iterator[Meter]:
    """Meter the calls of one stage separately; the enclosing meter, if any, counts them as well."""
    outer = _current.get()
    with metering() as part:
        try:
            yield part
        finally:
            if outer is not None:
                outer.take(part)


class metering:  # noqa: N801 - a context manager; as a class it takes half the time
    """Meter the calls that are made inside the ``with`` block.

    An enclosing meter does not count these calls; use ``metering_part`` for that.
    """

    def __enter__(self) -> Meter:
        meter = Meter()
        self._token = _current.set(meter)
        return meter

    def __exit__(self, *exc: object) -> None:
        _current.reset(self._token)


def count_by(meter: Meter) -> None:
    """Meter the calls that the current task makes from now on."""
    _current.set(meter)


def record_retry() -> None:
    """Count a call that is made again on the meter of the current context, if there is one."""
    meter = _current.get()
    if meter is not None:
        meter.retries += 1


def record_call(
    *,
    prompt_tokens: int | None,
    completion_tokens: int | None,
    cost: float | None,
    replayed: bool = False,
    latency_s: float = 0.0,
    stated: bool = False,
) -> None:
    """Add a call to the meter of the current context, if there is one.

    Pass ``None`` for tokens that the provider did not report: the call then counts as unmetered.
    ``stated`` says that the provider stated the cost itself.
    """
    meter = _current.get()
    if meter is None:
        return
    meter.calls += 1
    if prompt_tokens is None or completion_tokens is None:
        meter.unmetered_calls += 1
    meter.prompt_tokens += prompt_tokens or 0
    meter.completion_tokens += completion_tokens or 0
    if cost is None:
        meter.uncounted_calls += not replayed
    else:
        meter.stated_calls += stated
        meter.cost = (meter.cost or 0.0) + cost
        meter.paid = (meter.paid or 0.0) + (0.0 if replayed else cost)
    if replayed:
        meter.replayed_calls += 1
        meter.replayed_s += latency_s


# The price of a call, from its tokens.


def cost(
    price: Price | None, prompt_tokens: float | None, completion_tokens: float | None
) -> float | None:
    """The cost of a call: tokens × price per million tokens. None if price or tokens are unknown.

    >>> cost(Price(prompt=2.0, completion=8.0), 1_000_000, 500_000)
    6.0
    >>> cost(None, 10, 10) is None
    True
    >>> cost(Price(prompt=2.0), 10, None) is None
    True
    """
    if price is None or prompt_tokens is None or completion_tokens is None:
        return None
    return (prompt_tokens * price.prompt + completion_tokens * price.completion) / 1_000_000


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

    __slots__ = ("_marked_at", "_started_at", "_stopped_at", "_taken_out", "clock")

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self.clock = clock
        self._started_at: float | None = None
        self._stopped_at: float | None = None
        self._marked_at: float | None = None
        self._taken_out: list[tuple[float, float]] = []

    def start(self) -> None:
        """Begin to measure; the worker that does the work begins again when its turn comes."""
        self._stopped_at = self._marked_at = None
        self._started_at = self.clock()

    def stop(self) -> None:
        """End the measurement. Only the first call after ``start`` counts."""
        if self._stopped_at is None:
            self._stopped_at = self.clock()

    def take_out(self, started_at: float, ended_at: float) -> None:
        """Do not count the time between two moments of the clock."""
        self._taken_out.append((started_at, ended_at))

    def mark(self, moment: float) -> None:
        """Note the moment of the clock at which the first text of the answer was there."""
        self._marked_at = moment

    def marked_s(self) -> float | None:
        """The measured seconds until the mark; None without one."""
        return None if self._marked_at is None else self._until(self._marked_at)

    def elapsed_s(self) -> float:
        """The measured seconds; until now, if the stopwatch is still running."""
        return self._until(self.clock() if self._stopped_at is None else self._stopped_at)

    def _until(self, end: float) -> float:
        if self._started_at is None:
            return 0.0
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


def first_text(moment: float | None) -> None:
    """Note when the first text of the answer was there; None if it came as a whole."""
    if moment is not None:
        for watch in _running.get():
            watch.mark(moment)


def time_to_first_text(watch: Stopwatch, meter: Meter) -> float | None:
    """The measured seconds to the first text; None without one, and if calls were replayed."""
    seconds = None if meter.replayed_calls else watch.marked_s()
    return None if seconds is None else round(seconds, 6)


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
