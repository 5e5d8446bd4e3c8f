import json
import math
from pathlib import Path
from typing import Any

import pytest

from assay.jobs.contract.reply import parse_review
from assay.jobs.contract.review_table import ReviewFindings
from assay.jobs.contract.score import score_review
from assay.jobs.contract.spec import METRICS, ReportRow
from assay.jobs.contract.variant_outcome import THRESHOLDS, VariantOutcome, variant_outcomes
from assay.results.results import read_results
from assay.stats.interval import wilson
from assay.words.language import Lang


def row(number: int, level: str = "high", *, valid: tuple[bool, ...] = (), **fields: Any) -> str:
    """A row of variant ``a`` with a clause of high risk; the reply states ``level``."""
    scores = score_review(
        parse_review(f"Level: {level}"),
        risk_level="high",
        rules=None,
        risk_id=None,
        evidence_valid=valid,
    )
    evidence = [
        {"text": "x", "valid": is_valid, "score": 0.8 if is_valid else 0.3} for is_valid in valid
    ]
    head = {"key": f"c{number}::a::run=1", "question_id": f"c{number}", "config": "a"}
    return json.dumps(
        head | {"status": "scored", "elapsed_s": 1.0, "evidence": evidence} | scores | fields
    )


def outcome(path: Path, lines: list[str]) -> VariantOutcome:
    """The outcome of variant ``a`` with these rows."""
    path.write_text("\n".join(lines) + "\n")
    return variant_outcomes(read_results(path, METRICS, job_row=ReportRow))["a"]


def test_the_last_row_of_a_case_counts(tmp_path: Path):
    """A clause with two rows counts once; failed and skipped clauses are in no metric."""
    failed = {"status": "failed", "error": "x"}
    lines = [row(1, "low"), row(2), row(1), row(3, **failed), row(4, status="skipped")]
    variant = outcome(tmp_path / "a.jsonl", lines)
    assert variant.summary["total"] == 2
    assert (variant.summary["failed"], variant.summary["skipped"]) == (1, 1)
    assert variant.value("accuracy") == 1
    assert variant.matrix == [[2, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]


def test_a_rate_of_none_has_an_interval_with_width(tmp_path: Path):
    """If none of ten quotations was invented, the true rate may still be above one in four."""
    variant = outcome(tmp_path / "a.jsonl", [row(n, valid=(True, True)) for n in range(5)])
    interval = variant.intervals["clause_hallucination_rate"]
    assert interval is not None
    assert (interval.low, interval.method) == (0, "wilson")
    assert interval.high == pytest.approx(0.2775, abs=1e-3)
    assert variant.intervals["law_hallucination_rate"] is None


def test_shares_of_clauses_have_wilsons_interval(tmp_path: Path):
    """Recall of a level is a share of clauses, and three of four have the interval of a rate."""
    variant = outcome(tmp_path / "a.jsonl", [row(n, "high" if n else "low") for n in range(4)])
    for name in ("accuracy", "class_recall.High"):
        assert variant.value(name) == 0.75
        assert variant.intervals[name] == wilson(3, 4)


def test_pooled_shares_depend_on_the_clauses_of_their_items(tmp_path: Path):
    """Ten wrong quotations in one clause say less about others than ten in ten clauses."""
    apart = [row(n, valid=(n % 2 == 0,)) for n in range(20)]
    together = [row(n, valid=(n % 2 == 0,) * 10) for n in range(2)]
    intervals = [
        outcome(tmp_path / f"{name}.jsonl", lines).intervals["clause_hallucination_rate"]
        for name, lines in (("a", apart), ("b", together))
    ]
    widths = [interval.high - interval.low for interval in intervals if interval is not None]
    assert widths[0] == pytest.approx(0.42, abs=0.05)
    assert widths[1] > 0.9


def test_the_sweep_counts_what_would_fall(tmp_path: Path):
    """Quotations with the score 0.8 are valid up to this threshold, those with 0.3 never."""
    lines = [row(1, valid=(True, True, True)), row(2, valid=(False,), law_invalid=1)]
    sweep = outcome(tmp_path / "a.jsonl", lines).sweep
    assert tuple(point.threshold for point in sweep) == THRESHOLDS
    assert {point.clause_hallucination_rate for point in sweep if point.threshold <= 0.8} == {0.25}
    assert {point.clause_hallucination_rate for point in sweep if point.threshold > 0.8} == {1.0}
    assert sweep[0].hallucination_rate == 2 / 5


def test_charts_are_named_apart(tmp_path: Path):
    """Each variant has its own chart file even if names differ only in forbidden characters."""
    rename = (("a::run", "{0}::run"), ('"config": "a"', '"config": "{0}"'))
    lines = []
    for name in ("a/b", "a:b"):
        line = row(1)
        for before, after in rename:
            line = line.replace(before, after.format(name))
        lines.append(line)
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(lines) + "\n")
    drawn = ReviewFindings(read_results(path, METRICS, job_row=ReportRow)).charts(tmp_path, "svg")
    assert {chart.name for chart in drawn} >= {"confusion-a_b.svg", "confusion-a_b_2.svg"}
    assert all(chart.exists() for chart in drawn)


def test_every_field_of_the_summary_is_plain_json(tmp_path: Path):
    """The fields can be written as JSON; without scored replies all metrics are undefined."""
    path = tmp_path / "a.jsonl"
    path.write_text(row(1, status="failed", error="x") + "\n")
    fields = ReviewFindings(read_results(path, METRICS, job_row=ReportRow)).fields("a")
    assert json.loads(json.dumps(fields)) == fields
    assert fields["accuracy"] is None
    assert fields["class_f1"] == {"High": None, "Medium": None, "Low": None}
    assert fields["intervals"] == {}
    assert set(fields["n"].values()) == {0}


def test_an_f_score_of_nothing_has_the_interval_of_its_clauses(tmp_path: Path):
    """If a level is never recognised, its F score is 0, and five clauses do not show that it stays 0."""
    variant = outcome(tmp_path / "a.jsonl", [row(n, "low") for n in range(5)])
    assert (variant.value("class_f1.High"), variant.value("high_risk_f2")) == (0, 0)
    for name in ("class_f1.High", "high_risk_f2", "class_recall.High"):
        interval = variant.intervals[name]
        assert interval is not None
        assert interval.low == 0
        assert 0.4 < interval.high < 0.8, name
    mixed = outcome(tmp_path / "b.jsonl", [row(n, "low" if n < 5 else "high") for n in range(10)])
    assert mixed.intervals["class_f1.High"] is not None


def test_a_perfect_review_has_intervals(tmp_path: Path):
    """Twelve right verdicts do not show that all are right: no metric lacks an interval."""
    levels = ("high", "medium", "low")
    variant = outcome(
        tmp_path / "a.jsonl",
        [row(n, levels[n % 3], expected_level=levels[n % 3]) for n in range(12)],
    )
    for name in ("macro_f1", "class_f1.Low", "high_risk_f2", "weighted_accuracy", "accuracy"):
        interval = variant.intervals[name]
        assert variant.value(name) == 1
        assert interval is not None, name
        assert interval.high == 1
        assert 0.2 < interval.low < 0.9, name
    for name in ("linear_weighted_kappa", "quadratic_weighted_kappa"):
        interval = variant.intervals[name]
        assert interval is not None, name
        assert (interval.low < 0.7, interval.high) == (True, 1.0)


def ruled(number: int, reply: str, fired: list[str] | None = None, variant: str = "a") -> str:
    """A row with a clause whose rule and main risk are R01."""
    scores = score_review(
        parse_review(reply), risk_level="high", rules=["R01"], risk_id="R01", fired=fired
    )
    head = {"key": f"c{number}::{variant}::run=1", "question_id": f"c{number}", "config": variant}
    return json.dumps(head | {"status": "scored", "elapsed_s": 1.0} | scores)


SILENT = "Level: high"


@pytest.mark.parametrize(
    ("replies", "fired", "recall"),
    [
        ([SILENT, SILENT], None, None),
        (["不明", SILENT], None, None),
        ([f"{SILENT}\nRisk ID: R01", SILENT], None, 0.5),
        ([f"{SILENT}\nRisk ID: none", SILENT], None, 0.0),
        (['{"risk_level": "high", "risk_ids": []}', SILENT], None, 0.0),
        ([SILENT, SILENT], [], 0.0),
        ([SILENT, SILENT], ["R01"], 1.0),
    ],
)
def test_silence_about_rules_is_unknown_only_if_no_clause_has_them(
    tmp_path: Path, replies: list[str], fired: list[str] | None, recall: float | None
):
    """A system that reports rules nowhere is not wrong about them; one that reports some is."""
    path = tmp_path / "a.jsonl"
    lines = [ruled(number, reply, fired) for number, reply in enumerate(replies)]
    variant = outcome(path, lines)
    assert variant.value("rule_recall") == recall
    assert variant.value("risk_id_accuracy") == recall
    assert variant.counts["rule_recall"] == (0 if recall is None else 2)
    assert variant.reports_rules is (recall is not None)
    results = read_results(path, METRICS, job_row=ReportRow)
    (values,) = results.scores.values["scores.risk_id_match"].tolist()
    assert [value for value in values if not math.isnan(value)] == (
        values if recall is not None else []
    )
    notes = ReviewFindings(results).notes()
    assert bool(notes) is (recall is None)
    assert all("Rule recall" in note and "Risk id accuracy" in note for note in notes)


def test_another_variant_and_older_rows_are_not_silent(tmp_path: Path):
    """Silence is that of a variant, and rows without the field keep their values."""
    older = json.loads(ruled(1, SILENT, variant="b"))
    del older["rules_reported"]
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join([ruled(1, SILENT), json.dumps(older)]) + "\n")
    results = read_results(path, METRICS, job_row=ReportRow)
    outcomes = variant_outcomes(results)
    assert (outcomes["a"].value("rule_recall"), outcomes["b"].value("rule_recall")) == (None, 0.0)
    values = results.scores.values["scores.risk_id_match"].ravel().tolist()
    assert sorted(map(str, values)) == ["0.0", "nan"]


@pytest.mark.parametrize("lang", ["en", "ru", "zh"])
def test_parts_that_were_not_read_are_counted_and_shown(tmp_path: Path, lang: Lang):
    """The summary, the first table and a note say how many replies have parts that nobody checked."""
    replies = [
        "Level: high\nПримечание юриста: «Поставщик платит миллион»",
        "Sure!\nLevel: high",
        "Level: high\n\n# Summary\nThe text says “the Supplier pays a million”.",
        '{"risk_level": "high", "wording_at_issue": "the Supplier pays a million", "score": 3}',
    ]
    lines = [row(n, unread=list(parse_review(reply).unread)) for n, reply in enumerate(replies)]
    variant = outcome(tmp_path / "a.jsonl", lines)
    assert variant.summary["unread_parts"] == 3
    findings = ReviewFindings(read_results(tmp_path / "a.jsonl", METRICS, job_row=ReportRow))
    assert findings.fields("a")["unread_parts"] == 3
    table = findings.tables(lang)[0]
    place = [column.key for column in table.columns].index("unread_parts")
    assert table.rows[0].cells[place].value == 3
    (note,) = findings.notes(lang)
    assert "3" in note
    assert "Примечание юриста: «Поставщик платит миллион»" in note
    assert "wording_at_issue" in note
