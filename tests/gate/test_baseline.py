"""A baseline without texts: the gate gives the same verdict, and nothing can be read in it."""

import json
import re
import shutil
from pathlib import Path

import pytest

from assay.runs.write import plan_path
from tests.support.page import write_study
from tests.support.program import program

TEXT = re.compile(r"[\u4e00-\u9fff]{2}|[\u0400-\u04ff]{3}|\bannual\b|\bdays\b")


def results(folder: Path) -> Path:
    """A results file with texts."""
    path = folder / "candidate.json"
    entries = [
        {
            "id": f"q{number}", "question": "Сколько дней?", "answer": "三十天, 30 days",
            "status": "scored", "weight": 1.0, "metrics": {"score": number / 4},
            "citations": ["the annual report"], "matches": [{"text": "30 days"}],
        }
        for number in range(4)
    ]  # fmt: skip
    summary = {"pdf_sha256": "a" * 64, "questions_sha256": "b" * 64, "model": "annual"}
    path.write_text(json.dumps({"summary": summary, "results": entries}), encoding="utf-8")
    return path


def test_the_gate_gives_the_same_verdict(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Scores, ids and hashes are kept, so a worse candidate fails and an equal one passes."""
    assay, candidate = program(capsys), results(tmp_path)
    baseline = tmp_path / "git" / "baseline.json"
    assert assay("baseline", candidate, "--out", baseline).code == 0
    assert assay("compare", "--base", baseline, "--cand", candidate).code == 0
    worse = tmp_path / "worse.json"
    worse.write_text(candidate.read_text("utf-8").replace("0.75", "0.25"), encoding="utf-8")
    assert assay("compare", "--base", baseline, "--cand", worse).code == 1
    other = tmp_path / "other.json"
    other.write_text(candidate.read_text("utf-8").replace("a" * 64, "c" * 64), encoding="utf-8")
    assert assay("compare", "--base", baseline, "--cand", other).code == 2


def test_no_text_is_left(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """No question, answer, citation or setting can be read in the file, and git may have it."""
    candidate = results(tmp_path)
    baseline = tmp_path / "baseline.json"
    program(capsys)("baseline", candidate, "--out", baseline)
    assert TEXT.search(candidate.read_text("utf-8").encode().decode("unicode_escape"))
    assert not TEXT.search(baseline.read_text("utf-8"))
    assert not (tmp_path / ".gitignore").exists()


def test_results_are_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """The baseline is another file, of the kind of the results."""
    candidate = results(tmp_path)
    before = shutil.copy(candidate, tmp_path / "copy.json")
    for out in (candidate, tmp_path / "baseline.jsonl"):
        shown = program(capsys)("baseline", candidate, "--out", out)
        assert shown.code == 2
        assert shown.err.startswith("assay: ")
    assert candidate.read_bytes() == Path(before).read_bytes()


def test_all_files_that_are_written_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """The rows, their summary, and the plan and the order if the run has them."""
    journal = write_study(tmp_path / "experiments" / "a.jsonl")
    plan_path(journal).write_text("{}\n")
    out = tmp_path / "gate" / "a.jsonl"
    shown = program(capsys)("baseline", journal, "--out", out)
    named = {line.split()[-1] for line in shown.err.splitlines() if line.startswith("written")}
    assert named == {str(path) for path in out.parent.glob("a.*")}
    assert str(plan_path(out)) in named
