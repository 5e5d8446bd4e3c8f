"""Where one JSON value has its questions."""

import json
from pathlib import Path
from typing import Any

import pytest

from assay.data.answered_set import read_answered
from assay.data.question import read_questions
from assay.errors import AssayError, DatasetError

CASE = {
    "name": "test_case_0",
    "input": "How long?",
    "actualOutput": "6 days",
    "expectedOutput": "5 days",
    "retrievalContext": ["It is 6 days."],
    "metricsData": [{"name": "Answer Relevancy", "score": 0.9}],
}
SNAKE = {"input": "How long?", "actual_output": "6 days", "expected_output": "5 days",
         "retrieval_context": ["It is 6 days."]}  # fmt: skip


def put(tmp_path: Path, content: Any) -> Path:
    """A file with this content."""
    path = tmp_path / "q.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "content",
    [
        {"testCases": [CASE]},
        {"testCases": [CASE], "conversationalTestCases": [], "metricsScores": [{"metric": "x"}]},
        {"testRunData": {"testCases": [CASE], "runDuration": 2.5}, "testRunLink": None},
        {"test_results": [SNAKE], "confident_link": None},
    ],
)
def test_a_test_run_of_deepeval(tmp_path: Path, content: dict[str, Any]):
    """Every form of its files is read, as questions and as answers."""
    path = put(tmp_path, content)
    (question,) = read_questions(path)
    assert (question.text, question.answers) == ("How long?", ("5 days",))
    (answered,) = read_answered(path)
    assert answered.passages is not None
    assert (answered.answer, answered.passages[0].text) == ("6 days", "It is 6 days.")


@pytest.mark.parametrize(
    "content",
    [
        {"questions": [{"question": "How long?"}]},
        {"questions": ["How long?"]},
        {"version": 1, "examples": [{"question": "How long?"}], "tags": ["law"]},
        {"data": [{"question": "How long?"}]},
        {"question": ["How long?"], "answer": ["5 days"]},
    ],
)
def test_the_only_list_of_questions_is_read(tmp_path: Path, content: dict[str, Any]):
    """Whatever its name is."""
    assert [each.text for each in read_questions(put(tmp_path, content))] == ["How long?"]


def test_without_a_list_of_questions_a_file_is_refused(tmp_path: Path):
    """Two lists are not chosen from."""
    with pytest.raises(
        DatasetError, match="neither SQuAD, a list of questions nor an export of De"
    ):
        read_questions(put(tmp_path, {"version": 1}))
    both = {"version": 1, "train": [{"question": "A?"}], "test": [{"question": "B?"}]}
    with pytest.raises(DatasetError, match="neither SQuAD"):
        read_questions(put(tmp_path, both))
    with pytest.raises(AssayError):
        read_questions(put(tmp_path, {"train": both["train"], "test": both["test"]}))
