"""Files of version 1: they are read, and a run that the last version began is resumed."""

import json
from pathlib import Path
from typing import Any

import pytest

from assay.errors import JournalTooNew
from assay.runs.write import plan_path, summary_path
from assay.study.analysis import analyse_run
from tests.support.harbour import prepare_experiment, run_silently, write_harbour

ADDED_TO_ROWS = ("recorded", "judging_error", "judge_usage", "judge_cost", "judge_paid")
ADDED_TO_SUMMARIES = ("judging", "judge_paid")


def _rewrite_as_version_1(journal: Path) -> None:
    """Change a journal and its summary into what version 1 would have written."""
    rows = [json.loads(line) for line in journal.read_text().splitlines()]
    for row in rows:
        row["schema_version"] = 1
        for name in ADDED_TO_ROWS:
            row.pop(name, None)
    journal.write_text("".join(json.dumps(row) + "\n" for row in rows))
    path = summary_path(journal)
    summary = json.loads(path.read_text())
    summary["schema_version"] = 1
    for name in ADDED_TO_SUMMARIES:
        del summary[name]
    del summary["tally"]["answered"]
    path.write_text(json.dumps(summary))
    plan_path(journal).unlink()


def _first_run(root: Path) -> Path:
    write_harbour(root)
    prepared = prepare_experiment(root, limit=4)
    run_silently(prepared)
    _rewrite_as_version_1(prepared.journal)
    return prepared.journal


def test_a_run_of_version_1_is_resumed(tmp_path: Path):
    """Only the cases that version 1 did not record are asked; the files then have version 2."""
    journal = _first_run(tmp_path)
    before = journal.read_bytes()
    result = run_silently(prepare_experiment(tmp_path, limit=6))
    assert (result.asked, result.tally.scored) == (4, 12)
    assert journal.read_bytes().startswith(before)
    assert json.loads(summary_path(journal).read_text())["schema_version"] == 2
    assert plan_path(journal).exists()


def test_a_report_of_version_1_is_made(tmp_path: Path):
    """The rows of version 1 give the same figures as those of this version."""
    journal = _first_run(tmp_path)
    old = analyse_run(journal)
    assert old.items == 4
    assert old.results.scores.values["scores.gold_coverage"].shape == (2, 4)


@pytest.mark.parametrize("name", ["summary", "row", "plan"])
def test_files_of_a_newer_version_are_refused(tmp_path: Path, name: str):
    """A run stops before the first call if a file was written by a newer version of assay."""
    write_harbour(tmp_path)
    prepared = prepare_experiment(tmp_path, limit=2)
    run_silently(prepared)
    journal = prepared.journal
    path = {"summary": summary_path(journal), "row": journal, "plan": plan_path(journal)}[name]
    lines: list[Any] = path.read_text().splitlines()
    lines = [line.replace('"schema_version":2', '"schema_version":3') for line in lines]
    lines = [line.replace('"schema_version": 2', '"schema_version": 3') for line in lines]
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(JournalTooNew, match=r"newer version of assay.*layout 3.*up to 2"):
        run_silently(prepare_experiment(tmp_path, limit=3))
