"""Groups of questions: their effects, and whether the effect differs between them."""

import numpy as np
import pytest

from assay.records import Metric
from assay.stats.effect import Method
from assay.stats.scores import SCORED, Scores
from assay.stats.subgroup import (
    Comparison,
    Grouping,
    group_p_value,
    opposite_effects,
    subgroups,
)

SCORE = Metric(name="score", field="score")
TIMES = Metric(name="p95", field="score", kind="p95", unit="s", better="lower")


def comparison(
    changes: dict[str, np.ndarray], metric: Metric = SCORE, **more: object
) -> Comparison:
    """Variants that differ from the baseline by ``changes``."""
    n = len(next(iter(changes.values())))
    values = np.array([np.full(n, 0.5), *(0.5 + each for each in changes.values())])
    scores = Scores(
        items=[f"q{number:03d}" for number in range(n)],
        variants=("base", *changes),
        status=np.full(values.shape, SCORED, np.uint8),
        values={"score": values},
    )
    given = {"method": Method(resamples=999), "baseline": "base", **more}
    return Comparison(scores=scores, metric=metric, **given)  # type: ignore[arg-type]


def grouping(field: str, *sizes: int) -> Grouping:
    """Groups of these sizes, one after the other."""
    labels = tuple("abcdefgh"[: len(sizes)])
    return Grouping(field=field, labels=labels, codes=np.repeat(np.arange(len(sizes)), sizes))


def drawn(seed: int, *means: float, n: int = 20) -> np.ndarray:
    """Differences of ``n`` questions in each group around these means."""
    rng = np.random.default_rng(seed)
    return np.concatenate([rng.normal(mean, 0.1, n) for mean in means])


def test_an_effect_that_differs_is_found_and_one_that_does_not_is_not():
    """Equal means with unequal spreads are no difference."""
    groups = np.repeat([0, 1], 20)
    assert group_p_value(drawn(1, 0.2, -0.1), groups, resamples=999) == pytest.approx(0.001)
    rng = np.random.default_rng(2)
    uneven = np.concatenate([rng.normal(0.1, 0.02, 30), rng.normal(0.1, 0.4, 10)])
    p = group_p_value(uneven, np.repeat([0, 1], [30, 10]), resamples=999)
    assert p is not None
    assert p > 0.2


@pytest.mark.parametrize(
    ("changes", "sizes"),
    [
        (np.linspace(0, 1, 14), (10, 4)),  # only one group has five questions
        (np.r_[np.zeros(16), np.ones(4)], (10, 10)),  # four changes
        (np.full(20, 0.25), (10, 10)),  # all alike
        (np.full(20, np.nan), (10, 10)),
    ],
)
def test_too_little_to_tell_has_no_p_value(changes: np.ndarray, sizes: tuple[int, ...]):
    """Few questions, few changes or no spread give no p-value instead of a small one."""
    groups = np.repeat(np.arange(len(sizes)), sizes)
    assert group_p_value(changes, groups, resamples=99) is None


def test_small_groups_are_left_out_of_the_test():
    """A group of four questions changes nothing, however far off it is."""
    changes = np.r_[drawn(3, 0.1, 0.1), np.full(4, -1.0)]
    groups = np.repeat([0, 1, 2], [20, 20, 4])
    with_small = group_p_value(changes, groups, resamples=999, seed=5)
    assert with_small == group_p_value(changes[:40], groups[:40], resamples=999, seed=5)


@pytest.mark.parametrize("is_divided", [False, True])
def test_documents_are_the_units(is_divided: bool):
    """What only differs between documents is no difference between groups of these documents."""
    rng = np.random.default_rng(7)
    documents = np.repeat(np.arange(16), 12)
    groups = documents % 2
    of_documents = 0.15 * (np.arange(16) % 2) + np.repeat(np.linspace(-0.4, 0.4, 8), 2)
    changes = of_documents[documents] + rng.normal(0, 0.05, len(documents))
    if is_divided:
        groups = np.where(rng.random(len(groups)) < 0.1, 1 - groups, groups)
    alone = group_p_value(changes, groups, resamples=999)
    whole = group_p_value(changes, groups, documents, resamples=999)
    assert alone is not None
    assert whole is not None
    assert alone < 0.02
    assert whole > 0.1


@pytest.mark.parametrize("kind", ["normal", "uneven", "rare", "yes/no", "documents"])
def test_the_error_is_at_most_six_percent(kind: str):
    """In 300 runs without a difference, at most 24 are called one (6 % and three standard errors)."""
    found = 0
    for seed in range(300):
        rng = np.random.default_rng(seed)
        groups, units = np.repeat([0, 1, 2], [6, 12, 22]), None
        changes = rng.normal(0.1, 1, 40)
        if kind == "uneven":
            changes *= np.array([4.0, 2.0, 1.0])[groups]
        if kind == "rare":  # a group may have no large loss, and then hardly any spread
            changes = np.where(rng.random(40) < 0.1, -0.8, 0.1) + 0.02 * changes
        if kind == "yes/no":
            changes = rng.choice([1.0, 0.0, -1.0], 40, p=[0.1, 0.8, 0.1])
        if kind == "documents":
            units = np.repeat(np.arange(20), 2)
            groups, changes = rng.integers(0, 2, 40), changes + rng.normal(0, 1, 20)[units]
        p = group_p_value(changes, groups, units, resamples=99, seed=seed)
        found += p is not None and p <= 0.05
    assert found <= 24


def test_groups_have_values_differences_and_verdicts_that_are_corrected_together():
    """A group of fewer than five questions has a difference without interval and verdict."""
    compared = comparison(
        {"new": np.r_[drawn(1, 0.2, -0.2), np.full(3, 0.1)], "same": drawn(2, 0.0, n=43)}
    )
    (found,) = subgroups(compared, [grouping("language", 20, 20, 3)])
    up, down, small = found.groups
    assert [group.questions for group in found.groups] == [20, 20, 3]
    assert [group.effects["new"].verdict for group in (up, down)] == ["better", "worse"]
    assert up.effects["same"].verdict == "unclear"
    assert (up.effects["new"].p_adjusted or 0) >= (up.effects["new"].p_value or 0)
    assert small.effects["new"].interval is None
    assert small.effects["new"].verdict == "too few"
    assert small.effects["new"].difference == pytest.approx(0.1)
    assert set(small.cells) == {"base", "new", "same"}
    assert [test.groups for test in found.tests] == [2, 2]


def test_tests_are_corrected_over_variants_and_fields():
    """Two variants in two fields are four tests by Holm."""
    compared = comparison({"new": drawn(1, 0.2, -0.2), "other": drawn(2, 0.05, 0.0)})
    found = subgroups(compared, [grouping("language", 20, 20), grouping("kind", 10, 30)])
    tests = [test for each in found for test in each.tests]
    assert len(tests) == 4
    least = min(tests, key=lambda test: test.p_value or 1)
    assert least.p_adjusted == pytest.approx(4 * (least.p_value or 0))


def test_a_percentile_and_a_variant_that_is_not_compared_have_no_test():
    """Both have values; the percentile also has differences."""
    changes = {"new": drawn(1, 0.2, -0.2)}
    (found,) = subgroups(comparison(changes, TIMES), [grouping("language", 20, 20)])
    assert found.tests == ()
    assert found.groups[0].effects["new"].p_value is None
    (left_out,) = subgroups(comparison(changes, excluded=["new"]), [grouping("language", 20, 20)])
    assert (left_out.groups[0].effects, left_out.tests) == ({}, ())
    assert left_out.groups[0].cells["new"].n == 20


def test_opposite_effects_are_those_shown_on_both_sides():
    """Not if one side is not shown, and not in a field that mixes the groups."""
    fields = [grouping("language", 20, 20), grouping("kind", 10, 30)]
    (found,) = opposite_effects(comparison({"new": drawn(1, 0.2, -0.2)}), fields)
    assert (found.field, found.variant) == ("language", "new")
    assert (found.higher[0], found.lower[0]) == ("a", "b")
    assert opposite_effects(comparison({"new": drawn(1, 0.2, 0.0)}), fields) == []
    assert opposite_effects(comparison({"new": drawn(1, 0.2, -0.2)}, TIMES), fields) == []


def test_more_groups_looked_at_make_opposite_effects_harder_to_show():
    """All groups of all fields are corrected together."""
    changes = {"new": np.random.default_rng(4).normal(0, 0.1, 40) + np.repeat([0.08, -0.08], 20)}
    one = grouping("language", 20, 20)
    rng = np.random.default_rng(0)
    mixed = (rng.permutation(np.repeat([0, 1], 20)) for _ in range(60))
    many = [
        Grouping(field=f"f{number}", labels=("a", "b"), codes=codes)
        for number, codes in enumerate(mixed)
    ]
    assert opposite_effects(comparison(changes), [one])
    assert not opposite_effects(comparison(changes), [one, *many])
