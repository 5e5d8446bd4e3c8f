import math
from typing import Any

import numpy as np
import pytest

from assay.jobs.review.interval import review_intervals, total_intervals
from assay.scorers.risk.reply.parse import parse_review
from assay.scorers.risk.score import review_metrics, review_summary, score_review
from assay.stats.interval import bca_mean
from assay.stats.resample import Floats


def rows(count: int, seed: int = 3) -> list[dict[str, Any]]:
    """Reviews of random clauses, right more often than not."""
    rng = np.random.default_rng(seed)
    made = []
    for _ in range(count):
        level = ("high", "medium", "low")[rng.integers(3)]
        said = level if rng.random() < 0.6 else ("high", "medium", "low", "?")[rng.integers(4)]
        made.append(
            score_review(
                parse_review(f"Level: {said}\nSuggestion: x"),
                risk_level=level,
                rules=["R1"],
                risk_id="R1",
                fired=["R1"] if rng.random() < 0.5 else ["R2"],
                evidence_valid=[bool(rng.random() < 0.8)],
            )
            | {"elapsed_s": float(rng.random())}
        )
    return made


def test_every_metric_has_an_interval_around_it():
    """Each interval is inside the metric's bounds and holds the observed value."""
    reviewed = rows(80)
    summary = review_summary(reviewed)
    intervals = review_intervals(reviewed)
    assert intervals["law_hallucination_rate"] is None
    for name, interval in intervals.items():
        group, _, title = name.partition(".")
        value = summary[group][title] if title else summary[group]
        if value is not None:
            assert interval is not None
            assert interval.low <= value <= interval.high, name
            assert -1 <= interval.low <= interval.high <= 1, name


def test_rates_agree_with_the_bootstrap_of_a_mean():
    """Accuracy is a mean over clauses, so that both ways give the same interval but for noise."""
    reviewed = rows(120)
    ours = review_intervals(reviewed)["accuracy"]
    theirs = bca_mean(np.array([row["level_correct"] for row in reviewed], dtype=float))
    assert ours is not None
    assert theirs is not None
    assert ours.low == pytest.approx(theirs.low, abs=0.015)
    assert ours.high == pytest.approx(theirs.high, abs=0.015)


def test_draws_of_outcomes_are_draws_of_clauses():
    """The spread of kappa agrees with resampling clauses one by one."""
    reviewed = rows(60)
    interval = review_intervals(reviewed)["linear_weighted_kappa"]
    assert interval is not None
    rng = np.random.default_rng(1)
    drawn = []
    for _ in range(400):
        chosen = [reviewed[place] for place in rng.integers(0, len(reviewed), len(reviewed))]
        drawn.append(review_summary(chosen)["linear_weighted_kappa"])
    low, high = np.quantile(drawn, [0.025, 0.975])
    assert interval.low == pytest.approx(low, abs=0.08)
    assert interval.high == pytest.approx(high, abs=0.08)


def test_the_seed_alone_decides():
    """The same rows and seed give the same numbers, in whatever order the rows came."""
    reviewed = rows(40)
    assert review_intervals(reviewed) == review_intervals(reviewed)
    turned = review_intervals(reviewed[::-1])
    assert turned["macro_f1"] == review_intervals(reviewed)["macro_f1"]
    assert review_intervals(reviewed, seed=1) != review_intervals(reviewed)


def test_too_few_clauses_have_no_interval():
    """One clause tells nothing of the spread; none has not even names."""
    assert set(review_intervals(rows(1)).values()) == {None}
    assert review_intervals([]) == {"avg_latency": None}
    named = review_metrics(np.zeros((1, 22))).keys()
    assert named == review_intervals(rows(2)).keys() - {"avg_latency"}


def test_rows_that_failed_are_left_out():
    """A failed row changes no interval."""
    reviewed = rows(30)
    assert review_intervals([*reviewed, {"status": "failed"}]) == review_intervals(reviewed)


def test_a_metric_that_is_mostly_undefined_has_no_interval():
    """Where most resamples cannot compute it, an interval of the rest would mislead."""

    def rare(totals: Floats) -> dict[str, Floats]:
        return {"rare": np.where(totals[:, 1] > 0, 1.0, math.nan)}

    outcomes = [(1, 0)] * 29 + [(0, 1)]
    assert total_intervals(outcomes, rare)["rare"] is None
    often = total_intervals([(1, 0)] * 10 + [(0, 1)] * 20, rare)["rare"]
    assert often is not None
    assert (often.low, often.high) == (1.0, 1.0)
