"""Registered scorers from a run to a report: rows, summary, tables, and scoring again."""

import json
from pathlib import Path
from typing import Any

import pytest

from assay.checks import registered
from assay.gate.gate import compare
from assay.gate.run_file import read_runs
from assay.registry import RegistrationWarning
from assay.study.analysis import analyse_run
from assay.study.page import write_report
from assay.study.rescore import rescore
from tests.support import harbour
from tests.support.installed import install_package

SCORERS = """\
from assay.checks.scorer import Scorer

def declared(name, function, **more):
    return Scorer(
        name=name, title=f"The {name}", title_zh="回答字数", title_ru="длина ответа",
        formula="f", undefined="never", function=function, **more,
    )

MARKS = declared("answer_marks", lambda subject: len(subject.answer), better="lower", unit="marks")
LOOKUP = declared("looked_up", lambda subject: subject.settings["lookup"], kind="rate")
FIRST = declared("first_passage", lambda subject: subject.passages[0].id, unit="passages")
"""
GOOD = "[assay.scorers]\nanswer_marks = registered_run:MARKS\nlooked_up = registered_run:LOOKUP\n"


def install(
    monkeypatch: pytest.MonkeyPatch, site: Path, entry_points: str = GOOD, name: str = "acme"
) -> None:
    """Install the scorers of this module."""
    modules = {"registered_run": SCORERS}
    install_package(monkeypatch, site, name=name, entry_points=entry_points, modules=modules)
    monkeypatch.setattr(registered, "_failed", set())


def run(root: Path, **options: Any) -> Path:
    """Run the harbour's experiment; return its journal."""
    harbour.write_harbour(root, questions=4)
    prepared = harbour.prepare_experiment(root, **options)
    assert harbour.run_silently(prepared).is_complete
    return prepared.journal


def rows(journal: Path) -> list[dict[str, Any]]:
    """The rows of a journal."""
    return [json.loads(line) for line in journal.read_text(encoding="utf-8").splitlines()]


def test_a_score_is_in_every_row_in_the_summary_and_in_the_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The value is computed from the answer and its settings; titles are in the language."""
    install(monkeypatch, tmp_path / "site")
    journal = run(tmp_path)
    for row in rows(journal):
        assert row["scores"]["answer_marks"] == len(row["answer"])
        assert row["scores"]["looked_up"] is (row["config"] == "lookup_on")
        assert "scorer_errors" not in row
        assert row["scores"]["cite_ok"] is True
    summary = json.loads(journal.with_suffix(".json").read_text(encoding="utf-8"))
    variants = summary["results"]["variants"]
    assert {name: variant["looked_up"] for name, variant in variants.items()} == {
        "lookup_on": 1.0,
        "lookup_off": 0.0,
    }
    assert variants["lookup_on"]["n"]["answer_marks"] == 4
    for lang, title in {"en": "The answer_marks", "zh": "回答字数", "ru": "длина ответа"}.items():
        page = write_report(analyse_run(journal), lang=lang, charts=None).page  # type: ignore[arg-type]
        assert title in page.read_text(encoding="utf-8")


def test_a_failing_scorer_loses_neither_the_answer_nor_other_scores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The row says why the score is missing; once the scorer works, scoring again adds it."""
    broken = GOOD + "first_passage = registered_run:FIRST\n"
    install(monkeypatch, tmp_path / "site", broken)
    with pytest.warns(RegistrationWarning, match="'first_passage' of the package 'acme' failed"):
        journal = run(tmp_path)
    for row in rows(journal):
        assert row["status"] == "scored"
        assert row["answer"]
        assert row["scores"]["answer_marks"] == len(row["answer"])
        assert "first_passage" not in row["scores"]
        assert row["scorer_errors"]["first_passage"].startswith(
            "ValueError: first_passage returned 'fee-"
        )
    monkeypatch.undo()
    repaired = "[assay.scorers]\nfirst_passage = registered_repaired:FIRST\n"
    source = SCORERS.replace("subject.passages[0].id", "len(subject.passages)")
    install_package(
        monkeypatch,
        tmp_path / "repaired",
        entry_points=repaired,
        modules={"registered_repaired": source},
    )
    again = rescore(journal)
    assert again.changed == {"scores": 8, "scorer_errors": 8}
    for row in rows(again.journal):
        assert row["scores"]["first_passage"] == 2
        assert row["scores"]["answer_marks"] == len(row["answer"])  # not installed now, but kept
        assert "scorer_errors" not in row


def test_scoring_again_gives_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A scorer sees the same subject while a run records a row and when it is read again."""
    install(monkeypatch, tmp_path / "site")
    journal = run(tmp_path)
    again = rescore(journal)
    assert again.changed == {}
    assert again.journal.read_bytes() == journal.read_bytes()


def test_rows_without_scorers_have_no_new_fields(tmp_path: Path):
    """An installation without registered scorers writes what it always wrote."""
    for row in rows(run(tmp_path)):
        assert "scorer_errors" not in row
        assert set(row["scores"]) == {
            "cite_ok", "gold_hit_any", "gold_hit_all", "gold_coverage", "gold_precision",
            "gold_mrr", "gold_ndcg", "abstained_when_unanswerable", "answered_when_answerable",
        }  # fmt: skip


def test_a_run_from_before_the_scorer_can_be_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The score is listed as a metric of one run; scored again, both runs have it."""
    base = run(tmp_path / "base")
    install(monkeypatch, tmp_path / "site")
    cand = run(tmp_path / "cand")
    comparison = compare(*read_runs(base, cand, variant="lookup_on"))
    assert comparison.passed
    assert "metrics only in the candidate, not compared: answer_marks, looked_up" in [
        *map(str, comparison.notes)
    ]
    scored = rescore(base).journal
    runs = read_runs(scored, cand, variant="lookup_on", metric="answer_marks")
    comparison = compare(*runs)
    assert comparison.passed
    assert not [note for note in comparison.notes if "metrics only" in note]
