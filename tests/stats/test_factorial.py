"""Factorial designs: the effects of single switches and the interactions of pairs."""

from itertools import product

import numpy as np
import pytest

from assay.errors import UseError
from assay.records import Metric
from assay.stats.analysis import contrasts, factorial_effects
from assay.stats.scores import Scores

MEAN = Metric(name="coverage", field="coverage")
RATE = Metric(name="cite_ok", field="cite_ok", kind="rate")
SLOW = Metric(name="p95", field="coverage", kind="p95")
LEVELS = {
    f"h{int(hyde)}r{int(rerank)}": {"hyde": hyde, "rerank": rerank}
    for hyde, rerank in product((False, True), repeat=2)
}


def design(n: int = 100) -> Scores:
    """HyDE alone adds 0.2, rerank alone adds nothing, and both together add 0.5."""
    rng = np.random.default_rng(0)
    ability = rng.uniform(size=n)
    lift = np.array([[0.0], [0.0], [0.2], [0.5]])
    noise = rng.normal(0, 0.02, (4, n))
    return Scores(
        items=[str(number) for number in range(n)],
        variants=tuple(LEVELS),
        status=np.ones((4, n), dtype=np.uint8),
        values={
            "coverage": ability + lift + noise,
            "cite_ok": (ability + lift > 0.5).astype(np.float64),
        },
    )


def test_effects_are_those_of_the_simulation():
    """A main effect averages over the other switch; the interaction is the pair's extra gain."""
    effects = {effect.variant: effect for effect in factorial_effects(design(), [MEAN], LEVELS)}
    assert list(effects) == ["hyde", "rerank", "hyde×rerank"]
    assert effects["hyde"].difference == pytest.approx(0.35, abs=0.01)
    assert effects["rerank"].difference == pytest.approx(0.15, abs=0.01)
    assert effects["hyde×rerank"].difference == pytest.approx(0.3, abs=0.02)
    assert {effect.verdict for effect in effects.values()} == {"better"}
    assert {effect.test for effect in effects.values()} == {"permutation"}


def test_the_primary_metric_has_a_family():
    """The effects on the metric that was chosen in advance are corrected by themselves."""
    alone = factorial_effects(design(), [MEAN], LEVELS, primary="coverage")
    both = factorial_effects(design(), [MEAN, RATE], LEVELS, primary="coverage")
    assert {effect.family for effect in alone} == {"primary"}
    assert [effect for effect in both if effect.metric == "coverage"] == list(alone)


def test_rates_have_effects_and_percentiles_do_not():
    """A rate has effects; a percentile has none, because a single item has no percentile."""
    effects = factorial_effects(design(), [RATE, SLOW], LEVELS)
    assert [(effect.variant, effect.metric) for effect in effects] == [
        ("hyde", "cite_ok"),
        ("rerank", "cite_ok"),
        ("hyde×rerank", "cite_ok"),
    ]
    values = design().values["cite_ok"]
    assert effects[0].difference == pytest.approx(values[2:].mean() - values[:2].mean())


def test_items_need_all_combinations():
    """An item is used only if all combinations have it; without a combination none is used."""
    scores = design()
    scores.values["coverage"][2, :7] = np.nan
    assert {effect.n for effect in factorial_effects(scores, [MEAN], LEVELS)} == {93}
    incomplete = Scores(
        items=scores.items,
        variants=scores.variants[:3],
        status=scores.status[:3],
        values={"coverage": scores.values["coverage"][:3]},
    )
    verdicts = {effect.verdict for effect in factorial_effects(incomplete, [MEAN], LEVELS)}
    assert verdicts == {"too few"}


def test_three_switches_have_three_pairs():
    """Three switches have three main effects and three interactions.

    The weights of each sum to zero and are orthogonal to the weights of the others.
    """
    levels = [dict(zip("ABC", states, strict=True)) for states in product((False, True), repeat=3)]
    weights = contrasts(levels)
    assert list(weights) == ["A", "B", "C", "A×B", "A×C", "B×C"]
    matrix = np.array(list(weights.values()))
    assert matrix.sum(axis=1).tolist() == [0.0] * 6
    assert np.allclose(matrix @ matrix.T, np.diag(np.diag(matrix @ matrix.T)))


@pytest.mark.parametrize(
    "levels",
    [
        [],
        [{}],
        [{"A": True}],
        [{"A": True}, {"A": True}],
        [{"A": True}, {"B": False}],
        [{"A": True, "B": True}, {"A": False, "B": False}, {"A": True, "B": False}],
    ],
)
def test_incomplete_designs_are_refused(levels: list[dict[str, bool]]):
    """A design is refused unless every combination appears exactly once."""
    with pytest.raises(UseError, match="every combination"):
        contrasts(levels)
