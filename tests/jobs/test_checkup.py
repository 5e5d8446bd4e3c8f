"""The check-up behind ``assay doctor``: one line a finding."""

import importlib.metadata
import os
from pathlib import Path

import pytest

from assay import __version__
from assay.config import Workspace
from assay.jobs.checkup import check_installation, check_workspace


def experiments(root: Path, text: str) -> Workspace:
    """A workspace with this experiments file."""
    path = root / "experiments" / "experiments.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return Workspace.find(root)


def test_the_installation_is_in_order():
    """This very installation passes its own check."""
    findings = list(check_installation())
    assert all(finding.ok for finding in findings)
    assert __version__ in findings[0].what
    assert any(finding.what.startswith("msgspec ") for finding in findings)


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch):
    """A half-made installation says which package is missing."""
    real = importlib.metadata.version

    def version(name: str) -> str:
        if name == "rich":
            raise importlib.metadata.PackageNotFoundError(name)
        return real(name)

    monkeypatch.setattr(importlib.metadata, "version", version)
    (bad,) = (finding for finding in check_installation() if finding.ok is False)
    assert bad.what == "rich is missing; install assay again with pip"


def test_a_new_folder_is_no_fault(tmp_path: Path):
    """Without an experiments file there is a note, not a failure."""
    findings = list(check_workspace(Workspace.find(tmp_path)))
    assert [finding.ok for finding in findings] == [True, True, None]


def test_a_good_workspace_counts_its_experiments(tmp_path: Path):
    """The number of experiments and the questions file are confirmed."""
    (tmp_path / "set.jsonl").write_text("{}\n")
    workspace = experiments(
        tmp_path, "defaults: {questions_path: set.jsonl}\nexperiments: [{name: a}, {name: b}]\n"
    )
    findings = list(check_workspace(workspace))
    assert all(finding.ok for finding in findings)
    assert findings[-2].what.endswith("experiments.yaml: 2 experiments")
    assert findings[-1].what == f"questions {workspace.root / 'set.jsonl'}"


def test_each_mistake_in_the_experiments_is_a_line(tmp_path: Path):
    """Several unknown keys are several findings, each with file and line."""
    findings = list(check_workspace(experiments(tmp_path, "defalts: {}\nexperimnts: []\n")))
    bad = [finding.what for finding in findings if finding.ok is False]
    assert len(bad) == 2
    assert "experiments.yaml:1: unknown key 'defalts'" in bad[0]
    assert "experiments.yaml:2: unknown key 'experimnts'" in bad[1]


@pytest.mark.parametrize(
    ("configured", "said"),
    [("gone.jsonl", "questions_path: there is no "), ("../set.jsonl", "lies outside")],
)
def test_questions_that_cannot_be_read_are_named_with_their_line(
    tmp_path: Path, configured: str, said: str
):
    """A questions path that leads nowhere, or out, is placed in the file."""
    root = tmp_path / "root"
    root.mkdir()
    workspace = experiments(root, f"defaults:\n  questions_path: {configured}\n")
    last = list(check_workspace(workspace))[-1]
    assert last.ok is False
    assert said in last.what
    assert "experiments.yaml:2: " in last.what


def test_a_folder_that_cannot_be_written_is_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Results that could not be stored are said before a run, not after."""
    monkeypatch.setattr(os, "access", lambda *_: False)
    findings = list(check_workspace(Workspace.find(tmp_path)))
    assert findings[1].ok is False
    assert "cannot be written" in findings[1].what
