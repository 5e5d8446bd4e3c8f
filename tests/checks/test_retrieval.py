from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.checks.retrieval import (
    gold_coverage,
    gold_hit_all,
    gold_hit_any,
    gold_metrics,
    gold_precision,
    ndcg,
    ranks_of,
    reciprocal_rank,
)
from assay.records import Passage

IDS = st.lists(st.sampled_from("abcdefgh"), max_size=8)


def test_the_definitions_hold_on_a_worked_example():
    """Two of three gold chunks are among four retrieved ones, the first of them at rank two."""
    metrics = gold_metrics(["a", "b", "c"], [Passage(id=name) for name in "xbya"])
    assert metrics["gold_hit_any"] is True
    assert metrics["gold_hit_all"] is False
    assert metrics["gold_coverage"] == pytest.approx(2 / 3)
    assert metrics["gold_precision"] == 0.5
    assert metrics["gold_mrr"] == 0.5
    ideal = 1 + 1 / log2(3) + 1 / log2(4)
    assert metrics["gold_ndcg"] == pytest.approx((1 / log2(3) + 1 / log2(5)) / ideal)


def test_without_gold_hits_are_false_and_the_rest_is_undefined():
    """Without gold the coverage is 0.0, hits are false, and the other metrics are undefined."""
    assert gold_metrics([], [Passage(id="a")]) == {
        "gold_hit_any": False,
        "gold_hit_all": False,
        "gold_coverage": 0.0,
        "gold_precision": None,
        "gold_mrr": None,
        "gold_ndcg": None,
    }


def test_nothing_retrieved_is_a_failure_not_an_unknown():
    """If there is gold but nothing was retrieved, every metric is false or 0.0."""
    metrics = gold_metrics(["a"], [])
    assert list(metrics.values()) == [False, False, 0.0, 0.0, 0.0, 0.0]


def test_relevance_is_the_rank_and_not_the_position():
    """A reordered list with the best passage last is scored by its ranks."""
    reordered = [Passage(id="x", rank=3), Passage(id="y", rank=2), Passage(id="a", rank=1)]
    assert ranks_of(reordered) == {"a": 1, "y": 2, "x": 3}
    assert gold_metrics(["a"], reordered)["gold_mrr"] == 1.0
    assert gold_metrics(["a"], reordered)["gold_ndcg"] == 1.0


def test_ranks_that_are_incomplete_are_unknown():
    """If one passage has no rank, the metrics that use ranks are undefined."""
    mixed = [Passage(id="x", rank=2), Passage(id="a"), Passage(id="y", rank=1)]
    assert ranks_of(mixed) is None
    metrics = gold_metrics(["a"], mixed)
    assert (metrics["gold_mrr"], metrics["gold_ndcg"]) == (None, None)
    assert metrics["gold_coverage"] == 1.0


def test_the_order_of_the_prompt_is_no_rank():
    """Without ranks nothing is known; ranks count in any order, and nothing retrieved is a miss."""
    listed = [Passage(id="x"), Passage(id="a")]
    assert gold_metrics(["a"], listed, order_is_rank=False)["gold_mrr"] is None
    assert gold_metrics(["a"], listed, order_is_rank=False)["gold_precision"] == 0.5
    ranked = [Passage(id="x", rank=2), Passage(id="a", rank=1)]
    assert gold_metrics(["a"], ranked, order_is_rank=False)["gold_mrr"] == 1.0
    assert gold_metrics(["a"], [], order_is_rank=False)["gold_mrr"] == 0.0


def test_a_repeated_id_takes_one_rank():
    """The ranks after it are smaller by one, as they are in a list of different ids."""
    listed = [Passage(id="a", rank=1), Passage(id="a", rank=2), Passage(id="b", rank=3)]
    assert ranks_of(listed) == ranks_of([Passage(id="a"), Passage(id="a"), Passage(id="b")])


def test_what_was_retrieved_may_be_unknown():
    """Then every metric is undefined."""
    assert set(gold_metrics(["a"], None).values()) == {None}


def test_only_the_best_k_count_for_a_metric_at_k():
    """A system that lists more than ``top_k`` passages gains nothing by the others."""
    listed = [Passage(id=name) for name in "uvwxyza"]
    metrics = gold_metrics(["a", "u"], listed, top_k=5)
    assert metrics["gold_hit_any"] is True
    assert metrics["gold_hit_all"] is False
    assert metrics["gold_coverage"] == 0.5
    assert metrics["gold_ndcg"] == pytest.approx(1 / (1 + 1 / log2(3)))
    assert metrics["gold_precision"] == 2 / 7
    assert gold_metrics(["a"], listed, top_k=5)["gold_mrr"] == 1 / 7
    assert gold_metrics(["a"], listed, top_k=7)["gold_coverage"] == 1.0


def test_ranks_decide_which_passages_are_the_best_k():
    """The last passage of the list has rank 1; without ranks it is not known which are the best."""
    ranked = [Passage(id=name, rank=3 - place) for place, name in enumerate("xya")]
    assert gold_metrics(["a"], ranked, top_k=2)["gold_coverage"] == 1.0
    assert gold_metrics(["x"], ranked, top_k=2)["gold_coverage"] == 0.0
    listed = [Passage(id=name) for name in "xya"]
    metrics = gold_metrics(["a"], listed, order_is_rank=False, top_k=2)
    assert {metrics[name] for name in ("gold_hit_any", "gold_hit_all", "gold_coverage")} == {None}
    assert gold_metrics(["a"], listed, order_is_rank=False, top_k=3)["gold_coverage"] == 1.0


def test_a_repeated_passage_takes_no_place_among_the_best_k():
    """Two different ids are no more than ``top_k``, however often they are listed."""
    listed = [Passage(id=name) for name in "xxxa"]
    assert gold_metrics(["a"], listed, top_k=2)["gold_coverage"] == 1.0


def test_few_passages_do_not_make_a_ranking_ideal():
    """One of three gold chunks alone is no perfect nDCG@5: the ideal has all three at the top."""
    ideal = 1 + 1 / log2(3) + 1 / log2(4)
    metrics = gold_metrics(["a", "b", "c"], [Passage(id="a")], top_k=5)
    assert metrics["gold_ndcg"] == pytest.approx(1 / ideal)
    at_most_two = gold_metrics(["a", "b", "c"], [Passage(id="a"), Passage(id="b")], top_k=2)
    assert at_most_two["gold_ndcg"] == pytest.approx(1.0)


@given(IDS, IDS)
def test_the_set_measures_are_the_formulas(gold: list[str], retrieved: list[str]):
    """Hits, coverage and precision are computed from sets, so repeated ids do not count."""
    both = set(gold) & set(retrieved)
    assert gold_hit_any(gold, retrieved) is bool(both)
    assert gold_hit_all(gold, retrieved) is (bool(gold) and set(gold) <= set(retrieved))
    assert gold_coverage(gold, retrieved) == (len(both) / len(set(gold)) if gold else 0.0)
    if gold and retrieved:
        assert gold_precision(gold, retrieved) == len(both) / len(set(retrieved))


@given(st.lists(st.sampled_from("abcdefgh"), min_size=1), IDS)
def test_a_gold_chunk_moved_up_never_scores_lower(gold: list[str], retrieved: list[str]):
    """Neither rank measure becomes lower if gold chunks move to the front."""
    better = sorted(dict.fromkeys(retrieved), key=lambda name: name not in gold)
    for measure in (reciprocal_rank, ndcg):
        before, after = measure(gold, retrieved), measure(gold, better)
        assert before is not None
        assert after is not None
        assert 0.0 <= before <= after + 1e-12
        assert after == pytest.approx(float(gold_hit_any(gold, retrieved))) or measure is ndcg
