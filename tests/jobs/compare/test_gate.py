"""The gate's arithmetic and verdicts, on runs made by hand."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import UseError
from assay.jobs.compare.compared_run import ComparedCase, ComparedRun
from assay.jobs.compare.gate import Comparison, Limits, compare
from assay.records import Metric

SCORE = Metric(name="score", field="metrics.score")
LATENCY = Metric(name="avg_latency_s", field="elapsed_s", better="lower", unit="s")
SLOWEST = Metric(name="p95_latency_s", field="elapsed_s", kind="p95", better="lower", unit="s")
RIGHT = Metric(name="safe_ok", field="metrics.safe_ok", kind="rate")


def side(
    scores: Mapping[str, float | None],
    *,
    weights: Mapping[str, float] | None = None,
    name: str = "run",
    metric: Metric = SCORE,
    **more: Any,
) -> ComparedRun:
    """A complete run with these scores; ``None`` is undefined."""
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
    """Two unweighted runs compared."""
    return compare(side(base, name="base"), side(cand, name="cand"), Limits(**limits))


def spread(*values: float) -> dict[str, float | None]:
    """Scores of q00, q01 and so on."""
    return {f"q{number:02}": value for number, value in enumerate(values)}


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
    """Candidate against base is minus base against candidate, question by question too."""
    weights = {key: weight for key, (_, _, weight) in drawn.items()}
    one = side({key: first for key, (first, _, _) in drawn.items()}, weights=weights, name="a")
    two = side({key: second for key, (_, second, _) in drawn.items()}, weights=weights, name="b")
    there, back = compare(one, two), compare(two, one)
    assert there.delta == -back.delta
    assert there.gain == -back.gain
    assert there.effect.difference == pytest.approx(-(back.effect.difference or 0.0))
    assert there.effect.p_value == back.effect.p_value
    assert {i.id: i.gain for i in there.items} == {i.id: -(i.gain or 0.0) for i in back.items}
    assert len(there.standing("worse")) == len(back.standing("better"))


@given(SCORES)
def test_a_run_compared_with_itself_passes(drawn: dict[str, tuple[float, float, float]]):
    """The same scores differ by nothing, and nothing regresses."""
    run = side({key: first for key, (first, _, _) in drawn.items()})
    found = compare(run, run)
    assert found.passed
    assert found.delta == 0
    assert found.regressions == 0
    assert {item.standing for item in found.items} == {"same"}


@given(SCORES, st.randoms(use_true_random=False))
def test_the_order_of_results_does_not_matter(
    drawn: dict[str, tuple[float, float, float]], random: Any
):
    """Shuffled results come to the same numbers, to the last digit."""
    keys = list(drawn)
    random.shuffle(keys)
    weights = {key: weight for key, (_, _, weight) in drawn.items()}
    base = side({key: drawn[key][0] for key in drawn}, weights=weights)
    cand = side({key: drawn[key][1] for key in drawn}, weights=weights, name="cand")
    shuffled = side({key: drawn[key][1] for key in keys}, weights=weights, name="cand")
    first, second = compare(base, cand), compare(base, shuffled)
    assert (first.delta, first.effect, first.items) == (second.delta, second.effect, second.items)


def test_the_weighted_score_is_the_seeds():
    """Sum of score times weight by the sum of weights: (1·3 + 0·1)/4 against (1·3 + 1·1)/4."""
    weights = {"a": 3.0, "b": 1.0}
    found = compare(
        side({"a": 1.0, "b": 1.0}, weights=weights), side({"a": 1.0, "b": 0.0}, weights=weights)
    )
    assert (found.base_weighted, found.cand_weighted) == (1.0, 0.75)
    assert found.delta == -0.25
    assert found.effect.difference == -0.5


def test_data_sets_are_weighed_by_their_own_weights():
    """Each has its weighted score; these are averaged by the data sets' weights."""
    weights = {"x/1": 1.0, "x/2": 3.0, "y/1": 5.0}
    group_weights = {"x": 1.0, "y": 2.0}
    base = side({"x/1": 0.0, "x/2": 1.0, "y/1": 1.0}, weights=weights, group_weights=group_weights)
    cand = side({"x/1": 0.0, "x/2": 0.0, "y/1": 1.0}, weights=weights, group_weights=group_weights)
    found = compare(base, cand)
    assert found.base_weighted == pytest.approx((0.75 * 1 + 1.0 * 2) / 3)
    assert found.cand_weighted == pytest.approx((0.0 * 1 + 1.0 * 2) / 3)


def test_without_weights_the_plain_mean_counts():
    """There is no weighted score, and the delta is the paired mean difference."""
    found = gate(spread(1.0, 0.5), spread(1.0, 1.0))
    assert found.base_weighted is None
    assert found.delta == found.effect.difference == 0.25


def test_weights_that_are_all_zero_leave_the_plain_mean():
    """Nothing can be weighed by nothing."""
    weights = {"q00": 0.0}
    found = compare(side(spread(1.0), weights=weights), side(spread(0.5), weights=weights))
    assert found.base_weighted is None
    assert found.delta == -0.5


def test_one_regression_fails_although_the_mean_rose():
    """Better on the whole is not enough where no question may become worse."""
    found = gate(spread(0.0, 0.0, 1.0), spread(1.0, 1.0, 0.9))
    assert found.delta > 0
    assert not found.passed
    assert found.faults == ["1 question regressed, 0 allowed"]


def test_max_regressions_lets_that_many_pass():
    """The limit is inclusive."""
    base, cand = spread(0.0, 0.0, 1.0), spread(1.0, 1.0, 0.9)
    assert gate(base, cand, max_regressions=1).passed


def test_min_delta_asks_for_a_rise():
    """Below it the gate fails with nothing worse; at it, dust of rounding aside, it passes."""
    assert not gate(spread(0.5, 0.5), spread(0.5, 0.5), min_delta=0.01).passed
    assert gate(spread(0.1, 0.1), spread(0.3, 0.3), min_delta=0.2).passed


def test_a_negative_min_delta_tolerates_a_drop():
    """Both limits must hold: the drop within it, the regressions within theirs."""
    base, cand = spread(1.0, 1.0), spread(0.9, 1.0)
    assert gate(base, cand, min_delta=-0.05, max_regressions=1).passed
    assert not gate(base, cand, min_delta=-0.04, max_regressions=1).passed


def test_epsilon_is_the_change_that_counts():
    """A change of just that much is none; a larger one is."""
    assert gate(spread(0.3), spread(0.2), epsilon=0.1, min_delta=-1).regressions == 0
    assert gate(spread(0.3), spread(0.2), epsilon=0.09, min_delta=-1).regressions == 1


def test_lower_latency_is_better():
    """A rise of a metric whose better way is down is a loss."""
    base, cand = (
        side({"a": 1.0, "b": 1.0}, metric=LATENCY), side({"a": 2.0, "b": 1.0}, metric=LATENCY)
    )  # fmt: skip
    slower, faster = compare(base, cand), compare(cand, base)
    assert (slower.delta, slower.gain, slower.passed) == (0.5, -0.5, False)
    assert [item.id for item in slower.standing("worse")] == ["a"]
    assert (faster.delta, faster.gain, faster.passed) == (-0.5, 0.5, True)


def test_a_percentile_is_no_matter_of_single_questions():
    """One slower question is no regression of the 95th percentile."""
    base = side(spread(*[1.0] * 59, 9.0), metric=SLOWEST)
    cand = side(spread(1.5, *[1.0] * 58, 9.0), metric=SLOWEST)
    found = compare(base, cand)
    assert len(found.standing("worse")) == 1
    assert found.regressions == 0
    assert found.passed


def test_a_metric_without_a_better_way_is_no_gate():
    """It is refused, not taken as higher."""
    metric = Metric(name="length", field="length", better=None)
    with pytest.raises(UseError, match="neither way is better"):
        compare(side(spread(1.0), metric=metric), side(spread(1.0), metric=metric))


def test_a_question_missing_from_the_candidate_is_a_regression():
    """Leaving out what one cannot answer does not pass, unless it is allowed."""
    found = gate(spread(1.0, 0.2), spread(1.0))
    assert not found.passed
    assert [(item.id, item.before) for item in found.standing("missing")] == [("q01", 0.2)]
    assert found.delta == 0
    assert gate(spread(1.0, 0.2), spread(1.0), allow_missing=True).passed


def test_a_value_that_became_undefined_counts_as_missing():
    """A candidate that no longer cites has no citation score, and must not pass for it."""
    found = gate({"a": 1.0, "b": 1.0}, {"a": 1.0, "b": None})
    assert not found.passed
    assert found.standing("missing")[0].reason == "score is undefined in the candidate"


def test_a_question_that_is_undefined_in_both_is_left_out():
    """It is no pair and no regression, and it is told."""
    found = gate({"a": 1.0, "b": None}, {"a": 1.0, "b": None})
    assert found.passed
    assert found.effect.n == 1
    assert [item.id for item in found.standing("not compared")] == ["b"]


def test_a_new_question_of_the_candidate_is_listed():
    """It changes no number."""
    found = gate(spread(1.0), spread(1.0, 0.0))
    assert found.passed
    assert found.delta == 0
    assert [item.id for item in found.standing("added")] == ["q01"]


def test_a_failed_case_within_the_limit_is_no_regression():
    """The provider's failure says nothing about quality."""
    failed = {("b", ""): ComparedCase(status="failed")}
    base = side({"a": 1.0, "b": 1.0})
    cand = side({"a": 1.0}, failed=1)
    cand = ComparedRun(
        path=cand.path, job=cand.job, metric=SCORE, items={**cand.items, **failed}, failed=1,
        state="partial", unasked=0,
    )  # fmt: skip
    found = compare(base, cand, Limits(max_failed=1))
    assert found.passed
    assert found.standing("not compared")[0].reason == "failed in the candidate"


def test_no_value_in_common_is_invalid():
    """Ids that meet without a value in both are nothing to compare."""
    with pytest.raises(UseError, match="no question has a value of score in both"):
        gate({"a": 1.0}, {"a": None})


def test_a_drop_that_noise_explains_passes_where_significance_is_required():
    """Ups and downs that all but cancel are no evidence; without the option they fail."""
    base = spread(*[0.5] * 12)
    cand = spread(*[0.4, 0.6] * 5, 0.4, 0.5)
    assert not gate(base, cand).passed
    found = gate(base, cand, require_significant=True)
    assert found.delta < 0
    assert found.effect.verdict == "unclear"
    assert found.passed


def test_a_drop_beyond_noise_fails_where_significance_is_required():
    """All of twelve questions became worse, by different amounts."""
    found = gate(
        spread(*[1.0] * 12),
        spread(*[0.9 - number / 50 for number in range(12)]),
        require_significant=True,
    )
    assert found.effect.verdict == "worse"
    assert found.faults == ["score became worse by 0.21"]


def test_missing_questions_fail_even_where_significance_is_required():
    """That a question is gone is no noise."""
    assert not gate(spread(1.0, 1.0), spread(1.0), require_significant=True).passed


def test_too_few_questions_to_tell_are_said_to_be():
    """Three of three worse cannot be told from noise, and the note says that it cannot fail."""
    found = gate(spread(1.0, 1.0, 1.0), spread(0.0, 0.0, 0.0), require_significant=True)
    assert found.passed
    assert any("too few questions" in note for note in found.notes)


def test_a_slower_percentile_fails_where_its_whole_interval_is_slower():
    """Percentiles have no test; the interval decides."""
    base = side(spread(*[1.0 + n / 100 for n in range(30)]), metric=SLOWEST)
    cand = side(spread(*[3.0 + n / 100 for n in range(30)]), metric=SLOWEST)
    limits = Limits(require_significant=True)
    assert not compare(base, cand, limits).passed
    assert compare(cand, base, limits).passed


def test_asking_for_a_rise_and_for_a_shown_drop_is_a_contradiction():
    """The two options together are refused rather than guessed at."""
    with pytest.raises(UseError, match="give one of them"):
        gate(spread(1.0), spread(1.0), min_delta=0.1, require_significant=True)


def test_shares_of_yes_and_no_are_tested_as_means():
    """Repeated runs make 0.5 of a yes/no metric, which McNemar's test does not know."""
    base = side(spread(*[0.5] * 8), metric=RIGHT)
    cand = side(spread(*[1.0] * 8), metric=RIGHT)
    assert compare(base, cand).effect.test == "wilcoxon"
    base = side(spread(*[0.0] * 8), metric=RIGHT)
    assert compare(base, cand).effect.test == "mcnemar-exact"


def test_questions_of_one_document_move_together():
    """With enough documents of several questions each, whole documents are permuted."""
    keys = [f"d{document}q{number}" for document in range(10) for number in range(2)]

    def of_documents(values: list[float], name: str) -> ComparedRun:
        items = {
            (key, ""): ComparedCase(status="scored", value=value, source=key[:2])
            for key, value in zip(keys, values, strict=True)
        }
        return ComparedRun(path=Path(name), job="quality", metric=SCORE, items=items)

    found = compare(of_documents([0.0] * 20, "a"), of_documents([0.1, 0.2] * 10, "b"))
    assert found.effect.test == "cluster-permutation"


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
    """It says nothing about quality, whichever side it is."""
    whole = side(spread(1.0))
    cut = ComparedRun(
        path=Path("cut.json"), job="quality", metric=SCORE, items=whole.items, state=state,
        unasked=unasked, failed=failed,
    )  # fmt: skip
    for pair in ((whole, cut), (cut, whole)):
        with pytest.raises(UseError, match=words):
            compare(*pair)


def test_every_reason_is_told_at_once():
    """Mending one and finding the next takes a CI run each."""
    base = side(spread(1.0), hashes={"pdf_sha256": "aa", "questions_sha256": "cc"})
    cand = side({"z": 1.0}, hashes={"pdf_sha256": "bb", "questions_sha256": None}, failed=1)
    with pytest.raises(UseError) as refused:
        compare(base, cand)
    lines = str(refused.value).splitlines()
    assert len(lines) == 4
    assert "pdf_sha256 differs: base aa, candidate bb" in str(refused.value)
    assert "questions_sha256 differs: base cc, candidate none" in str(refused.value)
    assert "1 case failed" in str(refused.value)
    assert "no question in common" in str(refused.value)


def test_other_hashes_metrics_and_weights_may_be_let_through():
    """Then they are notes, and the base's weights are used for both."""
    base = side(
        {"a": 1.0, "b": 0.0},
        weights={"a": 1.0, "b": 1.0},
        hashes={"pdf_sha256": "aa"},
        metric_names=frozenset({"score"}),
    )
    cand = side(
        {"a": 1.0, "b": 0.0},
        weights={"a": 3.0, "b": 1.0},
        hashes={"pdf_sha256": "bb"},
        metric_names=frozenset({"score", "tone"}),
    )
    with pytest.raises(UseError) as refused:
        compare(base, cand)
    assert len(str(refused.value).splitlines()) == 3
    found = compare(base, cand, Limits(strict_hashes=False))
    assert found.cand_weighted == 0.5
    assert len(found.notes) == 3 + 1  # and that both are named run.json


def test_results_of_different_jobs_are_invalid():
    """A depth test says nothing about an ablation, whatever the options."""
    one, two = side(spread(1.0)), side(spread(1.0))
    two = ComparedRun(path=two.path, job="depth", metric=SCORE, items=two.items)
    with pytest.raises(UseError, match="of the job 'quality'"):
        compare(one, two, Limits(strict_hashes=False))


def test_the_worst_change_comes_first():
    """Largest loss first, gains last."""
    found = gate(spread(1.0, 1.0, 0.0, 0.5), spread(0.8, 0.1, 1.0, 0.5))
    assert [item.id for item in found.standing("worse", "better")] == ["q01", "q00", "q02"]
