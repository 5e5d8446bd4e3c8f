"""Corrected rows: they are appended if they changed, without the cost fields."""

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


def journal_of(path: Path, *rows: dict[str, Any]) -> Path:
    """Write a journal with these rows."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_a_changed_row_is_appended_without_its_bill(tmp_path: Path):
    """The corrected row replaces the old one, and the cost is still counted once."""
    journal = journal_of(tmp_path / "a.jsonl", ROW, OTHER)
    corrections = [(ROW, {"score": 1.0, "why": ("new",)}), (OTHER, {"score": 1.0})]
    assert append_corrections(journal, corrections) == 1
    lines = journal.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 3
    assert json.loads(lines[-1]) == {"key": "a", "status": "scored", "score": 1.0, "why": ["new"]}
    assert last_rows(journal)["a"]["score"] == 1.0
    assert index_journal(journal).paid == 2.5


def test_where_nothing_changes_nothing_is_written(tmp_path: Path):
    """Fields are compared as JSON; without a change no file is written or created."""
    row = {**ROW, "why": ["old"]}
    journal = journal_of(tmp_path / "a.jsonl", row)
    before = journal.read_bytes()
    assert append_corrections(journal, [(row, {"why": ("old",)})]) == 0
    assert journal.read_bytes() == before
    assert append_corrections(tmp_path / "absent.jsonl", []) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]


def test_the_last_row_of_each_key(tmp_path: Path):
    """The metadata line is not a row, and a missing journal has no rows."""
    journal = journal_of(tmp_path / "a.jsonl", {"job": "depth"}, ROW, OTHER, {**ROW, "score": 0.5})
    assert {key: row["score"] for key, row in last_rows(journal).items()} == {"a": 0.5, "b": 1.0}
    assert last_rows(tmp_path / "absent.jsonl") == {}
