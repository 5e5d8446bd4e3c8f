"""The rows of a benchmark: their fields, scoring them again, and the report about them."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from assay.bench import BenchmarkRunner
from assay.data.document.document import read_paged
from assay.data.samples.sample import sample_benchmark
from assay.errors import UseError
from assay.jobs.legal.handler import _pages, paged_source
from assay.jobs.legal.spec import SPEC
from assay.study.analysis import analyse_run
from assay.study.page import write_report
from assay.study.rescore import rescore
from assay.study.table import short_table, tables
from assay.words.language import Lang
from tests.jobs.legal.small import RIGHT, write_small


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """The journal of the small benchmark: all answers are right, but the witness is invented."""
    answers: dict[str, Any] = {**RIGHT, "Who witnessed the sale?": "Marcus Hale did."}
    bench = write_small(tmp_path / "small")
    BenchmarkRunner(bench, out=tmp_path / "kept").run_benchmark(answers.get)
    return tmp_path / "kept" / "bench-small.jsonl"


def rows(journal: Path) -> dict[str, dict[str, Any]]:
    """The rows by the id of their question."""
    read = [json.loads(line) for line in journal.read_text(encoding="utf-8").splitlines()]
    return {row["question_id"]: row for row in read}


def test_a_row_holds_what_it_was_judged_by(journal: Path):
    """A row contains the expected answer, the document and the threshold besides the scores."""
    row = rows(journal)["fact"]
    assert row["gold"]["expected"]["amount_total"] == 4200
    assert row["source"] == "sale.txt"
    assert Path(row["document"]).name == "sale.txt"
    assert row["min_score"] == 0.6
    assert row["citations"] == RIGHT["What was the price?"]["citations"]
    assert row["terms"] == {"exact_match": True, "citation_correct": True, "partial": 1.0}


def test_rescoring_changes_nothing_by_itself(journal: Path):
    """The same rules give the same scores from only the row and the document."""
    result = rescore(journal)
    assert result.judged == 3
    assert not result.changed


def test_rescoring_refuses_another_document(journal: Path, tmp_path: Path):
    """Answers are not scored again if their document has changed since."""
    text = tmp_path / "small" / "sale.txt"
    text.write_text(text.read_text(encoding="utf-8") + "More.\n", encoding="utf-8")
    with pytest.raises(UseError, match="has changed since the answers were scored"):
        rescore(journal)


def test_the_report_has_the_groups(journal: Path):
    """The short table has the percentage of each type; each way of grouping has a table."""
    findings = analyse_run(journal)
    table = short_table(findings)
    keys = [column.key for column in table.columns]
    cells = dict(zip(keys, table.rows[0].cells, strict=True))
    assert cells["overall"].value == pytest.approx(200 / 3)
    assert cells["conflict_gap"].value == 0.0
    assert cells["score"].value == pytest.approx(2 / 3)
    titles = {table.title for table in tables(findings)}
    assert {"By type of question", "By category", "By difficulty"} <= titles
    page = write_report(analyse_run(journal), lang="zh", charts=None).page.read_text(
        encoding="utf-8"
    )
    assert "按题型" in page
    assert "无编造" in page


def test_the_summary_file_has_the_groups(journal: Path):
    """The summary file has the percentages of each group, but not a copy of the questions."""
    summary = json.loads(journal.with_suffix(".json").read_text(encoding="utf-8"))
    variant = summary["results"]["variants"]["bench"]
    assert summary["results"]["headline"] == SPEC.headline == "score"
    assert variant["by_type"]["fact_exact"]["percentage"] == 100.0
    assert variant["hallucination_severity"] > 0
    assert "questions" not in variant


@pytest.mark.parametrize("lang", ["zh", "ru"])
def test_the_report_says_types_and_difficulties_in_its_language(journal: Path, lang: Lang):
    """Types and difficulties are translated; the user's own categories are not."""
    translated = tables(analyse_run(journal), lang)
    words = [table.title for table in translated]
    words += [column.title for table in translated for column in table.columns]
    words += [row.label for table in translated for row in table.rows]
    text = " ".join(words)
    assert not re.search("fact_exact|evidence_set|conflict_gap|easy|unspecified", text)
    assert "monetary" in text


def test_a_sample_recorded_by_another_installation_is_scored_again():
    """A row names the place of a sample where it was asked; the same sample here is as good."""
    sample = sample_benchmark() / "en" / "contract.txt"
    recorded = "/elsewhere/assay/datasets/samples/bench/en/contract.txt"
    source = paged_source(sample, read_paged(sample))
    assert _pages(recorded, source.sha256) == source.pages
    with pytest.raises(UseError, match="has changed since"):
        _pages(recorded, "0" * 64)
