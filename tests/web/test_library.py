"""Which runs are shown, and when they are read again."""

import os
from pathlib import Path

import pytest

from assay.errors import UseError
from assay.runs.write import locked_journal
from assay.study.history import past_runs
from assay.web.library import Library
from tests.support.journal import failed, judged, write_rows
from tests.support.page import write_study


def test_the_runs_of_a_workspace_are_found_in_its_folders(tmp_path: Path):
    """Questions and chunks are no runs, and neither are plans."""
    write_study(tmp_path / "experiments" / "a.jsonl")
    write_study(tmp_path / "eval" / "runs" / "b.rows.jsonl")
    write_study(tmp_path / "c.jsonl")
    (tmp_path / "questions.jsonl").write_text('{"id": "q", "question": "?"}\n')
    (tmp_path / "experiments" / "a.plan.jsonl").write_text("{}\n")
    assert set(Library(tmp_path).journals()) == {"experiments/a", "eval/runs/b.rows", "c"}


def test_runs_in_folders_of_experiments_are_found(tmp_path: Path):
    """Some levels down, under the names of their folders; other files and links are none."""
    folder = tmp_path / "experiments"
    write_study(folder / "may" / "a.jsonl")
    write_study(folder / "may" / "deep" / "er" / "b.jsonl")
    write_study(folder / "may" / "deep" / "er" / "too" / "c.jsonl")
    write_study(folder / ".hidden" / "d.jsonl")
    (folder / "may" / "notes.jsonl").write_text('{"id": 1}\n')
    (folder / "linked").symlink_to(folder / "may")
    library = Library(tmp_path)
    names = {run_id: library.card(run_id, path).name for run_id, path in library.journals().items()}
    assert names == {"experiments/may/a": "may/a", "experiments/may/deep/er/b": "may/deep/er/b"}


def test_what_is_no_file_is_no_run(tmp_path: Path):
    """Reading a pipe would wait for ever."""
    write_study(tmp_path / "experiments" / "a.jsonl")
    os.mkfifo(tmp_path / "experiments" / "pipe.jsonl")
    assert set(Library(tmp_path).journals()) == {"experiments/a"}
    assert [run.name for run in past_runs(tmp_path / "experiments")] == ["a"]


def test_a_run_whose_cases_were_all_asked_has_ended(tmp_path: Path):
    """Also if some failed; it did not stop early."""
    rows = [judged("q1", "on", 1.0), failed("q2", "on")]
    journal = write_study(tmp_path / "experiments" / "a.jsonl", rows)
    summary = journal.with_suffix(".json")
    summary.write_text(summary.read_text().replace('"total": 0', '"total": 2'))
    card = Library(tmp_path).card("experiments/a", journal)
    assert (card.state, card.counts.failed) == ("ended", 1)


def test_files_that_are_named_are_shown_too(tmp_path: Path):
    """Each once, under a name that is not taken."""
    inside = write_study(tmp_path / "ws" / "experiments" / "a.jsonl")
    first = write_study(tmp_path / "one" / "x.jsonl")
    second = write_study(tmp_path / "two" / "x.jsonl")
    library = Library(tmp_path / "ws", [inside, first, second])
    assert set(library.journals()) == {"experiments/a", "x", "x-2"}
    assert library.open("x-2").path == second


def test_a_run_that_is_not_there_is_told(tmp_path: Path):
    """Also after it was deleted."""
    journal = write_study(tmp_path / "experiments" / "a.jsonl")
    library = Library(tmp_path)
    library.open("experiments/a")
    journal.unlink()
    with pytest.raises(UseError, match="no run"):
        library.open("experiments/a")


def test_an_open_run_is_not_read_again_unless_it_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """A run that goes on is read again, but not at every request."""
    journal = write_study(tmp_path / "experiments" / "a.jsonl")
    library = Library(tmp_path)
    index = library.open("experiments/a")
    assert library.open("experiments/a") is index
    monkeypatch.setattr("assay.web.library.PAUSE", 1e9)
    write_rows(journal, [judged("q1", "on", 1.0)])
    changed = library.open("experiments/a")
    write_rows(journal, [judged("q1", "on", 1.0), judged("q2", "on", 1.0)])
    assert library.open("experiments/a") in {index, changed}


def test_a_run_that_is_being_written_is_running(tmp_path: Path):
    """And partial when the writer has gone, although no file has changed."""
    journal = write_study(tmp_path / "experiments" / "a.jsonl")
    summary = journal.with_suffix(".json")
    summary.write_text(summary.read_text().replace('"total": 0', '"total": 99'))
    library = Library(tmp_path)
    with locked_journal(journal):
        assert library.card("experiments/a", journal).state == "running"
    assert library.card("experiments/a", journal).state == "partial"


def test_small_runs_stay_open_and_of_large_ones_the_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Going to and fro between the runs of a workspace reads none of them again."""
    rows = [judged("q1", "on", 1.0)]
    for number in range(6):
        write_study(tmp_path / "experiments" / f"r{number}.jsonl", rows)
    library = Library(tmp_path)
    names = [f"experiments/r{number}" for number in range(6)]
    first = [library.open(name) for name in names]
    assert all(library.open(name) is index for name, index in zip(names, first, strict=True))
    monkeypatch.setattr("assay.web.library.SMALL_BYTES", 0)
    write_study(tmp_path / "experiments" / "r6.jsonl", rows)
    library.open("experiments/r6")
    assert [library.open(name) is index for name, index in zip(names[3:], first[3:], strict=True)] == [
        True, True, True,
    ]  # fmt: skip
    assert library.open(names[2]) is not first[2]
