"""The gold of a question, changed in its file."""

import json
import os
from pathlib import Path

import pytest

from assay.errors import UseError
from assay.questions.gold import GoldPassage, change_gold, read_gold, write_lines

PASSAGE = GoldPassage(id="c9", source="a.md", text="Thirty days.", start=4, end=16)
LINES = (
    '{"id": "b", "question": "How long?",   "bundle": [{"chunk_id": "c1"}], "note": "kept"}',
    '{"id": 2, "question": "How much?", "gold_chunk_ids": ["c1"]}',
    '{"id": "s", "question": "Where?", "gold": [{"source": "a.md", "text": "Here."}]}',
    '{"id": "n", "question": "Who?"}',
    '{"id": "u", "question": "Why?", "answerable": false}',
)


@pytest.fixture(name="path")
def _path(tmp_path: Path) -> Path:
    path = tmp_path / "q.jsonl"
    path.write_text("\n".join(LINES) + "\n", encoding="utf-8")
    return path


def change(path: Path, question: str, *, is_gold: bool) -> dict[str, object]:
    """Change the gold of a question; the fields of its line afterwards."""
    now = read_gold(path, question)
    change_gold(path, question, PASSAGE, is_gold=is_gold, version=now.version)
    lines = path.read_text(encoding="utf-8").splitlines()
    return next(row for row in map(json.loads, lines) if str(row["id"]) == question)


@pytest.mark.parametrize(
    ("question", "field", "entry"),
    [
        ("b", "bundle", {"chunk_id": "c9"}),
        ("2", "gold_chunk_ids", "c9"),
        ("s", "gold", {"source": "a.md", "text": "Thirty days.", "start": 4, "end": 16}),
        ("n", "gold_chunk_ids", "c9"),
    ],
)
def test_gold_is_added_in_the_form_of_the_line_and_taken_away_again(
    path: Path, question: str, field: str, entry: object
):
    """All other lines keep their bytes, and all other fields their values."""
    before = path.read_text(encoding="utf-8").splitlines()
    added = change(path, question, is_gold=True)
    assert entry in added[field]  # type: ignore[operator]
    assert read_gold(path, question).has(PASSAGE)
    after = path.read_text(encoding="utf-8").splitlines()
    assert sum(one != other for one, other in zip(before, after, strict=True)) == 1
    taken = change(path, question, is_gold=False)
    assert entry not in taken[field]  # type: ignore[operator]
    assert {**json.loads(before[list("b2snu").index(question)]), field: taken[field]} == taken


def test_nothing_is_written_that_somebody_else_changed_meanwhile(path: Path):
    """The file stays as it is; the same holds for a question without an answer."""
    version = read_gold(path, "b").version
    path.write_text(path.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    before = path.read_bytes()
    with pytest.raises(UseError, match="has changed"):
        change_gold(path, "b", PASSAGE, is_gold=True, version=version)
    with pytest.raises(UseError, match="without an answer"):
        change(path, "u", is_gold=True)
    with pytest.raises(UseError, match="there is no question"):
        change(path, "x", is_gold=True)
    assert path.read_bytes() == before
    assert [each.name for each in path.parent.iterdir()] == ["q.jsonl"]


def test_new_lines_are_as_private_as_other_new_files(tmp_path: Path):
    """A file of questions has the mode that the user's umask gives, and nothing is left beside it."""
    old = os.umask(0o077)
    try:
        write_lines(tmp_path / "a.jsonl", [{"id": "q"}])
    finally:
        os.umask(old)
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]
    assert (tmp_path / "a.jsonl").stat().st_mode & 0o777 == 0o600
