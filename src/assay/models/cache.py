"""The call cache: each distinct call is paid for once.

One SQLite file (WAL, safe for several processes), keyed by everything that shapes a
response: address, model, messages, parameters, sample number. The value is the provider's
reply as it was sent, with its latency, so that a replayed call is read by today's parser
and carries the time it took. Reads happen where they are needed (microseconds); writes go
through one thread in batches, so that a busy disk or another process never holds up the
event loop. Calls that two cases need at the same moment are made once (single flight).
"""

import asyncio
import hashlib
import queue
import sqlite3
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from assay.errors import Unworkable, UseError
from assay.models.limit import waiting_in_line

_SCHEMA = """
CREATE TABLE IF NOT EXISTS calls (
    key BLOB PRIMARY KEY,
    model TEXT NOT NULL,
    kind TEXT NOT NULL,
    body BLOB NOT NULL,
    latency_s REAL NOT NULL,
    made_at REAL NOT NULL
) WITHOUT ROWID
"""
_BUSY_S = 30.0
_canonical = msgspec.json.Encoder(order="deterministic")


class Recorded(Struct, frozen=True):
    """A reply as it was sent, and how long it took."""

    body: bytes
    latency_s: float


class CacheInfo(Struct, frozen=True, kw_only=True):
    """What a cache holds."""

    path: Path
    calls: int
    bytes_on_disk: int
    by_model: Mapping[str, int]
    oldest: float | None = None
    newest: float | None = None


def call_key(kind: str, base_url: str, request: Mapping[str, Any], sample: int = 0) -> bytes:
    """The key of a call: a hash of all that shapes the response.

    >>> call_key("chat", "http://x", {"a": 1, "b": 2}) == call_key(
    ...     "chat", "http://x", {"b": 2, "a": 1})
    True
    """
    whole = _canonical.encode([kind, base_url, request, sample])
    return hashlib.blake2b(whole, digest_size=16).digest()


class CallCache:
    """An open cache. ``close`` it to be sure that the last calls are on disk."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._reader = _open_to_write(path)
        self._unwritten: dict[bytes, tuple[str, str, Recorded]] = {}
        self._flights: dict[bytes, asyncio.Future[Recorded]] = {}
        self._wanted: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._writer: threading.Thread | None = None
        self._problem: Exception | None = None

    def get(self, key: bytes) -> Recorded | None:
        """The recorded reply, if there is one."""
        waiting = self._unwritten.get(key)
        if waiting is not None:
            return waiting[2]
        try:
            row = self._reader.execute(
                "SELECT body, latency_s FROM calls WHERE key = ?", (key,)
            ).fetchone()
        except sqlite3.Error as error:
            raise Unworkable(_said(self.path, "read", error)) from None
        return Recorded(row[0], row[1]) if row else None

    def put(self, key: bytes, model: str, kind: str, recorded: Recorded) -> None:
        """Record a reply; it is readable at once and on disk soon after."""
        if self._problem is not None:
            raise Unworkable(_said(self.path, "written", self._problem))
        self._unwritten[key] = (model, kind, recorded)
        if self._writer is None:
            self._writer = threading.Thread(target=self._write, name="assay-cache", daemon=True)
            self._writer.start()
        self._wanted.put(key)

    async def call(
        self, key: bytes, model: str, kind: str, make: Callable[[], Awaitable[Recorded]]
    ) -> tuple[Recorded, bool]:
        """The reply for ``key`` and whether it was replayed: recorded, under way, or made now."""
        recorded = self.get(key)
        if recorded is not None:
            return recorded, True
        flight = self._flights.get(key)
        while flight is not None:
            # if the one who makes the call gives up, somebody else has to make it
            try:
                # the call's time is booked as replayed: the wait must not count beside it
                with waiting_in_line():
                    return await asyncio.shield(flight), True
            except asyncio.CancelledError:
                asker = asyncio.current_task()
                if not flight.cancelled() or (asker is not None and asker.cancelling()):
                    raise  # it is this asker who is to end, not only the one who made the call
            flight = self._flights.get(key)
        flight = self._flights[key] = asyncio.get_running_loop().create_future()
        try:
            recorded = await make()
        except BaseException as error:
            if isinstance(error, Exception):
                flight.set_exception(error)
                flight.exception()  # it may be that nobody waits for it
            else:
                flight.cancel()
            raise
        else:
            flight.set_result(recorded)
            self.put(key, model, kind, recorded)
            return recorded, False
        finally:
            del self._flights[key]

    def close(self) -> None:
        """Write what is waiting and let the file go. Safe to call twice."""
        if self._writer is not None:
            self._wanted.put(None)
            self._writer.join()
            self._writer = None
            if self._problem is not None:
                lost = len(self._unwritten)
                sys.stderr.write(
                    f"assay: {_said(self.path, 'written', self._problem)}; {lost} calls are not kept\n"
                )
        self._reader.close()

    def _write(self) -> None:
        try:
            with closing(_connect(self.path)) as connection:
                for keys in _batches(self._wanted):
                    self._write_batch(connection, keys)
        except (sqlite3.Error, OSError) as error:
            self._problem = error

    def _write_batch(self, connection: sqlite3.Connection, keys: list[bytes]) -> None:
        now = time.time()
        taken = {key: self._unwritten[key] for key in keys if key in self._unwritten}
        with connection:
            connection.executemany(
                "INSERT OR REPLACE INTO calls VALUES (?, ?, ?, ?, ?, ?)",
                [
                    (key, model, kind, reply.body, reply.latency_s, now)
                    for key, (model, kind, reply) in taken.items()
                ],
            )
        for key, row in taken.items():
            if self._unwritten.get(key) is row:  # else it was recorded anew meanwhile
                del self._unwritten[key]


def cache_info(path: Path) -> CacheInfo:
    """What the cache at ``path`` holds; an absent one holds nothing."""
    if not path.exists():
        return CacheInfo(path=path, calls=0, bytes_on_disk=0, by_model={})
    with _opened(path, "read") as connection:
        by_model = dict(
            connection.execute("SELECT model, COUNT(*) FROM calls GROUP BY model ORDER BY model")
        )
        oldest, newest = connection.execute(
            "SELECT MIN(made_at), MAX(made_at) FROM calls"
        ).fetchone()
    return CacheInfo(
        path=path,
        calls=sum(by_model.values()),
        bytes_on_disk=path.stat().st_size,
        by_model=by_model,
        oldest=oldest,
        newest=newest,
    )


def prune_cache(path: Path, *, before: float | None = None, model: str | None = None) -> int:
    """Delete calls made before a moment (Unix time) and of a model; both absent: all of them."""
    if not path.exists():
        return 0
    with _opened(path, "pruned") as connection:
        with connection:
            deleted = connection.execute(
                "DELETE FROM calls WHERE (?1 IS NULL OR made_at < ?1)"
                " AND (?2 IS NULL OR model = ?2)",
                (before, model),
            ).rowcount
        connection.execute("VACUUM")
    return deleted


@contextmanager
def _opened(path: Path, purpose: str) -> Iterator[sqlite3.Connection]:
    """The cache's file for a moment; what is wrong with it is one line."""
    try:
        with closing(_connect(path)) as connection:
            yield connection
    except (sqlite3.Error, OSError) as error:
        raise UseError(f"{path}: the call cache cannot be {purpose}: {error}") from None


def _open_to_write(path: Path) -> sqlite3.Connection:
    """A connection to a file that is known to take writes: paid calls must not be lost later."""
    try:
        connection = _connect(path)
        try:
            connection.execute("BEGIN IMMEDIATE")
            # on a read-only file SQLite lets the BEGIN pass and refuses the first change
            connection.execute("DELETE FROM calls WHERE key IS NULL")
            connection.rollback()
        except sqlite3.Error:
            connection.close()
            raise
    except (sqlite3.Error, OSError) as error:
        raise UseError(_said(path, "opened", error)) from None
    return connection


def _connect(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    patience = time.monotonic() + _BUSY_S
    while True:
        connection = sqlite3.connect(path, timeout=_BUSY_S, check_same_thread=False)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(_SCHEMA)
            connection.commit()
        except sqlite3.Error as error:
            connection.close()
            # two processes that turn a new file into WAL at once: SQLite does not wait here
            if "locked" not in str(error) or time.monotonic() > patience:
                raise
            time.sleep(0.02)
        else:
            return connection


def _said(path: Path, purpose: str, error: Exception) -> str:
    return (
        f"{path}: the call cache cannot be {purpose}: {error}; pass --no-call-cache to do without"
    )


def _batches(wanted: "queue.SimpleQueue[bytes | None]") -> Iterator[list[bytes]]:
    """Whatever has gathered, again and again, until ``None`` says that no more will come."""
    while True:
        batch: dict[bytes, None] = {}
        item = wanted.get()
        ended = item is None
        while item is not None:
            batch[item] = None
            try:
                item = wanted.get_nowait()
            except queue.Empty:
                break
            ended = item is None
        if batch:
            yield list(batch)
        if ended:
            return
