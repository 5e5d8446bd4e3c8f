"""Edge cases of paired tests, of the correction, and of the smallest detectable difference."""

import numpy as np
import pytest
from scipy import stats

from assay.records import Metric
from assay.stats.comparison import paired_effect
from assay.stats.difference import Contrast, mcnemar, tango
from assay.stats.effect import Method, holm
from assay.stats.planning import detectable_difference, detectable_rate_difference

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


@pytest.mark.parametrize("changes", [[], [0.0, 0.0], [np.nan], [np.nan, 0.0]])
def test_without_differences_a_test_is_undefined(changes: list[float]):
    """If no item differs, every test returns ``None``, not 1 and not 0."""
    array = np.array(changes)
    assert flipped_p(array) is None
    assert flipped_p(array, clusters=np.zeros(len(array), dtype=int)) is None
    assert mcnemar(0, 0) is None


def test_one_difference_proves_nothing():
    """A single difference has a mid-p value of one half in every test."""
    assert flipped_p(np.array([3.0])) == 0.5
    assert mcnemar(1, 0) == 0.5


def test_even_splits_have_a_p_value_of_one():
    """If as many items gained as lost, the p-value is 1."""
    assert mcnemar(500, 500) == 1.0
    assert mcnemar(5_000, 5_000) == 1.0


def test_negative_counts_are_refused():
    """A negative count is refused."""
    with pytest.raises(ValueError, match="lost"):
        mcnemar(1, -1)


def test_p_value_is_never_zero_by_resampling():
    """The smallest possible mid-p value is half of ``1 / (resamples + 1)``."""
    assert flipped_p(np.full(500, 1.0), resamples=999) == 0.5 / 1000


def test_tests_are_symmetric():
    """Swapping variant and baseline does not change a p-value."""
    changes = np.random.default_rng(0).normal(0.2, 1, 300)
    assert flipped_p(changes) == flipped_p(-changes)
    assert mcnemar(3, 9) == mcnemar(9, 3)


def test_permutation_follows_its_seed():
    """The same seed gives the same p-value; another one gives another."""
    changes = np.random.default_rng(0).normal(0.1, 1, 100)
    assert flipped_p(changes, seed=1) == flipped_p(changes, seed=1)
    assert flipped_p(changes, seed=1) != flipped_p(changes, seed=2)


def test_mid_p_is_the_binomial_one():
    """SciPy's binomial distribution, without half of the observed count."""
    for gained, lost in ((8, 3), (5, 0), (61, 40), (900, 801), (2_000, 1_900)):
        fewer = stats.binom(gained + lost, 0.5)
        expected = 2 * fewer.cdf(lost) - fewer.pmf(lost)
        assert mcnemar(gained, lost) == pytest.approx(expected, rel=1e-9)


def test_tangos_interval_is_the_published_one():
    """Airway hyper-responsiveness before and after a transplantation: 1 and 7 of 21 changed."""
    low, high = tango(1, 7, 21, stats.norm.ppf(0.975))
    assert (round(low, 3), round(high, 3)) == (-0.517, -0.026)


def test_flipping_whole_documents_is_more_conservative():
    """Fifty equal changes in five documents have the same p-value as five changes."""
    changes = np.ones(50)
    clusters = np.repeat(np.arange(5), 10)
    assert flipped_p(changes, clusters=clusters) == 1 / 2**5


def test_documents_whose_changes_cancel_do_not_count():
    """A document whose sum is zero except for a rounding error is left out: two documents changed."""
    changes, documents = np.array([0.1, 0.2, -0.3, 1.0, 2.0]), np.array([0, 0, 0, 1, 2])
    method = Method(units=documents, unit="document")
    effect = paired_effect(SECONDS, "b", "a", changes, np.zeros(5), method)
    assert "2 documents changed" in str(effect.note)


def differences(values: np.ndarray, base: np.ndarray) -> np.ndarray:
    """What a comparison takes as the changes."""
    return Contrast(((1.0, values), (-1.0, base))).changes()


def test_differences_have_no_rounding_errors():
    """In single and double precision, equal differences are equal and zero is exactly zero."""
    for kind in (np.float32, np.float64):
        values = np.array([0.3, 0.6, 0.9, 0.1, np.nan, 1.0], dtype=kind)
        base = np.array([0.1, 0.4, 0.7, 0.1, 1.0, np.nan], dtype=kind)
        changes = differences(values, base)
        assert changes.dtype == np.float64
        assert len(set(changes[:3].tolist())) == 1
        assert changes[3] == 0.0
        assert np.isnan(changes[4:]).all()


def test_differences_of_tiny_values_keep_their_digits():
    """Rounding depends on the size of the values, so tiny numbers keep their digits."""
    changes = differences(np.array([3e-9, 5e-9]), np.array([1e-9, 1e-9]))
    assert changes == pytest.approx([2e-9, 4e-9])
    assert differences(np.array([np.nan]), np.array([np.nan])).shape == (1,)
    assert differences(np.zeros(0), np.zeros(0)).shape == (0,)


def test_holm_leaves_out_missing_p_values():
    """None stays None and does not increase the other p-values."""
    assert holm([]) == []
    assert holm([None, None]) == [None, None]
    assert holm([0.02, None]) == [0.02, None]
    assert holm([0.9, 0.8]) == [1.0, 1.0]


def test_detectable_difference_is_undefined_without_spread():
    """With one pair, or with a spread of 0 or NaN, the detectable difference is ``None``."""
    assert detectable_difference(0.5, 1) is None
    assert detectable_difference(0.0, 100) is None
    assert detectable_difference(float("nan"), 100) is None


def test_more_questions_detect_less():
    """Four times as many questions halve the detectable difference."""
    of_100, of_400 = detectable_difference(0.5, 100), detectable_difference(0.5, 400)
    assert of_100 is not None
    assert of_400 == pytest.approx(of_100 / 2, rel=0.01)


def test_detectable_rate_difference_at_the_edges():
    """It is defined if no item or all items changed, and undefined for a few questions."""
    assert detectable_rate_difference(0, 0) is None
    assert detectable_rate_difference(0, 3) is None
    none_changed = detectable_rate_difference(0, 100)
    assert none_changed is not None
    assert 0.05 < none_changed < 0.1
    all_changed = detectable_rate_difference(100, 100)
    assert all_changed is not None
    assert none_changed < all_changed < 0.3
