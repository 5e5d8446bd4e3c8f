"""What decides a run of systems that do not say what they retrieved."""

import json
from pathlib import Path

import pytest

from tests.support.program import program

SQUAD = {
    "version": "v2.0",
    "data": [
        {
            "title": "lease",
            "paragraphs": [
                {
                    "context": "The rent is 500 crowns. The term is 30 days.",
                    "qas": [
                        {
                            "id": "1",
                            "question": "What is the rent?",
                            "answers": [{"text": "500 crowns", "answer_start": 12}],
                        },
                        {
                            "id": "2",
                            "question": "What is the term?",
                            "answers": [{"text": "30 days", "answer_start": 36}],
                        },
                    ],
                }
            ],
        }
    ],
}
SYSTEMS = """
def right(question):
    return "500 crowns" if "rent" in question else "30 days"

def wrong(question):
    return "I saw a cat."
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with questions that have gold, and two systems that return no passages."""
    (tmp_path / "squad.json").write_text(json.dumps(SQUAD), encoding="utf-8")
    (tmp_path / "fallback_systems.py").write_text(SYSTEMS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_expected_answers_decide_if_nothing_says_what_was_retrieved(
    folder: Path, capsys: pytest.CaptureFixture[str]
):
    """Two systems are compared by Answer right, and one line says why."""
    ran = program(capsys)(
        "run", "--questions", "squad.json",
        "--system", "python:fallback_systems:right",
        "--system", "python:fallback_systems:wrong",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    assert "cannot be compared" not in ran.out
    assert "no value of the primary metric Recall@10, so Answer right decides" in ran.out


def test_two_runs_are_compared_by_the_expected_answers(
    folder: Path, capsys: pytest.CaptureFixture[str]
):
    """The gate sees that every answer became wrong."""
    assay = program(capsys)
    for name in ("right", "wrong"):
        system = f"python:fallback_systems:{name}"
        assert (
            assay("run", "--questions", "squad.json", "--system", system, "--name", name).code == 0
        )
    ran = assay("compare", "--base", "right", "--cand", "wrong")
    assert ran.code == 1, ran.out + ran.err
    assert "answer_contained" in ran.out


def test_only_citations_are_missed_where_there_is_no_gold(
    folder: Path, capsys: pytest.CaptureFixture[str]
):
    """Nothing is said about gold metrics if no question has gold, and no table has citations."""
    (folder / "q.csv").write_text("question,answer\nWhat is the rent?,500 crowns\n")
    ran = program(capsys)(
        "run", "--questions", "q.csv", "--system", "python:fallback_systems:right"
    )
    assert ran.code == 0, ran.err
    note = "1 answer does not say which passages were retrieved: its citation score is undefined"
    assert note in ran.out
    assert "gold metrics" not in ran.out
    assert "cite_ok_rate" not in ran.out
