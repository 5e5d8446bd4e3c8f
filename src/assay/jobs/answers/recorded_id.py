"""The ids of questions that have none of their own, in a run that was recorded before.

They follow from the question's text. Earlier versions numbered the rows of the file instead; a run
that they recorded keeps its numbers, because they are in the keys of its rows.
"""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from assay.data.jsonl import unreadable_error
from assay.data.question_set import foreign_table, has_own_ids, is_own_format
from assay.errors import UseError
from assay.runs.summary import read_summary
from assay.runs.write import summary_path
from assay.systems.protocol import Replays, System

IDS: Final = "question_ids"
BY_TEXT: Final = "text"


def has_numbered_ids(
    journal: Path, questions: Path, sha256: str, columns: Mapping[str, str] | None = None
) -> bool:
    """Whether the questions of this run are named by their numbers.

    Raises:
        UseError: they are, but the file has changed since: a number may mean another question now.
    """
    summary = read_summary(summary_path(journal)) if journal.is_file() else None
    if summary is None or summary.extra.get(IDS) == BY_TEXT or has_own_ids(questions, columns):
        return False
    if summary.questions_sha256 == sha256:
        return True
    raise UseError(
        f"{journal}: recorded by an earlier version of assay, which named the questions of a file "
        f"without ids by their rows; {questions} has changed since, so its rows are not known to "
        "be the same questions: give the new run another --name"
    )


def id_fields(
    questions: Path, columns: Mapping[str, str] | None = None, *, numbered: bool
) -> dict[str, Any]:
    """What the header says about the ids."""
    return {} if numbered or has_own_ids(questions, columns) else {IDS: BY_TEXT}


def file_sha256(path: Path) -> str:
    """The hash of a file of questions; raises ``DatasetError`` if it cannot be read."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise unreadable_error(path, error) from None


# A set of questions whose own answers are scored: ``assay run --questions F --system replay:F``.


def is_replayed(system: System, path: Path, columns: Mapping[str, str] | None = None) -> bool:
    """Whether the answers of the system come from the file of the questions.

    Raises:
        UseError: they do, and are also the expected ones, so that all of them would be right.
    """
    files = system.replayed_files if isinstance(system, Replays) else ()
    named = [column for file, column in files if file.exists() and file.samefile(path)]
    if any(_is_expected(path, columns, column) for column in named):
        raise UseError(
            f"{path}: its answers are the expected ones, and no other column holds answers of a "
            "system; call that column response, name it as in replay:FILE#COLUMN, or give replay: "
            "another file"
        )
    return bool(named)


def _is_expected(path: Path, columns: Mapping[str, str] | None, column: str) -> bool:
    """Whether the answers in this column are the expected ones; no column is the known one."""
    if is_own_format(path, columns):
        return column in {"", "answer", "answers"}
    named = foreign_table(path, columns).columns
    return column == named.roles.get("answer") if column else not named.response
