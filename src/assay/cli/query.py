"""``assay query``: SQL over the recorded rows of a run."""

import csv
import io
import os
import resource
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from assay.cli.masked import masked_cells, masked_json
from assay.cli.options import Root, one_of
from assay.cli.output import echo, print_text, write_parts
from assay.cli.overwrite import Output
from assay.cli.privacy import keep_private
from assay.cli.redaction import redacted
from assay.config.workspace import Workspace
from assay.errors import UseError
from assay.report.description import file_line, noted
from assay.report.table.format import formula_safe
from assay.report.table.table import as_grid, json_text, plain_text
from assay.results.find_results import find_results
from assay.study.query import QueryLimits, QueryResult, QueryStuck, query_rows, row_fields
from assay.study.query_shape import QueryColumn
from assay.words.say import say_n

FORMATS = ("table", "csv", "json")
MOST_ROWS: Final = 1000
"""The most rows of a table; CSV and JSON have all rows."""
_BESIDE_MB: Final = 512
"""What the program needs beside the query: to fetch, mask and print rows."""
_THREAD_MB: Final = 16
"""What each thread of DuckDB needs for itself."""


@redacted
def query(
    results: Annotated[
        str, typer.Argument(help="NAME of a past run (see assay list), or its file.")
    ],
    sql: Annotated[
        str | None, typer.Argument(help="One SELECT over the table rows.", show_default=False)
    ] = None,
    form: Annotated[
        str, typer.Option("--format", metavar="|".join(FORMATS), help="Format of the result.")
    ] = "table",
    out: Annotated[
        Path | None, typer.Option("--out", help="Write the result to this file.")
    ] = None,
    timeout: Annotated[
        float, typer.Option("--timeout", min=0.001, help="Seconds allowed for the query.")
    ] = QueryLimits().timeout_s,
    memory: Annotated[
        int, typer.Option("--max-memory", min=256, help="Megabytes allowed for the query.")
    ] = QueryLimits().memory_mb,
    root: Root = None,
    *,
    schema: Annotated[
        bool, typer.Option("--schema", help="List the fields of the table rows instead.")
    ] = False,
) -> None:
    """Run SQL over the last row of each case of a run. Nothing can be changed.

    Rows of the file that are not part of the run are left out, and a line says how many.

    The table is named rows and has a column for each field of a row; fields of an object are
    written with a dot (scores.gold_coverage). No other file and no network can be reached.
    Needs the extra query.
    """
    one_of("--format", form, FORMATS)
    if (sql is None) == (not schema):
        raise UseError("give one SELECT statement, or --schema to list the fields")
    journal = find_results(Workspace.find(root), results)
    output = Output(out, "assay query", root=root, results=[journal])
    limits = QueryLimits(timeout_s=timeout, memory_mb=memory)
    if sql is None:
        titles = (QueryColumn(name="field", type=""), QueryColumn(name="type", type=""))
        listed = ((field.name, field.type) for field in row_fields(journal, limits))
        _show(QueryResult(columns=titles, rows=listed), form, output)
        return
    try:
        with _bounded_memory(memory), query_rows(journal, sql, limits) as result:
            for note in result.notes:
                echo(noted(note), err=True)
            _show(result, form, output)
    except QueryStuck as stuck:
        # DuckDB still computes, and the end of the process would wait for it
        echo(f"assay: {stuck}", err=True)
        sys.stdout.flush()
        os._exit(stuck.exit_code)


@contextmanager
def _bounded_memory(memory_mb: int) -> Iterator[None]:
    """Bound what the process may allocate: DuckDB does not count the texts that a query makes."""
    before = None
    with suppress(OSError, ValueError, IndexError):
        own_bytes = int(Path("/proc/self/statm").read_text().split()[5]) * resource.getpagesize()
        more_mb = memory_mb + _BESIDE_MB + _THREAD_MB * (os.cpu_count() or 1)
        before = resource.getrlimit(resource.RLIMIT_DATA)
        allowed = own_bytes + (more_mb << 20)
        if before[0] == resource.RLIM_INFINITY or allowed < before[0]:
            resource.setrlimit(resource.RLIMIT_DATA, (allowed, before[1]))
    try:
        yield
    except MemoryError:
        raise UseError(
            f"the query needs more than {memory_mb} MB of memory; select fewer columns or rows, or "
            "allow more with --max-memory"
        ) from None
    finally:
        if before is not None:
            resource.setrlimit(resource.RLIMIT_DATA, before)


def _show(result: QueryResult, form: str, output: Output) -> None:
    forms = {"table": _table_parts, "csv": _csv_parts, "json": _json_parts}
    parts = forms[form](result)
    is_masked = form != "table"  # cell by cell, so that it stays JSON and CSV
    if (out := output.path) is not None:
        write_parts(out, parts, is_masked=is_masked)
        output.record()
        keep_private(out)
        echo(file_line("written", out), err=True)
        return
    for part in parts:
        if not print_text(part, is_masked=is_masked):
            return


def _table_parts(result: QueryResult) -> Iterator[str]:
    names = [column.name for column in result.columns]
    rows = list(islice(result.rows, MOST_ROWS))
    yield as_grid(names, rows, width=shutil.get_terminal_size((100, 24)).columns) + "\n"
    if next(result.rows, None) is not None:
        echo(
            say_n(
                "only the first {n} row; --format csv or json has all",
                "only the first {n} rows; --format csv or json has all",
                MOST_ROWS,
            ),
            err=True,
        )


def _csv_parts(result: QueryResult) -> Iterator[str]:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    names = [column.name for column in result.columns]
    writer.writerow(formula_safe(name) for name in masked_cells((), names))
    for row in result.rows:
        writer.writerow(map(_csv_value, masked_cells(names, row)))
        if text.tell() > 1 << 16:
            yield text.getvalue()
            text.seek(0)
            text.truncate()
    yield text.getvalue()


def _csv_value(value: Any) -> Any:
    """Numbers as they are, texts so that no spreadsheet takes them for a formula, else JSON."""
    if value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
        return value
    return formula_safe(value if isinstance(value, str) else plain_text(value))


def _json_parts(result: QueryResult) -> Iterator[str]:
    names = [column.name for column in result.columns]
    _refuse_duplicates(names)
    before = "[\n"
    for row in result.rows:
        yield before + masked_json(json_text(dict(zip(names, row, strict=True))))
        before = ",\n"
    yield "[]\n" if before == "[\n" else "\n]\n"


def _refuse_duplicates(names: list[str]) -> None:
    repeated = next((name for name in names if names.count(name) > 1), None)
    if repeated is not None:
        raise UseError(f"two columns are named {repeated!r}; name one of them with AS for JSON")
