"""The bill of one answer: every call made while it was worked on, summed up.

A system opens a ``Meter``, makes its calls through a model client, and puts
``meter.usage()`` into its answer. Calls find the meter by context, so code between the
system and the client need not pass it along.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from assay.records import Usage

_current: ContextVar["Meter | None"] = ContextVar("current_meter", default=None)


class Meter:
    """Adds up calls, tokens and money.

    >>> with metering() as meter:
    ...     record_call(prompt_tokens=10, completion_tokens=5, cost=0.5, replayed=True)
    >>> meter.usage().paid, meter.usage().cost, meter.replayed_s
    (0.0, 0.5, 0.0)
    """

    def __init__(self) -> None:
        self.calls = 0
        self.replayed_calls = 0
        self.prompt_tokens = 0
        self.completion_tokens = 0
        self.cost: float | None = None
        self.paid: float | None = None
        self.replayed_s = 0.0
        self.unmetered_calls = 0

    def usage(self) -> Usage | None:
        """The bill so far; ``None`` where no call was made."""
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
        )

    def take(self, part: "Meter") -> None:
        """Add what another meter counted."""
        self.calls += part.calls
        self.replayed_calls += part.replayed_calls
        self.prompt_tokens += part.prompt_tokens
        self.completion_tokens += part.completion_tokens
        self.unmetered_calls += part.unmetered_calls
        self.replayed_s += part.replayed_s
        if part.cost is not None:
            self.cost = (self.cost or 0.0) + part.cost
        if part.paid is not None:
            self.paid = (self.paid or 0.0) + part.paid


@contextmanager
def metering_part() -> Iterator[Meter]:
    """Collect the calls of one stage; they count for the whole as well."""
    whole = _current.get()
    with metering() as part:
        try:
            yield part
        finally:
            if whole is not None:
                whole.take(part)


@contextmanager
def metering() -> Iterator[Meter]:
    """Collect the calls made inside."""
    meter = Meter()
    token = _current.set(meter)
    try:
        yield meter
    finally:
        _current.reset(token)


def record_call(
    *,
    prompt_tokens: int | None,
    completion_tokens: int | None,
    cost: float | None,
    replayed: bool = False,
    latency_s: float = 0.0,
) -> None:
    """Add a call to the meter of this context, if there is one.

    Tokens that the provider did not report are ``None`` and counted as an unmetered call.
    """
    meter = _current.get()
    if meter is None:
        return
    meter.calls += 1
    if prompt_tokens is None or completion_tokens is None:
        meter.unmetered_calls += 1
    meter.prompt_tokens += prompt_tokens or 0
    meter.completion_tokens += completion_tokens or 0
    if cost is not None:
        meter.cost = (meter.cost or 0.0) + cost
        meter.paid = (meter.paid or 0.0) + (0.0 if replayed else cost)
    if replayed:
        meter.replayed_calls += 1
        meter.replayed_s += latency_s
