"""Families of comparisons: test, correction, interval and verdict never contradict each other."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from assay.records import Metric
from assay.stats.analysis import analyse
from assay.stats.comparison import column_of, paired_comparison, paired_effect
from assay.stats.difference import mcnemar, share_of_others
from assay.stats.effect import Effect, Method
from assay.stats.family import family_effects, needed_changes
from assay.stats.flip import MOST_FLIPPED
from assay.stats.scores import Scores

MRR = Metric(name="mrr", field="mrr")
HIT = Metric(name="hit", field="hit")
LATE = Metric(name="late", field="late", better="lower", unit="s")
COPY = Metric(name="copy", field="mrr")

SCORE = st.sampled_from([0.0, 0.25, 1 / 3, 0.5, 0.7, 1.0])
LATENCY = st.floats(0.01, 50)
FEW_DRAWS = Method(resamples=199)


def table(*fields: str, values: NDArray[np.float64], clusters: Any = None) -> Scores:
    """Scores with one array for each field, whose rows are the variants a (the baseline), b, c."""
    _, variants, items = values.shape
    return Scores(
        items=[str(item) for item in range(items)],
        variants=tuple("abcdef"[:variants]),
        status=np.ones((variants, items), dtype=np.uint8),
        values=dict(zip(fields, values, strict=True)),
        clusters=clusters,
    )


def leaves_out_zero(effect: Effect) -> bool:
    """Whether the interval of the test leaves out 0; an unknown interval leaves out nothing."""
    return effect.interval is not None and not effect.interval.low <= 0 <= effect.interval.high


def drawn_values(data: st.DataObject, metrics: int) -> NDArray[np.float64]:
    """Values of some metrics, two or three variants and up to forty items; some are undefined."""
    variants, items = data.draw(st.integers(2, 3)), data.draw(st.integers(1, 40))
    kind = data.draw(st.sampled_from([SCORE, st.sampled_from([0.0, 1.0]), LATENCY]))
    size = metrics * variants * items
    values = np.array(data.draw(st.lists(kind, min_size=size, max_size=size)))
    missing = data.draw(st.lists(st.integers(0, size - 1), max_size=3))
    values[missing] = np.nan
    return values.reshape(metrics, variants, items)


def check(effect: Effect, level: float) -> None:
    """Assert everything that must hold for a single effect."""
    if effect.p_adjusted is None:
        assert effect.verdict == "too few"
        assert not leaves_out_zero(effect)
        return
    assert effect.p_value is not None
    assert effect.difference is not None
    assert 0 < effect.p_value <= effect.p_adjusted <= 1
    if effect.interval is not None:
        assert leaves_out_zero(effect) == (effect.p_adjusted < 1 - level)
        assert effect.interval.low < effect.interval.high
        assert effect.interval.low <= effect.difference <= effect.interval.high
    if effect.verdict in {"better", "worse"}:
        assert effect.p_adjusted < 0.05
        is_better = (effect.difference > 0) == (effect.metric != "late")
        assert effect.verdict == ("better" if is_better else "worse")
    elif effect.verdict == "too few":
        assert effect.p_adjusted >= 0.05
    else:
        assert effect.p_adjusted >= 0.05


@settings(max_examples=100, deadline=None)
@given(st.data(), st.sampled_from([0.9, 0.95]), st.booleans())
def test_interval_test_and_verdict_say_the_same(data: st.DataObject, level: float, clustered: bool):
    """The p-value is small exactly if the interval leaves out 0, and the verdict follows both."""
    values = drawn_values(data, 2)
    items = values.shape[2]
    clusters = np.arange(items) // 2 if clustered else None
    scores = table("mrr", "late", values=values, clusters=clusters)
    analysis = analyse(scores, [MRR, LATE], baseline="a", primary="mrr", level=level, resamples=199)
    for effect in analysis.effects:
        check(effect, level)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_an_equal_metric_costs_nothing(data: st.DataObject):
    """A copy of a metric in the same family changes no number of the first one."""
    values = drawn_values(data, 2)
    scores = table("mrr", "hit", values=values)
    without = analyse(scores, [MRR, HIT], baseline="a", resamples=199).effects
    with_copy = analyse(scores, [MRR, HIT, COPY], baseline="a", resamples=199).effects
    assert [effect for effect in with_copy if effect.metric != "copy"] == list(without)


@settings(max_examples=60, deadline=None)
@given(st.data(), st.randoms(use_true_random=False))
def test_the_order_of_items_variants_and_metrics_changes_nothing(data: st.DataObject, random: Any):
    """Random signs belong to values and not to places, so any order gives the same p-values."""
    values = drawn_values(data, 2)
    _, variants, items = values.shape
    order = random.sample(range(items), items)
    first = analyse(table("mrr", "hit", values=values), [MRR, HIT], baseline="a", resamples=199)
    shuffled = Scores(
        items=[str(item) for item in order],
        variants=tuple("abc"[:variants])[::-1],
        status=np.ones((variants, items), dtype=np.uint8),
        values={"mrr": values[0][::-1][:, order], "hit": values[1][::-1][:, order]},
    )
    second = analyse(shuffled, [HIT, MRR], baseline="a", resamples=199)
    known = {(effect.metric, effect.variant): effect for effect in second.effects}
    for effect in first.effects:
        other = known[effect.metric, effect.variant]
        assert (effect.p_value, effect.p_adjusted) == (other.p_value, other.p_adjusted)
        assert (effect.verdict, effect.needed) == (other.verdict, other.needed)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(SCORE, SCORE), min_size=1, max_size=40))
def test_swapping_the_sides_mirrors_everything(pairs: list[tuple[float, float]]):
    """The baseline compared with the variant has the same p-value and the opposite interval."""
    values, base = np.array(pairs).T
    one = paired_effect(MRR, "b", "a", values, base, FEW_DRAWS)
    other = paired_effect(MRR, "a", "b", base, values, FEW_DRAWS)
    assert one.p_adjusted == other.p_adjusted
    assert (one.gained, one.lost) == (other.lost, other.gained)
    assert one.interval is None or other.interval is not None
    if one.interval is not None and other.interval is not None:
        assert one.interval.low == pytest.approx(-other.interval.high, abs=1e-12)
        assert one.interval.high == pytest.approx(-other.interval.low, abs=1e-12)


def test_many_small_gains_do_not_outvote_few_large_losses():
    """22 questions fall by .20 and 78 rise by .05: the mean fell by .005, which noise explains."""
    base = np.full(100, 0.5)
    values = base + np.repeat([-0.20, 0.05], [22, 78])
    effect = paired_effect(MRR, "new", "old", values, base, Method())
    assert effect.difference == pytest.approx(-0.005)
    assert effect.verdict == "unclear"
    assert effect.p_value == pytest.approx(0.63, abs=0.02)
    assert effect.test == "permutation"


def test_yes_no_scores_of_any_metric_are_tested_as_yes_no():
    """A mean whose values are all 0 or 1 gets McNemar's test, whatever the metric says."""
    values, base = np.repeat([1.0, 0.0, 1.0], [9, 2, 30]), np.repeat([0.0, 1.0, 1.0], [9, 2, 30])
    effect = paired_effect(MRR, "new", "old", values, base, Method())
    assert effect.test == "mcnemar-mid-p"
    assert effect.p_value == effect.p_adjusted == mcnemar(9, 2)


def test_the_primary_metric_is_a_family_of_its_own():
    """Other metrics do not weaken the primary one; every effect and count names its family."""
    rng = np.random.default_rng(3)
    values = rng.uniform(size=(3, 4, 60))
    values[0, 1] = np.clip(values[0, 0] + 0.12 + rng.normal(0, 0.3, 60), 0, 1)
    scores = table("mrr", "hit", "late", values=values)
    alone = analyse(scores, [MRR], baseline="a", primary="mrr")
    together = analyse(scores, [MRR, HIT, LATE], baseline="a", primary="mrr")
    assert [e for e in together.effects if e.metric == "mrr"] == list(alone.effects)
    assert {e.metric: e.family for e in together.effects} == {
        "mrr": "primary",
        "hit": "quality",
        "late": "latency",
    }
    assert together.comparisons == {"primary": 3, "quality": 3, "latency": 3}
    assert (together.primary, analyse(scores, [MRR], baseline="a").primary) == ("mrr", None)
    without = analyse(scores, [MRR, HIT, LATE], baseline="a")
    assert without.comparisons == {"quality": 6, "latency": 3}
    assert {e.family for e in without.effects} == {"quality", "latency"}


def test_more_comparisons_need_more_and_detect_less():
    """In a larger family a verdict needs more changed items and a larger difference."""
    rng = np.random.default_rng(1)
    values = rng.integers(0, 2, size=(1, 6, 200)).astype(float)
    scores = table("hit", values=values)
    alone = analyse(scores, [HIT], baseline=None, pairs=[("b", "a")]).effects[0]
    together = analyse(scores, [HIT], baseline="a").effects[0]
    assert (alone.needed, alone.p_value) == (5, together.p_value)
    assert together.needed is not None
    assert together.needed > 5
    assert alone.detectable is not None
    assert together.detectable is not None
    assert together.detectable > 1.1 * alone.detectable
    assert alone.plain_interval == together.plain_interval
    assert alone.interval is not None
    assert together.interval is not None
    assert together.interval.low < alone.interval.low < alone.interval.high
    assert together.interval.high > alone.interval.high


def test_the_number_of_changes_that_is_needed_is_printed():
    """The note of "too few" says how many items changed and how many a verdict needs."""
    values = np.ones(40)
    base = np.repeat([0.0, 1.0], [4, 36])
    effect = paired_effect(HIT, "new", "old", values, base, Method())
    assert (effect.verdict, effect.needed) == ("too few", 5)
    assert "4 items changed; a verdict needs 5" in str(effect.note)
    effect = paired_effect(HIT, "new", "old", values[:7], np.repeat([0.0, 1.0], [1, 6]), Method())
    assert "1 item changed; a verdict needs 5" in str(effect.note)
    assert needed_changes(np.sqrt(9)) == 10


def test_an_impossible_difference_is_not_called_detectable():
    """Four scores cannot show a difference of more than one point, so nothing is detectable."""
    effect = paired_effect(MRR, "new", "old", np.array([0.2, 1, 1, 1]), np.full(4, 0.9), Method())
    assert (effect.verdict, effect.detectable) == ("too few", None)


@pytest.mark.parametrize(("size", "verdict"), [(0.1, "unclear"), (0.5, "better")])
def test_equal_changes_still_have_a_width(size: float, verdict: str):
    """If all items change alike, others could still have changed otherwise; the test knows it too."""
    base = np.linspace(0, 0.5, 20)
    effect = paired_effect(MRR, "new", "old", base + size, base, Method())
    assert effect.interval is not None
    assert effect.verdict == verdict
    assert effect.interval.low < size - 0.1
    assert effect.interval.high > size + 0.05


@pytest.mark.parametrize("n", [1, 2, 5])
def test_few_items_have_a_wide_interval_or_none(n: int):
    """Up to five equal scores leave room for large changes, and five latencies say nothing."""
    effect = paired_effect(MRR, "new", "old", np.ones(n), np.ones(n), Method())
    assert effect.verdict == "too few"
    assert effect.interval is None or effect.interval.high - effect.interval.low > 0.8
    late = paired_effect(LATE, "new", "old", np.arange(n) + 2.0, np.ones(n), Method())
    assert (late.interval, late.plain_interval, late.verdict) == (None, None, "too few")


def test_long_runs_agree_with_flips():
    """Above 20,000 items p-values agree with those of the flips."""
    rng = np.random.default_rng(5)
    items = MOST_FLIPPED + 1
    dense = np.clip(rng.uniform(size=(3, items)) + np.array([[0.0], [0.003], [0.0]]), 0, 1)
    rare = np.zeros((3, items))
    rare[1, :7], rare[2, 5:8] = 0.5, 0.25
    long = table("mrr", "hit", values=np.stack([dense, rare]))
    short = table("mrr", "hit", values=np.stack([dense[:, :-1], rare[:, :-1]]))
    limit, flipped = (
        {(e.metric, e.variant): e for e in analyse(scores, [MRR, HIT], baseline="a").effects}
        for scores in (long, short)
    )
    for key, effect in limit.items():
        if key[0] == "mrr":
            assert effect.p_adjusted == pytest.approx(flipped[key].p_adjusted, abs=0.06)
        assert effect.verdict == flipped[key].verdict
    assert limit["hit", "c"].verdict == "too few"


def test_documents_are_flipped_whole_also_if_there_are_very_many():
    """With more than 20,000 documents, the limit of flipped documents is drawn."""
    rng = np.random.default_rng(2)
    documents = MOST_FLIPPED + 100
    clusters = np.repeat(np.arange(documents), 2)
    values = rng.uniform(size=(1, 3, 2 * documents))
    values[0, 1] = np.clip(values[0, 0] + 0.01, 0, 1)
    analysis = analyse(table("mrr", values=values, clusters=clusters), [MRR], baseline="a")
    better, same = analysis.effects
    assert (better.test, better.verdict) == ("cluster-permutation", "better")
    assert same.verdict == "unclear"


def test_a_family_without_changes_has_intervals_and_no_p_values():
    """If nothing differs, nothing is tested, and scores still have an interval around 0."""
    column = column_of(MRR, np.full(30, 0.5))
    (effect,) = family_effects(
        [paired_comparison(MRR, "b", "a", column, column)], "primary", Method()
    )
    assert (effect.p_value, effect.p_adjusted, effect.verdict) == (None, None, "too few")
    assert effect.interval is not None
    assert effect.interval.low == -effect.interval.high
    assert effect.at_most == share_of_others(30)
