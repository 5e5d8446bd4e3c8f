from typing import Any

import numpy as np
import pytest

from assay.jobs.contract.reply import parse_review
from assay.jobs.contract.score import review_metrics, review_summary, score_review
from assay.jobs.contract.veto import review_intervals, total_intervals
from assay.stats.interval import wilson
from assay.stats.resample import Floats


def rows(count: int, seed: int = 3) -> list[dict[str, Any]]:
    """The scores of random replies about random clauses; most replies state the true level."""
    rng = np.random.default_rng(seed)
    scored = []
    for _ in range(count):
        truth = ("high", "medium", "low")[rng.integers(3)]
        level = truth if rng.random() < 0.6 else ("high", "medium", "low", "?")[rng.integers(4)]
        scored.append(
            score_review(
                parse_review(f"Level: {level}\nSuggestion: x"),
                risk_level=truth,
                rules=["R1"],
                risk_id="R1",
                fired=["R1"] if rng.random() < 0.5 else ["R2"],
                evidence_valid=[bool(rng.random() < 0.8)],
            )
            | {"elapsed_s": float(rng.random())}
        )
    return scored


def test_every_metric_has_an_interval_around_it():
    """Each interval is inside the bounds of its metric and contains the observed value."""
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


def test_rates_agree_with_wilsons_interval():
    """Accuracy is a rate over clauses, so the jackknife gives almost Wilson's interval."""
    reviewed = rows(120)
    from_totals = review_intervals(reviewed)["accuracy"]
    from_values = wilson(sum(row["level_correct"] for row in reviewed), len(reviewed))
    assert from_totals is not None
    assert from_values is not None
    assert from_totals.low == pytest.approx(from_values.low, abs=0.015)
    assert from_totals.high == pytest.approx(from_values.high, abs=0.015)


def test_kappa_agrees_with_a_bootstrap_of_clauses():
    """The interval of kappa agrees with a bootstrap that draws single clauses."""
    reviewed = rows(60)
    interval = review_intervals(reviewed)["linear_weighted_kappa"]
    assert interval is not None
    rng = np.random.default_rng(1)
    kappas = []
    for _ in range(400):
        resample = [reviewed[index] for index in rng.integers(0, len(reviewed), len(reviewed))]
        kappas.append(review_summary(resample)["linear_weighted_kappa"])
    low, high = np.quantile(kappas, [0.025, 0.975])
    assert interval.low == pytest.approx(low, abs=0.08)
    assert interval.high == pytest.approx(high, abs=0.08)


def test_the_order_of_rows_does_not_matter():
    """The same rows in any order give the same intervals, to the last digit."""
    reviewed = rows(40)
    backwards = review_intervals(reviewed[::-1])
    for name, interval in review_intervals(reviewed).items():
        if name != "avg_latency":
            assert backwards[name] == interval


def test_too_few_clauses_have_no_interval():
    """All intervals of one clause are ``None``; without clauses only the latency has a name."""
    assert set(review_intervals(rows(1)).values()) == {None}
    assert review_intervals([]) == {"avg_latency": None}
    names = review_metrics(np.zeros((1, 22))).keys()
    assert names == review_intervals(rows(2)).keys() - {"avg_latency"}


def test_rows_that_failed_are_left_out():
    """Intervals do not change if a failed row is added."""
    reviewed = rows(30)
    assert review_intervals([*reviewed, {"status": "failed"}]) == review_intervals(reviewed)


def test_a_metric_that_is_undefined_without_a_clause_has_no_interval():
    """If a metric is undefined without one of the clauses, nothing is known about its spread."""

    def share(totals: Floats) -> dict[str, Floats]:
        with np.errstate(invalid="ignore", divide="ignore"):
            return {"share": totals[:, 1] / totals[:, 2]}

    assert total_intervals([(1, 0, 0)] * 29 + [(0, 1, 2)], share)["share"] is None
    often = total_intervals([(1, 0, 0)] * 10 + [(0, 1, 2)] * 20 + [(0, 2, 2)], share)["share"]
    assert often is not None
    assert often.low < 21 / 41 < often.high


def test_kappa_of_few_clauses_stays_on_its_scale():
    """Kappa is never below -1, however little three clauses show."""
    for count in (3, 4, 5):
        for name in ("linear_weighted_kappa", "quadratic_weighted_kappa"):
            interval = review_intervals(rows(count, seed=1))[name]
            assert interval is None or -1 <= interval.low < interval.high <= 1
