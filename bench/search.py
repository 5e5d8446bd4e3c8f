"""Search: a hybrid query compared with its bare parts, and the speed of indexing.

The corpus consists of synthetic chunks. Vectors are random unit vectors, because the time of a
matrix product does not depend on its content. The bare parts are the matrix product at the same
dimension and tantivy's own search for the same terms. ``search_approximate`` adds the index for
larger corpora.
"""

import asyncio
import time
from collections.abc import Callable, Iterator

import numpy as np
import search_approximate
from measure import Measure, compared

from assay.rag.embed.hashed import SIZE, HashedEmbedder
from assay.rag.embed.protocol import Vectors
from assay.rag.search import LexicalIndex, SearchIndex
from assay.text.search_term import search_terms

CHUNKS = 100_000
INDEXED = 4_000
REPEATS = 15
WORDS = 20_000
WORDS_PER_CHUNK = 60


class FixedSpace:
    """A space with fixed vectors; every query has the same vector."""

    def __init__(self, matrix: Vectors) -> None:
        self.matrix = matrix

    async def query(self, text: str) -> Vectors:
        """Return the first row; its content does not matter."""
        return self.matrix[0]


def measures() -> Iterator[Measure]:
    """Measure queries at several dimensions, indexing, and the approximate index."""
    yield from _exact()
    yield from search_approximate.measures()


def _exact() -> Iterator[Measure]:
    rng = np.random.default_rng(1)
    texts = _texts(rng, CHUNKS)
    matrix = rng.standard_normal((CHUNKS, SIZE), dtype=np.float32)
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    index = SearchIndex(texts, FixedSpace(matrix))
    lexical: LexicalIndex = index._lexical  # noqa: SLF001 - the bare part is measured alone
    query, text = matrix[7], texts[7][:60]
    hybrid_s: dict[int, list[float]] = {}
    for dim in (SIZE, 128):
        part = np.ascontiguousarray(matrix[:, :dim])
        prefix = np.ascontiguousarray(query[:dim])

        def bare(part: Vectors = part, prefix: Vectors = prefix) -> object:
            return part @ prefix, lexical.search(text, 50)

        def hybrid(dim: int = dim) -> object:
            return index.hybrid(
                text, query, dim=dim, dense_weight=0.8, lexical_weight=0.2, limit=50
            )

        hybrid_s[dim], bare_s = _in_turns(hybrid, bare)
        yield compared(
            f"hybrid query, {CHUNKS:,} chunks, {dim} dimensions",
            hybrid_s[dim],
            "product + tantivy",
            bare_s,
            unit="s",
            target=1.5 if dim == SIZE else None,
        )
    yield compared(
        "hybrid query at 128 dimensions",
        hybrid_s[128],
        "at 2,048",
        hybrid_s[SIZE],
        unit="s",
        target=0.9,
    )
    yield _indexing(texts[:INDEXED])


def _indexing(texts: list[str]) -> Measure:
    """Time to embed and index a chunk, compared with tantivy alone on prepared terms."""
    import tantivy  # noqa: PLC0415 - the bare part

    def embed_and_index() -> object:
        embedder = HashedEmbedder()
        vectors = asyncio.run(embedder.embed(texts))
        return SearchIndex(texts, embedder.space(texts, vectors))

    prepared = [" ".join(term.replace(" ", "_") for term in search_terms(text)) for text in texts]

    def bare() -> object:
        schema = tantivy.SchemaBuilder().add_text_field(
            "terms", tokenizer_name="whitespace", index_option="freq"
        )
        index = tantivy.Index(schema.build())
        writer = index.writer(128 << 20, 1)
        for line in prepared:
            document = tantivy.Document()
            document.add_text("terms", line)
            writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()
        return index

    assay_s, tantivy_s = _in_turns(embed_and_index, bare, repeats=3)
    return compared(
        "embed and index a chunk",
        [seconds / len(texts) for seconds in assay_s],
        "tantivy alone, terms ready-made",
        [seconds / len(texts) for seconds in tantivy_s],
        unit="s",
    )


def _in_turns(
    first: Callable[[], object], second: Callable[[], object], repeats: int = REPEATS
) -> tuple[list[float], list[float]]:
    """Wall seconds of both functions, measured in turns after a first round that warms up."""
    times: tuple[list[float], list[float]] = ([], [])
    for number in range(repeats + 1):
        for function, seconds in zip((first, second), times, strict=True):
            began = time.perf_counter()
            function()
            if number:
                seconds.append(time.perf_counter() - began)
    return times


def _texts(rng: np.random.Generator, count: int) -> list[str]:
    """Synthetic chunks; as in real text, a few words are frequent and most are rare."""
    letters = np.array(list("abcdefghijklmnopqrstuvwxyz"))
    words = ["".join(rng.choice(letters, rng.integers(3, 11))) for _ in range(WORDS)]
    numbers = np.minimum(rng.zipf(1.3, (count, WORDS_PER_CHUNK)) - 1, WORDS - 1)
    return [" ".join(words[number] for number in row) for row in numbers]
