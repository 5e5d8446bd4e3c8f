"""``--name`` names a file inside the workspace, in every command that has it."""

from pathlib import Path

import pytest

from assay.config import check_name
from assay.errors import UseError
from tests.support.program import Program, program

QUESTION = '{"id": "q1", "question": "How many?", "answer": "7"}\n'


@pytest.fixture(name="assay")
def _assay(capsys: pytest.CaptureFixture[str]) -> Program:
    return program(capsys)


@pytest.mark.parametrize(
    "name", ["../../evil", "/evil", "a/b", ".hidden", "", "a\n", "a\x1b[31m", "..", "x" * 200]
)
def test_names_that_leave_their_folder_are_refused(name: str):
    """The rule is that of names of experiments."""
    with pytest.raises(UseError, match="--name"):
        check_name(name)


@pytest.mark.parametrize("name", ["../../evil", "a\x1b[31m"])
@pytest.mark.parametrize(
    "command",
    [
        ("run", "--questions", "questions.jsonl", "--system", "command:cat"),
        ("bench", "--sample"),
        ("questions", "draft", "notes.txt"),
        ("questions", "draft", "--novel", "notes.txt"),
    ],
    ids=["run", "bench", "draft", "novel"],
)
def test_a_name_that_is_no_file_name_is_refused(
    assay: Program,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: tuple[str, ...],
    name: str,
):
    """Nothing is written, inside or outside, and the message shows control characters escaped."""
    root = tmp_path / "one" / "two"
    root.mkdir(parents=True)
    monkeypatch.chdir(root)
    (root / "questions.jsonl").write_text(QUESTION)
    (root / "notes.txt").write_text("The harbour has 7 berths. It opened in 1998.\n")
    before = {path for path in tmp_path.rglob("*") if path.is_file()}
    ran = assay(*command, f"--name={name}")
    assert ran.code == 2
    assert "--name" in ran.err
    assert "\x1b" not in ran.err
    assert {path for path in tmp_path.rglob("*") if path.is_file()} == before


def test_a_run_takes_a_configuration_of_another_name(
    assay: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The questions are those of the file that ``--config`` names."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "questions.jsonl").write_text(QUESTION)
    (tmp_path / "mine.py").write_text("def ask(question):\n    return 'It is 7.'\n")
    (tmp_path / "my.yaml").write_text("defaults: {questions_path: questions.jsonl}\n")
    words = ("--config", "my.yaml", "--system", "python:mine:ask", "--name", "r")
    ran = assay("run", *words, "--charts", "none")
    assert ran.code == 0, ran.err
    assert (tmp_path / "experiments" / "r.jsonl").is_file()
