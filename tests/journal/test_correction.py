"""Rows judged again: appended where they changed, without the bill."""

import json
from pathlib import Path
from typing import Any

from assay.journal.correction import append_corrections
from assay.journal.read import index_journal, last_rows

ROW = {
    "key": "a",
    "status": "scored",
    "score": 0.0,
    "usage": {"calls": 1},
    "cost": 2.0,
    "paid": 2.0,
}
OTHER = {"key": "b", "status": "scored", "score": 1.0, "paid": 0.5}


def written(path: Path, *rows: dict[str, Any]) -> Path:
    """A journal of these rows."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_a_changed_row_is_appended_without_its_bill(tmp_path: Path):
    """The corrected row wins, and what the answer cost is still counted once."""
    journal = written(tmp_path / "a.jsonl", ROW, OTHER)
    corrections = [(ROW, {"score": 1.0, "why": ("new",)}), (OTHER, {"score": 1.0})]
    assert append_corrections(journal, corrections) == 1
    lines = journal.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 3
    assert json.loads(lines[-1]) == {"key": "a", "status": "scored", "score": 1.0, "why": ["new"]}
    assert last_rows(journal)["a"]["score"] == 1.0
    assert index_journal(journal).paid == 2.5


def test_where_nothing_changes_nothing_is_written(tmp_path: Path):
    """Fields are compared as they would be read back; a journal is not made for nothing."""
    row = {**ROW, "why": ["old"]}
    journal = written(tmp_path / "a.jsonl", row)
    before = journal.read_bytes()
    assert append_corrections(journal, [(row, {"why": ("old",)})]) == 0
    assert journal.read_bytes() == before
    assert append_corrections(tmp_path / "absent.jsonl", []) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]


def test_the_last_row_of_each_key(tmp_path: Path):
    """Metadata in the first line is no row; an absent journal has no rows."""
    journal = written(tmp_path / "a.jsonl", {"job": "depth"}, ROW, OTHER, {**ROW, "score": 0.5})
    assert {key: row["score"] for key, row in last_rows(journal).items()} == {"a": 0.5, "b": 1.0}
    assert last_rows(tmp_path / "absent.jsonl") == {}
