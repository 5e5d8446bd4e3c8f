"""The next step: the last line of a command for a person at a terminal, and nothing for a program."""

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Final

from assay.cli.output import echo
from assay.config.workspace import Workspace
from assay.judge.label_store import labels_path
from assay.runs.summary import Summary, read_summary
from assay.runs.write import find_journals, summary_path
from assay.words.say import say

_IS_ASKED: Final = ContextVar("is_asked", default=True)
_FOR_PROGRAMS: Final = frozenset({"--json", "--format"})
_NEWEST: Final = 20
"""How many other runs are looked at for one to compare with."""
_MANY_UNSURE: Final = 0.1
"""From this share of unsure answers on, the value says less than the labels of people would."""


@contextmanager
def without_next() -> Iterator[None]:
    """The commands in the ``with`` block are steps of another command, which says what is next."""
    token = _IS_ASKED.set(False)
    try:
        yield
    finally:
        _IS_ASKED.reset(token)


def says_next() -> bool:
    """Whether a person reads what a command says: not a file, a pipe or a program."""
    words = {word.partition("=")[0] for word in sys.argv[1:]}
    return _IS_ASKED.get() and sys.stderr.isatty() and _FOR_PROGRAMS.isdisjoint(words)


def say_next_command(command: str) -> None:
    """Say which command is sensible now; a command says this once, at its end."""
    if says_next():
        echo(say("next: {command}", command=command), err=True)


def say_next(*words: str, root: Path | None = None, folder: Path | None = None) -> None:
    """Say that the command of these words is sensible now.

    ``root`` is the workspace that was named with ``--root``; ``folder`` is one to go to first.
    """
    place = () if root is None else ("--root", typed_path(root))
    go = ""
    if folder is not None and folder.resolve() != Path.cwd():
        go = f"cd {shlex.quote(typed_path(folder))} && "
    say_next_command(go + shlex.join(["assay", *words, *place]))


def say_next_after_run(journal: Path) -> None:
    """Say what is sensible after a run without failures: to label, to compare, or to look at its results."""
    if not says_next():
        return
    summary = read_summary(summary_path(journal))
    name = run_reference(journal)
    if summary is None:
        say_next("view", name)
    elif (unsure := _unsure_metric(summary)) and not labels_path(journal).is_file():
        say_next("labels", "plan", name, "--metric", unsure)
    elif (base := _earlier_like(journal, summary)) is not None:
        say_next("compare", "--base", run_reference(base), "--cand", name)
    else:
        say_next("view", name)


def run_reference(journal: Path) -> str:
    """How a command is told a run: by its name, or its file where the name is not found from here."""
    known = Workspace.find().experiments_dir / journal.name
    return journal.stem if known.exists() and known.samefile(journal) else typed_path(journal)


def typed_path(path: Path) -> str:
    """A path as one would type it: from the current folder, if it is below it."""
    folder, here = path.resolve(), Path.cwd()
    return str(folder.relative_to(here)) if folder.is_relative_to(here) else str(path)


def _unsure_metric(summary: Summary) -> str:
    """The metric that decides, if its check is unsure of many answers of a variant; otherwise empty."""
    primary = (summary.results.get("method") or {}).get("primary", "")
    variants = (summary.results.get("variants") or {}).values()
    found = ((each.get("unsure", {}).get(primary), each.get("scored", 0)) for each in variants)
    has_many = any(unsure and unsure["n"] >= _MANY_UNSURE * scored for unsure, scored in found)
    return primary if has_many else ""


def _earlier_like(journal: Path, summary: Summary) -> Path | None:
    """The newest other run whose questions were the same, if neither has variants to compare."""
    others = [path for path in find_journals(journal.parent) if path != journal]
    others.sort(key=lambda path: path.stat().st_mtime_ns, reverse=True)
    for path in others[:_NEWEST] if len(summary.variants) == 1 else ():
        other = read_summary(summary_path(path))
        if other is not None and _is_comparable(other, summary):
            return path
    return None


def _is_comparable(other: Summary, summary: Summary) -> bool:
    same = ("job", "questions_sha256", "limit", "total")
    return (
        other.state == "complete"
        and len(other.variants) == 1
        and bool(summary.questions_sha256)
        and all(getattr(other, name) == getattr(summary, name) for name in same)
        and (other.started_at or "") <= (summary.started_at or "")
    )
