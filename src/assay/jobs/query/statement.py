"""Whether a query is one SELECT over the table ``rows`` and nothing else.

DuckDB parses the query; the check looks at every table and function of the parsed query. The
connection that runs the query cannot reach other files or the network in any case (see
``database.py``): this check makes the message clear and is a second barrier.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from assay.errors import UseError

TABLE: Final = "rows"
TABLE_FUNCTIONS: Final = frozenset({"generate_series", "json_each", "json_tree", "range", "unnest"})
"""Functions that may stand in place of a table. All others can read files, settings or secrets."""
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
