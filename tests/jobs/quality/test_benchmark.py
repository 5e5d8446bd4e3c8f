"""Several documents as one benchmark: weights of data sets, weights of questions, resuming."""

import json
from pathlib import Path
from typing import Any

import pytest

from assay.errors import DatasetError, UseError
from assay.jobs.quality.batch import Batch
from tests.jobs.quality.conftest import QUESTIONS, Bench, put_pdf, put_questions


def put_config(bench: Bench, **second: Any) -> Path:
    """Two data sets: the lease with weight 3, a note with weight 1 and one question."""
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


def open_config(bench: Bench, path: Path, **given: Any) -> Batch:
    """The batch of a configuration."""
    return bench.batch(pdf=None, questions=None, config=path, **given)


def test_scores_over_data_sets_and_over_questions(bench: Bench):
    """Lease 3.8/5 with weight 3, note 0.0 with weight 1; questions weigh 5 and 5."""
    bench.run(open_config(bench, put_config(bench)))
    found = bench.results()
    summary = found["summary"]
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
    assert [one["id"] for one in found["datasets"]["note"]["results"]] == ["q3"]
    assert found["datasets"]["lease"]["summary"]["weighted_score"] == pytest.approx(0.76)


def test_files_lie_below_the_workspace_or_beside_the_configuration(bench: Bench):
    """The note's paths are relative to the configuration, the lease's to the workspace."""
    bench.run(open_config(bench, put_config(bench)))
    journals = sorted(path.name for path in bench.out.parent.glob("*.jsonl"))
    assert journals == ["base.lease.rows.jsonl", "base.note.rows.jsonl"]


def test_it_resumes(bench: Bench):
    """A failed question of one data set is asked again, and nothing else."""
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
    """Its score is unknown, not zero, and left out of both scores."""
    batch = open_config(bench, put_config(bench))
    bench.run(_Only(batch, "lease"))  # type: ignore[arg-type]
    summary = bench.results()["summary"]
    assert summary["state"] == "partial"
    assert summary["weighted_score"] == pytest.approx(0.76)
    assert summary["datasets"]["note"]["state"] == "not run"
    assert summary["datasets"]["note"]["weighted_score"] is None


class _Only:
    """A batch of which only one data set is run, as when a run is stopped."""

    def __init__(self, batch: Batch, dataset: str) -> None:
        self.datasets = (dataset,)
        self.prepare = batch.prepare


def test_repeated_runs_of_a_benchmark(bench: Bench):
    """Every run has a score over the data sets; their spread is told."""
    bench.run(open_config(bench, put_config(bench), runs=2))
    runs = bench.results()["summary"]["runs"]
    assert runs["weighted_scores"] == pytest.approx([0.57, 0.57])
    assert runs["standard_deviation"] == 0.0


def test_hashes_do_not_depend_on_the_order(bench: Bench):
    """The same documents in another order are the same benchmark."""
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
    """A missing PDF and a bad question file, both with where they are named or stand."""
    path = put_config(bench, pdf="gone.pdf")
    put_questions(bench.questions, [{"id": "a"}])
    with pytest.raises(DatasetError) as caught:
        open_config(bench, path)
    told = str(caught.value).split("\n")
    assert told[0].endswith("questions.jsonl:1: `question` is missing")
    assert "config.v1.json:1: pdf: there is no" in told[1]
    assert bench.asked == []


def test_paths_stay_in_the_workspace(bench: Bench, tmp_path_factory: pytest.TempPathFactory):
    """A configured path that leads out is refused."""
    outside = put_pdf(tmp_path_factory.mktemp("elsewhere") / "x.pdf", "Text.")
    with pytest.raises(UseError, match="lies outside"):
        open_config(bench, put_config(bench, pdf=str(outside)))
