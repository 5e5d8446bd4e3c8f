"""Questions of the quality job in a JSON list or a table, as rows of ``questions.jsonl``.

Columns have the names of the keys; those of the question, its id and its expected answer are
recognised by their other names too, as for ``assay run``. A cell has one phrase, or a JSON list of
phrases. A question without an id gets one that follows from its text.
"""

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, Final

from assay.data.answer_note import taken_note
from assay.data.cell_list import parsed_cell
from assay.data.column_role import column_key
from assay.data.foreign_set import table_rows
from assay.data.question_set import foreign_table, text_id

_ROLES: Final = ("id", "question", "answer")


def quality_table(path: Path, keys: Collection[str]) -> Iterator[tuple[int, dict[str, Any], str]]:
    """The line, the fields and the fault of each row of a table; the fault is usually empty.

    Raises:
        UseError: no column holds the questions.
        DatasetError: the file cannot be read.
    """
    roles = foreign_table(path).roles
    known = {column_key(key): key for key in keys}
    named = {roles[role]: role for role in _ROLES if role in roles}
    for row in table_rows(path):
        cells = {name: parsed_cell(value) for name, value in row.cells.items()}
        fields = {
            named.get(name) or known.get(column_key(name), name): value
            for name, value in cells.items()
            if value not in (None, "", [])
        }
        if not row.fault and not fields:
            continue
        if isinstance(fields.get("question"), str):
            fields.setdefault("id", text_id(fields["question"]))
        yield row.line, fields, row.fault


def table_notes(path: Path) -> Iterator[str]:
    """The encoding of a table that is not UTF-8, and which column was taken as the expected answer."""
    table = foreign_table(path)
    if table.encoding:
        yield f"read as {table.encoding}"
    if note := taken_note(table.columns):
        yield note
