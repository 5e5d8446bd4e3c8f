"""Rows of a benchmark: what they hold, judging them again, and what the report makes of them."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from assay.bench import BenchmarkRunner
from assay.errors import UseError
from assay.jobs.legal.handler import SPEC
from assay.jobs.rescore import rescore
from assay.jobs.study.analysis import analyse_run
from assay.jobs.study.page import write_report
from assay.jobs.study.table import short_table, tables
from assay.report.words.label import Lang
from tests.jobs.legal.small import RIGHT, write_small


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """The rows of a run on the small benchmark: the fact is right, the witness invented."""
    said: dict[str, Any] = {**RIGHT, "Who witnessed the sale?": "Marcus Hale did."}
    bench = write_small(tmp_path / "small")
    BenchmarkRunner(bench, out_dir=tmp_path / "kept").run_benchmark(said.get)
    return tmp_path / "kept" / "bench-small.jsonl"


def rows(journal: Path) -> dict[str, dict[str, Any]]:
    """The rows by question."""
    read = [json.loads(line) for line in journal.read_text(encoding="utf-8").splitlines()]
    return {row["question_id"]: row for row in read}


def test_a_row_holds_what_it_was_judged_by(journal: Path):
    """Gold, document and threshold stand beside the answer and its scores."""
    found = rows(journal)["fact"]
    assert found["gold"]["expected"]["amount_total"] == 4200
    assert found["source"] == "sale.txt"
    assert Path(found["document"]).name == "sale.txt"
    assert found["min_score"] == 0.6
    assert found["citations"] == RIGHT["What was the price?"]["citations"]
    assert found["terms"] == {"exact_match": True, "citation_correct": True, "partial": 1.0}


def test_rescoring_changes_nothing_by_itself(journal: Path):
    """The same rules give the same scores, from the row and the document alone."""
    done = rescore(journal)
    assert done.judged == 3
    assert not done.changed


def test_rescoring_refuses_another_document(journal: Path, tmp_path: Path):
    """A document that was edited since is not what the answers were judged by."""
    text = tmp_path / "small" / "sale.txt"
    text.write_text(text.read_text(encoding="utf-8") + "More.\n", encoding="utf-8")
    with pytest.raises(UseError, match="no longer what the answers were judged by"):
        rescore(journal)


def test_the_report_has_the_groups(journal: Path):
    """Percentages by type stand beside the metrics; a table each for category and difficulty."""
    found = analyse_run(journal)
    table = short_table(found)
    shown = dict(zip([one.key for one in table.columns], table.rows[0].cells, strict=True))
    assert shown["overall"].value == pytest.approx(200 / 3)
    assert shown["conflict_gap"].value == 0.0
    assert shown["score"].value == pytest.approx(2 / 3)
    assert {"By type of question", "By category", "By difficulty"} <= {
        one.title for one in tables(found)
    }
    page = write_report(journal, lang="zh", charts=None).page.read_text(encoding="utf-8")
    assert "按题型" in page
    assert "无编造" in page


def test_the_summary_file_has_the_groups(journal: Path):
    """What a program reads is there too, without a second copy of the questions."""
    summary = json.loads(journal.with_suffix(".json").read_text(encoding="utf-8"))
    variant = summary["results"]["variants"]["bench"]
    assert summary["results"]["headline"] == SPEC.headline == "score"
    assert variant["by_type"]["fact_exact"]["percentage"] == 100.0
    assert variant["hallucination_severity"] > 0
    assert "questions" not in variant


@pytest.mark.parametrize("lang", ["zh", "ru"])
def test_the_report_says_types_and_difficulties_in_its_language(journal: Path, lang: Lang):
    """No name of a type or a difficulty is left in English; the user's categories stay."""
    made = tables(analyse_run(journal), lang)
    shown = [one.title for one in made]
    shown += [column.title for one in made for column in one.columns]
    shown += [row.label for one in made for row in one.rows]
    text = " ".join(shown)
    assert not re.search("fact_exact|evidence_set|conflict_gap|easy|unspecified", text)
    assert "monetary" in text
