"""Two runs compared from Python: what the command prints and exits by."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import assay
from assay.errors import UseError


def service(known: int) -> Any:
    """Knows the first questions."""

    def ask(question: str) -> str:
        number = int(question.rsplit(maxsplit=1)[-1].rstrip("?"))
        return f"{number} days" if number < known else "I do not <b>know</b>."

    return ask


QUESTIONS = [
    {"question": f"How long is notice {n}?", "answer": f"{n} days"} for n in range(100, 140)
]


@pytest.fixture(name="folder", scope="module")
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with three runs."""
    folder = tmp_path_factory.mktemp("compare")
    for name, known in (("low", 110), ("high", 135), ("same", 110)):
        assay.run({"ask": service(known)}, QUESTIONS, name=name, root=folder)
    return folder


@pytest.fixture(autouse=True)
def _in_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)


def test_a_better_candidate_passes():
    """With the difference, its interval, p, and what changed."""
    found = assay.compare("low", assay.open("high"), margin=0.03)
    assert (found.passed, found.exit_code, found.metric) == (True, 0, "answer_contained")
    assert found.sentence == "gate passed: answer_contained is not worse by more than 3 points"
    assert (found.base, found.candidate) == (0.25, 0.875)
    assert found.difference == pytest.approx(0.625)
    assert found.interval is not None
    assert found.interval[0] < 0.625 < found.interval[1]
    assert found.p is not None
    assert found.p < 0.001
    assert len(found.changed) == 25
    assert {case["change"] for case in found.changed} == {"better"}
    assert found.changed[0]["answer_candidate"].endswith(" days")


def test_a_worse_candidate_fails():
    """The worst questions come first."""
    found = assay.compare("high", "low")
    assert (found.passed, found.exit_code) == (False, 1)
    assert found.changed[0]["gain"] == -1.0
    html = found._repr_html_()
    assert "✗" in html
    assert "&lt;b&gt;know" in html
    assert "<b>know" not in html
    assert "20 more are not listed" in html


@pytest.mark.parametrize(
    ("form", "method"), [("text", "to_text"), ("json", "to_json"), ("markdown", "to_markdown")]
)
def test_the_command_prints_what_the_library_says(form: str, method: str):
    """Each form, and the exit code."""
    found = assay.compare("high", "low", metric="answer_f1")
    done = subprocess.run(
        [sys.executable, "-m", "assay", "compare", "--base", "high", "--cand", "low",
         "--metric", "answer_f1", "--format", form],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout.strip()) == (
        found.exit_code,
        getattr(found, method)().strip(),
    )


def test_junit_has_a_test_for_each_question():
    """For CI servers."""
    assert assay.compare("low", "same").to_junit().count("<testcase") >= len(QUESTIONS)


def test_two_variants_of_one_run_are_compared(tmp_path: Path):
    """The same run on both sides."""
    run = assay.run({"a": service(110), "b": service(135)}, QUESTIONS, name="two", root=tmp_path)
    found = assay.compare(run, run, base_variant="a", variant="b", equivalent=0.05)
    assert not found.passed
    assert found.difference == pytest.approx(0.625)
    assert repr(found).startswith(found.sentence)


def test_what_cannot_be_compared_is_refused(tmp_path: Path):
    """That is no verdict."""
    with pytest.raises(UseError, match="no run of that name"):
        assay.compare("low", "nothing")
    with pytest.raises(UseError, match="--min-delta"):
        assay.compare("low", "high", margin=0.1, min_delta=0.1)
    with pytest.raises(UseError, match="add --rescore"):
        assay.compare("low", "high", questions=tmp_path / "q.jsonl")


def test_files_with_figures_only_have_no_questions(tmp_path: Path):
    """Summaries of several runs are compared as well."""
    for name, score in (("a", 0.5), ("b", 0.6)):
        figure = {"mean": score, "std": 0.0, "min": score, "max": score}
        run = {"path": "r.json", "weighted_score": score, "question_weighted_score": score}
        content: dict[str, Any] = {"label": name, "n": 1, "runs": [run]}
        content |= {"weighted_score": figure, "question_weighted_score": figure}
        (tmp_path / f"{name}.json").write_text(json.dumps(content))
    found = assay.compare(tmp_path / "a.json", tmp_path / "b.json")
    assert found.passed
    assert (found.difference, found.interval, found.p, found.metric) == (None, None, None, None)
    assert len(found.changed) == 0
    assert found.sentence in found._repr_html_()
    assert (
        "weighted_score"
        in found.to_text() + found.to_json() + found.to_markdown() + found.to_junit()
    )


def test_citations_that_neither_run_has_are_not_mentioned(tmp_path: Path):
    """One system says what it retrieved and the other does not; neither cites."""

    def with_passages(question: str) -> dict[str, Any]:
        return {"answer": "100 days", "passages": [{"id": "a", "text": "100 days"}]}

    for name, system in (("bare", service(120)), ("passages", with_passages)):
        assay.run({"ask": system}, QUESTIONS, name=name, root=tmp_path)
    found = assay.compare(
        *(tmp_path / f"experiments/{name}.jsonl" for name in ("bare", "passages"))
    )
    assert "cite_ok_rate" not in found.to_text()
