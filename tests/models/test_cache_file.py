"""The cache's file: written by several processes, damaged, read-only, looked at and pruned."""

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
from assay.models.cache import CallCache, RecordedReply, cache_info, call_key, prune_cache

KEY_A = call_key("chat", "http://x", {"a": 1})


@pytest.fixture(name="cache")
def _cache(tmp_path: Path) -> Iterator[CallCache]:
    cache = CallCache(tmp_path / "calls.sqlite")
    yield cache
    cache.close()


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
    """Three processes open, create and fill one file at the same time; every call is kept."""
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


def one_line(error: UseError, path: Path) -> None:
    """The error is one line that names the file and the way out."""
    assert str(path) in str(error)
    assert "--no-call-cache" in str(error)
    assert "\n" not in str(error)


def test_a_file_that_is_no_cache_is_one_clear_line(tmp_path: Path):
    """Garbage in place of the database is told before any call, and is left as it is."""
    path = tmp_path / "calls.sqlite"
    path.write_bytes(b"this is no database\n" * 500)
    with pytest.raises(UseError) as caught:
        CallCache(path)
    one_line(caught.value, path)
    assert path.read_bytes() == b"this is no database\n" * 500


def damaged(path: Path) -> None:
    """A cache whose head is whole and whose pages are not."""
    cache = CallCache(path)
    for number in range(300):
        key = call_key("chat", "u", {"n": number})
        cache.put(key, "m", "chat", RecordedReply(b"r" * 300, 0.1))
    cache.close()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    whole = path.read_bytes()
    path.write_bytes(whole[:8192] + b"\xff" * (len(whole) - 8192))


def read_all(path: Path) -> None:
    """Open the damaged cache and ask it for everything."""
    cache = CallCache(path)
    try:
        for number in range(300):
            cache.get(call_key("chat", "u", {"n": number}))
    finally:
        cache.close()


def test_a_damaged_cache_is_one_clear_line(tmp_path: Path):
    """Damage found only when a page is read is told like damage found at once."""
    path = tmp_path / "calls.sqlite"
    damaged(path)
    with pytest.raises(UseError) as caught:
        read_all(path)
    one_line(caught.value, path)


@pytest.mark.parametrize("look", [cache_info, prune_cache])
def test_a_damaged_cache_can_be_asked_about_without_a_traceback(look: Any, tmp_path: Path):
    """``assay cache info`` and ``prune`` say what is wrong in our own words."""
    path = tmp_path / "calls.sqlite"
    damaged(path)
    with pytest.raises(UseError, match=r"calls\.sqlite"):
        look(path)


def test_a_cache_where_nothing_can_be_written_is_one_clear_line(tmp_path: Path):
    """A folder that cannot be made or written is told before any call."""
    locked = tmp_path / "locked"
    locked.mkdir()
    locked.chmod(0o500)
    # the superuser writes anywhere, but not into /proc
    folder = Path("/proc/none") if os.geteuid() == 0 else locked
    with pytest.raises(UseError) as caught:
        CallCache(folder / "deeper" / "calls.sqlite")
    one_line(caught.value, folder)


def test_a_read_only_cache_is_told_before_the_first_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """A file that can be read but not written must not turn paid calls into failures later."""
    path = tmp_path / "calls.sqlite"
    CallCache(path).close()
    connect = sqlite3.connect

    def read_only(place: Any, **options: Any) -> sqlite3.Connection:
        return connect(f"file:{place}?mode=ro", uri=True, **options)

    # the superuser may write any file, so the mode is asked for when it is opened
    monkeypatch.setattr("assay.models.cache.sqlite3.connect", read_only)
    with pytest.raises(UseError) as caught:
        CallCache(path).close()
    one_line(caught.value, path)


def test_a_cache_that_breaks_later_says_so(cache: CallCache):
    """A write that fails is told by the next one, naming the file."""
    cache.put(KEY_A, "m", "chat", RecordedReply(b"x", 0.1))
    patience = time.monotonic() + 30
    while not cache_info(cache.path).calls:
        assert time.monotonic() < patience, "the first call is never written"
    with sqlite3.connect(cache.path) as other:
        other.execute("DROP TABLE calls")
    other.close()
    cache.put(KEY_A, "m", "chat", RecordedReply(b"y", 0.1))
    assert cache._writer is not None
    cache._writer.join(30)
    with pytest.raises(UseError, match=r"calls\.sqlite: the call cache cannot be written"):
        cache.put(KEY_A, "m", "chat", RecordedReply(b"x", 0.1))


def filled(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache with calls of two models, made at 100 s and at 200 s of Unix time."""
    for moment in (100.0, 200.0):
        monkeypatch.setattr("assay.models.cache.time.time", lambda moment=moment: moment)
        cache = CallCache(path)
        for model in ("big", "small"):
            key = call_key("chat", "u", {"model": model, "at": moment})
            cache.put(key, model, "chat", RecordedReply(b"x", 0.1))
        cache.close()


def test_info_counts_by_model_and_age(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """How many calls, of which models, since when."""
    path = tmp_path / "calls.sqlite"
    filled(path, monkeypatch)
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
    """By age, by model, by both, or all; it says how many."""
    path = tmp_path / "calls.sqlite"
    filled(path, monkeypatch)
    assert prune_cache(path, **chosen) == 4 - sum(left.values())
    assert cache_info(path).by_model == left


def test_an_absent_cache_is_empty_and_stays_absent(tmp_path: Path):
    """Asking about a cache does not make one."""
    path = tmp_path / "calls.sqlite"
    assert (cache_info(path).calls, cache_info(path).oldest) == (0, None)
    assert prune_cache(path) == 0
    assert not path.exists()
