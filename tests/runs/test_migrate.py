"""Rows of other versions: older ones are migrated, newer ones are refused by name."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import JournalTooNew
from assay.records import SCHEMA_VERSION, Tally
from assay.runs.judging import Verdict
from assay.runs.read import (
    index_journal,
    last_row_fields,
    last_rows,
    migrate,
    needs_migration,
    read_fields,
    read_heads,
    read_rows,
    scan_journal,
)
from assay.runs.row import Row, RowHead

NEWER = SCHEMA_VERSION + 1


@pytest.mark.parametrize(
    ("row", "status"),
    [
        ({}, "scored"),
        ({"error": "timeout"}, "failed"),
        ({"error": None}, "scored"),
        ({"error": ""}, "failed"),
        ({"status": "scored", "error": "timeout"}, "failed"),
        ({"status": "skipped"}, "skipped"),
        ({"status": "skipped", "error": None}, "skipped"),
        ({"status": "failed"}, "failed"),
        ({"status": ""}, "scored"),
    ],
)
def test_a_row_of_another_program_ended_as_its_error_says(row: dict[str, Any], status: str):
    """A row without a version has failed if it has an error; otherwise it is scored."""
    before = {"key": "a", "answer": "x", "own": [1], **row}
    copy = dict(before)
    assert migrate(before) == {**before, "status": status}
    assert before == copy


ROWS = st.fixed_dictionaries(
    {"key": st.text(min_size=1), "status": st.sampled_from(["scored", "failed", "skipped"])},
    optional={"error": st.none() | st.text(), "own": st.integers()},
)


@given(ROWS, st.integers(1, SCHEMA_VERSION))
def test_rows_of_our_own_versions_are_left_as_they_are(row: dict[str, Any], version: int):
    """Versions 1 and 2 have the same fields, and their status counts."""
    row = {**row, "schema_version": version}
    assert migrate(row) == row
    assert not needs_migration(version)


@given(ROWS)
def test_migrating_twice_changes_nothing(row: dict[str, Any]):
    """A migrated row that is written again is read as it was."""
    assert migrate(migrate(row)) == migrate(row)
    assert needs_migration(0)


def journal(folder: Path, *rows: dict[str, Any]) -> Path:
    """Write a journal of these rows."""
    path = folder / "a.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


MIXED = [
    {"run": "metadata"},
    {"key": "a", "answer": "x"},
    {"key": "b", "error": "timeout"},
    {"key": "c", "status": "failed", "error": "e", "schema_version": 1},
    {"key": "d", "status": "skipped", "reason": "long", "schema_version": 1},
    {"key": "e", "status": "answered", "schema_version": 2},
    {"key": "f", "status": "scored", "schema_version": 2},
]
STATUSES = {
    "a": "scored",
    "b": "failed",
    "c": "failed",
    "d": "skipped",
    "e": "answered",
    "f": "scored",
}

READERS: dict[str, Callable[[Path], dict[str, Any]]] = {
    "read_heads": lambda path: {r.key: r.status for rows in read_heads(path) for r in rows},
    "read_rows of heads": lambda path: {
        r.key: r.status for rows in read_rows(path, RowHead) for r in rows
    },
    "read_rows": lambda path: {r.key: r.status for rows in read_rows(path, Row) for r in rows},
    "scan_journal": lambda path: {
        r.key: r.status for _, (rows,) in scan_journal(path, Row) for r in rows
    },
    "last_rows": lambda path: {key: r.status for key, r in last_rows(path, Row).items()},
    "read_fields": lambda path: {r["key"]: r["status"] for rs in read_fields(path) for r in rs},
    "last_row_fields": lambda path: {k: r["status"] for k, r in last_row_fields(path).items()},
}


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_every_reader_migrates_a_mixed_journal(tmp_path: Path, read: Any):
    """Rows of all versions in one file have the same outcome for every reader."""
    assert read(journal(tmp_path, *MIXED)) == STATUSES


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
@pytest.mark.parametrize("rows", [MIXED[:3], MIXED[1:3], MIXED[2:4]])
def test_every_reader_migrates_rows_of_other_programs(
    tmp_path: Path, read: Any, rows: list[dict[str, Any]]
):
    """The result does not depend on whether the file also has metadata or rows of our own."""
    keys = [row["key"] for row in rows if "key" in row]
    assert read(journal(tmp_path, *rows)) == {key: STATUSES[key] for key in keys}


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_an_error_that_is_null_is_no_error(tmp_path: Path, read: Any):
    """Other programs write ``"error": null`` for a case that did not fail."""
    assert read(journal(tmp_path, {"key": "a", "error": None})) == {"a": "scored"}


@pytest.mark.parametrize("name", ["read_heads", "read_fields", "last_row_fields"])
@pytest.mark.parametrize("value", ["2024-05-01", {"by": "hand"}, None])
def test_fields_of_other_programs_may_have_any_name(tmp_path: Path, name: str, value: Any):
    """A row without a version may use ``recorded`` for something else than we do."""
    read = READERS[name]
    assert read(journal(tmp_path, {"key": "a", "recorded": value})) == {"a": "scored"}


def test_an_index_counts_rows_of_all_versions(tmp_path: Path):
    """The tally of a mixed journal counts every row once."""
    expected = Tally(scored=2, answered=1, failed=2, skipped=1)
    assert index_journal(journal(tmp_path, *MIXED)).tally() == expected


def test_migrated_rows_keep_all_their_fields(tmp_path: Path):
    """A row that is written again after migration loses nothing."""
    row = {"key": "a", "answer": "x", "own": {"deep": [1, None]}, "error": "e"}
    assert last_row_fields(journal(tmp_path, row)) == {"a": {**row, "status": "failed"}}


NEWER_ROWS = [
    {"key": "new", "status": "scored", "schema_version": NEWER},
    {"key": "new", "status": "postponed", "schema_version": NEWER},
    {"key": "new", "paid": {"eur": 1}, "schema_version": NEWER},
    {"key": "new", "fingerprint": 7, "answer": ["x"], "schema_version": NEWER},
    {"key": "new", "status": "scored", "schema_version": 400},
]


@pytest.mark.parametrize("read", [*READERS.values(), index_journal], ids=[*READERS, "index"])
@pytest.mark.parametrize("newer", NEWER_ROWS)
def test_every_reader_refuses_newer_rows_by_name(tmp_path: Path, read: Any, newer: dict[str, Any]):
    """The message names file, row and versions, also where the row has types unknown today."""
    path = journal(tmp_path, *MIXED, newer)
    with pytest.raises(JournalTooNew) as caught:
        read(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: the row 'new' was written by a newer version of assay")
    assert f"layout {newer['schema_version']}," in message
    assert f"up to {SCHEMA_VERSION}" in message


def test_a_newer_row_is_refused_wherever_it_is(tmp_path: Path):
    """The first row, one in the middle of many blocks and the last one are found."""
    rows = [{"key": f"k{n}", "status": "scored", "schema_version": 2} for n in range(3000)]
    for position in (0, 1, 1500, 3000):
        path = journal(tmp_path, *rows[:position], NEWER_ROWS[1], *rows[position:])
        with pytest.raises(JournalTooNew, match="the row 'new'"):
            index_journal(path)


def test_newer_verdicts_are_refused_too(tmp_path: Path):
    """The file of verdicts is read by the same rules."""
    path = journal(tmp_path, {"key": "new", "verdict": 1, "usage": "?", "schema_version": NEWER})
    with pytest.raises(JournalTooNew, match="the row 'new'"):
        list(read_rows(path, Verdict))
