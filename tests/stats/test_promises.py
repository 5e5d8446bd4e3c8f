"""What the statistics promise, held by small simulations; ``bench/`` has the large ones."""

import numpy as np
import pytest
from numpy.typing import NDArray

from assay.records import Metric
from assay.stats.analysis import analyse
from assay.stats.comparison import paired_effect
from assay.stats.effect import Method
from assay.stats.mean_interval import mean_interval
from assay.stats.scores import Scores

COVERAGE = Metric(name="coverage", field="coverage")
HIT = Metric(name="hit", field="hit", kind="rate")


def test_a_mean_near_the_ceiling_is_inside_its_interval():
    """Five scores with a true mean of .94: the interval contains it in 93 of 100 runs or more."""
    rng = np.random.default_rng(1)
    inside = 0
    for _ in range(1_000):
        interval = mean_interval(rng.choice([0.0, 0.5, 1.0], size=5, p=[0.02, 0.08, 0.9]))
        assert interval is not None
        inside += interval.low <= 0.94 <= interval.high
    assert inside >= 930


@pytest.mark.parametrize("kind", ["scores", "yes/no"])
def test_ten_documents_stand_for_others(kind: str):
    """The interval over ten documents contains the mean of all documents in 93 of 100 runs."""
    rng = np.random.default_rng(2)
    inside = 0
    for _ in range(400):
        documents = np.repeat(np.arange(10), rng.integers(5, 40, 10))
        chance = rng.beta(7, 3, 10)[documents]
        values = rng.random(len(documents)) < chance
        interval = mean_interval(
            values.astype(np.float64) if kind == "yes/no" else (values + chance) / 2,
            clusters=documents,
        )
        assert interval is not None
        inside += interval.low <= 0.7 <= interval.high
    assert inside >= 372


def simulated_scores(rng: np.random.Generator) -> Scores:
    """Four equal variants with two metrics that move together."""
    found = rng.binomial(4, np.broadcast_to(rng.beta(2, 2, 40), (4, 40)))
    values: dict[str, NDArray[np.float64]] = {
        "coverage": found / 4,
        "hit": (found > 0).astype(np.float64),
    }
    return Scores(
        items=[f"{item:02d}" for item in range(40)],
        variants=("a", "b", "c", "d"),
        status=np.ones((4, 40), dtype=np.uint8),
        values=values,
    )


def test_false_alarms_are_as_rare_as_promised_and_not_rarer():
    """Equal variants: 5% of runs have a verdict in the family, neither 1% nor 10%."""
    rng = np.random.default_rng(3)
    alarms = 0
    for seed in range(600):
        analysis = analyse(
            simulated_scores(rng), [COVERAGE, HIT], baseline="a", seed=seed, resamples=199
        )
        alarms += any(effect.verdict in {"better", "worse"} for effect in analysis.effects)
    assert 18 <= alarms <= 42


@pytest.mark.parametrize("direction", [1.0, -1.0])
@pytest.mark.parametrize("n", [20, 50, 100])
def test_many_small_gains_and_few_large_losses_give_no_false_verdict(n: int, direction: float):
    """90% of questions rise by .05 and 10% fall by .45, or the reverse: the mean difference is 0."""
    rng = np.random.default_rng(n)
    alarms = inside = 0
    for seed in range(400):
        change = direction * rng.choice([0.05, -0.45], size=n, p=[0.9, 0.1])
        effect = paired_effect(
            COVERAGE, "b", "a", 0.5 + change, np.full(n, 0.5), Method(seed=seed, resamples=999)
        )
        alarms += effect.verdict in {"better", "worse"}
        assert effect.interval is not None
        inside += effect.interval.low <= 1e-9 and effect.interval.high >= -1e-9
    assert alarms <= 28  # 7%: the error of 400 runs is added to the promised 5%
    assert inside >= 372


def asked_often(rng: np.random.Generator, related: float, variants: int, count: int = 20) -> Scores:
    """Equal variants on questions at 20 placements; a share of the answers repeats the first."""
    first = rng.random((variants, count, 1)) < 0.7
    others = rng.random((variants, count, 20)) < 0.7
    values = np.where(rng.random(others.shape) < related, first, others)
    return Scores(
        items=[f"{question:02d}::{place:02d}" for question in range(count) for place in range(20)],
        variants=("a", "b")[:variants],
        status=np.ones((variants, count * 20), dtype=np.uint8),
        values={"hit": values.reshape(variants, -1).astype(np.float64)},
        questions=np.repeat(np.arange(count), 20),
    )


@pytest.mark.parametrize("related", [1.0, 0.7, 0.0])
def test_questions_asked_at_many_placements_stand_for_others(related: float):
    """However related their answers are, the interval contains the truth in 93 of 100 runs."""
    rng = np.random.default_rng(11)
    inside = 0
    for _ in range(400):
        table = analyse(asked_often(rng, related, 1), [HIT], baseline=None)
        interval = table.variants[0].cells["hit"].interval
        assert interval is not None
        inside += interval.low <= 0.7 <= interval.high
    assert inside >= 372


@pytest.mark.parametrize("related", [1.0, 0.7, 0.0])
def test_questions_asked_at_many_placements_raise_no_false_alarms(related: float):
    """However related their answers are, equal variants get a verdict in about 5% of runs."""
    rng = np.random.default_rng(12)
    alarms = 0
    for seed in range(400):
        scores = asked_often(rng, related, 2)
        (effect,) = analyse(scores, [HIT], baseline="a", seed=seed, resamples=399).effects
        alarms += effect.verdict in {"better", "worse"}
    assert alarms <= 30
