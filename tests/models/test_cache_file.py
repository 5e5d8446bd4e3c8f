"""The file of the cache: concurrent processes, damage, missing write access, info and pruning."""

import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assay.errors import UseError
from assay.models.cache import CallCache, RecordedReply, call_key
from assay.models.cache_file import cache_info, prune_cache

KEY_A = call_key("chat", "http://x", {"a": 1})


@pytest.fixture(name="cache")
def _cache(tmp_path: Path) -> Iterator[CallCache]:
    cache = CallCache(tmp_path / "calls.sqlite")
    yield cache
    cache.close()


EARLIER_TABLE = """
CREATE TABLE calls (
    key BLOB PRIMARY KEY, model TEXT NOT NULL, kind TEXT NOT NULL, body BLOB NOT NULL,
    latency_s REAL NOT NULL, made_at REAL NOT NULL
) WITHOUT ROWID
"""


def test_a_file_in_the_order_of_its_keys_is_read_and_written(tmp_path: Path):
    """Earlier versions wrote such files."""
    path = tmp_path / "calls.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute(EARLIER_TABLE)
        connection.execute("PRAGMA user_version = 1")
        connection.execute("INSERT INTO calls VALUES (?, 'm', 'chat', 'old', 0.5, 1.0)", (KEY_A,))
    connection.close()
    newer = call_key("chat", "http://x", {"b": 1})
    cache = CallCache(path)
    cache.put(newer, "m", "chat", RecordedReply(b"new", 0.5))
    cache.put(KEY_A, "m", "chat", RecordedReply(b"newer", 0.5))
    cache.close()
    cache = CallCache(path)
    assert cache.get(newer) == RecordedReply(b"new", 0.5)
    assert cache.get(KEY_A) == RecordedReply(b"newer", 0.5)
    cache.close()
    assert cache_info(path).calls == 2


WRITER = """
import sys
from pathlib import Path
from assay.models.cache import CallCache, RecordedReply, call_key

path, first, count = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
print("ready", flush=True)
sys.stdin.readline()
cache = CallCache(path)
for number in range(first, first + count):
    key = call_key("chat", "u", {"n": number})
    cache.put(key, sys.argv[2], "chat", RecordedReply(b"reply %d" % number, 0.5))
    assert cache.get(key) is not None
cache.close()
"""


def test_processes_that_write_at_once_lose_nothing(tmp_path: Path):
    """Three processes create and fill one file at the same time, and every call is saved."""
    path = tmp_path / "new" / "calls.sqlite"
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path), str(first), "400"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for first in (0, 200, 400)
    ]
    for writer in writers:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("go\n")
        writer.stdin.flush()
    for writer in writers:
        _, err = writer.communicate(timeout=60)
        assert (writer.returncode, err) == (0, "")
    assert cache_info(path).calls == 800
    cache = CallCache(path)
    for number in range(800):
        recorded = cache.get(call_key("chat", "u", {"n": number}))
        assert recorded is not None
        assert recorded.body == b"reply %d" % number
    cache.close()


def assert_one_line(error: UseError, path: Path) -> None:
    """Check that the error is one line that names the file and the option to avoid the cache."""
    assert str(path) in str(error)
    assert "--no-call-cache" in str(error)
    assert "\n" not in str(error)


def test_a_file_that_is_no_cache_is_one_clear_line(tmp_path: Path):
    """A file that is not a database is reported when it is opened, and is not changed."""
    path = tmp_path / "calls.sqlite"
    path.write_bytes(b"this is no database\n" * 500)
    with pytest.raises(UseError) as caught:
        CallCache(path)
    assert_one_line(caught.value, path)
    assert path.read_bytes() == b"this is no database\n" * 500


def write_damaged_cache(path: Path) -> None:
    """Write a cache whose header is intact and whose later pages are damaged."""
    cache = CallCache(path)
    for number in range(300):
        key = call_key("chat", "u", {"n": number})
        cache.put(key, "m", "chat", RecordedReply(b"r" * 300, 0.1))
    cache.close()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    content = path.read_bytes()
    path.write_bytes(content[:8192] + b"\xff" * (len(content) - 8192))


def read_all(path: Path) -> None:
    """Open the damaged cache and read every call."""
    cache = CallCache(path)
    try:
        for number in range(300):
            cache.get(call_key("chat", "u", {"n": number}))
    finally:
        cache.close()


def test_a_damaged_cache_is_one_clear_line(tmp_path: Path):
    """Damage that shows only when a page is read is reported as one line as well."""
    path = tmp_path / "calls.sqlite"
    write_damaged_cache(path)
    with pytest.raises(UseError) as caught:
        read_all(path)
    assert_one_line(caught.value, path)


@pytest.mark.parametrize("function", [cache_info, prune_cache])
def test_a_damaged_cache_can_be_asked_about_without_a_traceback(function: Any, tmp_path: Path):
    """``cache_info`` and ``prune_cache`` report a damaged file with a ``UseError``."""
    path = tmp_path / "calls.sqlite"
    write_damaged_cache(path)
    with pytest.raises(UseError, match=r"calls\.sqlite"):
        function(path)


def test_a_cache_where_nothing_can_be_written_is_one_clear_line(tmp_path: Path):
    """A folder that cannot be created or written is reported when the cache is opened."""
    locked = tmp_path / "locked"
    locked.mkdir()
    locked.chmod(0o500)
    # The superuser can write anywhere except to /proc.
    folder = Path("/proc/none") if os.geteuid() == 0 else locked
    with pytest.raises(UseError) as caught:
        CallCache(folder / "deeper" / "calls.sqlite")
    assert_one_line(caught.value, folder)


def test_a_read_only_cache_is_told_before_the_first_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """A read-only file is reported when it is opened, before any call is paid for."""
    path = tmp_path / "calls.sqlite"
    CallCache(path).close()
    connect = sqlite3.connect

    def read_only(database: Any, **options: Any) -> sqlite3.Connection:
        return connect(f"file:{database}?mode=ro", uri=True, **options)

    # The superuser may write any file, so SQLite itself opens it read-only.
    monkeypatch.setattr("assay.models.cache_file.sqlite3.connect", read_only)
    with pytest.raises(UseError) as caught:
        CallCache(path).close()
    assert_one_line(caught.value, path)


def test_a_cache_that_breaks_later_says_so(cache: CallCache):
    """After a failed write, the next ``put`` raises an error that names the file."""
    cache.put(KEY_A, "m", "chat", RecordedReply(b"x", 0.1))
    give_up_at = time.monotonic() + 30
    while not cache_info(cache.path).calls:
        assert time.monotonic() < give_up_at, "the first call is never written"
    with sqlite3.connect(cache.path) as other:
        other.execute("DROP TABLE calls")
    other.close()
    cache.put(KEY_A, "m", "chat", RecordedReply(b"y", 0.1))
    assert cache._writer is not None
    cache._writer.join(30)
    with pytest.raises(UseError, match=r"calls\.sqlite: the call cache cannot be written"):
        cache.put(KEY_A, "m", "chat", RecordedReply(b"x", 0.1))


def fill_cache(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write a cache with calls of two models, made at the Unix times 100 and 200."""
    for moment in (100.0, 200.0):
        monkeypatch.setattr("assay.models.cache.time.time", lambda moment=moment: moment)
        cache = CallCache(path)
        for model in ("big", "small"):
            key = call_key("chat", "u", {"model": model, "at": moment})
            cache.put(key, model, "chat", RecordedReply(b"x", 0.1))
        cache.close()


def test_info_counts_by_model_and_age(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """``cache_info`` returns the number of calls per model, and the oldest and newest time."""
    path = tmp_path / "calls.sqlite"
    fill_cache(path, monkeypatch)
    info = cache_info(path)
    assert (info.calls, info.by_model) == (4, {"big": 2, "small": 2})
    assert (info.oldest, info.newest) == (100.0, 200.0)
    assert info.bytes_on_disk > 0


@pytest.mark.parametrize(
    ("chosen", "left"),
    [
        ({}, {}),
        ({"model": "big"}, {"small": 2}),
        ({"before": 150.0}, {"big": 1, "small": 1}),
        ({"before": 150.0, "model": "big"}, {"big": 1, "small": 2}),
        ({"model": "absent"}, {"big": 2, "small": 2}),
    ],
)
def test_pruning_deletes_what_was_chosen(
    chosen: dict[str, Any],
    left: dict[str, int],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
):
    """Calls are deleted by age, by model, by both or all, and the number is returned."""
    path = tmp_path / "calls.sqlite"
    fill_cache(path, monkeypatch)
    assert prune_cache(path, **chosen) == 4 - sum(left.values())
    assert cache_info(path).by_model == left


def test_an_absent_cache_is_empty_and_stays_absent(tmp_path: Path):
    """A cache that does not exist counts as empty, and reading its info does not create it."""
    path = tmp_path / "calls.sqlite"
    assert (cache_info(path).calls, cache_info(path).oldest) == (0, None)
    assert prune_cache(path) == 0
    assert not path.exists()
