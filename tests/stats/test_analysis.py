"""The whole table: who counts, what is compared, and what is said about it."""

from typing import Any

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

from assay.errors import UseError
from assay.records import Metric, Tally
from assay.stats import Analysis, Effect, Scores, analyse, bca_mean, wilson
from assay.stats.effect import with_verdicts
from assay.stats.scores import FAILED, SCORED, SKIPPED

RATE = Metric(name="cite_ok", field="cite_ok", kind="rate")
MEAN = Metric(name="coverage", field="gold.coverage")
COST = Metric(name="tokens", field="tokens", better="lower")
SLOW = Metric(name="latency p95", field="elapsed_s", kind="p95", better="lower")
METRICS = (RATE, MEAN, COST, SLOW)


def scores(
    n: int = 200, *, seed: int = 0, gain: float = 0.2, clusters: NDArray[Any] | None = None
) -> Scores:
    """Three variants, of which ``good`` differs from ``base`` by the gain and ``same`` by chance."""
    rng = np.random.default_rng(seed)
    ability = rng.uniform(size=n)
    lift = np.array([[0.0], [gain], [0.0]])
    return Scores(
        items=[f"q{number}" for number in range(n)],
        variants=("base", "good", "same"),
        status=np.full((3, n), SCORED, dtype=np.uint8),
        values={
            "cite_ok": (rng.uniform(size=(3, n)) < ability + lift).astype(np.float64),
            "gold.coverage": np.round(ability + lift + rng.normal(0, 0.1, (3, n)), 2),
            "tokens": 100 * ability + 50 * lift + rng.normal(0, 5, (3, n)),
            "elapsed_s": rng.lognormal(lift, 0.3, (3, n)),
        },
        clusters=clusters,
    )


def effect(analysis: Analysis, variant: str, metric: Metric) -> Effect:
    """One effect of the table."""
    (found,) = (
        each for each in analysis.effects if (each.variant, each.metric) == (variant, metric.name)
    )
    return found


def test_table_holds_every_cell_and_effect():
    """A row for each variant, a cell for each metric, an effect for each other variant."""
    table = scores()
    found = analyse(table, METRICS, baseline="base")
    assert [row.name for row in found.variants] == ["base", "good", "same"]
    assert all(list(row.cells) == [metric.name for metric in METRICS] for row in found.variants)
    assert [(each.variant, each.metric) for each in found.effects] == [
        (variant, metric.name) for variant in ("good", "same") for metric in METRICS
    ]
    row, values = found.variants[1], table.values
    assert row.tally == Tally(scored=200)
    cell = row.cells["cite_ok"]
    assert cell.value == values["cite_ok"][1].mean()
    assert cell.interval == wilson(int(values["cite_ok"][1].sum()), 200)
    assert row.cells["coverage"].interval == bca_mean(values["gold.coverage"][1])
    assert row.cells["latency p95"].value == np.quantile(values["elapsed_s"][1], 0.95)
    assert found.comparisons == {"quality": 6}
    assert not found.clustered


def test_verdicts_follow_the_direction_of_the_metric():
    """More coverage is better, more tokens are worse, and chance is unclear."""
    found = analyse(scores(), METRICS, baseline="base")
    assert effect(found, "good", MEAN).verdict == "better"
    assert effect(found, "good", COST).verdict == "worse"
    assert {effect(found, "same", metric).verdict for metric in METRICS} == {"unclear"}
    neither = Metric(name="coverage", field="gold.coverage", better=None)
    neutral = effect(analyse(scores(), [neither], baseline="base"), "good", neither)
    assert neutral.verdict == "unclear"
    assert "neither way" in neutral.note


def test_each_kind_has_its_test():
    """McNemar for rates, Wilcoxon with permutation beside for means, none for percentiles."""
    found = analyse(scores(), METRICS, baseline="base")
    rate, mean, slow = (effect(found, "good", metric) for metric in (RATE, MEAN, SLOW))
    assert (rate.test, rate.p_permutation) == ("mcnemar-exact", None)
    assert rate.gained is not None
    assert rate.lost is not None
    assert rate.difference == pytest.approx((rate.gained - rate.lost) / 200)
    assert mean.test == "wilcoxon"
    assert mean.p_permutation == 1 / 10_001
    assert (slow.test, slow.p_value, slow.p_adjusted, slow.verdict) == ("", None, None, "unclear")
    assert slow.interval is not None
    assert slow.difference is not None
    assert slow.interval.low < slow.difference < slow.interval.high
    assert "no test" in slow.note


def test_holm_runs_over_the_whole_table():
    """The smallest p-value is multiplied by the number of comparisons."""
    found = analyse(scores(gain=0.03), METRICS, baseline="base")
    tested = [each for each in found.effects if each.p_value is not None]
    least = min(tested, key=lambda each: each.p_value or 1)
    assert len(tested) == found.comparisons["quality"] == 6
    assert least.p_adjusted == pytest.approx(6 * (least.p_value or 0))
    assert all((each.p_adjusted or 0) >= (each.p_value or 0) for each in tested)


def test_failed_and_skipped_cases_are_not_zeros():
    """A value behind a failure or a skip counts in no mean and no pair, only in the tally."""
    table = scores()
    status = table.status.copy()
    status[1, :10], status[1, 10:15] = FAILED, SKIPPED
    values = {name: array.copy() for name, array in table.values.items()}
    for array in values.values():
        array[1, :15] = 0.0
    holed = Scores(items=table.items, variants=table.variants, status=status, values=values)
    found = analyse(holed, METRICS, baseline="base")
    row = found.variants[1]
    assert row.tally == Tally(scored=185, failed=10, skipped=5)
    assert {cell.n for cell in row.cells.values()} == {185}
    assert row.cells["coverage"].value == pytest.approx(
        table.values["gold.coverage"][1, 15:].mean()
    )
    mean = effect(found, "good", MEAN)
    assert mean.n == 185
    assert mean.difference == pytest.approx(
        (table.values["gold.coverage"][1] - table.values["gold.coverage"][0])[15:].mean()
    )
    assert "15 items have a value in one of the two only" in mean.note
    assert effect(found, "same", MEAN).n == 200


def test_undefined_values_do_not_swallow_a_mean():
    """NaN and infinity are left out of value, count and pairs."""
    table = scores()
    table.values["gold.coverage"][0, 3] = np.nan
    table.values["gold.coverage"][1, 4] = np.inf
    found = analyse(table, [MEAN], baseline="base")
    assert [row.cells["coverage"].n for row in found.variants] == [199, 199, 200]
    assert all(np.isfinite(row.cells["coverage"].value or np.nan) for row in found.variants)
    assert [each.n for each in found.effects] == [198, 199]


def test_metric_nobody_has_is_undefined():
    """A field without values gives empty cells and effects without a verdict."""
    missing = Metric(name="kappa", field="kappa")
    late = Metric(name="kappa p50", field="kappa", kind="p50")
    found = analyse(scores(), [missing, late], baseline="base")
    for row in found.variants:
        assert (row.cells["kappa"].value, row.cells["kappa"].n) == (None, 0)
    for each in found.effects:
        assert (each.n, each.difference, each.interval, each.verdict) == (0, None, None, "too few")
    assert found.comparisons == {"quality": 0}


def test_no_item_at_all_is_no_error():
    """An empty run has a table of undefined cells."""
    found = analyse(scores(0), METRICS, baseline="base")
    assert all(cell.value is None for row in found.variants for cell in row.cells.values())


@pytest.mark.parametrize("n", [1, 2, 5])
def test_fewer_than_six_pairs_have_no_verdict(n: int):
    """Five pairs cannot reach 5%, so nothing is said of them but that."""
    for each in analyse(scores(n), METRICS, baseline="base").effects:
        assert each.verdict == "too few"
        assert "a verdict needs 6" in each.note


def test_too_few_stays_too_few_whatever_the_p_value():
    """No p-value turns "too few" into a verdict."""
    tiny = Effect(
        variant="good", baseline="base", metric="cite_ok", n=5, difference=1.0, p_value=1e-9
    )
    unclear, few = tiny, msgspec.structs.replace(tiny, verdict="too few")
    assert [each.verdict for each in with_verdicts([unclear, few], METRICS)] == [
        "better",
        "too few",
    ]


def test_fewer_than_six_changed_answers_have_no_verdict():
    """A rate is judged by the items that changed, however many there are."""
    table = scores(300)
    yes = np.ones((3, 300))
    yes[0, :5] = 0
    yes[2, :6] = 0
    table = Scores(
        items=table.items, variants=table.variants, status=table.status, values={"cite_ok": yes}
    )
    found = analyse(table, [RATE], baseline="base", pairs=[("good", "same")])
    five, one, six = found.effects
    assert (five.verdict, five.gained, five.lost) == ("too few", 5, 0)
    assert one.verdict == "too few"
    assert (six.baseline, six.verdict, six.gained) == ("same", "unclear", 6)
    assert six.p_adjusted == pytest.approx(3 * 0.03125)


def test_all_items_alike_say_so():
    """Where every item changed by the same, the interval has no width and the note says why."""
    table = scores(20)
    values = np.tile(np.linspace(0, 1, 20), (3, 1))
    values[1] += 0.1
    table = Scores(
        items=table.items,
        variants=table.variants,
        status=table.status,
        values={"gold.coverage": values},
    )
    shifted, equal = analyse(table, [MEAN], baseline="base").effects
    assert shifted.interval is not None
    assert shifted.interval.low == pytest.approx(shifted.interval.high)
    assert shifted.difference == pytest.approx(0.1)
    assert (equal.p_value, equal.difference, equal.verdict) == (None, 0.0, "unclear")
    assert "no spread" in shifted.note
    assert "no spread" in equal.note


def test_rate_of_something_else_is_refused():
    """Half a yes is no yes: the metric and the value are named."""
    table = scores()
    table.values["cite_ok"][1, 7] = 0.5
    with pytest.raises(UseError, match=r"cite_ok.*0\.5"):
        analyse(table, [RATE], baseline="base")


def test_unknown_variants_are_refused():
    """A baseline or pair that is not there is named beside those that are."""
    with pytest.raises(UseError, match="no variant 'fast'; there are: base, good, same"):
        analyse(scores(), METRICS, baseline="fast")
    with pytest.raises(UseError, match="'fast'"):
        analyse(scores(), METRICS, baseline=None, pairs=[("good", "fast")])


def test_without_baseline_nothing_is_compared():
    """No baseline, no pairs: cells only."""
    assert analyse(scores(), METRICS, baseline=None).effects == ()


def test_same_results_whatever_the_order():
    """Order of metrics and variants changes no number, and neither does a second run."""
    table = scores(120, gain=0.05, clusters=np.arange(120) // 4)
    turned = Scores(
        items=table.items,
        variants=table.variants[::-1],
        status=table.status[::-1],
        values={name: array[::-1] for name, array in table.values.items()},
        clusters=table.clusters,
    )
    first = analyse(table, METRICS, baseline="base")
    assert first == analyse(table, METRICS, baseline="base")
    other = analyse(turned, METRICS[::-1], baseline="base")
    assert {row.name: row for row in first.variants} == {row.name: row for row in other.variants}
    assert {(e.variant, e.metric): e for e in first.effects} == {
        (e.variant, e.metric): e for e in other.effects
    }
    assert first != analyse(table, METRICS, baseline="base", seed=1)


def test_documents_are_resampled_whole():
    """With five documents or more of several items, intervals and tests go by document."""
    found = analyse(scores(clusters=np.arange(200) // 8), METRICS, baseline="base")
    assert found.clustered
    assert {cell.interval.method for cell in found.variants[0].cells.values() if cell.interval} == {
        "cluster-bca",
        "cluster-percentile",
    }
    mean, rate = effect(found, "good", MEAN), effect(found, "good", RATE)
    assert (mean.test, rate.test) == ("cluster-permutation", "cluster-permutation")
    assert mean.p_permutation is None
    assert mean.verdict == "better"
    assert effect(found, "good", SLOW).interval is not None


@pytest.mark.parametrize("documents", [4, 200])
def test_documents_too_few_or_one_for_each_item_are_ignored(documents: int):
    """Four documents, or as many as items, leave items to be resampled; so does saying no."""
    found = analyse(scores(clusters=np.arange(200) % documents), METRICS, baseline="base")
    assert not found.clustered
    assert found.effects == analyse(scores(), METRICS, baseline="base").effects
    off = analyse(scores(clusters=np.arange(200) % 20), METRICS, baseline="base", clustered=False)
    assert off.effects == found.effects


def test_latency_does_not_shift_the_verdicts_of_scores():
    """Seconds differ from run to run, so they are corrected in a family of their own."""
    late = Metric(name="late", field="elapsed_s", better="lower", unit="s")
    alone = analyse(scores(gain=0.03), [MEAN], baseline="base")
    beside = analyse(scores(gain=0.03), [MEAN, late], baseline="base")
    assert beside.comparisons == {"quality": 2, "latency": 2}
    assert effect(beside, "good", MEAN) == effect(alone, "good", MEAN)


def test_few_documents_are_not_resampled():
    """Nine give too few draws: the verdict is about their items, and the analysis says how many."""
    nine = analyse(scores(clusters=np.arange(200) % 9), [MEAN], baseline="base")
    ten = analyse(scores(clusters=np.arange(200) % 10), [MEAN], baseline="base")
    assert (nine.clustered, nine.documents) == (False, 9)
    assert (ten.clustered, ten.documents) == (True, 10)
    assert effect(nine, "good", MEAN).test == "wilcoxon"
    assert effect(ten, "good", MEAN).test == "cluster-permutation"


def test_documents_of_one_item_do_not_count():
    """A source that holds one question each says nothing of clustering."""
    found = analyse(scores(clusters=np.arange(200)), [MEAN], baseline="base")
    assert (found.clustered, found.documents) == (False, 0)


def test_rate_without_exception_keeps_width_over_documents():
    """All right in ten documents is ten for ten, not a certainty."""
    table = scores(100, clusters=np.arange(100) // 10)
    table.values["cite_ok"][:] = 1.0
    cell = analyse(table, [RATE], baseline=None).variants[0].cells["cite_ok"]
    ten = wilson(10, 10)
    assert cell.interval is not None
    assert ten is not None
    assert (cell.interval.low, cell.interval.method) == (ten.low, "cluster-wilson")


def test_level_is_that_of_all_intervals():
    """Another level widens every interval and stands in each; verdicts stay at 5%."""
    usual = analyse(scores(), METRICS, baseline="base")
    wide = analyse(scores(), METRICS, baseline="base", level=0.99)
    for one, other in zip(usual.effects, wide.effects, strict=True):
        assert one.interval is not None
        assert other.interval is not None
        assert other.interval.level == 0.99
        assert other.interval.low < one.interval.low
        assert other.verdict == one.verdict


def test_narrow_numbers_give_the_same_verdicts():
    """Columns in single precision tell the same story."""
    table = scores()
    narrow = Scores(
        items=table.items,
        variants=table.variants,
        status=table.status,
        values={name: array.astype(np.float32) for name, array in table.values.items()},
    )
    wide, small = (analyse(each, METRICS, baseline="base") for each in (table, narrow))
    for one, other in zip(wide.effects, small.effects, strict=True):
        assert (one.verdict, one.gained, one.lost) == (other.verdict, other.gained, other.lost)
        assert one.difference == pytest.approx(other.difference, rel=1e-4)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"items": ["a", "a", "b"]}, "item stands twice"),
        ({"variants": ("x", "x")}, "variant stands twice"),
        ({"status": np.ones((2, 4), dtype=np.uint8)}, "status: shape"),
        ({"values": {"f": np.ones((3, 3))}}, "f: shape"),
        ({"clusters": np.zeros(4, dtype=int)}, "clusters: shape"),
    ],
)
def test_scores_that_do_not_fit_are_refused(change: dict[str, Any], message: str):
    """Arrays of other shapes and names that repeat are found before anything is computed."""
    whole: dict[str, Any] = {
        "items": ["a", "b", "c"],
        "variants": ("x", "y"),
        "status": np.ones((2, 3), dtype=np.uint8),
        "values": {"f": np.ones((2, 3))},
    }
    Scores(**whole)
    with pytest.raises(ValueError, match=message):
        Scores(**(whole | change))


def test_yes_no_columns_may_be_booleans():
    """True and False are 1 and 0."""
    flags = np.array([[True] * 9 + [False]])
    table = Scores(
        items=[str(number) for number in range(10)],
        variants=("only",),
        status=np.ones((1, 10), dtype=np.uint8),
        values={"cite_ok": flags},  # type: ignore[dict-item]
    )
    cell = analyse(table, [RATE], baseline="only").variants[0].cells["cite_ok"]
    assert (cell.value, cell.n) == (0.9, 10)
