"""The tables of a study: what is in them, what is marked, what is left blank."""

from pathlib import Path
from typing import Any

import pytest

from assay.errors import UseError
from assay.records import Estimand
from assay.report.table.format import as_markdown
from assay.report.table.table import Table, TableCell
from assay.study.analysis import analyse_results, analyse_run, read_run, summary_results
from assay.study.finding import RunFindings, effect_table
from assay.study.finding_text import verdicts
from assay.study.table import (
    bill_table,
    latency_table,
    overview_table,
    quality_table,
    reservations,
    tables,
)
from assay.words.message import text_of
from tests.support.journal import answered, judged, write_header, write_rows

SEED_QUALITY = ["cite_ok_rate", "gold_hit_any_rate", "gold_hit_all_rate", "avg_gold_coverage"]
SEED_LATENCY = ["avg_latency_s", "p50_latency_s", "p95_latency_s"]


def found(path: Path, *, priced: bool = False, gold: bool = True) -> RunFindings:
    """Findings of ten questions; ``off`` is worse, and quicker."""
    rows = []
    for number in range(10):
        for variant, value, elapsed in (("on", 1.0, 2.0), ("off", 0.0, 1.0)):
            made = judged(f"q{number}", variant, value if gold else None)
            made["elapsed_s"] = elapsed + number / 100
            made["scores"]["gold_hit_all"] = made["scores"]["gold_hit_any"]
            if priced:
                made |= {"usage": {"calls": 3, "prompt_tokens": 100}, "cost": elapsed / 1000}
                made["paid"] = made["cost"] / 2
            rows.append(made)
    journal = write_rows(path / "a.jsonl", rows)
    write_header(journal, ["on", "off"], baseline="on")
    return analyse_run(journal)


def cells(table: Table, label: str) -> dict[str, TableCell]:
    """A row's cells by the key of their column."""
    (row,) = (row for row in table.rows if row.label == label)
    return {column.key: cell for column, cell in zip(table.columns, row.cells, strict=True)}


def test_a_stage_that_failed_is_a_reservation_of_the_run(tmp_path: Path):
    """Otherwise a component that never ran looks like one without an effect."""
    bad = [{"name": "rerank", "skipped": "the grades could not be read: 'hm'"}]
    rows = [judged(f"q{n}", name, 1.0) for n in range(3) for name in ("off", "on")]
    for row in rows[1::2]:
        row["stages"] = bad
    journal = write_rows(tmp_path / "a.jsonl", rows)
    write_header(journal, ["off", "on"], baseline="off")
    study = analyse_run(journal)
    note = "rerank was skipped in 3 of 3 cases of on: the grades could not be read."
    assert note in list(map(str, reservations(study)))
    assert note in quality_table(study).notes
    assert any(
        "无法读取评分" in line for line in [text_of(note, "zh") for note in reservations(study)]
    )
    assert any(
        "оценки не удалось прочитать" in line
        for line in [text_of(note, "ru") for note in reservations(study)]
    )
    (skipped,) = summary_results(study)["skipped_stages"]
    assert skipped == {
        "variant": "on",
        "stage": "rerank",
        "cases": 3,
        "reason": "the grades could not be read",
    }


def test_the_seed_s_columns_are_there(tmp_path: Path):
    """Quality and latency each in a table, with counts of scored, failed and skipped."""
    study = found(tmp_path)
    counts = ["scored", "failed", "skipped"]
    quality = [column.key for column in quality_table(study).columns]
    assert [key for key in quality if key in SEED_QUALITY] == SEED_QUALITY
    assert quality[-3:] == counts
    assert [column.key for column in latency_table(study).columns] == [*SEED_LATENCY, *counts]


def test_the_seven_metrics_of_the_seed_are_the_first_table(tmp_path: Path):
    """One table has all seven under the seed's names, the best bold and the worst italic."""
    study = found(tmp_path)
    first = tables(study)[0]
    titles = [column.title for column in first.columns]
    assert titles == [*SEED_QUALITY, *SEED_LATENCY, "scored", "failed", "skipped"]
    assert cells(first, "on")["avg_gold_coverage"].mark == "best"
    assert cells(first, "on")["avg_latency_s"].mark == "worst"
    page = as_markdown(first)
    assert "| cite_ok_rate | gold_hit_any_rate |" in " ".join(page.split())
    assert "**1.000**" in page
    assert "*0.000*" in page


def test_best_worst_and_significance_are_marked(tmp_path: Path):
    """The better way is known for each metric; stars are at variants, not at the baseline."""
    study = found(tmp_path)
    on, off = (cells(quality_table(study), name)["avg_gold_coverage"] for name in ("on", "off"))
    assert (on.mark, on.significance) == ("best", "")
    assert off.mark == "worst"
    assert off.significance
    slow, quick = (cells(latency_table(study), name)["avg_latency_s"] for name in ("on", "off"))
    assert (slow.mark, quick.mark) == ("worst", "best")
    assert cells(quality_table(study), "on")["cite_ok_rate"].mark is None


def test_every_comparison_has_its_row(tmp_path: Path):
    """Difference, interval, flips, test, p-values and verdict; untested has no verdict."""
    study = found(tmp_path)
    table = effect_table(study, study.analysis.effects)
    by_metric = {
        row.cells[0].value: dict(zip((c.key for c in table.columns), row.cells, strict=True))
        for row in table.rows
    }
    coverage = by_metric["Recall@k"]
    assert (coverage["difference"].value, coverage["lost"].value) == (-1.0, 10)
    assert coverage["verdict"].value == "worse"
    assert by_metric["Median latency, s"]["verdict"].value is None
    assert "MRR" not in by_metric, "a metric without a pair of values has no row"
    assert "Without a pair of values, left out: Precision, MRR," in table.notes[0]


def test_every_p_value_says_its_family_and_both_intervals_have_names(tmp_path: Path):
    """A column names the family, and notes say what is corrected together and what is not."""
    study = found(tmp_path)
    table = effect_table(study, study.analysis.effects)
    keys = [column.key for column in table.columns]
    families = {
        row.cells[0].value: row.cells[keys.index("family")].value
        for row in table.rows
        if row.cells[keys.index("p")].value is not None
    }
    assert families["Recall@k"] == "primary metric"
    assert families["Hit@k"] == "other quality metrics"
    assert families["Mean latency, s"] == "latency and cost"
    assert "Family “other quality metrics”: 2 p-values" in table.notes[1]
    assert "leaves out 0 exactly if p is below 0.05" in table.notes[-1]
    (coverage,) = (row for row in table.rows if row.cells[0].value == "Recall@k")
    effect = next(e for e in study.analysis.effects if e.metric == "avg_gold_coverage")
    assert effect.plain_interval is not None
    low, high = effect.plain_interval.low, effect.plain_interval.high
    assert coverage.cells[keys.index("plain")].value == f"[{low:.3f}, {high:.3f}]"


def test_a_metric_of_some_cases_says_of_how_many(tmp_path: Path):
    """A score that a question cannot have, such as one for Chinese, is not about all that were scored."""
    rows = [judged(f"q{n}", "on", 1.0) for n in range(4)]
    for row in rows[:3]:
        row["scores"]["gold_mrr"] = 1.0
    journal = write_rows(tmp_path / "a.jsonl", rows)
    write_header(journal, ["on"], baseline="on")
    notes = quality_table(analyse_run(journal)).notes
    assert any("n of MRR: 3." in note for note in notes), notes


def test_too_few_says_how_many_must_differ(tmp_path: Path):
    """One of ten questions differs, and the verdict has the number that would be needed."""
    rows = [
        judged(f"q{n}", variant, 0.0 if (variant, n) == ("off", 3) else 1.0)
        for n in range(10)
        for variant in ("on", "off")
    ]
    journal = write_rows(tmp_path / "a.jsonl", rows)
    write_header(journal, ["on", "off"], baseline="on")
    study = analyse_run(journal)
    table = effect_table(study, study.analysis.effects)
    (coverage,) = (row for row in table.rows if row.cells[0].value == "Recall@k")
    assert coverage.cells[-1].value == "too few to say (5 must differ)"


def test_the_bill_is_there_where_calls_were_metered(tmp_path: Path):
    """Calls, tokens and money by variant; without any, no empty table."""
    assert bill_table(found(tmp_path)) is None
    study = found(tmp_path, priced=True)
    table = bill_table(study)
    assert table is not None
    on = cells(table, "on")
    assert (on["calls"].value, on["prompt_tokens"].value) == (30, 1000)
    assert on["cost"].value == pytest.approx(0.02)
    assert on["paid"].value == pytest.approx(0.01)
    assert (on["cost"].mark, cells(table, "off")["cost"].mark) == ("worst", "best")
    assert [one.title for one in tables(study)][-1] == "Calls and cost"


def test_failed_cases_make_no_variant_cheap(tmp_path: Path):
    """Costs are compared over the cases that both have scored, in marks and in sentences."""
    rows = []
    for number in range(20):
        for variant in ("on", "off"):
            row = judged(f"q{number}", variant, 1.0)
            if variant == "off" and number < 3:
                row = {**row, "status": "failed", "error": "HTTP 500", "scores": {}}
            else:
                row["cost"] = 0.001 if variant == "on" else 0.00101
                row["usage"] = {"calls": 2}
            rows.append(row)
    journal = write_rows(tmp_path / "a.jsonl", rows)
    write_header(journal, ["on", "off"], baseline="on")
    study = analyse_run(journal)
    bill = bill_table(study)
    assert bill is not None
    on, off = cells(bill, "on")["cost"], cells(bill, "off")["cost"]
    assert (on.value, off.value) == (pytest.approx(0.02), pytest.approx(0.01717))
    assert (on.mark, off.mark) == ("best", "worst")
    sentence = str(verdicts(study, study.job.metric("avg_gold_coverage"))[0])
    assert sentence.endswith("; costs 1.0 × as much")


def test_the_flat_table_names_every_metric_and_the_bill(tmp_path: Path):
    """For programs: all metrics by their own names, defined or not."""
    table = overview_table(found(tmp_path, priced=True))
    keys = [column.key for column in table.columns]
    assert {*SEED_QUALITY, *SEED_LATENCY, "scored", "failed", "skipped", "cost"} <= set(keys)
    off = cells(table, "off")
    assert (off["gold_mrr"].value, off["avg_gold_coverage"].value) == (None, 0.0)


def test_questions_without_gold_are_noted(tmp_path: Path):
    """Where all lack gold there is no gold column, and no zero in one."""
    study = found(tmp_path, gold=False)
    assert "avg_gold_coverage" not in [column.key for column in quality_table(study).columns]
    assert study.unlabelled == 10


def test_a_run_that_has_not_ended_warns_of_its_verdicts(tmp_path: Path):
    """A test that is looked at while a run goes on finds a difference too often."""
    rows = [judged(f"q{number}", name, 1.0) for number in range(3) for name in ("on", "off")]
    journal = write_rows(tmp_path / "a.jsonl", rows)
    write_header(journal, ["on", "off"], baseline="on", total=8)
    notes = quality_table(analyse_run(journal)).notes
    assert any(note.startswith("2 cases of this run have not been asked yet.") for note in notes)
    write_header(journal, ["on", "off"], baseline="on", total=6)
    assert not any("asked yet" in note for note in quality_table(analyse_run(journal)).notes)


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", ("Quality", "Latency", "Differences to the baseline", "Baseline: on.")),
        ("zh", ("质量", "延迟", "与基线之差", "基线：on。")),
        ("ru", ("Качество", "Задержка", "Разности с базой", "База: on.")),
    ],
)
def test_tables_speak_three_languages(tmp_path: Path, lang: str, words: tuple[str, ...]):
    """Titles and notes are in the language asked for."""
    text = "\n".join(as_markdown(one, lang) for one in tables(found(tmp_path), lang))  # type: ignore[arg-type]
    for word in words:
        assert word in text


def test_answers_that_are_not_judged_have_a_column_where_there_are_any(tmp_path: Path):
    """The counts are those of all cases; a table for programs always has the column."""
    assert "answered" not in [column.key for column in quality_table(found(tmp_path)).columns]
    rows = [judged("q1", "on", 1.0), answered("q2", "on"), judged("q1", "off", 1.0)]
    journal = write_rows(tmp_path / "b.jsonl", rows)
    write_header(journal, ["on", "off"], baseline="on")
    study = analyse_run(journal)
    for table in (quality_table(study), latency_table(study), overview_table(study)):
        assert cells(table, "on")["answered"].value == 1
        assert cells(table, "off")["answered"].value == 0
    assert "answered" in [column.key for column in overview_table(found(tmp_path)).columns]


def test_the_bill_of_judges_has_columns_of_its_own(tmp_path: Path):
    """The cost of judging is shown where there is one, apart from the cost of answers."""
    rows = [
        judged("q", "on", 1.0, cost=0.5, judge_cost=0.25, judge_paid=0.125),
        judged("q", "off", 1.0, cost=0.5),
    ]
    journal = write_rows(tmp_path / "a.jsonl", rows)
    write_header(journal, ["on", "off"], baseline="on")
    bill = bill_table(analyse_run(journal))
    assert bill is not None
    on, off = cells(bill, "on"), cells(bill, "off")
    assert (on["cost"].value, on["judge_cost"].value, on["judge_paid"].value) == (0.5, 0.25, 0.125)
    assert off["judge_cost"].value is None


def test_values_of_other_cases_are_not_the_best(tmp_path: Path):
    """Two variants with equal answers, of which other ones have a value, have no marks."""
    rows = []
    for number in range(10):
        value = float(number % 2)
        rows.append(judged(f"q{number}", "on", value if number < 8 else None))
        rows.append(judged(f"q{number}", "off", value if number != 0 else None))
    journal = write_rows(tmp_path / "a.jsonl", rows)
    write_header(journal, ["on", "off"], baseline="on")
    table = quality_table(analyse_run(journal))
    on, off = cells(table, "on")["avg_gold_coverage"], cells(table, "off")["avg_gold_coverage"]
    assert on.value != off.value
    assert (on.mark, off.mark) == (None, None)


def test_a_failed_case_keeps_marks_that_hold_without_it(tmp_path: Path):
    """The better variant stays marked if it is better in the cases that both have."""
    rows = [judged(f"q{n}", name, v) for n in range(9) for name, v in (("on", 1.0), ("off", 0.5))]
    rows.append(judged("q9", "on", 0.0))
    journal = write_rows(tmp_path / "a.jsonl", rows)
    write_header(journal, ["on", "off"], baseline="on")
    table = quality_table(analyse_run(journal))
    assert cells(table, "on")["avg_gold_coverage"].mark == "best"
    assert cells(table, "off")["avg_gold_coverage"].mark == "worst"


@pytest.mark.parametrize(
    ("chosen", "own", "estimand"),
    [(None, None, "sample"), (None, "fixed", "fixed"), ("fixed", "sample", "fixed")],
)
def test_what_a_run_was_chosen_to_be_about_is_kept_unless_a_report_says_otherwise(
    tmp_path: Path, chosen: Estimand | None, own: str | None, estimand: str
):
    """Without any choice, the number of documents decides."""
    rows = [
        judged(f"q{place}", name, float(place % 2), source=f"d{place // 4}.md")
        for place in range(48)
        for name in ("base", "good")
    ]
    journal = write_rows(tmp_path / "a.jsonl", rows)
    extra = {} if own is None else {"estimand": own}
    write_header(journal, ["base", "good"], total=96, baseline="base", **extra)
    findings = analyse_results(read_run(journal), documents=chosen)
    assert findings.analysis.estimand == estimand
    if chosen is None and own is None:
        with pytest.raises(UseError, match="names its document"):
            analyse_results(
                read_run(write_rows(journal, rows_without_documents())), documents="fixed"
            )


def rows_without_documents() -> list[dict[str, Any]]:
    """Rows whose questions name no document."""
    return [judged(f"q{place}", "base", 1.0) for place in range(3)]


@pytest.mark.parametrize(("looks", "is_said"), [([10, 20, 30], True), (None, False)])
def test_a_run_that_grew_after_it_was_looked_at_says_so(
    tmp_path: Path, looks: list[int] | None, *, is_said: bool
):
    """Its p-values are those of a single look."""
    rows = [
        judged(f"q{place}", name, float(place % 2 or name == "on"))
        for place in range(30)
        for name in ("off", "on")
    ]
    journal = write_rows(tmp_path / "a.jsonl", rows)
    extra = {} if looks is None else {"looks": looks}
    write_header(journal, ["off", "on"], total=60, baseline="off", **extra)
    notes = " ".join(map(str, reservations(analyse_run(journal))))
    assert ("looked at after 10, 20, 30 questions" in notes) == is_said
    assert ("use --stop-early" in notes) == is_said
