"""The approximate index compared with the exact one: query time, misses, time to build the graph.

Vectors lie around centres, like the vectors of texts. Without close neighbours an approximate
search would have nothing to find.
"""

import time
from collections.abc import Iterator
from statistics import mean

import numpy as np
from measure import Measure, compared

from assay.rag.dense import ApproximateIndex, DenseIndex, ExactIndex
from assay.rag.embed.protocol import Vectors
from assay.rag.search import best_hits

CHUNKS = 300_000
SIZE = 256
CENTRES = 3_000
QUERIES = 200
LIMIT = 10


def measures() -> Iterator[Measure]:
    """Build the graph, then search both indexes in turns with the same queries."""
    rng = np.random.default_rng(2)
    centres = rng.standard_normal((CENTRES, SIZE), dtype=np.float32)
    matrix = _around(rng, centres, CHUNKS)
    exact, approximate = ExactIndex(matrix), ApproximateIndex(matrix)
    exact.prepare(None)
    began = time.perf_counter()
    approximate.prepare(None)
    build_s = time.perf_counter() - began
    times: tuple[list[float], list[float]] = ([], [])
    recalls = []
    for query in _around(rng, centres, QUERIES):
        hits = []
        for index, seconds in zip((approximate, exact), times, strict=True):
            began = time.perf_counter()
            hits.append(_nearest(index, query))
            seconds.append(time.perf_counter() - began)
        recalls.append(len(hits[0] & hits[1]) / LIMIT)
    name = f"{CHUNKS:,} chunks, {SIZE} dimensions"
    yield compared(
        f"approximate query, {name}", times[0], "exact, NumPy", times[1], unit="s", target=0.5
    )
    yield compared(
        f"missed of the {LIMIT} nearest",
        [1 - mean(recalls)],
        "all",
        [1.0],
        unit="",
        target=0.05,
        bounded="value",
    )
    yield compared(
        f"make the graph, {name}", [build_s], "an exact query", [mean(times[1])], unit="s"
    )


def _around(rng: np.random.Generator, centres: Vectors, count: int) -> Vectors:
    rows = rng.standard_normal((count, SIZE), dtype=np.float32)
    rows *= np.float32(0.7)
    rows += centres[rng.integers(0, len(centres), count)]
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows


def _nearest(index: DenseIndex, query: Vectors) -> set[int]:
    numbers, cosines = index.nearest(query, None, LIMIT, np.empty(0, dtype=np.intp))
    return {int(numbers[hit.number]) for hit in best_hits(cosines, LIMIT)}
