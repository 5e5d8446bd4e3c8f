"""The ``assay`` program: its commands, and its exit on an error.

The module of a command is imported only when the command is used, so that ``assay --help`` is
fast and a command loads only what it needs.
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
    "ablate": ("ablate:ablate", "Run ablation experiments that compare variants of a system."),
    "bench": (
        "bench:app",
        "Run the legal benchmark: facts, sets of evidence, and gaps.",
    ),
    "cache": ("cache:app", "Show or prune the call cache of recorded model calls."),
    "compare": (
        "compare:compare",
        "Compare two runs: exit 0 as good or better, 1 worse, 2 invalid.",
    ),
    "demo": ("demo:demo", "Run all five jobs on the samples, offline."),
    "depth": (
        "depth:depth",
        "Test at which depths of long contexts a model finds evidence.",
    ),
    "doctor": ("doctor:doctor", "Check the installation, the workspace and a system."),
    "heatmap": ("heatmap:heatmap", "Draw a heatmap of recorded depth results."),
    "ingest": ("ingest:ingest", "Split documents into chunks that can be searched and cited."),
    "init": ("init:init", "Create a workspace with sample documents in three languages."),
    "list": ("list_runs:list_runs", "List past runs with their counts and their state."),
    "quality": (
        "quality:quality",
        "Ask questions about PDFs and score the answers.",
    ),
    "report": ("report:report", "Write tables, findings and charts of a recorded run."),
    "review": ("review:review", "Review contract clauses; score risk levels, evidence and laws."),
    "schema": ("schema:schema", "Print the JSON Schema of experiments.yaml, for editors."),
    "score": ("score:score", "Score recorded answers again with the current rules."),
}
"""The module and function of each command, and its line in the list of commands."""


class LazyCommands(TyperGroup):
    """A group whose commands are imported when they are used."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        names: Any = dict.fromkeys(COMMANDS)  # enough to suggest a name after a typing error
        self.commands = names

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Import and return the command; ``None`` if there is no command of this name."""
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
        """Write the list of commands from ``COMMANDS``, without importing them."""
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


def _print_version(requested: bool) -> None:
    if requested:
        typer.echo(f"assay {__version__}")
        raise typer.Exit


@app.callback()
def options(
    *,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """Measure question answering over documents, with numbers one can defend."""


def main() -> None:
    """Run the program. An ``AssayError`` is printed as one line, without a traceback."""
    try:
        app()
    except AssayError as error:
        typer.echo(f"assay: {error}", err=True)
        _exit(error.exit_code)
    except SystemExit as end:
        _exit(end.code)


def _exit(code: int | str | None) -> NoReturn:
    """Exit, with ``os._exit`` if a system under test has left tasks that do not end."""
    loop = sys.modules.get("assay.runner.loop")
    if loop is not None and loop.left_behind:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else 1)
    sys.exit(code)
