"""Run a query over the rows of a run."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final, Generic, Self, TypeVar

from msgspec import Struct

from assay.errors import UseError
from assay.registry import optional_library
from assay.results.job import JOBS, job_spec_of
from assay.results.run_cases import RunCases, doubt_line, outside_rows, read_run_cases
from assay.runs.summary import read_summary
from assay.runs.write import summary_path
from assay.study.query_database import add_rows, check_statement, confine, open_database, plain_path
from assay.study.query_shape import QueryColumn
from assay.words.message import Message

BATCH: Final = 1000
"""How many rows of a result are fetched at once."""
GIVE_UP_S: Final = 3.0
"""How long DuckDB may take to notice an interrupt. Some of its functions never look for one."""
TURN_S: Final = 0.05
"""How long the main thread waits for DuckDB before it looks for Ctrl+C and the time limit."""
T = TypeVar("T")


class QueryLimits(Struct, frozen=True, kw_only=True):
    """What a query may use: time, and memory for sorting, grouping and joining."""

    timeout_s: float = 300.0
    memory_mb: int = 2048


class QueryStuck(UseError):
    """The query was interrupted and goes on; ``exit_code`` is that of the program."""

    def __init__(self, message: str, *, exit_code: int) -> None:
        super().__init__(message)
        self.exit_code = exit_code


class QueryResult(Struct, frozen=True, kw_only=True):
    """The columns of a result, and its rows, which are fetched while they are iterated.

    ``notes`` say which recorded rows were not asked about.
    """

    columns: tuple[QueryColumn, ...]
    rows: Iterator[tuple[Any, ...]]
    notes: tuple[Message | str, ...] = ()


def row_fields(journal: Path, limits: QueryLimits | None = None) -> list[QueryColumn]:
    """The fields of the table ``rows`` of a journal; those of objects have a dotted name."""
    with _database(limits or QueryLimits()) as (connection, _), plain_path(journal) as path:
        return add_rows(connection, path).fields


@contextmanager
def query_rows(journal: Path, sql: str, limits: QueryLimits | None = None) -> Iterator[QueryResult]:
    """Run one SELECT over the table ``rows``: the last row of each case of the run.

    Raises ``UseError`` if the query is not a SELECT over this table, is wrong, or exceeds the
    limits; also while the rows of the result are fetched.
    """
    with _database(limits or QueryLimits()) as (connection, run), plain_path(journal) as path:
        check_statement(connection, sql)
        cases, doubt = _run_cases(journal)
        table = add_rows(connection, path, cases)
        confine(connection, path)
        answer = run(lambda: connection.execute(sql))
        columns = tuple(
            QueryColumn(name=name, type=str(kind)) for name, kind, *_ in answer.description
        )
        notes = (doubt, outside_rows(table.outside) if table.outside else "")
        yield QueryResult(
            columns=columns, rows=_fetch(answer, run), notes=tuple(filter(None, notes))
        )


def _run_cases(journal: Path) -> tuple[RunCases, Message | str]:
    """The cases of the run, and why they are not certain."""
    summary = read_summary(summary_path(journal))
    job = job_spec_of(summary) if summary is not None and summary.job in JOBS.names() else None
    cases = read_run_cases(journal, summary, job)
    return cases, doubt_line(cases.doubt, summary.questions_path if summary else None)


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
    connection = open_database(duckdb, memory_mb=limits.memory_mb)
    with _Worker(connection, deadline) as run:
        try:
            yield connection, run
        except TimeoutError:
            message = (
                f"the query took longer than {limits.timeout_s:g} s; allow more with --timeout"
            )
            if run.is_stuck:
                raise QueryStuck(message, exit_code=UseError.exit_code) from None
            raise UseError(message) from None
        except KeyboardInterrupt:
            if run.is_stuck:
                raise QueryStuck("the query was interrupted", exit_code=130) from None
            raise
        except duckdb.OutOfMemoryException:
            raise UseError(
                f"the query needs more than {limits.memory_mb} MB of memory; select fewer columns "
                "or rows, or allow more with --max-memory"
            ) from None
        except duckdb.Error as error:
            raise UseError(f"the query cannot be run: {_first_lines(error)}") from None


class _Call(Generic[T]):
    """One call of the worker, and what came of it.

    Ctrl+C may interrupt the main thread at any line. It therefore takes no lock that the worker needs:
    one that is interrupted while it is taken or given back would stay locked.
    """

    def __init__(self, call: Callable[[], T]) -> None:
        self._call: Callable[[], T] = call
        self._value: list[T] = []
        self._error: BaseException | None = None
        self._ended = threading.Lock()
        self._ended.acquire()
        self.is_dropped = False
        self.is_done = False

    def perform(self) -> None:
        """Call, unless nobody wants the result any more."""
        try:
            if not self.is_dropped:
                self._value.append(self._call())
        except BaseException as error:  # noqa: BLE001 - the caller raises it
            self._error = error
        self.is_done = True
        self._ended.release()

    def wait(self) -> None:
        """Wait for the end, but not for long: a signal just before a thread waits does not wake it."""
        if self._ended.acquire(timeout=TURN_S):
            self._ended.release()

    def result(self) -> T:
        """What was returned; or raise what was raised."""
        if self._error is not None:
            raise self._error
        return self._value[0]


class _Worker:
    """Calls DuckDB in a thread: DuckDB does not notice Ctrl+C, but the main thread does.

    ``is_stuck`` says that a call goes on although it was interrupted. The connection is closed at
    the end, unless that would wait for this call.
    """

    def __init__(self, connection: Any, deadline: float) -> None:
        self._connection = connection
        self._deadline = deadline
        self._calls: SimpleQueue[_Call[Any] | None] = SimpleQueue()
        self.is_stuck = False
        self._thread = threading.Thread(target=self._work, name="assay-query", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        if not self.is_stuck:  # otherwise both would wait for the query
            self._calls.put(None)
            self._thread.join()
            self._connection.close()

    def __call__(self, call: Callable[[], T], /) -> T:
        """The result of ``call``; it is interrupted by Ctrl+C and at the deadline."""
        asked = _Call(call)
        try:
            self._calls.put(asked)
            self._await(asked)
            return asked.result()
        except BaseException:
            asked.is_dropped = True
            # an interrupt before the query has begun has no effect, so it is repeated
            until = time.monotonic() + GIVE_UP_S
            while not asked.is_done:
                if time.monotonic() > until:
                    self.is_stuck = True
                    break
                self._connection.interrupt()
                with suppress(KeyboardInterrupt):
                    asked.wait()
            raise

    def _await(self, asked: _Call[Any]) -> None:
        while not asked.is_done:
            if time.monotonic() > self._deadline:
                raise TimeoutError
            asked.wait()

    def _work(self) -> None:
        while (asked := self._calls.get()) is not None:
            asked.perform()


def _first_lines(error: Exception) -> str:
    """The message of DuckDB in one line, with the names that it suggests."""
    first, *others = str(error).splitlines()
    if "pytz" in first:
        return "a time with a time zone cannot be shown; write ::VARCHAR after it"
    suggested = (line for line in others if line.startswith(("Candidate", "Did you mean")))
    text = " ".join(line.strip() for line in (first, *suggested))
    # the query and the values of rows may contain escape sequences for a terminal
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)
