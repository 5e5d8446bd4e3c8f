"""``--runs``: every job asks its cases several times, and all commands understand such runs."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_merge import ask_parts, rows, summary
from tests.support.harbour import write_harbour
from tests.support.program import Program, program

RUN = ("ablate", "-e", "berths", "--no-report", "--concurrency", "2")
DEPTH = ("--sample", "--depth-mode", "uniform", "--context-lengths", "1000,2000", "--per-cell", "1")
DICE = """
asked = {}

def roll(question):
    asked[question] = asked.get(question, 0) + 1
    return "yes" if (asked[question] + len(question)) % 3 else "no"
"""


@pytest.fixture(name="assay")
def _assay(capsys: pytest.CaptureFixture[str]) -> Program:
    return program(capsys)


@pytest.fixture(name="root")
def _root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_harbour(tmp_path, questions=14)
    return tmp_path


@pytest.fixture(name="empty")
def _empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(name="dice")
def _dice(root: Path) -> Path:
    lines = [
        {"id": f"d{number}", "question": f"Does die {'x' * number} win?", "answer": "yes"}
        for number in range(9)
    ]
    (root / "dice.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (root / "dice_of_runs.py").write_text(DICE)
    return root / "dice.jsonl"


def roll(assay: Program, *words: object) -> Any:
    """Run the dice."""
    ran = assay(
        "run", "--questions", "dice.jsonl", "--system", "python:dice_of_runs:roll", "--name",
        "dice", "--charts", "none", *words,
    )  # fmt: skip
    assert ran.code == 0, ran.err
    return ran


def draws_in(journal: Path) -> list[Any]:
    """The number of the draw in each row; ``None`` where it is absent."""
    return [
        row.get("run") for row in map(json.loads, journal.read_text().splitlines()) if "key" in row
    ]


def test_one_run_is_a_run_without_the_option(assay: Program, root: Path):
    """Rows, summary and plan are the same to the letter, but for times."""
    plain, once = root / "plain/berths.jsonl", root / "once/berths.jsonl"
    assert assay(*RUN, "--out", plain.parent).code == 0
    assert assay(*RUN, "--runs", "1", "--out", once.parent).code == 0
    assert rows(once) == rows(plain)
    assert summary(once) == summary(plain)
    plans = [path.with_name("berths.plan.jsonl").read_bytes() for path in (plain, once)]
    assert plans[0] == plans[1]


def test_a_run_grows_and_its_table_says_what_draws_would_help(assay: Program, dice: Path):
    """Only the new draws are asked; list, report, score and compare know the run."""
    journal = dice.parent / "experiments/dice.jsonl"
    roll(assay)
    assert draws_in(journal) == [None] * 9
    ran = roll(assay, "--runs", "3")
    assert "3 of each question: 27 cases" in ran.out
    assert "Each question was asked 3 times" in ran.out
    assert "of the variance is between questions" in ran.out
    assert draws_in(journal) == [None] * 9 + [2] * 9 + [3] * 9
    page = journal.with_suffix(".md").read_text()
    assert "### Questions and draws: Answer right" in page
    assert "### Of k answers: Answer right" in page
    found = json.loads(journal.with_suffix(".json").read_text())
    assert (found["total"], found["extra"]["runs"]) == (27, 3)
    assert found["results"]["questions"] == 9
    (listed,) = json.loads(assay("list", "--json").out)
    assert (listed["questions"], listed["scored"]) == (9, 27)
    assert assay("score", "dice").code == 0
    html = assay("report", "dice", "--format", "html")
    assert html.code == 0, html.err
    assert "nothing was asked" in roll(assay, "--runs", "3").err


def test_shrinking_leaves_the_other_draws_out(assay: Program, dice: Path):
    """Their rows stay in the file and enter nothing."""
    roll(assay, "--runs", "2")
    ran = roll(assay)
    assert "9 recorded rows are not part of this run" in ran.err
    found = json.loads((dice.parent / "experiments/dice.json").read_text())
    assert found["tally"]["scored"] == 9
    assert "repeats" not in found["results"]


def test_runs_with_other_numbers_of_draws_are_compared_by_question(assay: Program, dice: Path):
    """The value of a question is the mean of its draws, on both sides."""
    roll(assay)
    roll(assay, "--runs", "4", "--out", "four")
    for base, cand in (("experiments", "four"), ("four", "experiments")):
        ran = assay(
            "compare", "--base", f"{base}/dice.jsonl", "--cand", f"{cand}/dice.jsonl", "--format", "json",
            "--metric", "answer_contained", "--min-delta", "-1", "--max-regressions", "9",
        )  # fmt: skip
        assert ran.code == 0, ran.err
        compared = json.loads(ran.out)
        assert compared["effect"]["n"] == 9
        of_four = compared["candidate" if cand == "four" else "base"]
        draws = map(json.loads, (dice.parent / "four/dice.jsonl").read_text().splitlines())
        values = [row["scores"]["answer_contained"] for row in draws]
        assert of_four["value"] == pytest.approx(sum(values) / len(values))
        assert of_four["questions"] == 9


def test_merged_parts_with_draws_are_the_run_that_one_command_makes(assay: Program, root: Path):
    """A question is in one part with all its draws, in an ablation and in a depth test."""
    run = (*RUN, "--runs", "2")
    whole = root / "whole/berths.jsonl"
    assert assay(*run, "--out", whole.parent).code == 0
    ask_parts(assay, *run)
    merged = root / "experiments/berths.jsonl"
    ran = assay("merge", *sorted(merged.parent.glob("berths.shard-*.jsonl")))
    assert ran.code == 0, ran.err
    assert rows(merged) == rows(whole)
    assert summary(merged) == summary(whole)
    assert "nothing was asked" in assay(*run).err


def test_a_depth_test_repeats_its_placements(assay: Program, root: Path):
    """Every question is asked again at its length and depth; the pass without the novel is not."""
    out = root / "novel.jsonl"
    words = ("depth", *DEPTH, "--out", out, "--closed-book", "--runs", "2")
    dry = assay(*words, "--dry-run")
    ran = assay(*words)
    assert ran.code == 0, ran.err
    keys = [row["key"] for row in map(json.loads, out.read_text().splitlines()) if "key" in row]
    first = {key for key in keys if "::run=" not in key}
    assert {key.removesuffix("::run=2") for key in keys if "::run=2" in key} == first
    closed = draws_in(root / "novel.closed.jsonl")
    assert set(closed) == {None}
    assert f"{len(keys) + len(closed)} (0 recorded" in dry.out


def test_a_benchmark_counts_a_question_once(assay: Program, empty: Path):
    """Answers of the sample's reader never differ, so the percentages are those of one draw."""
    once = json.loads(assay("bench", "run", "--sample", "--json", "--out", "a").out)
    twice = json.loads(assay("bench", "run", "--sample", "--json", "--out", "b", "--runs", "2").out)
    assert (twice.pop("runs"), once.get("runs")) == (2, None)
    for summarised in (once, twice):
        del summarised["timestamp"]
        for question in (*summarised["questions"], *summarised["individual_results"]):
            question.pop("elapsed_s", None)
    assert twice == once


def test_a_review_says_that_it_counts_answers(assay: Program, empty: Path):
    """Rates are those of one draw, and a note says how many answers the matrix counts."""
    found = {}
    for runs in (1, 3):
        folder = empty / str(runs)
        ran = assay("review", "--sample", "--out", folder, "--runs", runs, "--charts", "none")
        assert ran.code == 0, ran.err
        (path,) = (each for each in folder.glob("*.json"))
        found[runs] = json.loads(path.read_text())["results"]["variants"]
        assert ("answers to" in ran.out) == (runs > 1)
    for name, once in found[1].items():
        thrice = found[3][name]
        assert thrice["total"] == 3 * once["total"]
        for metric in ("accuracy", "macro_f1", "weighted_accuracy", "linear_weighted_kappa"):
            assert thrice[metric] == pytest.approx(once[metric])
        assert thrice["intervals"]["macro_f1"] == pytest.approx(once["intervals"]["macro_f1"])
        assert thrice["intervals"]["parse_rate"] == pytest.approx(once["intervals"]["parse_rate"])


def test_an_experiment_may_say_how_often(assay: Program, root: Path):
    """``runs`` of experiments.yaml is used, and the command line replaces it."""
    path = root / "experiments/experiments.yaml"
    path.write_text(
        path.read_text().replace("  - name: berths\n", "  - name: berths\n    runs: 2\n")
    )
    assert assay(*RUN).code == 0
    assert set(draws_in(root / "experiments/berths.jsonl")) == {1, 2}
    assert assay(*RUN, "--runs", "1", "--out", root / "once").code == 0
    assert set(draws_in(root / "once/berths.jsonl")) == {None}


def test_a_recording_and_early_stopping_are_refused_in_one_line(assay: Program, dice: Path):
    """A recording has one answer to each question, and a decision does not wait for draws."""
    roll(assay)
    ran = assay(
        "run", "--questions", "dice.jsonl", "--system", "replay:experiments/dice.jsonl",
        "--runs", "2", "--name", "again",
    )  # fmt: skip
    assert ran.code == 2
    (line,) = ran.err.strip().splitlines()
    assert "--runs 2: experiments/dice.jsonl is a recording and has one answer" in line
    ran = assay(*RUN, "--runs", "2", "--stop-early")
    assert ran.code == 2
    assert "--stop-early cannot be combined with --runs" in ran.err
