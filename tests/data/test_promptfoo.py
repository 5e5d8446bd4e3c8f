"""Results of promptfoo as questions with answers."""

import json
from pathlib import Path
from typing import Any

import pytest

from assay.data.answered_set import read_answered
from assay.data.question import read_questions
from assay.errors import DatasetError
from assay.systems.load import load_system


def result(question: str, output: Any, *assertions: dict[str, Any]) -> dict[str, Any]:
    """A result as promptfoo writes it, with fewer fields."""
    return {
        "id": "r-1",
        "promptIdx": 0,
        "testCase": {"vars": {"question": question}, "assert": list(assertions)},
        "vars": {"question": question},
        "prompt": {"raw": f"Q: {question}", "label": "Q: {{question}}"},
        "provider": {"id": "openai:gpt-4o"},
        "response": {"output": output, "tokenUsage": {"total": 10}},
        "success": True,
    }


ROWS = [
    result("What is 2+2?", "4", {"type": "equals", "value": 4}),
    result("Capital?", "London", {"type": "contains-any", "value": ["Paris", "a, b"]}),
    result("Polite?", "Yes.", {"type": "llm-rubric", "value": "is polite"}),
]


@pytest.mark.parametrize("name", ["e.json", "e.jsonl"])
def test_an_export_has_questions_and_answers(tmp_path: Path, name: str):
    """Outputs are the answers of the system; assertions name the expected ones."""
    path = tmp_path / name
    export = {"evalId": "e", "results": {"version": 3, "results": ROWS}, "config": {}}
    lines = "".join(json.dumps(row) + "\n" for row in ROWS)
    path.write_text(json.dumps(export) if name == "e.json" else lines, encoding="utf-8")
    assert [row.answer for row in read_answered(path)] == ["4", "London", "Yes."]
    questions = read_questions(path)
    assert [question.text for question in questions] == ["What is 2+2?", "Capital?", "Polite?"]
    assert [question.answers for question in questions] == [("4",), ("Paris", "a, b"), ()]
    assert load_system(f"replay:{path}").identity.startswith("replay:e.json")


def test_the_prompt_is_the_question_if_no_value_is(tmp_path: Path):
    """A result that failed has no answer."""
    row = {"vars": {"topic": "law"}, "prompt": {"raw": "Tell of law."}, "response": {"error": "x"}}
    path = tmp_path / "e.jsonl"
    path.write_text(json.dumps(row) + "\n" + json.dumps({**row, "vars": {"topic": "b"},
        "prompt": {"raw": "Tell of b."}, "response": {"output": "B"}}) + "\n")  # fmt: skip
    assert [(each.question, each.answer) for each in read_answered(path)] == [
        ("Tell of law.", None),
        ("Tell of b.", "B"),
    ]


def test_the_table_of_promptfoo_is_not_read(tmp_path: Path):
    """Its cells hold verdicts too; the message says which export is read."""
    path = tmp_path / "e.csv"
    path.write_text("question,__expected,[openai:gpt-4o] Q\nWho?,equals: A,[PASS] A\n")
    with pytest.raises(
        DatasetError, match="of promptfoo, the export as JSON or JSON lines is read"
    ):
        read_answered(path)
