"""Answers of a system in files of other tools."""

import json
from pathlib import Path

import pytest

from assay.data.answered_set import read_answered
from assay.errors import DatasetError


def test_answers_and_passages(tmp_path: Path):
    """Contexts are passages, as lists of JSON, of Python or of NumPy, or as objects."""
    path = tmp_path / "q.csv"
    path.write_text(
        "question,contexts,answer,ground_truth\n"
        "A?,\"['It''s a.', 'b']\",x,y\n"
        "B?,\"['c' 'd'\n 'e']\",x,y\n"
        'C?,"[""f""]",x,y\nD?,,x,y\nE?,[],x,y\nF?,,,y\n'.replace("''", "\\'"),
        encoding="utf-8",
    )
    read = read_answered(path)
    texts = [each.passages and [passage.text for passage in each.passages] for each in read]
    assert texts == [["It's a.", "b"], ["c", "d", "e"], ["f"], None, (), None]
    assert [each.answer for each in read][-2:] == ["x", None]
    rows = [{"input": "A?", "actual_output": "", "expected_output": "y",
             "retrieval_context": [{"id": 7, "page_content": "t", "source": "d.md"}]}]  # fmt: skip
    listed = tmp_path / "q.json"
    listed.write_text(json.dumps(rows))
    (each,) = read_answered(listed)
    assert each.passages is not None
    (passage,) = each.passages
    assert (each.answer, passage.id, passage.text, passage.source) == ("", "7", "t", "d.md")


def test_without_answers_or_with_a_wrong_one(tmp_path: Path):
    """The message names the column that is missing, or the line."""
    path = tmp_path / "q.csv"
    path.write_text("question,ground_truth\nA?,y\n", encoding="utf-8")
    with pytest.raises(DatasetError, match="no column is known to hold answers of a system"):
        read_answered(path)
    lines = tmp_path / "q.jsonl"
    lines.write_text('{"question": "A?", "response": {"a": 1, "b": 2}}\n')
    with pytest.raises(DatasetError, match=r"q\.jsonl:1: `response` is not a text"):
        read_answered(lines)
