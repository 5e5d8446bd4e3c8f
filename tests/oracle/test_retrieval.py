"""The gold metrics against ranx, an independent implementation, on random retrievals."""

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable

import pytest

from assay.records import Passage
from assay.scorers.retrieval import GoldMetrics, gold_metrics

CASES = 600
OURS: dict[str, Callable[[GoldMetrics], float | None]] = {
    "hit_rate": lambda told: float(told["gold_hit_any"]),
    "recall": lambda told: told["gold_coverage"],
    "precision": lambda told: told["gold_precision"],
    "reciprocal_rank": lambda told: told["gold_mrr"],
    "ndcg": lambda told: told["gold_ndcg"],
}
# ranx takes arrays of (id, relevance) and (id, score), best first; a cut of 0 means no cut, which
# is the same thing for an empty result.
PROGRAM = """
import json, sys
import numpy as np
import ranx.metrics

def pairs(ids, scores):
    return np.array([list(zip(ids, scores))], dtype=np.float64).reshape(1, len(ids), 2)

metrics, cases = json.load(sys.stdin)
told = []
for gold, found in cases:
    qrels = pairs(gold, [1.0] * len(gold))
    run = pairs(found, range(len(found), 0, -1))
    told.append({m: float(getattr(ranx.metrics, m)(qrels, run, len(found))[0]) for m in metrics})
json.dump(told, sys.stdout)
"""


def retrieval(draw: random.Random) -> tuple[list[int], list[int]]:
    """Gold, at least one, and what was retrieved in order of relevance, repeats included."""
    names = range(draw.choice([4, 12, 40]))
    gold = draw.sample(names, draw.randint(1, min(6, len(names))))
    kind = draw.choice(["some", "some", "all", "none", "repeats"])
    if kind == "none":
        pool = [name for name in names if name not in gold]
        return gold, draw.sample(pool, draw.randint(0, min(10, len(pool))))
    if kind == "all":
        found = list(dict.fromkeys([*gold, *draw.sample(names, 3)]))
        draw.shuffle(found)
        return gold, found
    if kind == "repeats":
        return gold, draw.choices(names, k=draw.randint(2, 15))
    return gold, draw.sample(names, draw.randint(0, min(10, len(names))))


def packed(draw: random.Random, retrieved: list[int]) -> list[Passage]:
    """The passages in some other order, each with its rank by relevance."""
    passages = [Passage(id=str(name), rank=rank) for rank, name in enumerate(retrieved, 1)]
    draw.shuffle(passages)
    return passages


@pytest.fixture(scope="module")
def cases() -> list[tuple[list[int], list[int]]]:
    """Random retrievals, the unusual ones among them."""
    draw = random.Random(20)
    made = [retrieval(draw) for _ in range(CASES)]
    assert any(not found for _, found in made)
    assert any(set(gold) <= set(found) for gold, found in made)
    assert any(len(set(found)) < len(found) for _, found in made)
    assert any(found and not set(gold) & set(found) for gold, found in made)
    return made


@pytest.fixture(scope="module")
def theirs(cases: list[tuple[list[int], list[int]]]) -> list[dict[str, float]]:
    """What ranx says of each retrieval; of a repeated id it is shown the first place only."""
    asked = [(gold, list(dict.fromkeys(found))) for gold, found in cases]
    # Its compiler would take a minute for work of a second, and can only be turned off at start.
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        input=json.dumps([list(OURS), asked]),
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    told: list[dict[str, float]] = json.loads(ended.stdout)
    return told


@pytest.mark.parametrize("metric", OURS)
def test_ranx_says_the_same(
    metric: str, cases: list[tuple[list[int], list[int]]], theirs: list[dict[str, float]]
):
    """On hundreds of retrievals, among them empty, complete and repeating ones, both agree."""
    draw = random.Random(metric)
    for (gold, found), expected in zip(cases, theirs, strict=True):
        told = gold_metrics([str(name) for name in gold], packed(draw, found))
        assert OURS[metric](told) == pytest.approx(expected[metric], abs=1e-12), (gold, found)
