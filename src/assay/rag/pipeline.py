"""The reference RAG pipeline: every component has a switch, and every stage is reported.

Normal mode: expand ∥ HyDE → embed → drift filter → hybrid search per query → fusion →
rerank → top k → repack → generate → guardrail. Fast mode: embed → hybrid search → top k →
generate → guardrail. The pipeline keeps no state between questions.
"""

import asyncio
from collections.abc import Sequence
from typing import Literal

import numpy as np
from msgspec import Struct

from assay.data.corpus import Chunk
from assay.rag.embed import HasCentre, Vectors
from assay.rag.generate import Generator, GradesUnreadable
from assay.rag.guardrail import enforce_strict_answer
from assay.rag.search import Hit, SearchIndex, best_of, fuse_hits
from assay.rag.settings import PipelineSettings
from assay.rag.stage import StageLog
from assay.records import Answer, Passage
from assay.text import language

EXPAND = "expand"
HYDE = "hyde"


class Query(Struct, frozen=True, kw_only=True):
    """A text to search with, its vector, and its role: the question or something derived from it."""

    text: str
    role: Literal["question", "wording", "hypothesis"]
    vector: Vectors


class Pipeline:
    """Answers questions about one corpus. All variants of a run share it.

    In both modes the ``score`` of a passage is its hybrid score (``assay.rag.search.index``),
    between 0 and the sum of the two weights; if several queries found the passage, it is the
    best of their scores. Fusion and reranking change only the order, which is in ``rank``; their
    own scores are in the details of their stages.
    """

    def __init__(self, chunks: Sequence[Chunk], index: SearchIndex, generator: Generator) -> None:
        self._chunks = chunks
        self._index = index
        self._generator = generator

    async def chat(self, question: str, settings: PipelineSettings, top_k: int) -> Answer:
        """Answer one question; the answer has the passages it may cite and a report of each stage.

        ``settings.top_k``, if set, takes precedence over ``top_k``. ``latency_s`` of the answer
        is None if the caller's own measurement is correct; it is computed from the stages if
        calls were replayed or an index had to be built.
        """
        built_index = not self._index.is_ready(settings.search_dim)
        if built_index:
            await asyncio.to_thread(self._index.prepare, settings.search_dim)
        log = StageLog()
        retrieve = self._retrieve_fast if settings.fast_mode else self._retrieve
        passages = await retrieve(question, settings, settings.top_k or top_k, log)
        with log.stage("generate") as detail:
            draft = await self._generator.answer(question, passages, settings.citation_style)
            detail["characters"] = len(draft)
        with log.stage("guardrail") as detail:
            pages = None
            if settings.citation_style == "page":
                pages = {passage.page for passage in passages if passage.page is not None}
            text, citation_ok = enforce_strict_answer(
                draft, len(passages), language(question), pages=pages
            )
            detail["citation_ok"] = citation_ok
            detail["replaced"] = text != draft
        return Answer(
            text=text,
            passages=tuple(passages),
            stages=tuple(log.stages),
            # The time to build an index does not count as part of the first question's time.
            latency_s=(
                log.latency_s(side_by_side=(EXPAND, HYDE)) if log.replayed or built_index else None
            ),
        )

    async def _retrieve_fast(
        self, question: str, settings: PipelineSettings, top_k: int, log: StageLog
    ) -> list[Passage]:
        with log.stage("embed"):
            vector = await self._index.space.query(question)
        query = Query(text=question, role="question", vector=vector)
        with log.stage("search") as detail:
            (hits,) = await self._search([query], settings, top_k)
            detail["hits"] = len(hits)
        return [self._passage(hit, rank) for rank, hit in enumerate(hits, 1)]

    async def _retrieve(
        self, question: str, settings: PipelineSettings, top_k: int, log: StageLog
    ) -> list[Passage]:
        wordings, hypothesis = await asyncio.gather(
            self._expand(question, settings, log), self._hypothesise(question, settings, log)
        )
        with log.stage("embed") as detail:
            queries = await self._embed(question, wordings, hypothesis)
            detail["queries"] = len(queries)
        queries = self._without_drift(queries, settings, log)
        with log.stage("search") as detail:
            rankings = await self._search(queries, settings, settings.fusion_per_query_top_k)
            detail["hits"] = [len(ranking) for ranking in rankings]
        candidates = _fuse(rankings, settings, log)
        ranked = await self._rerank(question, candidates, settings, log)
        return self._repack(ranked[:top_k], candidates, settings, log)

    async def _expand(self, question: str, settings: PipelineSettings, log: StageLog) -> list[str]:
        if not settings.query_fusion_enabled:
            log.skip(EXPAND, "query_fusion_enabled is off")
            return []
        with log.stage(EXPAND) as detail:
            wordings = await self._generator.expand(question, settings.query_variants_count)
            detail["queries"] = wordings
            if not wordings and settings.query_variants_count:
                detail["skipped"] = "no other wording was given"
        return wordings

    async def _hypothesise(self, question: str, settings: PipelineSettings, log: StageLog) -> str:
        if not settings.hyde_enabled:
            log.skip(HYDE, "hyde_enabled is off")
            return ""
        with log.stage(HYDE) as detail:
            passage = await self._generator.hypothesise(question, settings.hyde_max_words)
            detail["passage"] = passage
            if not passage.strip():
                detail["skipped"] = "no passage was given"
        return passage

    async def _embed(self, question: str, wordings: list[str], hypothesis: str) -> list[Query]:
        """Embed the question, then its other wordings, then the hypothesis if there is one."""

        async def query(text: str, role: Literal["question", "wording", "hypothesis"]) -> Query:
            return Query(text=text, role=role, vector=await self._index.space.query(text))

        return await asyncio.gather(
            query(question, "question"),
            *(query(text, "wording") for text in wordings),
            *(query(text, "hypothesis") for text in (hypothesis,) if text),
        )

    def _without_drift(
        self, queries: list[Query], settings: PipelineSettings, log: StageLog
    ) -> list[Query]:
        """The question, and the other queries whose cosine with it reaches the threshold."""
        if not settings.drift_filter_enabled:
            log.skip("drift_filter", "drift_filter_enabled is off")
            return queries
        with log.stage("drift_filter") as detail:
            question, *others = queries
            kept, dropped = [question], []
            space = self._index.space
            centre = space.centre if isinstance(space, HasCentre) else None
            for query in others:
                threshold = (
                    settings.hyde_drift_sim_threshold
                    if query.role == "hypothesis"
                    else settings.drift_sim_threshold
                )
                if _cosine(question.vector, query.vector, centre) >= threshold:
                    kept.append(query)
                else:
                    dropped.append(query.text)
            detail.update(kept=len(kept), dropped=dropped)
        return kept

    async def _rerank(
        self, question: str, candidates: list[Hit], settings: PipelineSettings, log: StageLog
    ) -> list[Hit]:
        if not settings.llm_rerank_enabled:
            log.skip("rerank", "llm_rerank_enabled is off")
            return candidates
        pool = candidates[: settings.llm_rerank_candidate_pool]
        with log.stage("rerank") as detail:
            try:
                grades = await self._generator.grade(question, [self._passage(hit) for hit in pool])
            except GradesUnreadable as error:
                detail["skipped"] = f"the grades could not be read: {error}"
                return candidates
            order = sorted(range(len(pool)), key=lambda index: (-grades[index], index))
            detail["graded"] = len(pool)
            detail["grades"] = [round(grades[index], 6) for index in order]
        return [pool[index] for index in order] + candidates[len(pool) :]

    def _repack(
        self,
        hits: list[Hit],
        candidates: list[Hit],
        settings: PipelineSettings,
        log: StageLog,
    ) -> list[Passage]:
        """The passages of the best hits, in the order in which the generator gets them."""
        ranks = {hit.number: rank for rank, hit in enumerate(hits, 1)}
        with log.stage("repack") as detail:
            strategy = settings.repack_strategy
            detail["strategy"] = strategy
            if strategy == "reverse":
                hits.reverse()
            elif strategy == "none":
                positions = {hit.number: position for position, hit in enumerate(candidates)}
                hits = sorted(hits, key=lambda hit: positions[hit.number])
        return [self._passage(hit, ranks[hit.number]) for hit in hits]

    async def _search(
        self, queries: list[Query], settings: PipelineSettings, limit: int
    ) -> list[list[Hit]]:
        """Search for each query; in a thread for a large corpus, so as not to block the loop."""

        def rankings() -> list[list[Hit]]:
            return [
                self._index.hybrid(
                    query.text,
                    query.vector,
                    dim=settings.search_dim,
                    dense_weight=settings.dense_weight,
                    lexical_weight=settings.lexical_weight,
                    limit=limit,
                )
                for query in queries
            ]

        return await asyncio.to_thread(rankings) if self._index.is_long else rankings()

    def _passage(self, hit: Hit, rank: int | None = None) -> Passage:
        chunk = self._chunks[hit.number]
        return Passage(
            id=chunk.id,
            text=chunk.text,
            page=chunk.page,
            score=round(hit.score, 6),
            rank=rank,
            source=chunk.source,
            start=chunk.start,
            end=chunk.end,
        )


def _fuse(rankings: list[list[Hit]], settings: PipelineSettings, log: StageLog) -> list[Hit]:
    """The candidates in the order of their fused scores, each with its best hybrid score."""
    with log.stage("fusion") as detail:
        best = best_of(rankings)
        fused = fuse_hits(rankings, settings.rrf_k) if settings.rrf_enabled else best
        kept = fused[: settings.fusion_max_candidates]
        detail.update(
            method="rrf" if settings.rrf_enabled else "best",
            kept=len(kept),
            top_score=round(kept[0].score, 6) if kept else None,
        )
    scores = {hit.number: hit.score for hit in best}
    return [Hit(hit.number, scores[hit.number]) for hit in kept]


def _cosine(a: Vectors, b: Vectors, centre: Vectors | None) -> float:
    """The cosine of two vectors after subtracting ``centre``; 0 if one of them is zero."""
    if centre is not None:
        a, b = a - centre, b - centre
    lengths = float(np.linalg.norm(a)) * float(np.linalg.norm(b))
    return float(a @ b) / lengths if lengths else 0.0
