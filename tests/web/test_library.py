"""Which runs are shown, and when they are read again."""

from pathlib import Path

import pytest

from assay.errors import UseError
from assay.journal import locked_journal
from assay.web.library import Library
from tests.support.journal import judged, write_rows
from tests.support.page import write_study


def test_the_runs_of_a_workspace_are_found_in_its_folders(tmp_path: Path):
    """Questions and chunks are no runs, and neither are plans."""
    write_study(tmp_path / "experiments" / "a.jsonl")
    write_study(tmp_path / "eval" / "runs" / "b.rows.jsonl")
    write_study(tmp_path / "c.jsonl")
    (tmp_path / "questions.jsonl").write_text('{"id": "q", "question": "?"}\n')
    (tmp_path / "experiments" / "a.plan.jsonl").write_text("{}\n")
    assert set(Library(tmp_path).journals()) == {"experiments/a", "eval/runs/b.rows", "c"}


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
