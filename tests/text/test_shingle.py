"""Similar sets are found as comparing every pair finds them, in time that does not grow with pairs."""

from itertools import combinations

import numpy as np

from assay.text.search_term import words
from assay.text.shingle import SIMILAR, WINDOW, jaccard, shingles, similar_pairs


def random_sets(count: int, seed: int) -> list[np.ndarray[tuple[int], np.dtype[np.uint32]]]:
    """Sets of which every other one is a changed copy of the one before."""
    rng = np.random.default_rng(seed)
    sets = []
    for _ in range(count):
        whole = rng.choice(2**31, size=24, replace=False).astype(np.uint32)
        changed = whole.copy()
        changed[: rng.integers(0, 10)] += 1
        sets += [np.unique(whole), np.unique(changed)]
    return sets


def test_similar_pairs_are_those_of_all_comparisons():
    """The hashing misses next to nothing of what comparing each pair finds, and adds nothing."""
    sets = random_sets(150, seed=7)
    expected = {
        (first, second)
        for first, second in combinations(range(len(sets)), 2)
        if jaccard(sets[first], sets[second]) >= SIMILAR
    }
    found = {(first, second) for first, second, _ in similar_pairs(sets)}
    assert found <= expected
    assert len(found) >= 0.97 * len(expected)
    assert len(expected) > 50


def test_many_equal_sets_are_not_compared_in_pairs():
    """A thousand copies give a thousand times the window, not half a million pairs."""
    same = np.array([1, 2, 3, 4], dtype=np.uint32)
    pairs = list(similar_pairs([same] * 1000))
    assert 999 <= len(pairs) <= 1000 * WINDOW


def test_nothing_and_empty_texts_are_no_pairs():
    """A set without questions, and texts without a word, have no duplicates."""
    empty = shingles("?", words("?"))
    assert list(similar_pairs([])) == []
    assert list(similar_pairs([empty, empty])) == []
    assert jaccard(empty, empty) == 0.0
