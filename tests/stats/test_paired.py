"""Paired tests at the edges, the correction, and the smallest difference."""

import numpy as np
import pytest

from assay.stats import (
    detectable_difference,
    detectable_rate_difference,
    differences,
    holm,
    mcnemar_exact,
    paired_permutation,
    wilcoxon_signed_rank,
)


@pytest.mark.parametrize("changes", [[], [0.0, 0.0], [np.nan], [np.nan, 0.0]])
def test_nothing_that_differs_is_nothing_to_test(changes: list[float]):
    """Without a single difference every test is undefined, not 1 and not 0."""
    array = np.array(changes)
    assert wilcoxon_signed_rank(array) is None
    assert paired_permutation(array) is None
    assert paired_permutation(array, clusters=np.zeros(len(array), dtype=int)) is None
    assert mcnemar_exact(0, 0) is None


def test_one_difference_proves_nothing():
    """A single difference has a p-value of 1 by every test."""
    assert wilcoxon_signed_rank(np.array([3.0])) == 1.0
    assert paired_permutation(np.array([3.0])) == 1.0
    assert mcnemar_exact(1, 0) == 1.0


def test_even_splits_are_certain_chance():
    """As many up as down is a p-value of 1."""
    assert mcnemar_exact(500, 500) == 1.0
    assert mcnemar_exact(5_000, 5_000) == 1.0


def test_negative_counts_are_refused():
    """A count below zero is a mistake."""
    with pytest.raises(ValueError, match="lost"):
        mcnemar_exact(1, -1)


def test_p_value_is_never_zero_by_resampling():
    """The smallest p-value is one in the number of resamples and one."""
    changes = np.full(500, 1.0)
    assert paired_permutation(changes, resamples=999) == 1 / 1000
    assert paired_permutation(np.full(50_000, 1.0), resamples=999) == 1 / 1000


def test_tests_ignore_the_sign_of_the_question():
    """Swapping variant and baseline changes no p-value."""
    changes = np.random.default_rng(0).normal(0.2, 1, 300)
    assert wilcoxon_signed_rank(changes) == wilcoxon_signed_rank(-changes)
    assert paired_permutation(changes) == paired_permutation(-changes)
    assert mcnemar_exact(3, 9) == mcnemar_exact(9, 3)


def test_permutation_follows_its_seed_and_names():
    """The same seed and names give the same p-value; others give another draw."""
    changes = np.random.default_rng(0).normal(0.1, 1, 100)
    first = paired_permutation(changes, seed=1, names=("mrr", "hyde"))
    assert first == paired_permutation(changes, seed=1, names=("mrr", "hyde"))
    assert first != paired_permutation(changes, seed=2, names=("mrr", "hyde"))
    assert first != paired_permutation(changes, seed=1, names=("mrr", "rrf"))


def test_flipping_whole_documents_is_more_careful():
    """Fifty equal changes in five documents prove no more than five do."""
    changes = np.ones(50)
    clusters = np.repeat(np.arange(5), 10)
    assert paired_permutation(changes, clusters=clusters) == 2 / 2**5


def test_documents_whose_changes_cancel_do_not_count():
    """A document that sums to zero but for rounding has no sign to flip."""
    changes = np.array([0.1, 0.2, -0.3, 1.0, 2.0])
    assert paired_permutation(changes, clusters=np.array([0, 0, 0, 1, 2])) == 0.5


def test_differences_are_free_of_rounding_dust():
    """Equal steps are equal, and equal values differ by exactly nothing, in both widths."""
    for kind in (np.float32, np.float64):
        values = np.array([0.3, 0.6, 0.9, 0.1, np.nan, 1.0], dtype=kind)
        base = np.array([0.1, 0.4, 0.7, 0.1, 1.0, np.nan], dtype=kind)
        found = differences(values, base)
        assert found.dtype == np.float64
        assert len(set(found[:3].tolist())) == 1
        assert found[3] == 0.0
        assert np.isnan(found[4:]).all()


def test_differences_keep_what_is_small():
    """Rounding follows the size of the values, so tiny numbers keep their digits."""
    found = differences(np.array([3e-9, 5e-9]), np.array([1e-9, 1e-9]))
    assert found == pytest.approx([2e-9, 4e-9])
    assert differences(np.array([np.nan]), np.array([np.nan])).shape == (1,)
    assert differences(np.zeros(0), np.zeros(0)).shape == (0,)


def test_holm_leaves_out_what_was_not_tested():
    """None stays None and makes nobody else's bar higher."""
    assert holm([]) == []
    assert holm([None, None]) == [None, None]
    assert holm([0.02, None]) == [0.02, None]
    assert holm([0.9, 0.8]) == [1.0, 1.0]


def test_detectable_difference_is_undefined_without_spread():
    """No pairs, one pair, or pairs that all differ alike: nothing to judge by."""
    assert detectable_difference(0.5, 1) is None
    assert detectable_difference(0.0, 100) is None
    assert detectable_difference(float("nan"), 100) is None


def test_more_questions_detect_less():
    """Four times the questions halve what can be seen."""
    once, again = detectable_difference(0.5, 100), detectable_difference(0.5, 400)
    assert once is not None
    assert again == pytest.approx(once / 2)


def test_detectable_rate_difference_at_the_edges():
    """It never passes what changed or 1, and a handful of questions can show nothing."""
    assert detectable_rate_difference(0, 0) is None
    assert detectable_rate_difference(0, 3) is None
    none_changed = detectable_rate_difference(0, 100)
    assert none_changed is not None
    assert 0.05 < none_changed < 0.1
    all_changed = detectable_rate_difference(100, 100)
    assert all_changed is not None
    assert none_changed < all_changed < 0.3
