"""The gate's arithmetic and verdicts, on runs created in memory."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from assay.errors import UseError
from assay.gate.compared_run import ComparedCase, ComparedRun, OtherMetric
from assay.gate.correction import Correction
from assay.gate.gate import Comparison, Limits, compare, with_correction
from assay.gate.report import as_json, as_markdown, suites
from assay.gate.report_wording import as_text, difference_line
from assay.records import Estimand, Metric
from assay.report.junit import as_junit
from assay.stats.corrected import Corrected
from assay.stats.interval import Interval
from assay.words.language import Lang
from assay.words.message import text_of

SCORE = Metric(name="score", field="metrics.score")
LATENCY = Metric(name="avg_latency_s", field="elapsed_s", better="lower", unit="s")
SLOWEST = Metric(name="p95_latency_s", field="elapsed_s", kind="p95", better="lower", unit="s")
RIGHT = Metric(name="safe_ok", field="metrics.safe_ok", kind="rate")


def run_with(
    scores: Mapping[str, float | None],
    *,
    weights: Mapping[str, float] | None = None,
    name: str = "run",
    metric: Metric = SCORE,
    **more: Any,
) -> ComparedRun:
    """A complete run with these scores; None is an undefined score."""
    weights = weights or {}
    items = {
        (key, ""): ComparedCase(
            status="scored",
            value=value,
            weight=weights.get(key),
            group=key.rpartition("/")[0],
        )
        for key, value in scores.items()
    }
    return ComparedRun(
        path=Path(f"{name}.json"), job="quality", metric=metric, items=items, state="complete",
        **more,
    )  # fmt: skip


def gate(
    base: Mapping[str, float | None], cand: Mapping[str, float | None], **limits: Any
) -> Comparison:
    """Compare two runs without weights."""
    return compare(run_with(base, name="base"), run_with(cand, name="cand"), Limits(**limits))


def spread(*values: float) -> dict[str, float | None]:
    """The scores of q00, q01 and so on."""
    return {f"q{number:02}": value for number, value in enumerate(values)}


def checked(name: str, values: str, *, answers: str = "") -> ComparedRun:
    """A run whose answers a check found right (``1``), wrong (``0``), or leaning to it (``+``, ``-``)."""
    items = {
        (f"q{number:02}", ""): ComparedCase(
            status="scored",
            value=float(sign in "1+"),
            at_least=0.0 if sign in "+-" else None,
            at_most=1.0 if sign in "+-" else None,
            answer=(answers or name * len(values))[number],
        )
        for number, sign in enumerate(values)
    }
    return replace(run_with({}, name=name, metric=RIGHT), items=items)


@pytest.mark.parametrize(
    ("cand", "head"), [("00++1111", "gate failed"), ("11++1111", "gate passed")]
)
def test_unsure_answers_that_leave_the_sign_open_are_said_first(cand: str, head: str):
    """The first line says how many there are and between what the difference lies; the verdict stays."""
    comparison = compare(checked("b", "1+--1111"), checked("c", cand))
    assert comparison.passed is (head == "gate passed")
    first = as_text(comparison).splitlines()[0]
    assert first.startswith(head)
    assert (
        ". The check is unsure of 5 answers: depending on them, the difference is between " in first
    )
    assert first.endswith("(assay judge --unsure decides them, or a person labels them)")
    assert first in as_markdown(comparison).replace("\\", "")


def test_unsure_answers_that_cannot_change_the_sign_are_not_said_first():
    """A loss that holds however they are decided is just a loss."""
    comparison = compare(checked("b", "1111111+"), checked("c", "0000000+"))
    assert comparison.unsure is not None
    assert "sign" not in as_text(comparison).splitlines()[0]


def test_the_same_unsure_answer_in_both_runs_leaves_nothing_open():
    """Word for word the same answer is worth the same in both, so it is not counted."""
    same = compare(checked("b", "1+-1", answers="abcd"), checked("c", "1+-1", answers="abcd"))
    assert same.unsure is None
    other = compare(checked("b", "1+-1", answers="abcd"), checked("c", "1+-1", answers="abxd"))
    assert other.unsure is not None
    assert (other.unsure.base, other.unsure.low, other.unsure.high) == (1, -0.25, 0.25)


def test_an_unsure_answer_is_marked_where_it_changed():
    """In text, Markdown and JSON the lists say in which run the check is unsure."""
    comparison = compare(checked("b", "1+1+"), checked("c", "00--"))
    told = as_text(comparison)
    assert "q00  1.0000 → 0.0000  −1.0000\n" in told
    assert "q01  1.0000 → 0.0000  −1.0000  (unsure in the base)" in told
    assert "q02  1.0000 → 0.0000  −1.0000  (unsure in the candidate)" in told
    assert "(unsure in both)" in as_markdown(comparison)
    changed = {
        item["id"]: item.get("unsure") for item in json.loads(as_json(comparison))["changed"]
    }
    assert changed == {"q00": None, "q01": "base", "q02": "candidate", "q03": "both"}


def labelled(
    low: float, high: float, estimate: float, *, needed: int | None = 160, **more: Any
) -> Comparison:
    """A loss of 0.2 by the check of 60 questions, with a corrected difference; 0.1 may be lost."""
    base, cand = checked("b", "1" * 60), checked("c", "0" * 12 + "1" * 48)
    limits = Limits(**{"min_delta": -0.1, "max_regressions": 20, **more})
    corrected = Corrected(
        raw=-0.2,
        n=60,
        labelled=80,
        estimate=estimate,
        interval=Interval(low=low, high=high, level=0.95, method="prediction-powered"),
    )
    correction = Correction(
        used="corrected", reason="80 labels", difference=corrected, needed=needed
    )
    return with_correction(compare(base, cand, limits), correction)


def test_too_few_labels_do_not_turn_a_shown_loss_into_a_pass():
    """If the labels contradict neither the loss nor that nothing changed, the gate fails as without them."""
    comparison = labelled(-0.25, 0.07, -0.08)
    assert not comparison.passed
    assert comparison.delta == pytest.approx(-0.2)
    first, *rest = as_text(comparison).splitlines()
    assert first == (
        "gate failed: safe_ok became worse by 0.2 (--min-delta is -0.1), and the labels are too few to "
        "contradict it (corrected -0.0800 [-0.2500, +0.0700], about 160 of each side would decide)"
    )
    assert any(
        "corrected    none: the check alone decides (the labels are too few" in line
        for line in rest
    )
    assert not labelled(-0.25, 0.07, -0.08, min_delta=0.0, require_significant=True).passed
    assert "not even labels of all" in as_text(labelled(-0.25, 0.07, -0.08, needed=None))


@pytest.mark.parametrize(
    ("low", "high", "estimate", "passed"),
    [
        (-0.12, 0.08, -0.02, True),
        (0.01, 0.2, 0.1, True),
        (-0.15, -0.02, -0.08, True),
        (-0.25, 0.05, -0.11, False),
    ],
)
def test_labels_that_contradict_the_check_or_show_a_change_decide(
    low: float, high: float, estimate: float, *, passed: bool
):
    """An interval without the loss of the check, or without 0, decides by its own estimate."""
    comparison = labelled(low, high, estimate)
    assert comparison.passed is passed
    assert comparison.delta == pytest.approx(estimate)


SCORES = st.dictionaries(
    st.text(min_size=1, max_size=4),
    st.tuples(
        st.integers(0, 20).map(lambda n: n / 20),
        st.integers(0, 20).map(lambda n: n / 20),
        st.integers(1, 5).map(float),
    ),
    min_size=1,
    max_size=15,
)


@given(SCORES)
def test_swapping_the_sides_flips_the_sign(drawn: dict[str, tuple[float, float, float]]):
    """Swapping base and candidate changes the sign of every difference."""
    weights = {key: weight for key, (_, _, weight) in drawn.items()}
    first = run_with(
        {key: score for key, (score, _, _) in drawn.items()}, weights=weights, name="a"
    )
    second = run_with(
        {key: score for key, (_, score, _) in drawn.items()}, weights=weights, name="b"
    )
    forward, backward = compare(first, second), compare(second, first)
    assert forward.delta == -backward.delta
    assert forward.gain == -backward.gain
    assert forward.effect.difference == pytest.approx(-(backward.effect.difference or 0.0))
    assert forward.effect.p_value == backward.effect.p_value
    assert {i.id: i.gain for i in forward.items} == {i.id: -(i.gain or 0.0) for i in backward.items}
    assert len(forward.items_with("worse")) == len(backward.items_with("better"))


@given(SCORES)
def test_a_run_compared_with_itself_passes(drawn: dict[str, tuple[float, float, float]]):
    """A run compared with itself has no difference and no regression."""
    run = run_with({key: score for key, (score, _, _) in drawn.items()})
    comparison = compare(run, run)
    assert comparison.passed
    assert comparison.delta == 0
    assert comparison.regressions == 0
    assert {item.standing for item in comparison.items} == {"same"}


@given(SCORES, st.randoms(use_true_random=False))
def test_the_order_of_results_does_not_matter(
    drawn: dict[str, tuple[float, float, float]], random: Any
):
    """The order of results has no effect on the numbers."""
    keys = list(drawn)
    random.shuffle(keys)
    weights = {key: weight for key, (_, _, weight) in drawn.items()}
    base = run_with({key: drawn[key][0] for key in drawn}, weights=weights)
    cand = run_with({key: drawn[key][1] for key in drawn}, weights=weights, name="cand")
    shuffled = run_with({key: drawn[key][1] for key in keys}, weights=weights, name="cand")
    first, second = compare(base, cand), compare(base, shuffled)
    assert (first.delta, first.effect, first.items) == (second.delta, second.effect, second.items)


def test_the_weighted_score_follows_its_formula():
    """The weighted score is Σ score·weight / Σ weight: (1·3 + 0·1)/4 and (1·3 + 1·1)/4."""
    weights = {"a": 3.0, "b": 1.0}
    comparison = compare(
        run_with({"a": 1.0, "b": 1.0}, weights=weights),
        run_with({"a": 1.0, "b": 0.0}, weights=weights),
    )
    assert (comparison.base_weighted, comparison.cand_weighted) == (1.0, 0.75)
    assert comparison.delta == -0.25
    assert comparison.effect.difference == -0.25


def test_data_sets_are_weighed_by_their_own_weights():
    """Each data set has its weighted score; these are averaged by the data sets' weights."""
    weights = {"x/1": 1.0, "x/2": 3.0, "y/1": 5.0}
    group_weights = {"x": 1.0, "y": 2.0}
    base = run_with(
        {"x/1": 0.0, "x/2": 1.0, "y/1": 1.0}, weights=weights, group_weights=group_weights
    )
    cand = run_with(
        {"x/1": 0.0, "x/2": 0.0, "y/1": 1.0}, weights=weights, group_weights=group_weights
    )
    comparison = compare(base, cand)
    assert comparison.base_weighted == pytest.approx((0.75 * 1 + 1.0 * 2) / 3)
    assert comparison.cand_weighted == pytest.approx((0.0 * 1 + 1.0 * 2) / 3)


def test_the_test_is_about_the_weighted_score():
    """Thirty light questions that rise do not show a rise if the heavy one falls."""
    names = [f"q{index:02}" for index in range(30)]
    weights = {**dict.fromkeys(names, 1.0), "heavy": 1000.0}
    comparison = compare(
        run_with({**dict.fromkeys(names, 0.5), "heavy": 1.0}, weights=weights),
        run_with({**dict.fromkeys(names, 0.8), "heavy": 0.0}, weights=weights, name="b"),
        Limits(require_significant=True),
    )
    effect = comparison.effect
    assert effect.difference == pytest.approx(comparison.delta)
    assert effect.verdict == "unclear"
    assert effect.interval is not None
    assert effect.interval.low <= comparison.delta <= effect.interval.high
    assert any(
        "few questions have most of the weight" in note for note in map(str, comparison.notes)
    )


def test_a_drop_of_heavy_questions_is_shown():
    """If ten heavy questions fall and twenty light ones rise, --require-significant fails."""
    light, heavy = (
        [f"{kind}{index:02}" for index in range(n)] for kind, n in (("a", 20), ("b", 10))
    )
    weights = {**dict.fromkeys(light, 1.0), **dict.fromkeys(heavy, 50.0)}
    comparison = compare(
        run_with({**dict.fromkeys(light, 0.5), **dict.fromkeys(heavy, 1.0)}, weights=weights),
        run_with(
            {**dict.fromkeys(light, 0.8), **dict.fromkeys(heavy, 0.0)}, weights=weights, name="b"
        ),
        Limits(require_significant=True),
    )
    assert comparison.effect.verdict == "worse"
    assert not comparison.passed


def test_without_weights_the_plain_mean_counts():
    """Without weights, delta is the mean of the paired differences."""
    comparison = gate(spread(1.0, 0.5), spread(1.0, 1.0))
    assert comparison.base_weighted is None
    assert comparison.delta == comparison.effect.difference == 0.25


@pytest.mark.parametrize("swapped", [False, True])
def test_weights_in_only_one_of_two_runs_are_other_weights(swapped: bool):
    """Weights that the other run does not have would decide alone; a weight of 1 is none."""
    runs = [
        run_with(spread(0.5, 0.5), name="plain"),
        run_with(spread(0.2, 1.0), weights={"q01": 100.0}, name="weighted"),
    ]
    base, cand = reversed(runs) if swapped else runs
    with pytest.raises(UseError, match="weights differ, first for q01") as raised:
        compare(base, cand)
    assert ("base 100, candidate 1" if swapped else "base 1, candidate 100") in str(raised.value)
    ones = run_with(spread(0.5, 0.5), weights={"q00": 1.0, "q01": 1.0})
    assert compare(run_with(spread(0.5, 0.5)), ones).passed


def test_weights_of_data_sets_in_only_one_of_two_runs_are_other_weights():
    """A data set without a weight counts once; with the weight 5 in the other run it differs."""
    base = run_with({"x/1": 0.5, "y/1": 0.5})
    cand = run_with({"x/1": 0.5, "y/1": 0.5}, group_weights={"x": 1.0, "y": 5.0})
    with pytest.raises(UseError, match="weights of the data set y differ: base 1, candidate 5"):
        compare(base, cand)


def test_a_negative_score_is_refused():
    """One score of -5 in the base would hide any drop of the others."""
    score = replace(SCORE, formula="0.7 · include_rate + 0.3 · safe_ok")
    base = run_with(spread(-5.0, 0.5, 0.5), metric=score)
    with pytest.raises(UseError, match=r"score is -5 for q00; it cannot be negative"):
        compare(base, run_with(spread(0.2, 0.2, 0.2), metric=score))


def test_a_weighted_comparison_names_the_weighted_figures():
    """Metric, reason and values are those that decide, in every form of the report."""
    weights = {"q00": 3.0, "q01": 1.0}
    comparison = compare(
        run_with(spread(1.0, 0.0), weights=weights), run_with(spread(0.5, 0.5), weights=weights)
    )
    assert str(comparison.faults[0]) == "weighted score became worse by 0.25"
    assert text_of(comparison.faults[0], "zh") == "加权 score 变差了 0.25"
    text = as_text(comparison)
    assert "metric       score (weighted; higher is better)" in text
    assert "| score (weighted; higher is better) |" in as_markdown(comparison)
    junit = as_junit(suites(comparison), timestamp="2031-01-01T00:00:00Z")
    for name, value in {
        "base_value": "0.7500",
        "candidate_value": "0.5000",
        "base_unweighted": "0.5000",
        "candidate_unweighted": "0.5000",
    }.items():
        assert f'<property name="{name}" value="{value}"/>' in junit


def test_weights_that_are_all_zero_leave_the_plain_mean():
    """If all weights are 0 there is no weighted score, and the mean counts."""
    weights = {"q00": 0.0}
    comparison = compare(
        run_with(spread(1.0), weights=weights), run_with(spread(0.5), weights=weights)
    )
    assert comparison.base_weighted is None
    assert comparison.delta == -0.5


def test_one_regression_fails_although_the_mean_rose():
    """A single regression fails the gate although the mean rose."""
    comparison = gate(spread(0.0, 0.0, 1.0), spread(1.0, 1.0, 0.9))
    assert comparison.delta > 0
    assert not comparison.passed
    assert [*map(str, comparison.faults)] == ["1 question regressed, 0 allowed"]


def test_max_regressions_lets_that_many_pass():
    """Exactly ``max_regressions`` regressions are allowed."""
    base, cand = spread(0.0, 0.0, 1.0), spread(1.0, 1.0, 0.9)
    assert gate(base, cand, max_regressions=1).passed


def test_min_delta_asks_for_a_rise():
    """A rise below ``min_delta`` fails; a rise equal to it, except for rounding, passes."""
    assert not gate(spread(0.5, 0.5), spread(0.5, 0.5), min_delta=0.01).passed
    assert gate(spread(0.1, 0.1), spread(0.3, 0.3), min_delta=0.2).passed


def test_a_negative_min_delta_tolerates_a_drop():
    """With a negative ``min_delta`` a drop within it passes if the regressions are allowed."""
    base, cand = spread(1.0, 1.0), spread(0.9, 1.0)
    assert gate(base, cand, min_delta=-0.05, max_regressions=1).passed
    assert not gate(base, cand, min_delta=-0.04, max_regressions=1).passed


def test_epsilon_is_the_change_that_counts():
    """A change equal to ``epsilon`` does not count; a larger one does."""
    assert gate(spread(0.3), spread(0.2), epsilon=0.1, min_delta=-1).regressions == 0
    assert gate(spread(0.3), spread(0.2), epsilon=0.09, min_delta=-1).regressions == 1


def test_lower_latency_is_better():
    """For a metric where lower is better, a rise is a loss."""
    base, cand = (
        run_with({"a": 1.0, "b": 1.0}, metric=LATENCY), run_with({"a": 2.0, "b": 1.0}, metric=LATENCY)
    )  # fmt: skip
    slower, faster = compare(base, cand), compare(cand, base)
    assert (slower.delta, slower.gain, slower.passed) == (0.5, -0.5, False)
    assert [item.id for item in slower.items_with("worse")] == ["a"]
    assert (faster.delta, faster.gain, faster.passed) == (-0.5, 0.5, True)


def test_a_percentile_does_not_depend_on_single_questions():
    """One slower question is not a regression of the 95th percentile."""
    base = run_with(spread(*[1.0] * 59, 9.0), metric=SLOWEST)
    cand = run_with(spread(1.5, *[1.0] * 58, 9.0), metric=SLOWEST)
    comparison = compare(base, cand)
    assert len(comparison.items_with("worse")) == 1
    assert comparison.regressions == 0
    assert comparison.passed


def test_a_metric_without_a_better_direction_is_refused():
    """A metric without a better direction is refused."""
    metric = Metric(name="length", field="length", better=None)
    with pytest.raises(
        UseError, match="it is not known which direction is better; say it with --better higher"
    ):
        compare(run_with(spread(1.0), metric=metric), run_with(spread(1.0), metric=metric))


def test_a_question_missing_from_the_candidate_is_a_regression():
    """A question that the candidate lacks is a regression, unless that is allowed."""
    comparison = gate(spread(1.0, 0.2), spread(1.0))
    assert not comparison.passed
    assert [(item.id, item.before) for item in comparison.items_with("missing")] == [("q01", 0.2)]
    assert comparison.delta == 0
    assert gate(spread(1.0, 0.2), spread(1.0), allow_missing=True).passed


def test_a_value_that_became_undefined_counts_as_missing():
    """A value that became undefined counts as missing."""
    comparison = gate({"a": 1.0, "b": 1.0}, {"a": 1.0, "b": None})
    assert not comparison.passed
    assert str(comparison.items_with("missing")[0].reason) == "score is undefined in the candidate"


def test_a_question_that_is_undefined_in_both_is_left_out():
    """A question undefined in both runs is listed as not compared and changes nothing."""
    comparison = gate({"a": 1.0, "b": None}, {"a": 1.0, "b": None})
    assert comparison.passed
    assert comparison.effect.n == 1
    assert [item.id for item in comparison.items_with("not compared")] == ["b"]


def test_a_new_question_of_the_candidate_is_listed():
    """A question that only the candidate has is listed and changes no number."""
    comparison = gate(spread(1.0), spread(1.0, 0.0))
    assert comparison.passed
    assert comparison.delta == 0
    assert [item.id for item in comparison.items_with("added")] == ["q01"]


def test_a_failed_case_within_the_limit_is_no_regression():
    """A failed case within the limit is not compared and is not a regression."""
    failed = {("b", ""): ComparedCase(status="failed")}
    base = run_with({"a": 1.0, "b": 1.0})
    cand = run_with({"a": 1.0}, failed=1)
    cand = ComparedRun(
        path=cand.path, job=cand.job, metric=SCORE, items={**cand.items, **failed}, failed=1,
        state="partial", unasked=0,
    )  # fmt: skip
    comparison = compare(base, cand, Limits(max_failed=1))
    assert comparison.passed
    assert str(comparison.items_with("not compared")[0].reason) == "failed in the candidate"


def test_no_value_in_common_is_invalid():
    """Runs without a question that has a value in both cannot be compared."""
    with pytest.raises(UseError, match="no question has a value of score in both"):
        gate({"a": 1.0}, {"a": None})


def test_a_drop_that_noise_explains_passes_where_significance_is_required():
    """A small mean drop with rises and falls passes only if significance is required."""
    base = spread(*[0.5] * 12)
    cand = spread(*[0.4, 0.6] * 5, 0.4, 0.5)
    assert not gate(base, cand).passed
    comparison = gate(base, cand, require_significant=True)
    assert comparison.delta < 0
    assert comparison.effect.verdict == "unclear"
    assert comparison.passed


def test_a_drop_beyond_noise_fails_where_significance_is_required():
    """A drop of all twelve questions by different amounts is significant and fails."""
    comparison = gate(
        spread(*[1.0] * 12),
        spread(*[0.9 - number / 50 for number in range(12)]),
        require_significant=True,
    )
    assert comparison.effect.verdict == "worse"
    assert [*map(str, comparison.faults)] == ["score became worse by 0.21"]


def test_missing_questions_fail_even_where_significance_is_required():
    """Missing questions fail the gate even if significance is required."""
    assert not gate(spread(1.0, 1.0), spread(1.0), require_significant=True).passed


def test_too_few_questions_are_noted():
    """Three changed questions are too few to fail, and a note says so."""
    comparison = gate(spread(1.0, 1.0, 1.0), spread(0.0, 0.0, 0.0), require_significant=True)
    assert comparison.passed
    assert any("too few questions" in note for note in map(str, comparison.notes))


def test_a_slower_percentile_fails_where_its_whole_interval_is_slower():
    """For a percentile the confidence interval decides."""
    base = run_with(spread(*[1.0 + n / 100 for n in range(80)]), metric=SLOWEST)
    cand = run_with(spread(*[3.0 + n / 100 for n in range(80)]), metric=SLOWEST)
    limits = Limits(require_significant=True)
    assert not compare(base, cand, limits).passed
    assert compare(cand, base, limits).passed
    said = "by its interval; a percentile has no test"
    assert difference_line(compare(base, cand, limits)).endswith(f"worse {said}")
    assert difference_line(compare(cand, base, limits)).endswith(f"better {said}")
    spun = run_with(spread(*[1.0 + (n * 7 % 80) / 100 for n in range(80)]), metric=SLOWEST)
    assert "the interval contains 0" in difference_line(compare(base, spun, limits))


def test_asking_for_a_rise_and_for_a_shown_drop_is_a_contradiction():
    """``min_delta`` above 0 together with ``require_significant`` is refused."""
    with pytest.raises(UseError, match="give one of them"):
        gate(spread(1.0), spread(1.0), min_delta=0.1, require_significant=True)


def test_few_large_losses_and_many_small_gains_are_noise():
    """22 questions fall by .20 and 78 rise by .05: the verdict follows the mean, not the ranks."""
    base = run_with(spread(*[0.5] * 100))
    cand = run_with(spread(*[0.3] * 22, *[0.55] * 78))
    comparison = compare(base, cand, Limits(require_significant=True))
    assert comparison.passed
    line = difference_line(comparison)
    assert "by sign flips of the mean difference: noise may explain it" in line
    assert "worse" not in line


def test_too_few_changes_say_how_many_are_needed():
    """Four losses of four cannot be distinguished from noise, and the line says that five could."""
    comparison = gate(spread(*[1.0] * 20), spread(*[0.0] * 4, *[1.0] * 16))
    line = difference_line(comparison)
    assert line.endswith("too few changes to tell from noise (at least 5 are needed)")


def test_shares_of_yes_and_no_are_tested_as_means():
    """Means of a yes/no metric over repeated runs are tested as means, not by McNemar's test."""
    base = run_with(spread(*[0.5] * 8), metric=RIGHT)
    cand = run_with(spread(*[1.0] * 8), metric=RIGHT)
    assert compare(base, cand).effect.test == "permutation"
    base = run_with(spread(*[0.0] * 8), metric=RIGHT)
    assert compare(base, cand).effect.test == "mcnemar-mid-p"


def test_questions_of_one_document_move_together():
    """With enough documents, whole documents are permuted."""
    keys = [f"d{document}q{number}" for document in range(10) for number in range(2)]

    def of_documents(values: list[float], name: str) -> ComparedRun:
        items = {
            (key, ""): ComparedCase(status="scored", value=value, source=key[:2])
            for key, value in zip(keys, values, strict=True)
        }
        return ComparedRun(path=Path(name), job="quality", metric=SCORE, items=items)

    comparison = compare(of_documents([0.0] * 20, "a"), of_documents([0.1, 0.2] * 10, "b"))
    assert comparison.effect.test == "cluster-permutation"


def about(estimand: Estimand | None, value: float, name: str) -> ComparedRun:
    """Forty questions on twenty documents, with what the run is about."""
    items = {
        (f"q{number:02d}", ""): ComparedCase(
            status="scored", value=value * (number % 3), source=f"d{number // 2}"
        )
        for number in range(40)
    }
    return ComparedRun(path=Path(name), job="quality", metric=SCORE, items=items, estimand=estimand)


@pytest.mark.parametrize(
    ("base", "cand", "test", "said"),
    [
        (None, None, "cluster-permutation", ""),
        ("fixed", "fixed", "permutation", "questions on these 20 documents only"),
        ("fixed", None, "permutation", "questions on these 20 documents only"),
        ("fixed", "sample", "cluster-permutation", "the base was about documents: fixed"),
        (None, "fixed", "permutation", "questions on these 20 documents only"),
    ],
)
def test_the_comparison_is_about_what_the_candidate_is_about(
    base: Estimand | None, cand: Estimand | None, test: str, said: str
):
    """Or else the base; a note says so, and that the base was about something else."""
    comparison = compare(about(base, 0.1, "a"), about(cand, 0.3, "b"))
    assert comparison.effect.test == test
    notes = " ".join(map(str, comparison.notes))
    assert said in notes
    assert ("was about documents" in notes) == (base is not None and cand not in {base, None})


def test_too_few_pairs_of_documents_are_not_about_documents_like_these():
    """They are refused with the reason, and never compared as something else."""
    runs = [about("sample", value, "a") for value in (0.1, 0.3)]
    few = [replace(run, items=dict(list(run.items.items())[:8])) for run in runs]
    with pytest.raises(UseError, match="sample needs 10 documents"):
        compare(*few)


def placed(failing: int, name: str, metric: Metric = RIGHT) -> ComparedRun:
    """Twelve questions at 20 placements; the first ``failing`` are wrong at all of them."""
    items = {
        (f"q{number:02d}", f"length={place}"): ComparedCase(
            status="scored", value=float(number >= failing)
        )
        for number in range(12)
        for place in range(20)
    }
    return ComparedRun(path=Path(name), job="depth", metric=metric, items=items)


def test_one_question_at_many_placements_is_one_question():
    """A change of one question is too few to tell from noise, however often it was asked."""
    comparison = compare(placed(0, "a"), placed(1, "b"), Limits(require_significant=True))
    effect = comparison.effect
    assert (effect.n, effect.units, effect.lost) == (240, 12, 20)
    assert (effect.test, effect.p_adjusted, effect.verdict) == (
        "question-permutation",
        0.5,
        "too few",
    )
    assert comparison.passed
    line = difference_line(comparison)
    assert "by sign flips of whole questions" in line
    assert line.endswith("too few questions changed to tell from noise (at least 5 are needed)")
    text = "240 pairs are answers to 12 questions: a question counts once, not each of its pairs"
    (note,) = (note for note in comparison.notes if str(note) == text)
    langs: tuple[Lang, ...] = ("zh", "ru")
    for lang in langs:
        assert text_of(note, lang) != text
        assert text_of(effect.note, lang) != str(effect.note)
    assert '"units": 12' in as_json(comparison)


def test_five_questions_at_many_placements_can_be_told_from_noise():
    """Four of four in one direction have a mid-p value of 1/16; the fifth makes the difference."""
    few, enough = compare(placed(0, "a"), placed(4, "b")), compare(placed(0, "a"), placed(5, "b"))
    assert (few.effect.p_value, few.effect.verdict) == (1 / 16, "too few")
    assert (enough.effect.p_value, enough.effect.verdict) == (1 / 32, "worse")
    assert "worse by more than noise" in difference_line(enough)


def test_a_clause_in_several_modes_is_one_clause():
    """Results of a reviewer in several modes: the modes of a clause are related."""

    def modes(wrong: int) -> ComparedRun:
        items = {
            (f"{mode}/c{number}", ""): ComparedCase(
                status="scored", value=float(number >= wrong), asked=f"c{number}"
            )
            for mode in ("fast", "slow", "both")
            for number in range(10)
        }
        return ComparedRun(path=Path("m"), job="review", metric=RIGHT, items=items)

    effect = compare(modes(0), modes(3)).effect
    assert (effect.n, effect.units, effect.verdict) == (30, 10, "too few")


def test_questions_at_one_placement_are_tested_as_ever():
    """A single placement is a setting: no question is in two pairs."""
    base = run_with(spread(*[1.0] * 12), metric=RIGHT)
    cand = run_with(spread(*[0.0] * 7, *[1.0] * 5), metric=RIGHT)
    comparison = compare(base, cand)
    assert comparison.effect.test == "mcnemar-mid-p"
    assert comparison.effect.units is UNSET
    assert not [note for note in map(str, comparison.notes) if "counts once" in note]


@pytest.mark.parametrize(
    ("state", "unasked", "failed", "words"),
    [
        ("running", None, 0, "did not finish"),
        ("partial", 3, 0, "3 cases without an outcome"),
        ("partial", None, 0, "did not finish"),
        ("partial", 0, 2, "2 cases failed, 0 allowed"),
        ("complete", 1, 0, "did not finish"),
        ("not run", None, 0, "did not finish"),
    ],
)
def test_a_run_that_did_not_end_well_is_invalid_on_either_side(
    state: str, unasked: int | None, failed: int, words: str
):
    """An unfinished or failed run cannot be compared, as base or as candidate."""
    complete = run_with(spread(1.0))
    interrupted = ComparedRun(
        path=Path("cut.json"), job="quality", metric=SCORE, items=complete.items, state=state,
        unasked=unasked, failed=failed,
    )  # fmt: skip
    for pair in ((complete, interrupted), (interrupted, complete)):
        with pytest.raises(UseError, match=words):
            compare(*pair)


def test_every_reason_is_reported_at_once():
    """All reasons are reported together, so that one CI run shows them all."""
    base = run_with(spread(1.0), hashes={"pdf_sha256": "aa", "questions_sha256": "cc"})
    cand = run_with({"z": 1.0}, hashes={"pdf_sha256": "bb", "questions_sha256": None}, failed=1)
    with pytest.raises(UseError) as refused:
        compare(base, cand)
    lines = str(refused.value).splitlines()
    assert len(lines) == 4
    assert "pdf_sha256 differs: base aa, candidate bb" in str(refused.value)
    assert "questions_sha256 differs: base cc, candidate none" in str(refused.value)
    assert "1 case failed" in str(refused.value)
    assert "no question in common" in str(refused.value)


def test_other_hashes_and_weights_may_be_let_through():
    """Allowed differences become notes, and the base's weights are used for both runs."""
    base = run_with(
        {"a": 1.0, "b": 0.0},
        weights={"a": 1.0, "b": 1.0},
        hashes={"pdf_sha256": "aa"},
    )
    cand = run_with(
        {"a": 1.0, "b": 0.0},
        weights={"a": 3.0, "b": 1.0},
        hashes={"pdf_sha256": "bb"},
    )
    with pytest.raises(UseError) as refused:
        compare(base, cand)
    assert len(str(refused.value).splitlines()) == 2
    comparison = compare(base, cand, Limits(strict_hashes=False))
    assert comparison.cand_weighted == 0.5
    assert len(comparison.notes) == 2 + 1  # and that both are named run.json


def test_a_metric_of_one_run_is_listed_and_decides_nothing():
    """Another metric that only one run has is a note in every report, and the gate passes."""
    base = run_with({"a": 1.0}, metric_names=frozenset({"score", "tone"}), primary="score")
    cand = run_with({"a": 1.0}, metric_names=frozenset({"score", "wit", "art"}), primary="score")
    comparison = compare(base, cand)
    assert comparison.passed
    listed = [
        "metrics only in the base, not compared: tone",
        "metrics only in the candidate, not compared: art, wit",
    ]
    assert [
        note for note in map(str, comparison.notes) if note.startswith("metrics only")
    ] == listed
    for report in (as_text(comparison), as_json(comparison), as_markdown(comparison)):
        assert all(line in report for line in listed)
    junit = as_junit(suites(comparison), timestamp="2031-01-01T00:00:00Z")
    assert '<property name="metrics_only_in_base" value="tone"/>' in junit
    assert '<property name="metrics_only_in_candidate" value="art, wit"/>' in junit


@pytest.mark.parametrize("where", ["base", "candidate"])
def test_the_compared_metric_must_be_in_both_runs(where: str):
    """The metric that decides cannot be missing; no option lets it through."""
    names = {"base": frozenset({"tone"}), "candidate": frozenset({"tone"})}
    names[where] = frozenset({"tone", "score"})
    base = run_with({"a": 1.0}, metric_names=names["base"])
    cand = run_with({"a": 1.0}, metric_names=names["candidate"])
    for limits in (Limits(), Limits(strict_hashes=False)):
        with pytest.raises(UseError) as refused:
            compare(base, cand, limits)
        assert str(refused.value) == (
            f"the metric score is only in the {where}; --rescore scores both again, or choose "
            "another --metric"
        )


def test_the_main_metric_must_be_in_both_runs():
    """Even if another metric is compared; ``--allow-mismatch`` makes it a note."""
    base = run_with({"a": 1.0}, metric_names=frozenset({"score"}), primary="wit")
    cand = run_with({"a": 1.0}, metric_names=frozenset({"score", "wit"}), primary="wit")
    with pytest.raises(UseError) as refused:
        compare(base, cand)
    line = "the main metric wit is only in the candidate"
    assert str(refused.value) == f"{line}; use --allow-mismatch to compare anyway"
    assert line in [*map(str, compare(base, cand, Limits(strict_hashes=False)).notes)]


def test_results_of_different_jobs_are_invalid():
    """Runs of different jobs are refused with any options."""
    base, other = run_with(spread(1.0)), run_with(spread(1.0))
    cand = ComparedRun(path=other.path, job="depth", metric=SCORE, items=other.items)
    with pytest.raises(UseError, match="a run of the job 'quality'"):
        compare(base, cand, Limits(strict_hashes=False))
    cand = replace(cand, job="ablation", kind="run")
    with pytest.raises(UseError, match="of 'run'"):
        compare(base, cand)


def test_the_worst_change_comes_first():
    """The largest loss comes first and gains come last."""
    comparison = gate(spread(1.0, 1.0, 0.0, 0.5), spread(0.8, 0.1, 1.0, 0.5))
    assert [item.id for item in comparison.items_with("worse", "better")] == ["q01", "q00", "q02"]


@pytest.mark.parametrize("scores", [(70.0, 0.0, 100.0), (50.0, 60.0, 2.0)])
def test_shares_and_percentages_are_not_compared(scores: tuple[float, ...]):
    """Scores from 0 to 1 against scores from 0 to 100 differ in scale, whichever side is which."""
    share, percent = spread(0.7, 0.0, 1.0), spread(*scores)
    for base, cand in ((share, percent), (percent, share)):
        with pytest.raises(UseError, match=r"the scale of score differs: from 0 to 1 in \w+\.json"):
            gate(base, cand)


def test_counts_and_common_scales_are_compared():
    """One larger count is no other scale, and neither are percentages on both sides."""
    assert gate(spread(0, 1, 1), spread(1, 1, 2)).passed
    assert gate(spread(10, 20, 30), spread(20, 30, 40)).passed


def test_a_question_without_a_value_in_the_base_is_not_missing():
    """Nothing was lost if the candidate does not have it."""
    comparison = gate({"a": 1.0, "b": None}, {"a": 1.0})
    assert comparison.passed
    (item,) = comparison.items_with("not compared")
    assert (item.id, str(item.reason)) == ("b", "not in the candidate")


def test_another_metric_of_both_runs_is_named():
    """The message says which option helps if the main metric has no value."""
    other = OtherMetric(metric=RIGHT, items={})
    runs = [run_with({"a": None}, others=(other,)) for _ in range(2)]
    with pytest.raises(UseError, match=r"in both runs; .*--metric safe_ok"):
        compare(*runs)
