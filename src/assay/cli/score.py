"""``assay score``: score recorded answers again, without calling a model."""

import json
from pathlib import Path
from typing import Annotated

import typer

from assay.cli.options import Json, Root
from assay.cli.output import echo, echo_text
from assay.cli.privacy import keep_run_private
from assay.cli.redaction import redacted
from assay.config import Workspace
from assay.jobs.history import find_results
from assay.jobs.rescore import RescoreResult, rescore
from assay.text import counted


@redacted
def score(
    results: Annotated[
        str, typer.Argument(help="NAME of a past run (see assay list), or its file.")
    ],
    questions: Annotated[
        Path | None, typer.Option("--questions", help="Take the expected values from this file.")
    ] = None,
    root: Root = None,
    *,
    in_place: Annotated[
        bool,
        typer.Option("--in-place", help="Replace the rows; the old file is renamed, not deleted."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Score recorded answers again with the current rules. No model is called."""
    journal = find_results(Workspace.find(root), results)
    result = rescore(journal, in_place=in_place, questions=questions)
    keep_run_private(result.journal)
    if as_json:
        facts = {
            "journal": str(result.journal),
            "judged": result.judged,
            "passed_over": result.passed_over,
            "changed": dict(result.changed),
            "malformed": result.malformed,
            "problems": list(result.problems),
            **({"masked": result.masked} if result.masked else {}),
        }
        echo_text(json.dumps(facts, ensure_ascii=False, indent=2))
    else:
        _print(result)
    if result.malformed:
        raise typer.Exit(1)


def _print(result: RescoreResult) -> None:
    echo(
        f"{counted(result.judged, 'answer')} scored again, "
        f"{counted(result.passed_over, 'row')} without an answer unchanged"
    )
    for problem in result.problems:
        echo(problem, err=True)
    if result.malformed:
        rows = counted(result.malformed, "row")
        echo(f"{rows} that cannot be scored unchanged; the means were not computed again", err=True)
    if result.masked:
        echo(
            f"{counted(result.masked, 'row')} with masked text: the recorded scores were kept, "
            "because no key at hand turns the text back exactly",
            err=True,
        )
    if not result.changed:
        echo("no score changed")
    for name, count in sorted(result.changed.items()):
        echo(f"{name}: {count} changed")
    echo(f"rows     {result.journal}")
    echo(f"report with: assay report {result.journal}")
