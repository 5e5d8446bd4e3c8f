"""The built-in embedder: reproducible, nested, and depending on the text only."""

import asyncio
import hashlib
import math
import os
import subprocess
import sys
from collections import Counter
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.rag.embed.hashed import EDGES, SIZE, HashedEmbedder, document_vector
from assay.rag.embed.protocol import Vectors
from assay.rag.search import SearchIndex
from assay.text.search_term import search_terms
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


MIXED = st.text(
    st.sampled_from("abc AB 012 абв Ёж 违约金，。 𠀀𠀁é ﬁ ½\n\u00ad万亿\ud800"), max_size=60
)


@given(MIXED)
def test_terms_are_counted_and_hashed_as_described(text: str):
    """The vector of a text is that of its search terms, one after the other, to the last bit."""
    counts = Counter(search_terms(text))
    parts = []
    for term, times in counts.items():
        key = int.from_bytes(hashlib.blake2b(term.encode(), digest_size=8).digest(), "little")
        share = common_terms().get(term, 3.0)
        rarity = np.array([math.log1p((1000 - share) / share)]) ** 0.75
        kind = 1.0 if term[0] == "w" else 0.4
        parts.append((key, kind * (times * 2.2 / (times + 1.2)) * rarity[0]))
    vector = np.zeros(SIZE)
    for number, (start, end) in enumerate(pairwise(EDGES)):
        for key, weight in sorted(parts):
            mixed = splitmix(key ^ (0x9E3779B97F4A7C15 * (number + 1) % 2**64))
            vector[start + (mixed >> 1) % (end - start)] += weight if mixed & 1 else -weight
        vector[start:end] *= math.sqrt((end - start) / SIZE)
    length = np.linalg.norm(vector)
    assert document_vector(text).tobytes() == (
        (vector / length if length else vector).astype(np.float32).tobytes()
    )


@cache
def common_terms() -> dict[str, float]:
    """The table of common terms, read from its file."""
    lines = (ROOT / "src/assay/rag/embed/common_terms.txt").read_text("utf-8").splitlines()
    rows = (line.split("\t", 1) for line in lines if not line.startswith("#"))
    return {term: float(share) for share, term in rows}


def splitmix(number: int) -> int:
    """The finaliser of splitmix64."""
    number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
    number = (number ^ (number >> 27)) * 0x94D049BB133111EB % 2**64
    return number ^ (number >> 31)


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
