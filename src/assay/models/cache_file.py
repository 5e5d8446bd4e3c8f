"""The file of the call cache: opened, inspected, pruned, and moved into an encrypted one.

It is one SQLite file in WAL mode, which several processes may use at the same time.
"""

import os
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from assay.config.workspace import make_folder
from assay.errors import CaseError, RunStopped, UseError
from assay.mask import file_mode
from assay.models.reply import read_chat

_LAYOUT = 1
"""The version of a file (``PRAGMA user_version``) that holds no failures as answers."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS calls (
    key BLOB PRIMARY KEY,
    model TEXT NOT NULL,
    kind TEXT NOT NULL,
    body BLOB NOT NULL,
    latency_s REAL NOT NULL,
    made_at REAL NOT NULL
)
"""
"""Replies go to the end of the table, and only its index, with 16 bytes for each, is written in the
random order of the keys. This costs a third of a table in the order of the keys, which files of
earlier versions hold; both are read and written alike."""
_BUSY_S = 30.0


class CacheInfo(Struct, frozen=True, kw_only=True):
    """The size and age of a cache. ``oldest`` and ``newest`` are Unix times, None if it is empty."""

    path: Path
    calls: int
    bytes_on_disk: int
    by_model: Mapping[str, int]
    oldest: float | None = None
    newest: float | None = None


class CacheCipher(Protocol):
    """Encrypts what a cache holds (``assay.redact``)."""

    def name(self, key: bytes) -> bytes:
        """The name under which the call with this key is stored."""

    def seal(self, data: bytes, name: bytes) -> bytes:
        """Encrypt the body of a reply."""

    def unseal(self, data: bytes, name: bytes) -> bytes | None:
        """Decrypt it; ``None`` if it cannot be decrypted with this key."""


def sealed_path(path: Path) -> Path:
    """The file of the encrypted cache that takes the place of the one at ``path``."""
    return path.with_name(f"{path.stem}.sealed{path.suffix}")


def cache_info(path: Path) -> CacheInfo:
    """Read how many calls the cache at ``path`` has, of which models and how old they are.

    A file that does not exist counts as an empty cache.

    Raises:
        UseError: the file cannot be read.
    """
    if not path.exists():
        return CacheInfo(path=path, calls=0, bytes_on_disk=0, by_model={})
    with _connection(path, "read") as connection:
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
    """Delete calls from the cache and return how many were deleted.

    ``before`` (Unix time) restricts the deletion to older calls, ``model`` to the calls of one
    model. Without either, all calls are deleted.

    Raises:
        UseError: the file cannot be changed.
    """
    if not path.exists():
        return 0
    with _connection(path, "pruned") as connection:
        with connection:
            deleted = connection.execute(
                "DELETE FROM calls WHERE (?1 IS NULL OR made_at < ?1)"
                " AND (?2 IS NULL OR model = ?2)",
                (before, model),
            ).rowcount
        connection.execute("VACUUM")
    return deleted


def seal_cache(path: Path, cipher: CacheCipher | None) -> int:
    """Move the calls of the cache at ``path`` into the encrypted one, and return their number.

    Without a ``cipher`` they are only deleted. The plain file is the last one that is removed; a crash
    leaves it, and the next call goes on.
    """
    calls = _moved_calls(path, cipher) if path.exists() else 0
    for ending in ("-wal", "-shm", ""):
        path.with_name(path.name + ending).unlink(missing_ok=True)
    return calls


def _moved_calls(path: Path, cipher: CacheCipher | None) -> int:
    with _connection(path, "read") as plain:
        calls = plain.execute("SELECT COUNT(*) FROM calls").fetchone()[0]
        if cipher is not None:
            with _connection(sealed_path(path), "written") as sealed, sealed:
                sealed.execute(f"PRAGMA user_version = {_LAYOUT}")
                for key, model, kind, body, latency_s, made_at in plain.execute(
                    "SELECT key, model, kind, body, latency_s, made_at FROM calls"
                ):
                    name = cipher.name(key)
                    row = (name, model, kind, cipher.seal(body, name), latency_s, made_at)
                    sealed.execute("INSERT OR REPLACE INTO calls VALUES (?, ?, ?, ?, ?, ?)", row)
    return int(calls)


@contextmanager
def _connection(path: Path, purpose: str) -> Iterator[sqlite3.Connection]:
    """Open the file for the ``with`` block; any failure becomes a one-line ``UseError``."""
    try:
        with closing(connect(path)) as connection:
            yield connection
    except (sqlite3.Error, OSError) as error:
        raise UseError(f"{path}: the call cache cannot be {purpose}: {error}") from None


def open_writable(path: Path) -> sqlite3.Connection:
    """Open the file and check that it can be written, so that no paid call is lost later."""
    try:
        connection = connect(path)
        try:
            connection.execute("BEGIN IMMEDIATE")
            # With a read-only file SQLite accepts BEGIN and refuses only the first change.
            connection.execute("DELETE FROM calls WHERE key IS NULL")
            connection.rollback()
        except sqlite3.Error:
            connection.close()
            raise
    except (sqlite3.Error, OSError) as error:
        raise UseError(problem_text(path, "opened", error)) from None
    return connection


def remove_failures(connection: sqlite3.Connection, path: Path) -> int:
    """Remove chat replies that are no answers, once for a file of an older version; count them.

    Earlier versions recorded an error inside a 200 response as an empty answer.
    """
    try:
        if connection.execute("PRAGMA user_version").fetchone()[0] >= _LAYOUT:
            return 0
        failures = [
            (key,)
            for key, body in connection.execute("SELECT key, body FROM calls WHERE kind = 'chat'")
            if not _is_answer(body)
        ]
        with connection:
            connection.executemany("DELETE FROM calls WHERE key = ?", failures)
            connection.execute(f"PRAGMA user_version = {_LAYOUT}")
    except sqlite3.Error as error:
        raise UseError(problem_text(path, "cleaned", error)) from None
    return len(failures)


def _is_answer(body: bytes) -> bool:
    try:
        read_chat(body)
    except (CaseError, RunStopped):
        return False
    return True


def connect(path: Path) -> sqlite3.Connection:
    """Open the file, and create it if it is not there."""
    make_folder(path.parent)
    with suppress(OSError):  # SQLite says what is wrong
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, file_mode()))
    give_up_at = time.monotonic() + _BUSY_S
    while True:
        connection = sqlite3.connect(path, timeout=_BUSY_S, check_same_thread=False)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(_SCHEMA)
            connection.commit()
        except sqlite3.Error as error:
            connection.close()
            # When two processes switch a new file to WAL at once, SQLite does not wait by itself.
            if "locked" not in str(error) or time.monotonic() > give_up_at:
                raise
            time.sleep(0.02)
        else:
            return connection


def problem_text(path: Path, purpose: str, error: Exception) -> str:
    """What is wrong with the file, and how to do without it."""
    return (
        f"{path}: the call cache cannot be {purpose}: {error}; "
        "pass --no-call-cache to run without it"
    )
