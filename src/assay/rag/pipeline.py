"""The reference RAG pipeline: every component has a switch, and every stage is reported.

Normal mode: expand ∥ HyDE → embed → drift filter → hybrid search per query → fusion →
rerank → top k → repack → generate → guardrail. Fast mode: embed → hybrid search → top k →
generate → guardrail. The pipeline keeps no state between questions.
"""

import asyncio
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Annotated, Any, Final, Literal

import msgspec
import numpy as np
from msgspec import Meta, Struct

from assay.data.corpus.chunk import Chunk
from assay.errors import UseError
from assay.models.meter import metering_part
from assay.rag.embed.protocol import HasCentre, Vectors
from assay.rag.generate.protocol import Generator, GradesUnreadable
from assay.rag.search import Hit, SearchIndex, best_of, fuse_hits
from assay.records import Answer, Passage, Stage
from assay.text.citation import NO_MENTION, citations_ok, extract_citation_numbers
from assay.text.language import Language, language
from assay.words.say import marked

# The stages of an answer: how long each took, its details, or why it was skipped.


_UNREAD_GRADES: Final = marked("the grades could not be read")


class StageLog:
    """The stages of one answer in the order they ended.

    ``replayed`` is True if at least one model call was replayed from the cache.
    """

    def __init__(self) -> None:
        self.stages: list[Stage] = []
        self.replayed = False

    @contextmanager
    def stage(self, name: str) -> Iterator[dict[str, Any]]:
        """Time a stage; the mapping that the ``with`` block fills becomes its detail.

        For calls replayed from the cache the time of the original call is added. If the block
        sets the key ``skipped`` to a reason, the stage is recorded as skipped.
        """
        detail: dict[str, Any] = {}
        started = time.perf_counter()
        with metering_part() as meter:
            yield detail
        elapsed_s = time.perf_counter() - started + meter.replayed_s
        self.replayed |= meter.replayed_calls > 0
        skipped = detail.pop("skipped", None)
        self.stages.append(
            Stage(name=name, elapsed_s=round(elapsed_s, 6), skipped=skipped, detail=detail)
        )

    def skip(self, name: str, reason: str) -> None:
        """Record a stage that was switched off."""
        self.stages.append(Stage(name=name, skipped=reason))

    def latency_s(self, *, side_by_side: tuple[str, ...]) -> float:
        """The time of all stages in seconds; of those that ran at the same time only the longest.

        ``side_by_side`` are the names of the stages that ran at the same time.
        """
        parallel = [stage.elapsed_s for stage in self.stages if stage.name in side_by_side]
        serial = [stage.elapsed_s for stage in self.stages if stage.name not in side_by_side]
        return round(sum(serial) + max(parallel, default=0.0), 6)


# The strict check of an answer: it cites the passages it was given, or it is replaced.

__all__ = ["enforce_strict_answer", "extract_citation_numbers"]


def enforce_strict_answer(
    text: str,
    passages_count: int,
    language: Language,
    *,
    pages: Collection[int] | None = None,
) -> tuple[str, bool]:
    """The answer to return, and whether the citations of ``text`` are correct.

    If they are correct, or ``text`` says that the document does not mention it, the answer is
    ``text``. Otherwise it is the no-mention answer in ``language``. ``assay.text.citation.citations_ok``
    defines which citations are correct.

    >>> enforce_strict_answer("Thirty days [1].", 2, "en")
    ('Thirty days [1].', True)
    >>> enforce_strict_answer("Thirty days [3].", 2, "en")
    ('The document does not mention this', False)
    """
    if citations_ok(text, passages_count, pages=pages):
        return text, True
    return NO_MENTION[language], False


# All settings of the reference pipeline. Their names are public API: variants set them.

SEARCH_DIMS = (128, 256, 512, 1024, 2048)

Share = Annotated[float, Meta(ge=0, le=1)]
Count = Annotated[int, Meta(ge=1)]


class PipelineSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of one variant.

    Fast mode uses only ``search_dim``, the two weights, ``top_k`` and ``citation_style``. With
    ``search_dim`` ``None`` all dimensions are searched. ``repack_strategy`` is the order of the
    passages: ``reverse`` puts the most relevant passage last, ``forward`` puts it first, and
    ``none`` keeps the order from before reranking. ``chunk_tokens``, ``chunk_overlap`` and
    ``chunker`` cut the documents in another way than ``assay ingest`` did.
    """

    fast_mode: bool = False
    search_dim: Literal[128, 256, 512, 1024, 2048] | None = None
    drift_filter_enabled: bool = True
    drift_sim_threshold: Share = 0.3
    hyde_drift_sim_threshold: Share = 0.2
    query_fusion_enabled: bool = True
    query_variants_count: Count = 3
    hyde_enabled: bool = True
    hyde_max_words: Count = 80
    rrf_enabled: bool = True
    rrf_k: Count = 60
    dense_weight: Share = 0.8
    lexical_weight: Share = 0.2
    fusion_per_query_top_k: Count = 50
    fusion_max_candidates: Count = 120
    llm_rerank_enabled: bool = True
    llm_rerank_candidate_pool: Count = 30
    repack_strategy: Literal["reverse", "forward", "none"] = "reverse"
    top_k: Count | None = None
    citation_style: Literal["index", "page"] = "index"
    chunk_tokens: Count | None = None
    chunk_overlap: Annotated[int, Meta(ge=0)] | None = None
    chunker: Literal["headings", "plain"] | None = None


ONLY_WHEN: Mapping[str, Mapping[str, Any]] = {
    **{
        name: {"fast_mode": False}
        for name in (
            "drift_filter_enabled",
            "query_fusion_enabled",
            "hyde_enabled",
            "rrf_enabled",
            "fusion_per_query_top_k",
            "fusion_max_candidates",
            "llm_rerank_enabled",
            "repack_strategy",
        )
    },
    "drift_sim_threshold": {"fast_mode": False, "drift_filter_enabled": True},
    "hyde_drift_sim_threshold": {
        "fast_mode": False,
        "drift_filter_enabled": True,
        "hyde_enabled": True,
    },
    "query_variants_count": {"fast_mode": False, "query_fusion_enabled": True},
    "hyde_max_words": {"fast_mode": False, "hyde_enabled": True},
    "rrf_k": {"fast_mode": False, "rrf_enabled": True},
    "llm_rerank_candidate_pool": {"fast_mode": False, "llm_rerank_enabled": True},
}
"""For each setting, the values of other settings that are needed for it to have an effect."""


def read_settings(values: Mapping[str, Any]) -> PipelineSettings:
    """The settings of a variant; settings that it does not name have their default.

    Raises:
        UseError: a name or value is not valid, or both search weights are 0.
    """
    try:
        settings = msgspec.convert(dict(values), PipelineSettings)
    except msgspec.ValidationError as error:
        raise UseError(f"settings of the reference pipeline: {error}") from None
    if settings.dense_weight + settings.lexical_weight <= 0:
        raise UseError("dense_weight and lexical_weight cannot both be 0")
    return settings


EXPAND = "expand"
HYDE = "hyde"


class Query(Struct, frozen=True, kw_only=True):
    """A text to search with, its vector, and its role: the question or something derived from it."""

    text: str
    role: Literal["question", "wording", "hypothesis"]
    vector: Vectors


class Pipeline:
    """Answers questions about one corpus. All variants of a run share it.

    In both modes the ``score`` of a passage is its hybrid score (``assay.rag.search``),
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
                detail["skipped"] = marked("no other wording was given")
        return wordings

    async def _hypothesise(self, question: str, settings: PipelineSettings, log: StageLog) -> str:
        if not settings.hyde_enabled:
            log.skip(HYDE, "hyde_enabled is off")
            return ""
        with log.stage(HYDE) as detail:
            passage = await self._generator.hypothesise(question, settings.hyde_max_words)
            detail["passage"] = passage
            if not passage.strip():
                detail["skipped"] = marked("no passage was given")
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
                detail["skipped"] = f"{_UNREAD_GRADES}: {error}"
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
