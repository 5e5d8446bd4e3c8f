"""One run made ready to compare: a value for each question, and what the run rests on."""

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal, TypeAlias

from msgspec import Struct

from assay.errors import UseError
from assay.records import Metric, Status

Key: TypeAlias = tuple[str, str]
"""What an item is known by: a question's id (of several data sets ``dataset/id``), and its
placement where it was put at several."""


class ComparedCase(Struct, frozen=True, kw_only=True, gc=False):
    """How one case ended. ``value`` is the metric's, ``None`` where it is undefined."""

    status: Status
    value: float | None = None
    weight: float | None = None
    group: str = ""
    source: str | None = None
    question: str = ""
    answer: str = ""


class ComparedRun(Struct, frozen=True, kw_only=True):
    """A run: its items, how it ended, and what must agree with the other's.

    ``state`` is ``None`` where the file does not say, as ``metric_names`` is where the rows do
    not list them. ``unasked`` counts cases without an outcome (``None``: not
    known), ``failed`` those that errored.
    ``yardstick`` is what answers were judged by, where the questions do not say; ``told`` may
    differ, and a note says so. ``group_weights`` are those of data sets. ``journal`` is where answers are read from if the
    items do not hold them.
    """

    path: Path
    job: str
    metric: Metric
    items: Mapping[Key, ComparedCase]
    state: str | None = None
    unasked: int | None = None
    failed: int = 0
    first_error: str = ""
    hashes: Mapping[str, str | None] = {}
    yardstick: Mapping[str, str] = {}
    told: Mapping[str, str] = {}
    metric_names: frozenset[str] | None = None
    group_weights: Mapping[str, float] = {}
    variant: str | None = None
    journal: Path | None = None
    notes: tuple[str, ...] = ()


def merged(trials: Sequence[ComparedCase]) -> ComparedCase:
    """A question that was asked several times, as one: the mean of its defined values.

    It is scored if any of them is; the answer shown is the first scored one's.

    >>> merged([ComparedCase(status="scored", value=1.0), ComparedCase(status="scored", value=0.5)]).value
    0.75
    """
    scored = [trial for trial in trials if trial.status == "scored"]
    failed = [trial for trial in trials if trial.status == "failed"]
    first = (scored or failed or list(trials))[0]
    values = [trial.value for trial in scored if trial.value is not None]
    if len(trials) == 1:
        return first
    return ComparedCase(
        status=first.status,
        value=math.fsum(values) / len(values) if values else None,
        weight=first.weight,
        group=first.group,
        source=first.source,
        question=first.question,
        answer=first.answer,
    )


def number(value: object, where: str, what: Literal["score", "weight"]) -> float | None:
    """A finite number from a file, ``None`` where there is none; anything else is refused.

    >>> number(True, "base.json: q1", "score")
    1.0
    """
    if value is None:
        return None
    if isinstance(value, bool | int | float) and math.isfinite(value):
        if what == "weight" and value < 0:
            raise UseError(f"{where}: a weight of {value}; it cannot be negative")
        return float(value)
    raise UseError(f"{where}: {value!r} is not a {what}")


def placements(keys: Iterable[Key]) -> set[str]:
    """The placements among items."""
    return {placement for _, placement in keys}


def named(base: ComparedRun, cand: ComparedRun) -> tuple[dict[str, Key], dict[str, Key]]:
    """The items of both sides by one name each: the id, and the placement where it varies.

    Where each side has one placement only, it is a setting (``topk=5`` against ``topk=10``)
    and no part of the name.
    """
    alone = all(len(placements(side.items)) <= 1 for side in (base, cand))

    def name(key: Key) -> str:
        question, placement = key
        return question if alone or not placement else f"{question}::{placement}"

    return {name(key): key for key in base.items}, {name(key): key for key in cand.items}
