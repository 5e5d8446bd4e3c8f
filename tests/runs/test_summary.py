"""The summary next to a journal: it is always complete and never deleted."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assay import __version__
from assay.errors import DatasetError, JournalError, JournalTooNew, JournalWriteFailed
from assay.mask import add_secrets
from assay.records import SCHEMA_VERSION, RunHeader, Tally, Variant
from assay.runs import summary as module
from assay.runs.summary import (
    Summary,
    read_summary,
    set_aside,
    start_summary,
    write_atomically,
    write_summary,
)

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
        tally=Tally(scored=1, answered=2, failed=1),
        paid=0.25,
        judge_paid=0.125,
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


def test_a_summary_of_the_first_version_is_read(tmp_path: Path):
    """Fields that version 1 did not have are unknown: no judging, no answered cases."""
    path = tmp_path / "a.json"
    write_summary(path, start_summary(HEADER))
    fields = json.loads(path.read_text())
    for name in ("judging", "judge_paid"):
        del fields[name]
    del fields["tally"]["answered"]
    for version in ({"schema_version": 1}, {}):
        del fields["schema_version"]
        fields |= version
        path.write_text(json.dumps(fields))
        summary = read_summary(path)
        assert summary is not None
        assert (summary.judging, summary.judge_paid, summary.tally.answered) == ("", None, 0)
        assert summary.schema_version == version.get("schema_version", SCHEMA_VERSION)
        fields.setdefault("schema_version", 1)


@pytest.mark.parametrize("change", [{}, {"state": "postponed"}, {"variants": 3}, {"total": "many"}])
def test_a_newer_summary_is_refused_by_name(tmp_path: Path, change: dict[str, Any]):
    """The message names the file and both versions, even if the content cannot be read."""
    path = tmp_path / "a.json"
    write_summary(path, start_summary(HEADER))
    fields = json.loads(path.read_text()) | {"schema_version": SCHEMA_VERSION + 1} | change
    path.write_text(json.dumps(fields))
    with pytest.raises(JournalTooNew) as caught:
        read_summary(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: was written by a newer version of assay")
    assert f"layout {SCHEMA_VERSION + 1}" in message
    assert f"up to {SCHEMA_VERSION}" in message


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
    with pytest.raises(JournalWriteFailed, match="cannot be written: the disk is full"):
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


def test_a_text_may_be_written_in_parts(tmp_path: Path):
    """Parts are written as they come, under the name only when all are there."""
    path = tmp_path / "a.json"
    is_there: list[bool] = []

    def parts() -> Iterator[bytes]:
        for part in (b"one\n", b"two\n"):
            is_there.append(path.exists())
            yield part

    write_atomically(path, parts())
    assert path.read_bytes() == b"one\ntwo\n"
    assert is_there == [False, False]


def test_parts_that_fail_leave_the_old_text(tmp_path: Path):
    """If making the parts fails, the error is raised, and no temporary file is left."""
    path = tmp_path / "a.json"
    write_atomically(path, b"old")

    def parts() -> Iterator[bytes]:
        yield b"new"
        raise DatasetError("questions.jsonl:3: not so")

    with pytest.raises(DatasetError, match="not so"):
        write_atomically(path, parts())
    assert path.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]


def test_all_files_of_a_run_are_set_aside(tmp_path: Path):
    """Every file that belongs to the run is renamed and keeps its content."""
    journal = tmp_path / "a.jsonl"
    names = [
        "a.jsonl",
        "a.json",
        "a.plan.jsonl",
        "a.verdicts.jsonl",
        "a.jsonl.torn",
        "a.verdicts.jsonl.torn",
    ]
    for name in (*names, "b.jsonl"):
        (tmp_path / name).write_text(name)
    moved = set_aside(journal)
    assert sorted(path.read_text() for path in moved) == sorted(names)
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


def test_a_file_that_is_written_has_no_known_secret(tmp_path: Path):
    """Results that a job writes itself pass the same door as the summary."""
    add_secrets(["sk-summary-0123456789"])
    text = b'{"answer": "sk-summary-0123456789"}'
    write_atomically(tmp_path / "a.json", text)
    write_atomically(tmp_path / "b.jsonl", [text, b"\n", text])
    for path in tmp_path.iterdir():
        assert b"sk-summary" not in path.read_bytes()
