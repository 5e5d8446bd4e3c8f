from typing import Any

import pytest

from assay.jobs.contract.level import Level
from assay.jobs.contract.reply import parse_review
from assay.jobs.contract.score import outcome, review_summary, score_review
from assay.jobs.contract.spec import METRICS
from assay.records import Metric

GOOD = "Level: high\nRisk ID: R1\nEvidence: “a”\nSuggestion: b"


def row(reply: str = GOOD, **changes: Any) -> dict[str, Any]:
    """The scores of a reply about a clause with the high risk R1."""
    arguments: dict[str, Any] = {
        "risk_level": "high",
        "rules": ["R1"],
        "risk_id": "R1",
        "evidence_valid": [True],
    }
    return score_review(parse_review(reply), **(arguments | changes))


def test_the_task_succeeds_if_all_conditions_hold():
    """A parsed reply with correct level, valid quotation and suggestion is a success."""
    assert row()["task_success"] is True


@pytest.mark.parametrize(
    ("reply", "changes"),
    [
        ("Evidence: a\nSuggestion: b", {}),
        (GOOD.replace("high", "medium"), {}),
        (GOOD, {"evidence_valid": [True, False]}),
        (GOOD, {"laws_valid": [False]}),
        (GOOD.replace("Suggestion: b", ""), {}),
        (GOOD.replace("Suggestion: b", "Suggestion: none"), {}),
    ],
)
def test_the_task_fails_if_one_condition_does_not_hold(reply: str, changes: dict[str, Any]):
    """A single condition that does not hold makes the task fail."""
    assert row(reply, **changes)["task_success"] is False


def test_there_is_no_fifth_condition():
    """A reply that quotes nothing invents nothing, so it can succeed."""
    assert row(evidence_valid=[])["task_success"] is True


@pytest.mark.parametrize(
    ("field", "success"),
    [
        ("建议：无", True),
        ("Рекомендация: нет", True),
        ("Suggestion: none", True),
        ("建议：", False),
        ("", False),
    ],
)
def test_a_correct_low_verdict_may_say_that_there_is_nothing_to_suggest(field: str, success: bool):
    """A word for "none" in the suggestion of a low verdict fulfils its condition; silence not."""
    reply = f"Level: low\n{field}"
    assert row(reply, risk_level="low", evidence_valid=[])["task_success"] is success
    assert row(reply, risk_level="high", evidence_valid=[])["task_success"] is False


def test_a_json_reply_may_say_that_there_is_nothing_to_suggest():
    """The suggestion "无" of a JSON reply with a low level counts, a missing one does not."""
    low: dict[str, Any] = {"risk_level": "low", "evidence_valid": []}
    assert row('{"risk_level": "low", "suggestion": "无"}', **low)["task_success"] is True
    assert row('{"risk_level": "low", "suggestion": null}', **low)["task_success"] is False


def test_a_low_risk_needs_no_evidence():
    """A verdict of low risk needs no quotation, but a quotation must still be valid."""
    reply = "Level: low\nSuggestion: No change is needed."
    assert row(reply, risk_level="low", evidence_valid=[])["task_success"] is True
    assert row(reply, risk_level="low", evidence_valid=[False])["task_success"] is False


def test_unparsed_scores_nothing_and_is_no_class():
    """A reply without a verdict is wrong, scores 0, and counts in the last column."""
    scored = row("I think it is fine.", risk_level="low")
    assert (scored["risk_level"], scored["level_correct"], scored["weighted_score"]) == (
        None,
        False,
        0.0,
    )
    assert outcome(scored)[:12] == (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)


def test_rules_are_those_that_fired_or_else_those_the_reply_names():
    """Rules that the system reports take precedence; without expected rules the counts are 0."""
    named = row("Level: high\nRisk ID: R1, R2")
    assert (named["rule_target"], named["rule_correct"], named["rule_trigger"]) == (1, 1, 2)
    fired = row(fired=["R3"])
    assert (fired["rule_correct"], fired["rule_trigger"], fired["risk_id_match"]) == (0, 1, 1)
    unknown = row(rules=None, risk_id=None)
    assert (unknown["rule_target"], unknown["rule_trigger"], unknown["risk_id_total"]) == (0, 0, 0)
    assert unknown["scores"]["risk_id_match"] is None


def test_the_summary_has_its_names_and_shapes():
    """Every metric matches its value by hand on four clauses; the matrix has an extra column."""
    rows: list[dict[str, Any]] = [
        row(evidence_valid=[True, False], laws_valid=[True]) | {"elapsed_s": 1.0},
        row("Level: medium\nSuggestion: x", evidence_valid=[]) | {"elapsed_s": 2.0},
        row("?", risk_level="low", rules=[], risk_id=None, evidence_valid=[]) | {"elapsed_s": 3.0},
        row(
            "Level: low\nSuggestion: x", risk_level="low", rules=[], risk_id=None, evidence_valid=[]
        )
        | {"elapsed_s": 4.0, "status": "scored"},
        {"status": "failed", "error": "down"},
        {"status": "skipped", "reason": "too long"},
    ]
    summary = review_summary(rows)
    assert (summary["total"], summary["failed"], summary["skipped"]) == (4, 1, 1)
    assert (summary["unparsed"], summary["kappa_clauses"]) == (1, 3)
    assert summary["conf_matrix"] == [[1, 1, 0, 0], [0, 0, 0, 0], [0, 0, 1, 1]]
    assert summary["conf_matrix_columns"] == ["High", "Medium", "Low", "Unparsed"]
    assert summary["accuracy"] == 0.5
    assert summary["weighted_accuracy"] == pytest.approx((1 + 0.4 + 0 + 1) / 4)
    assert summary["class_f1"] == {"High": pytest.approx(2 / 3), "Medium": 0.0, "Low": 2 / 3}
    assert summary["class_recall"] == {"High": 0.5, "Medium": None, "Low": 0.5}
    assert summary["macro_f1"] == pytest.approx(4 / 9)
    assert summary["high_risk_f2"] == pytest.approx(5 / 9)
    assert summary["hallucination_rate"] == pytest.approx(1 / 3)
    assert summary["clause_hallucination_rate"] == 0.5
    assert summary["law_hallucination_rate"] == 0.0
    assert (summary["rule_recall"], summary["rule_precision"]) == (0.5, 1.0)
    assert summary["risk_id_accuracy"] == 0.5
    assert summary["task_success_rate"] == 0.25
    assert summary["parse_rate"] == 0.75
    assert summary["avg_latency"] == 2.5


def test_a_summary_of_nothing_is_undefined():
    """Without rows every metric is undefined and all counts are zero."""
    summary = review_summary([])
    assert summary["total"] == 0
    assert summary["accuracy"] is None
    assert summary["avg_latency"] is None
    assert summary["class_f1"] == {"High": None, "Medium": None, "Low": None}


def test_every_compared_metric_points_into_the_row():
    """Each metric that is used to compare variants points to an existing field of the row."""
    scored = row() | {"elapsed_s": 0.1, "ttft_s": 0.05}

    def value(metric: Metric) -> Any:
        current: Any = scored
        for key in metric.field.split("."):
            current = current[key]
        return current

    assert {metric.name: value(metric) for metric in METRICS} == {
        "accuracy": True,
        "weighted_accuracy": 1.0,
        "high_risk_recall": True,
        "task_success_rate": True,
        "parse_rate": True,
        "risk_id_accuracy": True,
        "clauses_with_invented_evidence": False,
        "avg_latency_s": 0.1,
        "p50_latency_s": 0.1,
        "p95_latency_s": 0.1,
        "ttft_s": 0.05,
    }


@pytest.mark.parametrize("level", ["medium", "low"])
def test_finding_high_risks_is_only_about_high_risks(level: Level):
    """The recall of high risks is undefined for clauses of other levels."""
    assert row(risk_level=level)["scores"]["high_risk_found"] is None


def test_macro_means_divide_by_three_and_those_of_defined_levels_have_their_own_names():
    """A level that is never stated counts 0 in the macro mean, and not at all in the other one."""
    # high: 2 right; medium: 1 read as high; low never true and never stated
    rows = [row(), row(), row(risk_level="medium")]
    summary = review_summary(rows)
    # precision high 2/3, recall high 1, medium 0; F1 high 2·2/(2·2 + 0 + 1) = 4/5, medium 0
    assert summary["macro_precision"] == pytest.approx((2 / 3) / 3)
    assert summary["macro_recall"] == pytest.approx((1 + 0) / 3)
    assert summary["macro_f1"] == pytest.approx((4 / 5 + 0) / 3)
    assert summary["macro_precision_defined"] == pytest.approx(2 / 3)
    assert summary["macro_recall_defined"] == pytest.approx(1 / 2)
    assert summary["macro_f1_defined"] == pytest.approx((4 / 5 + 0) / 2)
