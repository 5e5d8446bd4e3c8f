"""How many gold chunks were retrieved, and how high they were ranked.

G is the set of gold ids, and R are the retrieved ids in order of relevance. A repeated id counts
only at its first position. Relevance is binary. ``reciprocal_rank`` and ``ndcg`` use the rank of each
id: the one that the retriever gave, or else its position in R. Metrics at k are about the best k ids;
a system may list more. Precision and the reciprocal rank are about all of R.

``gold_hit_any``, ``gold_hit_all`` and ``gold_coverage`` are defined for every question; without
gold they are ``False`` and 0.0. The other metrics are undefined (``None``) without gold. Averages
should leave out questions without gold, as ``assay.jobs.answers`` does. If there is gold but
nothing was retrieved, all metrics are ``False`` or 0.0, so that a system cannot gain by
returning nothing. If it is not known what was retrieved, all metrics are undefined. If it is not
known in which order, the two that use ranks are, and if there are more than k ids, those at k.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import log2
from typing import Final, NamedTuple, TypedDict

from msgspec import Struct

from assay.records import GoldSpan, Passage
from assay.text.search_term import find_phrase

# Gold that is a part of a document: how much of it the retrieved passages cover.
#
# A span is hit if the union of the passages covers at least a share of its characters. Where a
# passage says at which offsets of the document it lies, offsets are compared; otherwise texts are,
# without white space. A passage whose text only begins or ends inside the span must share at least
# ``LEAST_SHARED`` characters with it, so that a common word is not taken for a part of it.

SPAN_SHARE: Final = 0.5
"""The share of a span's characters that must be covered, unless the user says otherwise."""
LEAST_SHARED: Final = 20


class SpanMatch(Struct, frozen=True, kw_only=True):
    """The covered share of a span, and the ids of the passages that cover some of it."""

    share: float
    passages: tuple[str, ...]


def span_match(span: GoldSpan, passages: Sequence[Passage]) -> SpanMatch | None:
    """What ``passages`` cover of a span; ``None`` if this cannot be known.

    It cannot be known if the span has only offsets and a passage has none.

    >>> gold = GoldSpan(source="a.txt", start=0, end=100)
    >>> halves = [
    ...     Passage(id="1", source="a.txt", start=50, end=200),
    ...     Passage(id="2", source="a.txt", start=0, end=10),
    ... ]
    >>> span_match(gold, halves)
    SpanMatch(share=0.6, passages=('1', '2'))
    """
    if span.end is not None and all(passage.end is not None for passage in passages):
        length = span.end - (span.start or 0)
        parts = [(passage.id, _by_offset(span, passage)) for passage in passages]
    elif span.text:
        length = len(_squeezed(span.text))
        parts = [(passage.id, _by_text(span, passage)) for passage in passages]
    else:
        return None
    covering = [(name, part) for name, part in parts if part is not None]
    return SpanMatch(
        share=min(1.0, _union(part for _, part in covering) / length) if length > 0 else 0.0,
        passages=tuple(dict.fromkeys(name for name, _ in covering)),
    )


def _by_offset(span: GoldSpan, passage: Passage) -> tuple[int, int] | None:
    """The part of the span that a passage covers, as offsets in the document."""
    if passage.source != span.source or span.end is None or passage.end is None:
        return None
    start, end = max(span.start or 0, passage.start or 0), min(span.end, passage.end)
    return (start, end) if start < end else None


def _by_text(span: GoldSpan, passage: Passage) -> tuple[int, int] | None:
    """The part of the span whose text a passage has, as offsets in the text without spaces."""
    if span.source and passage.source is not None and passage.source != span.source:
        return None
    wanted, has = _squeezed(span.text), _squeezed(passage.text)
    if not wanted or not has:
        return None
    if len(wanted) < LEAST_SHARED:  # a word or a number: found as a whole only
        return (0, len(wanted)) if find_phrase(span.text, passage.text) else None
    if wanted in has:
        return 0, len(wanted)
    if wanted[:LEAST_SHARED] not in has and has[:LEAST_SHARED] not in wanted:
        return None  # most passages: neither begins in the other
    if len(has) >= LEAST_SHARED and (place := wanted.find(has)) >= 0:
        return place, place + len(has)
    first, last = _shared_edge(has, wanted), _shared_edge(wanted, has)
    if max(first, last) < LEAST_SHARED:
        return None
    return (0, first) if first >= last else (len(wanted) - last, len(wanted))


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _shared_edge(left: str, right: str) -> int:
    """The length of the longest end of ``left`` with which ``right`` begins.

    >>> _shared_edge("abcab", "abd")
    2
    """
    left = left[-len(right) :]
    start = 0
    probe = right[:LEAST_SHARED]
    while (start := left.find(probe, start)) >= 0:
        if right.startswith(left[start:]):
            return len(left) - start
        start += 1
    return next(
        (
            size
            for size in range(min(len(left), len(probe)), 0, -1)
            if probe.startswith(left[-size:])
        ),
        0,
    )


def _union(parts: Iterable[tuple[int, int]]) -> int:
    """The number of characters in at least one of the parts."""
    total, reached = 0, -1
    for start, end in sorted(parts):
        if end > reached:
            total += end - max(start, reached)
            reached = end
    return total


class GoldMetrics(TypedDict):
    """The ``gold_metrics`` of a row."""

    gold_hit_any: bool | None
    gold_hit_all: bool | None
    gold_coverage: float | None
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


def reciprocal_rank(
    gold: Collection[str], retrieved: Iterable[str] | Mapping[str, int]
) -> float | None:
    """1 / the rank of the first gold id in R; 0.0 if R has none, ``None`` if G is empty.

    ``retrieved`` are ids in order of relevance, or ids with their ranks.

    >>> reciprocal_rank(["a", "b"], ["x", "b", "a"])
    0.5
    >>> reciprocal_rank(["a", "b"], {"b": 4, "a": 9})
    0.25
    """
    if not gold:
        return None
    ranks = _ranks(retrieved)
    found = [ranks[chunk_id] for chunk_id in set(gold) if chunk_id in ranks]
    return 1 / min(found) if found else 0.0


def ndcg(
    gold: Collection[str], retrieved: Iterable[str] | Mapping[str, int], top_k: int | None = None
) -> float | None:
    """Normalised discounted cumulative gain at k with gains of 0 and 1.

    DCG is Σ 1 / log2(rank + 1) over the gold ids in R. It is divided by the DCG of an ideal
    ranking, which has min(|G|, k) gold ids at the top, also if fewer ids were retrieved. 0.0 if
    nothing was retrieved, ``None`` if G is empty. ``retrieved`` are at most k ids in order of
    relevance, or ids with their ranks; by default, k is their number. Source: Järvelin and
    Kekäläinen (2002).

    >>> round(ndcg(["a", "b"], ["a", "x", "b"]), 4)
    0.9197
    >>> round(ndcg(["a", "b"], ["a"], top_k=10), 4)
    0.6131
    """
    if not gold:
        return None
    gold_ids = set(gold)
    ranks = _ranks(retrieved)
    k = len(ranks) if top_k is None else top_k
    ideal = sum(1 / log2(rank + 1) for rank in range(1, min(len(gold_ids), k) + 1))
    found = sorted(rank for chunk_id, rank in ranks.items() if chunk_id in gold_ids)
    gain = sum(1 / log2(rank + 1) for rank in found)
    return gain / ideal if ideal else 0.0


def _ranks(retrieved: Iterable[str] | Mapping[str, int]) -> Mapping[str, int]:
    if isinstance(retrieved, Mapping):
        return retrieved
    return {chunk_id: rank for rank, chunk_id in enumerate(dict.fromkeys(retrieved), 1)}


def ranks_of(passages: Sequence[Passage], *, order_is_rank: bool = True) -> dict[str, int] | None:
    """The rank of each retrieved id; ``None`` if the ranks are not known.

    They are those that the passages have; a repeated id counts once, so that the ranks after it
    are smaller by one. If no passage has a rank, the order is taken for it, unless
    ``order_is_rank`` is false. Ranks that only some passages have, or that two passages share, are
    not known.

    >>> ranks_of([Passage(id="b", rank=5), Passage(id="a", rank=1)])
    {'a': 1, 'b': 5}
    >>> ranks_of([Passage(id="b"), Passage(id="a")])
    {'b': 1, 'a': 2}
    >>> ranks_of([Passage(id="b", rank=1), Passage(id="a", rank=1)]) is None
    True
    """
    given = [passage.rank for passage in passages]
    if given.count(None) == len(given):
        return dict(_ranks(passage.id for passage in passages)) if order_is_rank else None
    known = [rank for rank in given if rank is not None and rank >= 1]
    if len(known) < len(given) or len(set(known)) < len(known):
        return None
    ranks: dict[str, int] = {}
    repeated = 0
    for index in sorted(range(len(known)), key=known.__getitem__):
        repeated += passages[index].id in ranks
        ranks.setdefault(passages[index].id, known[index] - repeated)
    return ranks


def gold_metrics(
    gold: Collection[str],
    passages: Sequence[Passage] | None,
    *,
    order_is_rank: bool = True,
    top_k: int | None = None,
    spans: Sequence[GoldSpan] = (),
    span_share: float = SPAN_SHARE,
) -> GoldMetrics:
    """All metrics of this module for one answer, in the format of a row.

    Args:
        gold: the ids of the gold chunks.
        passages: what was retrieved; ``None`` if this is not known.
        order_is_rank: false if the passages are listed in another order than that of relevance.
        top_k: the k of the metrics at k; by default, the number of retrieved ids.
        spans: parts of documents that are gold too; each counts like a chunk.
        span_share: the share of a span that the passages must cover.

    >>> gold_metrics(["a"], [Passage(id="x"), Passage(id="a")])["gold_mrr"]
    0.5
    >>> gold_metrics(["a"], [Passage(id="x"), Passage(id="a")], top_k=1)["gold_coverage"]
    0.0
    """
    if passages is None:
        return dict.fromkeys(GoldMetrics.__annotations__)  # type: ignore[return-value]
    # nothing retrieved is a miss, whatever the order would have been
    ranks = ranks_of(passages, order_is_rank=order_is_rank) if passages else {}
    retrieved = {passage.id for passage in passages}
    best = _best(retrieved, ranks, top_k)
    if spans:
        return _span_metrics(gold, passages, ranks, best, top_k, _SpanRule(spans, span_share))
    return {
        "gold_hit_any": None if best is None else gold_hit_any(gold, best),
        "gold_hit_all": None if best is None else gold_hit_all(gold, best),
        "gold_coverage": None if best is None else gold_coverage(gold, best),
        "gold_precision": gold_precision(gold, retrieved),
        "gold_mrr": None if ranks is None else reciprocal_rank(gold, ranks),
        "gold_ndcg": None
        if ranks is None or best is None
        else ndcg(gold, {name: ranks[name] for name in best}, top_k),
    }


class _SpanRule(NamedTuple):
    """The gold spans, and the share of each that must be covered."""

    spans: Sequence[GoldSpan]
    share: float

    def hits(self, passages: Sequence[Passage]) -> dict[str, tuple[str, ...]] | None:
        """The passages that add to each span that is hit, by the span's name."""
        hits = {}
        for number, span in enumerate(self.spans):
            match = span_match(span, passages)
            if match is None:
                return None
            if match.passages and match.share >= self.share:
                hits[_span_name(number)] = match.passages
        return hits


def _span_name(number: int) -> str:
    return f"\0span {number}"


def _span_metrics(
    gold: Collection[str],
    passages: Sequence[Passage],
    ranks: Mapping[str, int] | None,
    best: Collection[str] | None,
    top_k: int | None,
    rule: _SpanRule,
) -> GoldMetrics:
    """The metrics if spans are among the gold.

    A span that is hit is a gold chunk with the rank of the first passage that adds to it. If two
    spans are hit by the same passage, they share its rank, so nDCG is cut off at 1.
    """
    hits = rule.hits(passages)
    if hits is None:
        return dict.fromkeys(GoldMetrics.__annotations__)  # type: ignore[return-value]
    wanted = [*gold, *map(_span_name, range(len(rule.spans)))]
    adding = set(gold).union(*(_adding_passages(span, passages) for span in rule.spans))
    found = best_ranks = all_ranks = None
    if best is not None:
        chosen = set(best)
        best_hits = rule.hits([passage for passage in passages if passage.id in chosen]) or {}
        found = [*best, *best_hits]
        if ranks is not None:
            best_ranks = {name: ranks[name] for name in best} | _first_ranks(best_hits, ranks)
    if ranks is not None:
        all_ranks = {**ranks, **_first_ranks(hits, ranks)}
    gain = None
    if best_ranks is not None:
        gain = ndcg(wanted, best_ranks, len(best or ()) if top_k is None else top_k)
    return {
        "gold_hit_any": None if found is None else gold_hit_any(wanted, found),
        "gold_hit_all": None if found is None else gold_hit_all(wanted, found),
        "gold_coverage": None if found is None else gold_coverage(wanted, found),
        "gold_precision": gold_precision(adding, {passage.id for passage in passages})
        if adding
        else 0.0,
        "gold_mrr": None if all_ranks is None else reciprocal_rank(wanted, all_ranks),
        "gold_ndcg": None if gain is None else min(1.0, gain),
    }


def _adding_passages(span: GoldSpan, passages: Sequence[Passage]) -> tuple[str, ...]:
    """The ids of the passages that cover some of a span."""
    match = span_match(span, passages)
    return () if match is None else match.passages


def _first_ranks(hits: Mapping[str, tuple[str, ...]], ranks: Mapping[str, int]) -> dict[str, int]:
    return {name: min(ranks[passage] for passage in adding) for name, adding in hits.items()}


def _best(
    retrieved: Collection[str], ranks: Mapping[str, int] | None, top_k: int | None
) -> Collection[str] | None:
    """The best ``top_k`` ids; ``None`` if there are more and their ranks are not known."""
    if top_k is None or len(retrieved) <= top_k:
        return retrieved
    return None if ranks is None else sorted(ranks, key=ranks.__getitem__)[:top_k]
