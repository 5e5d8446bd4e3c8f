"""The complete analysis: which values are used, what is compared, and which verdicts result."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from assay.errors import UseError
from assay.records import Metric, Tally
from assay.stats.analysis import Analysis, analyse
from assay.stats.difference import mcnemar
from assay.stats.effect import Effect
from assay.stats.interval import wilson
from assay.stats.mean_interval import mean_interval
from assay.stats.scores import FAILED, SCORED, SKIPPED, Scores

RATE = Metric(name="cite_ok", field="cite_ok", kind="rate")
MEAN = Metric(name="coverage", field="gold.coverage")
COST = Metric(name="tokens", field="tokens", better="lower")
SLOW = Metric(name="latency p95", field="elapsed_s", kind="p95", better="lower")
METRICS = (RATE, MEAN, COST, SLOW)


def scores(
    n: int = 200, *, seed: int = 0, gain: float = 0.2, clusters: NDArray[Any] | None = None
) -> Scores:
    """Three variants: ``good`` differs from ``base`` by the gain, ``same`` only by chance."""
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
    """The effect of one variant on one metric."""
    (match,) = (
        item for item in analysis.effects if (item.variant, item.metric) == (variant, metric.name)
    )
    return match


def test_table_holds_every_cell_and_effect():
    """There is a row for each variant, a cell for each metric, and an effect for each comparison."""
    table = scores()
    analysis = analyse(table, METRICS, baseline="base")
    assert [row.name for row in analysis.variants] == ["base", "good", "same"]
    assert all(list(row.cells) == [metric.name for metric in METRICS] for row in analysis.variants)
    assert [(item.variant, item.metric) for item in analysis.effects] == [
        (variant, metric.name) for variant in ("good", "same") for metric in METRICS
    ]
    row, values = analysis.variants[1], table.values
    assert row.tally == Tally(scored=200)
    cell = row.cells["cite_ok"]
    assert cell.value == values["cite_ok"][1].mean()
    assert cell.interval == wilson(int(values["cite_ok"][1].sum()), 200)
    assert row.cells["coverage"].interval == mean_interval(values["gold.coverage"][1])
    assert row.cells["latency p95"].value == np.quantile(values["elapsed_s"][1], 0.95)
    assert analysis.comparisons == {"quality": 6}
    assert (analysis.unit, analysis.estimand) == ("item", None)


def test_a_band_is_as_exact_as_its_value():
    """Yes/no columns have half the precision; the end that is the value equals it."""
    metric = Metric(name="right", field="scores.right", kind="rate")
    values = np.array([[1.0, 0.0, 0.0]] * 37, dtype=np.float32).reshape(1, -1)
    low, high = values.copy(), values.copy()
    low[:], high[:] = np.nan, np.nan
    low[0, 1], high[0, 1] = 0.0, 1.0
    columns = {"scores.right": values, metric.bounds[0]: low, metric.bounds[1]: high}
    found = analyse(
        Scores(
            items=[f"q{number}" for number in range(111)],
            variants=("base",),
            status=np.full((1, 111), SCORED, dtype=np.uint8),
            values=columns,
        ),
        [metric],
        baseline="base",
    )
    cell = found.variants[0].cells["right"]
    assert cell.band is not None
    assert (cell.band.low, cell.band.high) == (cell.value, 38 / 111)


def test_verdicts_follow_the_direction_of_the_metric():
    """More coverage is better, more tokens are worse, and a random difference is unclear."""
    analysis = analyse(scores(), METRICS, baseline="base")
    assert effect(analysis, "good", MEAN).verdict == "better"
    assert effect(analysis, "good", COST).verdict == "worse"
    assert {effect(analysis, "same", metric).verdict for metric in METRICS} == {"unclear"}
    neither = Metric(name="coverage", field="gold.coverage", better=None)
    neutral = effect(analyse(scores(), [neither], baseline="base"), "good", neither)
    assert neutral.verdict == "unclear"
    assert "neither direction" in str(neutral.note)


def test_each_kind_has_its_test():
    """Rates use McNemar's test, means the flips of their sign, and percentiles no test."""
    analysis = analyse(scores(), METRICS, baseline="base")
    rate, mean, slow = (effect(analysis, "good", metric) for metric in (RATE, MEAN, SLOW))
    assert rate.test == "mcnemar-mid-p"
    assert rate.gained is not None
    assert rate.lost is not None
    assert rate.difference == pytest.approx((rate.gained - rate.lost) / 200)
    assert rate.p_value == mcnemar(rate.gained, rate.lost)
    assert (mean.test, mean.p_value) == ("permutation", 0.5 / 10_001)
    assert (slow.test, slow.p_value, slow.p_adjusted, slow.verdict) == ("", None, None, "unclear")
    assert slow.interval is not None
    assert slow.difference is not None
    assert slow.interval.low < slow.difference < slow.interval.high
    assert "no test" in str(slow.note)


def test_correction_runs_over_the_family():
    """Corrected p-values are larger, but not as much as independent comparisons would need."""
    analysis = analyse(scores(gain=0.03), METRICS, baseline="base")
    with_test = [item for item in analysis.effects if item.p_value is not None]
    assert len(with_test) == analysis.comparisons["quality"] == 6
    least = min(with_test, key=lambda item: item.p_value or 1)
    assert least.p_value is not None
    assert least.p_adjusted is not None
    assert least.p_value < least.p_adjusted <= 6.5 * least.p_value
    assert all((item.p_adjusted or 0) >= (item.p_value or 0) for item in with_test)


def test_unknown_or_untestable_primary_metrics_are_refused():
    """The message names the metrics that exist, and says why a percentile cannot be primary."""
    with pytest.raises(UseError, match="no metric 'f1'; the metrics are: cite_ok, coverage"):
        analyse(scores(), METRICS, baseline="base", primary="f1")
    with pytest.raises(UseError, match="latency p95: a percentile has no test"):
        analyse(scores(), METRICS, baseline="base", primary="latency p95")


def test_failed_and_skipped_cases_are_not_zeros():
    """The value of a failed or skipped case is in no mean and no pair; the tally counts it."""
    table = scores()
    status = table.status.copy()
    status[1, :10], status[1, 10:15] = FAILED, SKIPPED
    values = {name: array.copy() for name, array in table.values.items()}
    for array in values.values():
        array[1, :15] = 0.0
    with_gaps = Scores(items=table.items, variants=table.variants, status=status, values=values)
    analysis = analyse(with_gaps, METRICS, baseline="base")
    row = analysis.variants[1]
    assert row.tally == Tally(scored=185, failed=10, skipped=5)
    assert {cell.n for cell in row.cells.values()} == {185}
    assert row.cells["coverage"].value == pytest.approx(
        table.values["gold.coverage"][1, 15:].mean()
    )
    mean = effect(analysis, "good", MEAN)
    assert mean.n == 185
    assert mean.difference == pytest.approx(
        (table.values["gold.coverage"][1] - table.values["gold.coverage"][0])[15:].mean()
    )
    assert "15 items have a value in only one of the two" in str(mean.note)
    assert effect(analysis, "same", MEAN).n == 200


def test_undefined_values_do_not_make_a_mean_undefined():
    """NaN and infinity are left out of the mean, the count and the pairs."""
    table = scores()
    table.values["gold.coverage"][0, 3] = np.nan
    table.values["gold.coverage"][1, 4] = np.inf
    analysis = analyse(table, [MEAN], baseline="base")
    assert [row.cells["coverage"].n for row in analysis.variants] == [199, 199, 200]
    assert all(np.isfinite(row.cells["coverage"].value or np.nan) for row in analysis.variants)
    assert [item.n for item in analysis.effects] == [198, 199]


def test_metric_without_values_is_undefined():
    """A field without values gives empty cells and effects with the verdict "too few"."""
    missing = Metric(name="kappa", field="kappa")
    missing_p50 = Metric(name="kappa p50", field="kappa", kind="p50")
    analysis = analyse(scores(), [missing, missing_p50], baseline="base")
    for row in analysis.variants:
        assert (row.cells["kappa"].value, row.cells["kappa"].n) == (None, 0)
    for item in analysis.effects:
        assert (item.n, item.difference, item.interval, item.verdict) == (0, None, None, "too few")
    assert analysis.comparisons == {"quality": 0}


def test_no_item_at_all_is_no_error():
    """A run without items has a table in which all cells are undefined."""
    analysis = analyse(scores(0), METRICS, baseline="base")
    assert all(cell.value is None for row in analysis.variants for cell in row.cells.values())


@pytest.mark.parametrize("n", [1, 2, 4])
def test_fewer_than_five_pairs_have_no_verdict(n: int):
    """No test can reach 5% with four pairs, so the verdict is "too few"."""
    for item in analyse(scores(n), METRICS, baseline="base").effects:
        assert item.verdict == "too few"
        assert item.p_adjusted is None or item.p_adjusted >= 0.05


def test_fewer_than_five_changed_answers_have_no_verdict():
    """For a rate, only the number of changed items decides if a verdict is possible."""
    table = scores(300)
    yes = np.ones((3, 300))
    yes[0, :4] = 0
    yes[2, :5] = 0
    table = Scores(
        items=table.items, variants=table.variants, status=table.status, values={"cite_ok": yes}
    )
    analysis = analyse(table, [RATE], baseline="base", pairs=[("good", "same")])
    four_changed, one_changed, five_changed = analysis.effects
    assert (four_changed.verdict, four_changed.gained, four_changed.lost) == ("too few", 4, 0)
    assert one_changed.verdict == "too few"
    assert (five_changed.baseline, five_changed.gained, five_changed.p_value) == (
        "same",
        5,
        0.03125,
    )
    # four changed items cannot reach the statistic of five, so their comparison costs nothing
    assert (five_changed.p_adjusted, five_changed.verdict) == (0.03125, "better")


def test_rate_of_other_values_than_yes_or_no_is_refused():
    """A rate refuses a value other than 0 and 1; the message names the metric and the value."""
    table = scores()
    table.values["cite_ok"][1, 7] = 0.5
    with pytest.raises(UseError, match=r"cite_ok.*0\.5"):
        analyse(table, [RATE], baseline="base")


def test_unknown_variants_are_refused():
    """The message names the unknown baseline or variant, and the variants that exist."""
    with pytest.raises(UseError, match="no variant 'fast'; the variants are: base, good, same"):
        analyse(scores(), METRICS, baseline="fast")
    with pytest.raises(UseError, match="'fast'"):
        analyse(scores(), METRICS, baseline=None, pairs=[("good", "fast")])


def test_without_baseline_nothing_is_compared():
    """Without a baseline and without pairs there are cells but no effects."""
    assert analyse(scores(), METRICS, baseline=None).effects == ()


def test_same_results_whatever_the_order():
    """Neither the order of metrics and variants nor a second run changes any number."""
    table = scores(120, gain=0.05, clusters=np.arange(120) // 4)
    reordered = Scores(
        items=table.items,
        variants=table.variants[::-1],
        status=table.status[::-1],
        values={name: array[::-1] for name, array in table.values.items()},
        clusters=table.clusters,
    )
    first = analyse(table, METRICS, baseline="base")
    assert first == analyse(table, METRICS, baseline="base")
    other = analyse(reordered, METRICS[::-1], baseline="base")
    assert {row.name: row for row in first.variants} == {row.name: row for row in other.variants}
    assert {(e.variant, e.metric): e for e in first.effects} == {
        (e.variant, e.metric): e for e in other.effects
    }
    assert first != analyse(table, METRICS, baseline="base", seed=1)


def test_documents_are_resampled_whole():
    """With enough documents that have several items, intervals and tests resample documents."""
    analysis = analyse(scores(clusters=np.arange(200) // 8), METRICS, baseline="base")
    assert (analysis.unit, analysis.estimand, analysis.documents) == ("document", "sample", 25)
    assert {
        cell.interval.method for cell in analysis.variants[0].cells.values() if cell.interval
    } == {"cluster-t", "woodruff"}
    mean, rate = effect(analysis, "good", MEAN), effect(analysis, "good", RATE)
    assert (mean.test, rate.test) == ("cluster-permutation", "cluster-permutation")
    assert mean.verdict == "better"
    assert effect(analysis, "good", SLOW).interval is not None


@pytest.mark.parametrize("documents", [2, 9, 20, 200])
def test_on_these_documents_questions_are_the_units(documents: int):
    """With few documents, with one question each, or on request, everything is about questions."""
    table = scores(clusters=np.arange(200) % documents)
    analysis = analyse(
        table, METRICS, baseline="base", documents="fixed" if documents == 20 else None
    )
    plain = analyse(scores(), METRICS, baseline="base")
    assert (analysis.effects, analysis.variants) == (plain.effects, plain.variants)
    assert (analysis.unit, analysis.documents) == ("item", documents)


def test_latency_does_not_shift_the_verdicts_of_scores():
    """Latency differs from run to run, so its p-values are corrected separately from scores."""
    latency = Metric(name="late", field="elapsed_s", better="lower", unit="s")
    without_latency = analyse(scores(gain=0.03), [MEAN], baseline="base")
    with_latency = analyse(scores(gain=0.03), [MEAN, latency], baseline="base")
    assert with_latency.comparisons == {"quality": 2, "latency": 2}
    assert effect(with_latency, "good", MEAN) == effect(without_latency, "good", MEAN)


def test_level_applies_to_all_intervals():
    """A higher level widens and labels every interval; verdicts are still at 5%."""
    usual = analyse(scores(), METRICS, baseline="base")
    wide = analyse(scores(), METRICS, baseline="base", level=0.99)
    for usual_effect, wide_effect in zip(usual.effects, wide.effects, strict=True):
        assert usual_effect.interval is not None
        assert wide_effect.interval is not None
        assert wide_effect.interval.level == 0.99
        assert wide_effect.interval.low < usual_effect.interval.low
        assert wide_effect.verdict == usual_effect.verdict


def test_single_precision_gives_the_same_verdicts():
    """Columns in single precision give the same verdicts and counts as in double precision."""
    table = scores()
    single_table = Scores(
        items=table.items,
        variants=table.variants,
        status=table.status,
        values={name: array.astype(np.float32) for name, array in table.values.items()},
    )
    double = analyse(table, METRICS, baseline="base")
    single = analyse(single_table, METRICS, baseline="base")
    for first, second in zip(double.effects, single.effects, strict=True):
        assert (first.verdict, first.gained, first.lost) == (
            second.verdict,
            second.gained,
            second.lost,
        )
        assert first.difference == pytest.approx(second.difference, rel=1e-4)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"items": ["a", "a", "b"]}, "item appears twice"),
        ({"variants": ("x", "x")}, "variant appears twice"),
        ({"status": np.ones((2, 4), dtype=np.uint8)}, "status: the shape"),
        ({"values": {"f": np.ones((3, 3))}}, "f: the shape"),
        ({"clusters": np.zeros(4, dtype=int)}, "clusters: the shape"),
    ],
)
def test_scores_that_do_not_fit_are_refused(change: dict[str, Any], message: str):
    """Arrays of the wrong shape and repeated names are refused before anything is computed."""
    valid: dict[str, Any] = {
        "items": ["a", "b", "c"],
        "variants": ("x", "y"),
        "status": np.ones((2, 3), dtype=np.uint8),
        "values": {"f": np.ones((2, 3))},
    }
    Scores(**valid)
    with pytest.raises(ValueError, match=message):
        Scores(**(valid | change))


def test_yes_no_columns_may_be_booleans():
    """In a column of booleans, True counts as 1 and False as 0."""
    flags = np.array([[True] * 9 + [False]])
    table = Scores(
        items=[str(number) for number in range(10)],
        variants=("only",),
        status=np.ones((1, 10), dtype=np.uint8),
        values={"cite_ok": flags},  # type: ignore[dict-item]
    )
    cell = analyse(table, [RATE], baseline="only").variants[0].cells["cite_ok"]
    assert (cell.value, cell.n) == (0.9, 10)


@pytest.mark.parametrize("documents", [1, 4])
def test_the_interval_of_a_latency_does_not_go_below_zero(documents: int):
    """A few long latencies move the lower end to 0; a difference may be negative."""
    seconds = Metric(name="seconds", field="elapsed_s", better="lower", unit="s")
    values = np.array([[0.001] * 20 + [0.1, 0.2], [0.002] * 20 + [0.15, 0.3]])
    table = Scores(
        items=[f"{item:02d}" for item in range(22)],
        variants=("base", "slow"),
        status=np.full((2, 22), SCORED, dtype=np.uint8),
        values={"elapsed_s": values},
        clusters=np.arange(22) % documents,
    )
    analysis = analyse(table, [seconds], baseline="base")
    for row in analysis.variants:
        interval = row.cells["seconds"].interval
        assert interval is not None
        assert interval.low == 0 < interval.high
    plain = effect(analysis, "slow", seconds).plain_interval
    assert plain is not None
    assert plain.low < 0
