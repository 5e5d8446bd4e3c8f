"""The parser of the command line: commands that are imported when they are used, and their help.

For every option that is no flag, typer builds a validator of pydantic, even if the option is not
given, and pydantic takes as long to import as typer. Here texts, paths and numbers are converted
without it. Everything else goes to typer, and so does what is wrong, so that messages are typer's.
"""

import inspect
import os
import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, get_args, get_origin

import typer
from typer.core import TyperCommand, TyperGroup

from assay import __version__
from assay.cli.main import resume_collection
from assay.cli.overview import Commands, help_page, job_lines, job_names
from assay.errors import UseError
from assay.registry import DISTRIBUTION, load_object, load_part
from assay.runs.resume import OLD_NAMES, SWITCHES
from assay.words.language import LANGUAGES, use_language
from assay.words.say import say

_NUMBERS: Final = {
    int: re.compile(r"-?(?:0|[1-9][0-9]{0,14})"),
    float: re.compile(r"-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,15})?"),
}
_PATH_CHECKS: Final = ("exists", "writable", "resolve_path", "allow_dash", "path_type")


class PlainValues:
    """A command or a group whose parameters do without pydantic wherever they can.

    Releases of typer that do not use pydantic have nothing to avoid.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Convert the words of the command line."""
        for parameter in self.get_params(ctx):  # type: ignore[attr-defined]
            if hasattr(parameter, "get_runtime_param"):
                parameter.get_runtime_param = partial(_Converter, parameter)
        return super().parse_args(ctx, args)  # type: ignore[misc, no-any-return]


class _Converter:
    """Converts the values of one parameter; takes the place of what typer builds for it."""

    def __init__(self, parameter: Any) -> None:
        self._by_typer: Callable[[], Any] = partial(type(parameter).get_runtime_param, parameter)
        self._kind = parameter.type_descriptor.annotation
        self._info = parameter.type_descriptor.parameter_info

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """The value of the parameter: a list if it can be given several times."""
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        try:
            if get_origin(self._kind) is list and isinstance(value, list | tuple):
                (kind,) = get_args(self._kind)
                return [_converted(kind, each, self._info) for each in value]
            return _converted(self._kind, value, self._info)
        except ValueError:
            return self._by_typer().coerce(value, param=param, ctx=ctx)


def _converted(kind: Any, value: Any, info: Any) -> Any:
    """The value as ``kind``. Raises ``ValueError`` if only typer can say what it is."""
    text = str(value)
    text.encode()  # a UnicodeError, which is a ValueError, if it has bytes that are no text
    if info.parser is None:
        if kind is str:
            return text
        if kind is Path and not _is_checked(text, info):
            return Path(text)
        if kind in _NUMBERS and not info.clamp and _is_number(kind, value):
            number = kind(value)
            if _is_within(number, info.min, info.max):
                return number
    raise ValueError(text)


def _is_checked(text: str, info: Any) -> bool:
    """Whether typer has to look at the path, or refuses it."""
    if any(getattr(info, check) for check in _PATH_CHECKS) or not (
        info.file_okay and info.dir_okay
    ):
        return True
    return os.path.lexists(text) and not os.access(text, os.R_OK)


def _is_number(kind: type, value: Any) -> bool:
    """Whether the value is a number already, as a default is, or a text that only has one meaning."""
    return type(value) is kind or bool(_NUMBERS[kind].fullmatch(str(value)))


def _is_within(number: float, low: float | None, high: float | None) -> bool:
    return (low is None or number >= low) and (high is None or number <= high)


# The help of a command: its options in groups, with plain words for what they take.

_GROUPS: Final = {
    "How much": (
        "limit", "concurrency", "timeout", "retries", "max_cost", "max_minutes", "dry_run",
        "stop_early", "documents", "no_call_cache", "runs", "context_lengths",
    ),
    "Where": (
        "root", "config", "out", "site", "key", "no_key", "allow_outside_root", "charts",
    ),
    "How": (
        "lang", "as_json", "form", "log_lines", "no_report", "resume", "redact",
        "count_filtered", "verbose", "quiet", "help",
    ),
}  # fmt: skip
"""Options by their parameters; all others say what is run or shown."""
_WORDS: Final = {
    "str": "TEXT", "path": "PATH", "int": "N", "int range": "N", "float": "NUMBER",
    "float range": "NUMBER",
}  # fmt: skip
_TYPE: Final = re.compile(r"<(?:list\[)?([a-zA-Z ]+)\]?>")
_RANGE: Final = re.compile(r"\s+\[x[<>]=?[0-9.]+\]$|; x[<>]=?[0-9.]+(?=\]$)")
_REMARK: Final = re.compile(r"\[(?:default: (?P<value>.+?))?(?P<comma>; )?(?P<must>required)?\]$")
_SENTENCE: Final = re.compile(r".*?(?:。|\.(?= |$)|$)", re.DOTALL)
_FIRST_COLUMN: Final = 30
_Record = tuple[str, str]


class OldNames:
    """A command that also takes the names that its options had in assay 0.1; no help shows them.

    The old and the new name may both be given if they say the same.
    """

    name: str | None

    def make_parser(self, ctx: Any) -> Any:
        """The parser of the command line, which also knows the old names."""
        parser = super().make_parser(ctx)  # type: ignore[misc]
        by_name = {name: each for each in self.get_params(ctx) for name in each.opts}  # type: ignore[attr-defined]
        olds = {**OLD_NAMES.get(self.name or "", {}), **dict.fromkeys(SWITCHES, "--resume")}
        options = {
            old: by_name[new] for old, new in olds.items() if new in by_name and old not in by_name
        }
        options |= {name: each for each in options.values() for name in each.opts}
        if not options:
            return parser
        for name, option in options.items():
            switch = SWITCHES.get(name)
            action = "append" if switch is None else "append_const"
            parser.add_option(option, [name], _place(option, name), action=action, const=switch)
        parse = parser.parse_args

        def parse_args(args: list[str]) -> Any:
            values, rest, order = parse(args=args)
            found: dict[str, tuple[str, str]] = {}
            for name, option in options.items():
                given = values.pop(_place(option, name), [])
                # of one name the last counts, as everywhere; --resume is never a matter of order
                for value in given if option.name == "resume" else given[-1:]:
                    earlier, chosen = found.setdefault(option.name, (name, value))
                    if chosen != value and not ctx.resilient_parsing:
                        raise UseError(
                            f"{_typed(earlier, chosen)} and {_typed(name, value)} contradict each "
                            "other: give one of them"
                        )
            return values | {name: value for name, (_, value) in found.items()}, rest, order

        parser.parse_args = parse_args
        return parser


def _place(option: Any, name: str) -> str:
    """Where the parser puts what is given by this name."""
    return f"{option.name} {name}"


def _typed(name: str, value: str) -> str:
    return name if name in SWITCHES else f"{name} {value}"


class TranslatedHelp:
    """The page of a command or a group in the language in use."""

    help: str | None

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        """Write how the command is typed."""
        pieces = " ".join(self.collect_usage_pieces(ctx))  # type: ignore[attr-defined]
        formatter.write_usage(ctx.command_path, pieces, prefix=f"{say('Usage')}: ")

    def get_usage(self, ctx: Any) -> str:
        """How the command is typed, in English: it stands above an error."""
        formatter = ctx.make_formatter()
        pieces = " ".join(self.collect_usage_pieces(ctx))  # type: ignore[attr-defined]
        formatter.write_usage(ctx.command_path, pieces)
        return str(formatter.getvalue()).rstrip("\n")

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        """Write what the command does, in paragraphs."""
        if not self.help:
            return
        formatter.write_paragraph()
        with formatter.indentation():
            width = formatter.width - formatter.current_indent
            paragraphs = (_unwrapped(text, width) for text in translated_paragraphs(self.help))
            formatter.write_text("\n\n".join(paragraphs))


class GroupedCommand(TranslatedHelp, OldNames, PlainValues, TyperCommand):
    """A command whose help shows its options in groups: what, how much, where, how."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """How the command is typed; a hidden argument is taken only to say what is right."""
        shown = (each for each in self.get_params(ctx) if not getattr(each, "hidden", False))
        return [
            *([self.options_metavar] if self.options_metavar else []),
            *(piece for each in shown for piece in each.get_usage_pieces(ctx)),
        ]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the options group by group, each without a note about its smallest value."""
        group_of = {name: title for title, names in _GROUPS.items() for name in names}
        groups: dict[str, list[_Record]] = {"What": [], **{title: [] for title in _GROUPS}}
        arguments = []
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is None:
                continue
            shown = (_plain(record[0]), _translated(parameter, _RANGE.sub("", record[1])))
            if parameter.param_type_name == "argument":
                arguments.append(shown)
            else:
                groups[group_of.get(parameter.name or "", "What")].append(shown)
        for title, records in {"Arguments": arguments, **groups}.items():
            if records:
                _write_section(formatter, title, records)


class WholeLines(TranslatedHelp, PlainValues, TyperGroup):
    """A group of commands whose help shows the first sentence of each without cutting it."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the options of the group and its commands."""
        records = (
            (_plain(record[0]), _translated(parameter, record[1]))
            for parameter in self.get_params(ctx)
            if (record := parameter.get_help_record(ctx)) is not None
        )
        _write_section(formatter, "Options", list(records))
        self.format_commands(ctx, formatter)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the name and the first sentence of each command."""
        listed = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        shown = [
            (name, first_sentence(command.help or ""))
            for name, command in listed
            if command is not None and not command.hidden
        ]
        _write_section(formatter, "Commands", shown)


def translated_paragraphs(text: str) -> list[str]:
    r"""The paragraphs of a help text in the language in use.

    >>> translated_paragraphs("Ask.\n\n    No model\n    is called.")
    ['Ask.', 'No model is called.']
    """
    paragraphs = inspect.cleandoc(text).partition("\f")[0].split("\n\n")
    return [say(" ".join(paragraph.split())) for paragraph in paragraphs]


def first_sentence(text: str) -> str:
    """The first sentence of a help text in the language in use.

    >>> first_sentence("Run .json files. Nothing is asked.")
    'Run .json files.'
    """
    sentence = _SENTENCE.match(translated_paragraphs(text)[0])
    return sentence[0] if sentence else ""


def _write_section(formatter: Any, title: str, records: Sequence[_Record]) -> None:
    first = min(max(len(name) for name, _ in records), _FIRST_COLUMN) + 2
    with formatter.section(say(title)):
        width = formatter.width - first - 2
        formatter.write_dl([(name, _unwrapped(text, width)) for name, text in records])


def _unwrapped(text: str, width: int) -> str:
    """The text, with Chinese in lines of its own: the formatter takes a character for a column."""
    if text.isascii():
        return text
    # imported here because English help needs none of it, and it is slow to import
    from assay.text.width import display_width, wrapped  # noqa: PLC0415

    if display_width(text) == len(text):
        return text
    return "\n".join(["\b", *wrapped(text, width)])


def _translated(parameter: Any, shown: str) -> str:
    """The help of an option in the language in use, with its default or that it is required."""
    text = (getattr(parameter, "help", "") or "").strip()
    if not text or not shown.startswith(text):
        return shown
    return say(text) + _REMARK.sub(_remark, shown.removeprefix(text))


def _remark(match: "re.Match[str]") -> str:
    parts = [say("default: {value}", value=match["value"])] if match["value"] else []
    parts += [say("required")] if match["must"] else []
    return f"[{'; '.join(parts)}]"


def _plain(names: str) -> str:
    """The names of an option, with a word for what it takes.

    >>> _plain("-e, --experiment <list[str]>"), _plain("--limit <int range>")
    ('-e, --experiment TEXT', '--limit N')
    """
    return _TYPE.sub(lambda match: _WORDS.get(match[1].lower(), match[1].upper()), names)


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
            names: Any = dict.fromkeys(job_names())
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
    """The command that a job declares; ``None`` if it has none."""
    command = load_object("assay.results.job:JOBS").get(name).command
    if isinstance(command, str):
        command = load_part(command, f"the command of the job {name!r}")
    if callable(command) and "run" in inspect.signature(command).parameters:
        # imported here because the page of all commands needs no run, and it is slow to import
        from assay.cli.run_command import run_command  # noqa: PLC0415

        return run_command(has_report=True)(command)
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
