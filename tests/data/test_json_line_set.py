"""Question sets of other tools in JSON lines, beside our own format."""

import json
from pathlib import Path
from typing import Any

import pytest

from assay.data.question import read_further_fields, read_questions, set_version
from assay.data.question_set import has_own_ids, is_own_format, text_id
from assay.errors import DatasetError


def put(tmp_path: Path, *rows: Any, name: str = "q.jsonl") -> Path:
    """A file with one of the rows on each line."""
    path = tmp_path / name
    path.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows))
    return path


def test_ids_follow_from_the_text_as_in_a_table(tmp_path: Path):
    """The same questions have the same ids in JSON lines, in a JSON list and in CSV."""
    rows = [{"question": "Кто?", "answer": "Анна"}, {"question": "为什么？", "answer": "因为"}]
    lines = put(tmp_path, *rows)
    listed = tmp_path / "q.json"
    listed.write_text(json.dumps(rows))
    table = tmp_path / "q.csv"
    table.write_text("question,answer\nКто?,Анна\n为什么？,因为\n", encoding="utf-8")
    assert read_questions(lines) == read_questions(listed) == read_questions(table)
    assert [question.id for question in read_questions(lines)] == [
        text_id("Кто?"),
        text_id("为什么？"),
    ]
    assert not has_own_ids(lines)


def test_an_id_that_only_one_line_lacks_is_a_fault(tmp_path: Path):
    """It was probably forgotten: the others have one."""
    path = put(tmp_path, {"id": "a", "question": "Who?"}, {"question": "Why?"})
    with pytest.raises(DatasetError, match=r"q\.jsonl:2: the question has no `id`, but others"):
        read_questions(path)


def test_our_own_fields_keep_their_meaning(tmp_path: Path):
    """Beside the names of another tool; metadata and drafts are no questions and are not shown."""
    rows = (
        {"metadata": {"version": "7"}},
        {
            "id": "a", "question": "Who?", "answer": "Bob", "ground_truth": "Ann", "topic": "law",
            "bundle": [{"chunk_id": "c1"}], "draft": {"by": "x"}, "kind": "name",
        },
        {"id": "b", "question": "Why?", "kind": "unanswerable"},
    )  # fmt: skip
    path = put(tmp_path, *rows)
    assert not is_own_format(path)
    assert has_own_ids(path)
    first, second = read_questions(path)
    assert (first.id, first.answers, first.gold) == ("a", ("Ann",), ("c1",))
    assert second.answerable is False
    assert read_further_fields(path) == {"a": {"topic": "law"}, "b": {}}
    assert set_version(path) == "7"


@pytest.mark.parametrize(
    "row",
    [
        {"id": "a", "question": "Who?", "answer": "Ann", "note": 1},
        {"id": "a", "text": "Who?", "answers": ["Ann"]},
        {"id": "a"},
        {"name": "x"},
    ],
)
def test_our_own_format_is_read_as_before(tmp_path: Path, row: dict[str, Any]):
    """Further fields change nothing, nor does a file that has no questions at all."""
    assert is_own_format(put(tmp_path, row))


@pytest.mark.parametrize(
    ("rows", "line"),
    [
        (['{"question": "Who?"}', "[1]"], 2),
        (['{"question": "Who?"}', '{"question": '], 2),
        (['{"question": "Who?", "question": "Why?"}'], 1),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, rows: list[str], line: int):
    """With its number, as in our own format."""
    path = tmp_path / "q.jsonl"
    path.write_text("\n".join(rows))
    with pytest.raises(DatasetError, match=rf"q\.jsonl:{line}: "):
        read_questions(path)


def test_langsmith(tmp_path: Path):
    """Inputs and outputs are objects; the outputs of a set are the expected answers."""
    row = {"inputs": {"question": "Who?"}, "outputs": {"answer": "Ann"}}
    (question,) = read_questions(put(tmp_path, row))
    assert question.answers == ("Ann",)
    experiment = {**row, "outputs": {"answer": "Bob"}, "reference_outputs": {"answer": "Ann"}}
    (question,) = read_questions(put(tmp_path, experiment, name="e.jsonl"))
    assert question.answers == ("Ann",)
