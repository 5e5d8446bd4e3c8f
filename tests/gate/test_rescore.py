"""Recorded scores count, unless ``--rescore`` asks for the scores of today."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from assay.cli.main import app

QUESTION = {"id": "q1", "question": "Что?", "must_include": ["миллион"], "require_citation": True}
ANSWER = "15,7 миллиона (стр. 2)"


def run_file(path: Path, *entries: dict[str, Any]) -> Path:
    """A results file with these entries."""
    path.write_text(json.dumps({"summary": {}, "results": list(entries)}), encoding="utf-8")
    return path


def compare(base: Path, cand: Path, *words: str) -> Result:
    """Run ``assay compare`` and keep the JSON."""
    options = ["--base", str(base), "--cand", str(cand), "--format", "json", *words]
    return CliRunner().invoke(app, ["compare", *options])


def values(ran: Result) -> tuple[float, float]:
    """The values of base and candidate."""
    report = json.loads(ran.stdout)
    return report["base"]["value"], report["candidate"]["value"]


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({**QUESTION, "answer": ANSWER, "score": 0.3}, ()),
        (
            {
                "id": "q1",
                "question": "Что?",
                "answer": ANSWER,
                "metrics": {"score": 0.3, "citation_ok": True},
                "matches": [{"rule": "must_include", "wanted": ["миллион"]}],
            },
            (),
        ),
        ({"id": "q1", "answer": ANSWER, "question_score": 0.3}, ("--questions", "q.jsonl")),
    ],
)
def test_scores_are_kept_unless_rescoring_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, entry: dict[str, Any], words: tuple[str, ...]
):
    """The phrases come from the entry, from its matches or from the question file."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "q.jsonl").write_text(json.dumps(QUESTION), encoding="utf-8")
    file = run_file(tmp_path / "run.json", entry)
    assert values(compare(file, file)) == (0.3, 0.3)
    assert values(compare(file, file, "--rescore", *words)) == (1.0, 1.0)


def test_repeated_runs_are_rescored_one_by_one(tmp_path: Path):
    """A question with several runs has the mean of their scores of today."""
    match = {"rule": "must_include", "wanted": ["миллион"]}
    runs = [
        {"run": number, "answer": answer, "metrics": {"score": 0.3}, "matches": [match]}
        for number, answer in enumerate([ANSWER, "не знаю"], 1)
    ]
    entry = {"id": "q1", "question": "?", "answer": ANSWER, "metrics": {"score": 0.3}, "runs": runs}
    file = run_file(tmp_path / "run.json", entry)
    assert values(compare(file, file, "--rescore")) == pytest.approx(((1.0 + 0.3) / 2,) * 2)


def test_rescoring_gives_a_run_the_metric_that_only_the_other_one_has(tmp_path: Path):
    """What the gate advises is true for results files too, which ``assay score`` does not change."""
    match = {"rule": "must_include", "wanted": ["миллион"]}
    entry = {"id": "q1", "question": "?", "answer": ANSWER, "matches": [match]}
    base = run_file(tmp_path / "base.json", {**entry, "metrics": {"score": 1.0}})
    scores = {"score": 1.0, "include_rate": 1.0}
    cand = run_file(tmp_path / "cand.json", {**entry, "metrics": scores})
    assert compare(base, cand, "--metric", "include_rate").exit_code == 2
    assert values(compare(base, cand, "--metric", "include_rate", "--rescore")) == (1.0, 1.0)


def test_what_cannot_be_rescored_is_refused(tmp_path: Path):
    """A file without phrases, and questions without ``--rescore``, are wrong use."""
    file = run_file(tmp_path / "run.json", {"id": "q1", "answer": ANSWER, "score": 0.3})
    ran = compare(file, file, "--rescore")
    assert ran.exit_code == 2
    assert "name the questions with --questions" in ran.stderr
    assert compare(file, file, "--questions", str(file)).exit_code != 0
