"""Question sets of other tools in JSON lines, and whether a file is one.

A file of JSON lines is ours if its questions have ids and our names. Other tools write the same
ending: without ids, with ``user_input`` for the question, or with ``ground_truth`` beside ``answer``.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from assay.data.column_role import column_key, is_expected_name, known_names
from assay.data.decoded_line import decoded_lines
from assay.data.jsonl import UNREADABLE, decode_problem
from assay.data.nested_row import unpacked
from assay.data.promptfoo import promptfoo_row, promptfoo_systems
from assay.data.question_table import TableRow
from assay.data.repeated_key import repeated_key
from assay.errors import AssayError

ENDINGS: Final = frozenset({".jsonl", ".ndjson", ""})
_ASKS: Final = frozenset({"question", "text"})
NESTED: Final = frozenset({"inputs", "vars"})
"""Objects in which LangSmith and promptfoo have the question."""


def is_json_lines(path: Path) -> bool:
    """Whether the file has one JSON object a line; judged by its ending."""
    return path.suffix.lower() in ENDINGS


def is_foreign_json_lines(path: Path) -> bool:
    """Whether a file of JSON lines has no ids, or the names of another tool."""
    try:
        if not path.is_file():  # a pipe can be read only once
            return False
        stat = path.stat()
    except OSError:  # the reader says why
        return False
    return _is_foreign(path, stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=32)
def _is_foreign(path: Path, _changed: int, _size: int) -> bool:
    decoder = msgspec.json.Decoder(dict[str, msgspec.Raw])
    names: dict[str, None] = {}
    try:
        for _, line in decoded_lines(path):
            try:
                row = decoder.decode(line)
            except UNREADABLE:  # the reader says what is wrong with it
                continue
            if not describes_set(row):
                names.update(dict.fromkeys(row))
    except AssayError:
        return False
    asks = any(column_key(name) in known_names()["question"] for name in names)
    asks = asks or not NESTED.isdisjoint(names)
    has_own = "id" in names and not _ASKS.isdisjoint(names)
    return asks and (not has_own or any(map(is_expected_name, names)))


def describes_set(fields: dict[str, Any]) -> bool:
    """Whether a line is no question but says something about the set: ``{"metadata": {…}}``."""
    return "metadata" in fields and _ASKS.isdisjoint(fields) and "id" not in fields


def json_line_table(path: Path) -> Iterator[TableRow]:
    """The rows of a file of JSON lines; a line that is no object is a fault."""
    for number, line in decoded_lines(path):
        try:
            row = msgspec.json.decode(line)
        except UNREADABLE as error:
            fault = f"not a question: {decode_problem(line, error)}"
            yield TableRow(line=number, fault=fault, text=line.decode("utf-8", "replace"))
            continue
        if not isinstance(row, dict):
            fault = "not a question: put one JSON object on each line"
            yield TableRow(line=number, fault=fault, text=line.decode("utf-8", "replace"))
        elif repeated := repeated_key(line):
            text = line.decode("utf-8", "replace")
            yield TableRow(line=number, fault=repeated.problem, text=text)
        elif not describes_set(row):
            yield TableRow(line=number, cells=row)


def with_systems(rows: Sequence[TableRow]) -> Iterator[TableRow]:
    """The rows with their fields as columns (``unnested``), and the system of each answer."""
    systems = promptfoo_systems([row.cells for row in rows])
    for row, system in zip(rows, systems, strict=True):
        is_result = promptfoo_row(row.cells) is not None
        yield replace(row, cells=unnested(row.cells), system=system if is_result else "")


def unnested(row: dict[str, Any]) -> dict[str, Any]:
    """A row whose fields LangSmith and promptfoo put into objects, with these fields themselves.

    >>> unnested({"vars": {"question": "Who?"}, "note": "x"})
    {'question': 'Who?', 'note': 'x'}
    """
    result = promptfoo_row(row)
    if result is not None:
        return result
    values = row.get("vars")
    if isinstance(values, dict):
        inner = {name: value for name, value in values.items() if name not in row}
        row = {**inner, **{name: value for name, value in row.items() if name != "vars"}}
    return unpacked(row)
