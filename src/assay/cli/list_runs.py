"""``assay list``: the past runs of the workspace and their state."""

import json
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import to_builtins

from assay.cli.options import Json, Root
from assay.cli.output import echo, echo_json
from assay.cli.redaction import redacted
from assay.config.workspace import Workspace
from assay.report.description import band_text, noted
from assay.report.look import MISSING
from assay.results.run_cases import outside_rows
from assay.study.history import PastRun, past_runs
from assay.text.normalise import visible_line
from assay.text.width import display_width, wrapped
from assay.words.language import language
from assay.words.say import listed, say, say_n

COLUMNS: Final = 80
MINUTES: Final = len("2026-01-31T12:00")


@redacted
def list_runs(root: Root = None, *, as_json: Json = False) -> None:
    """List past runs with their start, their counts, their state and their main metric."""
    workspace = Workspace.find(root)
    runs = past_runs(workspace.experiments_dir)
    if as_json:
        echo_json(json.dumps([_as_dict(run) for run in runs], ensure_ascii=False, indent=2))
        return
    if not runs:
        echo(say("no runs in {folder}", folder=workspace.experiments_dir))
        return
    for line in _table(runs):
        echo(line)
    for run in runs:
        if run.doubt:
            echo(f"{run.name}: {noted(run.doubt)}")
        if run.outside:
            echo(f"{run.name}: {outside_rows(run.outside).text_in(language())}")


def _as_dict(run: PastRun) -> dict[str, object]:
    return {
        "name": run.name,
        "job": run.job,
        "command": run.command or None,
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
        **({"unsure": to_builtins(run.unsure)} if run.unsure else {}),
        "paid": run.paid,
        "outside_rows": run.outside,
        "doubt": str(run.doubt) or None,
        "problem": run.problem,
    }


def _table(runs: list[PastRun]) -> Iterator[str]:
    """Two lines for each run: its counts and its state; its questions and its main metric.

    Everything that is not a long name or a problem fits into 80 columns.
    """
    unjudged = any(run.tally.answered for run in runs)
    names = ["name", "job", "started", "scored", *(["not judged"] if unjudged else [])]
    spared = any(run.tally.spared for run in runs)
    names += ["failed", "skipped", *(["spared"] if spared else []), "state"]
    head = [say(name) for name in names]
    rows = [_cells(run, unjudged=unjudged, spared=spared) for run in runs]
    widths = [max(map(display_width, column)) for column in zip(head, *rows, strict=True)]
    widths[0] = min(widths[0], COLUMNS - sum(widths[1:]) - 2 * len(widths[1:]))
    yield _line(head, widths)
    for run, row in zip(runs, rows, strict=True):
        if display_width(row[0]) > widths[0]:
            yield row[0]
            row[0] = ""
        yield _line(row, widths)
        yield from (f"  {line}" for line in _details(run))


def _cells(run: PastRun, *, unjudged: bool, spared: bool) -> list[str]:
    return [
        visible_line(run.name),
        visible_line(run.kind or MISSING),
        visible_line((run.started_at or MISSING)[:MINUTES].replace("T", " ")),
        str(run.tally.scored),
        *([str(run.tally.answered)] if unjudged else []),
        str(run.tally.failed),
        str(run.tally.skipped),
        *([str(run.tally.spared or 0)] if spared else []),
        _state(run.state),
    ]


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    """The cells in columns; counts stand at the right of theirs."""
    last = len(cells) - 1
    padded = (
        f"{' ' * (width - display_width(cell))}{cell}"
        if 3 <= number < last
        else f"{cell}{' ' * (width - display_width(cell))}"
        for number, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )
    return "  ".join(padded).rstrip()


def _state(state: str) -> str:
    """The state in the language in use, with the counts of a run that has not ended."""
    if state == "ended":  # the numbers of failed and unjudged cases are in their columns
        return say("finished")
    word, _, counts = state.partition(" ") if state.startswith("partial ") else (state, "", "")
    return f"{say(word)} {counts}".rstrip()


def _band(run: PastRun) -> str:
    """What unsure answers leave open, over all variants; empty if there are none."""
    if not run.unsure:
        return ""
    values = [value for value in run.headline.values() if value is not None]
    return band_text(
        min((*values, *(each.low for each in run.unsure.values()))),
        max((*values, *(each.high for each in run.unsure.values()))),
        sum(each.n for each in run.unsure.values()),
    )


def _details(run: PastRun) -> list[str]:
    """What is known besides the counts, or the problem with the files of the run."""
    if run.problem:
        return [visible_line(run.problem)]
    facts = []
    if run.questions is not None:
        facts.append(say_n("{n} question", "{n} questions", run.questions))
    if len(run.variants) > 1:
        facts.append(say_n("{n} variant", "{n} variants", len(run.variants)))
    values = [value for value in run.headline.values() if value is not None]
    if values:
        low, high = f"{min(values):.3f}", f"{max(values):.3f}"
        shown = f"{run.metric_label} {low if low == high else f'{low}–{high}'}"
        facts.append(f"{shown} {_band(run)}".rstrip())
    return wrapped(listed(facts), COLUMNS - 2) if facts else []
