from typing import Any

import pytest

from assay.records import Metric
from assay.scorers.risk import METRICS, outcome, review_summary, score_review
from assay.scorers.risk.level import Level
from assay.scorers.risk.reply.parse import parse_review

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
        (GOOD, {"evidence_valid": []}),
        (GOOD, {"laws_valid": [False]}),
        (GOOD.replace("Suggestion: b", ""), {}),
        (GOOD.replace("Suggestion: b", "Suggestion: none"), {}),
    ],
)
def test_the_task_fails_if_one_condition_does_not_hold(reply: str, changes: dict[str, Any]):
    """A single condition that does not hold makes the task fail."""
    assert row(reply, **changes)["task_success"] is False


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
    scored = row() | {"elapsed_s": 0.1}

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
    }


@pytest.mark.parametrize("level", ["medium", "low"])
def test_finding_high_risks_is_only_about_high_risks(level: Level):
    """The recall of high risks is undefined for clauses of other levels."""
    assert row(risk_level=level)["scores"]["high_risk_found"] is None
