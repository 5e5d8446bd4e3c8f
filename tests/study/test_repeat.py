"""What a run with several draws says: its tables, its notes and its summary."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assay.report.table.table import Table, TableCell
from assay.results.results import Results
from assay.study.analysis import analyse_run, summary_results
from assay.study.finding import RunFindings, changed_questions
from assay.study.labelled import labelled_cases
from assay.study.repeat import repeat_fields, repeat_notes, repeat_tables, right_metric
from assay.study.table import reservations, tables
from assay.words.message import text_of
from tests.support.journal import judged, write_header, write_rows


def drawn(question: str, variant: str, draw: int, value: float, **more: Any) -> dict[str, Any]:
    """The row of a draw."""
    row = judged(question, variant, value)
    row["key"] += f"::run={draw}" if draw > 1 else ""
    row["run"] = draw
    return row | more


def study(path: Path, chances: list[float], draws: int = 4, *, seed: int = 0) -> RunFindings:
    """Findings of a run whose questions are answered rightly with these probabilities."""
    rng = np.random.default_rng(seed)
    rows = [
        drawn(f"q{number:02}", variant, draw, float(rng.uniform() < chance))
        for draw in range(1, draws + 1)
        for number, chance in enumerate(chances)
        for variant in ("on", "off")
    ]
    journal = write_rows(path / "a.jsonl", rows)
    write_header(journal, ["on", "off"], baseline="on", primary="gold_hit_any_rate")
    return analyse_run(journal)


def cells(table: Table, label: str) -> list[dict[str, TableCell]]:
    """The rows of a label by the keys of their columns."""
    return [
        {column.key: cell for column, cell in zip(table.columns, row.cells, strict=True)}
        for row in table.rows
        if row.label == label
    ]


def test_a_run_without_draws_says_nothing_of_them(tmp_path: Path):
    """Its summary, tables and notes are as they were."""
    findings = study(tmp_path, [0.5] * 6, draws=1)
    assert repeat_tables(findings) == []
    assert list(repeat_notes(findings)) == []
    assert repeat_fields(findings) == {}


def test_the_spread_and_what_k_answers_give_are_tables_of_the_report(tmp_path: Path):
    """The figures of the summary are those of the tables."""
    findings = study(tmp_path, [1.0, 0.9, 0.5, 0.5, 0.1, 0.0] * 3)
    titles = [table.title for table in tables(findings)]
    spread, chance = repeat_tables(findings)
    assert {spread.title, chance.title} <= set(titles)
    (row,) = cells(spread, "on")
    fields = summary_results(findings)["repeats"]
    recorded = fields["spread"]["on"]
    assert (row["questions"].value, row["answers"].value) == (18, 72)
    assert row["standard_error"].value == recorded["standard_error"]
    assert row["between_questions_share"].value == 100 * recorded["between_questions_share"]
    chances = cells(chance, "on")
    assert [each["k"].value for each in chances] == [1, 2, 3, 4]
    metric = right_metric(findings)
    assert metric is not None
    assert metric.name == fields["at_k_metric"] == "gold_hit_any_rate"
    values = {each.name: each.cells[metric.name] for each in findings.analysis.variants}
    assert chances[0]["pass"].value == pytest.approx(values["on"].value)
    assert chances[0]["majority"].value == pytest.approx(values["on"].value)
    passed = [each["pass"].value for each in chances]
    assert passed == sorted(passed)
    for each in chances:
        interval = each["pass"].interval
        assert interval is not None
        assert interval.low <= each["pass"].value <= interval.high
    assert [each["pass"] for each in fields["at_k"]["on"]] == passed


def test_a_metric_with_a_value_for_every_answer_has_no_reservation(tmp_path: Path):
    """N counts questions and ``scored`` answers, which does not mean that values are missing."""
    findings = study(tmp_path, [0.5] * 6)
    notes = [note for table in tables(findings) for note in table.notes]
    assert not any("Not every scored case has a value" in note for note in notes)
    cell = findings.analysis.variants[0].cells["gold_hit_any_rate"]
    assert (cell.n, findings.analysis.variants[0].tally.scored, findings.items) == (6, 24, 24)


@pytest.mark.parametrize(
    ("chances", "draws", "advice"),
    [
        ([1.0] * 12 + [0.0] * 12, 2, ": ask more questions."),
        ([0.85] * 40 + [0.15] * 40, 2, ": ask more questions."),
        ([0.5] * 24, 2, ": both help about as much."),
    ],
)
def test_the_advice_follows_the_larger_variance(
    tmp_path: Path, chances: list[float], draws: int, advice: str
):
    """It is said below the table of the run, for each variant."""
    findings = study(tmp_path, chances, draws)
    notes = [text_of(note, "en") for note in reservations(findings)]
    assert any(note.startswith("Each question was asked 2 times") for note in notes)
    of_on = [
        note
        for note in notes
        if note.startswith(("Hit@k, on: ", "Hit@k, on, off: ")) and "variance" in note
    ]
    assert len(of_on) == 1
    assert of_on[0].endswith(advice)


def test_changed_questions_are_named_once(tmp_path: Path):
    """A question that became worse in each of its draws is one question."""
    rows = [
        drawn(f"q{number}", variant, draw, float(variant == "on"), answer=f"{variant} {draw}")
        for number in range(3)
        for variant in ("on", "off")
        for draw in (1, 2)
    ]
    journal = write_rows(tmp_path / "a.jsonl", rows)
    write_header(journal, ["on", "off"], baseline="on")
    findings = analyse_run(journal)
    metric = findings.job.metric("gold_hit_any_rate")
    changes, count = changed_questions(findings.results, metric, "off", "on")
    assert count == 3
    assert [change.question_id for change in changes] == ["q0", "q1", "q2"]
    assert (changes[0].answer_before, changes[0].answer_after) == ("on 1", "off 1")


def test_labels_of_a_run_that_grew_keep_their_answers(tmp_path: Path):
    """The item of a first draw has the name that it had without draws."""
    findings = study(tmp_path, [0.5] * 3, draws=2)
    results: Results = findings.results
    assert list(results.scores.items) == [
        f"q{number:02}{end}" for number in range(3) for end in ("", "::run=2")
    ]
    assert results.questions == 3
    assert labelled_cases(results, []) == {}
