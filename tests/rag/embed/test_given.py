"""Vectors that another program made, beside the chunk files."""

import asyncio
from pathlib import Path

import numpy as np
import pytest

from assay.config.system import ReferenceConfig
from assay.rag.embed.store import read_given_vectors
from assay.records import Question
from assay.systems.load import SystemContext
from assay.systems.reference import ReferenceSystem, load_reference

FILES = (("act", 2), ("law", 3))


def save(folder: Path, name: str, array: object) -> None:
    """Write vectors as NumPy does."""
    folder.mkdir(exist_ok=True)
    np.save(folder / f"{name}.npy", np.asarray(array))


def test_vectors_that_fit_are_used_as_they_are(tmp_path: Path):
    """One for each chunk, in the order of the files; what is missing is embedded."""
    law = np.arange(12, dtype=np.float64).reshape(3, 4)
    save(tmp_path, "law", law)
    given = read_given_vectors(tmp_path, FILES, 4)
    assert (given.size, given.problems, given.missing(5)) == (4, (), [0, 1])
    made = np.full((2, 4), 9, dtype=np.float32)
    assert np.array_equal(given.complete(5, [0, 1], made), np.vstack([made, law]))


@pytest.mark.parametrize(
    ("array", "reason"),
    [
        (np.zeros((3, 4)), "it has 3 vectors for 2 chunks"),
        (np.zeros(2), "not one vector a chunk"),
        (np.zeros((2, 4), dtype=int), "not one vector a chunk"),
        (np.zeros((2, 7)), "its vectors have 7 dimensions"),
        (np.full((2, 4), np.nan), "not finite"),
    ],
)
def test_vectors_that_do_not_fit_are_named(tmp_path: Path, array: object, reason: str):
    """The reason is one line, and the chunks are embedded instead."""
    save(tmp_path, "act", array)
    given = read_given_vectors(tmp_path, FILES, 4)
    (problem,) = given.problems
    assert "act.npy is not used: " in problem
    assert reason in problem
    assert given.missing(5) == [0, 1, 2, 3, 4]


def test_a_file_that_is_no_array_is_named(tmp_path: Path):
    """Also one that would run code when it is read."""
    (tmp_path / "act.npy").write_bytes(b"not an array")
    (problem,) = read_given_vectors(tmp_path, FILES, None).problems
    assert "cannot be read" in problem


def reference(root: Path, embedder: str) -> ReferenceSystem:
    """The reference pipeline over two chunk files without a manifest."""
    chunks = root / "chunks"
    chunks.mkdir(exist_ok=True)
    (chunks / "act.jsonl").write_text('{"id": "a", "text": "Rent is due."}\n')
    (chunks / "law.jsonl").write_text('{"id": "b", "text": "Notice is thirty days."}\n')
    return load_reference(ReferenceConfig(embedder=embedder), SystemContext(root))


def test_a_corpus_needs_no_manifest_and_unnamed_vectors_are_said(tmp_path: Path):
    """Without the name of the embedder, nobody knows what a query's vector must be."""
    save(tmp_path / "embeddings", "act", np.zeros((1, 4)))
    system = reference(tmp_path, "hashed")
    assert system.chunk_ids == {"a", "b"}
    (note,) = system.notes
    assert "1 file of vectors" in note
    assert "does not name the embedder" in note
    answer = asyncio.run(system.ask(Question(id="q", text="When is rent due?"), {}, 1))
    assert answer.passages is not None
    assert answer.passages[0].id == "a"
