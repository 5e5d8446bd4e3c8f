"""The state of a run that goes on, counted from its journal as it grows."""

import os
import time
from collections import deque
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from assay.data.jsonl import UNREADABLE
from assay.errors import AssayError
from assay.jobs.results import row_type
from assay.jobs.run_cases import RowFilter, read_run_cases
from assay.jobs.spec import JobSpec, job_spec_of
from assay.journal import Summary, is_being_written, plan_path, read_summary, summary_path
from assay.records import Metric
from assay.redact import masked_error
from assay.stats import ANSWERED, FAILED, SCORED, SKIPPED, SPARED
from assay.web.amount import metric_kind
from assay.web.events.cursor import Cursor, generation_of
from assay.web.events.table import CaseTable
from assay.web.language import title_text
from assay.web.live_api import LiveAnswer, LiveRun, LiveValue

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
            metric=title_text(self._metric) if self._metric else None,
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
        self._values = self._table.values(self._metric, baseline)
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
