"""``assay list``: the past runs of the workspace and their state."""

import json

from assay.cli.options import Json, Root
from assay.cli.output import echo, echo_text
from assay.cli.redaction import redacted
from assay.config import Workspace
from assay.jobs.history import PastRun, past_runs
from assay.jobs.run_cases import outside_line
from assay.text import display_width, visible_line


@redacted
def list_runs(root: Root = None, *, as_json: Json = False) -> None:
    """List past runs with their start, their counts, their state and their main metric."""
    workspace = Workspace.find(root)
    runs = past_runs(workspace.experiments_dir)
    if as_json:
        echo_text(json.dumps([_as_dict(run) for run in runs], ensure_ascii=False, indent=2))
        return
    if not runs:
        echo(f"no runs in {workspace.experiments_dir}")
        return
    echo_text(_table(runs))
    for run in runs:
        if run.doubt:
            echo(f"{run.name}: {run.doubt}")
        if run.outside:
            echo(f"{run.name}: {outside_line(run.outside)}")


def _as_dict(run: PastRun) -> dict[str, object]:
    return {
        "name": run.name,
        "job": run.job,
        "path": str(run.path),
        "started_at": run.started_at,
        "state": run.state,
        "total": run.total,
        "scored": run.tally.scored,
        "answered": run.tally.answered,
        "failed": run.tally.failed,
        "skipped": run.tally.skipped,
        **({"spared": run.tally.spared} if run.tally.spared else {}),
        "questions": run.questions,
        "variants": list(run.variants),
        "metric": run.metric or None,
        "headline": dict(run.headline),
        "paid": run.paid,
        "outside_rows": run.outside,
        "doubt": run.doubt or None,
        "problem": run.problem,
    }


def _headline(run: PastRun) -> str:
    """The range of the main metric over the variants; a dash if it is undefined."""
    values = [value for value in run.headline.values() if value is not None]
    if not values:
        return "–"
    low, high = f"{min(values):.3f}", f"{max(values):.3f}"
    return f"{run.metric_label} {low if low == high else f'{low}–{high}'}"


def _table(runs: list[PastRun]) -> str:
    unjudged = any(run.tally.answered for run in runs)
    spared = any(run.tally.spared for run in runs)
    head = (
        "name", "job", "started", "questions", "variants", "scored",
        *(("not judged",) if unjudged else ()), "failed", "skipped",
        *(("spared",) if spared else ()), "state", "headline",
    )  # fmt: skip
    rows = [
        (
            visible_line(run.name),
            visible_line(run.job or "–"),
            visible_line(run.started_at or "–"),
            str(run.questions) if run.questions is not None else "–",
            str(len(run.variants)) if run.variants else "–",
            str(run.tally.scored),
            *((str(run.tally.answered),) if unjudged else ()),
            str(run.tally.failed),
            str(run.tally.skipped),
            *((str(run.tally.spared or 0),) if spared else ()),
            visible_line(run.problem or run.state),
            _headline(run),
        )
        for run in runs
    ]
    widths = [
        max(display_width(row[column]) for row in (head, *rows)) for column in range(len(head))
    ]
    lines = [
        "  ".join(
            cell + " " * (width - display_width(cell))
            for cell, width in zip(row, widths, strict=True)
        )
        for row in (head, *rows)
    ]
    return "\n".join(line.rstrip() for line in lines)
