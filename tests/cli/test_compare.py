"""``assay compare``: what it prints in each form, and that its exit code is never mistaken."""

import importlib
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from click.testing import Result
from typer.testing import CliRunner

from assay.cli.main import app


def run_file(path: Path, scores: dict[str, float], **summary: Any) -> Path:
    """A complete quality run with these scores."""
    results = [
        {
            "id": name,
            "question": f"Что в {name} | <b>?",
            "answer": f"ответ @ann #{number} {score}",
            "status": "scored",
            "weight": 1.0,
            "metrics": {"score": score},
        }
        for number, (name, score) in enumerate(scores.items())
    ]
    told = {"state": "complete", "pdf_sha256": "aa", "questions_sha256": "bb", **summary}
    path.write_text(json.dumps({"summary": told, "results": results}), encoding="utf-8")
    return path


@pytest.fixture(name="files")
def _files(tmp_path: Path) -> Path:
    """A folder with a base, a better candidate and a worse one."""
    run_file(tmp_path / "base.json", {"q1": 1.0, "q2": 0.5, "q3": 1.0, "q4": 0.2})
    run_file(tmp_path / "better.json", {"q1": 1.0, "q2": 1.0, "q3": 1.0, "q4": 0.2})
    run_file(tmp_path / "worse.json", {"q1": 0.7, "q2": 1.0, "q3": 0.0, "q5": 1.0})
    return tmp_path


def compared(files: Path, cand: str, *words: str) -> Result:
    """The command's end."""
    given = ["--base", str(files / "base.json"), "--cand", str(files / cand)]
    return CliRunner().invoke(app, ["compare", *given, *words])


def test_a_better_candidate_passes(files: Path):
    """Exit 0, the verdict first, both scores of what changed."""
    ran = compared(files, "better.json")
    assert ran.exit_code == 0
    lines = ran.stdout.splitlines()
    assert lines[0] == "gate passed"
    assert any(line.startswith("weighted     0.6750 → 0.8000  +0.1250") for line in lines)
    assert "  q2  0.5000 → 1.0000  +0.5000  Что в q2 | <b>?" in lines


@pytest.mark.parametrize("option", ["--allow-mismatch", "--no-strict-hashes"])
def test_a_mismatch_is_allowed_in_both_spellings(files: Path, option: str):
    """Other documents are refused, unless the option, old or new, allows them."""
    run_file(files / "other.json", {"q1": 1.0, "q2": 1.0, "q3": 1.0, "q4": 1.0}, pdf_sha256="zz")
    refused = compared(files, "other.json")
    assert refused.exit_code == 2
    assert "use --allow-mismatch to compare anyway" in refused.stderr
    assert compared(files, "other.json", option).exit_code == 0


def test_the_earlier_spelling_of_allow_mismatch_is_hidden():
    """The help shows the present spelling only."""
    shown = CliRunner().invoke(app, ["compare", "--help"]).stdout
    assert "--allow-mismatch" in shown
    assert "--no-strict-hashes" not in shown


def test_a_worse_candidate_fails(files: Path):
    """Exit 1; the changed questions worst first, then those that are gone and those that came."""
    ran = compared(files, "worse.json")
    assert ran.exit_code == 1
    out = ran.stdout
    assert out.startswith("gate failed: score became worse by 0.266667; 3 questions regressed")
    places = [
        out.index(words) for words in ("\n  q3  ", "\n  q1  ", "\n  q2  ", "\n  q4  ", "\n  q5  ")
    ]
    assert places == sorted(places)
    assert "q4  0.2000 → –  (not in the candidate)" in out


def test_json_tells_everything_but_what_stayed_the_same(files: Path):
    """Figures unrounded, the test, the changed questions with their answers."""
    ran = compared(files, "worse.json", "--format", "json")
    assert ran.exit_code == 1
    told = json.loads(ran.stdout)
    assert told["verdict"] == "failed"
    assert told["delta"] == pytest.approx(1.7 / 3 - 2.5 / 3)
    assert told["regressions"] == 3
    assert [item["id"] for item in told["changed"]] == ["q3", "q1", "q2"]
    assert told["changed"][0]["answer_before"] == "ответ @ann #2 1.0"
    assert [item["id"] for item in told["missing"]] == ["q4"]
    assert [item["id"] for item in told["added"]] == ["q5"]
    assert told["effect"]["n"] == 3
    assert told["base"]["hashes"]["pdf_sha256"] == "aa"
    assert ran.stderr.startswith("gate failed")


def test_markdown_is_fit_for_a_comment(files: Path):
    """Cells stay cells, markup stays text, answers are folded, and nobody is notified."""
    ran = compared(files, "worse.json", "--format", "markdown")
    assert ran.exit_code == 1
    out = ran.stdout
    assert out.startswith("### ❌ Answer quality: gate failed")
    assert "| q3 | Что в q3 \\| &lt;b&gt;? | 1.0000 | 0.0000 | −1.0000 |" in out
    assert "  - base: ответ @<!-- -->ann \\#<!-- -->2 1.0" in out
    assert "@ann" not in out
    assert out.index("<details>") < out.index("ответ")
    assert compared(files, "better.json", "--format", "markdown").stdout.startswith("### ✅")


def test_junit_has_a_case_for_each_question(files: Path):
    """Failures are the regressed and the missing; the gate's own checks stand beside them."""
    ran = compared(files, "worse.json", "--format", "junit")
    assert ran.exit_code == 1
    gate, questions = ET.fromstring(ran.stdout)
    outcomes = {
        case.get("name"): [child.tag for child in case] for case in questions.iter("testcase")
    }
    assert outcomes == {
        "q1": ["failure"],
        "q2": [],
        "q3": ["failure"],
        "q4": ["failure"],
        "q5": [],
    }
    assert [len(case) for case in gate.iter("testcase")] == [1, 1]
    allowed = ET.fromstring(
        compared(files, "worse.json", "--format", "junit", "--allow-missing").stdout
    )
    assert [case.get("name") for case in allowed.iter("testcase") if case.find("skipped") is not None] == ["q4"]  # fmt: skip
    passed = ET.fromstring(compared(files, "better.json", "--format", "junit").stdout)
    assert passed.get("failures") == "0"


def test_the_report_goes_to_a_file_and_the_text_to_the_log(files: Path):
    """One call serves the server's page and the person who reads the log."""
    target = files / "made" / "gate.xml"
    ran = compared(files, "worse.json", "--format", "junit", "--out", str(target))
    assert ran.exit_code == 1
    assert ran.stdout.startswith("gate failed")
    assert ET.fromstring(target.read_text(encoding="utf-8")).tag == "testsuites"


def test_a_long_list_is_cut_and_says_so(files: Path):
    """``--changes`` sets its length; 0 lists all."""
    ran = compared(files, "worse.json", "--changes", "1")
    assert "  … 2 more; --changes 0 lists all" in ran.stdout
    assert "more" not in compared(files, "worse.json", "--changes", "0").stdout
    page = compared(files, "worse.json", "--changes", "1", "--format", "markdown").stdout
    assert "2 more are not listed." in page


@pytest.mark.parametrize("form", ["text", "json", "markdown", "junit"])
def test_runs_that_cannot_be_compared_end_in_two(files: Path, form: str):
    """Which hash, both values, on standard error; the report says so in its own form."""
    run_file(files / "other.json", {"q1": 1.0}, pdf_sha256="cc")
    target = files / "gate.out"
    for words in ((), ("--out", str(target))):
        ran = compared(files, "other.json", "--format", form, *words)
        assert ran.exit_code == 2
        assert "assay: pdf_sha256 differs: base aa, candidate cc" in ran.stderr
        assert "Traceback" not in ran.stderr
    written = target.read_text(encoding="utf-8")
    match form:
        case "json":
            assert json.loads(written)["verdict"] == json.loads(compared(files, "other.json", "--format", "json").stdout)["verdict"] == "invalid"  # fmt: skip
        case "junit":
            (error,) = ET.fromstring(written).iter("error")
            assert "pdf\\_sha256" not in (error.get("message") or "")
        case "markdown":
            assert "cannot be compared" in written
        case _:
            assert written.startswith("the runs cannot be compared\n")


def test_a_report_that_cannot_be_written_is_no_failed_gate(files: Path):
    """A full or missing disk ends in 2, whatever the verdict."""
    (files / "file").write_text("")
    for cand in ("better.json", "worse.json"):
        ran = compared(files, cand, "--format", "json", "--out", str(files / "file" / "x.json"))
        assert ran.exit_code == 2
        assert ran.stderr.count("cannot be written") == 1


def test_an_error_of_our_own_is_no_failed_gate(files: Path, monkeypatch: pytest.MonkeyPatch):
    """A bug shows its traceback and ends in 2: the pull request did nothing wrong."""

    def break_down(*_: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(importlib.import_module("assay.cli.compare"), "compared", break_down)
    ran = compared(files, "better.json")
    assert ran.exit_code == 2
    assert "ZeroDivisionError" in ran.stderr


def test_wrong_words_end_in_two(files: Path):
    """An unknown format, metric or option, and numbers out of range."""
    assert "did you mean 'junit'" in str(
        compared(files, "better.json", "--format", "juni").exception
    )
    assert compared(files, "better.json", "--metric", "scor").exit_code == 2
    assert compared(files, "better.json", "--max-regressions", "-1").exit_code == 2
    assert compared(files, "better.json", "--min-delta", "nan").exit_code == 2
    assert compared(files, "better.json", "--strict").exit_code == 2
    assert CliRunner().invoke(app, ["compare", "--base", "x"]).exit_code == 2
