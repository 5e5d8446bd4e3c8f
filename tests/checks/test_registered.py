"""Scorers that are found: in the catalogue and in other packages, and what they add to a row."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assay.checks import catalogue, registered
from assay.checks.registered import (
    has_fields,
    registered_fields,
    registered_scorers,
    registered_scores,
    subject_of,
)
from assay.checks.scorer import Subject
from assay.errors import UseError
from assay.records import Passage
from assay.registry import RegistrationWarning
from assay.runs.row import Row
from tests.support.installed import install_package

SOURCE = """\
from assay.checks.scorer import Scorer

SCORER = Scorer(
    name={name!r}, title="T", title_zh="题", title_ru="т", formula="f", undefined="never",
    function=lambda subject: {value}, jobs={jobs!r}, unit="letters",
)
"""
SUBJECT = Subject(job="ablation", question_id="q", question="Why?", answer="one two")

Catalogue = Callable[..., None]


def source(name: str, value: str = "len(subject.answer)", jobs: tuple[str, ...] = ()) -> str:
    """The file of a scorer."""
    return SOURCE.format(name=name, value=value, jobs=jobs)


@pytest.fixture(name="add")
def _add(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Catalogue:
    """A function that adds a file to the catalogue, which is empty at first and only for the test."""
    folder = tmp_path / "catalogue"
    folder.mkdir()
    monkeypatch.setattr(catalogue, "__path__", [str(folder)])
    own = registered.SCORERS
    fresh = type(own)("assay.scorers", "scorer", registered._catalogue, check=registered._check)
    monkeypatch.setattr(registered, "SCORERS", fresh)
    monkeypatch.setattr(registered, "_failed", set())

    def add(name: str, *words: Any) -> None:
        (folder / f"{name}.py").write_text(source(name, *words), encoding="utf-8")

    return add


def test_a_file_in_the_catalogue_is_a_scorer(add: Catalogue):
    """The file alone is enough: its score is computed for the jobs that it names."""
    add("registered_length", "len(subject.answer)", ("ablation", "depth"))
    assert "registered_length" in [scorer.name for scorer in registered_scorers("depth")]
    assert "registered_length" not in [scorer.name for scorer in registered_scorers("quality")]
    assert registered_scores(registered_scorers("ablation"), SUBJECT).values == {
        "registered_length": 7
    }


def test_a_scorer_of_the_catalogue_for_an_unknown_job_is_refused(add: Catalogue):
    """It would hold for no job, and nobody would notice."""
    add("registered_lost", "1", ("run",))
    with pytest.raises(UseError) as refused:
        registered_scorers("ablation")
    assert str(refused.value) == (
        "the scorer 'registered_lost' cannot be used: there is no job 'run'; valid names: "
        "ablation, bench, depth, quality, review"
    )


def test_another_package_adds_a_scorer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, add: Catalogue
):
    """It comes after those of the catalogue, and without ``jobs`` it is for every job."""
    add("registered_own")
    install_package(
        monkeypatch,
        tmp_path / "site",
        entry_points="[assay.scorers]\nregistered_added = registered_package:SCORER\n",
        modules={"registered_package": source("registered_added", "len(subject.passages)")},
    )
    names = [scorer.name for scorer in registered_scorers("a job of nobody")]
    assert [name for name in names if name.startswith("registered")] == [
        "registered_own",
        "registered_added",
    ]


@pytest.mark.parametrize(
    ("module", "text", "reason"),
    [
        (
            "registered_dict",
            "SCORER = {}",
            "it is a dict, not an assay.checks.scorer.Scorer",
        ),
        (
            "registered_other",
            source("other_name"),
            "the scorer's own name is 'other_name'; both names must be equal",
        ),
        (
            "registered_untitled",
            source("registered_odd").replace('title_zh="题"', 'title_zh=""'),
            "ValueError: scorer 'registered_odd': title_zh must be given",
        ),
        (
            "registered_job",
            source("registered_odd", jobs=("depth", "ablatoin")),
            "there is no job 'ablatoin'; did you mean 'ablation'?",
        ),
    ],
)
def test_a_scorer_that_cannot_be_used_is_left_out_with_a_warning(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    add: Catalogue,
    module: str,
    text: str,
    reason: str,
):
    """The line names the package and the entry point; the other scorers are computed."""
    add("registered_fine")
    install_package(
        monkeypatch,
        tmp_path / "site",
        entry_points=f"[assay.scorers]\nregistered_odd = {module}:SCORER\n",
        modules={module: text},
    )
    with pytest.warns(RegistrationWarning) as warned:
        scores = registered_scores(registered_scorers("ablation"), SUBJECT)
    assert scores.values == {"registered_fine": 7}
    assert str(warned[0].message) == (
        "the entry point 'registered_odd' (assay.scorers) of the package 'acme' cannot be used: "
        + reason
    )


def test_a_failing_scorer_takes_nothing_from_the_others(add: Catalogue):
    """Its error is in the place of its score, and only the first one is a warning."""
    add("registered_bad", "1 / 0")
    add("registered_good", "2.5")
    add("registered_text", "'high'")
    with pytest.warns(RegistrationWarning) as warned:
        scores = registered_scores(registered_scorers("ablation"), SUBJECT)
    assert scores.values == {"registered_good": 2.5}
    assert scores.errors == {
        "registered_bad": "ZeroDivisionError: division by zero",
        "registered_text": "ValueError: registered_text returned 'high' (str); a score is a "
        "number, a boolean or None",
    }
    assert len(warned) == 2
    assert "'registered_bad' failed: ZeroDivisionError: division by zero" in str(warned[0].message)
    assert (
        registered_scores(registered_scorers("ablation"), SUBJECT) == scores
    )  # a warning would be an error here


def test_a_subject_is_made_from_a_row():
    """A row about to be written and the same row read again give the same subject."""
    row = {
        "key": "q::v::topk=3",
        "question_id": "q",
        "question": "Why?",
        "answer": "one [1]",
        "config": "v",
        "source": "a.pdf",
        "gold_chunk_ids": ("c1",),
        "passages": (Passage(id="c1", text="one", page=2),),
        "expected": {"must_include": ("one",)},
    }
    subject = subject_of("quality", row, {"top_k": 3})
    assert (subject.question_id, subject.question, subject.answer) == ("q", "Why?", "one [1]")
    assert (subject.variant, subject.settings, subject.source) == ("v", {"top_k": 3}, "a.pdf")
    assert subject.passages == (Passage(id="c1", text="one", page=2),)
    assert subject.gold == ("c1",)
    assert subject.row["expected"] == {"must_include": ["one"]}
    assert subject_of("quality", subject.row, {"top_k": 3}) == subject


def test_passages_in_another_form_are_left_to_the_row():
    """A job may record passages in a form of its own; the scorer finds them in ``row``."""
    subject = subject_of("odd", {"answer": "a", "passages": ["c1"]})
    assert subject.passages == ()
    assert subject.row["passages"] == ["c1"]


def test_scores_are_added_to_those_of_the_job(add: Catalogue):
    """None of the job's own scores is replaced; without scorers nothing is added."""
    row = {"answer": "one two", "scores": {"cite_ok": True, "registered_taken": 0.5}}
    assert registered_fields("ablation", registered_scorers("ablation"), row) == {}
    add("registered_length2")
    add("registered_taken")
    registered.SCORERS._own = registered._catalogue
    assert registered_fields("ablation", registered_scorers("ablation"), row) == {
        "scores": {"cite_ok": True, "registered_taken": 0.5, "registered_length2": 7}
    }


def test_a_score_of_a_scorer_that_is_gone_is_kept(add: Catalogue):
    """Scoring again cannot compute it, so the recorded one stays; a failed one does not."""
    add("registered_failing", "1 / 0")
    recorded = {"gone": 0.25, "registered_failing": 1, "cite_ok": False}
    with pytest.warns(RegistrationWarning, match="registered_failing"):
        fields = registered_fields(
            "ablation",
            registered_scorers("ablation"),
            {"answer": "a", "scores": {"cite_ok": True}},
            recorded=recorded,
        )
    assert fields == {
        "scores": {"cite_ok": True, "gone": 0.25},
        "scorer_errors": {"registered_failing": "ZeroDivisionError: division by zero"},
    }


def test_the_catalogue_is_imported_without_word_lists():
    """A run without expected answers, and a list of metrics, do not read the lexicons."""
    code = (
        "import sys\nfrom assay.checks.registered import registered_scorers\n"
        "assert registered_scorers('ablation')\n"
        "print([name for name in sys.modules if name.startswith('assay.text')])"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert ran.stdout == "[]\n"


def test_only_a_row_with_a_needed_field_is_scored():
    """A field that is not set or null is not there; without needs every row is scored."""
    row = Row(expected_answer=("30 days",), source=None)
    assert has_fields(row, [("key", "expected_answer")])
    assert not has_fields(row, [("source",), ("expected_answer", "lost"), ("no_such_field",)])
    assert has_fields(row, [("source",), ()])
    assert not has_fields(row, [])


def test_a_scorer_reads_the_answer_without_thoughts():
    """The row still has the whole text."""
    row = {
        "question": "Why?",
        "answer": "<think>12 crowns</think>30 days",
        "expected_answer": "12 crowns",
    }
    subject = subject_of("ablation", row)
    assert (subject.answer, subject.row["answer"]) == ("30 days", row["answer"])
    contained = registered_scores(registered_scorers("ablation"), subject).values[
        "answer_contained"
    ]
    assert contained is False
