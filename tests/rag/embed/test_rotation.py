"""Spaces whose prefixes are usable: principal axes of the corpus, and vectors left as they are."""

import asyncio

import numpy as np
import pytest
from numpy.typing import NDArray

from assay.rag.embed.protocol import HasCentre
from assay.rag.embed.rotation import (
    FEWEST,
    MOST_FITTED,
    NestedSpace,
    RotatedSpace,
    principal_rotation,
    unit_rows,
)

SIZE = 96


def low_rank(count: int, *, rank: int = 12, seed: int = 7) -> NDArray[np.float32]:
    """Unit vectors that differ in few directions, spread evenly over the columns, off-centre."""
    rng = np.random.default_rng(seed)
    axes, _ = np.linalg.qr(np.random.default_rng(99).normal(size=(SIZE, SIZE)))
    inner = rng.normal(size=(count, rank)) @ axes[:rank]
    noise = rng.normal(size=(count, SIZE)) * 0.05
    return unit_rows(inner + noise + 6 * axes[rank])


def cosines(left: NDArray[np.floating], right: NDArray[np.floating]) -> NDArray[np.float64]:
    """Every row's cosine with every other."""
    left, right = left.astype(np.float64), right.astype(np.float64)
    lengths = np.linalg.norm(left, axis=1)[:, None] * np.linalg.norm(right, axis=1)
    return (left @ right.T) / lengths


def neighbours_kept(matrix: NDArray[np.float32], queries: NDArray[np.float32], dim: int) -> float:
    """Share of each query's ten nearest, by the whole vectors, that a prefix still finds."""
    whole = np.argsort(-cosines(queries, matrix), axis=1)[:, :10]
    cut = np.argsort(-cosines(queries[:, :dim], matrix[:, :dim]), axis=1)[:, :10]
    return float(np.mean([len({*a} & {*b}) / 10 for a, b in zip(whole, cut, strict=True)]))


def test_a_prefix_of_the_rotation_keeps_neighbours_that_plain_truncation_loses():
    """With few directions of difference, a sixth of the rotated columns keeps almost all."""
    documents, queries = low_rank(400), low_rank(40, seed=8)
    rotation = principal_rotation(documents)
    raw = neighbours_kept(documents, queries, 16)
    turned = neighbours_kept(rotation.apply(documents), rotation.apply(queries), 16)
    assert turned > 0.9
    assert raw < 0.5


def test_the_whole_rotation_changes_no_cosine():
    """At the whole dimension the axes are only others, for documents and queries alike."""
    documents, queries = low_rank(300), low_rank(30, seed=8)
    rotation = principal_rotation(documents)
    expected = cosines(queries, documents)
    found = cosines(rotation.apply(queries), rotation.apply(documents))
    assert np.abs(found - expected).max() < 1e-5


@pytest.mark.parametrize("count", [FEWEST, SIZE - 1, SIZE, 3 * SIZE])
def test_the_basis_is_whole_however_few_documents_there_are(count: int):
    """Fewer documents than dimensions still give an orthonormal basis: no query loses length."""
    rotation = principal_rotation(low_rank(count))
    assert rotation.basis is not None
    assert np.abs(rotation.basis.T @ rotation.basis - np.eye(SIZE)).max() < 1e-5
    variances = rotation.apply(low_rank(count)).var(axis=0)
    assert (np.diff(variances) < 1e-6).all()


@pytest.mark.parametrize(
    "vectors", [low_rank(FEWEST - 1), low_rank(1), np.tile(low_rank(1), (50, 1))]
)
def test_a_corpus_too_small_or_all_the_same_is_left_alone(vectors: NDArray[np.float32]):
    """Where centring would leave nothing but rounding, nothing is shifted or turned."""
    rotation = principal_rotation(vectors)
    assert rotation.apply(vectors) is vectors


def test_the_same_corpus_gives_the_same_axes_and_known_signs():
    """Two fits agree to the byte, and each axis has its largest component positive."""
    first, second = (principal_rotation(low_rank(200)) for _ in range(2))
    assert first.basis is not None
    assert second.basis is not None
    assert first.basis.tobytes() == second.basis.tobytes()
    largest = np.abs(first.basis).argmax(axis=0)
    assert (first.basis[largest, np.arange(SIZE)] > 0).all()


def test_more_rows_than_a_block_are_rotated_alike():
    """What is done a block at a time equals what is done at once."""
    documents = np.tile(low_rank(100), (90, 1))
    rotation = principal_rotation(documents)
    whole = rotation.apply(documents)
    assert np.allclose(whole[8192:8292], rotation.apply(documents[8192:8292]), atol=1e-6)
    assert np.allclose(whole[8192], rotation.apply(documents[8192]), atol=1e-6)


def test_a_very_large_corpus_is_fitted_on_an_even_share_of_it():
    """Past the most rows that are fitted, all of the corpus is still represented."""
    small = low_rank(64)[:, :4]
    count = 2 * MOST_FITTED
    halves = np.concatenate([np.tile(small, (count // 128, 1)), np.tile(-small, (count // 128, 1))])
    rotation = principal_rotation(halves)
    assert rotation.mean is not None
    assert np.abs(rotation.mean).max() < 0.1 * np.abs(small.mean(axis=0)).max()


def test_a_rotated_space_brings_queries_where_the_documents_are():
    """A query equal to a document lands on that document's row."""
    documents = low_rank(60)

    async def embed_query(text: str) -> NDArray[np.float32]:
        return documents[int(text)]

    space = RotatedSpace(documents, embed_query)
    assert np.allclose(asyncio.run(space.query("7")), space.matrix[7], atol=1e-6)
    assert not np.allclose(space.matrix[7], documents[7], atol=0.1)


def test_the_centre_is_where_the_documents_lie():
    """Off it, two queries that have only the model's own bias in common are not alike."""
    documents = low_rank(60)

    async def embed_query(text: str) -> NDArray[np.float32]:
        return documents[int(text)]

    space = RotatedSpace(documents, embed_query)
    assert isinstance(space, HasCentre)
    assert space.centre is not None
    assert np.allclose(space.centre, space.matrix.mean(axis=0), atol=1e-6)
    assert np.median(cosines(space.matrix, space.matrix)) > 0.7
    centred = space.matrix - space.centre
    assert abs(np.median(cosines(centred, centred))) < 0.1
    assert RotatedSpace(documents[:3], embed_query).centre is None


def test_a_nested_space_is_the_vectors_themselves():
    """Nothing is copied or changed where the model was trained nested."""
    documents = low_rank(60)

    async def embed_query(text: str) -> NDArray[np.float32]:
        return documents[int(text)]

    space = NestedSpace(documents, embed_query)
    assert space.matrix is documents
    assert (asyncio.run(space.query("7")) == documents[7]).all()
