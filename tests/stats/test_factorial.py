"""Factorial designs: effects of single switches, and of switches together."""

from itertools import product

import numpy as np
import pytest

from assay.errors import UseError
from assay.records import Metric
from assay.stats import Scores, contrasts, factorial_effects

MEAN = Metric(name="coverage", field="coverage")
RATE = Metric(name="cite_ok", field="cite_ok", kind="rate")
SLOW = Metric(name="p95", field="coverage", kind="p95")
LEVELS = {
    f"h{int(hyde)}r{int(rerank)}": {"hyde": hyde, "rerank": rerank}
    for hyde, rerank in product((False, True), repeat=2)
}


def design(n: int = 100) -> Scores:
    """HyDE adds 0.2 alone and 0.3 more with rerank, which adds nothing by itself."""
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


def test_effects_are_those_put_in():
    """Main effects average over the other switch; the interaction is what the pair adds."""
    found = {each.variant: each for each in factorial_effects(design(), [MEAN], LEVELS)}
    assert list(found) == ["hyde", "rerank", "hyde×rerank"]
    assert found["hyde"].difference == pytest.approx(0.35, abs=0.01)
    assert found["rerank"].difference == pytest.approx(0.15, abs=0.01)
    assert found["hyde×rerank"].difference == pytest.approx(0.3, abs=0.02)
    assert {each.verdict for each in found.values()} == {"better"}
    assert {each.test for each in found.values()} == {"wilcoxon"}


def test_rates_have_effects_and_percentiles_do_not():
    """Half steps of a rate go by their ranks; a percentile has no value for a single item."""
    found = factorial_effects(design(), [RATE, SLOW], LEVELS)
    assert [(each.variant, each.metric) for each in found] == [
        ("hyde", "cite_ok"),
        ("rerank", "cite_ok"),
        ("hyde×rerank", "cite_ok"),
    ]
    values = design().values["cite_ok"]
    assert found[0].difference == pytest.approx(values[2:].mean() - values[:2].mean())


def test_items_need_all_combinations():
    """An item that one combination lacks counts in no effect; a missing one leaves none."""
    scores = design()
    scores.values["coverage"][2, :7] = np.nan
    assert {each.n for each in factorial_effects(scores, [MEAN], LEVELS)} == {93}
    part = Scores(
        items=scores.items,
        variants=scores.variants[:3],
        status=scores.status[:3],
        values={"coverage": scores.values["coverage"][:3]},
    )
    assert {each.verdict for each in factorial_effects(part, [MEAN], LEVELS)} == {"too few"}


def test_three_switches_have_three_pairs():
    """Weights of each contrast sum to zero and are orthogonal to all others."""
    levels = [dict(zip("ABC", on, strict=True)) for on in product((False, True), repeat=3)]
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
    """Every combination must be there once."""
    with pytest.raises(UseError, match="every combination"):
        contrasts(levels)
