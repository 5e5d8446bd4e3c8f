"""A run in the form that is compared: a value for each question, and what it is based on."""

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct

from assay.errors import UseError
from assay.records import Estimand, Metric, Status
from assay.words.message import Message

LARGEST: Final = 1e15
"""The largest score or weight: sums and squares of such numbers are exact enough."""
Key: TypeAlias = tuple[str, str]
"""The key of an item: the question's id (``dataset/id`` if there are several data sets) and the
placement (empty if the question has none)."""


class ComparedCase(Struct, frozen=True, kw_only=True, gc=False):
    """The outcome of one case. ``value`` is the metric's value, None if it is undefined.

    ``at_least`` and ``at_most`` are what an unsure value could be instead.

    ``place`` is the byte range of the journal in which the question and the answer are. ``asked``
    is the question of an item whose id names more than it, for example a clause and a mode.
    """

    status: Status
    value: float | None = None
    at_least: float | None = None
    at_most: float | None = None
    weight: float | None = None
    group: str = ""
    source: str | None = None
    asked: str = ""
    question: str = ""
    answer: str = ""
    place: slice | None = None


class OtherMetric(Struct, frozen=True, kw_only=True):
    """The cases of a run with the values of another metric than the compared one."""

    metric: Metric
    items: Mapping[Key, ComparedCase]


class ComparedRun(Struct, frozen=True, kw_only=True):
    """A run: its items, how it ended, and what must be the same in both runs.

    - ``kind`` is what people call it if that is not its ``job``: ``run``.
    - ``state`` is None if the file does not state it.
    - ``unasked`` is the number of cases without an outcome, None if it is not known.
    - ``failed`` is the number of cases that failed; ``first_error`` is the error of the first.
    - ``answered`` is the number of cases whose answer is not judged yet.
    - ``filtered`` is the number of failed cases, and ``lost`` that of scored cases, whose answer
      the provider's filter withheld.
    - ``hashes`` identify documents and questions, and ``judging`` the way answers were judged
      as far as the questions do not determine it. Both must be the same in both runs.
    - ``ruler`` names the rules that scored the answers: empty for a run of a version that had no name
      for them, None if the file is not a run.
    - ``informational`` may differ between the runs; a note then says so.
    - ``primary`` is the name of the job's main metric, empty if it is not known.
    - ``metric_names`` are the metrics of which the run has values, None if the file does not
      list them.
    - ``settings`` are those of the variant, None if they are not known; ``order_settings`` are the
      settings that change only the order of the passages.
    - ``group_weights`` are the weights of data sets.
    - ``journal`` is the file from which answers are read if the items do not contain them.
    - ``others`` are other measures of correctness, for the same items.
    - ``stops_early``: the answers decided how many questions were asked.
    - ``estimand`` is what the run was chosen to be about, None if that was not chosen.
    - ``doubts`` say where the file contradicts itself about the compared values.
    """

    path: Path
    job: str
    metric: Metric
    items: Mapping[Key, ComparedCase]
    kind: str = ""
    state: str | None = None
    unasked: int | None = None
    failed: int = 0
    answered: int = 0
    filtered: int = 0
    lost: int = 0
    first_error: str = ""
    hashes: Mapping[str, str | None] = {}
    judging: Mapping[str, str] = {}
    ruler: str | None = None
    informational: Mapping[str, str] = {}
    primary: str = ""
    metric_names: frozenset[str] | None = None
    group_weights: Mapping[str, float] = {}
    variant: str | None = None
    settings: Mapping[str, Any] | None = None
    order_settings: frozenset[str] = frozenset()
    journal: Path | None = None
    others: tuple[OtherMetric, ...] = ()
    stops_early: bool = False
    estimand: Estimand | None = None
    doubts: tuple[Message | str, ...] = ()
    notes: tuple[Message | str, ...] = ()


def merge_cases(cases: Sequence[ComparedCase]) -> ComparedCase:
    """One case for a question that was asked several times: the mean of its defined values.

    It is scored if any of the cases is scored, and has the answer of the first scored case; of
    the rows in a journal, that of the last one. It is unsure if any of its values is.

    >>> merge_cases([ComparedCase(status="scored", value=1.0), ComparedCase(status="scored", value=0.5)]).value
    0.75
    >>> cases = [ComparedCase(status="scored", value=0.0, at_least=0.0, at_most=1.0)] * 2
    >>> merge_cases(cases).at_most
    1.0
    """
    scored = [case for case in cases if case.status == "scored"]
    failed = [case for case in cases if case.status in {"failed", "answered"}]
    first = (scored or failed or list(cases))[0]
    places = [case.place for case in scored or cases if case.place is not None]
    values = [case.value for case in scored if case.value is not None]
    if len(cases) == 1:
        return first
    known = [case for case in scored if case.value is not None]
    is_unsure = any(case.at_least is not None for case in known)
    least, most = (
        [case.value if end is None else end for case, end in zip(known, ends, strict=True)]
        for ends in ([each.at_least for each in known], [each.at_most for each in known])
    )
    return ComparedCase(
        status=first.status,
        value=math.fsum(values) / len(values) if values else None,
        at_least=math.fsum(each or 0.0 for each in least) / len(known) if is_unsure else None,
        at_most=math.fsum(each or 0.0 for each in most) / len(known) if is_unsure else None,
        weight=first.weight,
        group=first.group,
        source=first.source,
        asked=first.asked,
        question=first.question,
        answer=first.answer,
        place=max(places, key=lambda place: place.start, default=None),
    )


def number(value: object, where: str, what: Literal["score", "weight"]) -> float | None:
    """A finite number from a file, None for None; raises ``UseError`` for anything else.

    >>> number(True, "base.json: q1", "score")
    1.0
    """
    if value is None:
        return None
    if isinstance(value, bool | int | float) and LARGEST < abs(value) < math.inf:
        raise UseError(f"{where}: the {what} is too large; at most {LARGEST:g} can be compared")
    if isinstance(value, bool | int | float) and math.isfinite(value):
        if what == "weight" and value < 0:
            raise UseError(f"{where}: the weight is {value}; it cannot be negative")
        return float(value)
    raise UseError(f"{where}: {value!r} is not a {what}")


def placements(keys: Iterable[Key]) -> set[str]:
    """The distinct placements of these keys."""
    return {placement for _, placement in keys}


def keys_by_name(base: ComparedRun, cand: ComparedRun) -> tuple[dict[str, Key], dict[str, Key]]:
    """The keys of both runs by the name of the item: the id, with the placement if it varies.

    If each run has only one placement, the placement is a setting (``topk=5`` compared with
    ``topk=10``) and is not part of the name.
    """
    has_one_placement = all(len(placements(run.items)) <= 1 for run in (base, cand))

    def name(key: Key) -> str:
        question, placement = key
        return question if has_one_placement or not placement else f"{question}::{placement}"

    return {name(key): key for key in base.items}, {name(key): key for key in cand.items}
