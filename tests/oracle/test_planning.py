"""Planning against statsmodels, exact sums, and the tests and intervals that a run will use."""

import math

import numpy as np
import pytest
from scipy import integrate, optimize, stats
from statsmodels.stats.power import TTestPower

from assay.records import Metric
from assay.stats.comparison import column_of, paired_comparison
from assay.stats.difference import mcnemar, tango
from assay.stats.effect import Method
from assay.stats.family import family_effects
from assay.stats.interval import normal_quantile, t_quantile
from assay.stats.planning import (
    CRITICAL,
    detectable_difference,
    detectable_rate_difference,
    family_alpha,
    pairs_for_margin,
    units_for_margin,
)

SCORE = Metric(name="score", field="score")


@pytest.mark.parametrize("n", [10, 20, 100, 5_000])
@pytest.mark.parametrize("power", [0.5, 0.8, 0.95])
def test_a_detectable_mean_is_that_of_the_t_test(n: int, power: float):
    """It is the solution that statsmodels finds for the paired t test."""
    effect = TTestPower().solve_power(nobs=n, alpha=0.05, power=power)
    assert detectable_difference(2.5, n, power=power) == pytest.approx(
        2.5 * effect, rel=0.04 if n < 50 else 0.01
    )


def exact_power(n: int, changed: float, difference: float, alpha: float) -> float:
    """The power of the mid-p test: the sum over the number of changed items and of losses."""
    total = 0.0
    for count in range(n + 1):
        share = stats.binom.pmf(count, n, changed)
        losses = [k for k in range(count // 2 + 1) if (mcnemar(count - k, k) or 1.0) < alpha]
        if share > 1e-9 and losses:
            lost = (changed - difference) / (2 * changed)
            total += share * stats.binom.cdf(losses[-1], count, lost)
    return total


@pytest.mark.parametrize("n", [20, 50, 150])
@pytest.mark.parametrize("changed", [0.0, 0.05, 0.2, 0.5])
@pytest.mark.parametrize("variants", [1, 5])
def test_a_detectable_rate_is_found_as_often_as_promised(n: int, changed: float, variants: int):
    """The exact power of McNemar's mid-p test is at least the promised 80 %, also for few items."""
    alpha = family_alpha(variants)
    size = detectable_rate_difference(changed * n, n, critical=normal_quantile(1 - alpha / 2))
    assert size is not None
    assert 0.8 <= exact_power(n, max(changed, size), size, alpha) < 0.95


@pytest.mark.parametrize(("variants", "room"), [(2, 0.02), (5, 0.04), (20, 0.07)])
def test_sidak_is_close_to_dunnett(variants: int, room: float):
    """With the correlation 1/2 it asks for hardly more questions than Dunnett's critical value."""

    def miss(critical: float) -> float:
        def inside(shared: float) -> float:
            ends = [(end * critical - shared * 0.5**0.5) / 0.5**0.5 for end in (1, -1)]
            of_one = stats.norm.cdf(ends[0]) - stats.norm.cdf(ends[1])
            return float(stats.norm.pdf(shared) * of_one**variants)

        return float(integrate.quad(inside, -8, 8)[0]) - 0.95

    dunnett = optimize.brentq(miss, 1, 5)
    sidak = normal_quantile(1 - family_alpha(variants) / 2)
    z_power = normal_quantile(0.8)
    assert 1 < ((sidak + z_power) / (dunnett + z_power)) ** 2 < 1 + room


def answers(rng: np.random.Generator, base: np.ndarray, difference: float) -> np.ndarray:
    """The yes/no answers of a variant that is so much better, where three of ten change."""
    changed = max(0.3, difference)
    gained, lost = (changed + difference) / 2, (changed - difference) / 2
    return base ^ (rng.random(len(base)) < np.where(base, lost / 0.6, gained / 0.4))


@pytest.mark.parametrize("n", [20, 60, 300])
@pytest.mark.parametrize("variants", [1, 5])
@pytest.mark.parametrize("is_rate", [True, False])
def test_a_run_finds_what_was_planned(n: int, variants: int, is_rate: bool):
    """The verdict of a run, corrected for its variants, finds the difference in 78 % of runs or more."""
    tail, runs, found = family_alpha(variants) / 2, 300, 0
    rng = np.random.default_rng(n + variants)
    if is_rate:
        size = detectable_rate_difference(0.3 * n, n, critical=normal_quantile(1 - tail))
    else:
        size = detectable_difference(0.15, n, critical=t_quantile(1 - tail, n - 1))
    assert size is not None
    sizes = (size, *[0.0] * (variants - 1))
    for seed in range(runs):
        if is_rate:
            base = rng.random(n) < 0.6
            rows = [answers(rng, base, each) for each in sizes]
        else:
            base, shared = rng.uniform(0.3, 0.7, n), rng.normal(0, 0.15, n)
            rows = [
                base + each + math.sqrt(0.5) * (shared + rng.normal(0, 0.15, n)) for each in sizes
            ]
        columns = [column_of(SCORE, row.astype(np.float64)) for row in (base, *rows)]
        comparisons = [
            paired_comparison(SCORE, f"v{number}", "base", column, columns[0])
            for number, column in enumerate(columns[1:])
        ]
        method = Method(resamples=500, seed=seed)
        found += family_effects(comparisons, "primary", method)[0].verdict == "better"
    error = math.sqrt(0.8 * 0.2 / runs)
    assert found / runs >= 0.78 - 2 * error


@pytest.mark.parametrize(("changed", "margin"), [(0.05, 0.05), (0.2, 0.1), (0.2, 0.05), (0.4, 0.2)])
def test_equal_rates_leave_out_the_margin_as_often_as_planned(changed: float, margin: float):
    """Tango's interval of so many pairs is above the margin in 80 % of runs, not in far more."""
    needed = pairs_for_margin(changed, margin)
    assert needed is not None
    shares = [changed / 2, changed / 2, 1 - changed]
    counts = np.random.default_rng(1).multinomial(needed, shares, size=3_000)
    above = [tango(int(up), int(down), needed, CRITICAL)[0] > -margin for up, down, _ in counts]
    assert 0.78 <= np.mean(above) <= 0.88
    assert pairs_for_margin(changed, 0.0) is None


def test_equal_means_leave_out_the_margin_as_often_as_planned():
    """Student's interval of so many units is above the margin in 80 % of runs."""
    needed = units_for_margin(0.4, 0.1)
    assert needed is not None
    values = np.random.default_rng(2).normal(0, 0.4, (4_000, needed))
    half = t_quantile(0.975, needed - 1) * values.std(axis=1, ddof=1) / math.sqrt(needed)
    assert np.mean(values.mean(axis=1) - half > -0.1) == pytest.approx(0.8, abs=0.02)
