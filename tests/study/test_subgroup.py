"""The groups of a run: tables, sentences and the note on opposite effects."""

from pathlib import Path
from typing import Any

import pytest

from assay.errors import UseError
from assay.records import draw_key
from assay.study.analysis import analyse_run
from assay.study.finding import RunFindings
from assay.study.finding_text import verdicts
from assay.study.question_field import read_question_fields
from assay.study.subgroup import (
    GroupedRun,
    asked_fields,
    flat_table,
    group_run,
    group_sentences,
    group_tables,
)
from tests.support.journal import judged, write_header, write_rows


def findings_of(folder: Path, documents: int = 4, **header: Any) -> RunFindings:
    """``off`` is better in Chinese and worse in English; two questions have no language."""
    rows = []
    for number in range(42):
        language = ("en", "zh")[number % 2] if number < 40 else None
        step = {"en": -0.4, "zh": 0.4}.get(language or "", 0.0) + 0.01 * (number % 5)
        for variant, value in (("on", 0.5), ("off", 0.5 + step)):
            source = f"d{number % documents}"
            rows.append(judged(f"q{number:02d}", variant, value, language=language, source=source))
    journal = write_rows(folder / "a.jsonl", rows)
    write_header(journal, ["on", "off"], total=84, **{"baseline": "on", **header})
    return analyse_run(journal)


def grouped(findings: RunFindings, *names: str) -> GroupedRun:
    """The primary metric in the groups of these fields."""
    fields = read_question_fields(findings.results)
    return group_run(findings, fields, names, findings.job.metric(findings.analysis.primary))


def test_a_table_has_a_row_for_each_group_and_variant(tmp_path: Path):
    """Values and differences with their intervals; a small group has no verdict."""
    table, tests = group_tables(grouped(findings_of(tmp_path), "language"))
    assert [row.label for row in table.rows] == ["en", "en", "zh", "zh", "(none)", "(none)"]
    cells = {
        row.label: dict(zip((c.key for c in table.columns), row.cells, strict=True))
        for row in table.rows
    }
    assert cells["en"]["verdict"].value == "worse"
    assert cells["zh"]["verdict"].value == "better"
    assert cells["zh"]["difference"].interval is not None
    assert cells["(none)"]["n"].value == 2
    assert cells["(none)"]["verdict"].value == "fewer than 5 questions"
    assert cells["(none)"]["difference"].interval is None
    (row,) = tests.rows
    assert row.cells[-1].value == "the effect differs between groups"


def test_the_test_and_opposite_effects_are_said_in_words(tmp_path: Path):
    """In the notes of the table, and the opposite effects in the findings without being asked."""
    findings = findings_of(tmp_path)
    run = grouped(findings, "language", "document")
    said = [str(sentence) for each in run.fields for sentence in group_sentences(run, each)]
    assert said[0].startswith("off: the effect differs between groups (language, p corrected ")
    hidden = "off: +42.0 points in zh, −38.0 points in en (by language): the mean hides opposite effects."
    assert hidden in said
    metric = findings.job.metric(findings.analysis.primary)
    assert hidden in [str(sentence) for sentence in verdicts(findings, metric)]
    other = findings.job.metric("avg_latency_s")
    assert not any("hides" in str(sentence) for sentence in verdicts(findings, other))


def test_groups_have_the_units_of_the_run(tmp_path: Path):
    """Twelve documents are drawn in the run, and so in its groups."""
    few, many = (tmp_path / name for name in ("few", "many"))
    few.mkdir(), many.mkdir()
    assert (
        grouped(findings_of(few), "language").fields[0].groups[0].effects["off"].test
        == "permutation"
    )
    run = grouped(findings_of(many, documents=12), "language")
    effect = run.fields[0].groups[0].effects["off"]
    assert (effect.test, effect.units) == ("cluster-permutation", 6)


def test_draws_of_a_question_are_one_value_in_its_group(tmp_path: Path):
    """Three draws of 42 questions are 42 means, as in the analysis, and a percentile has each answer."""
    rows = []
    for number in range(42):
        for variant, value in (("on", 0.2), ("off", 0.2 + 0.4 * (number % 2))):
            for draw in (1, 2, 3):
                fields = {"language": ("en", "zh")[number % 2], "latency_s": float(draw)}
                key = draw_key(f"q{number:02d}::{variant}::topk=10", draw)
                drawn = value + 0.1 * (draw - 2) + 0.01 * (number % 5 if variant == "off" else 0)
                rows.append({**judged(f"q{number:02d}", variant, drawn, **fields), "key": key})
    journal = write_rows(tmp_path / "a.jsonl", rows)
    write_header(journal, ["on", "off"], total=252, baseline="on")
    findings = analyse_run(journal)
    assert findings.results.scores.draws is not None
    run = grouped(findings, "language")
    (field,) = run.fields
    english, chinese = field.groups
    assert (english.questions, english.cells["on"].n, run.unit) == (21, 21, "item")
    assert (english.effects["off"].n, english.effects["off"].test) == (21, "permutation")
    assert chinese.effects["off"].difference == pytest.approx(0.42, abs=0.001)
    late = findings.job.metric("p95_latency_s")
    known = read_question_fields(findings.results)
    of_answers = group_run(findings, known, ["language"], late).fields[0].groups[0]
    assert (of_answers.questions, of_answers.cells["on"].n) == (21, 63)


def test_a_run_that_stopped_early_has_values_only(tmp_path: Path):
    """The answers decided which questions were asked, so differences by group prove nothing."""
    rule = {"metric": "avg_gold_coverage", "level": 0.05, "margin": 0.1, "about": "this set"}
    findings = findings_of(tmp_path, early_stop={**rule, "seed": 0, "identity": "rule"})
    run = grouped(findings, "language")
    (table,) = group_tables(run)
    assert all(row.cells[3].value is None for row in table.rows)
    assert any("decided which questions" in note for note in table.notes)
    assert findings.opposite == ()


def test_programs_get_one_table_of_all_fields(tmp_path: Path):
    """Each row has its field, and the test of its variant."""
    table = flat_table(grouped(findings_of(tmp_path), "language", "document"))
    keys = [column.key for column in table.columns]
    rows = [dict(zip(keys, (cell.value for cell in row.cells), strict=True)) for row in table.rows]
    assert {row["field"] for row in rows} == {"language", "document"}
    assert all((row["p_between_groups"] is None) == (row["variant"] == "on") for row in rows)


def test_fields_may_be_given_with_commas():
    """An empty name is refused."""
    assert asked_fields(["a,b", "a"]) == ["a", "b"]
    with pytest.raises(UseError, match="name a field"):
        asked_fields(["a,"])
