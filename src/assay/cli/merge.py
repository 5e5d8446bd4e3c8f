"""``assay merge``: make one run of parts that ran by themselves with ``--shard``."""

import json
from pathlib import Path
from typing import Annotated

import typer

from assay.cli.options import Json, Root
from assay.cli.output import echo, echo_text
from assay.cli.redaction import redacted
from assay.config import Workspace
from assay.jobs.history import find_results
from assay.jobs.merge import MergeResult, merge_parts
from assay.journal import without_companions
from assay.text import counted


@redacted
def merge(
    parts: Annotated[
        list[str],
        typer.Argument(help="The parts: all NAME.shard-I-of-N of a run, as names or files."),
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", help="The merged journal. Default: NAME.jsonl beside the parts."),
    ] = None,
    root: Root = None,
    *,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Rename and keep an earlier run of that name.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Merge parts of a run (--shard) into one run. Nothing is asked."""
    workspace = Workspace.find(root)
    named = without_companions([Path(part) for part in parts])
    journals = [find_results(workspace, str(part)) for part in named]
    result = merge_parts(journals, out, fresh=fresh)
    if as_json:
        echo_text(json.dumps(_facts(result), ensure_ascii=False, indent=2))
    else:
        _print(result)
    if result.summary.state != "complete":
        raise typer.Exit(1)


def _facts(result: MergeResult) -> dict[str, object]:
    tally = result.summary.tally
    return {
        "journal": str(result.journal),
        "parts": result.parts,
        "state": result.summary.state,
        "total": result.summary.total,
        "scored": tally.scored,
        "answered": tally.answered,
        "failed": tally.failed,
        "skipped": tally.skipped,
        "outside_rows": result.outside,
        "labels": result.labels,
        "drawn": result.drawn,
    }


def _print(result: MergeResult) -> None:
    summary = result.summary
    tally = summary.tally
    echo(
        f"{counted(result.parts, 'part')} merged: {tally.scored} scored, {tally.failed} failed, "
        f"{tally.skipped} skipped of {summary.total}"
    )
    if result.outside:
        echo(f"{counted(result.outside, 'row')} of other plans left out", err=True)
    echo(f"rows     {result.journal}")
    echo(f"summary  {result.journal.with_suffix('.json')}")
    if result.labels or result.drawn:
        echo(
            f"labels   {counted(result.labels, 'new label')} and {counted(result.drawn, 'drawn answer')}"
            " of the parts"
        )
    if summary.state != "complete":
        left = summary.total - tally.scored - tally.skipped
        echo(
            f"{counted(left, 'case')} without a score; the command of the parts, without --shard, "
            "asks only these",
            err=True,
        )
    echo(f"report with: assay report {result.journal}")
