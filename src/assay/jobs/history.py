"""Past runs, read from the journals and summaries that lie in a folder."""

from pathlib import Path

from msgspec import Struct

from assay.errors import JournalError
from assay.records import Tally
from assay.runner.row import index_journal
from assay.runner.summary import read_summary, summary_path


class PastRun(Struct, frozen=True, kw_only=True):
    """One journal and what is known of it. ``problem`` says why it cannot be read."""

    name: str
    path: Path
    tally: Tally
    state: str
    job: str = ""
    total: int | None = None
    started_at: str | None = None
    variants: tuple[str, ...] = ()
    paid: float | None = None
    problem: str | None = None


def past_runs(folder: Path) -> list[PastRun]:
    """Every run whose journal lies in ``folder``, newest first."""
    runs = [_past_run(path) for path in sorted(folder.glob("*.jsonl"))]
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
        name=summary.name,
        path=path,
        tally=tally,
        state=_state(tally, summary.total),
        job=summary.job,
        total=summary.total,
        started_at=summary.started_at,
        variants=tuple(variant.name for variant in summary.variants),
        paid=paid,
    )


def _state(tally: Tally, total: int) -> str:
    """``complete``, ``failed`` where nothing succeeded, or ``partial n/m``."""
    ended = tally.scored + tally.skipped
    if ended >= total:
        return "complete"
    if tally.failed and not ended:
        return "failed"
    return f"partial {ended}/{total}"
