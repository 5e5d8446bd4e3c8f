"""Checking a folder of benchmark files, and the command that does it."""

import json
from importlib.resources import files
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assay.cli.main import app
from assay.errors import DatasetError
from assay.jobs.legal.benchmark import note_lines, validate_benchmark

SAMPLES = Path(str(files("assay.data.samples").joinpath("bench")))
QUESTION = {"id": "q", "question": "?", "should_abstain": True}


def write(path: Path) -> None:
    """Write a benchmark file with one question, and its document."""
    (path.parent / "d.txt").write_text("Nothing is told.", encoding="utf-8")
    raw = {"benchmark_type": "conflict_gap", "document": "d.txt", "questions": [QUESTION]}
    path.write_text(json.dumps(raw), encoding="utf-8")


def test_the_samples_are_in_order() -> None:
    """The samples have 81 questions in 21 files; the schema in the folder is not reported."""
    result = validate_benchmark(SAMPLES)
    assert (result.questions, len(result.files)) == (81, 21)
    assert (result.problems, result.passed_over) == ((), ())


def test_an_id_in_two_files_is_a_problem(tmp_path: Path) -> None:
    """The problem names both files; JSON files of another kind are passed over."""
    for name in ("a.json", "b.json"):
        write(tmp_path / name)
    (tmp_path / "other.json").write_text("{}", encoding="utf-8")
    result = validate_benchmark(tmp_path)
    [problem] = result.problems
    assert (problem.file.name, "a.json:1" in problem.message) == ("b.json", True)
    assert [path.name for path in result.passed_over] == ["other.json"]


def test_a_folder_without_benchmarks_is_refused(tmp_path: Path) -> None:
    """A folder without benchmark files, or one that does not exist, is an error."""
    with pytest.raises(DatasetError, match="no benchmark files"):
        validate_benchmark(tmp_path)
    with pytest.raises(DatasetError, match="no such"):
        validate_benchmark(tmp_path / "gone")


def test_the_command_ends_with_0_or_2(tmp_path: Path) -> None:
    """The exit code is 0 without problems; with problems it is 2, and they are listed."""
    write(tmp_path / "a.json")
    fine = CliRunner().invoke(app, ["bench", "validate", str(tmp_path)])
    assert (fine.exit_code, "no problems" in fine.output) == (0, True)
    (tmp_path / "d.txt").unlink()
    absent = CliRunner().invoke(app, ["bench", "validate", str(tmp_path)])
    assert (absent.exit_code, "a.json:1: $.document:" in absent.output) == (0, True)
    write(tmp_path / "b.json")
    wrong = CliRunner().invoke(app, ["bench", "validate", str(tmp_path)])
    assert (wrong.exit_code, "b.json:1: $.questions[*].id:" in wrong.output) == (2, True)
    (tmp_path / "d.txt").unlink()
    as_json = CliRunner().invoke(app, ["bench", "validate", str(tmp_path), "--json"])
    assert as_json.exit_code == 2
    found = json.loads(as_json.stdout)
    assert found["problems"][0]["path"] == "$.questions[*].id"
    assert {remark["path"] for remark in found["remarks"]} == {"$.document"}


def write_elsewhere(root: Path, document: str = "record.pdf") -> Path:
    """The first users' project: questions in a folder, their document converted in another."""
    (root / "benchmark").mkdir()
    (root / "SampleData").mkdir()
    (root / "SampleData" / "output.md").write_text("Nothing is told.", encoding="utf-8")
    raw = {"benchmark_type": "conflict_gap", "document": document, "questions": [QUESTION],
           "evaluation_criteria": {"passing_threshold": "strict"}}  # fmt: skip
    (root / "benchmark" / "conflict_gap.json").write_text(json.dumps(raw), encoding="utf-8")
    return root / "benchmark"


@pytest.mark.parametrize("document", ["record.pdf", "output.md", ""])
def test_the_converted_document_of_the_project_is_found(tmp_path: Path, document: str) -> None:
    """``SampleData/output.md`` is read, and a remark says so if the questions name another file."""
    result = validate_benchmark(write_elsewhere(tmp_path, document), tmp_path)
    (file,) = result.files
    assert file.document_path == tmp_path / "SampleData" / "output.md"
    said = [remark.message for remark in result.remarks if remark.path == "$.document"]
    assert bool(said) == (document != "output.md")
    assert all("output.md is read for" in each for each in said)


def test_a_document_that_is_not_found_says_where_it_was_looked_for(tmp_path: Path) -> None:
    """The folders that exist, and the option that names it."""
    folder = write_elsewhere(tmp_path)
    (tmp_path / "SampleData" / "output.md").unlink()
    said = "\n".join(remark.message for remark in validate_benchmark(folder, tmp_path).remarks)
    assert "'record.pdf' was not found" in said
    assert str(tmp_path / "SampleData") in said
    assert "--document" in said


def test_a_document_can_be_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``--document`` is that of all files, and must be one that can be read."""
    folder = write_elsewhere(tmp_path)
    other = tmp_path / "other.txt"
    other.write_text("Nothing.", encoding="utf-8")
    (file,) = validate_benchmark(folder, tmp_path, other).files
    assert file.document_path == other
    monkeypatch.chdir(tmp_path)
    for command in (["bench", "validate", "benchmark"], ["bench", "benchmark", "--dry-run"]):
        result = CliRunner().invoke(app, [*command, "--document", "other.txt"])
        assert result.exit_code == 0, result.output
        assert "was not found" not in result.output
        for name, said in (
            ("gone.md", "no such file"),
            ("benchmark/conflict_gap.json", "not a document"),
        ):
            result = CliRunner().invoke(app, [*command, "--document", name])
            assert result.exit_code != 0
            assert said in str(result.exception)


def test_a_note_names_its_subject(tmp_path: Path) -> None:
    """A message about a field says which one."""
    lines = [
        str(line) for line in note_lines(validate_benchmark(write_elsewhere(tmp_path), tmp_path))
    ]
    line = next(line for line in lines if "threshold" in line)
    assert line == (
        "conflict_gap.json: $.evaluation_criteria.passing_threshold: is not understood as a threshold "
        "and sets none"
    )
