"""The summary next to a journal: it is always complete and never deleted."""

import os
from pathlib import Path
from typing import Any

import pytest

from assay import __version__
from assay.errors import JournalError, JournalWriteFailed
from assay.journal import summary as module
from assay.journal.summary import (
    Summary,
    read_summary,
    set_aside,
    start_summary,
    summary_path,
    write_atomically,
    write_summary,
)
from assay.records import RunHeader, Tally, Variant

HEADER = RunHeader(
    job="ablation",
    name="a",
    system="sys",
    variants=(Variant(name="v", settings={"x": 1}),),
    total=3,
)


def test_a_summary_comes_back_as_it_was_written(tmp_path: Path):
    """Header, tally and results are unchanged after writing and reading."""
    summary = Summary(
        **{name: getattr(start_summary(HEADER), name) for name in RunHeader.__struct_fields__},
        state="partial",
        tally=Tally(scored=1, failed=1),
        paid=0.25,
        results={"v": {"rate": None}},
    )
    path = tmp_path / "a.json"
    write_summary(path, summary)
    assert read_summary(path) == summary
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]


def test_a_started_summary_says_when_and_with_what(tmp_path: Path):
    """The start time and the versions are added to the header."""
    summary = start_summary(HEADER)
    assert summary.state == "running"
    assert summary.assay_version == __version__
    assert summary.python_version
    assert summary.started_at.endswith("Z")
    assert summary.total == 3


def test_the_experiment_is_named_as_in_the_seed_format(tmp_path: Path):
    """The file has the field ``experiment_name``, and its text is not escaped."""
    path = tmp_path / "a.json"
    write_summary(
        path, start_summary(RunHeader(job="j", name="опыт", system="s", variants=(), total=0))
    )
    assert '"experiment_name": "опыт"' in path.read_text(encoding="utf-8")


def test_an_absent_summary_is_none_and_a_broken_one_is_refused(tmp_path: Path):
    """A missing file gives ``None``; a file that is not a summary is an error."""
    path = tmp_path / "a.json"
    assert read_summary(path) is None
    for broken in (b"{", b'{"job": 5}', b"\xff"):
        path.write_bytes(broken)
        with pytest.raises(JournalError, match=r"a\.json: not a summary of a run"):
            read_summary(path)


@pytest.mark.parametrize("failing", ["fsync", "replace"])
def test_a_failed_write_leaves_the_old_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
):
    """If a write fails, the old content stays and no temporary file is left."""
    path = tmp_path / "a.json"
    write_atomically(path, b"old")

    def broken(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    if failing == "fsync":
        monkeypatch.setattr(os, "fsync", broken)
    else:
        monkeypatch.setattr(Path, "replace", broken)
    with pytest.raises(JournalWriteFailed, match="cannot be written: No space left on device"):
        write_atomically(path, b"new")
    monkeypatch.undo()
    assert path.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]


def test_the_new_text_is_durable_before_it_takes_the_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The new content is synced to disk before the file is renamed."""
    steps: list[str] = []
    real_fsync, real_replace = os.fsync, Path.replace
    monkeypatch.setattr(os, "fsync", lambda fd: (steps.append("fsync"), real_fsync(fd))[1])
    monkeypatch.setattr(
        Path, "replace", lambda self, to: (steps.append("replace"), real_replace(self, to))[1]
    )
    write_atomically(tmp_path / "a.json", b"new")
    assert steps[:2] == ["fsync", "replace"]


def test_all_files_of_a_run_are_set_aside(tmp_path: Path):
    """Journal, summary and ``.torn`` file are renamed and keep their content."""
    journal = tmp_path / "a.jsonl"
    for path in (journal, summary_path(journal), tmp_path / "a.jsonl.torn", tmp_path / "b.jsonl"):
        path.write_text(path.name)
    moved = set_aside(journal)
    assert [path.read_text() for path in moved] == ["a.jsonl", "a.json", "a.jsonl.torn"]
    assert all(path.name.endswith(".old") for path in moved)
    assert {path.name for path in tmp_path.iterdir()} == {"b.jsonl", *(path.name for path in moved)}


def test_what_was_set_aside_is_never_overwritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Setting results aside several times in one second keeps every old file."""

    class Frozen(module.datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            """Return always the same second."""
            return module.datetime(2024, 1, 2, 3, 4, 5, tzinfo=tz)

    frozen = Frozen
    monkeypatch.setattr(module, "datetime", frozen)
    journal = tmp_path / "a.jsonl"
    for number in range(4):
        journal.write_text(str(number))
        set_aside(journal)
    assert sorted(path.read_text() for path in tmp_path.iterdir()) == ["0", "1", "2", "3"]
    assert "a.jsonl.20240102T030405Z.old" in {path.name for path in tmp_path.iterdir()}


def test_nothing_to_set_aside_is_fine(tmp_path: Path):
    """Setting aside a run that does not exist does nothing."""
    assert set_aside(tmp_path / "a.jsonl") == []
    assert list(tmp_path.iterdir()) == []
