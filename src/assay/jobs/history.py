"""Past runs, read from the journals and summaries in a folder."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from assay.config import Workspace, nearest
from assay.errors import JournalError, UseError
from assay.journal import Summary, find_journals, index_journal, read_summary, summary_path
from assay.records import Tally


class PastRun(Struct, frozen=True, kw_only=True):
    """One journal and what is known about it. ``problem`` says why it cannot be read."""

    name: str
    path: Path
    tally: Tally
    state: str
    job: str = ""
    total: int | None = None
    started_at: str | None = None
    questions: int | None = None
    variants: tuple[str, ...] = ()
    headline: Mapping[str, float | None] = {}
    metric: str = ""
    paid: float | None = None
    problem: str | None = None


def find_results(workspace: Workspace, name: str) -> Path:
    """Find a journal by its path, by the path of its summary, or by the name of the run."""
    for path in (Path(name), Path(f"{name}.jsonl")):
        if path.is_file():
            return path.with_suffix(".jsonl") if path.suffix == ".json" else path
    journal = workspace.experiments_dir / f"{name}.jsonl"
    if journal.is_file():
        return journal
    names = [path.stem for path in find_journals(workspace.experiments_dir)]
    raise UseError(
        f"{name}: no such file, and no run of that name in {workspace.experiments_dir}"
        f"{nearest(name, names)}"
    )


def past_runs(folder: Path) -> list[PastRun]:
    """Every run whose journal is in ``folder``, newest first."""
    runs = [_past_run(path) for path in find_journals(folder)]
    return sorted(runs, key=lambda run: run.started_at or "", reverse=True)


def _past_run(path: Path) -> PastRun:
    try:
        summary = read_summary(summary_path(path))
        if summary is not None and summary.state == "complete":
            tally, paid = summary.tally, summary.paid
        else:
            index = index_journal(path)
            tally, paid = index.tally(), index.paid or None
    except (JournalError, OSError) as error:
        problem = str(error)
        return PastRun(
            name=path.stem, path=path, tally=Tally(), state="unreadable", problem=problem
        )
    if summary is None:
        return PastRun(name=path.stem, path=path, tally=tally, state="no summary", paid=paid)
    return PastRun(
        name=path.stem,  # what `assay report NAME` finds; rescored rows share the run's own name
        path=path,
        tally=tally,
        state=_state(tally, summary.total),
        job=summary.job,
        total=summary.total,
        started_at=summary.started_at,
        questions=summary.results.get("questions", summary.extra.get("questions")),
        variants=tuple(variant.name for variant in summary.variants),
        metric=summary.results.get("headline", ""),
        headline=_headline(summary),
        paid=paid,
    )


def _headline(summary: Summary) -> dict[str, float | None]:
    """Each variant's value of the job's headline metric."""
    metric = summary.results.get("headline")
    variants: Mapping[str, Any] = summary.results.get("variants", {}) if metric else {}
    return {name: values.get(metric) for name, values in variants.items()}


def _state(tally: Tally, total: int) -> str:
    """``complete``, ``failed`` if nothing succeeded, or ``partial n/m``."""
    ended = tally.scored + tally.skipped
    if ended >= total:
        return "complete"
    if tally.failed and not ended + tally.answered:
        return "failed"
    return f"partial {ended}/{total}"
