"""The ``assay`` program: its commands, and how it ends when something is wrong."""

import os
import sys
from typing import Annotated, NoReturn

import typer

from assay import __version__
from assay.cli import (
    ablate,
    bench,
    cache,
    compare,
    demo,
    depth,
    doctor,
    heatmap,
    ingest,
    init,
    list_runs,
    quality,
    report,
    review,
    schema,
    score,
)
from assay.errors import AssayError

app = typer.Typer(
    name="assay",
    help="Measure question answering over documents, with numbers one can defend.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.add_typer(bench.app, name="bench")
app.add_typer(cache.app, name="cache")
app.command("ablate")(ablate.ablate)
app.command("compare")(compare.compare)
app.command("demo")(demo.demo)
app.command("depth")(depth.depth)
app.command("doctor")(doctor.doctor)
app.command("heatmap")(heatmap.heatmap)
app.command("ingest")(ingest.ingest)
app.command("init")(init.init)
app.command("list")(list_runs.list_runs)
app.command("quality")(quality.quality)
app.command("report")(report.report)
app.command("review")(review.review)
app.command("schema")(schema.schema)
app.command("score")(score.score)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"assay {__version__}")
        raise typer.Exit


@app.callback()
def options(
    *,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Measure question answering over documents, with numbers one can defend."""


def main() -> None:
    """Run the program; what a user can mend is one line on standard error."""
    try:
        app()
    except AssayError as error:
        typer.echo(f"assay: {error}", err=True)
        _leave(error.exit_code)
    except SystemExit as end:
        _leave(end.code)


def _leave(code: int | str | None) -> NoReturn:
    """End the process, at once if a system under test has left something that will not end."""
    loop = sys.modules.get("assay.runner.loop")
    if loop is not None and loop.left_behind:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else 1)
    sys.exit(code)
