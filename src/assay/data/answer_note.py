"""What a user must know about the answers in a file of questions: which were taken for what."""

import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from assay.data.column_role import Columns, near_answer_names
from assay.data.question_set import ForeignTable
from assay.text import Count

_MOST_SHOWN: Final = 60
_MOST_SYSTEMS: Final = 5


def answer_notes(path: Path, table: ForeignTable, misspelt: Collection[str]) -> Iterator[str]:
    """Notes about the columns with answers of a file of another format, in English.

    ``misspelt`` are columns that another note names.
    """
    if note := taken_note(table.columns):
        yield f"{path}: {note}"
    if table.columns.further:
        names = _quoted([table.columns.roles["answer"], *table.columns.further])
        yield f"{path}: the columns {names} are taken as accepted answers, of which one is enough"
    if table.asserted:
        yield f"{path}: {_asserted_note(table.asserted)}"
    near = near_answer_names(table.names, table.columns)
    if near and not set(near) & set(misspelt):
        yield (
            f"{path}: no column is known to hold the expected answers; if {_quoted(near[:1])} does, "
            f"add --column answer={near[0]!r}"
        )
    if table.listed:
        yield f"{path}: {listed_note(table.listed)}"


def taken_note(columns: Columns) -> str:
    """One line that says what `answer` means, if the expected answer has another name."""
    if not columns.has_doubtful_name:
        return ""
    expected = columns.roles["answer"]
    return (
        f"{_quoted([columns.response])} is taken as the system's answer, {_quoted([expected])} as "
        "the expected one"
    )


def replay_note(path: Path, table: ForeignTable) -> str:
    """How to score the answers of a system that the file has; empty if it has none."""
    if not table.answered:
        return ""
    file, replayed = shlex.quote(str(path)), shlex.quote(f"replay:{path}")
    if table.systems:
        count, shown = len(table.systems), table.systems[:_MOST_SYSTEMS]
        systems = " ".join(f"--system {shlex.quote(f'replay:{path}#{name}')}" for name in shown)
        more = " …" if count > len(shown) else ""
        return (
            f"{path}: has answers of {count} systems to the same questions; to score them as they "
            f"are: assay run --questions {file} {systems}{more}"
        )
    return (
        f"{path}: has answers of a system ({_quoted([table.columns.response])}); to score them as "
        f"they are: assay run --questions {file} --system {replayed}"
    )


def listed_note(listed: Sequence[tuple[int, str]]) -> str:
    """One line about expected answers that look like several."""
    count = Count(len(listed))
    line, text = listed[0]
    shown = text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}…"
    return (
        f"{count} expected {count:answer looks|answers look} like several, but each counts as one "
        f'(line {line}: {shown!r}); write several as a JSON list, ["A", "B"], or in columns answer, '
        "answer_2, answer_3"
    )


def _asserted_note(asserted: Mapping[int, str]) -> str:
    count = Count(len(asserted))
    kinds = ", ".join(sorted({kind for kinds in asserted.values() for kind in kinds.split(", ")}))
    return (
        f"{count} {count:row has|rows have} no expected answer, because the assertion names none: "
        f"{kinds}"
    )


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
