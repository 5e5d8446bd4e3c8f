"""Corrected rows: they are appended if they changed, without the cost fields."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from assay.runs.order import Correction, append_corrections
from assay.runs.read import index_journal, last_row_fields
from assay.runs.write import Journal

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


def append(journal: Path, corrections: list[tuple[dict[str, Any], dict[str, Any]]]) -> int:
    """Open the journal and append corrections."""
    with Journal.open(journal) as opened:
        return append_corrections(
            opened, [Correction(row=row, fields=fields) for row, fields in corrections]
        )


def test_a_changed_row_is_appended_without_its_bill(tmp_path: Path):
    """The corrected row replaces the old one, and the cost is still counted once."""
    journal = journal_of(tmp_path / "a.jsonl", ROW, OTHER)
    corrections = [(ROW, {"score": 1.0, "why": ("new",)}), (OTHER, {"score": 1.0})]
    assert append(journal, corrections) == 1
    lines = journal.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 3
    assert json.loads(lines[-1]) == {"key": "a", "status": "scored", "score": 1.0, "why": ["new"]}
    assert last_row_fields(journal)["a"]["score"] == 1.0
    assert index_journal(journal).paid == 2.5


def test_where_nothing_changes_nothing_is_written(tmp_path: Path):
    """Fields are compared as JSON; without a change nothing is written."""
    row = {**ROW, "why": ["old"]}
    journal = journal_of(tmp_path / "a.jsonl", row)
    before = journal.read_bytes()
    assert append(journal, [(row, {"why": ("old",)})]) == 0
    assert journal.read_bytes() == before
    assert append(journal, []) == 0
    assert journal.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]


def test_the_bill_of_the_judge_is_not_repeated(tmp_path: Path):
    """The cost of judging is summed over all rows like that of the system."""
    row = {**ROW, "judge_usage": {"calls": 2}, "judge_cost": 0.5, "judge_paid": 0.25}
    journal = journal_of(tmp_path / "a.jsonl", row)
    assert append(journal, [(row, {"score": 1.0})]) == 1
    assert not {name for name in last_row_fields(journal)["a"] if "judge" in name}
    assert index_journal(journal).paid == 2.25


def test_unknown_fields_are_kept(tmp_path: Path):
    """A corrected row has all fields of the recorded one that no correction names."""
    row = {**OTHER, "note": {"by": "hand"}, "later": [1, None]}
    journal = journal_of(tmp_path / "a.jsonl", row)
    append(journal, [(row, {"score": 0.0})])
    expected = {name: value for name, value in row.items() if name != "paid"}
    assert last_row_fields(journal)["b"] == {**expected, "score": 0.0}


def test_corrections_are_one_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """All corrected rows are appended together, so that a kill leaves none or all of them."""
    journal = journal_of(tmp_path / "a.jsonl", ROW, OTHER)
    writes: list[bytes] = []
    real = os.write

    def recording(fd: int, data: Any) -> int:
        writes.append(bytes(data))
        return real(fd, data)

    with Journal.open(journal) as opened:
        monkeypatch.setattr(os, "write", recording)
        append_corrections(
            opened,
            [Correction(row=row, fields={"score": 5}) for row in (ROW, OTHER)],
        )
        monkeypatch.undo()
    assert len(writes) == 1
    assert writes[0].count(b"\n") == 2
