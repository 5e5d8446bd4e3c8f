"""The call cache: each distinct call is paid for only once.

The cache is one SQLite file in WAL mode, which several processes may use at the same time. The
key covers everything that affects the response: address, model, messages, parameters, sample
number and draw. The value is the body that the provider sent, with its latency. A replayed call is
therefore parsed by the current parser and reports the time that the original call took.

Reads take microseconds and happen on the calling thread. Writes are done in batches by one
background thread, so that a busy disk or another process never blocks the event loop: what was
recorded within a twentieth of a second goes to disk together, because the two threads would take
the interpreter from each other at every row. ``kill -9`` loses no more than that. If two cases need
the same call at the same time, it is made only once (single flight).
"""

import asyncio
import hashlib
import sqlite3
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import closing
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from assay.errors import Unworkable
from assay.mask import mask_secrets
from assay.models.cache_file import (
    CacheCipher,
    connect,
    open_writable,
    problem_text,
    remove_failures,
)
from assay.models.limit import waiting_for_another
from assay.text.width import counted

_ROWS_AT_ONCE = 100
"""Rows of one statement; every statement costs a change between threads."""
WRITE_EVERY_S = 0.05
"""How long recorded replies are collected before they are written."""
_canonical = msgspec.json.Encoder(order="deterministic")


current_draw: ContextVar[int] = ContextVar("current_draw", default=1)
"""The number of the draw that is asked now (``--runs``): later draws make calls of their own."""


class RecordedReply(Struct, frozen=True):
    """The body of a reply as the provider sent it, and the seconds that the call took."""

    body: bytes
    latency_s: float


def call_key(
    kind: str,
    base_url: str,
    request: Mapping[str, Any],
    sample: int = 0,
    route: Mapping[str, str] | None = None,
) -> bytes:
    """The key of a call: a hash of everything that affects the response.

    ``sample`` is the number of a repeated call. ``route`` holds what else decides who replies, such
    as headers. The order of the keys in ``request`` and ``route`` does not matter. A call of a later
    draw of a question has a key of its own (see ``current_draw``).

    >>> call_key("chat", "http://x", {"a": 1, "b": 2}) == call_key(
    ...     "chat", "http://x", {"b": 2, "a": 1})
    True
    """
    draw = current_draw.get()
    number = sample if draw == 1 else [sample, draw]
    parts = [kind, base_url, request, number, *([route] if route else [])]
    content = _canonical.encode(parts)
    return hashlib.blake2b(content, digest_size=16).digest()


class CallCache:
    """An open cache. Call ``close`` to make sure that the last calls are on disk.

    With a ``cipher`` bodies are encrypted, and keys are hashed with its secret.
    """

    def __init__(self, path: Path, cipher: CacheCipher | None = None) -> None:
        self.path = path
        self._cipher = cipher
        self._reader = open_writable(path)
        removed = remove_failures(self._reader, path)
        if removed:
            replies = counted(
                removed, "recorded reply was a failure", "recorded replies were failures"
            )
            sys.stderr.write(
                f"assay: {path}: {replies} of the provider and removed; such calls are made again\n"
            )
        self._unwritten: dict[bytes, tuple[str, str, RecordedReply]] = {}
        self._flights: dict[bytes, asyncio.Future[RecordedReply]] = {}
        self._has_unwritten = threading.Event()
        self._closing = threading.Event()
        self._writer: threading.Thread | None = None
        self._problem: Exception | None = None

    def get(self, key: bytes) -> RecordedReply | None:
        """Return the recorded reply, or None if the call is not in the cache.

        Raises:
            Unworkable: the file cannot be read.
        """
        unwritten = self._unwritten.get(key)
        if unwritten is not None:
            return unwritten[2]
        name = self._name(key)
        try:
            row = self._reader.execute(
                "SELECT body, latency_s FROM calls WHERE key = ?", (name,)
            ).fetchone()
        except sqlite3.Error as error:
            raise Unworkable(problem_text(self.path, "read", error)) from None
        if not row:
            return None
        body = row[0] if self._cipher is None else self._cipher.unseal(row[0], name)
        return None if body is None else RecordedReply(body, row[1])

    def _name(self, key: bytes) -> bytes:
        return key if self._cipher is None else self._cipher.name(key)

    def _row(self, key: bytes, body: bytes) -> tuple[bytes, bytes]:
        """The name and the body of a call as they are stored."""
        name = self._name(key)
        return name, body if self._cipher is None else self._cipher.seal(body, name)

    def put(self, key: bytes, model: str, kind: str, recorded: RecordedReply) -> None:
        """Record a reply. It can be read at once and is on disk a moment later (``WRITE_EVERY_S``).

        Raises:
            Unworkable: an earlier write failed, so nothing more can be recorded.
        """
        if self._problem is not None:
            raise Unworkable(problem_text(self.path, "written", self._problem))
        masked = mask_secrets(recorded.body)  # a reply with tags could not be judged
        if masked is not recorded.body:
            recorded = RecordedReply(masked, recorded.latency_s)
        self._unwritten[key] = (model, kind, recorded)
        if self._writer is None:
            self._writer = threading.Thread(target=self._write, name="assay-cache", daemon=True)
            self._writer.start()
        if not self._has_unwritten.is_set():
            self._has_unwritten.set()

    def forget(self, key: bytes, recorded: RecordedReply) -> None:
        """Remove a reply that is not usable, unless another one has taken its place.

        Raises:
            Unworkable: the file cannot be changed.
        """
        unwritten = self._unwritten.get(key)
        if unwritten is not None and unwritten[2] is recorded:
            del self._unwritten[key]
        try:
            with self._reader:
                if self._cipher is None:
                    self._reader.execute(
                        "DELETE FROM calls WHERE key = ? AND body = ?", (key, recorded.body)
                    )
                else:
                    self._reader.execute("DELETE FROM calls WHERE key = ?", (self._name(key),))
        except sqlite3.Error as error:
            raise Unworkable(problem_text(self.path, "changed", error)) from None

    async def call(
        self, key: bytes, model: str, kind: str, make: Callable[[], Awaitable[RecordedReply]]
    ) -> tuple[RecordedReply, bool]:
        """Return the reply for ``key``, and whether it was replayed.

        If the reply is recorded, it is returned. If another task is making the same call, its
        reply is awaited; this counts as replayed too. Otherwise ``make`` makes the call, and the
        reply is recorded.
        """
        recorded = self.get(key)
        if recorded is not None:
            return recorded, True
        flight = self._flights.get(key)
        has_waited = False
        while flight is not None:
            # If the task that makes the call is cancelled, another task has to make the call.
            try:
                with waiting_for_another(again=has_waited):
                    return await asyncio.shield(flight), True
            except asyncio.CancelledError:
                task = asyncio.current_task()
                if not flight.cancelled() or (task is not None and task.cancelling()):
                    raise  # this task itself is cancelled, not only the one that makes the call
            has_waited = True
            recorded = self.get(key)  # another task may have made the call meanwhile
            if recorded is not None:
                return recorded, True
            flight = self._flights.get(key)
        flight = self._flights[key] = asyncio.get_running_loop().create_future()
        try:
            recorded = await make()
        except BaseException as error:
            if isinstance(error, Exception):
                flight.set_exception(error)
                flight.exception()  # marks it as retrieved: perhaps no other task waits for it
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
        """Write the remaining calls to disk and close the file. Safe to call twice.

        If the calls cannot be written, a warning on stderr says how many are lost.
        """
        if self._writer is not None:
            self._closing.set()
            self._has_unwritten.set()
            self._writer.join()
            self._writer = None
            if self._problem is not None:
                lost = len(self._unwritten)
                problem = problem_text(self.path, "written", self._problem)
                sys.stderr.write(
                    f"assay: {problem}; {counted(lost, 'call was', 'calls were')} not saved\n"
                )
        self._reader.close()

    def _write(self) -> None:
        try:
            with closing(connect(self.path)) as connection:
                is_last = False
                while not is_last:
                    self._has_unwritten.wait()
                    self._has_unwritten.clear()  # first: what comes later needs another batch
                    is_last = self._closing.wait(WRITE_EVERY_S)
                    self._write_batch(connection)
        except (sqlite3.Error, OSError) as error:
            self._problem = error

    def _write_batch(self, connection: sqlite3.Connection) -> None:
        now = time.time()
        batch = self._unwritten.copy()
        rows = sorted(
            (name, model, kind, body, reply.latency_s, now)
            for key, (model, kind, reply) in batch.items()
            for name, body in (self._row(key, reply.body),)
        )
        with connection:
            for start in range(0, len(rows), _ROWS_AT_ONCE):
                part = rows[start : start + _ROWS_AT_ONCE]
                places = ", ".join(["(?, ?, ?, ?, ?, ?)"] * len(part))
                connection.execute(
                    f"INSERT OR REPLACE INTO calls VALUES {places}",  # noqa: S608 - only places
                    [value for row in part for value in row],
                )
        for key, row in batch.items():
            if self._unwritten.get(key) is row:  # otherwise a newer reply has replaced it
                del self._unwritten[key]
