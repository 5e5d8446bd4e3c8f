"""Compares intervals with those of SciPy and statsmodels, on hundreds of random inputs."""

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
from assay.stats.resample import MeanDistribution, MeanExpansion, cluster_sums, drawn_means, stream

Values = NDArray[np.float64]

SHAPES: dict[str, Callable[[np.random.Generator, int], Values]] = {
    "normal": lambda rng, n: rng.normal(size=n),
    "skewed": lambda rng, n: rng.lognormal(0, 1, size=n),
    "lattice": lambda rng, n: rng.integers(0, 5, size=n) / 4,
    "yes-no": lambda rng, n: rng.integers(0, 2, size=n).astype(np.float64),
    "sparse": lambda rng, n: rng.choice([-1.0, 0.0, 1.0], size=n, p=[0.05, 0.8, 0.15]),
    "far from 0": lambda rng, n: 1e6 + rng.normal(size=n),
}


def within(actual: float, expected: float, draws: Values, slack: float) -> bool:
    """Whether a bound agrees with the expected one up to Monte-Carlo error.

    The distance is measured along the distribution of the resamples, in normal quantiles, so
    that it takes skew and steps of the distribution into account.
    """
    low = stats.norm.cdf(stats.norm.ppf(np.mean(draws < expected)) - slack)
    high = stats.norm.cdf(stats.norm.ppf(np.mean(draws <= expected)) + slack)
    width = np.ptp(draws)
    bounds = np.quantile(draws, [low, high])
    return bool(bounds[0] - 2e-3 * width <= actual <= bounds[1] + 2e-3 * width)


def test_wilson_agrees_with_statsmodels():
    """Wilson's interval equals that of statsmodels for many counts and several levels."""
    for n in (1, 2, 3, 7, 20, 100, 12_345):
        for successes in sorted({0, 1, n // 3, n // 2, n - 1, n}):
            for level in (0.8, 0.95, 0.99):
                interval = wilson(successes, n, level)
                low, high = proportion_confint(successes, n, alpha=1 - level, method="wilson")
                assert interval is not None
                assert interval.low == pytest.approx(low, abs=1e-12)
                assert interval.high == pytest.approx(high, abs=1e-12)


@pytest.mark.parametrize("shape", SHAPES)
def test_bca_agrees_with_scipy(shape: str):
    """The computed BCa interval agrees with SciPy's random one up to Monte-Carlo error."""
    compared = 0
    for seed in range(45):
        rng = np.random.default_rng([seed, len(shape)])
        values = SHAPES[shape](rng, int(rng.integers(2, 60)))
        if np.ptp(values) == 0:
            continue
        # At a level of 0.99 and with skew, an end may be beyond the last of 9,999 draws.
        level = float(rng.choice([0.8, 0.9, 0.95]))
        expected = stats.bootstrap(
            (values,), np.mean, confidence_level=level, n_resamples=9999, method="BCa", rng=seed
        )
        interval = bca_mean(values, level=level)
        assert interval is not None
        draws = expected.bootstrap_distribution
        assert within(interval.low, expected.confidence_interval.low, draws, 0.3), (seed, values)
        assert within(interval.high, expected.confidence_interval.high, draws, 0.3), (seed, values)
        compared += 1
    assert compared > 30


def test_bca_is_the_centre_of_scipy_runs():
    """The computed interval differs from the mean of many SciPy runs by less than their error."""
    for seed, shape in enumerate(("normal", "skewed")):
        values = SHAPES[shape](np.random.default_rng(seed), 80)
        runs = [
            stats.bootstrap((values,), np.mean, n_resamples=9999, method="BCa", rng=run)
            for run in range(12)
        ]
        interval = bca_mean(values)
        assert interval is not None
        for actual, ends in (
            (interval.low, [run.confidence_interval.low for run in runs]),
            (interval.high, [run.confidence_interval.high for run in runs]),
        ):
            assert abs(actual - np.mean(ends)) < 4 * np.std(ends, ddof=1) / np.sqrt(len(ends))


def test_bca_formula_is_scipy_s_given_the_same_resamples():
    """With the resamples of SciPy, both ends are equal to SciPy's up to rounding."""
    for seed in range(120):
        rng = np.random.default_rng(seed)
        shape = list(SHAPES.values())[seed % len(SHAPES)]
        values = shape(rng, int(rng.integers(3, 40)))
        if np.ptp(values) == 0:
            continue
        level = float(rng.choice([0.5, 0.9, 0.95]))
        expected = stats.bootstrap(
            (values,), np.mean, confidence_level=level, n_resamples=499, method="BCa", rng=seed
        )
        low, high = bca_bounds(
            expected.bootstrap_distribution, float(np.mean(values)), acceleration(values), level
        )
        assert low == pytest.approx(expected.confidence_interval.low, rel=1e-9, abs=1e-9)
        assert high == pytest.approx(expected.confidence_interval.high, rel=1e-9, abs=1e-9)


def ratio(sums: Values, sizes: Values, axis: int = -1) -> Any:
    """The mean over items whose clusters have these sums and sizes."""
    return sums.sum(axis=axis) / sizes.sum(axis=axis)


@pytest.mark.parametrize("drawn", [None, 9999])
def test_cluster_bca_agrees_with_scipy(drawn: int | None):
    """If documents are resampled, the interval is SciPy's paired bootstrap of sums and sizes."""
    for seed in range(30):
        rng = np.random.default_rng(seed)
        count = int(rng.integers(5, 60))
        clusters = np.repeat(np.arange(count), rng.integers(1, 9, count))
        values = rng.exponential(size=len(clusters)) + rng.normal(size=count)[clusters]
        sums, sizes = cluster_sums(values, clusters)
        expected = stats.bootstrap(
            (sums, sizes), ratio, paired=True, n_resamples=9999, method="BCa", rng=seed
        )
        interval = bca_mean(values, clusters=clusters, resamples=drawn)
        assert interval is not None
        assert interval.method == "cluster-bca"
        draws = expected.bootstrap_distribution
        assert within(interval.low, expected.confidence_interval.low, draws, 0.35), seed
        assert within(interval.high, expected.confidence_interval.high, draws, 0.35), seed


def test_computed_distribution_is_that_of_drawn_means():
    """The quantiles of the convolution are those of 200,000 random resamples, for all shapes."""
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
    """For many values, expansion and convolution agree to 0.2% of the standard error."""
    for seed, shape in enumerate(("normal", "skewed", "lattice", "sparse")):
        values = SHAPES[shape](np.random.default_rng(seed), 30_000)
        expansion, convolution = MeanExpansion(values), MeanDistribution(values)
        error = values.std() / np.sqrt(len(values))
        assert expansion.is_quiet
        for share in (0.005, 0.025, 0.5, 0.975, 0.995):
            gap = expansion.quantile(share) - convolution.quantile(share)
            # The values of a lattice with steps of 1/(4n) are no closer to each other than that.
            assert abs(gap) < 2e-3 * error + 1 / (4 * len(values))


@pytest.mark.parametrize("q", [0.5, 0.95])
def test_percentile_interval_agrees_with_scipy(q: float):
    """Drawing only the ranks of order statistics gives SciPy's interval for a percentile."""

    def percentile(values: Values, axis: int = -1) -> Any:
        return np.quantile(values, q, axis=axis)

    for seed in range(60):
        rng = np.random.default_rng([seed, 3])
        shape = list(SHAPES.values())[seed % len(SHAPES)]
        values = shape(rng, int(rng.integers(2, 50)))
        level = float(rng.choice([0.8, 0.95]))
        expected = stats.bootstrap(
            (values,),
            percentile,
            confidence_level=level,
            n_resamples=4999,
            method="percentile",
            rng=seed,
        )
        interval = quantile_interval(values, q, level=level, seed=seed)
        assert interval is not None
        draws = expected.bootstrap_distribution
        assert within(interval.low, expected.confidence_interval.low, draws, 0.3), seed
        assert within(interval.high, expected.confidence_interval.high, draws, 0.3), seed


@pytest.mark.parametrize("n", [30, 300, 600, 1500])
def test_percentile_difference_agrees_with_scipy(n: int):
    """The interval for a paired difference of percentiles agrees with SciPy's."""
    for seed, q in enumerate((0.5, 0.95)):
        rng = np.random.default_rng([seed, n])
        base = rng.lognormal(0, 0.5, size=n)
        values = base * rng.lognormal(0.1, 0.3, size=n)

        def difference(values: Values, base: Values, axis: int = -1, q: float = q) -> Any:
            return np.quantile(values, q, axis=axis) - np.quantile(base, q, axis=axis)

        expected = stats.bootstrap(
            (values, base),
            difference,
            paired=True,
            n_resamples=1999,
            batch=500,
            method="percentile",
            rng=seed,
        )
        interval = quantile_difference_interval(values, base, q, seed=seed)
        assert interval is not None
        width = expected.confidence_interval.high - expected.confidence_interval.low
        assert abs(interval.low - expected.confidence_interval.low) < 0.15 * width
        assert abs(interval.high - expected.confidence_interval.high) < 0.15 * width


@pytest.mark.parametrize("count", [40, 1500])
def test_cluster_percentile_agrees_with_whole_documents_drawn(count: int):
    """With documents, drawing ranks gives the same interval as sorting every resample."""
    rng = np.random.default_rng(count)
    clusters = np.repeat(np.arange(count), rng.integers(1, 6, count))
    values = rng.exponential(size=len(clusters)) + rng.normal(size=count)[clusters]
    members = [values[clusters == number] for number in range(count)]
    draws = [
        np.median(np.concatenate([members[index] for index in rng.integers(0, count, count)]))
        for _ in range(600)
    ]
    low, high = np.quantile(draws, [0.025, 0.975])
    interval = quantile_interval(values, 0.5, clusters=clusters)
    assert interval is not None
    assert interval.method == "cluster-percentile"
    assert abs(interval.low - low) < 0.15 * (high - low)
    assert abs(interval.high - high) < 0.15 * (high - low)
