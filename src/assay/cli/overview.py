"""The pages of ``assay`` and ``assay --help``: the jobs, the first command, all commands.

They are printed without the parser of the command line, which takes three times as long to import.
Every line fits into 80 columns.
"""

from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from assay.registry import JOB_SPECS, entries, load_object, warn
from assay.words.say import say

Commands: TypeAlias = Mapping[str, tuple[str, str]]
"""The module and function of each command, and its line in the list."""

_TITLE: Final = "Measure question answering over documents, with numbers one can defend."
_SECTIONS: Final = {
    "Jobs": ("ablate", "depth", "quality", "review", "bench", "run", "evaluate"),
    "Results": (
        "list",
        "report",
        "compare",
        "baseline",
        "view",
        "heatmap",
        "query",
        "export",
        "score",
        "merge",
    ),
    "Documents and questions": ("start", "init", "ingest", "search", "questions"),
    "Judges and people": ("judge", "labels"),
    "Care": ("demo", "doctor", "cache", "redact", "schema"),
}
"""The commands in the order in which one meets them; all others follow under ``Other``."""
_QUESTIONS: Final = {
    "ablate": "What does each component of a pipeline contribute?",
    "depth": "Where in a long context does a model stop finding things?",
    "quality": "Does each answer hold what it must, and nothing it must not?",
    "review": "How far can a contract-risk reviewer be trusted?",
    "bench": "Facts, sets of evidence, and gaps that must not be filled in.",
}
_WITH_COMMAND: Final = {"ablation", "depth", "quality", "review", "bench"}
"""The jobs whose commands are files of ``assay.cli``."""
_OPTIONS: Final = {
    "-h, --help": "Show this page; after a command: its options.",
    "--lang en|zh|ru": "Language of what is shown; also after a command.",
    "--version": "Print the version.",
    "--install-completion": "Let the Tab key complete commands and options.",
}


def start_page() -> str:
    """What ``assay`` shows alone: the five jobs and the commands to begin with."""
    return "\n".join(
        [
            say(_TITLE),
            "",
            f"{say('Five jobs')}:",
            *_lines(_QUESTIONS),
            "",
            say("Begin with"),
            *_lines(
                {
                    "assay demo": "all five jobs on samples, offline, in about a minute",
                    "assay start FOLDER": "your documents: questions, answers and a first table",
                    "assay init": "a workspace with samples, to run and to change",
                    "assay --help": "all commands",
                }
            ),
            "",
        ]
    )


def help_page(commands: Commands) -> str:
    """What ``assay --help`` shows: all commands in sections, and the options of the program."""
    lines = {name: line for name, (_, line) in commands.items()}
    named = {name for names in _SECTIONS.values() for name in names}
    sections = {
        title: {name: lines[name] for name in names if name in lines}
        for title, names in _SECTIONS.items()
    }
    sections["Other"] = {name: line for name, line in lines.items() if name not in named}
    sections["Other"] |= dict(job_lines(commands))
    parts = [say(_TITLE), "", f"{say('Usage')}: assay COMMAND [OPTIONS]"]
    for title, section in (sections | {"Options": _OPTIONS}).items():
        if section:
            parts += ["", f"{say(title)}:", *_lines(section)]
    return "\n".join([*parts, ""])


def job_lines(commands: Commands) -> Iterator[tuple[str, str]]:
    """The commands of the jobs that declare their own, with the help of each.

    Only the specs are imported, and only if there are any.
    """
    own = [name for name in JOB_SPECS if name not in _WITH_COMMAND]
    if not own and not entries("assay.jobs"):
        return
    jobs = load_object("assay.results.job:JOBS")
    for name, spec in sorted([*((name, jobs.get_own(name)) for name in own), *jobs.added()]):
        if spec.command is not None and name in commands:
            warn(f"the command of the job {name!r} is hidden: assay has a command of this name")
        elif spec.command is not None:
            yield name, spec.help


def job_names() -> list[str]:
    """The jobs that may declare a command of their own; nothing is imported."""
    added = [entry.name for entry in entries("assay.jobs")]
    return [*(name for name in JOB_SPECS if name not in _WITH_COMMAND), *added]


def _lines(entries_by_name: Mapping[str, str]) -> list[str]:
    width = max(9, *map(len, entries_by_name))
    return [f"  {name.ljust(width)}  {say(line)}" for name, line in entries_by_name.items()]
