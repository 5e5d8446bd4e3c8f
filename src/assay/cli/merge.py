"""``assay merge``: make one run of parts that ran by themselves with ``--shard``."""

import json
from pathlib import Path
from typing import Annotated

import typer

from assay.cli.next_step import run_reference, say_next
from assay.cli.options import Json, Root, one_of
from assay.cli.output import echo, echo_json, note_line
from assay.cli.redaction import redacted
from assay.config.workspace import Workspace
from assay.jobs.merge import MergeResult, merge_parts
from assay.report.description import file_line
from assay.results.find_results import find_results
from assay.runs.write import without_companions
from assay.words.say import listed, say, say_n


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
    resume: Annotated[
        str,
        typer.Option(
            "--resume",
            metavar="ask|fresh",
            help="If there is a run of that name. ask: stop; fresh: rename and keep it.",
        ),
    ] = "ask",
    as_json: Json = False,
) -> None:
    """Merge parts of a run (--shard) into one run. Nothing is asked."""
    one_of("--resume", resume, ("ask", "fresh"))
    workspace = Workspace.find(root)
    named = without_companions([Path(part) for part in parts])
    journals = [find_results(workspace, str(part)) for part in named]
    result = merge_parts(journals, out, fresh=resume == "fresh")
    if as_json:
        echo_json(json.dumps(_facts(result), ensure_ascii=False, indent=2))
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
        "stale_rows": result.stale,
        "labels": result.labels,
        "drawn": result.drawn,
    }


def _print(result: MergeResult) -> None:
    summary = result.summary
    tally = summary.tally
    counts = (
        say("{n} scored", n=tally.scored),
        say("{n} failed", n=tally.failed),
        say("{n} skipped", n=tally.skipped),
    )
    echo(
        say_n(
            "{n} part merged: {counts} of {total}",
            "{n} parts merged: {counts} of {total}",
            result.parts,
            counts=listed(counts),
            total=summary.total,
        )
    )
    if result.is_earlier:
        note = say("the parts had been merged before; nothing was changed")
        echo(note_line(note), err=True)
    if result.outside:
        echo(
            say_n(
                "{n} row of other plans left out",
                "{n} rows of other plans left out",
                result.outside,
            ),
            err=True,
        )
    if result.stale:
        echo(
            say_n(
                "{n} answer of an earlier version of the experiment was kept (--resume keep)",
                "{n} answers of an earlier version of the experiment were kept (--resume keep)",
                result.stale,
            ),
            err=True,
        )
    echo(file_line("rows", result.journal))
    echo(file_line("summary", result.journal.with_suffix(".json")))
    if result.labels or result.drawn:
        echo(
            file_line(
                "labels",
                say(
                    "{labels} and {answers} of the parts",
                    labels=say_n("{n} new label", "{n} new labels", result.labels),
                    answers=say_n("{n} drawn answer", "{n} drawn answers", result.drawn),
                ),
            )
        )
    if summary.state != "complete":
        left = summary.total - tally.scored - tally.skipped
        echo(
            say_n(
                "{n} case without a score; the command of the parts, without --shard, asks only these",
                "{n} cases without a score; the command of the parts, without --shard, asks only these",
                left,
            ),
            err=True,
        )
    say_next("report", run_reference(result.journal))
