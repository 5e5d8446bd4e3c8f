"""Rows of LangSmith in every form: objects, cells of JSON, columns with dots."""

import json
from pathlib import Path

import pytest
from openpyxl import Workbook

from assay.data.answered_set import read_answered
from assay.data.question import read_questions
from assay.errors import DatasetError, UseError

CELLS = ("id", "inputs", "outputs", "reference_outputs")
ROW = ("r1", '{"question": "How long?"}', '{"output": "6 days"}', '{"answer": "5 days"}')


def put(tmp_path: Path, rows: list[tuple[str, ...]], name: str = "q.csv") -> Path:
    """A table with these rows, the first of which has the names."""
    path = tmp_path / name
    if name.endswith(".xlsx"):
        book = Workbook()
        for row in rows:
            book.active.append(row)
        book.save(path)
    else:
        quoted = [",".join('"' + cell.replace('"', '""') + '"' for cell in row) for row in rows]
        path.write_text("\n".join(quoted) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["q.csv", "q.xlsx"])
@pytest.mark.parametrize(
    "rows",
    [
        [CELLS, ROW],
        [CELLS, tuple(cell.replace('"', "'") for cell in ROW)],
        [("id", "inputs.question", "outputs.output", "reference.answer"), ("r1", "How long?", "6 days", "5 days")],
        [("id", "input", "output", "expected"), ROW],
    ],
)  # fmt: skip
def test_a_table_is_unpacked(tmp_path: Path, name: str, rows: list[tuple[str, ...]]):
    """Cells with objects are never compared as they are written."""
    path = put(tmp_path, rows, name)
    (question,) = read_questions(path)
    assert (question.id, question.text, question.answers) == ("r1", "How long?", ("5 days",))
    (answered,) = read_answered(path)
    assert (answered.id, answered.question, answered.answer) == ("r1", "How long?", "6 days")


def test_the_example_is_the_question(tmp_path: Path):
    """The id of a run differs with each experiment; that of the example does not."""
    path = put(tmp_path, [(*CELLS, "reference_example_id"), (*ROW, "e7")])
    assert [each.id for each in read_questions(path)] == ["e7"]


def test_outputs_with_passages(tmp_path: Path):
    """What was retrieved is taken from the outputs; several outputs without a known name are refused."""
    outputs = json.dumps({"response": "6 days", "contexts": ["It is 6 days."]})
    (answered,) = read_answered(put(tmp_path, [CELLS, (*ROW[:2], outputs, ROW[3])]))
    assert answered.passages is not None
    assert (answered.answer, answered.passages[0].text) == ("6 days", "It is 6 days.")
    path = put(tmp_path, [CELLS, (*ROW[:2], '{"a": "x", "b": "y"}', ROW[3])])
    with pytest.raises(DatasetError, match="`outputs` is not a text"):
        read_answered(path)


def test_inputs_without_a_question_are_refused(tmp_path: Path):
    """The message lists what the inputs have."""
    path = put(tmp_path, [CELLS, ("r1", '{"messages": ["Hi"]}', *ROW[2:])])
    with pytest.raises(
        UseError, match="no column is known to hold the questions; there are: id, m"
    ):
        read_questions(path)


def test_an_answer_that_is_an_object_stays_one(tmp_path: Path):
    """Where the question is a text, an object is what the system was asked for."""
    path = put(tmp_path, [("question", "expected"), ("Which?", '{"answer": 5}')])
    assert read_questions(path)[0].answers == ('{"answer": 5}',)
