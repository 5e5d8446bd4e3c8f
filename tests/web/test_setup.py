"""The command of a run: exactly what was typed, or nothing."""

import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assay.cli.main import app
from assay.runs.summary import read_summary
from assay.runs.write import summary_path
from assay.web.run_index import open_run
from assay.web.run_view import setup_view, typed_command
from assay.words.message import message, text_of
from tests.support.page import write_study

TYPED = ["review", "--sample", "--no-report", "--out", "experiments/may", "--lang", "ru"]


def test_a_run_keeps_what_was_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """With every option; going on leaves --resume fresh out, and a later command takes its place."""
    monkeypatch.chdir(tmp_path)
    journal = tmp_path / "experiments" / "may" / "review_sample.jsonl"
    for more in (["--limit", "1", "--resume=fresh"], ["--limit", "2"]):
        monkeypatch.setattr(sys, "argv", ["/usr/bin/assay", *TYPED, *more])
        assert CliRunner().invoke(app, [*TYPED, *more]).exit_code == 0
        view = setup_view(open_run(journal).findings)
        assert view.command == " ".join(["assay", *TYPED, *more])
    assert view.resume == view.command
    summary = read_summary(summary_path(journal))
    assert summary is not None
    assert [stretch.command[-1] for stretch in summary.stretches if stretch.command] == [
        "--resume=fresh",
        "2",
    ]


def test_a_run_without_a_recorded_command_shows_none(tmp_path: Path):
    """A run of an earlier version, or one that was started from Python."""
    findings = open_run(write_study(tmp_path / "a.jsonl")).findings
    view = setup_view(findings)
    assert (view.command, view.resume) == ("", "")
    assert typed_command(None) == ()


def test_a_metric_and_systems_side_by_side_have_names_in_every_language(tmp_path: Path):
    """The command's own name of the metric stands beside its title."""
    journal = write_study(tmp_path / "a.jsonl")
    path = summary_path(journal)
    path.write_text(path.read_text().replace('"system": "s"', '"system": "side by side"'))
    facts = {str(name): value for name, value in setup_view(open_run(journal).findings).facts}
    assert facts["system"] == message("side by side")
    assert text_of(facts["system"], "zh") == "多个系统并排"
    primary = facts["primary metric"]
    assert text_of(primary, "ru").startswith("Recall@")
    assert text_of(primary, "ru").endswith("(avg_gold_coverage)")
