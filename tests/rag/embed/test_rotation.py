"""Spaces with usable prefixes: rotated to the principal axes of the corpus, or unchanged."""

import asyncio

import numpy as np
import pytest
from numpy.typing import NDArray

from assay.rag.embed.hashed import (
    FEWEST,
    MOST_FITTED,
    NestedSpace,
    RotatedSpace,
    principal_rotation,
    unit_rows,
)
from assay.rag.embed.protocol import HasCentre

SIZE = 96


def low_rank(count: int, *, rank: int = 12, seed: int = 7) -> NDArray[np.float32]:
    """Unit vectors with a large mean that differ in ``rank`` directions, spread over all columns."""
    rng = np.random.default_rng(seed)
    axes, _ = np.linalg.qr(np.random.default_rng(99).normal(size=(SIZE, SIZE)))
    inner = rng.normal(size=(count, rank)) @ axes[:rank]
    noise = rng.normal(size=(count, SIZE)) * 0.05
    return unit_rows(inner + noise + 6 * axes[rank])


def cosines(left: NDArray[np.floating], right: NDArray[np.floating]) -> NDArray[np.float64]:
    """The cosine of every row of ``left`` with every row of ``right``."""
    left, right = left.astype(np.float64), right.astype(np.float64)
    lengths = np.linalg.norm(left, axis=1)[:, None] * np.linalg.norm(right, axis=1)
    return (left @ right.T) / lengths


def neighbours_kept(matrix: NDArray[np.float32], queries: NDArray[np.float32], dim: int) -> float:
    """The share of the ten nearest rows of each query that a prefix also finds."""
    exact = np.argsort(-cosines(queries, matrix), axis=1)[:, :10]
    prefix = np.argsort(-cosines(queries[:, :dim], matrix[:, :dim]), axis=1)[:, :10]
    return float(np.mean([len({*a} & {*b}) / 10 for a, b in zip(exact, prefix, strict=True)]))


def test_a_prefix_of_the_rotation_keeps_neighbours_that_plain_truncation_loses():
    """If vectors differ in few directions, a sixth of the rotated columns keeps most neighbours."""
    documents, queries = low_rank(400), low_rank(40, seed=8)
    rotation = principal_rotation(documents)
    raw = neighbours_kept(documents, queries, 16)
    rotated = neighbours_kept(rotation.apply(documents), rotation.apply(queries), 16)
    assert rotated > 0.9
    assert raw < 0.5


def test_the_whole_rotation_changes_no_cosine():
    """With all dimensions a rotation does not change the cosine of any query and document."""
    documents, queries = low_rank(300), low_rank(30, seed=8)
    rotation = principal_rotation(documents)
    expected = cosines(queries, documents)
    rotated = cosines(rotation.apply(queries), rotation.apply(documents))
    assert np.abs(rotated - expected).max() < 1e-5


@pytest.mark.parametrize("count", [FEWEST, SIZE - 1, SIZE, 3 * SIZE])
def test_the_basis_is_whole_however_few_documents_there_are(count: int):
    """The basis is orthonormal and complete even with fewer documents than dimensions."""
    rotation = principal_rotation(low_rank(count))
    assert rotation.basis is not None
    assert np.abs(rotation.basis.T @ rotation.basis - np.eye(SIZE)).max() < 1e-5
    variances = rotation.apply(low_rank(count)).var(axis=0)
    assert (np.diff(variances) < 1e-6).all()


@pytest.mark.parametrize(
    "vectors", [low_rank(FEWEST - 1), low_rank(1), np.tile(low_rank(1), (50, 1))]
)
def test_a_corpus_too_small_or_all_the_same_is_left_alone(vectors: NDArray[np.float32]):
    """A corpus that is very small or whose documents are all the same is not rotated."""
    rotation = principal_rotation(vectors)
    assert rotation.apply(vectors) is vectors


def test_the_same_corpus_gives_the_same_axes_and_known_signs():
    """Two fits are equal byte for byte, and the largest component of each axis is positive."""
    first, second = (principal_rotation(low_rank(200)) for _ in range(2))
    assert first.basis is not None
    assert second.basis is not None
    assert first.basis.tobytes() == second.basis.tobytes()
    largest = np.abs(first.basis).argmax(axis=0)
    assert (first.basis[largest, np.arange(SIZE)] > 0).all()


def test_more_rows_than_a_block_are_rotated_alike():
    """Rotating a matrix in blocks gives the same rows as rotating them separately."""
    documents = np.tile(low_rank(100), (90, 1))
    rotation = principal_rotation(documents)
    rotated = rotation.apply(documents)
    assert np.allclose(rotated[8192:8292], rotation.apply(documents[8192:8292]), atol=1e-6)
    assert np.allclose(rotated[8192], rotation.apply(documents[8192]), atol=1e-6)


def test_a_very_large_corpus_is_fitted_on_an_even_share_of_it():
    """The rows that are fitted come from all parts of a very large corpus."""
    small = low_rank(64)[:, :4]
    count = 2 * MOST_FITTED
    halves = np.concatenate([np.tile(small, (count // 128, 1)), np.tile(-small, (count // 128, 1))])
    rotation = principal_rotation(halves)
    assert rotation.mean is not None
    assert np.abs(rotation.mean).max() < 0.1 * np.abs(small.mean(axis=0)).max()


def test_a_rotated_space_brings_queries_where_the_documents_are():
    """A query that equals a document has the same vector as the document's row."""
    documents = low_rank(60)

    async def embed_query(text: str) -> NDArray[np.float32]:
        return documents[int(text)]

    space = RotatedSpace(documents, embed_query)
    assert np.allclose(asyncio.run(space.query("7")), space.matrix[7], atol=1e-6)
    assert not np.allclose(space.matrix[7], documents[7], atol=0.1)


def test_the_centre_is_where_the_documents_lie():
    """The centre is the mean of the rows; without it the rows are no longer similar."""
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
    """A nested space uses the vectors without a copy or a change."""
    documents = low_rank(60)

    async def embed_query(text: str) -> NDArray[np.float32]:
        return documents[int(text)]

    space = NestedSpace(documents, embed_query)
    assert space.matrix is documents
    assert (asyncio.run(space.query("7")) == documents[7]).all()
