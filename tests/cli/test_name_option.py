"""``--name`` names a file inside the workspace, in every command that has it."""

from pathlib import Path

import pytest

from assay.config.experiment import check_name
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


def _run(system: str, *words: str) -> tuple[str, ...]:
    return ("run", "--questions", "questions.jsonl", "--system", f"replay:{system}.jsonl", *words)


def _write_answers(root: Path) -> None:
    for name, answer in {"seven": "7", "eight": "8"}.items():
        rows = [
            f'{{"id": "{each}", "question": "How many?", "answer": "{answer}"}}'
            for each in ("q1", "q2")
        ]
        (root / f"{name}.jsonl").write_text("\n".join(rows) + "\n")


def _files(root: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("command", "owner"),
    [
        (_run("eight"), "seven"),
        (("bench", "--sample"), "ablation"),
        (("review", "--sample"), "ablation"),
    ],
    ids=["system", "bench", "review"],
)
@pytest.mark.parametrize("further", [(), ("--dry-run",)], ids=["run", "dry run"])
def test_a_name_of_another_run_is_refused(
    assay: Program,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: tuple[str, ...],
    owner: str,
    further: tuple[str, ...],
):
    """Another system or another job under the name of a run is refused in one line, and nothing is changed."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "questions.jsonl").write_text(QUESTION)
    _write_answers(tmp_path)
    assert assay(*_run("seven"), "--name=one", "--no-report").code == 0
    before = _files(tmp_path / "experiments")
    ran = assay(*command, "--name=one", *further)
    assert ran.code == 2
    refusal = [line for line in ran.err.splitlines() if line.startswith("assay: ")]
    assert len(refusal) == 1
    assert owner in refusal[0].replace(" ", "-")
    assert "another --name, or --resume fresh" in refusal[0]
    assert _files(tmp_path / "experiments") == before


def test_a_run_is_resumed_by_its_name_and_replaced_if_that_is_meant(
    assay: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The same systems go on with the run; with --resume fresh others take its name, and the old files are kept."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "questions.jsonl").write_text(QUESTION)
    _write_answers(tmp_path)
    assert assay(*_run("seven"), "--name=one", "--no-report").code == 0
    rows = (tmp_path / "experiments" / "one.jsonl").read_bytes()
    (tmp_path / "questions.jsonl").write_text(QUESTION + QUESTION.replace("q1", "q2"))
    assert assay(*_run("seven"), "--name=one", "--no-report").code == 0
    assert (tmp_path / "experiments" / "one.jsonl").read_bytes().startswith(rows)
    assert assay(*_run("eight"), "--name=one", "--no-report", "--resume=fresh").code == 0
    assert list((tmp_path / "experiments").glob("one.jsonl.*.old"))
