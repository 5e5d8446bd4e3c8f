"""Compares paired tests and correction with SciPy, statsmodels and brute force."""

import gc
import math
from itertools import product

import numpy as np
import pytest
from scipy import optimize, stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

from assay.records import Metric
from assay.stats.comparison import paired_effect
from assay.stats.effect import Method, holm
from assay.stats.flip import Flips
from assay.stats.paired import mcnemar_exact, paired_permutation, wilcoxon_signed_rank


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


def test_mcnemar_agrees_with_statsmodels_and_scipy():
    """The exact McNemar test equals that of statsmodels, and SciPy's binomial test."""
    for gained in range(22):
        for lost in range(22):
            if gained + lost == 0:
                continue
            expected = mcnemar([[5, gained], [lost, 7]], exact=True).pvalue
            assert mcnemar_exact(gained, lost) == pytest.approx(expected, rel=1e-10)
    rng = np.random.default_rng(0)
    for _ in range(100):
        gained, lost = (int(count) for count in rng.integers(0, 3_000, 2))
        expected = stats.binomtest(gained, gained + lost).pvalue
        assert mcnemar_exact(gained, lost) == pytest.approx(expected, rel=1e-7, abs=1e-300)
    expected = stats.binomtest(500_900, 1_000_000).pvalue
    assert mcnemar_exact(500_900, 499_100) == pytest.approx(expected, rel=1e-6)


def test_wilcoxon_exact_agrees_with_scipy():
    """Up to 50 differences without ties, the p-value is SciPy's exact one."""
    for seed in range(150):
        rng = np.random.default_rng(seed)
        changes = rng.normal(0.3, 1, size=int(rng.integers(1, 51)))
        expected = stats.wilcoxon(changes, method="exact").pvalue
        assert wilcoxon_signed_rank(changes) == pytest.approx(expected, rel=1e-10)


def test_wilcoxon_with_ties_and_zeros_agrees_with_scipy_s_enumeration():
    """Up to 13 differences with ties and zeros, the p-value equals full enumeration."""
    for seed in range(150):
        rng = np.random.default_rng(seed)
        changes = rng.integers(-3, 5, size=int(rng.integers(2, 14))) / 2
        nonzero = changes[changes != 0]
        if len(nonzero) < 2:
            continue
        ranks = np.sign(nonzero) * stats.rankdata(np.abs(nonzero))
        expected = scipy_permutation(ranks, np.inf, seed)
        assert wilcoxon_signed_rank(changes) == pytest.approx(expected, rel=1e-10), changes
        if seed < 6:
            by_permutation = stats.wilcoxon(nonzero, method=stats.PermutationMethod()).pvalue
            assert by_permutation == pytest.approx(expected, rel=1e-10)


def test_wilcoxon_with_ties_up_to_fifty_is_near_scipy_s_random_flips():
    """For 14 to 50 differences with ties, random sign flips estimate the exact p-value."""
    for seed in range(40):
        rng = np.random.default_rng(seed)
        changes = rng.integers(-2, 4, size=int(rng.integers(16, 51))).astype(np.float64)
        changes = changes[changes != 0]
        ranks = np.sign(changes) * stats.rankdata(np.abs(changes))
        expected = scipy_permutation(ranks, 4999, seed)
        p_value = wilcoxon_signed_rank(changes)
        assert p_value is not None
        assert abs(p_value - expected) < 5 * permutation_error(expected, 4999)


def test_wilcoxon_approximation_agrees_with_scipy():
    """Above 50 differences it is SciPy's normal approximation, with or without ties."""
    for seed in range(150):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(51, 400))
        smooth, tied = rng.normal(0.1, 1, n), rng.integers(-4, 6, 2 * n) / 4
        for changes in (smooth, tied[tied != 0]):
            expected = stats.wilcoxon(changes, method="asymptotic", correction=True).pvalue
            assert wilcoxon_signed_rank(changes) == pytest.approx(expected, rel=1e-9)
            padded = np.concatenate([changes, np.zeros(9), [np.nan]])
            assert wilcoxon_signed_rank(padded) == pytest.approx(expected, rel=1e-9)


def test_permutation_is_exact_for_few_differences():
    """For few differences the p-value equals SciPy's full enumeration, also with ties and zeros."""
    for seed in range(120):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(1, 11))
        changes = rng.normal(0.4, 1, n) if seed % 2 else rng.integers(-2, 4, n) / 4
        if not changes.any():
            continue
        expected = scipy_permutation(changes, np.inf, seed) if n > 1 else 1.0
        assert paired_permutation(changes) == pytest.approx(expected, rel=1e-9), changes


@pytest.mark.parametrize("n", [20, 200, 2500])
def test_permutation_agrees_with_scipy_s_random_flips(n: int):
    """The p-values of random sign flips agree with SciPy's within the error of both."""
    for seed in range(3 if n > 1000 else 12):
        rng = np.random.default_rng([n, seed])
        changes = rng.standard_t(3, n) + 1.2 / math.sqrt(n)
        expected = scipy_permutation(changes, 2999, seed)
        p_value = paired_permutation(changes, seed=seed)
        assert p_value is not None
        error = permutation_error(expected, 2999) + permutation_error(expected, 10_000)
        assert abs(p_value - expected) < 4 * error


def test_cluster_permutation_flips_document_sums():
    """With clusters, the p-value is that of the sums of the documents."""
    for seed in range(40):
        rng = np.random.default_rng(seed)
        count = int(rng.integers(3, 11))
        clusters = np.repeat(np.arange(count) * 10, rng.integers(1, 5, count))
        changes = rng.normal(0.3, 1, len(clusters))
        sums = np.array([changes[clusters == number].sum() for number in np.unique(clusters)])
        expected = scipy_permutation(sums, np.inf, seed)
        assert paired_permutation(changes, clusters=clusters) == pytest.approx(expected, rel=1e-9)


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
            reached[place] += flipped[place] >= statistic - 1e-9
            exceeded[place] += max(flipped) >= statistic - 1e-9
    total = 2 ** len(rows)
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


def test_a_single_comparison_is_scipy_s_permutation_test():
    """The p-value of an effect is SciPy's, with ties, all equal, one pair and no pair."""
    metric = Metric(name="mrr", field="mrr")
    for seed in range(60):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(2, 11))
        base = rng.choice([0.0, 0.25, 0.5], size=n)
        values = rng.choice([0.0, 0.5, 0.75], size=n)
        effect = paired_effect(metric, "new", "old", values, base, Method())
        if (values == base).all():
            assert effect.p_value is None
            continue
        expected = scipy_permutation(values - base, np.inf, seed)
        assert effect.p_adjusted == effect.p_value == pytest.approx(expected, rel=1e-9)
    one = paired_effect(metric, "new", "old", np.ones(1), np.zeros(1), Method())
    assert one.p_value == 1.0
    none = paired_effect(metric, "new", "old", np.zeros(0), np.zeros(0), Method())
    assert (none.p_value, none.verdict) == (None, "too few")


@pytest.mark.parametrize("counts", [(0, 0), (5, 0), (6, 0), (9, 2), (30, 14), (700, 610)])
def test_paired_rates_have_mcnemars_p_value_and_a_known_interval(
    counts: tuple[int, int],
):
    """One yes/no comparison is McNemar's exact test; its plain interval is Bonett and Price's."""
    gained, lost = counts
    n = 3 * (gained + lost) + 20
    values = np.repeat([1.0, 0.0, 1.0], [gained, lost, n - gained - lost])
    base = np.repeat([0.0, 1.0, 1.0], [gained, lost, n - gained - lost])
    metric = Metric(name="hit", field="hit", kind="rate")
    effect = paired_effect(metric, "new", "old", values, base, Method())
    if gained + lost:
        expected = mcnemar([[1, gained], [lost, 1]], exact=True).pvalue
        assert effect.p_adjusted == pytest.approx(expected, rel=1e-9)
    assert effect.plain_interval is not None
    # Bonett and Price: one item is added to each of the discordant counts
    difference = (gained - lost) / (n + 2)
    spread = math.sqrt(((gained + lost + 2) / (n + 2) - difference**2) / (n + 2))
    assert effect.plain_interval.low == pytest.approx(difference - 1.96 * spread, abs=0.02)
    assert effect.plain_interval.high == pytest.approx(difference + 1.96 * spread, abs=0.02)


def test_holm_agrees_with_statsmodels(monkeypatch: pytest.MonkeyPatch):
    """Holm's adjusted p-values equal those of statsmodels, also with ties."""
    monkeypatch.setattr(gc, "collect", lambda: 0)  # each call collects all garbage of the process
    for seed in range(40):
        rng = np.random.default_rng(seed)
        values = rng.uniform(size=int(rng.integers(1, 30))) ** 3
        values = np.round(values, 2) if seed % 2 else values
        expected = multipletests(values, method="holm")[1]
        assert holm(values.tolist()) == pytest.approx(expected.tolist(), rel=1e-12)


def _weighted_flips(changes: np.ndarray, weights: np.ndarray) -> float:
    """The share of all sign combinations whose weighted sum is at least as far from 0.

    If the changes are skewed against the mean, the observed sum counts for as much as is left
    when the term of the skew is taken from its t.
    """
    sums, n = weights * changes, len(changes)
    deviations = sums - weights * sums.sum() / weights.sum()
    skew = float(stats.skew(deviations, bias=False))
    shown = abs(sums.sum()) / math.sqrt(float(sums @ sums))
    if skew * sums.sum() < 0:
        t = shown * math.sqrt((n - 1) / (n - shown**2))
        term = abs(skew) / (6 * math.sqrt(n))
        left = optimize.brentq(lambda c: c + term * (2 * c * c + 1) - t, -1 / (4 * term), t)
        shown = max(left, 0.0) * math.sqrt(n / (n - 1 + left**2))
    signs = np.array(list(product((-1, 1), repeat=n)))
    flipped = np.abs(signs @ sums) / math.sqrt(float(sums @ sums))
    return float(np.mean(flipped >= shown - 1e-7))


def test_a_weighted_difference_agrees_with_numpy():
    """Difference and p-value are those of the weighted differences; the interval says the same."""
    rng = np.random.default_rng(5)
    metric = Metric(name="score", field="score")
    for _ in range(40):
        n = int(rng.integers(6, 14))
        base, values = np.round(rng.random((2, n)), 3)
        values = np.clip(values + rng.choice([-0.4, 0.0, 0.4]), 0, 1)
        given = rng.choice([1.0, 2.0, 5.0, 30.0], n)
        weights = given * n / given.sum()
        effect = paired_effect(metric, "b", "a", values, base, Method(), weights)
        expected = np.average(values, weights=given) - np.average(base, weights=given)
        assert effect.difference == pytest.approx(expected)
        assert effect.p_value == pytest.approx(_weighted_flips(values - base, given), abs=1e-12)
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
    method = Method(clusters=documents) if has_documents else Method()
    effect = paired_effect(Metric(name="score", field="s"), "b", "a", values, base, method, weights)
    mean = float(weights @ (values - base)) / n
    deviations = np.bincount(documents, weights * (values - base - mean))
    error = math.sqrt(float(deviations @ deviations)) / n
    reach = float(stats.t.ppf(0.975, n // size - 1)) * error
    assert effect.plain_interval is not None
    assert effect.plain_interval.low == pytest.approx(mean - reach, abs=0.03 * reach)
    assert effect.plain_interval.high == pytest.approx(mean + reach, abs=0.03 * reach)
