"""The pipeline: roles of queries, scores on one scale, and searches in threads."""

import asyncio
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from assay.rag.embed.hashed import HashedEmbedder
from assay.rag.generate.protocol import GradesUnreadable
from assay.rag.pipeline import Pipeline, read_settings
from assay.rag.search import Hit, SearchIndex
from assay.records import Answer, Passage
from tests.rag.conftest import QUESTION, RecordingGenerator, RecordingIndex, Trace, corpus


def chat(index: SearchIndex, generator: Any, **settings: Any) -> Answer:
    """Answer ``QUESTION`` with these settings."""
    pipeline = Pipeline(corpus(), index, generator)
    return asyncio.run(pipeline.chat(QUESTION, read_settings(settings), 6))


class Echo(RecordingGenerator):
    """A generator whose hypothesis is equal to one of its wordings."""

    async def hypothesise(self, question: str, max_words: int) -> str:
        """Return the wording that is not related to the question."""
        return "zebra quartz xylophone"


@pytest.mark.parametrize(
    ("wording", "hypothesis", "dropped"), [(1.0, 0.0, 3), (0.0, 1.0, 1), (1.0, 1.0, 4)]
)
def test_a_hypothesis_is_known_by_its_role(
    index: RecordingIndex, wording: float, hypothesis: float, dropped: int
):
    """The threshold depends on the role of a query, even if two queries have the same text."""
    index.searches = []
    answer = chat(
        index,
        Echo(),
        query_variants_count=3,
        drift_sim_threshold=wording,
        hyde_drift_sim_threshold=hypothesis,
    )
    (stage,) = (stage for stage in answer.stages if stage.name == "drift_filter")
    assert len(stage.detail["dropped"]) == dropped


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"llm_rerank_candidate_pool": 3},
        {"llm_rerank_enabled": False},
        {"rrf_enabled": False},
        {"fast_mode": True},
    ],
)
def test_scores_of_passages_are_hybrid_scores_in_every_mode(
    index: RecordingIndex, settings: dict[str, Any]
):
    """In every mode the score of a passage is the best hybrid score of all queries."""
    trace = Trace(index, settings)
    expected: dict[str, float] = {}
    chunks = corpus()
    for search in list(trace.searches):
        vector = asyncio.run(index.space.query(search["text"]))
        options = {name: value for name, value in search.items() if name != "text"}
        for hit in SearchIndex.hybrid(index, search["text"], vector, **options):
            name = chunks[hit.number].id
            expected[name] = max(expected.get(name, 0.0), hit.score)
    assert len(trace.answer.passages) == 6
    for passage in trace.answer.passages:
        assert passage.score == round(expected[passage.id], 6)
    assert sorted(passage.rank or 0 for passage in trace.answer.passages) == [1, 2, 3, 4, 5, 6]


def test_reranking_reports_its_grades_in_its_stage(index: RecordingIndex):
    """The rerank stage reports the grades of all candidates, best first."""
    grades = Trace(index, {}).stages["rerank"].detail["grades"]
    assert len(grades) == 30
    assert grades == sorted(grades, reverse=True)


class Silent(RecordingGenerator):
    """A generator whose model replies with nothing that can be used."""

    async def expand(self, question: str, count: int) -> list[str]:
        """Give no wording."""
        return []

    async def hypothesise(self, question: str, max_words: int) -> str:
        """Give no passage."""
        return ""

    async def grade(self, question: str, passages: Sequence[Passage]) -> list[float]:
        """Give no grades."""
        raise GradesUnreadable("hm")


def test_stages_for_which_the_model_gave_nothing_say_so(index: RecordingIndex):
    """They count as skipped, so that a switch without an effect is not taken for a weak one."""
    answer = chat(index, Silent())
    assert {stage.name: stage.skipped for stage in answer.stages if stage.skipped} == {
        "expand": "no other wording was given",
        "hyde": "no passage was given",
        "rerank": "the grades could not be read: hm",
    }


class ThreadRecordingIndex(SearchIndex):
    """An index that records the thread of every search."""

    threads: list[threading.Thread]

    def hybrid(self, *args: Any, **options: Any) -> list[Hit]:
        """Search, and record the thread."""
        self.threads.append(threading.current_thread())
        return super().hybrid(*args, **options)


@pytest.mark.parametrize("long", [True, False])
@pytest.mark.parametrize("fast", [True, False])
def test_a_long_search_leaves_the_event_loop(
    monkeypatch: pytest.MonkeyPatch, long: bool, fast: bool
):
    """Searches in a large corpus run in a thread, and the answer is the same."""
    texts = [chunk.text for chunk in corpus()]
    embedder = HashedEmbedder()
    index = ThreadRecordingIndex(texts, embedder.space(texts, asyncio.run(embedder.embed(texts))))
    index.threads = []
    expected = chat(index, RecordingGenerator(), fast_mode=fast)
    index.threads = []
    monkeypatch.setattr("assay.rag.search.LONG", 40 if long else 41)
    answer = chat(index, RecordingGenerator(), fast_mode=fast)
    on_the_loop = {thread is threading.main_thread() for thread in index.threads}
    assert on_the_loop == {not long}
    assert (answer.text, answer.passages) == (expected.text, expected.passages)


def test_many_questions_at_once_are_answered_as_one_by_one(monkeypatch: pytest.MonkeyPatch):
    """Questions asked at once get the same passages as questions asked one by one."""
    monkeypatch.setattr("assay.rag.search.LONG", 1)
    texts = [chunk.text for chunk in corpus()]
    embedder = HashedEmbedder()
    index = SearchIndex(texts, embedder.space(texts, asyncio.run(embedder.embed(texts))))
    questions = [f"What does {topic} cost?" for topic in ("parking", "dogs", "meals", "drills")] * 5

    async def together() -> list[Answer]:
        pipeline = Pipeline(corpus(), index, RecordingGenerator())
        return await asyncio.gather(*(pipeline.chat(q, read_settings({}), 6) for q in questions))

    async def alone() -> list[Answer]:
        pipeline = Pipeline(corpus(), index, RecordingGenerator())
        return [await pipeline.chat(q, read_settings({}), 6) for q in questions]

    assert [answer.passages for answer in asyncio.run(together())] == [
        answer.passages for answer in asyncio.run(alone())
    ]


def test_making_an_index_is_no_part_of_a_question_s_time(monkeypatch: pytest.MonkeyPatch):
    """The latency of the first question at a dimension does not include building the index."""
    texts = [chunk.text for chunk in corpus()]
    embedder = HashedEmbedder()
    index = SearchIndex(texts, embedder.space(texts, asyncio.run(embedder.embed(texts))))
    prepared: list[int | None] = []
    prepare = SearchIndex.prepare

    def record_and_prepare(self: SearchIndex, dim: int | None) -> None:
        prepared.append(dim)
        prepare(self, dim)

    monkeypatch.setattr(SearchIndex, "prepare", record_and_prepare)
    first, second, other = (
        chat(index, RecordingGenerator(), fast_mode=True, search_dim=dim) for dim in (128, 128, 256)
    )
    assert prepared == [128, 256]
    stages_s = sum(stage.elapsed_s for stage in first.stages)
    assert first.latency_s == pytest.approx(stages_s, abs=1e-5)
    assert second.latency_s is None
    assert other.latency_s is not None


class Biased:
    """A space in which all vectors share a large common part."""

    def __init__(self, matrix: Any, centre: Any) -> None:
        self.matrix = matrix
        self.centre = centre

    async def query(self, text: str) -> Any:
        """Return one vector for the question and another for all other texts, with a common part."""
        vector = np.zeros(self.matrix.shape[1], dtype=np.float32)
        vector[1 if text == QUESTION else 2] = 1
        return vector + 9 * np.eye(len(vector), dtype=np.float32)[0]


@pytest.mark.parametrize(("has_centre", "kept"), [(True, 1), (False, 5)])
def test_drift_is_measured_off_the_centre(has_centre: bool, kept: int):
    """The centre is subtracted before queries are compared, so they count as different."""
    matrix = np.random.default_rng(2).random((40, 8), dtype=np.float32)
    centre = 9 * np.eye(8, dtype=np.float32)[0] if has_centre else None
    index = SearchIndex([chunk.text for chunk in corpus()], Biased(matrix, centre))
    answer = chat(index, RecordingGenerator())
    (stage,) = (stage for stage in answer.stages if stage.name == "drift_filter")
    assert stage.detail["kept"] == kept


class ScoreChecker(RecordingGenerator):
    """A generator that checks the scores of the passages that it grades."""

    async def grade(self, question: str, passages: Sequence[Passage]) -> list[float]:
        """Check that every score is between 0 and 1, and return equal grades."""
        assert all(0 < (passage.score or 0) <= 1 for passage in passages)
        return [0.0] * len(passages)


def test_passages_to_grade_have_scores_of_the_same_scale(index: RecordingIndex):
    """Passages to grade have hybrid scores, and equal grades keep the order of fusion."""
    index.searches = []
    answer = chat(index, ScoreChecker(), repack_strategy="forward")
    unranked = chat(index, ScoreChecker(), repack_strategy="forward", llm_rerank_enabled=False)
    assert answer.passages == unranked.passages
