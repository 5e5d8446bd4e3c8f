"""The numbers of a run that stopped early, or that was asked in full before it could."""

from pathlib import Path
from typing import Any

import pytest

from assay.records import Question
from assay.report.table.table import legend
from assay.runs.asking_order import in_order_of_asking
from assay.study.analysis import analyse_run, summary_results
from assay.study.finding import RunFindings
from assay.study.finding_text import verdicts
from assay.study.table import bill_table, metrics_table, quality_table, reservations
from tests.study.test_table import cells
from tests.support.journal import failed, judged, row, write_header, write_rows

COVERAGE = "avg_gold_coverage"
RULE = {
    "level": 0.05,
    "margin": 0.0,
    "max_questions": None,
    "about": "questions like these",
    "seed": 0,
    "metric": COVERAGE,
    "identity": "this rule",
}
ORDER = [
    each.id for each in in_order_of_asking([Question(id=f"q{n}", text="") for n in range(100)], 0)
]
BILL = {"usage": {"calls": 1}, "cost": 0.01}


def spared(name: str, variant: str, **fields: Any) -> dict[str, Any]:
    """The row of a case that was not asked, by the decision on its variant."""
    decided = {"decided": "better", "decided_after": 20, "spared_by": "this rule", **fields}
    return {**row(name, variant), "status": "spared", "reason": "", **decided}


def found(path: Path, *, stopped: bool, known: int = 20, **fields: Any) -> RunFindings:
    """The good variant is better in the first questions; in those after them the base is as good.

    If the run stopped, the good one was asked ``known`` questions only.
    """
    rows = []
    for place, name in enumerate(ORDER):
        rows.append(judged(name, "base", float(place >= 20), **BILL))
        if place < known or not stopped:
            rows.append(judged(name, "good", 0.5 if place < 20 else 1.0, **BILL))
        else:
            rows.append(spared(name, "good", **fields))
    journal = write_rows(path / "a.jsonl", rows)
    write_header(journal, ["base", "good"], total=200, baseline="base", early_stop=RULE)
    return analyse_run(journal)


def test_marks_compare_the_questions_that_all_variants_answered(tmp_path: Path):
    """The base has the higher mean only because it was asked other questions."""
    findings = found(tmp_path, stopped=True)
    for table in (quality_table(findings), metrics_table(findings)):
        assert table is not None
        base, good = cells(table, "base")[COVERAGE], cells(table, "good")[COVERAGE]
        assert (base.value, good.value) == (pytest.approx(0.8), pytest.approx(0.5))
        assert (base.mark, good.mark) == ("worst", "best")


def test_the_tables_count_what_was_spared_and_say_that_the_means_differ_in_their_questions(
    tmp_path: Path,
):
    """A reader must not take the difference of two means for that of the verdict."""
    findings = found(tmp_path, stopped=True)
    for table in (quality_table(findings), metrics_table(findings)):
        assert table is not None
        assert cells(table, "good")["spared"].value == 80
        (note,) = [note for note in legend(table) if "different numbers of questions" in note]
        assert "base 100, good 20" in note
        assert "20 questions that all variants answered" in note


def test_a_bill_for_fewer_questions_is_not_marked_as_the_cheapest(tmp_path: Path):
    """Who was asked less costs less."""
    table = bill_table(found(tmp_path, stopped=True))
    assert table is not None
    assert cells(table, "good")["cost"].mark is None


def test_the_recorded_decision_is_when_failed_cases_were_answered_later(tmp_path: Path):
    """It was made with less knowledge, after more questions; the report does not date it back."""
    findings = found(tmp_path, stopped=True, known=40, decided_after=40)
    (sentence,) = map(str, verdicts(findings, findings.job.metric(COVERAGE)))
    assert "better, decided after 40 of 100 questions" in sentence


def test_a_decision_of_another_rule_does_not_count(tmp_path: Path):
    """Rows that an interrupted run has left are about another question."""
    findings = found(
        tmp_path, stopped=True, known=40, decided="worse", decided_after=40, spared_by="another"
    )
    (sentence,) = map(str, verdicts(findings, findings.job.metric(COVERAGE)))
    assert "better, decided after" in sentence
    assert "decided after 40" not in sentence


def test_a_run_that_was_asked_in_full_says_so_with_the_difference_of_all_questions(tmp_path: Path):
    """It did not stop, and knows more than its first questions."""
    findings = found(tmp_path, stopped=False)
    (sentence,) = map(str, verdicts(findings, findings.job.metric(COVERAGE)))
    assert sentence.endswith("of 100 questions; all 100 recorded questions: +10.0 points")
    notes = " ".join(map(str, reservations(findings)))
    assert "No case was spared" in notes
    assert "stopped asking" not in notes
    (effect,) = (
        each for each in summary_results(findings)["effects"] if each["metric"] == COVERAGE
    )
    assert (effect["recorded_n"], round(effect["recorded_difference"], 6)) == (100, 0.1)


def test_a_run_that_stopped_says_so(tmp_path: Path):
    """It has nothing to add to its decision."""
    findings = found(tmp_path, stopped=True)
    (sentence,) = map(str, verdicts(findings, findings.job.metric(COVERAGE)))
    assert sentence.endswith("decided after 20 of 100 questions")
    assert "stopped asking" in " ".join(map(str, reservations(findings)))


def test_failed_cases_are_not_among_the_spared(tmp_path: Path):
    """They are in their own column."""
    rows = [judged(name, "base", 0.0) for name in ORDER[:30]]
    rows += [failed(name, "good") for name in ORDER[:5]]
    rows += [judged(name, "good", 1.0) for name in ORDER[5:25]]
    rows += [spared(name, "good", decided_after=25) for name in ORDER[25:30]]
    journal = write_rows(tmp_path / "a.jsonl", rows)
    write_header(journal, ["base", "good"], total=60, baseline="base", early_stop=RULE)
    shown = cells(quality_table(analyse_run(journal)), "good")
    assert (shown["failed"].value, shown["spared"].value) == (5, 5)
