"""What ``assay score --questions`` says has changed."""

import json
from pathlib import Path

import pytest

from tests.support.program import Program, program

QUESTIONS = [
    {"id": "a", "question": "How long?", "answer": "5 days", "source": "d.md",
     "gold": [{"source": "d.md", "text": "It is 5 days."}]},
    {"id": "b", "question": "How much?", "answer": ["12 crowns", "twelve crowns"]},
]  # fmt: skip
ANSWERS = "question,response,contexts\nHow long?,5 days,['It is 5 days.']\nHow much?,12 crowns,\n"


@pytest.fixture(name="assay")
def _assay(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Program:
    """The program in a folder with a run of two recorded answers."""
    monkeypatch.chdir(tmp_path)
    put("q.jsonl", QUESTIONS)
    Path("answers.csv").write_text(ANSWERS, encoding="utf-8")
    assay = program(capsys)
    replayed = ("--system", "replay:answers.csv", "--name", "r", "--charts", "none")
    result = assay("run", "--questions", "q.jsonl", *replayed)
    assert result.code == 0, result.err
    return assay


def put(name: str, questions: list[dict[str, object]]) -> None:
    """A file of questions."""
    Path(name).write_text("".join(json.dumps(each) + "\n" for each in questions), encoding="utf-8")


def test_the_questions_of_the_run_change_nothing(assay: Program):
    """Neither expected answers nor gold spans are counted, and the rows are the same."""
    result = assay("score", "r", "--questions", "q.jsonl", "--json")
    assert json.loads(result.out)["changed"] == {}
    before, after = (Path(f"experiments/{name}.jsonl") for name in ("r", "r.rescored"))
    assert after.read_bytes() == before.read_bytes()


def test_only_what_differs_is_counted(assay: Program):
    """One expected answer of two was corrected."""
    put("q2.jsonl", [QUESTIONS[0], {**QUESTIONS[1], "answer": "20 crowns"}])
    result = assay("score", "r", "--questions", "q2.jsonl", "--json")
    assert json.loads(result.out)["changed"] == dict.fromkeys(
        ("at_least", "at_most", "expected_answer", "reasons", "scores"), 1
    )
