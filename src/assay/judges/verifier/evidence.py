"""Whether quoted evidence stands in a clause: candidates by embedding, then a closer look.

Stage 1 embeds the evidence and the clause's sentences; a stretch of sentences has the mean of
their vectors. Stage 2 gives the best few candidates to a reranker. Evidence is valid where the
score reaches the threshold. Nothing is stored: a clause is small, and its vectors are kept in
memory for the next quotation from it.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np
from msgspec import Struct

from assay.judges.verifier.reranker import AligningReranker, Reranker
from assay.rag.embed import Embedder, HashedEmbedder, Vectors, document_vector
from assay.scorers.evidence import THRESHOLD, is_verbatim, sentence_spans, simplified_han, windows
from assay.text import Span

TOP: Final = 3
"""Candidates that the reranker is given."""
_DEFAULT_EMBEDDER: Final = HashedEmbedder()
_DEFAULT_RERANKER: Final = AligningReranker()


class Candidate(Struct, frozen=True, kw_only=True):
    """A stretch of the clause that the evidence may come from, with both scores.

    ``reasons`` are what speaks against it, where the reranker says so.
    """

    text: str
    span: Span
    embedding_score: float
    score: float
    reasons: tuple[str, ...] = ()


class EvidenceCheck(Struct, frozen=True, kw_only=True):
    """What became of a quotation.

    ``score``, ``embedding_score`` and ``reasons`` are those of ``candidate``, the best one. All
    are empty where there was nothing to compare: no evidence, or a clause without text. Such
    evidence is not valid.
    """

    valid: bool
    threshold: float
    score: float | None = None
    embedding_score: float | None = None
    candidate: Candidate | None = None
    reasons: tuple[str, ...] = ()
    candidates: tuple[Candidate, ...] = ()


async def verify_evidence(
    evidence: str,
    clause_text: str,
    *,
    embedder: Embedder = _DEFAULT_EMBEDDER,
    reranker: Reranker = _DEFAULT_RERANKER,
    threshold: float = THRESHOLD,
    top: int = TOP,
) -> EvidenceCheck:
    """Whether ``evidence`` stands in ``clause_text``, verbatim or reworded with nothing changed.

    >>> import asyncio
    >>> clause = "The fee is 300. The tenant pays it within 30 days."
    >>> check = asyncio.run(verify_evidence("the tenant pays it within 20 days", clause))
    >>> check.valid, check.reasons
    (False, ('number changed: 30 days -> 20 days',))
    """
    spans = windows(clause_text, len(evidence))
    if not spans or not evidence.strip():
        return EvidenceCheck(valid=False, threshold=threshold)
    likeness = await _likeness(evidence, clause_text, spans, embedder)
    chosen = _chosen(evidence, clause_text, spans, likeness, top)
    texts = [spans[place].of(clause_text) for place in chosen]
    scored = await reranker.rerank(evidence, texts, clause=clause_text)
    candidates = [
        Candidate(
            text=text,
            span=spans[place],
            embedding_score=likeness[place],
            score=one.score,
            reasons=one.reasons,
        )
        for place, text, one in zip(chosen, texts, scored, strict=True)
    ]
    # Of equal scores the more alike, then the shorter.
    candidates.sort(key=lambda one: (-one.score, -one.embedding_score, len(one.text)))
    best = candidates[0]
    return EvidenceCheck(
        valid=best.score >= threshold,
        threshold=threshold,
        score=best.score,
        embedding_score=best.embedding_score,
        candidate=best,
        reasons=best.reasons,
        candidates=tuple(candidates),
    )


def _chosen(
    evidence: str, clause: str, spans: Sequence[Span], likeness: Sequence[float], top: int
) -> list[int]:
    """The most alike; a stretch that has the evidence word for word is always among them."""
    ranked = sorted(range(len(spans)), key=lambda place: (-likeness[place], place))
    if is_verbatim(evidence, clause):
        held = [place for place in ranked if is_verbatim(evidence, spans[place].of(clause))]
        shortest = min(held, key=lambda place: spans[place].end - spans[place].start, default=None)
        if shortest is not None and shortest not in ranked[:top]:
            return [shortest, *ranked[: top - 1]]
    return ranked[:top]


async def _likeness(
    evidence: str, clause: str, spans: Sequence[Span], embedder: Embedder
) -> list[float]:
    """The cosine of the evidence with each stretch."""
    parts = sentence_spans(clause)
    texts = [part.of(clause) for part in parts]
    if isinstance(embedder, HashedEmbedder):
        # So little work that a thread would cost more than it.
        vectors = np.stack([_hashed(simplified_han(text)) for text in (evidence, *texts)])
    else:
        vectors = await embedder.embed([evidence, *texts])
    return _cosines(vectors, parts, spans)


@lru_cache(maxsize=4096)
def _hashed(text: str) -> Vectors:
    return document_vector(text)


def _cosines(vectors: Vectors, parts: Sequence[Span], spans: Sequence[Span]) -> list[float]:
    """From the products of single sentences, which make up those of every stretch."""
    # Not the operator: it may wake all cores for so small a product.
    products = np.einsum("ik,jk->ij", vectors, vectors, dtype=np.float64)
    starts = {part.start: place for place, part in enumerate(parts, 1)}
    ends = {part.end: place for place, part in enumerate(parts, 2)}
    out = []
    for span in spans:
        first, last = starts[span.start], ends[span.end]
        square = products[0, 0] * products[first:last, first:last].sum()
        product = products[0, first:last].sum()
        out.append(float(max(-1.0, min(1.0, product / square**0.5))) if square > 0 else 0.0)
    return out
