"""The summary of a benchmark's rows."""

from typing import Any

import pytest

from assay.jobs.legal.handler import outcome_lines
from assay.jobs.legal.spec import ReportRow
from assay.jobs.legal.summary import bench_summary, group_summary, result_row


def row(number: int, kind: str = "fact_exact", **fields: Any) -> ReportRow:
    """A row of a scored question; ``fields`` are added to it or replace its own."""
    head = {"file": f"{kind}.json", "source": "sale.txt", "question": "?", "status": "scored"}
    return ReportRow(**{"question_id": f"q{number}", "question_type": kind, **head, **fields})


def test_means_and_counts():
    """Questions have equal weight overall, types have equal weight in the macro mean."""
    rows = [
        row(1, score=1.0, passed=True, terms={"exact_match": True}),
        row(2, score=0.3, passed=False, terms={"exact_match": False}),
        row(3, "evidence_set", score=0.5, terms={"recall": None, "precision": 0.25}),
        row(4, status="failed", error="timeout: no answer"),
        row(5, status="answered", answer="Thirty days."),
    ]
    summary = bench_summary(rows, total=7)
    assert summary["overall_percentage"] == 60.0
    assert summary["macro_percentage"] == 57.5
    assert summary["percentage_if_failed_are_zero"] == 45.0
    assert summary["counts"] == {
        "questions": 7, "scored": 3, "answered": 1, "failed": 1, "skipped": 0, "not_asked": 2,
        "passed": 1,
    }  # fmt: skip
    terms = summary["by_type"]["evidence_set"]["terms"]
    assert terms == {"recall": {"mean": None, "n": 0}, "precision": {"mean": 0.25, "n": 1}}
    assert summary["questions"][3]["score"] is None
    assert summary["questions"][3]["error"] == "timeout: no answer"


def test_nothing_scored_is_no_percentage():
    """If every question failed, only the percentage that counts failures as zero is defined."""
    summary = bench_summary([row(1, status="failed", error="x")])
    assert summary["overall_percentage"] is None
    assert summary["macro_percentage"] is None
    assert summary["percentage_if_failed_are_zero"] == 0.0
    assert bench_summary([])["percentage_if_failed_are_zero"] is None


@pytest.mark.parametrize("field", ["category", "difficulty"])
def test_questions_without_the_field_are_a_separate_group(field: str):
    """Questions without a category or difficulty are in the last group, ``unspecified``."""
    rows = [row(1, score=1.0), row(2, score=0.0, **{field: "zzz"})]
    groups = bench_summary(rows)[f"by_{field}"]
    assert list(groups) == ["zzz", "unspecified"]
    assert groups["unspecified"]["percentage"] == 100.0


def test_nothing_passes_where_there_is_nothing_to_pass():
    """``passed`` is undefined if no file sets a ``min_score``, and 0 if one does and none passed."""
    unlimited = [ReportRow(score=0.7), ReportRow(status="failed")]
    assert group_summary(unlimited)["passed"] is None
    assert bench_summary(unlimited)["counts"]["passed"] is None
    failed = [ReportRow(score=0.2, min_score=0.5, passed=False)]
    assert group_summary([*unlimited, *failed])["passed"] == 0
    assert group_summary([ReportRow(status="failed", min_score=0.5)])["passed"] == 0


def test_unsure_answers_leave_a_band():
    """The overall percentage and its printed line have the band that unsure answers leave."""
    told: dict[str, Any] = {"faults": [], "missing": [], "invented": []}
    rows = [
        row(1, score=1.0),
        row(2, score=0.0, at_least={"score": 0.0}, at_most={"score": 0.7}, **told),
        row(3, "evidence_set", score=0.5, **told),
    ]
    summary = bench_summary(rows)
    assert summary["unsure_answers"] == {
        "n": 1,
        "low": 50.0,
        "high": pytest.approx(73.3333, abs=1e-3),
    }
    assert summary["by_type"]["fact_exact"]["unsure_answers"] == {"n": 1, "low": 50.0, "high": 85.0}
    assert "unsure_answers" not in summary["by_type"]["evidence_set"]
    again = bench_summary([result_row(each) for each in summary["questions"]])
    assert again["unsure_answers"] == summary["unsure_answers"]
    lines = outcome_lines(summary)
    assert lines[1] == "overall       50.0 %  between 50.0 and 73.3 by 1 unsure answer"
    assert (
        lines[3]
        == "  fact_exact    50.0 % of 2 questions  between 50.0 and 85.0 by 1 unsure answer"
    )
