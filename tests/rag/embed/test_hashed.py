"""The built-in embedder: reproducible, nested, and depending on the text only."""

import asyncio
import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.rag.embed.hashed import EDGES, SIZE, HashedEmbedder, document_vector
from assay.rag.embed.protocol import Vectors
from assay.rag.search import SearchIndex
from tests.support.path import ROOT

TEXTS = [
    "Гарантийный срок составляет 24 месяца с даты поставки.",
    "承租人应当在每月五日前支付租金四千八百元。",
    "The night ferry to Ossel leaves at 23:15 and takes bicycles.",
]
FINGERPRINT = """
import asyncio, hashlib
from assay.rag.embed.hashed import HashedEmbedder
from assay.rag.search import SearchIndex
from tests.rag.embed.test_hashed import TEXTS
embedder = HashedEmbedder()
vectors = asyncio.run(embedder.embed(TEXTS))
query = asyncio.run(SearchIndex(TEXTS, embedder.space(TEXTS, vectors)).space.query("паром 租金 ferry"))
print(hashlib.sha256(vectors.tobytes() + query.tobytes()).hexdigest())
"""


def cosine(left: Vectors, right: Vectors, dim: int = SIZE) -> float:
    """The cosine of the first ``dim`` dimensions."""
    a, b = left[:dim].astype(float), right[:dim].astype(float)
    return float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b)))


def test_vectors_are_the_same_under_any_hash_seed():
    """Two processes with different ``PYTHONHASHSEED`` give the same vectors, byte for byte."""
    outputs = set()
    for seed in ("1", "2"):
        process = subprocess.run(
            [sys.executable, "-c", FINGERPRINT],
            env={
                **os.environ,
                "PYTHONHASHSEED": seed,
                "PYTHONPATH": str(ROOT),
            },
            capture_output=True,
            text=True,
            check=True,
        )
        outputs.add(process.stdout)
    assert len(outputs) == 1


@given(st.text(max_size=200))
def test_a_vector_has_length_one_or_none(text: str):
    """Any text gives a unit vector, or zeros if it has no terms."""
    vector = document_vector(text)
    assert vector.shape == (SIZE,)
    assert vector.dtype == np.float32
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5) or not vector.any()


def test_a_document_depends_on_its_text_alone():
    """A text has the same vector alone and among other texts, so vectors can be cached."""
    embedder = HashedEmbedder()
    alone = asyncio.run(embedder.embed([TEXTS[1]]))[0]
    among = asyncio.run(embedder.embed(TEXTS))[1]
    assert alone.tobytes() == among.tobytes()


def test_every_prefix_is_an_embedding_and_longer_ones_are_finer():
    """The mean error of a prefix's cosine becomes smaller as the prefix becomes longer."""
    words = [f"term{number}" for number in range(600)]
    rng = np.random.default_rng(5)
    pairs = []
    for _ in range(60):
        shared = rng.choice(words, 12, replace=False)
        left = document_vector(" ".join([*shared, *rng.choice(words, 12)]))
        right = document_vector(" ".join([*shared, *rng.choice(words, 12)]))
        pairs.append((left, right))
    full = np.array([cosine(left, right) for left, right in pairs])
    errors = []
    for dim in EDGES[1:-1]:
        prefix = np.array([cosine(left, right, dim) for left, right in pairs])
        assert np.corrcoef(prefix, full)[0, 1] > 0.2
        errors.append(float(np.abs(prefix - full).mean()))
    assert errors == sorted(errors, reverse=True)


def test_words_that_no_document_has_do_not_sway_a_query():
    """Words of a query that no document contains hardly change its vector."""
    embedder = HashedEmbedder()
    space = SearchIndex(TEXTS, embedder.space(TEXTS, asyncio.run(embedder.embed(TEXTS)))).space
    plain = asyncio.run(space.query("night ferry"))
    wordy = asyncio.run(space.query("wherefore night ferry zzyzx"))
    assert cosine(plain, wordy) > 0.95
    assert not asyncio.run(space.query("zzyzx")).any()


def test_a_question_without_terms_gives_zeros():
    """A query of punctuation only has a vector of zeros."""
    embedder = HashedEmbedder()
    space = SearchIndex(TEXTS, embedder.space(TEXTS, asyncio.run(embedder.embed(TEXTS)))).space
    assert not asyncio.run(space.query("?!…")).any()


def test_the_right_text_is_found_in_three_languages():
    """Reworded questions in three languages are nearest to the text that answers them."""
    embedder = HashedEmbedder()
    space = SearchIndex(TEXTS, embedder.space(TEXTS, asyncio.run(embedder.embed(TEXTS)))).space
    questions = ["Каков срок гарантии?", "租金几日前支付？", "When does the ferry leave at night?"]
    for number, question in enumerate(questions):
        scores = space.matrix @ asyncio.run(space.query(question))
        assert int(np.argmax(scores)) == number
