"""The ``assay`` program: its commands, and its exit on an error.

The module of a command is imported only when the command is used, so that ``assay --help`` is
fast and a command loads only what it needs. A job of another package may have a command too
(``assay.jobs.spec``).
"""

import os
import sys
import traceback
import warnings
from collections.abc import Sequence
from typing import Annotated, Any, Final, NoReturn

import typer
from typer.core import TyperGroup

from assay import __version__
from assay.cli.masked_stream import masked_output
from assay.errors import INTERRUPTED, AssayError
from assay.registry import RegistrationWarning, entries, load_object, load_part, warn

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
    "judge": ("judge:app", "Ask models about recorded answers; check them against labels."),
    "labels": ("labels:app", "Show how far people agree on answers; export and import labels."),
    "list": ("list_runs:list_runs", "List past runs with their counts and their state."),
    "merge": ("merge:merge", "Merge the parts of a run that were asked with --shard."),
    "questions": ("questions:app", "Draft and check sets of questions; spans, versions, power."),
    "quality": (
        "quality:quality",
        "Ask questions about PDFs and score the answers.",
    ),
    "query": ("query:query", "Run SQL over the recorded rows of a run."),
    "redact": ("redact:app", "List, mask and reveal values in files that must not leak."),
    "report": ("report:report", "Write tables, findings and charts of a recorded run."),
    "review": ("review:review", "Review contract clauses; score risk levels, evidence and laws."),
    "run": ("run:run", "Ask one or several systems the questions of a set, and score the answers."),
    "search": ("search:search", "Find the passages of the corpus for some words."),
    "schema": ("schema:schema", "Print the JSON Schema of experiments.yaml, for editors."),
    "score": ("score:score", "Score recorded answers again with the current rules."),
    "view": ("view:view", "Show runs, answers and differences in the browser."),
}
"""The module and function of each command, and its line in the list of commands."""

_python_show_warning: Final = warnings.showwarning


class LazyCommands(TyperGroup):
    """A group whose commands are imported when they are used."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        names: Any = dict.fromkeys(COMMANDS)  # enough to suggest a name after a typing error
        self.commands = names

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Import and return the command; ``None`` if there is no command of this name."""
        if cmd_name in COMMANDS:
            defined = load_object(f"assay.cli.{COMMANDS[cmd_name][0]}")
        else:
            names: Any = dict.fromkeys(entry.name for entry in entries("assay.jobs"))
            self.commands = {**self.commands, **names}
            defined = _job_command(cmd_name) if cmd_name in names else None
        if defined is None:
            return None
        if not isinstance(defined, typer.Typer):
            single = typer.Typer(add_completion=False, rich_markup_mode=None)
            single.command(cmd_name)(defined)
            defined = single
        command = typer.main.get_command(defined)
        command.name = cmd_name
        return command

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list of commands from ``COMMANDS``, without importing them."""
        lines = [(name, line) for name, (_, line) in COMMANDS.items()]
        with formatter.section("Commands"):
            formatter.write_dl(sorted([*lines, *_job_lines()]))


def _job_command(name: str) -> Any:
    """The command of a job of another package; ``None`` if the job has none."""
    command = load_object("assay.jobs.spec:JOBS").get(name).command
    if isinstance(command, str):
        return load_part(command, f"the command of the job {name!r}")
    return command


def _job_lines() -> list[tuple[str, str]]:
    """The commands of the jobs of other packages, with the help of each.

    Only the specs are imported, and only if there are any.
    """
    if not entries("assay.jobs"):
        return []
    lines = []
    for name, spec in load_object("assay.jobs.spec:JOBS").added():
        if spec.command is not None and name in COMMANDS:
            warn(f"the command of the job {name!r} is hidden: assay has a command of this name")
        elif spec.command is not None:
            lines.append((name, spec.help))
    return lines


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
    warnings.showwarning = _show_warning
    with masked_output():
        try:
            app()
        except AssayError as error:
            _show_error(error.lines)
            _exit(error.exit_code)
        except SystemExit as end:
            _exit(end.code)
        except Exception:  # noqa: BLE001 - a bug; what its traceback shows is masked too
            traceback.print_exc()
            _exit(1)


def _show_error(lines: Sequence[str]) -> None:
    """Print the lines of a message, each on one line of the terminal."""
    # imports half of the package, which assay --help does not need
    from assay.cli.output import echo  # noqa: PLC0415

    for line in (f"assay: {lines[0] if lines else ''}", *lines[1:]):
        echo(line, err=True)


def _show_warning(message: Any, category: Any, *place: Any, **more: Any) -> None:
    """Print a ``RegistrationWarning`` as one line; any other warning as Python does."""
    if issubclass(category, RegistrationWarning):
        _show_error((str(message),))
    else:
        _python_show_warning(message, category, *place, **more)


def _exit(code: int | str | None) -> NoReturn:
    """Exit; at once if a system under test has left tasks that do not end, or after Ctrl+C.

    After Ctrl+C everything is written, and another Ctrl+C must not change the exit code.
    """
    loop = sys.modules.get("assay.runner.loop")
    if code in INTERRUPTED or (loop is not None and loop.left_behind):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else 1)
    sys.exit(code)
