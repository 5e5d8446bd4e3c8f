"""Search: a hybrid query beside the bare parts it is made of, and indexing throughput.

One corpus of made-up chunks; vectors are random unit vectors, since the time of a product
does not depend on what is in it. ``search_approximate`` adds the index for larger corpora. The bare parts are the matrix product at the same dimension
and tantivy's own search for the same terms.
"""

import asyncio
import time
from collections.abc import Callable, Iterator

import numpy as np
import search_approximate
from measure import Measure, compared

from assay.rag.embed.hashed import SIZE, HashedEmbedder
from assay.rag.embed.protocol import Vectors
from assay.rag.search.index import SearchIndex
from assay.rag.search.lexical import LexicalIndex
from assay.text import search_terms

CHUNKS = 100_000
INDEXED = 4_000
REPEATS = 15
WORDS = 20_000
WORDS_A_CHUNK = 60


class FixedSpace:
    """Vectors as given; a query is any of them."""

    def __init__(self, matrix: Vectors) -> None:
        self.matrix = matrix

    async def query(self, text: str) -> Vectors:
        """The first row: its content does not matter."""
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
    whole: dict[int, list[float]] = {}
    for dim in (SIZE, 128):
        part = np.ascontiguousarray(matrix[:, :dim])
        wanted = np.ascontiguousarray(query[:dim])

        def bare(part: Vectors = part, wanted: Vectors = wanted) -> object:
            return part @ wanted, lexical.search(text, 50)

        def hybrid(dim: int = dim) -> object:
            return index.hybrid(
                text, query, dim=dim, dense_weight=0.8, lexical_weight=0.2, limit=50
            )

        ours, theirs = _in_turns(hybrid, bare)
        whole[dim] = ours
        yield compared(
            f"hybrid query, {CHUNKS:,} chunks, {dim} dimensions",
            ours,
            "product + tantivy",
            theirs,
            unit="s",
            target=1.5 if dim == SIZE else None,
        )
    yield compared(
        "hybrid query at 128 dimensions", whole[128], "at 2,048", whole[SIZE], unit="s", target=0.9
    )
    yield _indexing(texts[:INDEXED])


def _indexing(texts: list[str]) -> Measure:
    """CPU to embed and index a chunk, beside tantivy fed with ready-made terms."""
    import tantivy  # noqa: PLC0415 - the bare part

    def ours() -> object:
        embedder = HashedEmbedder()
        vectors = asyncio.run(embedder.embed(texts))
        return SearchIndex(texts, embedder.space(texts, vectors))

    ready = [" ".join(term.replace(" ", "_") for term in search_terms(text)) for text in texts]

    def bare() -> object:
        schema = tantivy.SchemaBuilder().add_text_field(
            "terms", tokenizer_name="whitespace", index_option="freq"
        )
        index = tantivy.Index(schema.build())
        writer = index.writer(128 << 20, 1)
        for line in ready:
            document = tantivy.Document()
            document.add_text("terms", line)
            writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()
        return index

    mine, theirs = _in_turns(ours, bare, repeats=3)
    return compared(
        "embed and index a chunk",
        [seconds / len(texts) for seconds in mine],
        "tantivy alone, terms ready-made",
        [seconds / len(texts) for seconds in theirs],
        unit="s",
    )


def _in_turns(
    one: Callable[[], object], other: Callable[[], object], repeats: int = REPEATS
) -> tuple[list[float], list[float]]:
    """Wall seconds of both, taken in turns after a first go that warms up."""
    times: tuple[list[float], list[float]] = ([], [])
    for number in range(repeats + 1):
        for place, work in enumerate((one, other)):
            began = time.perf_counter()
            work()
            if number:
                times[place].append(time.perf_counter() - began)
    return times


def _texts(rng: np.random.Generator, count: int) -> list[str]:
    """Made-up chunks of words drawn as words are: few often, most seldom."""
    letters = np.array(list("abcdefghijklmnopqrstuvwxyz"))
    words = ["".join(rng.choice(letters, rng.integers(3, 11))) for _ in range(WORDS)]
    places = np.minimum(rng.zipf(1.3, (count, WORDS_A_CHUNK)) - 1, WORDS - 1)
    return [" ".join(words[place] for place in row) for row in places]
