"""A journal has only one writer at a time."""

import errno
import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from assay.errors import JournalLocked, JournalReadOnly
from assay.runs.write import FileLock, Journal

HOLD = """
import sys
from pathlib import Path
from assay.runs.write import Journal
journal = Journal.open(Path(sys.argv[1]))
print("locked", flush=True)
sys.stdin.read()
"""


def test_a_second_process_is_refused_and_told_who_writes(tmp_path: Path):
    """While another process writes a journal, opening it names that process."""
    path = tmp_path / "a.jsonl"
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "locked\n"
        with pytest.raises(JournalLocked, match=rf"process {writer.pid} on .* since \d{{4}}-"):
            Journal.open(path)
        writer.kill()
    Journal.open(path).close()
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]


def test_a_second_opening_in_the_same_process_is_refused(tmp_path: Path):
    """A journal cannot be opened twice in one process either."""
    path = tmp_path / "a.jsonl"
    with (
        Journal.open(path),
        pytest.raises(JournalLocked, match=f"process {os.getpid()} .*another name or --out"),
    ):
        Journal.open(path)
    Journal.open(path).close()


def test_a_lock_file_left_by_a_dead_process_is_no_obstacle(tmp_path: Path):
    """A lock file of a process that has ended does not block a new writer."""
    path = tmp_path / "a.jsonl"
    lock_file = tmp_path / "a.jsonl.lock"
    lock_file.write_text(
        "process 999999 on elsewhere since 2020-01-01 00:00:00 UTC, a longer line\n"
    )
    with Journal.open(path):
        content = lock_file.read_text()
        assert content.startswith(f"process {os.getpid()} on ")
        assert content.count("\n") == 1
    assert not lock_file.exists()


def test_a_released_lock_can_be_released_again(tmp_path: Path):
    """Releasing a lock twice does not release the lock of a later owner."""
    first = FileLock(tmp_path / "l", tmp_path / "a")
    first.release()
    second = FileLock(tmp_path / "l", tmp_path / "a")
    first.release()
    with pytest.raises(JournalLocked):
        FileLock(tmp_path / "l", tmp_path / "a")
    second.release()


def test_a_corrupt_journal_is_not_left_locked(tmp_path: Path):
    """If opening a journal fails, its lock is released."""
    path = tmp_path / "a.jsonl"
    path.write_text("garbage\n")
    for _ in range(2):
        with pytest.raises(Exception, match="not a row"):
            Journal.open(path)
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOLCK, r"no locks \(ENOLCK\)"),
        (errno.EMFILE, r"too many open files \(EMFILE\)"),
        (errno.EIO, "Input/output error"),
    ],
)
def test_a_lock_that_cannot_be_had_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, words: str
):
    """It is not taken for a lock that another run holds."""

    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(fcntl, "flock", refuse)
    with pytest.raises(JournalReadOnly, match=words):
        Journal.open(tmp_path / "a.jsonl")


@pytest.mark.parametrize(
    ("number", "words"),
    [(errno.ENOSPC, "the disk is full"), (errno.EMFILE, "too many open files")],
)
def test_a_lock_file_that_cannot_be_made_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, words: str
):
    """A full disk or a missing descriptor is one line."""

    def refuse(*_: object, **__: object) -> int:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(JournalReadOnly, match=words):
        Journal.open(tmp_path / "a.jsonl")
