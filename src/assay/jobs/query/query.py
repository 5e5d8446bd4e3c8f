"""Run a query over the rows of a run."""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final, Self, TypeVar

from msgspec import Struct

from assay.errors import UseError
from assay.jobs.query.column import QueryColumn
from assay.jobs.query.database import add_rows, confine, open_database, plain_path
from assay.jobs.query.statement import check_statement
from assay.rag.optional_library import optional_library

BATCH: Final = 1000
"""How many rows of a result are fetched at once."""
TURN_S: Final = 0.05
"""How long the main thread waits for DuckDB before it looks for Ctrl+C and the time limit."""
T = TypeVar("T")


class QueryLimits(Struct, frozen=True, kw_only=True):
    """What a query may use: time, and memory for sorting, grouping and joining."""

    timeout_s: float = 300.0
    memory_mb: int = 2048


class QueryResult(Struct, frozen=True, kw_only=True):
    """The columns of a result, and its rows, which are fetched while they are iterated."""

    columns: tuple[QueryColumn, ...]
    rows: Iterator[tuple[Any, ...]]


def row_fields(journal: Path, limits: QueryLimits | None = None) -> list[QueryColumn]:
    """The fields of the table ``rows`` of a journal; those of objects have a dotted name."""
    with _database(limits or QueryLimits()) as (connection, _), plain_path(journal) as path:
        return add_rows(connection, path)


@contextmanager
def query_rows(journal: Path, sql: str, limits: QueryLimits | None = None) -> Iterator[QueryResult]:
    """Run one SELECT over the table ``rows``: the last row of each case in ``journal``.

    Raises ``UseError`` if the query is not a SELECT over this table, is wrong, or exceeds the
    limits; also while the rows of the result are fetched.
    """
    with _database(limits or QueryLimits()) as (connection, run), plain_path(journal) as path:
        check_statement(connection, sql)
        add_rows(connection, path)
        confine(connection, path)
        answer = run(lambda: connection.execute(sql))
        columns = tuple(
            QueryColumn(name=name, type=str(kind)) for name, kind, *_ in answer.description
        )
        yield QueryResult(columns=columns, rows=_fetch(answer, run))


def _fetch(answer: Any, run: "_Worker") -> Iterator[tuple[Any, ...]]:
    while rows := run(lambda: answer.fetchmany(BATCH)):
        yield from rows


@contextmanager
def _database(limits: QueryLimits) -> Iterator[tuple[Any, "_Worker"]]:
    """A database, and a function that runs what may take long.

    Its errors and exceeded limits are reported as ``UseError``.
    """
    duckdb = optional_library("duckdb", "query", "assay query")
    deadline = time.monotonic() + limits.timeout_s
    with (
        open_database(duckdb, memory_mb=limits.memory_mb) as connection,
        _Worker(connection, deadline) as run,
    ):
        try:
            yield connection, run
        except TimeoutError:
            raise UseError(
                f"the query took longer than {limits.timeout_s:g} s; allow more with --timeout"
            ) from None
        except duckdb.OutOfMemoryException:
            raise UseError(
                f"the query needs more than {limits.memory_mb} MB of memory; select fewer columns "
                "or rows, or allow more with --max-memory"
            ) from None
        except duckdb.Error as error:
            raise UseError(f"the query cannot be run: {_first_lines(error)}") from None


class _Worker:
    """Calls DuckDB in a thread: DuckDB does not notice Ctrl+C, but the main thread does."""

    def __init__(self, connection: Any, deadline: float) -> None:
        self._connection = connection
        self._deadline = deadline
        self._calls: SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="assay-query", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._calls.put(None)
        self._thread.join()

    def __call__(self, call: Callable[[], T], /) -> T:
        """The result of ``call``; it is interrupted by Ctrl+C and at the deadline."""
        outcome: Future[T] = Future()
        try:
            self._calls.put((outcome, call))
            self._await(outcome)
            return outcome.result()
        except BaseException:
            # an interrupt before the query has begun has no effect, so it is repeated
            while not (outcome.cancel() or outcome.done()):
                self._connection.interrupt()
                with suppress(KeyboardInterrupt):
                    wait([outcome], timeout=TURN_S)
            raise

    def _await(self, outcome: "Future[Any]") -> None:
        # in short turns: a signal that comes just before a thread waits does not wake it
        while not outcome.done():
            if time.monotonic() > self._deadline:
                raise TimeoutError
            wait([outcome], timeout=TURN_S)

    def _work(self) -> None:
        while (work := self._calls.get()) is not None:
            outcome, call = work
            if outcome.set_running_or_notify_cancel():
                try:
                    outcome.set_result(call())
                except BaseException as error:  # noqa: BLE001 - the caller raises it
                    outcome.set_exception(error)


def _first_lines(error: Exception) -> str:
    """The message of DuckDB in one line, with the names that it suggests."""
    first, *others = str(error).splitlines()
    if "pytz" in first:
        return "a time with a time zone cannot be shown; write ::VARCHAR after it"
    suggested = (line for line in others if line.startswith(("Candidate", "Did you mean")))
    return " ".join(line.strip() for line in (first, *suggested))
