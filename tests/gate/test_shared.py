"""Runs over the same questions in different files, such as two exports with answers."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.program import Program, ProgramResult, program

HEADER = "question,response,reference\n"
OLD = HEADER + "How long?,5 days,5 days\nHow much?,12 crowns,12 crowns\n"
NEW = HEADER + "How much?,20 crowns,12 crowns\nHow long?,five days,5 days\n"
Compare = Callable[[str, str], ProgramResult]


@pytest.fixture(name="assay")
def _assay(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Program:
    monkeypatch.chdir(tmp_path)
    return program(capsys)


@pytest.fixture(name="compared")
def _compared(assay: Program) -> Compare:
    """Runs two exports as they are recorded, and compares them."""

    def compare(old: str, new: str) -> ProgramResult:
        for name, text in {"old": old, "new": new}.items():
            Path(f"{name}.csv").write_text(text, encoding="utf-8")
            replayed = ("--system", f"replay:{name}.csv", "--name", name, "--charts", "none")
            assert assay("run", "--questions", f"{name}.csv", *replayed).code == 0
        return assay("compare", "--base", "old", "--cand", "new")

    return compare


def test_other_answers_make_no_other_questions(compared: Compare, assay: Program):
    """What is asked and what it is compared with counts, not the rest of the file or its order."""
    result = compared(OLD, NEW)
    assert result.code == 1
    assert "pairs        2" in result.out
    assert "question sets differ" not in result.out
    assert assay("baseline", "old", "--out", "baseline.jsonl").code == 0
    assert assay("compare", "--base", "baseline.jsonl", "--cand", "new").code == 1


@pytest.mark.parametrize(
    "new",
    [
        NEW.replace(",5 days", ",6 days"),
        NEW.replace("How long?", "How long is it?"),
        NEW + "Who?,Ann,Ann\n",
    ],
)
def test_other_questions_or_expected_answers_are_refused(compared: Compare, new: str):
    """Unless the user allows it."""
    result = compared(OLD, new)
    assert result.code == 2
    assert "questions_sha256 differs" in result.err
