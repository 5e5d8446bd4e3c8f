"""A database with one table, the rows of a run, that can reach nothing else.

``rows`` is a view of the journal, so only the fields that a query uses are read. Before the query
runs, DuckDB may access no file but the journal, no network, no extension and no variable of
Python, and its configuration is locked. It never writes to a disk.
"""

import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from assay.errors import UseError
from assay.results.run_cases import RowFilter, RunCases
from assay.runs.read import scan_journal
from assay.study.query_shape import (
    QueryColumn,
    RowShape,
    Shape,
    columns_of,
    quoted_name,
    quoted_text,
)

# Whether a query is one SELECT over the table ``rows`` and nothing else.
#
# DuckDB parses the query; the check looks at every table and function of the parsed query. The
# connection that runs the query cannot reach other files or the network in any case (see
# ``database.py``): this check makes the message clear and is a second barrier.

TABLE: Final = "rows"
TABLE_FUNCTIONS: Final = frozenset({"generate_series", "json_each", "json_tree", "range", "unnest"})
"""Functions that may be in place of a table. All others can read files, settings or secrets."""
REFUSED_FUNCTIONS: Final = frozenset(
    {"current_setting", "getenv", "getvariable", "pg_sleep", "sleep_ms", "write_log"}
)


def check_statement(connection: Any, sql: str) -> None:
    """Raise ``UseError`` unless ``sql`` is one SELECT that reads no table but ``rows``."""
    (answer,) = connection.execute(
        "SELECT json_serialize_sql(?::VARCHAR, skip_null := true, skip_empty := true)", [sql]
    ).fetchone()
    try:
        tree: Mapping[str, Any] = msgspec.json.decode(answer)
    except RecursionError:
        raise UseError("the query is nested too deeply") from None
    if tree["error"]:
        raise UseError(_parse_error(tree))
    if len(tree["statements"]) != 1:
        raise UseError("give one SELECT statement, without others after it")
    nodes = list(_nodes(tree))
    tables = {TABLE} | {name.casefold() for name in _common_tables(nodes)} - _own_views(connection)
    for node in nodes:
        _check_node(node, tables)


def _own_views(connection: Any) -> set[str]:
    """The views of DuckDB itself: a WITH of the same name elsewhere must not open them."""
    names = connection.execute("SELECT view_name FROM duckdb_views() WHERE internal").fetchall()
    return {str(name).casefold() for (name,) in names}


def _parse_error(tree: Mapping[str, Any]) -> str:
    message = " ".join(str(tree.get("error_message", "")).split())
    if tree.get("error_type") == "parser":
        return f"the query cannot be read: {message}"
    return "only a SELECT can be run; it cannot change anything, and PIVOT is not possible"


def _nodes(tree: Any) -> Iterator[Mapping[str, Any]]:
    """Every object in the parsed query, however deep."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            yield node
            waiting += node.values()
        elif isinstance(node, list):
            waiting += node


def _common_tables(nodes: list[Mapping[str, Any]]) -> Iterator[str]:
    """The names that the query itself defines with WITH."""
    for node in nodes:
        common_tables = node.get("cte_map")
        if isinstance(common_tables, dict):
            yield from (str(entry["key"]) for entry in common_tables.get("map", ()))


def _check_node(node: Mapping[str, Any], tables: set[str]) -> None:
    kind = node.get("type")
    name = str(node.get("table_name", ""))
    if kind == "BASE_TABLE":
        if node.get("catalog_name") or node.get("schema_name") or name.casefold() not in tables:
            raise UseError(f"there is no table {name!r}: the rows of the run are the table 'rows'")
    elif kind == "SHOW_REF" and name:
        raise UseError("SHOW lists nothing here; assay query RUN --schema lists the fields")
    elif kind == "TABLE_FUNCTION":
        function = str(node["function"].get("function_name", ""))
        if function.casefold() not in TABLE_FUNCTIONS:
            raise UseError(f"{function}() is not possible: a query reads only the table 'rows'")
    elif str(node.get("function_name", "")).casefold() in REFUSED_FUNCTIONS:
        raise UseError(f"{node['function_name']}() is not possible in a query")


_OBJECT_BYTES: Final = 1 << 24
"""The size of a line that DuckDB reads by default."""
_NUMBER: Final = '"number of the row"'
_PATTERN: Final = re.compile(r"[*?\[]")


class _Keyed(Struct, frozen=True, gc=False):
    key: str = ""
    schema_version: int = 0


class _Lines(Struct, frozen=True, kw_only=True):
    """What a first reading of the journal shows: it is valid, and these rows count.

    ``fields`` are the fields of the rows and their shapes. ``left_out`` are the numbers of the
    rows that a later row of the same key replaces, or that are not part of the run; the first row
    has the number 1. ``outside`` is the number of cases that are not part of the run.
    ``is_complete`` is false if something follows the last complete line.
    """

    fields: Mapping[str, Shape]
    rows: int
    left_out: list[int]
    outside: int
    longest: int
    is_complete: bool


def open_database(duckdb: Any, *, memory_mb: int) -> Any:
    """A database in memory that never writes to a disk."""
    return duckdb.connect(
        ":memory:",
        config={
            "temp_directory": "",
            "memory_limit": f"{memory_mb}MiB",
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            "allow_community_extensions": "false",
            "python_enable_replacements": "false",
        },
    )


@contextmanager
def plain_path(journal: Path) -> Iterator[Path]:
    """An absolute path of the journal that DuckDB does not take for a pattern."""
    path = journal.resolve()
    if not _PATTERN.search(str(path)):
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="assay-query-") as folder:
        link = Path(folder).resolve() / "rows.jsonl"
        link.symlink_to(path)
        yield link


class RowTable(Struct, frozen=True, kw_only=True):
    """The fields of the view ``rows``, and the number of cases that are not part of the run."""

    fields: list[QueryColumn]
    outside: int


def add_rows(connection: Any, journal: Path, cases: RunCases | None = None) -> RowTable:
    """Create the view ``rows`` of the last row of each case of the run.

    Raises ``JournalCorrupt`` with the number of a line that is not a row.
    """
    lines = _read_lines(journal, RowFilter(cases or RunCases()))
    options = (
        "format='newline_delimited', "
        f"maximum_object_size={max(_OBJECT_BYTES, 2 * lines.longest)}, "
        # an incomplete last line; every other line was checked
        f"ignore_errors={str(not lines.is_complete).lower()}"
    )
    path = quoted_text(str(journal))
    columns = columns_of(lines.fields)
    types = ", ".join(f"{quoted_text(each.name)}: {quoted_text(each.type)}" for each in columns)
    source = f"read_json({path}, {options}, columns={{{types}}})"
    connection.execute(f"CREATE VIEW {TABLE} AS {_view(connection, source, columns, lines)}")
    fields = [field for column in columns for field in column.fields()]
    return RowTable(fields=fields, outside=lines.outside)


def confine(connection: Any, journal: Path) -> None:
    """Allow nothing but reading the journal from now on; this cannot be undone."""
    path = quoted_text(str(journal))
    for setting in (
        f"allowed_paths = [{path}]",
        "enable_external_access = false",
        "lock_configuration = true",
    ):
        connection.execute(f"SET {setting}")


def _view(connection: Any, source: str, columns: Sequence[QueryColumn], lines: _Lines) -> str:
    selected = ", ".join(map(_selected, columns))
    # a line without a key is metadata, or incomplete
    rows = f"SELECT * FROM {source} WHERE key <> ''"  # noqa: S608 - quoted
    if lines.is_complete and not lines.left_out:
        return f"SELECT {selected} FROM ({rows})"  # noqa: S608 - quoted
    connection.execute("CREATE TABLE left_out AS SELECT unnest(?::BIGINT[])", [lines.left_out])
    return (
        f"SELECT {selected} FROM (SELECT *, row_number() OVER () AS {_NUMBER} FROM ({rows})) "  # noqa: S608 - quoted
        f"WHERE {_NUMBER} <= {lines.rows} AND {_NUMBER} NOT IN (FROM left_out)"
    )


def _selected(column: QueryColumn) -> str:
    """A column in the view. Rows of other programs may have no status."""
    name = quoted_name(column.name)
    if column.name != "status":
        return name
    return (
        "CASE WHEN coalesce(schema_version, 0) > 0 THEN status "
        "WHEN error IS NOT NULL THEN 'failed' "
        "ELSE coalesce(nullif(status, ''), 'scored') END AS status"
    )


def _read_lines(journal: Path, chosen: RowFilter) -> _Lines:
    """Read the whole journal, so that anything wrong with it is reported as everywhere else."""
    hashes: list[NDArray[np.int64]] = []
    outside: list[int] = []
    longest = end = count = 0
    shape = RowShape()
    with journal.open("rb") as file:
        for place, (rows,) in scan_journal(journal, _Keyed):
            hashes.append(np.array([hash(row.key) for row in rows], np.int64))
            if len(chosen.rows(rows)) < len(rows):
                numbered = enumerate(rows, count + 1)
                outside += [number for number, row in numbered if not chosen.has(row.key)]
            count += len(rows)
            file.seek(place.start)
            lines = file.read(place.stop - place.start)
            shape.add(lines if place.start else _without_metadata(lines))
            longest = max(longest, len(lines))
            end = place.stop
    hashed = np.concatenate(hashes) if hashes else np.zeros(0, np.int64)
    return _Lines(
        fields=shape.fields,
        rows=len(hashed),
        left_out=sorted({*outside, *_replaced_rows(journal, hashed)}),
        outside=chosen.outside,
        longest=longest,
        is_complete=end == journal.stat().st_size,
    )


def _without_metadata(lines: bytes) -> bytes:
    """The lines without a first line that has no key."""
    first, newline, others = lines.lstrip().partition(b"\n")
    if not first or msgspec.json.decode(first, type=_Keyed).key:
        return lines
    return others if newline else b""


def _replaced_rows(journal: Path, hashed: NDArray[np.int64]) -> list[int]:
    """The numbers of the replaced rows; the journal is read again if there may be any.

    Hashes take a tenth of the memory of the keys. Only keys whose hashes are equal are compared.
    """
    ordered = np.sort(hashed)
    repeated = set(ordered[1:][ordered[1:] == ordered[:-1]].tolist())
    if not repeated:
        return []
    last: dict[str, int] = {}
    replaced = []
    keys = (row.key for _, (rows,) in scan_journal(journal, _Keyed) for row in rows)
    for number, key in enumerate(keys, 1):
        if hash(key) in repeated:
            if key in last:
                replaced.append(last[key])
            last[key] = number
    return replaced
