"""The embedded embedder: the same everywhere, nested, and made of the text alone."""

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
from assay.rag.search.index import SearchIndex
from tests.support.path import ROOT

TEXTS = [
    "Гарантийный срок составляет 24 месяца с даты поставки.",
    "承租人应当在每月五日前支付租金四千八百元。",
    "The night ferry to Ossel leaves at 23:15 and takes bicycles.",
]
FINGERPRINT = """
import asyncio, hashlib
from assay.rag.embed.hashed import HashedEmbedder
from assay.rag.search.index import SearchIndex
from tests.rag.embed.test_hashed import TEXTS
embedder = HashedEmbedder()
vectors = asyncio.run(embedder.embed(TEXTS))
query = asyncio.run(SearchIndex(TEXTS, embedder.space(TEXTS, vectors)).space.query("паром 租金 ferry"))
print(hashlib.sha256(vectors.tobytes() + query.tobytes()).hexdigest())
"""


def cosine(one: Vectors, other: Vectors, dim: int = SIZE) -> float:
    """Cosine at a prefix."""
    a, b = one[:dim].astype(float), other[:dim].astype(float)
    return float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b)))


def test_vectors_are_the_same_under_any_hash_seed():
    """Byte for byte the same in two processes with different ``PYTHONHASHSEED``."""
    seen = set()
    for seed in ("1", "2"):
        done = subprocess.run(
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
        seen.add(done.stdout)
    assert len(seen) == 1


@given(st.text(max_size=200))
def test_a_vector_has_length_one_or_none(text: str):
    """Any text gives a unit vector, or zeros where it has no terms; never NaN."""
    vector = document_vector(text)
    assert vector.shape == (SIZE,)
    assert vector.dtype == np.float32
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5) or not vector.any()


def test_a_document_depends_on_its_text_alone():
    """Whatever else is embedded with it, a chunk's vector is the same: it can be cached."""
    embedder = HashedEmbedder()
    alone = asyncio.run(embedder.embed([TEXTS[1]]))[0]
    among = asyncio.run(embedder.embed(TEXTS))[1]
    assert alone.tobytes() == among.tobytes()


def test_every_prefix_is_an_embedding_and_longer_ones_are_finer():
    """Over many pairs the error of a prefix's cosine shrinks as the prefix grows."""
    words = [f"term{number}" for number in range(600)]
    rng = np.random.default_rng(5)
    pairs = []
    for _ in range(60):
        shared = rng.choice(words, 12, replace=False)
        one = document_vector(" ".join([*shared, *rng.choice(words, 12)]))
        other = document_vector(" ".join([*shared, *rng.choice(words, 12)]))
        pairs.append((one, other))
    whole = np.array([cosine(one, other) for one, other in pairs])
    errors = []
    for dim in EDGES[1:-1]:
        part = np.array([cosine(one, other, dim) for one, other in pairs])
        assert np.corrcoef(part, whole)[0, 1] > 0.2
        errors.append(float(np.abs(part - whole).mean()))
    assert errors == sorted(errors, reverse=True)


def test_words_that_no_document_has_do_not_sway_a_query():
    """Question words foreign to the corpus neither help nor disturb."""
    embedder = HashedEmbedder()
    space = SearchIndex(TEXTS, embedder.space(TEXTS, asyncio.run(embedder.embed(TEXTS)))).space
    plain = asyncio.run(space.query("night ferry"))
    wordy = asyncio.run(space.query("wherefore night ferry zzyzx"))
    assert cosine(plain, wordy) > 0.95
    assert not asyncio.run(space.query("zzyzx")).any()


def test_a_question_without_terms_gives_zeros():
    """Punctuation alone is no query, and no error."""
    embedder = HashedEmbedder()
    space = SearchIndex(TEXTS, embedder.space(TEXTS, asyncio.run(embedder.embed(TEXTS)))).space
    assert not asyncio.run(space.query("?!…")).any()


def test_the_right_text_is_found_in_three_languages():
    """Inflected and reworded questions come nearest to their text."""
    embedder = HashedEmbedder()
    space = SearchIndex(TEXTS, embedder.space(TEXTS, asyncio.run(embedder.embed(TEXTS)))).space
    questions = ["Каков срок гарантии?", "租金几日前支付？", "When does the ferry leave at night?"]
    for number, question in enumerate(questions):
        scores = space.matrix @ asyncio.run(space.query(question))
        assert int(np.argmax(scores)) == number
