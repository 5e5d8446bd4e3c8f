"""Search: exact scores, stable ties, and fusion by the formula."""

import asyncio

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from assay.rag.embed.hashed import HashedEmbedder
from assay.rag.search import dense
from assay.rag.search.dense import ExactIndex, products
from assay.rag.search.index import Hit, SearchIndex, best_hits, best_of, fuse_hits

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
    """The fast selection equals sorting everything, ties in corpus order, nothing at or below 0."""
    order = sorted(range(len(scores)), key=lambda number: (-scores[number], number))
    expected = [number for number in order if scores[number] > 0][:limit]
    assert [hit.number for hit in best_hits(scores.astype(np.float32), limit)] == expected


@pytest.mark.parametrize("rows", [1, 7, 8, 9, 16, 17, 31, 32, 33, 40])
def test_a_product_in_blocks_is_the_product(rows: int, monkeypatch: pytest.MonkeyPatch):
    """Whatever the blocks: no row is left out or counted twice, and none needs a second thread."""
    monkeypatch.setattr(dense, "BLOCK", 8 * 16)
    monkeypatch.setattr(dense, "SMALL", 32 * 16)
    made: list[int] = []
    matmul = np.matmul

    def counted(block: np.ndarray, *rest: np.ndarray, out: np.ndarray) -> np.ndarray:
        made.append(block.size)
        return matmul(block, *rest, out=out)

    monkeypatch.setattr(np, "matmul", counted)
    numbers = np.random.default_rng(rows)
    matrix = numbers.standard_normal((rows, 16), dtype=np.float32)
    query = numbers.standard_normal(16, dtype=np.float32)
    np.testing.assert_allclose(
        products(matrix, query), (matrix.astype(float) * query).sum(axis=1), atol=1e-5
    )
    assert sum(made) == (matrix.size if 8 < rows <= 32 else 0)
    assert max(made, default=0) <= 8 * 16


@pytest.mark.parametrize("dim", [128, 512, None])
def test_dense_scores_are_cosines_at_the_prefix(index: SearchIndex, dim: int | None):
    """The product is the cosine of the prefixes, to rounding."""
    query = asyncio.run(index.space.query("parking on Sundays"))
    part = index.space.matrix[:, :dim].astype(float)
    wanted = query[:dim].astype(float)
    expected = part @ wanted / (np.linalg.norm(part, axis=1) * np.linalg.norm(wanted))
    assert np.allclose(ExactIndex(index.space.matrix).cosines(query, dim), expected, atol=1e-6)


def test_hybrid_is_the_weighted_sum(index: SearchIndex):
    """Cosine above 0 times its weight, plus BM25 over the best BM25 times its weight."""
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
    """With one weight 0 the other part decides alone, scale aside."""
    text = "washed uniforms"
    query = asyncio.run(index.space.query(text))
    lexical = index.hybrid(text, query, dim=None, dense_weight=0, lexical_weight=1, limit=4)
    assert [hit.number for hit in lexical] == [hit.number for hit in index.lexical(text, 4)]
    dense = index.hybrid(text, query, dim=None, dense_weight=1, lexical_weight=0, limit=4)
    assert dense == index.dense(query, None, 4)


def test_a_question_without_terms_finds_nothing(index: SearchIndex):
    """No terms, no hits, no error."""
    query = asyncio.run(index.space.query("?"))
    assert index.hybrid("?", query, dim=None, dense_weight=0.8, lexical_weight=0.2, limit=5) == []


@given(
    st.lists(st.lists(st.integers(0, 9), unique=True, max_size=8), max_size=4), st.integers(1, 90)
)
def test_fusion_follows_its_formula(rankings: list[list[int]], k: int):
    """Each chunk has the sum of 1 / (k + rank) over the lists, computed the slow way."""
    lists = [[Hit(number, 1.0) for number in ranking] for ranking in rankings]
    totals = {
        number: sum(
            1 / (k + ranking.index(number) + 1) for ranking in rankings if number in ranking
        )
        for ranking in rankings
        for number in ranking
    }
    found = fuse_hits(lists, k)
    assert {hit.number: pytest.approx(hit.score) for hit in found} == totals
    assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)


def test_without_ranks_the_best_score_counts():
    """``best_of`` takes a chunk's highest score, ties in corpus order."""
    found = best_of([[Hit(1, 0.5), Hit(2, 0.4)], [Hit(2, 0.5), Hit(0, 0.1)]])
    assert found == [Hit(1, 0.5), Hit(2, 0.5), Hit(0, 0.1)]
