"""A set of questions whose own answers are scored: ``assay run --questions F --system replay:F``."""

from collections.abc import Mapping
from pathlib import Path

from assay.data.question_set import foreign_table, is_own_format
from assay.errors import UseError
from assay.systems import Replays, System


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
