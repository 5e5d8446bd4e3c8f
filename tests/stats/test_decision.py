"""When a comparison is decided."""

from collections.abc import Sequence

import numpy as np
import pytest

from assay.stats.decision import UNKNOWN, Decisions, ScoreRange, SequentialComparison, StopRule
from assay.stats.sequence import PairedRange, bounds_after, bounds_at, first_rejection

YES, NO = ScoreRange(1.0, 1.0), ScoreRange(0.0, 0.0)


def exactly(value: float) -> ScoreRange:
    """A score that is known."""
    return ScoreRange(value, value)


def decide(
    rule: StopRule, scores: Sequence[tuple[ScoreRange | None, ScoreRange | None]]
) -> SequentialComparison:
    """A comparison that got these scores of variant and baseline."""
    comparison = SequentialComparison(rule, level=rule.level)
    for score, base in scores:
        comparison.add(score, base)
    return comparison


def test_a_better_variant_is_decided_after_the_first_pair_that_makes_it_certain() -> None:
    """It is the pair after which the capital first reaches its threshold."""
    decision = decide(StopRule(), [(YES, NO)] * 40).end()
    ones = np.ones(40)
    (after, _) = first_rejection(PairedRange(ones, ones), 0.0, 0.05, None)
    assert (decision.verdict, decision.questions, decision.difference) == ("better", after, 1.0)
    assert decision.low > 0


def test_when_it_is_looked_at_does_not_change_when_it_was_decided() -> None:
    """The decision is dated by the pair after which it is certain."""
    rng = np.random.default_rng(2)
    scores = [
        (exactly(float(a)), exactly(float(b)))
        for a, b in zip(rng.random(3000) < 0.55, rng.random(3000) < 0.5, strict=True)
    ]
    decision = decide(StopRule(), scores).end()
    values = np.array([score.low - base.low for score, base in scores])
    assert decision.verdict == "better"
    assert decision.pairs == first_rejection(PairedRange(values, values), 0.0, 0.05, None)[0]


def test_equal_variants_are_equivalent_within_the_margin_and_undecided_without_one() -> None:
    """Without a margin there is nothing to be certain of."""
    same = [(YES, YES), (NO, NO)] * 200
    assert decide(StopRule(margin=0.05), same).end().verdict == "equivalent"
    assert decide(StopRule(), same).end().verdict == "undecided"


def test_a_failed_case_is_taken_at_its_worst_for_every_claim() -> None:
    """A variant whose good answers may all be due to luck with failures is not better."""
    failing = [(UNKNOWN, exactly(0.5))] * 300
    decision = decide(StopRule(), failing).end()
    assert (decision.verdict, decision.unknown, decision.difference) == ("undecided", 300, None)


def test_an_undefined_score_does_not_count() -> None:
    """The number of questions goes on, that of pairs does not."""
    decision = decide(StopRule(), [(None, YES), *[(YES, NO)] * 40]).end()
    assert decision.questions == decision.pairs + 1


def test_about_a_set_everything_is_known_at_its_end() -> None:
    """One question of difference decides, once all of them were asked."""
    scores = [(YES, YES)] * 9 + [(YES, NO)]
    decision = decide(StopRule(size=10), scores).end()
    assert (decision.verdict, decision.questions) == ("better", 10)
    assert (decision.low, decision.high) == pytest.approx((0.1, 0.1), abs=1e-6)


def test_answers_count_in_planned_order_whenever_they_arrive() -> None:
    """All orders of arrival give the same decision after the same number of questions."""
    rng = np.random.default_rng(4)
    names = [f"q{number}" for number in range(150)]
    scores = {
        (name, variant): exactly(float(rng.random() < share))
        for name in names
        for variant, share in (("base", 0.4), ("good", 0.8), ("same", 0.4))
    }
    found = []
    for _ in range(3):
        decisions = Decisions(StopRule(), "base", ["base", "good", "same"], names)
        arrivals = list(scores)
        rng.shuffle(arrivals)
        for question, variant in arrivals:
            decisions.note(question, variant, scores[question, variant])
        found.append({name: each.end() for name, each in decisions.comparisons.items()})
        assert decisions.decided == {"good"}
    assert found[0] == found[1] == found[2]
    assert found[0]["good"].verdict == "better"
    assert found[0]["same"].verdict == "undecided"


def test_the_baseline_is_asked_until_every_variant_is_decided() -> None:
    """With nothing left to compare with, it needs no more questions."""
    names = [f"q{number}" for number in range(60)]
    decisions = Decisions(StopRule(), "base", ["base", "good", "bad"], names)
    for name in names:
        decisions.note(name, "base", exactly(0.5))
        decisions.note(name, "good", YES)
    assert decisions.decided == {"good"}
    for name in names:
        decisions.note(name, "bad", NO)
    assert decisions.decided == {"good", "bad", "base"}


def test_the_level_is_shared_by_the_variants() -> None:
    """With more variants each needs more questions."""
    names = [f"q{number}" for number in range(60)]
    needed = []
    for others in (["a"], ["a", "b", "c", "d"]):
        decisions = Decisions(StopRule(), "base", ["base", *others], names)
        for name in names:
            for variant in ("base", *others):
                decisions.note(name, variant, NO if variant == "base" else YES)
        needed.append(decisions.comparisons["a"].end().questions)
    assert needed[0] < needed[1]


def test_the_sequence_that_is_shown_is_that_of_the_decision() -> None:
    """Its last interval is the one at which it was decided."""
    comparison = decide(StopRule(), [(YES, NO), (NO, NO)] * 50)
    decision = comparison.end()
    shown = comparison.sequence()
    last = shown[-1]
    assert (last.questions, last.low, last.high) == (
        decision.questions,
        decision.low,
        decision.high,
    )
    assert last.difference == decision.difference
    assert [each.questions for each in shown] == sorted(each.questions for each in shown)


@pytest.mark.parametrize("size", [None, 200])
def test_the_sequence_that_is_shown_is_never_narrower_than_the_real_one(size: int | None) -> None:
    """It is made of fewer claims, and is nearly as narrow."""
    values = np.random.default_rng(3).choice([-1.0, 0.0, 0.0, 1.0], 120)
    pairs = PairedRange(values, values)
    counts = [1, 5, 20, 60, 119, 120]
    for count, (low, high) in zip(counts, bounds_after(pairs, 0.05, size, counts), strict=True):
        real = bounds_at(PairedRange(values[:count], values[:count]), 0.05, size)
        assert low <= real[0] <= low + 0.05
        assert high - 0.05 <= real[1] <= high


def test_nothing_asked_is_undecided() -> None:
    """No pair at all is not an error."""
    decision = SequentialComparison(StopRule(), level=0.05).end()
    assert (decision.verdict, decision.questions, decision.difference) == ("undecided", 0, None)
    assert SequentialComparison(StopRule(), level=0.05).sequence() == []


@pytest.mark.parametrize("size", [None, 400])
@pytest.mark.parametrize("margin", [0.0, 0.15])
@pytest.mark.parametrize("seed", range(6))
def test_a_decision_is_seen_with_the_pair_that_makes_it(
    size: int | None, margin: float, seed: int
) -> None:
    """No question is asked after it: what is watched pair by pair agrees with the exact look."""
    rng = np.random.default_rng(seed)
    share = (0.5, 0.5, 0.7, 0.6, 0.35, 0.52)[seed]
    comparison = SequentialComparison(StopRule(margin=margin, size=size), level=0.05)
    for number, (a, b) in enumerate(
        zip(rng.random(400) < share, rng.random(400) < 0.5, strict=True)
    ):
        score = UNKNOWN if number % 29 == 7 else exactly(float(a))
        comparison.add(score, exactly(float(b)))
        if comparison.decision is not None:
            assert comparison.decision.questions == number + 1
            return
    assert comparison.end().verdict == "undecided"


def test_a_set_is_about_its_defined_questions_as_the_tables_are() -> None:
    """A question without gold is no difference of 0: at the end the table's mean is printed."""
    scores = [(YES, NO), (None, NO), (NO, NO), (None, None), (YES, NO)]
    decision = decide(StopRule(size=5), scores).end()
    assert (decision.questions, decision.pairs) == (5, 3)
    assert decision.difference == pytest.approx(2 / 3)
    assert (decision.low, decision.high) == pytest.approx((2 / 3, 2 / 3), abs=1e-6)


def test_a_document_counts_once_all_its_questions_have_ended() -> None:
    """The answers of the next document change nothing until the last of them is there."""
    names = [f"q{number}" for number in range(60)]
    decisions = Decisions(StopRule(), "base", ["base", "good"], names, sizes=(5,) * 12)
    ended = 0
    for name in names:
        decisions.note(name, "base", NO)
        decisions.note(name, "good", YES)
        ended += 1
        if decisions.decided:
            break
    decision = decisions.comparisons["good"].end()
    assert ended == decision.questions == 40
    assert (decision.verdict, decision.pairs) == ("better", 40)
    assert [each.questions for each in decisions.comparisons["good"].sequence()] == [
        *range(5, 41, 5)
    ]


def test_part_of_a_document_decides_nothing() -> None:
    """Neither at the end of what was asked, nor in the number of questions that is printed."""
    names = [f"q{number}" for number in range(30)]
    decisions = Decisions(StopRule(), "base", ["base", "good"], names, sizes=(10, 10, 10))
    for name in names[:19]:
        decisions.note(name, "base", NO)
        decisions.note(name, "good", YES)
    assert decisions.comparisons["good"].end().questions == 10


@pytest.mark.parametrize("is_yes_no", [True, False])
@pytest.mark.parametrize(("documents", "size"), [(10, 30), (30, 30), (10, 100)])
def test_documents_that_differ_around_zero_are_decided_no_more_often_than_the_level(
    documents: int, size: int, *, is_yes_no: bool
) -> None:
    """Their questions, taken as independent, decide much more often."""
    rng = np.random.default_rng(documents + size)
    wrong, runs = {"documents": 0, "questions": 0}, 120
    for _ in range(runs):
        effects = rng.uniform(-0.35, 0.35, documents)
        if is_yes_no:
            gains = rng.random((documents, size)) < 0.5 + effects[:, None]
            values = np.where(rng.random((documents, size)) < 0.5, np.where(gains, 1.0, -1.0), 0.0)
        else:
            values = effects[:, None] + rng.uniform(-0.2, 0.2, (documents, size))
        for name, found in (
            ("documents", values.mean(axis=1)),
            ("questions", rng.permutation(values.ravel())),
        ):
            wrong[name] += first_rejection(PairedRange(found, found), 0.0, 0.05, None) != (
                None,
                None,
            )
    assert wrong["documents"] <= 0.05 * runs
    assert wrong["questions"] > 0.08 * runs
