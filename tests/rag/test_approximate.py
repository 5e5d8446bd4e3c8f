"""Approximate search: nearly the same chunks as exact search, with the same scores."""

import asyncio
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from assay.errors import UseError
from assay.rag.dense import ApproximateIndex, DenseIndex, ExactIndex
from assay.rag.embed.hashed import HashedEmbedder
from assay.rag.search import SearchIndex, best_hits

NONE = np.empty(0, dtype=np.intp)
DIMS = [16, 32, None]
COUNT, SIZE = 3_000, 64


def clustered(count: int = COUNT, *, seed: int = 3) -> NDArray[np.float32]:
    """Vectors around sixty centres, which are the same for every seed; the first columns vary most."""
    centres = np.random.default_rng(1).normal(size=(60, SIZE))
    rng = np.random.default_rng(seed)
    rows = centres[rng.integers(0, 60, count)] + 0.6 * rng.normal(size=(count, SIZE))
    return (rows * np.linspace(1.5, 0.5, SIZE)).astype(np.float32)


def ranking(index: DenseIndex, query: Any, dim: int | None, limit: int) -> list[int]:
    """The numbers of the nearest chunks, best first."""
    numbers, cosines = index.nearest(query, dim, limit, NONE)
    return [int(numbers[hit.number]) for hit in best_hits(cosines, limit)]


@pytest.fixture(scope="module")
def index() -> ApproximateIndex:
    """An index of the clustered vectors, in memory."""
    return ApproximateIndex(clustered())


@pytest.mark.parametrize("dim", DIMS)
def test_it_finds_what_the_exact_index_finds(index: ApproximateIndex, dim: int | None):
    """At least 95 % of the ten nearest chunks are found, at every dimension."""
    exact = ExactIndex(clustered())
    queries = clustered(60, seed=4)
    recalls = [
        len({*ranking(index, query, dim, 10)} & {*ranking(exact, query, dim, 10)}) / 10
        for query in queries
    ]
    assert np.mean(recalls) >= 0.95


@pytest.mark.parametrize("dim", DIMS)
def test_scores_are_exact_cosines_and_numbers_ascend(index: ApproximateIndex, dim: int | None):
    """The cosines are exact, and the chunks in ``also`` are always included."""
    query = clustered(1, seed=5)[0]
    also = np.array([2_999, 7], dtype=np.intp)
    numbers, cosines = index.nearest(query, dim, 10, also)
    assert (np.diff(numbers) > 0).all()
    assert {7, 2_999} <= set(numbers.tolist())
    expected = ExactIndex(clustered()).cosines(query, dim)[numbers]
    assert np.allclose(cosines, expected, atol=1e-6)


def test_equal_chunks_come_in_the_order_of_the_corpus():
    """Of two equal chunks the first of the corpus comes first, also at the limit."""
    rows = clustered(300)
    doubled = np.concatenate([rows, rows])
    index = ApproximateIndex(doubled)
    for query in clustered(10, seed=6):
        numbers = ranking(index, query, None, 5)
        assert numbers == ranking(ExactIndex(doubled), query, None, 5)
        assert numbers[1] == numbers[0] + 300


def test_many_equal_chunks_do_not_hide_the_others():
    """At least 95 % are found even if half of the corpus is the same text."""
    rows = clustered(2_000)
    rows[::2] = rows[0]
    index, exact = ApproximateIndex(rows), ExactIndex(rows)
    recalls = [
        len({*ranking(index, query, None, 10)} & {*ranking(exact, query, None, 10)}) / 10
        for query in rows[1:100:2]
    ]
    assert np.mean(recalls) >= 0.95


def test_a_vector_of_zeros_is_near_to_nothing():
    """A chunk of zeros is never proposed; a query of zeros gives every chunk a cosine of 0."""
    rows = clustered(100)
    rows[5] = 0
    index = ApproximateIndex(rows)
    assert 5 not in index.nearest(rows[4], None, 100, NONE)[0]
    numbers, cosines = index.nearest(rows[5], None, 10, np.array([9, 3], dtype=np.intp))
    assert numbers.tolist() == [3, 9]
    assert cosines.tolist() == [0, 0]


def test_the_limit_may_be_larger_than_the_corpus():
    """With a limit above the size of the corpus, all chunks above 0 are found."""
    rows = clustered(30)
    numbers = ranking(ApproximateIndex(rows), rows[0], None, 500)
    assert numbers == ranking(ExactIndex(rows), rows[0], None, 500)


def test_a_graph_for_each_dimension_is_made_when_it_is_needed(tmp_path: Path):
    """Graphs are built on demand, one file per dimension; too large a dimension means all."""
    index = ApproximateIndex(clustered(200), tmp_path)
    assert list(tmp_path.iterdir()) == []
    for dim in (16, 32, None, 2048):
        index.prepare(dim)
        assert index.is_ready(dim)
    assert not index.is_ready(8)
    assert sorted(path.name.split("-")[2] for path in tmp_path.iterdir()) == ["16", "32", "64"]


def test_a_kept_graph_is_opened_and_not_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A second index of the same vectors reads the saved graph and gives the same results."""
    rows, query = clustered(400), clustered(1, seed=5)[0]
    first = ApproximateIndex(rows, tmp_path).nearest(query, 32, 10, NONE)

    def refuse(*_: Any) -> None:
        raise AssertionError("the graph is built again")

    monkeypatch.setattr(ApproximateIndex, "_build", refuse)
    second = ApproximateIndex(rows.copy(), tmp_path).nearest(query, 32, 10, NONE)
    assert [part.tobytes() for part in first] == [part.tobytes() for part in second]


def test_the_same_vectors_give_the_same_file_and_others_another(tmp_path: Path):
    """Equal vectors give files with the same name and bytes; other vectors another name."""
    changed = clustered(300)
    changed[7, 3] += 0.01
    for folder, rows in (("a", clustered(300)), ("b", clustered(300)), ("c", changed)):
        ApproximateIndex(rows, tmp_path / folder).prepare(16)
    a, b, c = (next((tmp_path / folder).iterdir()) for folder in "abc")
    assert a.name == b.name
    assert a.read_bytes() == b.read_bytes()
    assert a.name.split("-")[1] != c.name.split("-")[1]


@pytest.mark.parametrize(
    "damage", [lambda raw: raw[:-100], lambda raw: raw[:500] + b"x" + raw[501:]]
)
def test_a_file_that_is_not_whole_is_made_again(tmp_path: Path, damage: Any):
    """A file that is truncated or changed does not match its name and is built again."""
    rows, query = clustered(300), clustered(1, seed=5)[0]
    expected = ApproximateIndex(rows, tmp_path).nearest(query, 32, 10, NONE)[0]
    (path,) = tmp_path.iterdir()
    content = path.read_bytes()
    path.write_bytes(damage(content))
    numbers = ApproximateIndex(rows, tmp_path).nearest(query, 32, 10, NONE)[0]
    assert numbers.tolist() == expected.tolist()
    assert [file.read_bytes() for file in tmp_path.iterdir()] == [content]


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path):
    """The message for a folder that cannot be written says what to do."""
    (tmp_path / "file").write_text("")
    with pytest.raises(UseError, match=r"cannot be saved here: .*; make the folder writable"):
        ApproximateIndex(clustered(50), tmp_path / "file").prepare(16)


def test_searches_from_many_threads_are_those_of_one(index: ApproximateIndex):
    """Searches from several threads at once give the same results as one by one."""
    queries = clustered(64, seed=9)
    alone = [ranking(index, query, 32, 10) for query in queries]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda query: ranking(index, query, 32, 10), queries))
    assert together == alone


def test_without_the_library_the_extra_is_named(monkeypatch: pytest.MonkeyPatch):
    """If the library is missing, the message says which extra to install."""
    monkeypatch.setitem(sys.modules, "usearch.index", None)
    with pytest.raises(
        UseError,
        match=r"^index: usearch needs usearch.index .*: pip install 'assay-eval\[usearch\]'$",
    ):
        ApproximateIndex(clustered(20))


def test_hybrid_search_is_the_same_over_either_index(tmp_path: Path):
    """Hybrid search gives the same hits and scores with the approximate and the exact index."""
    topics = ("ferries", "parking", "pensions", "uniforms", "visitors")
    texts = [f"Rule {n} on {topics[n % 5]} costs {n + 3} crowns a day." for n in range(400)]
    embedder = HashedEmbedder()
    vectors = asyncio.run(embedder.embed(texts))
    exact = SearchIndex(texts, embedder.space(texts, vectors))
    approximate = SearchIndex(texts, embedder.space(texts, vectors), tmp_path, kind="usearch")
    for text in ("parking in crowns", "rule 17", "ferries a day", "???"):
        query = asyncio.run(exact.space.query(text))
        for weights in ((0.8, 0.2), (1.0, 0.0), (0.0, 1.0)):
            expected, hits = (
                index.hybrid(
                    text,
                    query,
                    dim=512,
                    dense_weight=weights[0],
                    lexical_weight=weights[1],
                    limit=10,
                )
                for index in (exact, approximate)
            )
            assert [hit.number for hit in hits] == [hit.number for hit in expected]
            assert np.allclose([h.score for h in hits], [h.score for h in expected], atol=1e-6)
