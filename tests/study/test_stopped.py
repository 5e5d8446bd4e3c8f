"""The numbers of a run that stopped early, or that was asked in full before it could."""

from pathlib import Path
from typing import Any

import pytest

from assay.errors import UseError
from assay.records import Question
from assay.report.table.table import legend
from assay.runs.asking_order import AskingOrder, in_order_of_asking, write_order
from assay.runs.write import order_path
from assay.stats.decision import Decision
from assay.study.analysis import analyse_results, analyse_run, read_run, summary_results
from assay.study.finding import RunFindings
from assay.study.finding_text import verdicts
from assay.study.table import (
    bill_table,
    metrics_table,
    quality_table,
    reservations,
    terminal_notes,
)
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
    assert "No question was left out." in notes
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


def of_documents(path: Path, chosen: str | None, *, asked: int = 12) -> Path:
    """A run of 48 questions on twelve documents, by documents or not; both variants are alike."""
    rows = [
        judged(f"q{place}", name, float(place % 2), source=f"d{place // 4}.md")
        for place in range(4 * asked)
        for name in ("base", "good")
    ]
    journal = write_rows(path / "a.jsonl", rows)
    rule = RULE if chosen is None else {**RULE, "documents": chosen}
    write_header(journal, ["base", "good"], total=96, baseline="base", early_stop=rule)
    if chosen == "sample":
        order = AskingOrder(
            rule={}, questions=[f"q{place}" for place in range(48)], document_sizes=(4,) * 12
        )
        write_order(journal, order)
    return journal


@pytest.mark.parametrize(
    ("chosen", "estimand", "unit", "said"),
    [
        ("sample", "sample", "document", "about documents like these 12, so each document counts"),
        ("fixed", "fixed", "item", "on these 12 documents only; other documents may"),
        (None, "fixed", "item", "on these 12 documents only; other documents may"),
    ],
)
def test_a_run_that_stops_early_is_all_about_what_its_decisions_are_about(
    tmp_path: Path, chosen: str | None, estimand: str, unit: str, said: str
):
    """Values and decisions have the same units, in runs of earlier versions too."""
    findings = analyse_run(of_documents(tmp_path, chosen))
    assert (findings.analysis.estimand, findings.analysis.unit) == (estimand, unit)
    about = [
        note for note in map(str, terminal_notes(findings)) if "These results are about" in note
    ]
    assert len(about) == 1
    assert said in about[0]
    assert findings.decisions is not None
    (comparison,) = findings.decisions.comparisons.values()
    assert len(comparison.sequence()) == (12 if chosen == "sample" else 48)


def test_what_a_run_that_stopped_early_is_about_cannot_be_shown_otherwise(tmp_path: Path):
    """Its decisions would be about something else than its values."""
    results = read_run(of_documents(tmp_path, "sample"))
    with pytest.raises(UseError, match="stopped early with documents: sample"):
        analyse_results(results, documents="fixed")


def test_whole_documents_without_their_order_have_no_decisions(tmp_path: Path):
    """Which questions belong together in the sequence is not known any more."""
    journal = of_documents(tmp_path, "sample")
    order_path(journal).unlink()
    findings = analyse_run(journal)
    assert findings.decisions is None
    assert all(effect.p_value is None for effect in findings.analysis.effects)


def test_a_choice_waits_until_there_are_enough_documents(tmp_path: Path):
    """The first rows of a run can be looked at, and a sentence says what they are about."""
    findings = analyse_run(of_documents(tmp_path, "sample", asked=3))
    assert findings.analysis.estimand == "fixed"
    notes = " ".join(map(str, terminal_notes(findings)))
    assert "on these 3 documents only" in notes
    assert "too few of them have answers so far" in notes


def test_printed_ends_of_a_sequence_never_claim_more_than_was_computed(tmp_path: Path):
    """They are rounded away from each other, in the summary too."""
    findings = found(tmp_path, stopped=True)
    (effect,) = (each for each in findings.analysis.effects if each.metric == COVERAGE)
    assert isinstance(effect.decision, Decision)
    assert effect.interval is not None
    assert effect.interval.low <= effect.decision.low
    assert effect.interval.high >= effect.decision.high
    for end in (effect.interval.low, effect.interval.high):
        assert end == round(end, 3)
    (sentence,) = map(str, verdicts(findings, findings.job.metric(COVERAGE)))
    low, high = (f"{100 * end:+.1f}" for end in (effect.interval.low, effect.interval.high))
    assert f"[{low}, {high}]" in sentence


def test_a_decision_about_a_set_agrees_with_the_table(tmp_path: Path):
    """Questions without gold do not count in either, and nothing is uncertain in the end."""
    rows = []
    for place, name in enumerate(ORDER):
        gold = float(place // 2 % 2) if place % 2 else None
        other = None if gold is None else 0.5 if place == 99 else 1 - gold
        rows += [judged(name, "base", gold), judged(name, "good", other)]
    journal = write_rows(tmp_path / "a.jsonl", rows)
    rule = {**RULE, "about": "this set"}
    write_header(
        journal, ["base", "good"], total=200, baseline="base", early_stop=rule, questions=100
    )
    findings = analyse_run(journal)
    table = quality_table(findings)
    base, good = (cells(table, name)[COVERAGE].value for name in ("base", "good"))
    assert (base, good) == (pytest.approx(0.5), pytest.approx(0.51))
    (effect,) = (each for each in findings.analysis.effects if each.metric == COVERAGE)
    assert (effect.n, effect.difference) == (50, pytest.approx(0.01))
    assert effect.interval is not None
    assert (effect.interval.low, effect.interval.high) == (0.01, 0.01)
    (sentence,) = map(str, verdicts(findings, findings.job.metric(COVERAGE)))
    assert "+1.0 points Recall@k [+1.0, +1.0]: better, decided after 100 of 100" in sentence
