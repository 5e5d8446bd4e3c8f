"""Whether a source contains a quotation, with a model: candidates by embedding, then reranking.

Stage 1 embeds the quotation and the sentences of the source, and ranks passages of one or more
sentences by their cosine with the quotation; the vector of a passage is the mean of its sentences'
vectors. Stage 2 passes the best candidates to a reranker. The quotation is valid if its score
reaches the threshold. Without a model, words are compared (``assay.checks.verify_quotation``). With one,
what the words object to stands beside the score as a veto. Nothing is stored on disk, because a source is small.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from msgspec.structs import replace

from assay.checks import THRESHOLD, Candidate, Verification, verify_quotation
from assay.judges.verifier.reranker import AligningReranker, Reranked, Reranker
from assay.rag.embed import Embedder, HashedEmbedder, Vectors
from assay.text import Span, sentences

TOP: Final = 3
"""How many candidates the reranker gets by default."""
MAX_SENTENCES: Final = 8
"""The largest number of sentences in a candidate, unless more of them are quoted."""
_MARGIN: Final = 1.2
"""A candidate of several sentences may be so much longer than the quotation, which may leave words out."""
_DEFAULT_EMBEDDER: Final = HashedEmbedder()
_DEFAULT_RERANKER: Final = AligningReranker()


async def verify_quotation_with(
    quotation: str,
    source: str,
    *,
    embedder: Embedder = _DEFAULT_EMBEDDER,
    reranker: Reranker = _DEFAULT_RERANKER,
    threshold: float = THRESHOLD,
    top: int = TOP,
) -> Verification:
    """Check whether ``source`` contains ``quotation``, with models of your choice.

    ``top`` is the number of candidates for the reranker, and ``threshold`` the score from which
    a quotation is valid.
    """
    compared = verify_quotation(quotation, source, threshold=threshold)
    is_offline = isinstance(embedder, HashedEmbedder) and isinstance(reranker, AligningReranker)
    if is_offline or not quotation.strip() or not source.strip():
        return compared
    parts = sentences(source)
    vectors = await embedder.embed([quotation, *(part.of(source) for part in parts)])
    spans = _best_spans(vectors, _ranges(parts, len(quotation)), parts, _place(compared), top)
    texts = [span.of(source) for span, _ in spans]
    results = await reranker.rerank(quotation, texts, clause=source)
    candidates = _candidates(source, spans, results)
    best = candidates[0]
    return replace(
        compared,
        valid=best.score >= threshold,
        score=best.score,
        embedding_score=best.embedding_score,
        candidate=best,
        reasons=best.reasons,
        candidates=tuple(candidates),
        veto=None if isinstance(reranker, AligningReranker) else compared.reasons,
    )


def _place(compared: Verification) -> Span | None:
    """The sentences that most words of the quotation are from; always one of the candidates."""
    is_found = compared.candidate is not None and compared.outcome != "absent"
    return compared.candidate.span if is_found and compared.candidate else None


def _ranges(parts: Sequence[Span], length: int) -> list[tuple[int, int]]:
    """Single sentences, pairs of neighbours, and more until they are about ``length`` long."""
    ranges = []
    for first, start in enumerate(parts):
        for last in range(first, min(first + MAX_SENTENCES, len(parts))):
            ranges.append((first, last + 1))
            if last > first and parts[last].end - start.start > _MARGIN * length:
                break
    return ranges


def _best_spans(
    vectors: Vectors,
    ranges: Sequence[tuple[int, int]],
    parts: Sequence[Span],
    place: Span | None,
    top: int,
) -> list[tuple[Span, float]]:
    """The passages that are most similar to the quotation, at most ``top``, with their cosines.

    The first vector is that of the quotation, the others are those of the sentences.
    """
    sums = np.cumsum(vectors, axis=0, dtype=np.float64)
    found = [
        (
            Span(start=parts[first].start, end=parts[last - 1].end),
            _cosine(vectors[0], sums[last] - sums[first]),
        )
        for first, last in ranges
    ]
    ranked = sorted(found, key=lambda each: -each[1])
    if place is None or place in [span for span, _ in ranked[:top]]:
        return ranked[:top]
    covered = [
        vector
        for part, vector in zip(parts, vectors[1:], strict=True)
        if place.start <= part.start and part.end <= place.end
    ]
    return [(place, _cosine(vectors[0], np.sum(covered, axis=0))), *ranked[: top - 1]]


def _candidates(
    source: str, spans: Sequence[tuple[Span, float]], results: Sequence[Reranked]
) -> list[Candidate]:
    """The candidates, best first; among equal scores, the more similar one, then the shorter one."""
    candidates = [
        Candidate(
            text=span.of(source),
            span=span,
            embedding_score=similarity,
            score=result.score,
            reasons=result.reasons,
        )
        for (span, similarity), result in zip(spans, results, strict=True)
    ]
    return sorted(
        candidates,
        key=lambda each: (-each.score, -each.embedding_score, len(each.text)),
    )


def _cosine(first: Vectors, second: Vectors) -> float:
    square = float(np.dot(first, first)) * float(np.dot(second, second))
    return max(-1.0, min(1.0, float(np.dot(first, second)) / square**0.5)) if square > 0 else 0.0
