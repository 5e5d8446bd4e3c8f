"""Answers of a system in files of other tools."""

import json
from pathlib import Path

import pytest

from assay.data.answered_set import read_answered
from assay.data.set_note import question_notes
from assay.errors import DatasetError, SystemLoadError, UseError
from assay.systems.load import load_system


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


def results(tmp_path: Path) -> Path:
    """An export of promptfoo with two providers, of which one failed to answer a question."""
    given = [("How long?", "a:old", "5 days"), ("How long?", "a:new", "6 days"),
             ("Who?", "a:old", None), ("Who?", "a:new", "Ann")]  # fmt: skip
    rows = [
        {"vars": {"question": text}, "provider": {"id": name}, "response": {"output": said}}
        for text, name, said in given
    ]
    path = tmp_path / "p.json"
    path.write_text(json.dumps({"results": {"results": rows}}))
    return path


def test_one_of_several_systems_is_chosen(tmp_path: Path):
    """By its name after `#`; what one failed to answer is not taken from another."""
    path = results(tmp_path)
    assert [row.answer for row in read_answered(path, {"response": "a:old"})] == ["5 days", None]
    assert [row.answer for row in read_answered(path, {"response": "a:new"})] == ["6 days", "Ann"]
    assert load_system(f"replay:{path}#a:new").identity.startswith("replay:p.json#a:new@")
    with pytest.raises(
        UseError, match=r"no column 'b'; .*; and no answers .*, but of a:old, a:new"
    ):
        read_answered(path, {"response": "b"})


def test_several_systems_without_a_choice_are_named(tmp_path: Path):
    """The message has the words that choose each of them, and the note about the file has them too."""
    path = results(tmp_path)
    with pytest.raises(SystemLoadError) as caught:
        load_system(f"replay:{path}")
    message = str(caught.value).replace("'", "")
    assert message.endswith(
        "has answers of 2 systems to the same questions; choose one, or several side by side, as "
        f"--system: replay:{path}#a:old, replay:{path}#a:new"
    )
    (note,) = question_notes(path)
    assert f"replay:{path}#a:old" in str(note)
    assert f"replay:{path}#a:new" in str(note)


def test_a_table_with_a_row_for_each_model(tmp_path: Path):
    """The column `model` names the system; the same answers need no choice."""
    path = tmp_path / "long.csv"
    path.write_text("question,model,response\nA?,m1,x\nA?,m2,y\n")
    assert [row.answer for row in read_answered(path, {"response": "m2"})] == ["y"]
    with pytest.raises(DatasetError, match="has answers of 2 systems to the same questions"):
        read_answered(path)
    path.write_text("question,model,response\nA?,m1,x\nB?,m2,y\n")
    assert [row.answer for row in read_answered(path)] == ["x", "y"]
