"""The parser of the command line: commands that are imported when they are used, and their help."""

from typing import Annotated, Any, ClassVar

import typer
from typer.core import TyperCommand, TyperGroup

from assay import __version__
from assay.cli.collection import resume_collection
from assay.cli.grouped_help import GroupedCommand, WholeLines
from assay.cli.overview import Commands, help_page, job_lines
from assay.cli.plain_value import PlainValues
from assay.extra import DISTRIBUTION
from assay.registry import entries, load_object, load_part
from assay.words import LANGUAGES, say, use_language


class LazyCommands(PlainValues, TyperGroup):
    """A group whose commands are imported when they are used."""

    table: ClassVar[Commands] = {}

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        names: Any = dict.fromkeys(self.table)  # enough to suggest a name after a typing error
        self.commands = names

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Import and return the command; ``None`` if there is no command of this name."""
        if cmd_name in self.table:
            defined = load_object(f"assay.cli.{self.table[cmd_name][0]}")
        else:
            names: Any = dict.fromkeys(entry.name for entry in entries("assay.jobs"))
            self.commands = {**self.commands, **names}
            defined = _job_command(cmd_name) if cmd_name in names else None
        resume_collection()
        if defined is None:
            return None
        if not isinstance(defined, typer.Typer):
            single = typer.Typer(add_completion=False, rich_markup_mode=None)
            single.command(cmd_name)(defined)
            defined = single
        defined.info.cls = defined.info.cls or WholeLines
        for info in defined.registered_commands:
            if info.cls is TyperCommand:
                info.cls = GroupedCommand
        command = typer.main.get_command(defined)
        command.name = cmd_name
        for option in self.params:
            if option.name == "lang":
                _add_option(command, option)
        return command

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the page with all commands, without importing them."""
        formatter.write(help_page(self.table))

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """The commands and options that begin with what is typed; no command is imported."""
        lines = {name: line for name, (_, line) in self.table.items()} | dict(job_lines(self.table))
        named: Any = {name: TyperCommand(name, help=say(line)) for name, line in lines.items()}
        listed = TyperGroup(name=self.name, commands=named, params=self.params)
        return listed.shell_complete(ctx, incomplete)


def _job_command(name: str) -> Any:
    """The command of a job of another package; ``None`` if the job has none."""
    command = load_object("assay.jobs.spec:JOBS").get(name).command
    if isinstance(command, str):
        return load_part(command, f"the command of the job {name!r}")
    return command


def _add_option(command: Any, option: Any) -> None:
    """Give the command, and each command of a group, the option unless it has one of this name."""
    for each in (command, *getattr(command, "commands", {}).values()):
        if all(option.name != parameter.name for parameter in each.params):
            each.params.append(option)


def _use_lang(value: str | None) -> None:
    if value is not None:
        # imported here because help needs no configuration, and it is slow to import
        from assay.cli.options import one_of  # noqa: PLC0415

        use_language(one_of("--lang", value, LANGUAGES))


def make_app(commands: Commands) -> typer.Typer:
    """The parser for these commands and for those that jobs of other packages add."""
    app = typer.Typer(
        name="assay",
        cls=type("AssayCommands", (LazyCommands,), {"table": commands}),
        context_settings={"help_option_names": ["--help", "-h"]},
        add_completion=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.callback()(_options)
    return app


def _print_version(requested: bool) -> None:
    if requested:
        typer.echo(f"{DISTRIBUTION} {__version__}")
        raise typer.Exit


def _options(
    *,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
    lang: Annotated[
        str | None,
        typer.Option(
            "--lang",
            metavar="|".join(LANGUAGES),
            callback=_use_lang,
            expose_value=False,
            is_eager=True,
            help="Language of what is shown. Default: ASSAY_LANG, or that of the locale.",
        ),
    ] = None,
) -> None:
    """Measure question answering over documents, with numbers one can defend."""
