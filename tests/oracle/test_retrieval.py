"""Compares the gold metrics with ranx, an independent implementation, on random retrievals."""

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable

import pytest

from assay.checks.retrieval import GoldMetrics, gold_metrics
from assay.records import Passage

CASES = 600
K = 5
"""The cut-off of the metrics in ``AT_K``; many of the retrievals are longer, others shorter."""
AT_K = {"hit_rate", "recall", "ndcg"}
METRICS: dict[str, Callable[[GoldMetrics], float | None]] = {
    "hit_rate": lambda metrics: float(metrics["gold_hit_any"]),
    "recall": lambda metrics: metrics["gold_coverage"],
    "precision": lambda metrics: metrics["gold_precision"],
    "reciprocal_rank": lambda metrics: metrics["gold_mrr"],
    "ndcg": lambda metrics: metrics["gold_ndcg"],
}
# ranx takes arrays of (id, relevance) and (id, score), with the best first. A cut-off of 0 means
# no cut-off, which makes no difference for an empty result.
PROGRAM = """
import json, sys
import numpy as np
import ranx.metrics

def pairs(ids, scores):
    return np.array([list(zip(ids, scores))], dtype=np.float64).reshape(1, len(ids), 2)

metrics, cases = json.load(sys.stdin)
results = []
for gold, retrieved in cases:
    qrels = pairs(gold, [1.0] * len(gold))
    run = pairs(retrieved, range(len(retrieved), 0, -1))
    results.append({})
    for metric, k in metrics.items():
        value = getattr(ranx.metrics, metric)(qrels, run, k or len(retrieved))[0]
        results[-1][metric] = float(value)
json.dump(results, sys.stdout)
"""


def retrieval(rng: random.Random) -> tuple[list[int], list[int]]:
    """The gold ids (at least one) and the retrieved ids in order of relevance, maybe repeated."""
    ids = range(rng.choice([4, 12, 40]))
    gold = rng.sample(ids, rng.randint(1, min(6, len(ids))))
    kind = rng.choice(["some", "some", "all", "none", "repeats"])
    if kind == "none":
        others = [number for number in ids if number not in gold]
        return gold, rng.sample(others, rng.randint(0, min(10, len(others))))
    if kind == "all":
        retrieved = list(dict.fromkeys([*gold, *rng.sample(ids, 3)]))
        rng.shuffle(retrieved)
        return gold, retrieved
    if kind == "repeats":
        return gold, rng.choices(ids, k=rng.randint(2, 15))
    return gold, rng.sample(ids, rng.randint(0, min(10, len(ids))))


def shuffled_passages(rng: random.Random, retrieved: list[int]) -> list[Passage]:
    """The passages in a random order, each with its rank by relevance."""
    passages = [Passage(id=str(number), rank=rank) for rank, number in enumerate(retrieved, 1)]
    rng.shuffle(passages)
    return passages


@pytest.fixture(scope="module")
def cases() -> list[tuple[list[int], list[int]]]:
    """Random retrievals, including empty, complete, repeating and useless ones."""
    rng = random.Random(20)
    retrievals = [retrieval(rng) for _ in range(CASES)]
    assert any(not ids for _, ids in retrievals)
    assert any(set(gold) <= set(ids) for gold, ids in retrievals)
    assert any(len(set(ids)) < len(ids) for _, ids in retrievals)
    assert any(ids and not set(gold) & set(ids) for gold, ids in retrievals)
    return retrievals


@pytest.fixture(scope="module")
def ranx_metrics(cases: list[tuple[list[int], list[int]]]) -> list[dict[str, float]]:
    """The metrics that ranx computes for each retrieval; it gets each repeated id only once."""
    distinct = [(gold, list(dict.fromkeys(ids))) for gold, ids in cases]
    # Compiling with Numba would take a minute for one second of work. It can only be turned off
    # when the process starts.
    process = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        input=json.dumps([{name: K if name in AT_K else 0 for name in METRICS}, distinct]),
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    results: list[dict[str, float]] = json.loads(process.stdout)
    return results


@pytest.mark.parametrize("metric", METRICS)
def test_ranx_says_the_same(
    metric: str, cases: list[tuple[list[int], list[int]]], ranx_metrics: list[dict[str, float]]
):
    """Both agree on hundreds of retrievals, including empty, complete and repeating ones."""
    rng = random.Random(metric)
    for (gold, ids), expected in zip(cases, ranx_metrics, strict=True):
        actual = gold_metrics(
            [str(number) for number in gold], shuffled_passages(rng, ids), top_k=K
        )
        assert METRICS[metric](actual) == pytest.approx(expected[metric], abs=1e-12), (gold, ids)
