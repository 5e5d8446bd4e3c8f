"""The help of a command: its options in groups, with plain words for what they take."""

import re
from typing import Any, Final

from typer.core import TyperCommand, TyperGroup

_GROUPS: Final = {
    "How much": (
        "limit", "concurrency", "timeout", "retries", "max_cost", "max_minutes", "dry_run",
        "stop_early", "no_call_cache", "runs", "context_lengths",
    ),
    "Where": (
        "root", "config", "out", "out_dir", "output", "output_dir", "site", "key", "no_key",
        "allow_outside_root", "charts",
    ),
    "How": (
        "lang", "as_json", "form", "log_lines", "no_report", "fresh", "keep_stale", "redact",
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


class GroupedCommand(TyperCommand):
    """A command whose help shows its options in groups: what, how much, where, how."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the options group by group, each without a note about its smallest value."""
        group_of = {name: title for title, names in _GROUPS.items() for name in names}
        groups: dict[str, list[tuple[str, str]]] = {"What": [], **{title: [] for title in _GROUPS}}
        arguments = []
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is None:
                continue
            shown = (_plain(record[0]), _RANGE.sub("", record[1]))
            if parameter.param_type_name == "argument":
                arguments.append(shown)
            else:
                groups[group_of.get(parameter.name or "", "What")].append(shown)
        for title, records in {"Arguments": arguments, **groups}.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)


class WholeLines(TyperGroup):
    """A group of commands whose help shows the first sentence of each without cutting it."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the name and the first sentence of each command."""
        listed = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        with formatter.section("Commands"):
            formatter.write_dl(
                [
                    (name, command.get_short_help_str(limit=1000))
                    for name, command in listed
                    if command is not None and not command.hidden
                ]
            )


def _plain(names: str) -> str:
    """The names of an option, with a word for what it takes.

    >>> _plain("-e, --experiment <list[str]>"), _plain("--limit <int range>")
    ('-e, --experiment TEXT', '--limit N')
    """
    return _TYPE.sub(lambda match: _WORDS.get(match[1].lower(), match[1].upper()), names)
