"""The margin of the gate: what is ruled out, what is shown, and how many more questions would tell."""

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from msgspec.structs import replace

from assay.errors import UseError
from assay.gate.compared_run import ComparedCase, ComparedRun
from assay.gate.correction import Correction
from assay.gate.gate import Comparison, Limits, compare, with_correction
from assay.gate.margin import (
    Margin,
    MarginOutcome,
    PairedSpread,
    margin_result,
    paired_spread,
    with_unseen,
)
from assay.gate.report import as_json, as_markdown, suites
from assay.gate.report_wording import as_text, difference_line, headline, margin_hint
from assay.records import Metric
from assay.report.junit import as_junit
from assay.stats.comparison import paired_effect
from assay.stats.corrected import Corrected
from assay.stats.effect import Method
from assay.stats.interval import Interval
from assay.words.language import LANGUAGES
from assay.words.message import text_of

RIGHT = Metric(name="right", field="right", kind="rate")
SCORE = Metric(name="score", field="score")
SECONDS = Metric(name="latency", field="elapsed_s", better="lower", unit="s")
SLOWEST = Metric(name="p50_latency", field="elapsed_s", kind="p50", better="lower", unit="s")


def run_of(
    values: Sequence[float | None], metric: Metric = RIGHT, *, documents: int = 0, **more: Any
) -> ComparedRun:
    """A complete run with a question for each value; the last ``weight`` of them may be heavy."""
    items = {
        (f"q{number:03}", ""): ComparedCase(
            status="scored",
            value=value,
            source=f"d{number % documents}" if documents else None,
            weight=more["weights"][number] if "weights" in more else None,
        )
        for number, value in enumerate(values)
    }
    return ComparedRun(
        path=Path("run.json"), job="quality", metric=metric, items=items, state="complete"
    )


def changed(n: int, *, lost: int = 0, gained: int = 0, **limits: Any) -> Comparison:
    """A comparison of ``n`` yes/no answers, of which some were lost and some gained."""
    base = [1.0] * lost + [0.0] * gained + [1.0] * (n - lost - gained)
    cand = [0.0] * lost + [1.0] * gained + [1.0] * (n - lost - gained)
    return compare(run_of(base), run_of(cand), Limits(**{"margin": 0.03, **limits}))


def outcome(comparison: Comparison) -> MarginOutcome:
    """What the interval says about the margin."""
    assert comparison.margin is not None
    return comparison.margin.outcome


@pytest.mark.parametrize(
    ("lost", "gained", "found", "first"),
    [
        (4, 4, "passed", "gate passed: right is not worse by more than 3 points"),
        (60, 5, "failed", "gate failed: right is worse by more than 3 points"),
        (14, 4, "unclear", "gate undecided, which counts as failed: cannot tell whether right is worse by more than 3 points: about "),
    ],
)  # fmt: skip
def test_the_interval_decides(lost: int, gained: int, found: str, first: str):
    """It passes what the interval rules out, fails what it shows, and says if it does neither."""
    comparison = changed(400, lost=lost, gained=gained)
    interval = comparison.effect.interval
    assert interval is not None
    assert outcome(comparison) == found
    assert comparison.passed is (found == "passed")
    assert (interval.low >= -0.03) is (found == "passed")
    assert (interval.high < -0.03) is (found == "failed")
    assert as_text(comparison).startswith(first)


def test_single_questions_count_only_if_a_number_is_given():
    """With a margin, four worse questions fail the gate only with ``--max-regressions``."""
    assert changed(400, lost=4, gained=4).passed
    strict = changed(400, lost=4, gained=4, max_regressions=3)
    assert headline(strict) == "gate failed: 4 questions regressed, 3 allowed"
    assert "margin       right is not worse by more than 3 points" in as_text(strict)


def test_a_missing_question_still_counts():
    """A candidate must not pass because it left out what it cannot answer."""
    base, cand = run_of([1.0] * 400), run_of([*[1.0] * 399, None])
    comparison = compare(base, cand, Limits(margin=0.03))
    assert (outcome(comparison), comparison.passed) == ("passed", False)
    assert compare(base, cand, Limits(margin=0.03, allow_missing=True)).passed


def test_unclear_passes_only_if_it_is_allowed():
    """The sentence stays, and the verdict agrees with the exit code."""
    refused = changed(50, lost=2, gained=2)
    allowed = changed(50, lost=2, gained=2, pass_if_unclear=True)
    assert (refused.passed, allowed.passed) == (False, True)
    assert headline(allowed).startswith(
        "gate undecided, which counts as passed: cannot tell whether right"
    )
    shown_loss = changed(200, lost=60, pass_if_unclear=True)
    assert not shown_loss.passed


@pytest.mark.parametrize(
    ("lost", "gained", "found"),
    [(4, 4, "passed"), (40, 2, "failed"), (2, 40, "failed"), (14, 4, "unclear"), (4, 14, "unclear")],
)  # fmt: skip
def test_equivalence_has_two_sides(lost: int, gained: int, found: str):
    """A gain that matters is no equivalence, though it is no loss."""
    comparison = changed(400, lost=lost, gained=gained, margin=None, equivalent=0.03)
    assert outcome(comparison) == found
    if found == "failed":
        word = "better" if gained > lost else "worse"
        assert headline(comparison) == f"gate failed: right is {word} by more than 3 points"


def test_a_unit_has_its_own_margin_and_less_may_be_better():
    """Half a second more is a loss of latency; the margin is in seconds."""
    before = [1.0 + n % 7 / 10 for n in range(60)]
    runs = [run_of([value + more + n % 3 / 100 for n, value in enumerate(before)], SECONDS) for more in (0.0, 0.2, 0.9)]  # fmt: skip
    base, little, much = replace(runs[0], items=run_of(before, SECONDS).items), runs[1], runs[2]
    passed = compare(base, little, Limits(margin=0.5))
    assert headline(passed) == "gate passed: latency is not worse by more than 0.5 s"
    assert not compare(base, much, Limits(margin=0.5)).passed
    assert compare(much, base, Limits(margin=0.5)).passed
    assert compare(base, little, Limits(margin=3)).passed


def test_the_interval_of_a_percentile_decides():
    """It has no test, and its interval says as much about a margin."""
    base = run_of([1.0 + n / 100 for n in range(80)], SLOWEST)
    slower = run_of([2.0 + n / 100 for n in range(80)], SLOWEST)
    assert outcome(compare(base, slower, Limits(margin=0.5))) == "failed"
    assert outcome(compare(base, slower, Limits(margin=2))) == "passed"
    spun = run_of([1.0 + (n * 7 % 80) / 100 for n in range(80)], SLOWEST)
    unclear = compare(base, spun, Limits(margin=0.01))
    assert outcome(unclear) == "unclear"
    assert unclear.margin is not None
    assert unclear.margin.more


def test_the_weighted_score_has_the_margin():
    """The light questions are the same; the heavy ones lose, and the interval is of the same figure."""
    weights = [1.0] * 60 + [9.0] * 60
    base = run_of([1.0] * 120, SCORE, weights=weights)
    cand = run_of([1.0] * 60 + [0.6, 0.8] * 30, SCORE, weights=weights)
    comparison = compare(base, cand, Limits(margin=0.2))
    assert comparison.gain == pytest.approx(-0.27)
    assert headline(comparison) == "gate failed: weighted score is worse by more than 20 points"


@pytest.mark.parametrize(
    ("low", "high", "estimate", "found"),
    [(-0.02, 0.1, 0.04, "passed"), (-0.3, -0.1, -0.2, "failed"), (-0.1, 0.04, -0.03, "unclear")],
)
def test_the_corrected_interval_decides(low: float, high: float, estimate: float, found: str):
    """Labels of people say what the check alone cannot; if they are too few, more of them would tell."""
    correction = Correction(
        used="corrected", reason="80 labels", needed=300,
        difference=Corrected(
            raw=-0.01, n=400, labelled=80, estimate=estimate,
            interval=Interval(low=low, high=high, level=0.95, method="prediction-powered"),
        ),
    )  # fmt: skip
    comparison = with_correction(changed(400, lost=8, gained=4), correction)
    assert outcome(comparison) == found
    assert "right, corrected by labels," in headline(comparison)
    if found == "unclear":
        assert "about 300 labels of each side would tell" in headline(comparison)


def test_too_few_labels_do_not_overrule_a_loss_that_is_shown():
    """Not even with ``--pass-if-unclear``: the check alone shows a loss that matters."""
    correction = Correction(
        used="corrected", reason="80 labels", needed=300,
        difference=Corrected(
            raw=-0.15, n=400, labelled=80, estimate=-0.05,
            interval=Interval(low=-0.2, high=0.1, level=0.95, method="prediction-powered"),
        ),
    )  # fmt: skip
    shown = changed(400, lost=60, pass_if_unclear=True)
    comparison = with_correction(shown, correction)
    assert not comparison.passed
    assert "the labels are too few to contradict it" in headline(comparison)


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({"margin": -0.1}, "--margin must be above 0"),
        ({"margin": float("nan")}, "--margin must be above 0"),
        ({"equivalent": 0.0, "margin": None}, "--equivalent must be above 0"),
        ({"margin": 3.0}, "for 3 points of 100 use --margin 0.03"),
        ({"equivalent": 0.1}, "--margin and --equivalent ask for different things"),
        ({"require_significant": True}, "--margin and --require-significant contradict"),
        ({"min_delta": -0.1}, "--margin and --min-delta contradict"),
        ({"margin": None, "pass_if_unclear": True}, "--pass-if-unclear needs --margin"),
    ],
)
def test_options_that_contradict_each_other_are_refused(limits: dict[str, Any], words: str):
    """Each with one line that says what to do."""
    with pytest.raises(UseError, match=words):
        changed(20, **limits)


@pytest.mark.parametrize(
    ("n", "lost", "gained"), [(60, 0, 0), (60, 3, 3), (120, 4, 3), (100, 2, 2)]
)
def test_as_many_more_questions_would_tell(n: int, lost: int, gained: int):
    """A run of that size passes if nothing changes on average and answers vary as much as now."""
    comparison = changed(n, lost=lost, gained=gained)
    assert comparison.margin is not None
    more = comparison.margin.more
    assert more is not None
    pairs = round((lost + gained) / 2 * (n + more) / n)
    assert changed(n + more, lost=pairs, gained=pairs).passed


def test_documents_are_counted_where_they_are_drawn():
    """From ten documents on the claim is about documents like these, so more of them would tell."""
    base = run_of([1.0, 0.0] * 40, documents=20)
    cand = run_of([0.0, 1.0] * 4 + [1.0, 0.0] * 36, documents=20)
    comparison = compare(base, cand, Limits(margin=0.03))
    assert comparison.margin is not None
    assert comparison.margin.unit == "document"
    assert "more documents would tell" in headline(comparison)


def test_where_no_question_differs_its_share_is_said():
    """Instead of an interval around 0: how many of all such questions could differ."""
    assert difference_line(changed(9)) == "none of 9 questions differs; at most 34 % of such questions would"  # fmt: skip
    related = compare(run_of([1.0] * 40, documents=20), run_of([1.0] * 40, documents=20))
    assert "at most 17 % of such documents would have one that does" in difference_line(related)


def test_the_default_gate_suggests_a_margin_where_noise_may_explain_the_failure():
    """On its last line, in every form; not if the loss is shown, or if the gate passes."""
    noisy = changed(200, lost=4, gained=4, margin=None)
    assert not noisy.passed
    hint = str(margin_hint(noisy))
    assert as_text(noisy).splitlines()[-1] == hint
    assert "With --margin" in as_markdown(noisy).splitlines()[-1]
    assert json.loads(as_json(noisy))["hint"] == hint
    for other in (
        changed(200, lost=40, margin=None),
        changed(200, margin=None),
        changed(50, lost=4),
    ):
        assert not margin_hint(other)


def test_every_form_says_the_outcome():
    """JSON has the ends of the interval, Markdown and JUnit the sentence; unclear has its own type."""
    unclear = changed(50, lost=2, gained=2)
    told = json.loads(as_json(unclear))
    assert (told["verdict"], told["margin"]["outcome"]) == ("failed", "unclear")
    assert told["margin"]["low"] < -0.03 < told["margin"]["high"]
    assert told["limits"]["margin"] == 0.03
    sentence = told["margin"]["sentence"]
    assert sentence in as_markdown(unclear)
    checks, questions = ET.fromstring(as_junit(suites(unclear), timestamp="2026-01-02T03:04:05Z"))
    failure = checks.find("testcase[@name='margin']/failure")
    assert failure is not None
    assert (failure.get("type"), failure.get("message")) == ("unclear", sentence)
    assert questions.get("failures") == "0"
    allowed = changed(50, lost=2, gained=2, pass_if_unclear=True)
    (checks, _) = ET.fromstring(as_junit(suites(allowed), timestamp="2026-01-02T03:04:05Z"))
    assert checks.get("failures") == "0"
    assert checks.find("properties/property[@name='margin']").get("value") == sentence  # type: ignore[union-attr]
    assert "margin" not in json.loads(as_json(changed(50, margin=None)))["limits"]


def test_the_outcome_is_told_in_every_language():
    """With the amount and the number of questions."""
    for comparison in (changed(50, lost=2), changed(400, lost=90), changed(400)):
        assert comparison.margin is not None
        sentence = comparison.margin.sentence(RIGHT, "right")
        assert len({text_of(sentence, lang) for lang in LANGUAGES}) == 3


def drawn(rng: np.random.Generator, kind: str, n: int, loss: float) -> tuple[Any, Any]:
    """The scores of two runs with a known loss, as ``bench/margin.py`` draws them."""
    if kind == "rate":
        chance = rng.random(n)
        lost, gained = chance < 0.05 + loss, chance > 0.95
        before = np.where(gained, 0.0, 1.0)
        return before, np.where(lost, 0.0, 1.0)
    change = np.where(rng.random(n) < 0.3, rng.uniform(-0.3, 0.3, n) - loss / 0.3, 0.0)
    return np.full(n, 0.65), 0.65 + change


@pytest.mark.parametrize(("metric", "n"), [(RIGHT, 500), (SCORE, 200)])
def test_a_loss_of_the_margin_passes_rarely_and_no_loss_mostly(metric: Metric, n: int):
    """In about 2.5 % of runs, the level of one side of the interval, and in most runs."""
    margin, method = Margin(kind="not worse", size=0.05), Method(resamples=1_000)
    shares = []
    for loss in (0.05, 0.0):
        rng, outcomes = np.random.default_rng(7), Counter[str]()
        for _ in range(300):
            before, after = drawn(rng, metric.kind, n, loss)
            effect = paired_effect(metric, "cand", "base", after, before, method)
            spread = paired_spread(metric, before, after, method, None)
            found = margin_result(margin, metric, effect.interval, effect.difference, spread)
            outcomes[found.outcome] += 1
        shares.append(outcomes["passed"] / 300)
    assert shares[0] <= 0.06
    assert shares[1] >= 0.9


def test_heavy_questions_that_did_not_change_are_no_proof():
    """If six of 60 questions have nearly all the weight, light changes rule nothing out."""
    weights = np.array([1000.0] * 6 + [1.0] * 54)
    weights *= 60 / weights.sum()
    pairs = PairedSpread(units=60, unit="item", is_score=True, spread=0.1)
    narrow = Interval(low=-0.001, high=0.001, level=0.95, method="t")
    wide = with_unseen(narrow, 0.0, weights, pairs)
    assert wide is not None
    assert wide.low < -0.4
    assert with_unseen(narrow, 0.0, np.ones(60), pairs) is narrow


def test_equal_losses_without_a_limit_are_a_shown_drop():
    """Sixty tokens counts that all rose by the same are no chance, although they show no spread."""
    tokens = Metric(name="tokens", field="t", unit="tokens", better="lower")
    effect = paired_effect(tokens, "cand", "base", np.full(60, 500.0), np.full(60, 100.0), Method())
    assert (effect.verdict, effect.interval) == ("worse", None)
