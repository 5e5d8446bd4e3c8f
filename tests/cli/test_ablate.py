"""``assay ablate``: options, exit codes and output."""

import json
import re
from pathlib import Path

import pytest

from tests.support import harbour
from tests.support.harbour import write_harbour
from tests.support.program import Program, program


@pytest.fixture(name="assay")
def _assay(capsys: pytest.CaptureFixture[str]) -> Program:
    return program(capsys)


@pytest.fixture(name="root")
def _root(tmp_path: Path) -> Path:
    write_harbour(tmp_path, questions=6)
    return tmp_path


def test_an_experiment_is_run_and_shown(assay: Program, root: Path):
    """A run prints its description, a table, findings and paths to stdout, with exit code 0."""
    ran = assay("ablate", "-e", "berths", "--root", root)
    assert ran.code == 0, ran.err
    lines = ran.out.splitlines()
    assert lines[:2] == [
        "asks        python:tests.support.harbour:ask",
        "experiment  berths: Does the fee table help?",
    ]
    assert any(line.split() == ["variant", "lookup_on", "lookup_off"] for line in lines)
    assert any(line.startswith("- lookup_off against lookup_on: ") for line in lines)
    for name in ("rows", "summary", "report", "charts"):
        (line,) = (line for line in lines if line.startswith(f"{name} "))
        assert Path(line.split(None, 1)[1]).exists()
    assert "12 scored, 0 failed, 0 skipped of 12" in ran.err
    assert ran.out.count("[ablation]") == 12
    assert "[ablation]" not in ran.err


def test_a_resumed_run_says_what_it_expects(assay: Program, root: Path):
    """The time left is estimated from the part that was asked before."""
    assert assay("ablate", "-e", "berths", "--limit", 2, "--no-report", "--root", root).code == 0
    ran = assay("ablate", "-e", "berths", "--no-report", "--root", root)
    (line,) = (line for line in ran.out.splitlines() if line.startswith("expected"))
    assert line.startswith("expected    4 cases recorded earlier, about ")
    assert line.endswith(" (estimate from an earlier run)")


def test_log_lines_go_to_standard_output(assay: Program, root: Path):
    """``--log-lines`` prints one line per case to stdout, in the form of the seed project."""
    ran = assay("ablate", "-e", "berths", "--root", root, "--log-lines", "--no-report")
    logged = [line for line in ran.out.splitlines() if line.startswith("[ablation] ")]
    assert len(logged) == 12
    assert "[ablation]" not in ran.err
    assert not (root / "experiments/berths.md").exists()


def test_failed_cases_are_exit_1(assay: Program, root: Path, monkeypatch: pytest.MonkeyPatch):
    """With failed cases the exit code is 1, and the command to ask them again is printed."""
    answer = harbour.ask

    async def stumble(question: str, settings: dict[str, object]) -> object:
        if "berth 3 " in question:
            raise ValueError("dropped the book")
        return await answer(question, settings)

    monkeypatch.setattr(harbour, "ask", stumble)
    ran = assay("ablate", "-e", "berths", "--root", root, "--retries", 0, "--no-report")
    assert ran.code == 1
    assert "2 failed; ask them again with: assay ablate -e berths" in ran.err
    assert "dropped the book" in ran.out


def test_titles_have_the_top_k_of_the_run(assay: Program, root: Path):
    """The table at the end of a run and that of ``assay report`` have the same titles."""
    ran = assay("ablate", "-e", "berths", "--root", root)
    assert ran.code == 0, ran.err
    assert "Recall@3" in ran.out
    assert "@k" not in ran.out
    assert "Recall@3" in assay("report", "berths", "--root", root, "--charts", "none").out


def test_another_primary_metric_needs_no_new_answer(assay: Program, root: Path):
    """A complete run that is repeated with another primary metric is analysed by it."""
    assert assay("ablate", "-e", "berths", "--root", root).code == 0
    ran = assay("ablate", "-e", "berths", "--root", root, "--primary", "gold_mrr")
    assert ran.code == 0, ran.err
    assert "primary metric: MRR" in (root / "experiments/berths.md").read_text()
    assert re.search(r"points MRR|MRR: none of \d+ questions differs", ran.out), ran.out


def test_a_dry_run_asks_nothing(assay: Program, root: Path, monkeypatch: pytest.MonkeyPatch):
    """A dry run prints the number of cases; it creates no file and asks no system."""

    async def refuse(*_: object) -> None:
        raise AssertionError("asked")

    monkeypatch.setattr(harbour, "ask", refuse)
    before = sorted(root.rglob("*"))
    ran = assay("ablate", "-e", "berths", "--root", root, "--dry-run")
    assert ran.code == 0, ran.err
    assert "dry run: nothing is asked" in ran.out
    assert "cases   12 (0 recorded, 12 to ask)" in ran.out
    assert sorted(root.rglob("*")) == before


def test_all_runs_every_experiment_of_the_file(assay: Program, root: Path):
    """``--all`` runs the experiments one after the other, each with its own rows."""
    text = harbour.EXPERIMENTS.split("  - name: draws")[0]
    second = text.replace("berths", "again").removeprefix("experiments:\n")
    write_harbour(root, questions=2, experiments=text + second)
    ran = assay("ablate", "--all", "--root", root, "--no-report")
    assert ran.code == 0, ran.err
    assert ran.out.index("experiment  berths") < ran.out.index("experiment  again")
    for name in ("berths", "again"):
        assert (root / f"experiments/{name}.jsonl").read_text().count("\n") == 4


def test_all_are_checked_before_the_first_is_asked(assay: Program, root: Path):
    """An error in the last experiment gives exit code 2 with file and line; nothing is run."""
    ran = assay("ablate", "--all", "--root", root)  # the clerk knows no 'sample'
    assert ran.code == 2
    assert ran.err.startswith(f"assay: {root / 'experiments/experiments.yaml'}:")
    assert "'sample'" in ran.err
    assert ran.err.count("\n") == 1
    assert not (root / "experiments/berths.jsonl").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "name an experiment with --experiment"),
        (("-e", "berts"), "there is no experiment 'berts'; did you mean 'berths'?"),
        (("-e", "berths", "--all"), "not both"),
        (("-e", "berths", "--lang", "xx"), "--lang xx: not one of en, zh, ru"),
        (("-e", "berths", "--config", "gone.yaml"), "gone.yaml"),
        (("-e", "berths", "--system", "python:nowhere:ask"), "nowhere"),
        (("-e", "draws"), "'sample'"),
    ],
)
def test_wrong_input_is_one_line(assay: Program, root: Path, words: tuple[str, ...], message: str):
    """Wrong input gives exit code 2 and one line, and nothing is asked."""
    ran = assay("ablate", "--root", root, *words)
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err.startswith("assay: ")
    assert message in ran.err
    assert ran.err.count("\n") == 1
    assert not list((root / "experiments").glob("*.jsonl"))


@pytest.mark.parametrize(("lang", "word"), [("zh", "对比"), ("ru", "против")])
def test_findings_and_page_in_another_language(assay: Program, root: Path, lang: str, word: str):
    """``--lang`` sets the language of the findings and of the report page."""
    ran = assay("ablate", "-e", "berths", "--root", root, "--lang", lang)
    assert ran.code == 0, ran.err
    assert f"lookup_off {word} lookup_on" in ran.out
    assert word in (root / "experiments/berths.md").read_text(encoding="utf-8")


def test_a_second_time_nothing_is_asked(assay: Program, root: Path):
    """Recorded cases are not asked again; with more questions only the new ones are asked."""
    words = ("ablate", "-e", "berths", "--root", root, "--no-report")
    assert assay(*words, "--limit", 4).code == 0
    again = assay(*words, "--limit", 4)
    assert "8 cases recorded earlier" in again.out
    assert "all 8 cases were recorded earlier; nothing was asked" in again.err
    assert "nothing was asked" in assay(*words, "--limit", 2).err
    assert "12 scored" in assay(*words).err
    summary = json.loads((root / "experiments/berths.json").read_text())
    assert (summary["limit"], summary["total"], summary["results"]["questions"]) == (0, 12, 6)
