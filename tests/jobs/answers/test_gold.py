"""Gold chunks that are not in the corpus: such questions are refused, or left out and counted."""

import json
from pathlib import Path
from typing import Any

import pytest

from assay.errors import UseError
from assay.jobs.corpus.new_workspace import create_workspace
from assay.runs.summary import read_summary
from assay.runs.write import summary_path
from tests.support.harbour import prepare_experiment, run_silently, write_harbour
from tests.support.program import Program, program


@pytest.fixture(name="root")
def _root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace with samples; the second of the questions names a chunk that does not exist."""
    create_workspace(tmp_path)
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "questions/questions.jsonl"
    first, second, *others = path.read_text(encoding="utf-8").splitlines()
    edited = {**json.loads(second), "gold_chunk_ids": ["gone-1", "gone-2"]}
    edited.pop("bundle", None)
    path.write_text("\n".join([first, json.dumps(edited), *others]) + "\n", encoding="utf-8")
    return tmp_path


@pytest.fixture(name="assay")
def _assay(capsys: pytest.CaptureFixture[str]) -> Program:
    return program(capsys)


def prepare(root: Path, **options: Any) -> Any:
    """The experiment ``hyde`` with the reference pipeline."""
    return prepare_experiment(root, "hyde", **options)


@pytest.mark.parametrize("words", [(), ("--dry-run",)])
def test_missing_gold_is_refused_before_the_first_call(
    root: Path, assay: Program, words: tuple[str, ...]
):
    """The message counts the chunks, names some of them and says what to do; nothing is written."""
    ran = assay("ablate", "-e", "hyde", "--limit", "4", *words)
    assert ran.code == 2
    assert "2 of " in ran.err
    assert "gold chunks are not in the corpus (gone-1, gone-2)" in ran.err
    assert "--allow-missing-gold leaves out 1 question that needs them" in ran.err
    assert not (root / "experiments/hyde.jsonl").exists()


def test_missing_gold_of_any_experiment_is_refused_before_the_first_runs(
    root: Path, assay: Program
):
    """With several experiments nothing is asked if the questions of one are refused."""
    ran = assay("ablate", "-e", "hyde", "-e", "drift_filter", "--limit", "4")
    assert ran.code == 2
    assert not list((root / "experiments").glob("*.jsonl"))


def test_the_doctor_reports_missing_gold(root: Path, assay: Program):
    """``assay doctor`` finds it without running anything."""
    ran = assay("doctor")
    assert ran.code == 1
    assert "gold chunks are not in chunks/manifest.json (gone-1, gone-2)" in ran.out + ran.err


def test_questions_with_missing_gold_can_be_left_out(root: Path, assay: Program):
    """They are not asked, and the description, the header and the report say how many."""
    ran = assay("ablate", "-e", "hyde", "--limit", "4", "--allow-missing-gold")
    assert ran.code == 0, ran.err
    assert "left out    1 question whose gold chunks are not all in the corpus" in ran.out
    journal = root / "experiments/hyde.jsonl"
    summary = read_summary(summary_path(journal))
    assert summary is not None
    assert (summary.total, summary.extra["questions"]) == (6, 3)
    assert summary.extra["questions_left_out"] == 1
    page = journal.with_suffix(".md").read_text(encoding="utf-8")
    assert "1 question whose gold chunks are not all in the corpus was left out" in page


def test_no_question_left_is_refused(root: Path):
    """Leaving out every question would run nothing."""
    path = root / "questions/questions.jsonl"
    question = {"id": "q", "question": "Where?", "gold_chunk_ids": ["gone-1"]}
    path.write_text(json.dumps(question) + "\n", encoding="utf-8")
    with pytest.raises(UseError, match="no question has all its gold chunks in the corpus"):
        prepare(root, allow_missing_gold=True)


def test_questions_beyond_the_limit_are_not_checked(root: Path):
    """Only the questions of the run must have their gold in the corpus."""
    assert prepare(root, limit=1).plan.total == 2


def test_a_system_that_does_not_name_its_chunks_is_not_checked(tmp_path: Path):
    """Nothing is known about the corpus of a user's own system."""
    write_harbour(tmp_path)
    assert run_silently(prepare_experiment(tmp_path, limit=2)).tally.scored == 4


def test_the_option_without_effect_is_named(tmp_path: Path):
    """A system that does not name its chunks cannot be checked, and the option then does nothing."""
    write_harbour(tmp_path)
    note = "--allow-missing-gold has no effect: the system does not say which chunks it has"
    run = prepare_experiment(tmp_path, limit=2, allow_missing_gold=True)
    assert note in [*map(str, run.notes())]
    assert note not in prepare_experiment(tmp_path, limit=2).notes()


@pytest.mark.parametrize(
    "place", [{"text": "no document has these words"}, {"start": 5_000_000, "end": 5_000_040}]
)
def test_a_span_that_is_not_in_its_document_is_missing_gold(
    root: Path, assay: Program, place: dict[str, Any]
):
    """Words or offsets that the document does not have are no miss of the retrieval."""
    path = root / "questions/questions.jsonl"
    first, second, *others = path.read_text(encoding="utf-8").splitlines()
    manifest = json.loads((root / "chunks/manifest.json").read_text(encoding="utf-8"))
    source = manifest["sources"][0]["source"]
    edited = {**json.loads(second), "gold": [{"source": source, **place}]}
    edited.pop("gold_chunk_ids", None)
    path.write_text("\n".join([first, json.dumps(edited), *others]) + "\n", encoding="utf-8")
    ran = assay("ablate", "-e", "hyde", "--limit", "4", "--dry-run")
    assert ran.code == 2
    assert f"gold chunks are not in the corpus (a span of {source})" in ran.err
    allowed = assay("ablate", "-e", "hyde", "--limit", "4", "--dry-run", "--allow-missing-gold")
    assert allowed.code == 0
