"""Whether a source contains a quotation: candidates by embedding, then reranking.

This is a check of quotations, not of summaries: a summary that says less in other words is mostly
refused, however faithful it is.

Stage 1 embeds the quotation and the sentences of the source, and ranks passages of one or more
sentences by their cosine with the quotation; the vector of a passage is the mean of its sentences'
vectors. Stage 2 passes the best candidates to a reranker. The quotation is valid if its score
reaches the threshold. If the reranker is a model, rules check the quotation as well; what they
object to stands beside the score as a veto. Nothing is stored on disk, because a source is small;
the vectors of the hashed embedder stay in memory for the next quotation from the same source.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from assay.judges.verifier.reranker import AligningReranker, Reranked, Reranker, align
from assay.rag.embed import Embedder, HashedEmbedder, Vectors, document_vector
from assay.scorers.evidence import (
    MAX_SENTENCES,
    THRESHOLD,
    passages,
    quoted_passage,
    sentence_spans,
    simplified_han,
)
from assay.text import Span

TOP: Final = 3
"""How many candidates the reranker gets by default."""
_BLOCK: Final = 256
"""How many sentences of a long source are compared with each other at a time."""
_DEFAULT_EMBEDDER: Final = HashedEmbedder()
_DEFAULT_RERANKER: Final = AligningReranker()


class Candidate(Struct, frozen=True, kw_only=True):
    """A passage of the source that the quotation may come from, with both scores.

    ``reasons`` say why the candidate disagrees with the quotation, if the reranker reports it.
    """

    text: str
    span: Span
    embedding_score: float
    score: float
    reasons: tuple[str, ...] = ()


class Verification(Struct, frozen=True, kw_only=True):
    """The result of checking a quotation.

    ``valid`` says whether the score reaches the threshold. ``score``, ``embedding_score`` and
    ``reasons`` are the values of ``candidate``, the best candidate. If the quotation or the
    source has no text, there is nothing to compare: all these fields are empty, and the
    quotation is not valid.

    ``veto`` has the objections of the rules (numbers, dates, negation, names and so on) to the
    score of a model. It is ``None`` if no model was asked: the default reranker applies the
    rules itself.
    """

    valid: bool
    threshold: float
    score: float | None = None
    embedding_score: float | None = None
    candidate: Candidate | None = None
    reasons: tuple[str, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    veto: tuple[str, ...] | None = None

    @property
    def valid_after_veto(self) -> bool:
        """Whether the quotation is valid and the rules do not object."""
        return self.valid and not self.veto


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
    spans = passages(quotation, source)
    if not spans or not quotation.strip():
        return Verification(valid=False, threshold=threshold)
    sentences = sentence_spans(source)
    if isinstance(embedder, HashedEmbedder):
        # Hashing is so fast that running it in a thread would take longer.
        vectors = _hashed_vectors(quotation, source, sentences)
    else:
        texts = [sentence.of(source) for sentence in sentences]
        vectors = await embedder.embed([quotation, *texts])
    similarities = _cosines(vectors, sentences, spans)
    indices = _candidate_indices(quotation, source, spans, similarities, top)
    texts = [spans[index].of(source) for index in indices]
    results = await reranker.rerank(quotation, texts, clause=source)
    check = _best_check(_candidates(source, spans, similarities, indices, results), threshold)
    if isinstance(reranker, AligningReranker):
        return check
    ruled = max(align(quotation, texts, clause=source), key=lambda result: result.score)
    return replace(check, veto=ruled.reasons)


def verify_quotation(
    quotation: str, source: str, *, threshold: float = THRESHOLD, top: int = TOP
) -> Verification:
    """Check whether ``source`` contains ``quotation``, without a model.

    The quotation may be verbatim, reformatted, or reworded without a change of meaning. The
    result has ``valid``, ``score`` (0..1) and ``reasons``, one line for each change of meaning.

    >>> source = "The fee is 300. The tenant pays it within 30 days."
    >>> check = verify_quotation("the tenant pays it within 20 days", source)
    >>> check.valid, check.reasons
    (False, ('number changed: 30 days -> 20 days',))
    """
    spans = passages(quotation, source)
    if not spans or not quotation.strip():
        return Verification(valid=False, threshold=threshold)
    sentences = sentence_spans(source)
    vectors = _hashed_vectors(quotation, source, sentences)
    similarities = _cosines(vectors, sentences, spans)
    indices = _candidate_indices(quotation, source, spans, similarities, top)
    texts = [spans[index].of(source) for index in indices]
    results = align(quotation, texts, clause=source)
    return _best_check(_candidates(source, spans, similarities, indices, results), threshold)


def _candidates(
    clause: str,
    spans: Sequence[Span],
    similarities: Sequence[float],
    indices: Sequence[int],
    results: Sequence[Reranked],
) -> list[Candidate]:
    """The candidates, best first.

    Among equal scores, the more similar candidate comes first, then the shorter one.
    """
    candidates = [
        Candidate(
            text=spans[index].of(clause),
            span=spans[index],
            embedding_score=similarities[index],
            score=result.score,
            reasons=result.reasons,
        )
        for index, result in zip(indices, results, strict=True)
    ]
    return sorted(
        candidates,
        key=lambda candidate: (
            -candidate.score,
            -candidate.embedding_score,
            len(candidate.text),
        ),
    )


def _best_check(candidates: Sequence[Candidate], threshold: float) -> Verification:
    best = candidates[0]
    return Verification(
        valid=best.score >= threshold,
        threshold=threshold,
        score=best.score,
        embedding_score=best.embedding_score,
        candidate=best,
        reasons=best.reasons,
        candidates=tuple(candidates),
    )


def _candidate_indices(
    evidence: str, clause: str, spans: Sequence[Span], similarities: Sequence[float], top: int
) -> list[int]:
    """Indices of the most similar passages, at most ``top``.

    The passage that contains the evidence word for word, if there is one, is included.
    """
    ranked = sorted(range(len(spans)), key=lambda index: (-similarities[index], index))[:top]
    place = quoted_passage(evidence, clause)
    found = None if place is None else spans.index(place)
    return ranked if found is None or found in ranked else [found, *ranked[: top - 1]]


def _hashed_vectors(evidence: str, clause: str, sentences: Sequence[Span]) -> Vectors:
    texts = [sentence.of(clause) for sentence in sentences]
    return np.stack([_hashed_vector(simplified_han(text)) for text in (evidence, *texts)])


@lru_cache(maxsize=4096)
def _hashed_vector(text: str) -> Vectors:
    return document_vector(text)


def _cosines(vectors: Vectors, sentences: Sequence[Span], spans: Sequence[Span]) -> list[float]:
    """The cosine of the first vector, the evidence, with each passage; 0 for a zero vector.

    The other vectors belong to the sentences. The products of passages are sums of the products
    of their sentences. Sentences that are far apart are in no passage together, so the products
    of a long source are computed block by block.
    """
    starts = {sentence.start: index for index, sentence in enumerate(sentences, 1)}
    ends = {sentence.end: index for index, sentence in enumerate(sentences, 2)}
    places = [(starts[span.start], ends[span.end]) for span in spans]
    cosines = []
    low, high = 1, 0  # the sentences at which the passages of the current block begin
    for begin, end in places:
        if end - begin > MAX_SENTENCES:
            cosines.append(_cosine(vectors[0], vectors[begin:end].sum(axis=0)))
            continue
        if not low <= begin < high:
            low, high = begin, begin + _BLOCK
            block = np.concatenate([vectors[:1], vectors[low : high + MAX_SENTENCES]])
            # Not the operator @, which may start threads on all cores even for such a product.
            products = np.einsum("ik,jk->ij", block, block, dtype=np.float64)
        first, last = begin - low + 1, end - low + 1
        square = products[0, 0] * products[first:last, first:last].sum()
        product = products[0, first:last].sum()
        cosines.append(float(max(-1.0, min(1.0, product / square**0.5))) if square > 0 else 0.0)
    return cosines


def _cosine(first: Vectors, second: Vectors) -> float:
    square = float(np.dot(first, first)) * float(np.dot(second, second))
    return max(-1.0, min(1.0, float(np.dot(first, second)) / square**0.5)) if square > 0 else 0.0
