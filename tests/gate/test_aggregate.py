"""Summaries of several runs: means and spreads against their limits."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from assay.cli.main import app


def summary(path: Path, *scores: float, question: float = 0.5, **fields: Any) -> Path:
    """A summary of runs with these weighted scores, as the first tool writes it."""
    mean = sum(scores) / len(scores)
    spread = (sum((score - mean) ** 2 for score in scores) / len(scores)) ** 0.5
    content = {
        "label": path.stem,
        "n": len(scores),
        "weighted_score": {"mean": mean, "std": spread, "min": min(scores), "max": max(scores)},
        "question_weighted_score": {"mean": question, "std": 0.0, "min": question, "max": question},
        "runs": [
            {
                "path": f"run{number}.json",
                "weighted_score": score,
                "question_weighted_score": question,
                "policy_variant": "default",
            }
            for number, score in enumerate(scores)
        ],
        **fields,
    }
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def compare(base: Path, cand: Path, *words: str) -> Result:
    """Run ``assay compare``."""
    return CliRunner().invoke(app, ["compare", "--base", str(base), "--cand", str(cand), *words])


@pytest.fixture(name="base")
def _base(tmp_path: Path) -> Path:
    return summary(tmp_path / "base.json", 0.8, 0.9)


def test_both_means_and_their_spread_are_shown(base: Path, tmp_path: Path):
    """An equal or better candidate passes; the text has means, spreads and differences."""
    ran = compare(base, summary(tmp_path / "cand.json", 0.9, 0.9, 0.9))
    assert ran.exit_code == 0
    assert ran.stdout.splitlines()[0] == "gate passed"
    assert "weighted_score  0.8500 (std 0.0500) → 0.9000 (std 0.0000)  +0.0500" in ran.stdout
    assert "the base has 2 runs, the candidate 3" in ran.stdout


@pytest.mark.parametrize(
    ("scores", "question", "words", "message"),
    [
        ((0.8, 0.8), 0.5, (), "weighted_score became worse by 0.05"),
        ((0.9, 0.9), 0.4, (), "question_weighted_score became worse by 0.1"),
        ((0.85, 0.87), 0.5, ("--min-delta", "0.02"), "weighted_score became better by only 0.01"),
        ((0.7, 1.0), 0.5, ("--max-std", "0.1"), "weighted_score has a std of 0.15"),
    ],
)
def test_a_mean_or_a_spread_beyond_its_limit_fails(
    base: Path, tmp_path: Path, scores: Any, question: float, words: Any, message: str
):
    """Each of both means, and the spread of the candidate, can fail the gate with exit code 1."""
    ran = compare(base, summary(tmp_path / "cand.json", *scores, question=question), *words)
    assert ran.exit_code == 1
    assert message in ran.stdout


def test_one_mean_can_be_chosen(base: Path, tmp_path: Path):
    """With ``--metric`` only that mean decides."""
    worse = summary(tmp_path / "cand.json", 0.9, 0.9, question=0.1)
    assert compare(base, worse, "--metric", "weighted_score").exit_code == 0
    unknown = compare(base, worse, "--metric", "weighted_scor")
    assert unknown.exit_code == 2
    assert "did you mean 'weighted_score'" in unknown.stderr


def test_a_summary_and_a_single_run_cannot_be_compared(base: Path, tmp_path: Path):
    """Files of two kinds, and options that need questions, give exit code 2 with the reason."""
    single = tmp_path / "run.json"
    result = {"id": "q", "metrics": {"score": 1.0}}
    single.write_text(json.dumps({"summary": {}, "results": [result]}), encoding="utf-8")
    mixed = compare(base, single)
    assert mixed.exit_code == 2
    assert "compare two of a kind" in mixed.stderr
    assert compare(base, base, "--require-significant").exit_code == 2
    assert "--max-std needs two summaries" in compare(single, single, "--max-std", "0.1").stderr


@pytest.mark.parametrize("form", ["json", "markdown", "junit"])
def test_every_format_has_the_verdict(base: Path, tmp_path: Path, form: str):
    """The formats for programs and pull requests are written, and stderr has the verdict."""
    ran = compare(base, summary(tmp_path / "cand.json", 0.5, 0.5), "--format", form)
    assert ran.exit_code == 1
    assert "weighted_score" in ran.stdout
    assert ran.stderr.startswith("gate failed: weighted_score became worse by 0.35")
    if form == "json":
        figures = json.loads(ran.stdout)["figures"]
        assert figures[0]["delta"] == pytest.approx(-0.35)
        assert figures[0]["base"] == {"value": pytest.approx(0.85), "std": pytest.approx(0.05)}


def test_a_broken_mean_is_no_number(base: Path, tmp_path: Path):
    """A mean that is no number is refused with its name."""
    broken = summary(tmp_path / "cand.json", 0.5, weighted_score={"mean": "high"})
    ran = compare(base, broken)
    assert ran.exit_code == 2
    assert "weighted_score.mean is 'high'" in ran.stderr


def test_strict_hashes_is_accepted(base: Path):
    """``--strict-hashes`` is the default, and contradicts the option that allows a mismatch."""
    assert compare(base, base, "--strict-hashes").exit_code == 0
    assert compare(base, base, "--strict-hashes", "--allow-mismatch").exit_code != 0


def scores(mean: float, **fields: Any) -> dict[str, Any]:
    """The figures of a summary of two runs with 0.8 and 0.9, changed."""
    return {"mean": mean, "std": 0.05, "min": 0.8, "max": 0.9} | fields


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"weighted_score": scores(7)}, "weighted_score.mean is 7; a score is from 0 to 1"),
        ({"weighted_score": scores(0.85, max=1.2)}, "weighted_score.max is 1.2"),
        ({"weighted_score": scores(0.85, std=-4)}, "weighted_score.std is -4"),
        ({"weighted_score": scores(0.95), "runs": None}, "weighted_score.mean is 0.95, but weighted_score.max is 0.9"),
        ({"weighted_score": scores(0.7), "runs": None}, "weighted_score.mean is 0.7, but weighted_score.min is 0.8"),
        ({"weighted_score": scores(0.87)}, "weighted_score.mean is 0.87, but that of its 2 `runs` is 0.85"),
        ({"weighted_score": scores(0.85, std=0.01)}, "weighted_score.std is 0.01, but that of its 2"),
        ({"n": 0}, "n is 0; it is the number of runs"),
        ({"n": 5}, "n is 5, but `runs` has 2"),
        ({"n": True}, "n is True"),
    ],
)  # fmt: skip
def test_a_summary_that_cannot_be_is_refused(
    base: Path, tmp_path: Path, fields: dict[str, Any], message: str
):
    """A gate never passes by figures that contradict each other or the runs, on either side."""
    wrong = summary(tmp_path / "wrong.json", 0.8, 0.9, **fields)
    for ran in (compare(base, wrong), compare(wrong, base)):
        assert (ran.exit_code, ran.stdout) == (2, "")
        assert f"wrong.json: {message}" in ran.stderr


def test_rounded_figures_are_those_of_the_runs(base: Path, tmp_path: Path):
    """Three runs whose mean and spread were written with two and four decimals."""
    figures = {"mean": 0.87, "std": 0.0471, "min": 0.8, "max": 0.9}
    rounded = summary(tmp_path / "rounded.json", 0.8, 0.9, 0.9, weighted_score=figures)
    assert compare(base, rounded).exit_code == 0


def test_two_modes_of_a_file_with_metrics_only_are_compared(tmp_path: Path):
    """``--base-variant`` and ``--variant`` name them; without one of them it is said what to name."""
    modes = {
        name: {"metrics": {"accuracy": value}} for name, value in (("plain", 0.5), ("full", 0.7))
    }
    path = tmp_path / "modes.json"
    path.write_text(json.dumps(modes), encoding="utf-8")
    ran = compare(path, path, "--base-variant", "plain", "--variant", "full")
    assert ran.exit_code == 0, ran.output
    assert "accuracy  0.5000 → 0.7000  +0.2000" in ran.output
    assert "[accuracy, plain]" in ran.output
    worse = compare(path, path, "--base-variant", "full", "--variant", "plain")
    assert (worse.exit_code, "became worse by 0.2" in worse.output) == (1, True)
    unnamed = compare(path, path, "--base-variant", "full")
    assert unnamed.exit_code == 2
    assert "choose one with --variant" in unnamed.output
