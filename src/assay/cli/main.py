"""The ``assay`` program: its commands, and how it ends when something is wrong.

A command's module is imported when the command is used, so that ``assay --help`` stays quick
and a command pays only for what it needs itself.
"""

import os
import sys
from importlib import import_module
from typing import Annotated, Any, Final, NoReturn

import typer
from typer.core import TyperGroup

from assay import __version__
from assay.errors import AssayError

COMMANDS: Final = {
    "ablate": ("ablate:ablate", "Run ablation experiments; what is recorded is not asked again."),
    "bench": (
        "bench:app",
        "The legal benchmark: facts, sets of evidence, gaps left open.",
    ),
    "cache": ("cache:app", "The call cache: recorded model calls, each paid for once."),
    "compare": (
        "compare:compare",
        "Compare two runs: exit 0 as good or better, 1 worse, 2 neither.",
    ),
    "demo": ("demo:demo", "Run all five jobs on the samples, offline."),
    "depth": (
        "depth:depth",
        "Place evidence at chosen depths of long contexts and look for it.",
    ),
    "doctor": ("doctor:doctor", "Check the installation, the workspace and, if asked, one call."),
    "heatmap": ("heatmap:heatmap", "Draw a heatmap of recorded depth results; nothing is asked."),
    "ingest": ("ingest:ingest", "Cut documents into chunks that can be searched and cited."),
    "init": ("init:init", "Create a workspace with sample documents in three languages."),
    "list": ("list_runs:list_runs", "List past runs: when, how many cases, how they ended."),
    "quality": (
        "quality:quality",
        "Ask about PDFs and score what each answer must and must not say.",
    ),
    "report": ("report:report", "Make tables, findings and charts from recorded rows."),
    "review": ("review:review", "Review contract clauses; check risk levels, evidence and laws."),
    "schema": ("schema:schema", "Print the JSON Schema of experiments.yaml, for editors."),
    "score": ("score:score", "Score recorded answers by today's rules; no model is called."),
}
"""Where each command is defined, and its line in the list of commands."""


class LazyCommands(TyperGroup):
    """A group whose commands are imported when they are used."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        names: Any = dict.fromkeys(COMMANDS)  # the suggestion for a mistyped name needs no more
        self.commands = names

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command, imported now; ``None`` where there is none of that name."""
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name][0].partition(":")
        defined = getattr(import_module(f"assay.cli.{module}"), name)
        if not isinstance(defined, typer.Typer):
            single = typer.Typer(add_completion=False, rich_markup_mode=None)
            single.command(cmd_name)(defined)
            defined = single
        command = typer.main.get_command(defined)
        command.name = cmd_name
        return command

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The list of commands, from the table: nothing is imported."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


app = typer.Typer(
    name="assay",
    cls=LazyCommands,
    help="Measure question answering over documents, with numbers one can defend.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


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
