"""The reference RAG pipeline: every component is a switch, every stage reports itself.

Normal mode: expand ∥ HyDE → embed → drift filter → hybrid search per query → fusion →
rerank → top k → repack → generate → guardrail. Fast mode: embed → hybrid search → top k →
generate → guardrail. The pipeline keeps nothing between questions; ``assay.pipeline.session``
does, for those who want a conversation.
"""

import asyncio
from collections.abc import Sequence

import numpy as np

from assay.datasets.chunk import Chunk
from assay.pipeline.embedder import Vectors
from assay.pipeline.generator import Generator, GradesUnreadable
from assay.pipeline.guardrail import enforce_strict_answer
from assay.pipeline.search import Hit, SearchIndex, best_of, fused
from assay.pipeline.settings import PipelineSettings
from assay.pipeline.stage import StageLog
from assay.records import Answer, Passage
from assay.text import language

EXPAND = "expand"
HYDE = "hyde"


class Pipeline:
    """Answers questions over one corpus. Shared by all variants of a run."""

    def __init__(self, chunks: Sequence[Chunk], index: SearchIndex, generator: Generator) -> None:
        self._chunks = chunks
        self._index = index
        self._generator = generator

    async def chat(self, question: str, settings: PipelineSettings, top_k: int) -> Answer:
        """The answer to one question, with the passages it may cite and a report of each stage."""
        log = StageLog()
        wanted = settings.top_k or top_k
        retrieve = self._retrieve_fast if settings.fast_mode else self._retrieve
        passages = await retrieve(question, settings, wanted, log)
        with log.stage("generate") as detail:
            said = await self._generator.answer(question, passages, settings.citation_style)
            detail["characters"] = len(said)
        with log.stage("guardrail") as detail:
            pages = None
            if settings.citation_style == "page":
                pages = {passage.page for passage in passages if passage.page is not None}
            text, cited = enforce_strict_answer(
                said, len(passages), language(question), pages=pages
            )
            detail["citation_ok"] = cited
            detail["replaced"] = text != said
        return Answer(
            text=text,
            passages=tuple(passages),
            stages=tuple(log.stages),
            latency_s=log.latency_s(side_by_side=(EXPAND, HYDE)) if log.replayed else None,
        )

    async def _retrieve_fast(
        self, question: str, settings: PipelineSettings, top_k: int, log: StageLog
    ) -> list[Passage]:
        with log.stage("embed"):
            vector = await self._index.space.query(question)
        with log.stage("search") as detail:
            hits = self._search(question, vector, settings, top_k)
            detail["hits"] = len(hits)
        return [self._passage(hit, rank) for rank, hit in enumerate(hits, 1)]

    async def _retrieve(
        self, question: str, settings: PipelineSettings, top_k: int, log: StageLog
    ) -> list[Passage]:
        others, hypothesis = await asyncio.gather(
            self._expand(question, settings, log), self._hypothesise(question, settings, log)
        )
        with log.stage("embed") as detail:
            texts = [question, *others, *([hypothesis] if hypothesis else [])]
            vectors = await asyncio.gather(*map(self._index.space.query, texts))
            detail["queries"] = len(texts)
        queries = list(zip(texts, vectors, strict=True))
        queries = self._without_drift(queries, hypothesis, settings, log)
        with log.stage("search") as detail:
            limit = settings.fusion_per_query_top_k
            rankings = [self._search(text, vector, settings, limit) for text, vector in queries]
            detail["hits"] = [len(ranking) for ranking in rankings]
        with log.stage("fusion") as detail:
            together = (
                fused(rankings, settings.rrf_k) if settings.rrf_enabled else best_of(rankings)
            )
            candidates = together[: settings.fusion_max_candidates]
            detail.update(method="rrf" if settings.rrf_enabled else "best", kept=len(candidates))
        ranked = await self._rerank(question, candidates, settings, log)
        chosen = ranked[:top_k]
        return self._repacked(chosen, candidates, settings, log)

    async def _expand(self, question: str, settings: PipelineSettings, log: StageLog) -> list[str]:
        if not settings.query_fusion_enabled:
            log.skip(EXPAND, "query_fusion_enabled is off")
            return []
        with log.stage(EXPAND) as detail:
            others = await self._generator.expand(question, settings.query_variants_count)
            detail["queries"] = others
        return others

    async def _hypothesise(self, question: str, settings: PipelineSettings, log: StageLog) -> str:
        if not settings.hyde_enabled:
            log.skip(HYDE, "hyde_enabled is off")
            return ""
        with log.stage(HYDE) as detail:
            passage = await self._generator.hypothesise(question, settings.hyde_max_words)
            detail["passage"] = passage
        return passage

    def _without_drift(
        self,
        queries: list[tuple[str, Vectors]],
        hypothesis: str,
        settings: PipelineSettings,
        log: StageLog,
    ) -> list[tuple[str, Vectors]]:
        """The question, and those expansions that stay near enough to it."""
        if not settings.drift_filter_enabled:
            log.skip("drift_filter", "drift_filter_enabled is off")
            return queries
        with log.stage("drift_filter") as detail:
            (question, vector), *others = queries
            kept, dropped = [(question, vector)], []
            for text, other in others:
                is_hypothesis = text == hypothesis
                threshold = (
                    settings.hyde_drift_sim_threshold
                    if is_hypothesis
                    else settings.drift_sim_threshold
                )
                if _cosine(vector, other) >= threshold:
                    kept.append((text, other))
                else:
                    dropped.append(text)
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
            order = sorted(range(len(pool)), key=lambda place: (-grades[place], place))
            detail["graded"] = len(pool)
        graded = [Hit(pool[place].number, grades[place]) for place in order]
        return graded + candidates[len(pool) :]

    def _repacked(
        self,
        chosen: list[Hit],
        candidates: list[Hit],
        settings: PipelineSettings,
        log: StageLog,
    ) -> list[Passage]:
        rank = {hit.number: number for number, hit in enumerate(chosen, 1)}
        with log.stage("repack") as detail:
            strategy = settings.repack_strategy
            detail["strategy"] = strategy
            if strategy == "reverse":
                chosen.reverse()
            elif strategy == "none":
                place = {hit.number: number for number, hit in enumerate(candidates)}
                chosen = sorted(chosen, key=lambda hit: place[hit.number])
        return [self._passage(hit, rank[hit.number]) for hit in chosen]

    def _search(
        self, text: str, vector: Vectors, settings: PipelineSettings, limit: int
    ) -> list[Hit]:
        return self._index.hybrid(
            text,
            vector,
            dim=settings.search_dim,
            dense_weight=settings.dense_weight,
            lexical_weight=settings.lexical_weight,
            limit=limit,
        )

    def _passage(self, hit: Hit, rank: int | None = None) -> Passage:
        chunk = self._chunks[hit.number]
        return Passage(
            id=chunk.id, text=chunk.text, page=chunk.page, score=round(hit.score, 6), rank=rank
        )


def _cosine(one: Vectors, other: Vectors) -> float:
    lengths = float(np.linalg.norm(one)) * float(np.linalg.norm(other))
    return float(one @ other) / lengths if lengths else 0.0
