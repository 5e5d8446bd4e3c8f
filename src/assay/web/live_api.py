"""What the page receives and sends about runs that go on: events, starting, stopping, notes.

    GET  /api/v1/events                        events ``runs`` (LiveRuns) and ``progress`` (LiveRun)
    GET  /api/v1/events?run={run}              events ``row`` (the row), ``fresh``, ``end`` (RunEnd)

The types of the page are generated from this file too (see ``api.py``).
"""

from msgspec import Struct

from assay.web.api import Counts, Interval, Text


class LiveRuns(Struct, frozen=True, kw_only=True):
    """The ids of the runs that go on now."""

    runs: tuple[str, ...]


class LiveValue(Struct, frozen=True, kw_only=True):
    """What a variant has of the primary metric so far, over ``n`` answers."""

    variant: str
    value: float | None
    interval: Interval | None
    n: int
    is_baseline: bool = False


class LiveAnswer(Struct, frozen=True, kw_only=True):
    """One of the last rows, cut to what a line shows."""

    question_id: str
    variant: str
    status: str
    question: str
    answer: str
    value: float | None


class LiveRun(Struct, frozen=True, kw_only=True):
    """A run that goes on, as far as its journal says.

    ``done`` counts the cases that have an outcome, ``left`` those that this run will still ask.
    ``rate`` is in cases a second; ``ceiling`` is what the run may cost at most. ``failures`` are
    the failed cases by kind, the most frequent first.
    """

    run: str
    name: str
    job: str
    is_running: bool
    total: int | None
    done: int
    left: int | None
    counts: Counts
    failures: tuple[tuple[str, int], ...]
    paid: float | None
    ceiling: float | None
    rate: float | None
    eta_s: float | None
    elapsed_s: float | None
    metric: Text | None
    kind: str
    values: tuple[LiveValue, ...]
    last: tuple[LiveAnswer, ...]


class RunEnd(Struct, frozen=True, kw_only=True):
    """The end of the rows of a run that does not go on; ``rows`` were sent by this stream."""

    run: str
    rows: int
