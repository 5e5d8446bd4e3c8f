from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.records import Passage
from assay.scorers.retrieval import (
    ids_by_relevance,
    gold_coverage,
    gold_hit_all,
    gold_hit_any,
    gold_metrics,
    gold_precision,
    ndcg,
    reciprocal_rank,
)

IDS = st.lists(st.sampled_from("abcdefgh"), max_size=8)


def test_the_definitions_hold_on_a_worked_example():
    """Two of three gold chunks among four, first at rank two."""
    told = gold_metrics(["a", "b", "c"], [Passage(id=name) for name in "xbya"])
    assert told["gold_hit_any"] is True
    assert told["gold_hit_all"] is False
    assert told["gold_coverage"] == pytest.approx(2 / 3)
    assert told["gold_precision"] == 0.5
    assert told["gold_mrr"] == 0.5
    ideal = 1 + 1 / log2(3) + 1 / log2(4)
    assert told["gold_ndcg"] == pytest.approx((1 / log2(3) + 1 / log2(5)) / ideal)


def test_without_gold_the_row_says_no_and_the_rest_is_undefined():
    """Coverage is 0.0 and hits are no, as rows have it; ranks have no meaning."""
    assert gold_metrics([], [Passage(id="a")]) == {
        "gold_hit_any": False,
        "gold_hit_all": False,
        "gold_coverage": 0.0,
        "gold_precision": None,
        "gold_mrr": None,
        "gold_ndcg": None,
    }


def test_nothing_retrieved_is_a_failure_not_an_unknown():
    """With gold and no passage, everything is no or 0.0."""
    told = gold_metrics(["a"], [])
    assert list(told.values()) == [False, False, 0.0, 0.0, 0.0, 0.0]


def test_relevance_is_the_rank_and_not_the_place():
    """A repacked list, best last, is judged by its ranks."""
    packed = [Passage(id="x", rank=3), Passage(id="y", rank=2), Passage(id="a", rank=1)]
    assert ids_by_relevance(packed) == ["a", "y", "x"]
    assert gold_metrics(["a"], packed)["gold_mrr"] == 1.0
    assert gold_metrics(["a"], packed)["gold_ndcg"] == 1.0


def test_ranks_that_are_incomplete_are_not_used():
    """Where one passage has no rank, the order they came in stands."""
    mixed = [Passage(id="x", rank=2), Passage(id="a"), Passage(id="y", rank=1)]
    assert ids_by_relevance(mixed) == ["x", "a", "y"]


@given(IDS, IDS)
def test_the_set_measures_are_the_formulas(gold: list[str], retrieved: list[str]):
    """Hits, coverage and precision are those of the sets, repeats aside."""
    both = set(gold) & set(retrieved)
    assert gold_hit_any(gold, retrieved) is bool(both)
    assert gold_hit_all(gold, retrieved) is (bool(gold) and set(gold) <= set(retrieved))
    assert gold_coverage(gold, retrieved) == (len(both) / len(set(gold)) if gold else 0.0)
    if gold and retrieved:
        assert gold_precision(gold, retrieved) == len(both) / len(set(retrieved))


@given(st.lists(st.sampled_from("abcdefgh"), min_size=1), IDS)
def test_a_gold_chunk_moved_up_never_scores_lower(gold: list[str], retrieved: list[str]):
    """Both rank measures grow, or stay, when gold goes to the front."""
    better = sorted(dict.fromkeys(retrieved), key=lambda name: name not in gold)
    for measure in (reciprocal_rank, ndcg):
        before, after = measure(gold, retrieved), measure(gold, better)
        assert before is not None
        assert after is not None
        assert 0.0 <= before <= after + 1e-12
        assert after == pytest.approx(float(gold_hit_any(gold, retrieved))) or measure is ndcg
