"""What the page receives and sends about runs that go on: events, starting, stopping, notes.

    GET  /api/v1/events                        events ``runs`` (LiveRuns) and ``progress`` (LiveRun)
    GET  /api/v1/events?run={run}              events ``row`` (the row), ``fresh``, ``end`` (RunEnd)
    GET  /api/v1/start                         StartForm
    POST /api/v1/start            StartRequest Started
    GET  /api/v1/start/{id}                    Started
    POST /api/v1/runs/{run}/stop               Done
    GET  /api/v1/runs/{run}/resume             Resumption
    POST /api/v1/runs/{run}/resume ResumeRequest Started
    POST /api/v1/runs/{run}/about AboutChange  RunAbout
    POST /api/v1/runs/{run}/delete             Done

A ``POST`` needs the header ``X-Assay-Request: 1`` and its origin, and has JSON as its body.
The types of the page are generated from this file too (see ``api.py``).
"""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from assay.web.api import Counts, RunAbout
from assay.web.text_store import Interval
from assay.words.message import Title

__all__ = ["RunAbout"]  # belongs to the card of a run


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
    metric: Title | None
    kind: str
    values: tuple[LiveValue, ...]
    last: tuple[LiveAnswer, ...]


class RunEnd(Struct, frozen=True, kw_only=True):
    """The end of the rows of a run that does not go on; ``rows`` were sent by this stream."""

    run: str
    rows: int


FieldKind = Literal[
    "choice", "file", "count", "number", "switch", "text", "settings", "place", "folder"
]


class StartField(Struct, frozen=True, kw_only=True):
    """A field of the form of a job: an option of its command.

    ``choices`` are all values of a choice; for a file, the files of the workspace that fit. ``titles``
    are their names for people, in the same order; empty if they have none. Settings
    are lines of ``NAME=VALUE``; a place is a file or folder for results.
    ``group`` is ``data``, ``system``, ``method`` or ``limit``.
    """

    name: str
    kind: FieldKind
    group: str
    choices: tuple[str, ...] = ()
    titles: tuple[Title, ...] = ()
    is_required: bool = False


class StartJob(Struct, frozen=True, kw_only=True):
    """A job that can be started, and its form."""

    job: str
    fields: tuple[StartField, ...]


class StartForm(Struct, frozen=True, kw_only=True):
    """The jobs that can be started; ``problem`` says why the experiments cannot be read."""

    jobs: tuple[StartJob, ...]
    problem: str | None = None


class StartRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A job with the values of its form; ``is_dry`` only estimates, in the language of the page."""

    job: str
    options: Mapping[str, str | int | float | bool] = {}
    is_dry: bool = False
    lang: Literal["", "en", "zh", "ru"] = ""


class ResumeRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Go on with a run, with another ceiling if one is given; a run that goes on is stopped first."""

    max_cost: float | None = None


class Resumption(Struct, frozen=True, kw_only=True):
    """Whether the page can go on with a run, and the command by which a terminal can.

    The command is empty if none is recorded, as for a run that was started from Python.
    """

    is_offered: bool
    command: str = ""


class Started(Struct, frozen=True, kw_only=True):
    """A command that the page started.

    ``state`` is ``starting``, ``running`` (its run is ``run``) or ``ended`` (with ``code``, which
    is ``None`` if the server has been started again since). ``output`` is the end of what it
    printed.
    """

    id: str
    job: str
    command: str
    state: Literal["starting", "running", "ended"]
    run: str | None = None
    code: int | None = None
    output: str = ""


class AboutChange(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What changes in the notes about a run; ``None`` leaves a part as it is."""

    title: str | None = None
    tags: tuple[str, ...] | None = None
    note: str | None = None
    is_archived: bool | None = None


class Done(Struct, frozen=True, kw_only=True):
    """What was done, for example the new names of files."""

    names: tuple[str, ...] = ()
