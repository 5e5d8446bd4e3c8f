"""Checking a folder of benchmark files, and the command that does it."""

import json
from importlib.resources import files
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assay.cli.main import app
from assay.errors import DatasetError
from assay.jobs.legal.validate import validate_benchmark

SAMPLES = Path(str(files("assay.data.samples").joinpath("bench")))
QUESTION = {"id": "q", "question": "?", "should_abstain": True}


def write(path: Path) -> None:
    """A file of one gap with its document."""
    (path.parent / "d.txt").write_text("Nothing is told.", encoding="utf-8")
    raw = {"benchmark_type": "conflict_gap", "document": "d.txt", "questions": [QUESTION]}
    path.write_text(json.dumps(raw), encoding="utf-8")


def test_the_samples_are_in_order() -> None:
    """81 questions in 21 files; the schema among them is passed over without a word."""
    done = validate_benchmark(SAMPLES)
    assert (done.questions, len(done.files), done.problems, done.passed_over) == (81, 21, (), ())


def test_an_id_in_two_files_is_a_problem(tmp_path: Path) -> None:
    """The second file is named, with the place of the first; other JSON is passed over."""
    for name in ("a.json", "b.json"):
        write(tmp_path / name)
    (tmp_path / "other.json").write_text("{}", encoding="utf-8")
    done = validate_benchmark(tmp_path)
    [problem] = done.problems
    assert (problem.file.name, "a.json:1" in problem.message) == ("b.json", True)
    assert [one.name for one in done.passed_over] == ["other.json"]


def test_a_folder_without_benchmarks_is_refused(tmp_path: Path) -> None:
    """Nothing to check is an error, not a success."""
    with pytest.raises(DatasetError, match="no benchmark files"):
        validate_benchmark(tmp_path)
    with pytest.raises(DatasetError, match="no such"):
        validate_benchmark(tmp_path / "gone")


def test_the_command_ends_with_0_or_2(tmp_path: Path) -> None:
    """0 where nothing is wrong; 2, with a line a problem or as JSON, where something is."""
    write(tmp_path / "a.json")
    fine = CliRunner().invoke(app, ["bench", "validate", str(tmp_path)])
    assert (fine.exit_code, "no problems" in fine.output) == (0, True)
    (tmp_path / "d.txt").unlink()
    wrong = CliRunner().invoke(app, ["bench", "validate", str(tmp_path)])
    assert (wrong.exit_code, "a.json:1: $.document:" in wrong.output) == (2, True)
    told = CliRunner().invoke(app, ["bench", "validate", str(tmp_path), "--json"])
    assert told.exit_code == 2
    assert json.loads(told.stdout)["problems"][0]["path"] == "$.document"
