"""The answers of a question file, scored as they are."""

from pathlib import Path

import pytest

from assay.errors import UseError
from assay.jobs.ablation.replayed import is_replayed
from assay.systems import ReplaySystem, ScriptedSystem, SideBySide


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
