"""How much of the gold was retrieved, and how high it was ranked.

G is the set of gold ids, R the retrieved ids in order of relevance, a repeated id counting at
its first place only, and k = len(R). Relevance is yes or no. ``gold_hit_any``, ``gold_hit_all``
and ``gold_coverage`` are defined for every question, and say no and 0.0 where there is no gold;
the others are ``None`` there, undefined. Whoever averages should leave such questions out
(``assay.scorers.ablation`` does). With gold and nothing retrieved, all are no or 0.0: a system
must not gain by returning nothing.
"""

from collections.abc import Collection, Iterable, Sequence
from math import log2
from typing import TypedDict

from assay.records import Passage


class GoldMetrics(TypedDict):
    """The ``gold_metrics`` of a row."""

    gold_hit_any: bool
    gold_hit_all: bool
    gold_coverage: float
    gold_precision: float | None
    gold_mrr: float | None
    gold_ndcg: float | None


def gold_hit_any(gold: Collection[str], retrieved: Collection[str]) -> bool:
    """Whether G ∩ R holds anything.

    >>> gold_hit_any(["a", "b"], ["x", "b"]), gold_hit_any([], ["x"])
    (True, False)
    """
    return not set(gold).isdisjoint(retrieved)


def gold_hit_all(gold: Collection[str], retrieved: Collection[str]) -> bool:
    """Whether G ⊆ R; no where G is empty.

    >>> gold_hit_all(["a", "b"], ["b", "a", "x"]), gold_hit_all([], ["x"])
    (True, False)
    """
    return bool(gold) and set(gold).issubset(retrieved)


def gold_coverage(gold: Collection[str], retrieved: Collection[str]) -> float:
    """|G ∩ R| / |G|, which is recall at k; 0.0 where G is empty.

    >>> gold_coverage(["a", "b"], ["x", "b"])
    0.5
    """
    wanted = set(gold)
    return len(wanted.intersection(retrieved)) / len(wanted) if wanted else 0.0


def gold_precision(gold: Collection[str], retrieved: Collection[str]) -> float | None:
    """|G ∩ R| / |R|; 0.0 where nothing was retrieved, ``None`` where G is empty.

    >>> gold_precision(["a", "b"], ["x", "b", "y", "z"])
    0.25
    """
    if not gold:
        return None
    there = set(retrieved)
    return len(there.intersection(gold)) / len(there) if there else 0.0


def reciprocal_rank(gold: Collection[str], retrieved: Iterable[str]) -> float | None:
    """1 / the rank of the first gold id in R; 0.0 where none is, ``None`` where G is empty.

    >>> reciprocal_rank(["a", "b"], ["x", "b", "a"])
    0.5
    """
    if not gold:
        return None
    wanted = set(gold)
    for rank, name in enumerate(dict.fromkeys(retrieved), 1):
        if name in wanted:
            return 1 / rank
    return 0.0


def ndcg(gold: Collection[str], retrieved: Iterable[str]) -> float | None:
    """Normalised discounted cumulative gain at k with gains of 0 and 1.

    DCG = Σ over gold ids in R of 1 / log2(rank + 1), divided by the same sum of a ranking that
    has min(|G|, k) gold ids in front. 0.0 where nothing was retrieved, ``None`` where G is
    empty. After Järvelin and Kekäläinen (2002).

    >>> round(ndcg(["a", "b"], ["a", "x", "b"]), 4)
    0.9197
    """
    if not gold:
        return None
    wanted = set(gold)
    ranked = dict.fromkeys(retrieved)
    ideal = sum(1 / log2(rank + 1) for rank in range(1, min(len(wanted), len(ranked)) + 1))
    found = sum(1 / log2(rank + 1) for rank, name in enumerate(ranked, 1) if name in wanted)
    return found / ideal if ideal else 0.0


def by_relevance(passages: Sequence[Passage]) -> list[str]:
    """The ids of the passages, most relevant first.

    By ``rank`` where every passage has one (the order they are cited in may be another), else
    in the order they came.

    >>> by_relevance([Passage(id="b", rank=2), Passage(id="a", rank=1)])
    ['a', 'b']
    """
    ranks = [passage.rank for passage in passages]
    known = [rank for rank in ranks if rank is not None]
    if len(known) < len(ranks):
        return [passage.id for passage in passages]
    order = sorted(range(len(known)), key=known.__getitem__)
    return [passages[place].id for place in order]


def gold_metrics(gold: Collection[str], passages: Sequence[Passage]) -> GoldMetrics:
    """All of them for one answer, as they stand in a row.

    >>> gold_metrics(["a"], [Passage(id="x"), Passage(id="a")])["gold_mrr"]
    0.5
    """
    retrieved = by_relevance(passages)
    return {
        "gold_hit_any": gold_hit_any(gold, retrieved),
        "gold_hit_all": gold_hit_all(gold, retrieved),
        "gold_coverage": gold_coverage(gold, retrieved),
        "gold_precision": gold_precision(gold, retrieved),
        "gold_mrr": reciprocal_rank(gold, retrieved),
        "gold_ndcg": ndcg(gold, retrieved),
    }
