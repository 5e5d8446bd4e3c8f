"""How many gold chunks were retrieved, and how high they were ranked.

G is the set of gold ids, R are the retrieved ids in order of relevance, and k = len(R). A
repeated id counts only at its first position. Relevance is binary.

``gold_hit_any``, ``gold_hit_all`` and ``gold_coverage`` are defined for every question; without
gold they are ``False`` and 0.0. The other metrics are undefined (``None``) without gold. Averages
should leave out questions without gold, as ``assay.scorers.ablation`` does. If there is gold but
nothing was retrieved, all metrics are ``False`` or 0.0, so that a system cannot gain by
returning nothing.
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
    """Whether G ∩ R is not empty.

    >>> gold_hit_any(["a", "b"], ["x", "b"]), gold_hit_any([], ["x"])
    (True, False)
    """
    return not set(gold).isdisjoint(retrieved)


def gold_hit_all(gold: Collection[str], retrieved: Collection[str]) -> bool:
    """Whether G ⊆ R; ``False`` if G is empty.

    >>> gold_hit_all(["a", "b"], ["b", "a", "x"]), gold_hit_all([], ["x"])
    (True, False)
    """
    return bool(gold) and set(gold).issubset(retrieved)


def gold_coverage(gold: Collection[str], retrieved: Collection[str]) -> float:
    """|G ∩ R| / |G|, which is recall at k; 0.0 if G is empty.

    >>> gold_coverage(["a", "b"], ["x", "b"])
    0.5
    """
    gold_ids = set(gold)
    return len(gold_ids.intersection(retrieved)) / len(gold_ids) if gold_ids else 0.0


def gold_precision(gold: Collection[str], retrieved: Collection[str]) -> float | None:
    """|G ∩ R| / |R|; 0.0 if nothing was retrieved, ``None`` if G is empty.

    >>> gold_precision(["a", "b"], ["x", "b", "y", "z"])
    0.25
    """
    if not gold:
        return None
    retrieved_ids = set(retrieved)
    return len(retrieved_ids.intersection(gold)) / len(retrieved_ids) if retrieved_ids else 0.0


def reciprocal_rank(gold: Collection[str], retrieved: Iterable[str]) -> float | None:
    """1 / the rank of the first gold id in R; 0.0 if R has none, ``None`` if G is empty.

    >>> reciprocal_rank(["a", "b"], ["x", "b", "a"])
    0.5
    """
    if not gold:
        return None
    gold_ids = set(gold)
    for rank, chunk_id in enumerate(dict.fromkeys(retrieved), 1):
        if chunk_id in gold_ids:
            return 1 / rank
    return 0.0


def ndcg(gold: Collection[str], retrieved: Iterable[str]) -> float | None:
    """Normalised discounted cumulative gain at k with gains of 0 and 1.

    DCG is Σ 1 / log2(rank + 1) over the gold ids in R. It is divided by the DCG of an ideal
    ranking, which has min(|G|, k) gold ids at the top. 0.0 if nothing was retrieved, ``None`` if
    G is empty. Source: Järvelin and Kekäläinen (2002).

    >>> round(ndcg(["a", "b"], ["a", "x", "b"]), 4)
    0.9197
    """
    if not gold:
        return None
    gold_ids = set(gold)
    ranked = dict.fromkeys(retrieved)
    ideal = sum(1 / log2(rank + 1) for rank in range(1, min(len(gold_ids), len(ranked)) + 1))
    gain = sum(
        1 / log2(rank + 1) for rank, chunk_id in enumerate(ranked, 1) if chunk_id in gold_ids
    )
    return gain / ideal if ideal else 0.0


def ids_by_relevance(passages: Sequence[Passage]) -> list[str]:
    """The ids of the passages, the most relevant first.

    Passages are sorted by ``rank`` if every passage has one, because they may be listed in
    another order for citation. Otherwise they keep their order.

    >>> ids_by_relevance([Passage(id="b", rank=2), Passage(id="a", rank=1)])
    ['a', 'b']
    """
    ranks = [passage.rank for passage in passages]
    known_ranks = [rank for rank in ranks if rank is not None]
    if len(known_ranks) < len(ranks):
        return [passage.id for passage in passages]
    order = sorted(range(len(known_ranks)), key=known_ranks.__getitem__)
    return [passages[index].id for index in order]


def gold_metrics(gold: Collection[str], passages: Sequence[Passage]) -> GoldMetrics:
    """All metrics of this module for one answer, in the format of a row.

    >>> gold_metrics(["a"], [Passage(id="x"), Passage(id="a")])["gold_mrr"]
    0.5
    """
    retrieved = ids_by_relevance(passages)
    return {
        "gold_hit_any": gold_hit_any(gold, retrieved),
        "gold_hit_all": gold_hit_all(gold, retrieved),
        "gold_coverage": gold_coverage(gold, retrieved),
        "gold_precision": gold_precision(gold, retrieved),
        "gold_mrr": reciprocal_rank(gold, retrieved),
        "gold_ndcg": ndcg(gold, retrieved),
    }
