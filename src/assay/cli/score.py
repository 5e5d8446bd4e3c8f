"""``assay score``: judge recorded answers again, without asking anyone."""

import json
from pathlib import Path
from typing import Annotated

import typer

from assay.cli.options import Json, Root
from assay.config import Workspace
from assay.jobs.history import find_results
from assay.jobs.rescore import rescore


def score(
    results: Annotated[
        str, typer.Argument(help="NAME of a past run (see assay list), or its file.")
    ],
    questions: Annotated[
        Path | None, typer.Option("--questions", help="Take gold from this file, corrected since.")
    ] = None,
    root: Root = None,
    *,
    in_place: Annotated[
        bool,
        typer.Option(
            "--in-place", help="Replace the rows; the old file is set aside, not deleted."
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Judge recorded answers by today's rules; no model is called."""
    journal = find_results(Workspace.find(root), results)
    done = rescore(journal, in_place=in_place, questions=questions)
    if as_json:
        facts = {
            "journal": str(done.journal),
            "judged": done.judged,
            "passed_over": done.passed_over,
            "changed": dict(done.changed),
        }
        typer.echo(json.dumps(facts, ensure_ascii=False, indent=2))
        return
    typer.echo(
        f"{done.judged} answers judged again, {done.passed_over} rows without one kept as they were"
    )
    if not done.changed:
        typer.echo("no score changed")
    for name, count in sorted(done.changed.items()):
        typer.echo(f"{name}: {count} changed")
    typer.echo(f"rows     {done.journal}")
    typer.echo(f"report with: assay report {done.journal}")
