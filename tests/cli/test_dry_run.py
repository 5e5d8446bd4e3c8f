"""``--dry-run``: what it runs (no code of the workspace), and what it tells about your own system."""

import json
import re
import sys
from pathlib import Path

import pytest
from fpdf import FPDF

from tests.support.json_server import JsonServer
from tests.support.program import Program, program

QUESTIONS = "question,answer\nHow long is the notice period?,30 days\nWho approves it?,the board\n"
MODULE = """\
from pathlib import Path
Path("was_run").touch()
SETTINGS = {"mode": ("fast", "slow")}
def ask(question, settings):
    usage = {"calls": 2, "prompt_tokens": 100, "completion_tokens": 10, "cost": 0.5}
    return {"answer": "30 days", "usage": usage}
"""
PROGRAM = """\
import json, sys
open("was_run", "w").close()
for line in sys.stdin:
    print(json.dumps({"answer": "30 days"}), flush=True)
"""
CONFIG = """\
defaults: {{questions_path: questions.csv, system: own}}
systems:
  own: {{kind: python, target: "{module}:ask"}}
  apart: {{kind: python, target: "{module}:ask", isolate: process}}
  priced:
    kind: python
    target: "{module}:ask"
    max_concurrency: 2
    per_question: {{calls: 3, prompt_tokens: 2000, completion_tokens: 100, cost: 0.25}}
  program: {{kind: command, command: [{python}, stranger.py], per_question: {{calls: 1.5}}}}
  service:
    kind: http
    url: {url}
    prepare: {{url: {url}}}
    price: {{prompt: 10, completion: 100}}
    per_question: {{prompt_tokens: 1000, completion_tokens: 50}}
experiments:
  - {{name: modes, ablation_variable: mode, values: [fast, slow]}}
  - {{name: declared, ablation_variable: mode}}
"""
FACT = {"id": "a", "question": "When does it ring?", "must_include": ["noon"]}


@pytest.fixture(name="assay")
def _assay(capsys: pytest.CaptureFixture[str]) -> Program:
    return program(capsys)


@pytest.fixture(name="module")
def _module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a module of the workspace, which leaves a file when it is imported."""
    name = f"stranger_{re.sub('[^a-z0-9]', '_', tmp_path.parent.name + tmp_path.name)}"
    (tmp_path / f"{name}.py").write_text(MODULE)
    (tmp_path / "stranger.py").write_text(PROGRAM)
    (tmp_path / "questions.csv").write_text(QUESTIONS)
    file = FPDF()
    file.set_font("helvetica", size=11)
    file.add_page()
    file.cell(text="The bell of the tower rings at noon.")
    file.output(str(tmp_path / "tower.pdf"))
    (tmp_path / "facts.jsonl").write_text(json.dumps(FACT))
    configure(tmp_path, name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    return name


def configure(folder: Path, module: str, url: str = "http://127.0.0.1:9/ask") -> None:
    """Write the configuration of the workspace."""
    text = CONFIG.format(module=module, python=json.dumps(sys.executable), url=url)
    (folder / "experiments").mkdir(exist_ok=True)
    (folder / "experiments/experiments.yaml").write_text(text)


def line_of(output: str, label: str) -> str:
    """The text after a label of the estimate."""
    (line,) = (line for line in output.splitlines() if line.startswith(f"{label} "))
    return line.split(None, 1)[1]


@pytest.mark.parametrize(
    "words",
    [
        ("ablate", "-e", "modes"),
        ("run",),
        ("run", "--system", "apart", "--system", "program"),
        ("bench", "--sample"),
        ("review", "--sample"),
        ("depth", "--sample", "--depth-mode", "uniform", "--context-lengths", "1000"),
        ("quality", "--pdf", "tower.pdf", "--questions", "facts.jsonl"),
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_no_code_of_the_workspace_runs(
    assay: Program, tmp_path: Path, module: str, words: tuple[str, ...]
):
    """Whoever looks what a workspace would cost does not yet trust it."""
    if "--system" not in words:
        words = (*words, "--system", "own")
    ran = assay(*words, "--dry-run")
    assert ran.code == 0, ran.err
    assert f"note: a dry run does not import python:{module}:ask: its settings" in ran.err
    assert "dry run: nothing is asked" in ran.out
    assert not (tmp_path / "was_run").exists()
    assert module not in sys.modules


def test_a_run_imports_what_its_estimate_did_not(assay: Program, tmp_path: Path, module: str):
    """The dry run is the exception, and a setting that is refused is refused by the run."""
    words = ("run", "--system", f"python:{module}:ask", "--set", "mode=slow")
    assert assay(*words, "--dry-run").code == 0
    assert assay(*words).code == 0
    assert (tmp_path / "was_run").exists()
    wrong = (*words[:-1], "mode=other", "--name", "wrong")
    assert assay(*wrong, "--dry-run").code == 0
    assert assay(*wrong).code == 2


def test_a_module_that_is_missing_is_named(assay: Program, module: str):
    """It is looked for without being imported."""
    ran = assay("run", "--system", f"python:{module}_x:ask", "--dry-run")
    assert ran.code == 2
    assert f"there is no Python module '{module}_x'" in ran.err
    assert assay("run", "--system", f"python:{module}", "--dry-run").code == 2


def test_values_that_only_the_code_declares_are_asked_for(assay: Program, module: str):
    """The message says why the dry run does not know them."""
    ran = assay("ablate", "-e", "declared", "--dry-run")
    assert ran.code == 2
    assert "give the 'values' that mode should have; a dry run does not import the code" in ran.err


def test_recorded_answers_count_whatever_their_version_is(
    assay: Program, tmp_path: Path, module: str
):
    """Their averages are used, and the note says that no version was compared."""
    assert assay("ablate", "-e", "modes", "--limit", 1, "--no-report").code == 0
    path = tmp_path / f"{module}.py"
    path.write_text(path.read_text() + "# another version\n")
    ran = assay("ablate", "-e", "modes", "--dry-run")
    assert ran.code == 0, ran.err
    assert line_of(ran.out, "cases") == "4 (2 recorded, 2 to ask)"
    assert line_of(ran.out, "calls") == "about 4 (estimate from 2 recorded rows)"
    assert line_of(ran.out, "cost") == "about 1.0000 (estimate from 2 recorded rows)"
    assert "recorded answers of any version count" in ran.err


def test_a_depth_test_finds_the_rows_of_the_last_version(
    assay: Program, tmp_path: Path, module: str
):
    """Its file is named after the version of the system, which is not known."""
    words = ("depth", "--sample", "--depth-mode", "uniform", "--context-lengths", "1000")
    words = (*words, "--limit", "2", "--min-per-cell", "0", "--system", f"python:{module}:ask")
    first = assay(*words, "--dry-run")
    assert assay(*words).code == 0
    cases = line_of(first.out, "cases")
    count = int(cases.split()[0])
    assert cases == f"{count} (0 recorded, {count} to ask)"
    assert line_of(first.out, "cost").startswith("not known")
    (tmp_path / f"{module}.py").write_text(MODULE + "# another version\n")
    again = assay(*words, "--dry-run")
    assert line_of(again.out, "cases") == f"{count} ({count} recorded, 0 to ask)"
    fresh = assay(*words, "--dry-run", "--resume", "fresh")
    said = f"(estimate from {count} recorded rows)"
    assert line_of(fresh.out, "cost") == f"about {count / 2:.4f} {said}"
    assert line_of(fresh.out, "calls") == f"about {2 * count} {said}"


def test_an_earlier_run_of_any_version_tells_time_and_cost(
    assay: Program, tmp_path: Path, module: str
):
    """A new name has no rows of its own; the code has another version now."""
    words = ("run", "--system", f"python:{module}:ask", "--name")
    assert assay(*words, "first").code == 0
    (tmp_path / f"{module}.py").write_text(MODULE + "# another version\n")
    ran = assay(*words, "second", "--dry-run")
    assert line_of(ran.out, "cost") == "about 1.0000 (estimate from an earlier run)"
    assert line_of(ran.out, "time").endswith("(estimate from an earlier run)")


@pytest.mark.parametrize(
    ("system", "calls", "tokens", "cost"),
    [
        ("priced", "about 6", "about 4,000 in, 200 out", "about 0.5000"),
        ("program", "about 3", None, "not known: no answer of this system has a recorded cost"),
        ("service", "not known: the system makes its own", "about 2,000 in, 100 out", "about 0.0300"),
    ],
)  # fmt: skip
def test_what_is_declared_counts_until_something_is_recorded(
    assay: Program, module: str, system: str, calls: str, tokens: str | None, cost: str
):
    """What is not declared is not known; a price makes a cost of tokens."""
    ran = assay("run", "--system", system, "--dry-run")
    assert ran.code == 0, ran.err
    said = " (rough estimate from `per_question` in the configuration)"
    assert line_of(ran.out, "calls").removesuffix(said) == calls
    assert line_of(ran.out, "cost").removesuffix(said) == cost
    if tokens is None:
        assert "tokens  " not in ran.out
    else:
        assert line_of(ran.out, "tokens") == tokens + said


def test_systems_side_by_side_cost_what_each_declares(assay: Program, module: str):
    """The mean of all is known only if each declares it."""
    ran = assay("run", "--system", "priced", "--system", "service", "--dry-run")
    assert line_of(ran.out, "cost").startswith("about 0.5300 (rough")
    assert line_of(ran.out, "tokens").startswith("about 6,000 in, 300 out")
    assert line_of(ran.out, "calls") == "not known: the system makes its own"


def test_recorded_answers_count_more_than_what_is_declared(assay: Program, module: str):
    """The time of two at a time, too, is that of the configuration."""
    words = ("run", "--system", "priced", "--name", "kept")
    assert assay(*words, "--limit", 1).code == 0
    ran = assay(*words, "--dry-run")
    assert line_of(ran.out, "cost") == "about 0.5000 (estimate from 1 recorded row)"
    assert "the time assumes a concurrency of 2" in ran.err


def test_without_rows_and_declaration_nothing_is_made_up(assay: Program, module: str):
    """The line says what would help."""
    ran = assay("run", "--system", "own", "--dry-run")
    assert line_of(ran.out, "calls") == "not known: the system makes its own"
    assert (
        "tokens, cost and time: nothing recorded yet to estimate them from; set `per_question` of "
        "the system for a rough estimate" in ran.out
    )
    assert "\ncost " not in ran.out


def test_a_service_is_not_called(assay: Program, tmp_path: Path, module: str):
    """Not even its preparation."""
    with JsonServer(lambda _: {"answer": "30 days"}) as server:
        configure(tmp_path, module, server.url)
        assert assay("run", "--system", "service", "--dry-run").code == 0
        assert server.seen == []
