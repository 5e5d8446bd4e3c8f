"""The usage of one answer: the calls, tokens and cost of producing it.

A system opens a meter with ``metering()``, makes its calls through a model client, and puts
``meter.usage()`` into its answer. The client finds the meter through a context variable, so the
code between the system and the client does not have to pass it on.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from msgspec import UNSET, Struct

from assay.records import Usage

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
