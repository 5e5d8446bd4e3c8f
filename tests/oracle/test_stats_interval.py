"""Intervals beside SciPy's and statsmodels', on hundreds of random inputs."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from assay.stats import (
    bca_mean,
    quantile_difference_interval,
    quantile_interval,
    wilson,
)
from assay.stats.interval import acceleration, bca_bounds
from assay.stats.resample import MeanDistribution, MeanExpansion, drawn_means, grouped, stream

Values = NDArray[np.float64]

SHAPES: dict[str, Callable[[np.random.Generator, int], Values]] = {
    "normal": lambda rng, n: rng.normal(size=n),
    "skewed": lambda rng, n: rng.lognormal(0, 1, size=n),
    "lattice": lambda rng, n: rng.integers(0, 5, size=n) / 4,
    "yes-no": lambda rng, n: rng.integers(0, 2, size=n).astype(np.float64),
    "sparse": lambda rng, n: rng.choice([-1.0, 0.0, 1.0], size=n, p=[0.05, 0.8, 0.15]),
    "far from 0": lambda rng, n: 1e6 + rng.normal(size=n),
}


def within(found: float, expected: float, draws: Values, slack: float) -> bool:
    """Whether a bound is as near as Monte-Carlo error allows.

    Near is measured along the distribution of the resamples, in normal quantiles, so that
    skew and steps are allowed for where they are.
    """
    low = stats.norm.cdf(stats.norm.ppf(np.mean(draws < expected)) - slack)
    high = stats.norm.cdf(stats.norm.ppf(np.mean(draws <= expected)) + slack)
    width = np.ptp(draws)
    bounds = np.quantile(draws, [low, high])
    return bool(bounds[0] - 2e-3 * width <= found <= bounds[1] + 2e-3 * width)


def test_wilson_agrees_with_statsmodels():
    """Wilson's interval is statsmodels' for every count and several levels."""
    for n in (1, 2, 3, 7, 20, 100, 12_345):
        for successes in sorted({0, 1, n // 3, n // 2, n - 1, n}):
            for level in (0.8, 0.95, 0.99):
                ours = wilson(successes, n, level)
                low, high = proportion_confint(successes, n, alpha=1 - level, method="wilson")
                assert ours is not None
                assert ours.low == pytest.approx(low, abs=1e-12)
                assert ours.high == pytest.approx(high, abs=1e-12)


@pytest.mark.parametrize("shape", SHAPES)
def test_bca_agrees_with_scipy(shape: str):
    """The computed BCa interval lies within the Monte-Carlo error of SciPy's drawn one."""
    compared = 0
    for seed in range(45):
        rng = np.random.default_rng([seed, len(shape)])
        values = SHAPES[shape](rng, int(rng.integers(2, 60)))
        if np.ptp(values) == 0:
            continue
        # At 0.99 and with skew an end may lie past the last of 9,999 draws.
        level = float(rng.choice([0.8, 0.9, 0.95]))
        theirs = stats.bootstrap(
            (values,), np.mean, confidence_level=level, n_resamples=9999, method="BCa", rng=seed
        )
        ours = bca_mean(values, level=level)
        assert ours is not None
        draws = theirs.bootstrap_distribution
        assert within(ours.low, theirs.confidence_interval.low, draws, 0.3), (seed, values)
        assert within(ours.high, theirs.confidence_interval.high, draws, 0.3), (seed, values)
        compared += 1
    assert compared > 30


def test_bca_is_the_centre_of_scipy_runs():
    """Against the mean of many SciPy runs the computed interval is off by less than their spread."""
    for seed, shape in enumerate(("normal", "skewed")):
        values = SHAPES[shape](np.random.default_rng(seed), 80)
        runs = [
            stats.bootstrap((values,), np.mean, n_resamples=9999, method="BCa", rng=run)
            for run in range(12)
        ]
        ours = bca_mean(values)
        assert ours is not None
        for found, ends in (
            (ours.low, [run.confidence_interval.low for run in runs]),
            (ours.high, [run.confidence_interval.high for run in runs]),
        ):
            assert abs(found - np.mean(ends)) < 4 * np.std(ends, ddof=1) / np.sqrt(len(ends))


def test_bca_formula_is_scipy_s_given_the_same_resamples():
    """From SciPy's own resamples the end points come out equal to the last digits."""
    for seed in range(120):
        rng = np.random.default_rng(seed)
        shape = list(SHAPES.values())[seed % len(SHAPES)]
        values = shape(rng, int(rng.integers(3, 40)))
        if np.ptp(values) == 0:
            continue
        level = float(rng.choice([0.5, 0.9, 0.95]))
        theirs = stats.bootstrap(
            (values,), np.mean, confidence_level=level, n_resamples=499, method="BCa", rng=seed
        )
        low, high = bca_bounds(
            theirs.bootstrap_distribution, float(np.mean(values)), acceleration(values), level
        )
        assert low == pytest.approx(theirs.confidence_interval.low, rel=1e-9, abs=1e-9)
        assert high == pytest.approx(theirs.confidence_interval.high, rel=1e-9, abs=1e-9)


def ratio(sums: Values, sizes: Values, axis: int = -1) -> Any:
    """The mean of items whose clusters have these sums and sizes."""
    return sums.sum(axis=axis) / sizes.sum(axis=axis)


@pytest.mark.parametrize("drawn", [None, 9999])
def test_cluster_bca_agrees_with_scipy(drawn: int | None):
    """Whole documents resampled: SciPy's paired bootstrap of sums and sizes, 5 to 60 of them."""
    for seed in range(30):
        rng = np.random.default_rng(seed)
        count = int(rng.integers(5, 60))
        clusters = np.repeat(np.arange(count), rng.integers(1, 9, count))
        values = rng.exponential(size=len(clusters)) + rng.normal(size=count)[clusters]
        sums, sizes = grouped(values, clusters)
        theirs = stats.bootstrap(
            (sums, sizes), ratio, paired=True, n_resamples=9999, method="BCa", rng=seed
        )
        ours = bca_mean(values, clusters=clusters, resamples=drawn)
        assert ours is not None
        assert ours.method == "cluster-bca"
        draws = theirs.bootstrap_distribution
        assert within(ours.low, theirs.confidence_interval.low, draws, 0.35), seed
        assert within(ours.high, theirs.confidence_interval.high, draws, 0.35), seed


def test_computed_distribution_is_that_of_drawn_means():
    """The convolution's quantiles are those of 200,000 drawn resamples, for all shapes."""
    for number, (name, shape) in enumerate(SHAPES.items()):
        values = shape(np.random.default_rng(number), 25)
        draws = drawn_means(values, None, 200_000, stream(number))
        computed = MeanDistribution(values)
        for share in (0.01, 0.1, 0.5, 0.9, 0.99):
            assert within(computed.quantile(share), float(np.quantile(draws, share)), draws, 0.03)
        mean = float(values.mean())
        below = np.mean(draws < mean - 1e-9) / 2 + np.mean(draws <= mean + 1e-9) / 2
        assert computed.below(mean) == pytest.approx(below, abs=0.006), name


def test_moments_of_many_values_give_the_convolution():
    """Beyond 20,000 values the expansion agrees with the convolution to 1/1000 of the error."""
    for seed, shape in enumerate(("normal", "skewed", "lattice", "sparse")):
        values = SHAPES[shape](np.random.default_rng(seed), 30_000)
        expansion, convolution = MeanExpansion(values), MeanDistribution(values)
        error = values.std() / np.sqrt(len(values))
        assert expansion.is_quiet
        for share in (0.005, 0.025, 0.5, 0.975, 0.995):
            gap = expansion.quantile(share) - convolution.quantile(share)
            # A lattice of steps 1/(4n) has no value nearer than that.
            assert abs(gap) < 2e-3 * error + 1 / (4 * len(values))


@pytest.mark.parametrize("q", [0.5, 0.95])
def test_percentile_interval_agrees_with_scipy(q: float):
    """Order statistics drawn by rank give SciPy's percentile bootstrap of a percentile."""

    def percentile(values: Values, axis: int = -1) -> Any:
        return np.quantile(values, q, axis=axis)

    for seed in range(60):
        rng = np.random.default_rng([seed, 3])
        shape = list(SHAPES.values())[seed % len(SHAPES)]
        values = shape(rng, int(rng.integers(2, 50)))
        level = float(rng.choice([0.8, 0.95]))
        theirs = stats.bootstrap(
            (values,),
            percentile,
            confidence_level=level,
            n_resamples=4999,
            method="percentile",
            rng=seed,
        )
        ours = quantile_interval(values, q, level=level, seed=seed)
        assert ours is not None
        draws = theirs.bootstrap_distribution
        assert within(ours.low, theirs.confidence_interval.low, draws, 0.3), seed
        assert within(ours.high, theirs.confidence_interval.high, draws, 0.3), seed


@pytest.mark.parametrize("n", [30, 300, 600, 1500])
def test_percentile_difference_agrees_with_scipy(n: int):
    """A paired difference of percentiles has SciPy's paired percentile interval."""
    for seed, q in enumerate((0.5, 0.95)):
        rng = np.random.default_rng([seed, n])
        base = rng.lognormal(0, 0.5, size=n)
        values = base * rng.lognormal(0.1, 0.3, size=n)

        def difference(one: Values, other: Values, axis: int = -1, q: float = q) -> Any:
            return np.quantile(one, q, axis=axis) - np.quantile(other, q, axis=axis)

        theirs = stats.bootstrap(
            (values, base),
            difference,
            paired=True,
            n_resamples=1999,
            batch=500,
            method="percentile",
            rng=seed,
        )
        ours = quantile_difference_interval(values, base, q, seed=seed)
        assert ours is not None
        width = theirs.confidence_interval.high - theirs.confidence_interval.low
        assert abs(ours.low - theirs.confidence_interval.low) < 0.15 * width
        assert abs(ours.high - theirs.confidence_interval.high) < 0.15 * width


@pytest.mark.parametrize("count", [40, 1500])
def test_cluster_percentile_agrees_with_whole_documents_drawn(count: int):
    """The rank method over documents gives what sorting every resample gives."""
    rng = np.random.default_rng(count)
    clusters = np.repeat(np.arange(count), rng.integers(1, 6, count))
    values = rng.exponential(size=len(clusters)) + rng.normal(size=count)[clusters]
    members = [values[clusters == number] for number in range(count)]
    draws = [
        np.median(np.concatenate([members[place] for place in rng.integers(0, count, count)]))
        for _ in range(600)
    ]
    low, high = np.quantile(draws, [0.025, 0.975])
    ours = quantile_interval(values, 0.5, clusters=clusters)
    assert ours is not None
    assert ours.method == "cluster-percentile"
    assert abs(ours.low - low) < 0.15 * (high - low)
    assert abs(ours.high - high) < 0.15 * (high - low)
