"""The state of a run that goes on, counted from its journal as it grows."""

import os
import time
from array import array
from collections import Counter, deque
from collections.abc import Sequence
from datetime import datetime
from math import nan
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
from msgspec import Struct

from assay.data.jsonl import UNREADABLE
from assay.errors import AssayError
from assay.records import Estimand, Metric, without_draw
from assay.redact.error_text import masked_error
from assay.report.label import title_of
from assay.results.decoded_row import row_type
from assay.results.job import JobSpec, job_spec_of
from assay.results.run_cases import RowFilter, read_run_cases
from assay.runs.summary import Summary, read_summary
from assay.runs.write import is_being_written, plan_path, summary_path
from assay.stats.analysis import analyse
from assay.stats.scores import (
    ABSENT,
    ANSWERED,
    FAILED,
    SCORED,
    SKIPPED,
    SPARED,
    Scores,
    estimand_so_far,
)
from assay.web.about import metric_kind
from assay.web.api import Counts
from assay.web.events.tail import Cursor, generation_of
from assay.web.live_api import LiveAnswer, LiveRun, LiveValue
from assay.web.text_store import Interval

# The last outcome of each case of a run that goes on.


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
        self._cases: dict[str, int] = {}
        self._case_of: list[int] = []
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
            case = without_draw(item)
            self._case_of.append(self._cases.setdefault(case, len(self._cases)))
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

    def values(
        self, metric: Metric, baseline: str, about: Estimand | None = None
    ) -> tuple[LiveValue, ...]:
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
            draws=self._draws(),
        )
        try:
            about = estimand_so_far(scores.clusters, about)
            analysis = analyse(scores, [metric], baseline=None, resamples=1000, documents=about)
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

    def _draws(self) -> Any:
        if len(self._cases) == len(self._items):
            return None
        return np.array(self._case_of, np.int32)

    def _clusters(self) -> Any:
        if not self._sources:
            return None
        clusters = np.array(self._source_of, np.int32)
        alone = clusters < 0
        clusters[alone] = len(self._sources) + np.arange(np.count_nonzero(alone))
        return clusters


def _interval(interval: Any) -> Interval | None:
    return Interval(low=interval.low, high=interval.high) if interval else None


MOST_BYTES: Final = 8 << 20
"""How many bytes of a journal are read in one turn, so that other runs have theirs."""
LAST: Final = 5
SHOWN: Final = 280
"""How many characters of a question or an answer are shown."""
PACE_ROWS: Final = 400
PACE_S: Final = 60.0
"""The rate is that of the last rows, and not older than this."""
VALUES_S: Final = 1.0
VALUES_SHARE: Final = 0.02
"""Values are computed again after this time, or after more if that takes this share of the time."""
_STATUS: Final = {
    "scored": SCORED,
    "skipped": SKIPPED,
    "failed": FAILED,
    "answered": ANSWERED,
    "spared": SPARED,
}
_TEXTS: Final = ("question", "answer", "error_kind")


class _Files(Struct, frozen=True):
    """What changes when a journal begins again, or its run is described anew."""

    generation: str | None
    plan: int
    summary: int


class RunCount:
    """Counts the rows of one run; ``update`` reads those that were added."""

    def __init__(self, run: str, journal: Path) -> None:
        self._run = run
        self._journal = journal
        self._files: _Files | None = None
        self._fd = -1
        self._generation: str | None = None
        self._start_again()

    def update(self) -> tuple[Cursor, LiveRun] | None:
        """Read what is new; the state of the run, or ``None`` if the end is not reached yet."""
        is_running = is_being_written(self._journal)  # before reading: no row comes after it
        files = self._current_files()
        if files != self._files:
            if self._files is None or not self._is_same_plan(files):
                self._start_again()
            self._files = files
            self._describe()
        if not self._read_rows():
            return None
        cursor = Cursor(self._run, (files.generation or "0" * 12), self._offset)
        return cursor, self._state(is_running=is_running)

    def close(self) -> None:
        """Close the file."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def _is_same_plan(self, files: _Files) -> bool:
        known = self._files
        return (
            known is not None
            and known.plan == files.plan
            and known.generation in {None, files.generation}
        )

    def _current_files(self) -> _Files:
        """The files as they are now; opens the journal if another one has taken its name."""
        try:
            inode = self._journal.stat().st_ino
            if self._fd < 0 or os.fstat(self._fd).st_ino != inode:
                self.close()
                self._fd = os.open(self._journal, os.O_RDONLY | os.O_CLOEXEC)
                self._generation = None
        except OSError:
            self.close()
            self._generation = None
        if self._fd >= 0 and self._generation is None:
            self._generation = generation_of(self._fd)
        plan, summary = plan_path(self._journal), summary_path(self._journal)
        return _Files(self._generation, _modified(plan), _modified(summary))

    def _start_again(self) -> None:
        self._offset = 0
        self._filter: RowFilter | None = None
        self._summary: Summary | None = None
        self._job: JobSpec | None = None
        self._metric: Metric | None = None
        self._table = CaseTable()
        self._paid = 0.0
        self._is_priced = False
        self._pace: deque[float] = deque(maxlen=PACE_ROWS)
        self._last: deque[LiveAnswer] = deque(maxlen=LAST)
        self._values: tuple[LiveValue, ...] = ()
        self._valued_rows = -1
        self._value_again_at = 0.0

    def _describe(self) -> None:
        """Read what the run is: its header, and which rows belong to it."""
        try:
            self._summary = read_summary(summary_path(self._journal)) or self._summary
            self._job = job_spec_of(self._summary)
            name = self._summary.extra.get("primary") if self._summary else None
            metric = self._job.metric(name)
        except AssayError:  # a job or a metric of a package that is not installed
            metric = None
        if self._filter is None or metric != self._metric:
            if self._offset:
                self._start_again()
                self._describe()
                return
            self._metric = metric
            self._filter = RowFilter(read_run_cases(self._journal, self._summary, self._job))
            fields = ["ts", *([metric.field] if metric else [])]
            self._decoder = msgspec.json.Decoder(row_type(fields, _TEXTS))

    def _read_rows(self) -> bool:
        """Count the rows that were added; whether the end of the file was reached."""
        if self._fd < 0:
            return True
        data = os.pread(self._fd, MOST_BYTES, self._offset)
        cut = data.rfind(b"\n") + 1
        rows = [row for line in data[:cut].split(b"\n") if (row := self._decoded(line))]
        self._offset += cut
        if rows and self._filter is not None:
            self._add(self._filter.rows_of_questions(rows))
        # a row longer than the most that is read is not counted until the run has ended
        return len(data) < MOST_BYTES or not cut

    def _decoded(self, line: bytes) -> Any:
        if not line.strip():
            return None
        try:
            row = self._decoder.decode(line)
        except UNREADABLE:
            return None  # the run itself refuses such a file, and says where
        return row if row.key else None

    def _add(self, rows: Sequence[Any]) -> None:
        metric = self._metric
        for row in rows:
            value = _value(row, metric.field) if metric else None
            status = _STATUS.get(row.status, FAILED if row.error else SCORED)
            self._table.put(row, status, value)
            for name in ("paid", "judge_paid"):
                amount = getattr(row, name)
                if amount is not None:
                    self._paid += amount
                    self._is_priced = True
            if row.ts:
                self._pace.append(row.ts)
        for row in rows[-LAST:]:
            value = _value(row, metric.field) if metric else None
            self._last.append(_shown(row, value))

    def _state(self, *, is_running: bool) -> LiveRun:
        summary, table = self._summary, self._table
        total = summary.total if summary else None
        stretch = summary.stretches[-1] if summary and summary.stretches else None
        since = _seconds(stretch.started_at) if stretch else 0.0
        done, left = table.done(since, total)
        rate = self._rate(since)
        prepared = (summary.prepare_paid if summary else None) or 0.0
        counts = table.counts(total)
        return LiveRun(
            run=self._run,
            name=self._journal.stem,
            job=summary.job if summary else "",
            is_running=is_running,
            total=total,
            done=done,
            left=left,
            counts=counts,
            failures=tuple(table.failures().most_common(6)),
            paid=self._paid + prepared if self._is_priced or prepared else None,
            ceiling=(stretch.max_cost or None) if stretch else None,
            rate=rate,
            eta_s=left / rate if rate and left is not None and is_running else None,
            elapsed_s=max(0.0, time.time() - since) if since and is_running else None,
            metric=title_of(self._metric) if self._metric else None,
            kind=metric_kind(self._metric) if self._metric else "",
            values=self._current_values(is_running=is_running),
            last=tuple(reversed(self._last)),
        )

    def _rate(self, since: float) -> float | None:
        """Cases a second, from the times of the last rows of this stretch."""
        if not self._pace:
            return None
        first = max(since, self._pace[-1] - PACE_S)
        recent = [moment for moment in self._pace if moment >= first]
        span = recent[-1] - recent[0] if recent else 0.0
        return (len(recent) - 1) / span if len(recent) > 1 and span > 0 else None

    def _current_values(self, *, is_running: bool) -> tuple[LiveValue, ...]:
        """The primary metric by variant; computed again when that costs little of the time."""
        is_due = time.monotonic() >= self._value_again_at or not is_running
        if self._metric is None or not is_due or self._valued_rows == self._table.rows:
            return self._values
        began = time.monotonic()
        baseline = (self._summary.extra.get("baseline") or "") if self._summary else ""
        about = self._summary.estimand if self._summary else None
        self._values = self._table.values(self._metric, baseline, about)
        self._valued_rows = self._table.rows
        took = time.monotonic() - began
        self._value_again_at = began + max(VALUES_S, took / VALUES_SHARE)
        return self._values


def _value(row: Any, field: str) -> float | None:
    found: Any = row
    for step in field.split("."):
        found = getattr(found, step, None)
    return None if found is None else float(found)


def _shown(row: Any, value: float | None) -> LiveAnswer:
    text = row.answer if row.answer is not None else masked_error(row.error or "")
    return LiveAnswer(
        question_id=row.question_id,
        variant=row.config,
        status=row.status or ("failed" if row.error else "scored"),
        question=(row.question or "")[:SHOWN],
        answer=text[:SHOWN],
        value=value,
    )


def _seconds(moment: str) -> float:
    """The seconds since 1970 of a time as headers have it; 0 if it is none."""
    try:
        return datetime.fromisoformat(moment).timestamp()
    except ValueError:
        return 0.0


def _modified(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0
