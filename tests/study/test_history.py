"""Past runs as ``assay list`` sees them."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from assay.config.workspace import Workspace
from assay.errors import UseError
from assay.records import RunHeader, Tally, Variant
from assay.results.find_results import find_results
from assay.runs.summary import Summary, start_summary, write_summary
from assay.study.history import past_runs
from assay.web.run_view import run_card


def put(
    folder: Path,
    name: str,
    statuses: list[str],
    *,
    total: int | None = None,
    began: str = "2024-01-01T00:00:00Z",
    **more: Any,
) -> Path:
    """A journal of rows with these endings, and its summary unless ``total`` is None."""
    journal = folder / f"{name}.jsonl"
    rows = [
        {"key": f"k{n}", "status": status, **({"error": "e"} if status == "failed" else {})}
        for n, status in enumerate(statuses)
    ]
    journal.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    if total is not None:
        header = RunHeader(
            job="lab",
            name=name,
            system="s",
            variants=(Variant(name="a"), Variant(name="b")),
            total=total,
            started_at=began,
        )
        write_summary(
            folder / f"{name}.json", msgspec.structs.replace(start_summary(header), **more)
        )
    return journal


def test_a_folder_without_runs_has_none(tmp_path: Path):
    """An empty or absent folder is no error."""
    assert past_runs(tmp_path) == []
    assert past_runs(tmp_path / "gone") == []


def test_a_complete_run_is_distinguished_from_its_summary(tmp_path: Path):
    """A finished run's journal need not be read again."""
    put(
        tmp_path,
        "done",
        ["scored", "scored", "skipped"],
        total=3,
        state="complete",
        tally=Tally(scored=2, skipped=1),
        paid=0.5,
    )
    (run,) = past_runs(tmp_path)
    assert (run.name, run.job, run.state, run.total) == ("done", "lab", "complete", 3)
    assert run.tally == Tally(scored=2, skipped=1)
    assert (run.variants, run.paid, run.problem) == (("a", "b"), 0.5, None)


def test_rows_that_contradict_the_summary_are_counted(tmp_path: Path):
    """An empty journal, a shorter one, and one with later failures; results are not shown."""
    results = {"headline": "m", "variants": {"a": {"m": 0.9, "scored": 2}}}
    done = {"total": 2, "state": "complete", "tally": Tally(scored=2), "results": results}
    put(tmp_path, "empty", ["scored", "scored"], **done).write_text("")
    short = put(tmp_path, "short", ["scored", "scored"], **done)
    short.write_text(short.read_text().splitlines(keepends=True)[0])
    whole = put(tmp_path, "whole", ["scored", "scored"], **done)
    later = put(tmp_path, "later", ["scored", "scored"], **done)
    later.write_text(later.read_text() + '{"key": "k0", "status": "failed", "error": "e"}\n')
    runs = {run.name: run for run in past_runs(tmp_path)}
    assert runs["empty"].state == "partial 0/2"
    assert (runs["short"].state, runs["short"].tally) == ("partial 1/2", Tally(scored=1))
    assert (runs["later"].state, runs["later"].tally) == ("ended", Tally(scored=1, failed=1))
    for name in ("empty", "short", "later"):
        assert not runs[name].headline
        assert str(runs[name].doubt).startswith("the rows were changed after the run")
    assert (runs["whole"].state, runs["whole"].headline, runs["whole"].doubt) == (
        "complete",
        {"a": 0.9},
        "",
    )
    assert whole.exists()


def test_more_lines_than_cases_are_no_contradiction(tmp_path: Path):
    """A failure that was asked again, and metadata before the rows."""
    path = put(
        tmp_path, "again", ["scored", "scored"], total=2, state="complete", tally=Tally(scored=2)
    )
    failure = '{"key": "k0", "status": "failed", "error": "e"}\n'
    path.write_text('{"metadata": {}}\n' + failure + path.read_text())
    (run,) = past_runs(tmp_path)
    assert (run.state, run.tally, run.doubt) == ("complete", Tally(scored=2), "")


def test_an_unfinished_run_is_counted_from_its_journal(tmp_path: Path):
    """A run that was killed left a summary that says ``running``: the rows say how far it got."""
    put(tmp_path, "killed", ["scored", "failed", "skipped"], total=10)
    (run,) = past_runs(tmp_path)
    assert run.state == "partial 2/10"
    assert run.tally == Tally(scored=1, failed=1, skipped=1)


def test_a_run_that_was_asked_completely_has_ended(tmp_path: Path):
    """Although a case failed; the page says the same."""
    put(tmp_path, "whole", ["scored", "failed", "skipped"], total=3)
    assert past_runs(tmp_path)[0].state == "ended"
    assert run_card("whole", tmp_path / "whole.jsonl").state == "ended"


def test_the_questions_of_a_stopped_run_are_those_of_its_plan(tmp_path: Path):
    """However it was stopped: killed, or with results about the questions so far."""
    for name, results in (("killed", {}), ("stopped", {"questions": 1})):
        put(tmp_path, name, ["scored"], total=264)
        path = tmp_path / f"{name}.json"
        fields = json.loads(path.read_text())
        fields.update(extra={**fields["extra"], "questions": 264}, results=results)
        path.write_text(json.dumps(fields))
    assert [run.questions for run in past_runs(tmp_path)] == [264, 264]


def test_a_run_in_which_nothing_succeeded_has_failed(tmp_path: Path):
    """Failed is distinguished from partial."""
    put(tmp_path, "bad", ["failed", "failed"], total=2)
    assert past_runs(tmp_path)[0].state == "failed"


def test_a_run_that_was_never_asked_anything_is_partial(tmp_path: Path):
    """A journal without rows is the start of a run, not a failure."""
    put(tmp_path, "new", [], total=2)
    assert past_runs(tmp_path)[0].state == "partial 0/2"


def test_a_journal_without_summary_is_listed(tmp_path: Path):
    """Rows of other programs are counted too."""
    put(tmp_path, "foreign", ["scored", "failed"])
    (run,) = past_runs(tmp_path)
    assert (run.name, run.state, run.tally) == ("foreign", "no summary", Tally(scored=1, failed=1))


def test_an_unreadable_run_does_not_hide_the_others(tmp_path: Path):
    """A corrupt journal or summary is listed with what is wrong with it."""
    put(tmp_path, "good", ["scored"], total=1)
    put(tmp_path, "broken", [], total=1).write_text("garbage\n")
    put(tmp_path, "odd", ["scored"])
    (tmp_path / "odd.json").write_text("{")
    runs = {run.name: run for run in past_runs(tmp_path)}
    assert runs["good"].state == "complete"
    assert runs["broken"].state == runs["odd"].state == "unreadable"
    assert "broken.jsonl:1: not a row" in (runs["broken"].problem or "")
    assert "odd.json: not a summary" in (runs["odd"].problem or "")


def test_the_newest_run_comes_first(tmp_path: Path):
    """Runs are ordered by when they began, those without a date last."""
    put(tmp_path, "old", [], total=1, began="2023-05-01T00:00:00Z")
    put(tmp_path, "new", [], total=1, began="2024-05-01T00:00:00Z")
    put(tmp_path, "undated", [])
    assert [run.name for run in past_runs(tmp_path)] == ["new", "old", "undated"]


def test_what_was_set_aside_is_not_listed(tmp_path: Path):
    """Old files beside the new are kept, not counted."""
    put(tmp_path, "a", ["scored"], total=1)
    (tmp_path / "a.jsonl.20240101T000000Z.old").write_text("{}\n")
    (tmp_path / "a.jsonl.torn").write_text("{\n")
    assert [run.name for run in past_runs(tmp_path)] == ["a"]


def test_a_summary_written_by_a_later_version_is_read(tmp_path: Path):
    """Fields that are not known yet do not make a run unreadable."""
    put(tmp_path, "a", ["scored"], total=1)
    path = tmp_path / "a.json"
    whole = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**whole, "a_later_field": 1}), encoding="utf-8")
    assert past_runs(tmp_path)[0].state == "complete"
    assert isinstance(msgspec.json.decode(path.read_bytes(), type=Summary), Summary)


def test_a_run_comes_before_a_file_of_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A set of questions beside it is not taken for its rows, and is never called damaged."""
    workspace = Workspace(root=tmp_path)
    workspace.experiments_dir.mkdir()
    journal = workspace.experiments_dir / "ch.jsonl"
    journal.write_text('{"key": "a"}\n')
    monkeypatch.chdir(tmp_path)
    question = '{"id": "a", "question": "How long?"}\n'
    Path("ch.jsonl").write_text(question)
    assert find_results(workspace, "ch") == journal
    Path("other.jsonl").write_text('{"metadata": {"version": "1"}}\n' + question)
    for name in ("other", "other.jsonl", "ch.jsonl"):
        with pytest.raises(
            UseError, match=r"is a set of questions, not the rows of a run; assay l"
        ):
            find_results(workspace, name)


def test_rows_in_a_folder_of_their_own_are_found_by_their_path(tmp_path: Path):
    """A path is never the name of a run, and rows of any program are rows."""
    workspace = Workspace(root=tmp_path)
    workspace.experiments_dir.mkdir()
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"question_id": "a", "question": "How long?", "answer": "5"}\n')
    assert find_results(workspace, str(rows)) == rows
