"""Labels whose probability is no true one decide nothing."""

import json
import warnings
from pathlib import Path
from typing import Any

import pytest

from tests.support.judged import label_rows, some, write_judged, write_labels
from tests.support.program import Program


@pytest.fixture(name="root")
def _root(tmp_path: Path) -> Path:
    write_judged(tmp_path, 100, wrong=range(0, 100, 7))
    return tmp_path


def write(root: Path, probability: float) -> None:
    """Labels of which one has another probability."""
    rows: list[dict[str, Any]] = label_rows(some(40, 100))
    rows[8]["probability"] = probability
    write_labels(root, rows)


def compare(assay: Program, root: Path) -> Any:
    """Compare the variants of the run by the judge."""
    run = root / "experiments" / "trial.jsonl"
    return assay(
        "compare", "--base", run, "--cand", run, "--base-variant", "off", "--variant", "on",
        "--metric", "judge.correct", "--max-regressions", 50, "--format", "json",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("probability", "problem"),
    [(1e-320, "trial.jsonl:9: "), (1e-5, "has the probability 1e-05, which no draw")],
)
def test_a_probability_that_no_draw_gives_is_refused(
    assay: Program, root: Path, probability: float, problem: str
):
    """Its weight would be infinite, or larger than that of all other labels together."""
    write(root, probability)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for ran in (assay("judge", "check", "trial", "--root", root), compare(assay, root)):
            assert ran.code == 2
            assert problem in ran.err
            assert "nan" not in ran.out + ran.err


def test_one_heavy_label_is_too_few_labels(assay: Program, root: Path):
    """Forty labels of which one weighs more than all others tell as much as one or two."""
    write(root, 0.001)
    assert "29 labels missing" in assay("judge", "check", "trial", "--root", root).out
    facts = json.loads(compare(assay, root).out)
    assert facts["correction"]["used"] == "judge alone"
    assert "29 labels of randomly drawn answers are missing" in facts["correction"]["reason"]


def test_no_label_is_missing_if_every_answer_has_one(assay: Program, tmp_path: Path):
    """With a label for each of 20 answers of a variant, answers are missing and not labels."""
    write_judged(tmp_path, 20, wrong=range(0, 20, 7))
    write_labels(tmp_path, label_rows(range(20), probability=None))
    text = assay("judge", "check", "trial", "--root", tmp_path).out
    assert "20 of 20" in text
    assert "10 more labelled answers needed" in text
    assert "10 labels missing" not in text
