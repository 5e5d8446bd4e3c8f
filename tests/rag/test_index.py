"""Search: exact scores, a stable order of equal scores, and the formula of fusion."""

import asyncio

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from assay.rag import dense
from assay.rag.dense import ExactIndex, products
from assay.rag.embed.hashed import HashedEmbedder
from assay.rag.search import Hit, SearchIndex, best_hits, best_of, fuse_hits

TEXTS = [
    "Parking costs five crowns a day.",
    "Dogs need a permit in the office.",
    "Parking for visitors is free on Sundays.",
    "Uniforms are washed by the company.",
]


@pytest.fixture(scope="module")
def index() -> SearchIndex:
    """An index of four sentences."""
    embedder = HashedEmbedder()
    return SearchIndex(TEXTS, embedder.space(TEXTS, asyncio.run(embedder.embed(TEXTS))))


@given(
    arrays.arrays(
        np.float32,
        st.integers(1, 40),
        elements=st.floats(-1, 1, width=32).map(lambda x: round(x, 1)),
    ),
    st.integers(1, 50),
)
def test_best_is_a_stable_sort_cut_off(scores: np.ndarray, limit: int):
    """``best_hits`` equals a stable sort of all scores above 0, cut off at the limit."""
    order = sorted(range(len(scores)), key=lambda number: (-scores[number], number))
    expected = [number for number in order if scores[number] > 0][:limit]
    assert [hit.number for hit in best_hits(scores.astype(np.float32), limit)] == expected


@pytest.mark.parametrize("rows", [1, 7, 8, 9, 16, 17, 31, 32, 33, 40])
def test_a_product_in_blocks_is_the_product(rows: int, monkeypatch: pytest.MonkeyPatch):
    """The product in blocks equals the plain product, and no block is too large."""
    monkeypatch.setattr(dense, "BLOCK", 8 * 16)
    monkeypatch.setattr(dense, "SMALL", 32 * 16)
    block_sizes: list[int] = []
    matmul = np.matmul

    def recording_matmul(block: np.ndarray, *rest: np.ndarray, out: np.ndarray) -> np.ndarray:
        block_sizes.append(block.size)
        return matmul(block, *rest, out=out)

    monkeypatch.setattr(np, "matmul", recording_matmul)
    rng = np.random.default_rng(rows)
    matrix = rng.standard_normal((rows, 16), dtype=np.float32)
    query = rng.standard_normal(16, dtype=np.float32)
    np.testing.assert_allclose(
        products(matrix, query), (matrix.astype(float) * query).sum(axis=1), atol=1e-5
    )
    assert sum(block_sizes) == (matrix.size if 8 < rows <= 32 else 0)
    assert max(block_sizes, default=0) <= 8 * 16


@pytest.mark.parametrize("dim", [128, 512, None])
def test_dense_scores_are_cosines_at_the_prefix(index: SearchIndex, dim: int | None):
    """Dense scores are the cosines of the prefixes, up to rounding."""
    query = asyncio.run(index.space.query("parking on Sundays"))
    part = index.space.matrix[:, :dim].astype(float)
    prefix = query[:dim].astype(float)
    expected = part @ prefix / (np.linalg.norm(part, axis=1) * np.linalg.norm(prefix))
    assert np.allclose(ExactIndex(index.space.matrix).cosines(query, dim), expected, atol=1e-6)


def test_hybrid_is_the_weighted_sum(index: SearchIndex):
    """The hybrid score is the weighted sum of the positive cosine and BM25 / best BM25."""
    text = "free parking for visitors"
    query = asyncio.run(index.space.query(text))
    hits = index.hybrid(text, query, dim=None, dense_weight=0.8, lexical_weight=0.2, limit=10)
    dense = np.maximum(ExactIndex(index.space.matrix).cosines(query), 0)
    lexical = {hit.number: hit.score for hit in index.lexical(text, 10)}
    most = max(lexical.values())
    for hit in hits:
        expected = 0.8 * dense[hit.number] + 0.2 * lexical.get(hit.number, 0) / most
        assert hit.score == pytest.approx(expected, abs=1e-6)
    assert hits[0].number == 2


def test_each_weight_alone_is_its_own_search(index: SearchIndex):
    """If one weight is 0, the ranking is that of the other search."""
    text = "washed uniforms"
    query = asyncio.run(index.space.query(text))
    lexical = index.hybrid(text, query, dim=None, dense_weight=0, lexical_weight=1, limit=4)
    assert [hit.number for hit in lexical] == [hit.number for hit in index.lexical(text, 4)]
    dense = index.hybrid(text, query, dim=None, dense_weight=1, lexical_weight=0, limit=4)
    assert dense == index.dense(query, None, 4)


def test_a_question_without_terms_finds_nothing(index: SearchIndex):
    """A query without terms has no hits and raises nothing."""
    query = asyncio.run(index.space.query("?"))
    assert index.hybrid("?", query, dim=None, dense_weight=0.8, lexical_weight=0.2, limit=5) == []


@given(
    st.lists(st.lists(st.integers(0, 9), unique=True, max_size=8), max_size=4), st.integers(1, 90)
)
def test_fusion_follows_its_formula(rankings: list[list[int]], k: int):
    """The fused score of a chunk is the sum of 1 / (k + rank) over the rankings."""
    lists = [[Hit(number, 1.0) for number in ranking] for ranking in rankings]
    totals = {
        number: sum(
            1 / (k + ranking.index(number) + 1) for ranking in rankings if number in ranking
        )
        for ranking in rankings
        for number in ranking
    }
    hits = fuse_hits(lists, k)
    assert {hit.number: pytest.approx(hit.score) for hit in hits} == totals
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_without_ranks_the_best_score_counts():
    """``best_of`` uses the highest score of a chunk; equal scores are in corpus order."""
    hits = best_of([[Hit(1, 0.5), Hit(2, 0.4)], [Hit(2, 0.5), Hit(0, 0.1)]])
    assert hits == [Hit(1, 0.5), Hit(2, 0.5), Hit(0, 0.1)]
