"""The rows of a run as columns."""

from pathlib import Path
from typing import Any

import msgspec

from assay.records import SCHEMA_VERSION
from assay.results.flat_row import read_columns
from assay.results.run_cases import RunCases


def row(number: int, **fields: Any) -> dict[str, Any]:
    """A row of a journal."""
    key = {"key": f"q{number}::a::topk=5", "question_id": f"q{number}", "config": "a"}
    return {**key, "status": "scored", "schema_version": SCHEMA_VERSION, **fields}


def journal(folder: Path, *rows: dict[str, Any]) -> Path:
    """A journal with these rows."""
    path = folder / "x.jsonl"
    path.write_bytes(b"".join(msgspec.json.encode(each) + b"\n" for each in rows))
    return path


def test_scores_and_nested_values_are_columns(tmp_path: Path):
    """Scores have their own names, what is nested has dots, and bookkeeping is left out."""
    first = row(1, scores={"right": True, "f1": None}, usage={"calls": 2}, fingerprint="x")
    second = row(
        2, scores={"right": False, "f1": 0.5}, at_most={"right": 1.0}, passages=[{"id": "p"}]
    )
    assert read_columns(journal(tmp_path, first, second), RunCases()) == {
        "key": ["q1::a::topk=5", "q2::a::topk=5"],
        "question_id": ["q1", "q2"],
        "config": ["a", "a"],
        "status": ["scored", "scored"],
        "right": [True, False],
        "f1": [None, 0.5],
        "usage.calls": [2, None],
        "at_most.right": [None, 1.0],
        "error": [None, None],
    }


def test_fields_that_come_later_are_columns_too(tmp_path: Path):
    """A row of another block may have a field or a score that the first rows do not have."""
    rows = [row(number, answer="x" * 3000, scores={"right": 1.0}) for number in range(200)]
    late = row(200, own={"a": 1}, scores={"right": 0.0, "new score": 2.0}, **{"a b": 3})
    columns = read_columns(journal(tmp_path, *rows, late), RunCases())
    assert columns["own"] == [None] * 200 + [{"a": 1}]
    assert columns["a b"] == [None] * 200 + [3]
    assert columns["new score"] == [None] * 200 + [2.0]
    assert sum(columns["right"]) == 200
    assert len({len(values) for values in columns.values()}) == 1


def test_a_score_with_the_name_of_a_field_replaces_it(tmp_path: Path):
    """Both say the same; the score is undefined where it should be."""
    path = journal(tmp_path, row(1, cite_ok=False, scores={"cite_ok": None}))
    assert read_columns(path, RunCases())["cite_ok"] == [None]
    reverse = journal(tmp_path, row(1, scores={"cite_ok": None}, cite_ok=False))
    assert read_columns(reverse, RunCases())["cite_ok"] == [None]


def test_the_last_row_of_a_case_counts_and_others_do_not(tmp_path: Path):
    """Rows of other questions stay in the file."""
    path = journal(tmp_path, row(1, status="failed"), row(2), row(3), row(1, answer="yes"))
    columns = read_columns(path, RunCases(names={"q1", "q2"}))
    assert columns["question_id"] == ["q2", "q1"]
    assert columns["answer"] == [None, "yes"]
    whole = read_columns(path, RunCases(names={"q1"}), flat=False)
    assert whole["schema_version"] == [SCHEMA_VERSION]


def test_a_journal_without_rows_has_no_columns(tmp_path: Path):
    """A run that was stopped before its first case."""
    assert read_columns(journal(tmp_path), RunCases()) == {}
