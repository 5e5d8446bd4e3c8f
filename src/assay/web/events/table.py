"""The last outcome of each case of a run that goes on."""

from array import array
from collections import Counter
from math import nan
from typing import Any

import numpy as np

from assay.errors import AssayError
from assay.records import Metric
from assay.stats import ABSENT, ANSWERED, FAILED, SCORED, SKIPPED, SPARED, Scores, analyse
from assay.web.api import Counts
from assay.web.live_api import LiveValue
from assay.web.text_api import Interval


class CaseTable:
    """The last outcome of each case, in arrays: a large run needs little memory."""

    def __init__(self) -> None:
        self.rows = 0
        self._places: dict[str, int] = {}
        self._items: dict[str, int] = {}
        self._variants: dict[str, int] = {}
        self._sources: dict[str, int] = {}
        self._source_of: list[int] = []
        self._questions: dict[str, int] = {}
        self._question_of: list[int] = []
        self._variant_of, self._item_of = array("i"), array("i")
        self._status, self._values = array("B"), array("d")
        self._kinds: dict[int, str] = {}
        self._unfinished: dict[int, float] = {}
        self._ended: Counter[int] = Counter()

    def put(self, row: Any, status: int, value: float | None) -> None:
        """Take a row; it replaces an earlier row of its case."""
        self.rows += 1
        item = f"{row.question_id}{row.key[len(row.question_id) + len(row.config) + 2 :]}"
        number = self._items.setdefault(item, len(self._items))
        if number == len(self._source_of):
            source = self._sources.setdefault(row.source, len(self._sources)) if row.source else -1
            self._source_of.append(source)
            question = self._questions.setdefault(row.question_id, len(self._questions))
            self._question_of.append(question)
        known = nan if value is None else value
        place = self._places.setdefault(row.key, len(self._status))
        if place == len(self._status):
            variant = self._variants.setdefault(row.config, len(self._variants))
            self._variant_of.append(variant)
            self._item_of.append(number)
            self._status.append(status)
            self._values.append(known)
        else:
            self._ended[self._status[place]] -= 1
            self._status[place], self._values[place] = status, known
        self._ended[status] += 1
        if status in {FAILED, ANSWERED}:
            self._unfinished[place] = row.ts or 0.0
        else:
            self._unfinished.pop(place, None)
        if status == FAILED:
            self._kinds[place] = row.error_kind or "other"
        else:
            self._kinds.pop(place, None)

    def counts(self, total: int | None) -> Counts:
        """How the cases ended."""
        ended = self._ended
        return Counts(
            scored=ended[SCORED],
            answered=ended[ANSWERED],
            failed=ended[FAILED],
            skipped=ended[SKIPPED],
            spared=ended[SPARED],
            total=total,
        )

    def done(self, since: float, total: int | None) -> tuple[int, int | None]:
        """How many cases have an outcome, and how many are still asked.

        A case that failed before ``since``, in an earlier stretch, is asked again.
        """
        again = sum(moment < since for moment in self._unfinished.values())
        ended = len(self._status) - again
        return ended, None if total is None else max(0, total - ended)

    def failures(self) -> Counter[str]:
        """How many cases failed, by kind."""
        return Counter(self._kinds.values())

    def values(self, metric: Metric, baseline: str) -> tuple[LiveValue, ...]:
        """The metric of each variant with its interval, as the tables at the end have it."""
        shape = (len(self._variants), len(self._items))
        status = np.full(shape, ABSENT, np.uint8)
        values = np.full(shape, np.nan)
        if self._status:
            places = np.array(self._variant_of), np.array(self._item_of)
            status[places], values[places] = np.array(self._status), np.array(self._values)
        scores = Scores(
            items=tuple(self._items),
            variants=tuple(self._variants),
            status=status,
            values={metric.field: values},
            clusters=self._clusters(),
            questions=self._question_numbers(),
        )
        try:
            analysis = analyse(scores, [metric], baseline=None, resamples=1000)
        except AssayError:
            return ()
        return tuple(
            LiveValue(
                variant=each.name,
                value=each.cells[metric.name].value,
                interval=_interval(each.cells[metric.name].interval),
                n=each.cells[metric.name].n,
                is_baseline=each.name == baseline,
            )
            for each in analysis.variants
        )

    def _question_numbers(self) -> Any:
        if len(self._questions) == len(self._items):
            return None  # the usual case: every item is a question
        return np.array(self._question_of, np.int32)

    def _clusters(self) -> Any:
        if not self._sources:
            return None
        clusters = np.array(self._source_of, np.int32)
        alone = clusters < 0
        clusters[alone] = len(self._sources) + np.arange(np.count_nonzero(alone))
        return clusters


def _interval(interval: Any) -> Interval | None:
    return Interval(low=interval.low, high=interval.high) if interval else None
