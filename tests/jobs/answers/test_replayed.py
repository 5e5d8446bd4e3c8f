"""The answers of a question file, scored as they are."""

import re
from pathlib import Path

import pytest

from assay.errors import UseError
from assay.jobs.answers.preparation import is_replayed
from assay.systems.load import SideBySide, load_system
from assay.systems.replay import ReplaySystem
from assay.systems.scripted import ScriptedSystem
from tests.support.program import program


def put(tmp_path: Path, name: str, text: str) -> Path:
    """A file with this text."""
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_answers_of_the_same_file(tmp_path: Path):
    """They are scored if the expected ones are in another column."""
    path = put(tmp_path, "q.csv", "question,answer,ground_truth\nWho?,Bob,Ann\n")
    system = ReplaySystem(path)
    assert is_replayed(system, path)
    assert is_replayed(SideBySide({"a": ScriptedSystem({}), "b": system}), path)
    assert not is_replayed(ScriptedSystem({}), path)


def test_a_named_column_of_the_same_file(tmp_path: Path):
    """It is scored, unless it is that of the expected answers."""
    path = put(tmp_path, "q.csv", "question,expected,gpt4\nWho?,Bob,Ann\n")
    assert is_replayed(load_system(f"replay:{path}#gpt4"), path)
    with pytest.raises(UseError, match="its answers are the expected ones"):
        is_replayed(load_system(f"replay:{path}#expected"), path)
    lines = put(tmp_path, "q.jsonl", '{"id": "a", "question": "Who?", "answer": "A", "b": "B"}\n')
    assert is_replayed(load_system(f"replay:{lines}#b"), lines)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("q.csv", "question,answer\nWho?,Ann\n"),
        ("q.jsonl", '{"id": "a", "question": "Who?", "answer": "Ann"}\n'),
    ],
)
def test_expected_answers_are_not_scored_against_themselves(tmp_path: Path, name: str, text: str):
    """All of them would be right."""
    path = put(tmp_path, name, text)
    with pytest.raises(UseError, match="its answers are the expected ones"):
        is_replayed(ReplaySystem(path), path)
    other = put(tmp_path, f"other-{name}", text)
    assert not is_replayed(ReplaySystem(path), other)


def test_a_note_counts_expected_answers_that_say_that_there_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """A refusal is right, an invented answer is wrong, and the note says how to mark the questions."""
    monkeypatch.chdir(tmp_path)
    rows = [
        "question,ground_truth,answer",
        "What is the deposit?,Not stated in the document,The document does not mention a deposit.",
        "Who is the agent?,N/A,The agent is Bob Stone.",
        "Who is the owner?,Ann Lee,Ann Lee",
    ]
    put(tmp_path, "q.csv", "\n".join(rows))
    ran = program(capsys)("run", "--questions", "q.csv", "--system", "replay:q.csv", "--name", "q")
    assert re.search(r"^ *Answer right +0\.667", ran.out, re.MULTILINE)
    assert "2 expected answers say that there is none, so an abstention is right" in ran.out
    assert "1 of 3 cases wrong or failed" in ran.out
