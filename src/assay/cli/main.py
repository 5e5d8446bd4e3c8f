"""The ``assay`` program: its commands, and how it ends when something is wrong."""

import sys
from typing import Annotated

import typer

from assay import __version__
from assay.cli import demo, doctor, list_runs, schema
from assay.errors import AssayError

app = typer.Typer(
    name="assay",
    help="Measure question answering over documents, with numbers one can defend.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command("demo")(demo.demo)
app.command("doctor")(doctor.doctor)
app.command("list")(list_runs.list_runs)
app.command("schema")(schema.schema)


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
        sys.exit(error.exit_code)
