"""Names of new files show no value; a path that the user gives is kept, and a line says so."""

import json

import pytest

from tests.redact.main import Program

VALUE = "13812345678"
CONFIG = """\
redact: outputs
defaults: {questions_path: q.jsonl, system: "python:plain:ask"}
experiments:
  - {name: "13812345678", ablation_variable: seed, values: [1, 2]}
"""


@pytest.fixture
def workspace(program: Program) -> Program:
    """A workspace in which every file is named after somebody's telephone."""
    (program.folder / "experiments").mkdir()
    (program.folder / "experiments" / "experiments.yaml").write_text(CONFIG, encoding="utf-8")
    (program.folder / "plain.py").write_text("def ask(question): return 'x'\n", encoding="utf-8")
    line = json.dumps({"id": "a", "question": "Who?", "answer": "x"}) + "\n"
    for name in ("q.jsonl", f"quiz-{VALUE}-ivan@leak.example.jsonl"):
        (program.folder / name).write_text(line, encoding="utf-8")
    return program


def new_names(workspace: Program) -> list[str]:
    """The names of all files and folders that have the value in them."""
    paths = (path.relative_to(workspace.folder) for path in workspace.folder.rglob("*"))
    return [
        str(path)
        for path in paths
        if not path.name.startswith("quiz") and (VALUE in str(path) or "leak.example" in str(path))
    ]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        (f"run --questions q.jsonl --name {VALUE}", "[PHONE_1]"),
        (f"run --questions quiz-{VALUE}-ivan@leak.example.jsonl", "run-EMAIL_1"),
        (f"ablate -e {VALUE}", "[PHONE_1]"),
    ],
)
def test_the_files_of_a_run_have_masked_names(workspace: Program, line: str, name: str):
    """The rows, the summary, the report and its charts; the run is found by both names."""
    own = "" if line.startswith("ablate") else " --system python:plain:ask"
    cases = 1 if own else 2
    code, printed = workspace.run(line + own)
    assert code == 0, printed
    assert new_names(workspace) == []
    assert (workspace.folder / "experiments" / f"{name}.jsonl").is_file()
    assert (workspace.folder / "experiments" / f"{name}.md").is_file()
    code, printed = workspace.run(line + own)
    assert "nothing was asked" in printed
    assert (
        len((workspace.folder / "experiments" / f"{name}.jsonl").read_text().splitlines()) == cases
    )
    assert workspace.run(f"report '{name}' --format csv")[0] == 0
    if name == "[PHONE_1]":
        assert workspace.run(f"report {VALUE} --format html")[0] == 0
        assert workspace.run(f"query {VALUE} 'select key from rows' --format json")[0] == 0
    assert new_names(workspace) == []


@pytest.mark.parametrize("lang", ["en", "zh", "ru"])
def test_a_path_that_is_given_is_kept_with_a_line(workspace: Program, lang: str):
    """A script that names a file must find it."""
    assert workspace.run("run --questions q.jsonl --name plain --no-report")[0] == 0
    code, printed = workspace.run(f"--lang {lang} report plain --format csv --out t-{VALUE}.csv")
    assert code == 0, printed
    assert (workspace.folder / f"t-{VALUE}.csv").is_file()
    said = {"en": "is kept as given", "zh": "按原样保留", "ru": "оставлено как есть"}[lang]
    assert said in printed
    assert VALUE not in printed
    code, printed = workspace.run("report plain --format csv --out t.csv")
    assert "kept as given" not in printed
