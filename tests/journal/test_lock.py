"""One writer a journal."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from assay.errors import JournalLocked
from assay.journal import Journal
from assay.journal.lock import FileLock

HOLD = """
import sys
from pathlib import Path
from assay.journal import Journal
journal = Journal.open(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


def test_a_second_process_is_refused_and_told_who_writes(tmp_path: Path):
    """While another process writes a journal, opening it names that process."""
    path = tmp_path / "a.jsonl"
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(JournalLocked, match=rf"process {holder.pid} on .* since \d{{4}}-"):
            Journal.open(path)
        holder.kill()
    Journal.open(path).close()
    assert [one.name for one in tmp_path.iterdir()] == ["a.jsonl"]


def test_a_second_opening_in_the_same_process_is_refused(tmp_path: Path):
    """Two runs of one program do not mix their rows either."""
    path = tmp_path / "a.jsonl"
    with (
        Journal.open(path),
        pytest.raises(JournalLocked, match=f"process {os.getpid()} .*another name or --out-dir"),
    ):
        Journal.open(path)
    Journal.open(path).close()


def test_a_lock_file_left_by_a_dead_process_is_no_obstacle(tmp_path: Path):
    """Only a living process holds the lock; what it wrote there says nothing."""
    path = tmp_path / "a.jsonl"
    left = tmp_path / "a.jsonl.lock"
    left.write_text("process 999999 on elsewhere since 2020-01-01 00:00:00 UTC, a longer line\n")
    with Journal.open(path):
        said = left.read_text()
        assert said.startswith(f"process {os.getpid()} on ")
        assert said.count("\n") == 1
    assert not left.exists()


def test_a_released_lock_can_be_released_again(tmp_path: Path):
    """Releasing twice does not remove a lock that somebody else has taken since."""
    first = FileLock(tmp_path / "l", tmp_path / "a")
    first.release()
    second = FileLock(tmp_path / "l", tmp_path / "a")
    first.release()
    with pytest.raises(JournalLocked):
        FileLock(tmp_path / "l", tmp_path / "a")
    second.release()


def test_a_corrupt_journal_is_not_left_locked(tmp_path: Path):
    """An opening that fails lets the lock go."""
    path = tmp_path / "a.jsonl"
    path.write_text("garbage\n")
    for _ in range(2):
        with pytest.raises(Exception, match="not a row"):
            Journal.open(path)
    assert [one.name for one in tmp_path.iterdir()] == ["a.jsonl"]
