"""Past runs, read from the journals and summaries in a folder."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from assay.errors import AssayError, UseError
from assay.records import Tally
from assay.registry import error_line
from assay.report.label import metric_label
from assay.results.job import JOBS, JobSpec, job_spec_of
from assay.results.run_cases import RowFilter, doubt_line, read_run_cases
from assay.runs.read import index_journal
from assay.runs.summary import Summary, kind_of, read_summary
from assay.runs.write import find_journals, summary_path
from assay.study.recorded import RecordedRun
from assay.words.language import language
from assay.words.message import Message, message

_CONTRADICTED: Final = message(
    "the rows were changed after the run; they are counted, and the results of its summary are not shown"
)


class UnsureAnswers(Struct, frozen=True, kw_only=True):
    """The number ``n`` of answers that a check is unsure of, and the band that they leave a rate."""

    n: int
    low: float
    high: float


class PastRun(Struct, frozen=True, kw_only=True):
    """One journal and what is known about it. ``problem`` says why it cannot be read.

    All counts are those of the run's own cases; ``outside`` is the number of other cases in the
    journal, and ``doubt`` says why this is not certain, or that the rows contradict the summary. ``command`` is the command of assay that
    made the run, empty if it is not recorded: a plain ``run`` is an ablation without variables.
    """

    name: str
    path: Path
    tally: Tally
    state: str
    job: str = ""
    command: str = ""
    total: int | None = None
    started_at: str | None = None
    questions: int | None = None
    variants: tuple[str, ...] = ()
    headline: Mapping[str, float | None] = {}
    unsure: Mapping[str, UnsureAnswers] = {}
    metric: str = ""
    metric_label: str = ""
    paid: float | None = None
    outside: int = 0
    doubt: Message | str = ""
    problem: str | None = None

    @property
    def kind(self) -> str:
        """What people call it: its job, or ``run`` if the command ``assay run`` made it."""
        return kind_of(self.job, self.command)


def past_runs(folder: Path) -> list[PastRun]:
    """Every run whose journal is in ``folder``, newest first."""
    runs = [past_run(path) for path in find_journals(folder)]
    return sorted(runs, key=lambda run: run.started_at or "", reverse=True)


def past_run(path: Path) -> PastRun:
    """What is known about the run of a journal; a problem with its files is part of it."""
    try:
        summary = read_summary(summary_path(path))
        if summary is None or summary.state != "complete":
            return _counted_run(path, summary)
        return _contradicted_run(path, summary) or _ended_run(path, summary)
    except Exception as error:  # noqa: BLE001 - one bad file must not hide the other runs
        is_ours = isinstance(error, AssayError | OSError)
        problem = str(error) if is_ours else f"{path}: cannot be read: {error_line(error)}"
        return PastRun(
            name=path.stem, path=path, tally=Tally(), state="unreadable", problem=problem
        )


def _contradicted_run(path: Path, summary: Summary) -> PastRun | None:
    """A complete run whose rows were changed since: their counts, without results; else ``None``.

    A file that is older than its summary is not looked into. The rows are read only if it has not
    one line for each case. More lines are usual: those of failures that were asked again, of
    answers before their verdict, and of other runs.
    """
    if path.stat().st_mtime_ns < summary_path(path).stat().st_mtime_ns:
        return None
    lines, counted = _line_count(path), summary.tally.ended
    if lines == counted:
        return None
    run = _counted_run(path, summary)
    is_certain = lines < counted or not run.doubt
    if not is_certain or _counts(run.tally) == _counts(summary.tally):
        return None
    return replace(run, headline={}, unsure={}, metric="", metric_label="", doubt=_CONTRADICTED)


def _line_count(path: Path) -> int:
    """The number of complete lines of a file; twenty times as fast as reading its rows."""
    with path.open("rb") as file:
        return sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b""))


def _counts(tally: Tally) -> tuple[int, ...]:
    return (tally.scored, tally.answered, tally.failed, tally.skipped, tally.spared or 0)


def _ended_run(path: Path, summary: Summary) -> PastRun:
    """A complete run from its summary; its journal is read only if the results are of more rows."""
    run = _described(path, summary, summary.tally)
    run = replace(run, paid=summary.paid, outside=summary.results.get("outside_rows", 0))
    variants: Mapping[str, Any] = summary.results.get("variants", {})
    counted = sum(values.get("scored", 0) for values in variants.values())
    if not variants or counted == summary.tally.scored or summary.job not in JOBS.names():
        return run
    # an earlier version computed the results from all rows of the journal
    recorded = RecordedRun(path, summary.job)
    results, counted_again = recorded.results, recorded.summary_results()
    return replace(
        run,
        headline=_headline(counted_again),
        unsure=_unsure(counted_again),
        outside=results.outside,
        doubt=doubt_line(results.doubt, summary.questions_path),
    )


def _counted_run(path: Path, summary: Summary | None) -> PastRun:
    """A run that has not ended, from its rows."""
    cases = read_run_cases(path, summary, _job(summary))
    chosen = RowFilter(cases)
    index = index_journal(path, chosen.rows)
    if summary is None:
        run = PastRun(name=path.stem, path=path, tally=index.tally(), state="no summary")
    else:
        run = _described(path, summary, index.tally())
        run = replace(run, doubt=doubt_line(cases.doubt, summary.questions_path))
    prepare_paid = (summary.prepare_paid if summary is not None else None) or 0.0
    return replace(run, paid=index.paid + prepare_paid or None, outside=chosen.outside)


def _job(summary: Summary | None) -> JobSpec | None:
    return job_spec_of(summary) if summary is not None and summary.job in JOBS.names() else None


def _described(path: Path, summary: Summary, tally: Tally) -> PastRun:
    state = _state(tally, summary.total)
    planned, counted = summary.extra.get("questions"), summary.results.get("questions")
    if state != "complete" and planned is not None:
        counted = planned  # the results of a stopped run are about fewer questions
    # the last version counted items, such as a question at a depth, and rows of other runs
    return PastRun(
        name=path.stem,  # what `assay report NAME` finds; rescored rows share the run's own name
        path=path,
        tally=tally,
        state=state,
        job=summary.job,
        command=summary.last_command,
        total=summary.total,
        started_at=summary.started_at,
        questions=min((count for count in (planned, counted) if count is not None), default=None),
        variants=tuple(variant.name for variant in summary.variants),
        metric=_metric(summary.results),
        metric_label=_metric_label(summary),
        headline=_headline(summary.results),
        unsure=_unsure(summary.results),
    )


def _metric(results: Mapping[str, Any]) -> str:
    """The metric that decides, or the job's main metric; empty if there are no results."""
    method: Mapping[str, Any] = results.get("method") or {}
    return str(method.get("primary") or results.get("headline") or "")


def _metric_label(summary: Summary) -> str:
    """The title and the name of the metric that decides; only the name if it is not known."""
    name = _metric(summary.results)
    with suppress(UseError):  # the job or the metric of a package that is not installed
        return metric_label(job_spec_of(summary).metric(name), language()) if name else ""
    return name


def _headline(results: Mapping[str, Any]) -> dict[str, float | None]:
    """Each variant's value of the metric that decides."""
    metric = _metric(results)
    variants: Mapping[str, Any] = results.get("variants", {}) if metric else {}
    values = {name: each.get(metric) for name, each in variants.items()}
    return {
        name: value if isinstance(value, int | float) else None for name, value in values.items()
    }


def _unsure(results: Mapping[str, Any]) -> dict[str, UnsureAnswers]:
    """What unsure answers leave open in the metric that decides, for each variant that has some."""
    metric = _metric(results)
    variants: Mapping[str, Any] = results.get("variants", {}) if metric else {}
    return {
        name: msgspec.convert(found, UnsureAnswers)
        for name, each in variants.items()
        if (found := each.get("unsure", {}).get(metric)) is not None
    }


def _state(tally: Tally, total: int) -> str:
    """``complete``, ``failed`` if nothing succeeded, ``ended`` or ``partial n/m``.

    It has ended if every case was asked, although some failed or are not judged yet.
    """
    ended = tally.scored + tally.skipped + (tally.spared or 0)
    if ended >= total:
        return "complete"
    if tally.failed and not ended + tally.answered:
        return "failed"
    if ended + tally.failed + tally.answered >= total:
        return "ended"
    return f"partial {ended}/{total}"
