"""``assay compare``: the output in each format, and the exit codes."""

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from click.testing import Result
from typer.testing import CliRunner

from assay.cli.main import app
from tests.support.program import program


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
    report = {"state": "complete", "pdf_sha256": "aa", "questions_sha256": "bb", **summary}
    path.write_text(json.dumps({"summary": report, "results": results}), encoding="utf-8")
    return path


@pytest.fixture(name="files")
def _files(tmp_path: Path) -> Path:
    """A folder with a base, a better candidate and a worse one."""
    run_file(tmp_path / "base.json", {"q1": 1.0, "q2": 0.5, "q3": 1.0, "q4": 0.2})
    run_file(tmp_path / "better.json", {"q1": 1.0, "q2": 1.0, "q3": 1.0, "q4": 0.2})
    run_file(tmp_path / "worse.json", {"q1": 0.7, "q2": 1.0, "q3": 0.0, "q5": 1.0})
    return tmp_path


def run_compare(files: Path, cand: str, *words: str) -> Result:
    """Run ``assay compare`` with ``base.json`` and a candidate."""
    options = ["--base", str(files / "base.json"), "--cand", str(files / cand)]
    return CliRunner().invoke(app, ["compare", *options, *words])


def test_a_better_candidate_passes(files: Path):
    """A better candidate gives exit code 0, the verdict and both scores of each change."""
    ran = run_compare(files, "better.json")
    assert ran.exit_code == 0
    lines = ran.stdout.splitlines()
    assert lines[0] == "gate passed"
    assert any(line.startswith("weighted     0.6750 → 0.8000  +0.1250") for line in lines)
    assert "  q2  0.5000 → 1.0000  +0.5000  Что в q2 | <b>?" in lines


@pytest.mark.parametrize("option", ["--allow-mismatch", "--no-strict-hashes"])
def test_a_mismatch_is_allowed_in_both_spellings(files: Path, option: str):
    """Other documents are refused, unless the option, old or new, allows them."""
    run_file(files / "other.json", {"q1": 1.0, "q2": 1.0, "q3": 1.0, "q4": 1.0}, pdf_sha256="zz")
    refused = run_compare(files, "other.json")
    assert refused.exit_code == 2
    assert "use --allow-mismatch to compare anyway" in refused.stderr
    assert run_compare(files, "other.json", option).exit_code == 0


def test_the_earlier_spelling_of_allow_mismatch_is_hidden():
    """The help shows the present spelling only."""
    shown = CliRunner().invoke(app, ["compare", "--help"]).stdout
    assert "--allow-mismatch" in shown
    assert "--no-strict-hashes" not in shown


def test_a_worse_candidate_fails(files: Path):
    """A worse candidate gives exit code 1; changed questions are listed, the worst first."""
    ran = run_compare(files, "worse.json")
    assert ran.exit_code == 1
    out = ran.stdout
    assert out.startswith("gate failed: score became worse by 0.266667; 3 questions regressed")
    positions = [
        out.index(words) for words in ("\n  q3  ", "\n  q1  ", "\n  q2  ", "\n  q4  ", "\n  q5  ")
    ]
    assert positions == sorted(positions)
    assert "q4  0.2000 → –  (not in the candidate)" in out


def test_json_tells_everything_but_what_stayed_the_same(files: Path):
    """JSON has unrounded numbers, the statistical test and the changed questions."""
    ran = run_compare(files, "worse.json", "--format", "json")
    assert ran.exit_code == 1
    report = json.loads(ran.stdout)
    assert report["verdict"] == "failed"
    assert report["delta"] == pytest.approx(1.7 / 3 - 2.5 / 3)
    assert report["regressions"] == 3
    assert [item["id"] for item in report["changed"]] == ["q3", "q1", "q2"]
    assert report["changed"][0]["answer_before"] == "ответ @ann #2 1.0"
    assert [item["id"] for item in report["missing"]] == ["q4"]
    assert [item["id"] for item in report["added"]] == ["q5"]
    assert report["effect"]["n"] == 3
    assert report["base"]["hashes"]["pdf_sha256"] == "aa"
    assert ran.stderr.startswith("gate failed")


def test_markdown_is_fit_for_a_comment(files: Path):
    """Markdown escapes cells and markup, folds the answers and mentions no user."""
    ran = run_compare(files, "worse.json", "--format", "markdown")
    assert ran.exit_code == 1
    out = ran.stdout
    assert out.startswith("### ❌ Answer quality: gate failed")
    assert "| q3 | Что в q3 \\| &lt;b&gt;? | 1.0000 | 0.0000 | −1.0000 |" in out
    assert "  - base: ответ @<!-- -->ann \\#<!-- -->2 1.0" in out
    assert "@ann" not in out
    assert out.index("<details>") < out.index("ответ")
    assert run_compare(files, "better.json", "--format", "markdown").stdout.startswith("### ✅")


def test_junit_has_a_case_for_each_question(files: Path):
    """Worse and missing questions are failures, and the gate has test cases of its own."""
    ran = run_compare(files, "worse.json", "--format", "junit")
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
        run_compare(files, "worse.json", "--format", "junit", "--allow-missing").stdout
    )
    assert [case.get("name") for case in allowed.iter("testcase") if case.find("skipped") is not None] == ["q4"]  # fmt: skip
    passed = ET.fromstring(run_compare(files, "better.json", "--format", "junit").stdout)
    assert passed.get("failures") == "0"


def test_the_report_goes_to_a_file_and_the_text_to_the_log(files: Path):
    """With ``--out`` the report is written to the file and the text is printed."""
    target = files / "reports" / "gate.xml"
    ran = run_compare(files, "worse.json", "--format", "junit", "--out", str(target))
    assert ran.exit_code == 1
    assert ran.stdout.startswith("gate failed")
    assert ET.fromstring(target.read_text(encoding="utf-8")).tag == "testsuites"


def test_a_long_list_is_cut_and_says_so(files: Path):
    """``--changes`` limits the list of changes; 0 lists all."""
    ran = run_compare(files, "worse.json", "--changes", "1")
    assert "  … 2 more; --changes 0 lists all" in ran.stdout
    assert "more; --changes" not in run_compare(files, "worse.json", "--changes", "0").stdout
    page = run_compare(files, "worse.json", "--changes", "1", "--format", "markdown").stdout
    assert "2 more are not listed." in page


@pytest.mark.parametrize("lang", ["zh", "ru"])
def test_attributes_of_junit_are_in_the_chosen_language(
    files: Path, lang: str, capsys: pytest.CaptureFixture[str]
):
    """Messages have the language of the texts; only names of metrics and options stay."""
    run_file(files / "other.json", {"q1": 0.7, "q2": 1.0, "q3": 0.0}, questions_sha256="cc")
    assay = program(capsys)
    for cand in ("worse.json", "other.json"):
        sides = ("--base", str(files / "base.json"), "--cand", str(files / cand))
        root = ET.fromstring(assay("compare", *sides, "--format", "junit", "--lang", lang).out)
        found = [*root.iter("failure"), *root.iter("error"), *root.iter("skipped")]
        said = [f"{each.get('message')} {each.text or ''}" for each in found]
        assert said
        for text in said:
            plain = re.sub(r"@ann|<b>|score|base|--[a-z-]+|questions_sha256|[qbc]+\d*", "", text)
            assert not re.search(r"[A-Za-z]{2}", plain), text


@pytest.mark.parametrize("form", ["text", "json", "markdown", "junit"])
def test_runs_that_cannot_be_compared_end_in_two(files: Path, form: str):
    """Exit code 2; stderr names the hash with both values, and so does the report."""
    run_file(files / "other.json", {"q1": 1.0}, pdf_sha256="cc")
    target = files / "gate.out"
    for words in ((), ("--out", str(target))):
        ran = run_compare(files, "other.json", "--format", form, *words)
        assert ran.exit_code == 2
        assert "assay: pdf_sha256 differs: base aa, candidate cc" in ran.stderr
        assert "Traceback" not in ran.stderr
    written = target.read_text(encoding="utf-8")
    match form:
        case "json":
            assert json.loads(written)["verdict"] == json.loads(run_compare(files, "other.json", "--format", "json").stdout)["verdict"] == "invalid"  # fmt: skip
        case "junit":
            (error,) = ET.fromstring(written).iter("error")
            assert "pdf\\_sha256" not in (error.get("message") or "")
        case "markdown":
            assert "cannot be compared" in written
        case _:
            assert written.startswith("the runs cannot be compared\n")


def test_a_report_that_cannot_be_written_is_no_failed_gate(files: Path):
    """If the report cannot be written, the exit code is 2 for any verdict."""
    (files / "file").write_text("")
    for cand in ("better.json", "worse.json"):
        ran = run_compare(files, cand, "--format", "json", "--out", str(files / "file" / "x.json"))
        assert ran.exit_code == 2
        assert ran.stderr.count("cannot be written") == 1


def test_an_error_of_our_own_is_no_failed_gate(files: Path, monkeypatch: pytest.MonkeyPatch):
    """An internal error shows its traceback and gives exit code 2, not 1."""

    def break_down(*_: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("assay.library.comparison.compare_runs", break_down)
    ran = run_compare(files, "better.json")
    assert ran.exit_code == 2
    assert "ZeroDivisionError" in ran.stderr


def test_wrong_words_end_in_two(files: Path):
    """An unknown format, metric or option, or a number out of range, gives exit code 2."""
    assert "did you mean 'junit'" in str(
        run_compare(files, "better.json", "--format", "juni").exception
    )
    assert run_compare(files, "better.json", "--metric", "scor").exit_code == 2
    assert run_compare(files, "better.json", "--max-regressions", "-1").exit_code == 2
    assert run_compare(files, "better.json", "--min-delta", "nan").exit_code == 2
    assert run_compare(files, "better.json", "--strict").exit_code == 2
    assert CliRunner().invoke(app, ["compare", "--base", "x"]).exit_code == 2


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--base", "nosuch", "--cand", "better.json"), "no run of that name"),
        (("--base", "base.json", "--cand", "nosuch"), "no run of that name"),
        (("--base", "nosuch.json", "--cand", "better.json"), "nosuch.json"),
        (("--base", "base.json", "--cand", "better.json", "--questions", "q.jsonl"), "--rescore"),
    ],
)
@pytest.mark.parametrize("form", ["json", "junit", "markdown", "text"])
def test_a_report_is_written_whatever_the_reason_for_code_2(
    files: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    reason: str,
    form: str,
):
    """A pipeline reads the file, and a missing one would hide why there is no verdict."""
    monkeypatch.chdir(files)
    result = program(capsys)("compare", *words, "--format", form, "--out", "r.out")
    assert result.code == 2
    assert reason in result.err
    assert reason in Path("r.out").read_text(encoding="utf-8")


def test_results_are_never_replaced_by_the_report(
    files: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """Not even by the reason why they cannot be compared."""
    monkeypatch.chdir(files)
    before = Path("base.json").read_bytes()
    words = ("--base", "nosuch", "--cand", "base.json", "--out", "base.json")
    assert program(capsys)("compare", *words).code == 2
    assert Path("base.json").read_bytes() == before
