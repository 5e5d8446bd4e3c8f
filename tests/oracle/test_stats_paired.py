"""Compares paired tests and correction with SciPy, statsmodels and brute force."""

import gc
import math
from itertools import product

import numpy as np
import pytest
from scipy import optimize, stats
from statsmodels.stats.multitest import multipletests

from assay.records import Metric
from assay.stats.comparison import paired_effect
from assay.stats.difference import mcnemar, tango
from assay.stats.effect import Method, holm
from assay.stats.flip import Flips

SECONDS = Metric(name="latency", field="s", unit="s")


def flipped_p(
    changes: np.ndarray, clusters: np.ndarray | None = None, seed: int = 0, resamples: int = 10_000
) -> float | None:
    """The p-value of changes of a metric without limits, alone."""
    method = Method(seed=seed, resamples=resamples)
    if clusters is not None:
        units = np.unique(clusters, return_inverse=True)[1]
        method = Method(seed=seed, resamples=resamples, units=units, unit="document")
    return paired_effect(SECONDS, "b", "a", changes, np.zeros(len(changes)), method).p_value


def scipy_permutation(changes: np.ndarray, resamples: float, seed: int) -> float:
    """The p-value of SciPy's two-sided sign-flip test for a mean."""
    result = stats.permutation_test(
        (changes,),
        lambda values, axis: values.mean(axis=axis),
        permutation_type="samples",
        n_resamples=resamples,
        rng=seed,
        vectorized=True,
    )
    return float(result.pvalue)


def permutation_error(p_value: float, resamples: int) -> float:
    """The Monte-Carlo error of SciPy's p-value, which is twice the smaller of the two tails."""
    tail = max(p_value / 2, 1 / resamples)
    return 2 * math.sqrt(tail * (1 - tail) / resamples)


def mid_p_flips(changes: np.ndarray) -> float:
    """The mid-p value of all combinations of signs: a combination that equals the sample counts half."""
    signs = np.array(list(product((-1, 1), repeat=len(changes))))
    sums, observed = np.abs(signs @ changes), abs(math.fsum(changes))
    return float(np.mean(sums >= observed - 1e-9) + np.mean(sums > observed + 1e-9)) / 2


def test_mcnemar_agrees_with_scipy():
    """The mid-p value is SciPy's two-sided binomial test less the probability of the sample."""
    rng = np.random.default_rng(0)
    counts = [*product(range(22), repeat=2), *rng.integers(0, 3_000, (100, 2)).tolist()]
    for gained, lost in counts:
        if gained + lost == 0:
            continue
        exact = stats.binomtest(gained, gained + lost).pvalue
        of_sample = stats.binom.pmf(gained, gained + lost, 0.5)
        expected = 1.0 if gained == lost else exact - of_sample
        assert mcnemar(gained, lost) == pytest.approx(expected, rel=1e-6, abs=1e-300)
    exact = stats.binomtest(500_900, 1_000_000).pvalue
    of_sample = stats.binom.pmf(500_900, 1_000_000, 0.5)
    assert mcnemar(500_900, 499_100) == pytest.approx(exact - of_sample, rel=1e-6)


def restricted_loss(gained: int, lost: int, n: int, difference: float) -> float:
    """The most likely share of items that lose if the rates differ by this, found by SciPy."""

    def unlikely(share: float) -> float:
        cells = (
            (gained, difference + share),
            (lost, share),
            (n - gained - lost, 1 - difference - 2 * share),
        )
        return -sum(count * math.log(max(chance, 1e-300)) for count, chance in cells if count)

    low, high = max(0.0, -difference), (1 - difference) / 2
    return float(optimize.minimize_scalar(unlikely, bounds=(low, high), options={"xatol": 1e-12}).x)


@pytest.mark.parametrize("counts", [(9, 3, 50), (0, 0, 20), (5, 0, 12), (43, 30, 120), (0, 7, 300)])
def test_tango_inverts_the_score_test(counts: tuple[int, int, int]):
    """At each end the score statistic, with the variance of the likeliest rates, is z."""
    gained, lost, n = counts
    for end in tango(gained, lost, n, 1.96):
        share = restricted_loss(gained, lost, n, end)
        spread = math.sqrt(n * (2 * share + end * (1 - end)))
        assert abs(gained - lost - n * end) / spread == pytest.approx(1.96, abs=1e-3)


def test_permutation_is_exact_for_few_differences():
    """For few differences the p-value is that of all signs, also with ties and zeros."""
    for seed in range(120):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(1, 11))
        changes = rng.normal(0.4, 1, n) if seed % 2 else rng.integers(-2, 4, n) / 4
        if not changes.any():
            continue
        assert flipped_p(changes) == pytest.approx(mid_p_flips(changes), rel=1e-9), changes
        if seed % 2 and n > 1:  # without ties the sample and its mirror image count half
            expected = scipy_permutation(changes, np.inf, seed) - 1 / 2**n
            assert flipped_p(changes) == pytest.approx(expected, rel=1e-9), changes


@pytest.mark.parametrize("n", [20, 200, 2500])
def test_permutation_agrees_with_scipy_s_random_flips(n: int):
    """The p-values of random sign flips agree with SciPy's within the error of both."""
    for seed in range(3 if n > 1000 else 12):
        rng = np.random.default_rng([n, seed])
        changes = rng.standard_t(3, n) + 1.2 / math.sqrt(n)
        expected = scipy_permutation(changes, 2999, seed)
        p_value = flipped_p(changes, seed=seed)
        assert p_value is not None
        error = permutation_error(expected, 2999) + permutation_error(expected, 10_000)
        assert abs(p_value - expected) < 4 * error


def test_cluster_permutation_flips_document_sums():
    """With clusters, the p-value is at least that of flipping the sums of the documents."""
    for seed in range(40):
        rng = np.random.default_rng(seed)
        count = int(rng.integers(3, 11))
        clusters = np.repeat(np.arange(count) * 10, rng.integers(1, 5, count))
        changes = rng.normal(0.3, 1, len(clusters))
        sums = np.array([changes[clusters == number].sum() for number in np.unique(clusters)])
        flips = Flips.of_rows(sums[:, None], resamples=99, rng=np.random.default_rng(seed))
        assert flips.p_value(0) == pytest.approx(mid_p_flips(sums), rel=1e-9)
        p_value = flipped_p(changes, clusters=clusters)
        assert p_value is not None
        assert p_value >= mid_p_flips(sums) - 1e-9


def brute_force(rows: np.ndarray) -> tuple[list[float], list[float]]:
    """The p-values of each column alone and corrected, from every combination of signs."""
    norms = [math.sqrt(math.fsum(column**2)) or 1.0 for column in rows.T]
    reached, exceeded = [0] * len(norms), [0] * len(norms)
    observed = [abs(math.fsum(column)) / norm for column, norm in zip(rows.T, norms, strict=True)]
    for signs in product((-1, 1), repeat=len(rows)):
        flipped = [
            abs(math.fsum(sign * value for sign, value in zip(signs, column, strict=True))) / norm
            for column, norm in zip(rows.T, norms, strict=True)
        ]
        for place, statistic in enumerate(observed):
            for counts, other in ((reached, flipped[place]), (exceeded, max(flipped))):
                counts[place] += (other >= statistic - 1e-9) + (other > statistic + 1e-9)
    total = 2 * 2 ** len(rows)
    return [count / total for count in reached], [count / total for count in exceeded]


def test_max_t_is_that_of_every_combination_of_signs():
    """Single and corrected p-values equal brute force, with ties, zeros and one row."""
    for seed in range(60):
        rng = np.random.default_rng(seed)
        shape = int(rng.integers(1, 9)), int(rng.integers(1, 5))
        rows = rng.choice([-0.5, 0.0, 0.1, 0.2, 0.3], size=shape) if seed % 2 else rng.normal(
            0.5, 1, size=shape
        )  # fmt: skip
        flips = Flips.of_rows(rows, resamples=99, rng=np.random.default_rng(seed))
        single, corrected = brute_force(rows)
        for column in range(shape[1]):
            assert flips.p_value(column) == pytest.approx(single[column], abs=1e-12), rows
            assert flips.p_adjusted(column) == pytest.approx(corrected[column], abs=1e-12), rows


@pytest.mark.parametrize("shape", [(20, 3), (200, 12)])
def test_max_t_agrees_with_drawn_vectors(shape: tuple[int, int]):
    """Drawn corrected p-values agree with those of independently drawn signs."""
    for seed in range(6):
        rng = np.random.default_rng([seed, *shape])
        rows = rng.standard_t(4, shape) + rng.normal(0, 1, (shape[0], 1)) + 3 / shape[0]
        flips = Flips.of_rows(rows, resamples=10_000, rng=np.random.default_rng(seed))
        norms = np.linalg.norm(rows, axis=0)
        signs = rng.choice([-1.0, 1.0], size=(5_000, shape[0]))
        largest = np.abs(signs @ rows / norms).max(axis=1)
        for column in range(shape[1]):
            expected = np.mean(largest >= abs(rows[:, column].sum()) / norms[column])
            error = math.sqrt(expected * (1 - expected) / 5_000) + 0.005
            assert abs(flips.p_adjusted(column) - expected) < 4 * error


def test_a_single_comparison_is_the_flip_of_all_signs():
    """The p-value of an effect on graded scores, with ties, all equal, one pair and no pair."""
    metric = Metric(name="mrr", field="mrr")
    for seed in range(60):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(2, 11))
        base = rng.choice([0.0, 0.25, 0.5], size=n)
        values = rng.choice([0.0, 0.5, 0.75], size=n)
        effect = paired_effect(metric, "new", "old", values, base, Method())
        changes = values - base
        if not changes.any():
            assert effect.p_value is None
        elif np.ptp(changes):  # equal changes have no spread and another test
            assert effect.p_adjusted == effect.p_value
            assert effect.p_value == pytest.approx(mid_p_flips(changes), rel=1e-9)
    one = paired_effect(metric, "new", "old", np.ones(1), np.zeros(1), Method())
    assert one.p_value == 0.5
    none = paired_effect(metric, "new", "old", np.zeros(0), np.zeros(0), Method())
    assert (none.p_value, none.verdict) == (None, "too few")


def test_the_interval_of_a_graded_difference_is_scipy_s():
    """The interval of a difference alone is that of SciPy's paired t test."""
    rng = np.random.default_rng(3)
    base = rng.uniform(0.3, 0.6, 40)
    values = base + rng.normal(0.05, 0.1, 40)
    effect = paired_effect(Metric(name="s", field="s"), "new", "old", values, base, Method())
    expected = stats.ttest_rel(values, base).confidence_interval()
    assert effect.interval is not None
    width = expected.high - expected.low
    assert effect.interval.low == pytest.approx(expected.low, abs=0.03 * width)
    assert effect.interval.high == pytest.approx(expected.high, abs=0.03 * width)


@pytest.mark.parametrize("counts", [(5, 0), (6, 0), (9, 2), (30, 14), (700, 610)])
def test_paired_rates_have_mcnemar_s_p_value_and_tango_s_interval(counts: tuple[int, int]):
    """One yes/no comparison is McNemar's mid-p test; its interval leaves out 0 if it is significant."""
    gained, lost = counts
    n = 3 * (gained + lost) + 20
    values = np.repeat([1.0, 0.0, 1.0], [gained, lost, n - gained - lost])
    base = np.repeat([0.0, 1.0, 1.0], [gained, lost, n - gained - lost])
    metric = Metric(name="hit", field="hit", kind="rate")
    effect = paired_effect(metric, "new", "old", values, base, Method())
    assert effect.p_adjusted == mcnemar(gained, lost)
    assert effect.interval is not None
    low, high = tango(gained, lost, n, 1.959964)
    assert effect.interval.low <= low + 1e-6 or low > 0 > effect.interval.low
    assert effect.interval.high >= high - 1e-6
    assert (effect.interval.low > 0) == (effect.p_adjusted < 0.05)


def test_holm_agrees_with_statsmodels(monkeypatch: pytest.MonkeyPatch):
    """Holm's adjusted p-values equal those of statsmodels, also with ties."""
    monkeypatch.setattr(gc, "collect", lambda: 0)  # each call collects all garbage of the process
    for seed in range(40):
        rng = np.random.default_rng(seed)
        values = rng.uniform(size=int(rng.integers(1, 30))) ** 3
        values = np.round(values, 2) if seed % 2 else values
        expected = multipletests(values, method="holm")[1]
        assert holm(values.tolist()) == pytest.approx(expected.tolist(), rel=1e-12)


def test_a_weighted_difference_agrees_with_numpy():
    """Difference is that of the weighted means; the interval says the same as the p-value."""
    rng = np.random.default_rng(5)
    metric = Metric(name="score", field="score")
    for _ in range(40):
        n = int(rng.integers(6, 14))
        base, values = np.round(rng.random((2, n)), 3)
        values = np.clip(values + rng.choice([-0.4, 0.0, 0.4]), 0, 1)
        given = rng.choice([1.0, 2.0, 5.0, 30.0], n)
        effect = paired_effect(metric, "b", "a", values, base, Method(), given * n / given.sum())
        expected = np.average(values, weights=given) - np.average(base, weights=given)
        assert effect.difference == pytest.approx(expected)
        assert effect.p_value is not None
        assert effect.p_value >= mid_p_flips(given * (values - base)) - 1e-9
        assert effect.interval is not None
        assert effect.interval.low - 1e-9 <= expected <= effect.interval.high + 1e-9
        is_shown = effect.interval.low > 0 or effect.interval.high < 0
        assert is_shown == (effect.p_value < 0.05)


@pytest.mark.parametrize("has_documents", [False, True])
def test_a_weighted_interval_is_that_of_a_ratio(has_documents: bool):
    """With many units, the plain interval is Student's with the error of a weighted mean."""
    rng = np.random.default_rng(9)
    n, size = 3_000, 3 if has_documents else 1
    base, values = rng.random((2, n))
    weights = rng.choice([1.0, 2.0, 4.0], n)
    weights *= n / weights.sum()
    documents = np.arange(n) // size
    method = Method(units=documents, unit="document") if has_documents else Method()
    effect = paired_effect(Metric(name="score", field="s"), "b", "a", values, base, method, weights)
    mean = float(weights @ (values - base)) / n
    deviations = np.bincount(documents, weights * (values - base - mean))
    error = math.sqrt(float(deviations @ deviations)) / n
    reach = float(stats.t.ppf(0.975, n // size - 1)) * error
    assert effect.plain_interval is not None
    assert effect.plain_interval.low == pytest.approx(mean - reach, abs=0.03 * reach)
    assert effect.plain_interval.high == pytest.approx(mean + reach, abs=0.03 * reach)
