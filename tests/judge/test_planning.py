"""How many labels a plan asks for."""

import json
from pathlib import Path

import numpy as np

from assay.judge.label_plan import plan_labels
from assay.judge.labelled_answers import LabelCounts, Sample
from assay.stats.corrected import JudgedScores
from tests.support.judged import drawn_labels, write_checked, write_labels, write_workspace
from tests.support.program import Program


def needed(labels: list[float], weights: list[float]) -> int | None:
    """The planned number if a judge calls 500 answers right and these labels are known."""
    rest = 500 - len(labels)
    side = JudgedScores(
        judged=np.ones(500),
        labels=np.array([*labels, *[np.nan] * rest]),
        weights=np.array([*weights, *[np.nan] * rest]),
    )
    sample = Sample(
        items=tuple(f"q{number}" for number in range(500)),
        languages=("en",) * 500,
        sides={"on": side},
        counts=LabelCounts(),
    )
    (plan,) = plan_labels("judge.correct", sample, width=0.1, threshold=0.5).variants
    return plan.needed


def test_preferred_labels_do_not_make_the_judge_look_worse():
    """Errors that were three times as likely to be labelled count a third in the plan."""
    equal = needed([0.0] * 5 + [1.0] * 45, [10.0] * 50)
    preferred = needed([0.0] * 15 + [1.0] * 45, [10.0 / 3] * 15 + [10.0] * 45)
    assert equal is not None
    assert preferred is not None
    assert abs(preferred - equal) <= 5


def test_a_difference_of_variants_has_a_plan(assay: Program, tmp_path: Path):
    """Both sides need labels; with labels of both, the errors are no longer assumed."""
    journal = write_checked(write_workspace(tmp_path, "http://127.0.0.1:9", questions=140))
    words = ("labels", "plan", "trial", "--root", tmp_path, "--width", "0.3")
    told = assay(*words).out
    assert (
        "labels of each side for an interval of the corrected difference that is at most 0.3 wide"
        in told
    )
    (line,) = [line for line in told.splitlines() if line.startswith("  on - off: ")]
    assert "of 140 answers (its errors are assumed" in line
    sheet = tmp_path / "sheet.jsonl"
    assert assay(*words, "--draw", 60, "--out", sheet).code == 0
    write_labels(tmp_path, drawn_labels(sheet))
    (planned,) = json.loads(assay(*words, "--json").out)["plan"]["differences"]
    assert (planned["variant"], planned["base"], planned["pairs"]) == ("on", "off", 140)
    assert 30 <= planned["needed"] < 140
    assert planned["assumed"] is False
    (other,) = [
        each
        for each in json.loads(assay(*words, "--json", "--base", journal).out)["plan"][
            "differences"
        ]
        if each["variant"] == "on"
    ]
    assert (other["base"], other["pairs"]) == ("on", 140)
