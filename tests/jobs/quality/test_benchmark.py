"""Several documents as one benchmark: weights of data sets and questions, and resuming."""

import json
from pathlib import Path
from typing import Any

import pytest

from assay.errors import DatasetError, UseError
from assay.jobs.quality.batch import Batch
from assay.runs.write import find_journals
from tests.jobs.quality.conftest import QUESTIONS, Bench, put_pdf, put_questions


def put_config(bench: Bench, **second: Any) -> Path:
    """Write two data sets: the lease with weight 3, and a note with weight 1 and one question."""
    put_pdf(bench.folder / "docs" / "note.pdf", "The tenant pays.")
    put_questions(bench.folder / "docs" / "note.jsonl", [{**QUESTIONS[2], "weight": 5.0}])
    config = {
        "name": "v1",
        "datasets": [
            {
                "id": "lease",
                "kind": "contract",
                "pdf": "lease.pdf",
                "questions": "questions.jsonl",
                "weight": 3,
            },
            {"id": "note", "pdf": "note.pdf", "questions": "note.jsonl", **second},
        ],
    }
    path = bench.folder / "docs" / "config.v1.json"
    path.write_text(json.dumps(config))
    return path


def open_config(bench: Bench, path: Path, **options: Any) -> Batch:
    """The batch of a configuration."""
    return bench.batch(pdf=None, questions=None, config=path, **options)


def test_scores_over_data_sets_and_over_questions(bench: Bench):
    """The lease has 3.8/5 and weight 3, the note 0.0 and weight 1; their questions weigh 5 each."""
    bench.run(open_config(bench, put_config(bench)))
    content = bench.results()
    summary = content["summary"]
    assert summary["weighted_score"] == pytest.approx((3 * 0.76 + 0.0) / 4)
    assert summary["question_weighted_score"] == pytest.approx((5 * 0.76 + 5 * 0.0) / 10)
    assert summary["state"] == "complete"
    assert summary["counts"]["scored"] == 4
    assert summary["datasets"]["lease"] == {
        "kind": "contract",
        "weight": 3.0,
        "state": "complete",
        "weighted_score": pytest.approx(0.76),
        "questions": 3,
    }
    assert [entry["id"] for entry in content["datasets"]["note"]["results"]] == ["q3"]
    assert content["datasets"]["lease"]["summary"]["weighted_score"] == pytest.approx(0.76)


def test_files_lie_below_the_workspace_or_beside_the_configuration(bench: Bench):
    """Paths are found relative to the configuration (note) or to the workspace (lease)."""
    bench.run(open_config(bench, put_config(bench)))
    journals = [path.name for path in find_journals(bench.out.parent)]
    assert journals == ["base.lease.rows.jsonl", "base.note.rows.jsonl"]


def test_it_resumes(bench: Bench):
    """Only the failed question of one data set is asked again."""
    path = put_config(bench)
    bench.script["q2"] = RuntimeError("down")
    bench.run(open_config(bench, path))
    summary = bench.results()["summary"]
    assert summary["state"] == "partial"
    assert summary["counts"]["failed"] == 1
    bench.script["q2"] = "900 (p. 1)"
    bench.asked.clear()
    bench.run(open_config(bench, path))
    assert bench.asked == ["q2"]
    assert bench.results()["summary"]["state"] == "complete"


def test_a_data_set_that_was_not_run_makes_it_partial(bench: Bench):
    """The score of such a data set is undefined, not zero, and left out of both means."""
    batch = open_config(bench, put_config(bench))
    bench.run(_Only(batch, "lease"))  # type: ignore[arg-type]
    summary = bench.results()["summary"]
    assert summary["state"] == "partial"
    assert summary["weighted_score"] == pytest.approx(0.76)
    assert summary["datasets"]["note"]["state"] == "not run"
    assert summary["datasets"]["note"]["weighted_score"] is None


class _Only:
    """A batch that runs only one of its data sets, as if the command were stopped after it."""

    def __init__(self, batch: Batch, dataset: str) -> None:
        self.datasets = (dataset,)
        self.prepare = batch.prepare


def test_repeated_runs_of_a_benchmark(bench: Bench):
    """The summary has a score over the data sets for every run, and the spread of the scores."""
    bench.run(open_config(bench, put_config(bench), runs=2))
    runs = bench.results()["summary"]["runs"]
    assert runs["weighted_scores"] == pytest.approx([0.57, 0.57])
    assert runs["standard_deviation"] == 0.0


def test_hashes_do_not_depend_on_the_order(bench: Bench):
    """The same documents in another order give the same hashes."""
    path = put_config(bench)
    bench.run(open_config(bench, path))
    first = bench.results()["summary"]
    config = json.loads(path.read_text())
    config["datasets"].reverse()
    path.write_text(json.dumps(config))
    bench.run(open_config(bench, path))
    second = bench.results()["summary"]
    assert first["pdf_sha256"] == second["pdf_sha256"]
    assert first["questions_sha256"] == second["questions_sha256"]


def test_every_bad_file_is_told_before_anything_runs(bench: Bench):
    """A missing PDF and a bad question file are reported together, each with file and line."""
    path = put_config(bench, pdf="gone.pdf")
    put_questions(bench.questions, [{"id": "a"}])
    with pytest.raises(DatasetError) as caught:
        open_config(bench, path)
    lines = str(caught.value).split("\n")
    assert lines[0].endswith("questions.jsonl:1: `question` is missing")
    assert "config.v1.json:1: pdf: there is no" in lines[1]
    assert bench.asked == []


def test_paths_stay_in_the_workspace(bench: Bench, tmp_path_factory: pytest.TempPathFactory):
    """A configured path outside the workspace is refused."""
    outside = put_pdf(tmp_path_factory.mktemp("elsewhere") / "x.pdf", "Text.")
    with pytest.raises(UseError, match="lies outside"):
        open_config(bench, put_config(bench, pdf=str(outside)))
