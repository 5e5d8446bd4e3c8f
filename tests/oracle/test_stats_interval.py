"""Compares intervals with those of SciPy and statsmodels, on hundreds of random inputs."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from assay.stats.interval import bounded_mean_ends, t_quantile, wilson
from assay.stats.mean_interval import mean_interval
from assay.stats.quantile import quantile_difference_interval, quantile_interval
from assay.stats.resample import quantile

Values = NDArray[np.float64]

SHAPES: dict[str, Callable[[np.random.Generator, int], Values]] = {
    "normal": lambda rng, n: rng.normal(size=n),
    "skewed": lambda rng, n: rng.lognormal(0, 1, size=n),
    "lattice": lambda rng, n: rng.integers(0, 5, size=n) / 4,
    "yes-no": lambda rng, n: rng.integers(0, 2, size=n).astype(np.float64),
    "sparse": lambda rng, n: rng.choice([-1.0, 0.0, 1.0], size=n, p=[0.05, 0.8, 0.15]),
    "far from 0": lambda rng, n: 1e6 + rng.normal(size=n),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("q", [0.0, 0.25, 0.5, 0.75, 0.95, 1.0])
def test_quantiles_are_those_of_numpy(shape: str, q: float):
    """They are equal to the last digit."""
    rng = np.random.default_rng(5)
    for n in (1, 2, 3, 17, 58, 400):
        rows = SHAPES[shape](rng, n)[rng.integers(0, n, size=(40, n))]
        assert [quantile(row, q) for row in rows] == np.quantile(rows, q, axis=1).tolist()


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


def test_t_quantiles_agree_with_scipy():
    """Quantiles of Student's t equal SciPy's for odd, even and large degrees of freedom."""
    for freedom in (*range(1, 31), 99, 100, 101, 150, 1_000, 10**6):
        for share in (0.005, 0.025, 0.4, 0.5, 0.9, 0.975, 0.9999):
            expected = stats.t.ppf(share, freedom)
            assert t_quantile(share, freedom) == pytest.approx(expected, rel=2e-6, abs=1e-12)


def test_bounded_means_of_yes_no_values_have_beta_quantiles():
    """For yes/no values the weighted means have a beta distribution, which SciPy knows."""
    for n in (2, 5, 20, 100):
        for yes in sorted({0, 1, n // 2, n - 1, n}):
            values = np.repeat([1.0, 0.0], [yes, n - yes])
            for level in (0.8, 0.95, 0.99):
                low, high = bounded_mean_ends(values, level)
                share = (1 - level) / 2
                expected_low = stats.beta.ppf(share, yes, n - yes + 1) if yes else 0.0
                expected_high = stats.beta.isf(share, yes + 1, n - yes) if yes < n else 1.0
                assert low == pytest.approx(expected_low, abs=0.01)
                assert high == pytest.approx(expected_high, abs=0.01)


@pytest.mark.parametrize("shape", ["lattice", "skewed", "equal"])
def test_bounded_means_agree_with_drawn_weights(shape: str):
    """The computed ends are the quantiles of means with 200,000 drawn Dirichlet weights."""
    for seed in range(12):
        rng = np.random.default_rng([seed, 1])
        n = int(rng.integers(2, 40))
        values = {
            "lattice": rng.integers(0, 5, n) / 4,
            "skewed": rng.beta(0.4, 3, n),
            "equal": np.full(n, 0.3),
        }[shape]
        weights = rng.dirichlet(np.ones(n + 1), 200_000)
        for extra, share, end in ((0.0, 0.025, 0), (1.0, 0.975, 1)):
            means = weights @ [*values, extra]
            reached = np.mean(means <= bounded_mean_ends(values, 0.95)[end])
            assert reached == pytest.approx(share, abs=0.003), (seed, extra)


def test_cluster_intervals_are_cr2_with_t():
    """On an open scale the interval is CR2's: squared sums divided by one minus the document's share."""
    for seed in range(40):
        rng = np.random.default_rng(seed)
        count = int(rng.integers(8, 30))
        clusters = np.repeat(np.arange(count), rng.integers(4, 9, count))
        values = rng.normal(5, 1, len(clusters)) + rng.normal(size=count)[clusters]
        interval = mean_interval(values, clusters=clusters, is_score=False)
        assert interval is not None
        sizes = np.bincount(clusters)
        sums = np.bincount(clusters, weights=values - values.mean())
        error = np.sqrt(np.sum(sums**2 / (1 - sizes / len(values)))) / len(values)
        factor = (interval.high - interval.low) / 2 / error
        assert stats.t.ppf(0.975, count - 1) - 1e-9 <= factor <= stats.t.ppf(0.975, count / 3)


@pytest.mark.parametrize("q", [0.5, 0.95])
def test_percentile_interval_is_scipy_s(q: float):
    """Both ends are the values that SciPy's quantile test finds by the binomial distribution."""
    for seed in range(60):
        rng = np.random.default_rng([seed, 3])
        shape = list(SHAPES.values())[seed % len(SHAPES)]
        values = shape(rng, int(rng.integers(6, 300) if q == 0.5 else rng.integers(72, 900)))
        level = float(rng.choice([0.8, 0.95]))
        test = stats.quantile_test(values, q=float(np.quantile(values, q)), p=q)
        expected = test.confidence_interval(level)
        interval = quantile_interval(values, q, level=level)
        if interval is None:  # most of the values are equal
            assert expected.low == expected.high, seed
            continue
        assert (interval.low, interval.high) == (expected.low, expected.high), seed


@pytest.mark.parametrize("n", [80, 300, 600, 1500])
def test_percentile_difference_agrees_with_a_bootstrap(n: int):
    """The interval for a paired difference of percentiles is like that of SciPy's bootstrap.

    At most a third wider, because it allows for the few values beyond p95.
    """
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
        ).confidence_interval
        interval = quantile_difference_interval(values, base, q, seed=seed)
        assert interval is not None
        width = expected.high - expected.low
        slack = 0.15 if n >= 600 or q == 0.5 else 0.4
        assert abs(interval.low - expected.low) < slack * width
        assert abs(interval.high - expected.high) < slack * width


@pytest.mark.parametrize("count", [40, 1500])
def test_cluster_percentile_agrees_with_whole_documents_drawn(count: int):
    """With documents, the interval of the share gives the same as sorting every resample."""
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
    assert interval.method == "woodruff"
    assert abs(interval.low - low) < 0.15 * (high - low)
    assert abs(interval.high - high) < 0.15 * (high - low)
