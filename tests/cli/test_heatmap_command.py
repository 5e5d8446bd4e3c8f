"""``assay heatmap``: what it writes, prints and refuses."""

import json
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from assay.cli.main import app
from assay.errors import AssayError
from tests.support.depth_results import published_row, published_rows, small, write_results


def run(*words: str | Path) -> Result:
    """Run the command."""
    return CliRunner().invoke(app, ["heatmap", *map(str, words)])


def test_a_page_is_written_beside_the_results(tmp_path: Path):
    """Without --output; the line on standard output has both means and all counts."""
    path = write_results(tmp_path / "r.jsonl", published_rows())
    ran = run(path)
    assert ran.exit_code == 0
    assert (tmp_path / "r-heatmap.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert ran.stdout == (
        "lamp/reader-1: answers 369, unparsed 1, failed 0, skipped 0, mean of cells (all) 93.48%, "
        "mean of questions (all) 93.71% [91; 95.8]\n"
    )


def test_json_prints_the_cells_and_writes_nothing(tmp_path: Path):
    """For programs: standard output is one JSON object, and no file appears."""
    path = write_results(tmp_path / "r.jsonl", published_rows())
    ran = run(path, "--json", "--parsed-only")
    made = json.loads(ran.stdout)
    assert (len(made["cells"]), made["view"], made["averages"]["overall"]["n"]) == (
        35,
        "parsed",
        368,
    )
    assert [found.name for found in tmp_path.iterdir()] == ["r.jsonl"]


@pytest.mark.parametrize("mode", ["coverage", "accuracy"])
def test_the_maps_along_the_novel(tmp_path: Path, mode: str):
    """Each has its page beside the results, and its numbers."""
    path = write_results(tmp_path / "r.jsonl", published_rows())
    assert run(path, "--mode", mode).exit_code == 0
    assert (tmp_path / f"r-{mode}.html").exists()
    made = json.loads(run(path, "--mode", mode, "--json", "--bins", "7").stdout)
    assert (made["mode"], len(made["stretches"])) == (mode, 7)


def test_doubled_rows_are_said(tmp_path: Path):
    """The last row wins, and standard error says how many there were."""
    row = published_row(1, 1000, "0%", 0.0)
    path = small(tmp_path / "r.jsonl", [row, {**row, "score": 1.0}])
    ran = run(path, "--json")
    assert json.loads(ran.stdout)["cells"][0]["accuracy"] == 1.0
    assert "1 rows are replaced by a later row of the same case" in ran.stderr


def test_known_questions_are_left_out(tmp_path: Path):
    """--exclude-known shows recall without what the model knew before."""
    rows = [
        published_row(1, 1000, "0%", 1.0, closed_book_correct=True),
        published_row(2, 1000, "0%", 0.0, closed_book_correct=False),
    ]
    path = small(tmp_path / "r.jsonl", rows)
    made = json.loads(run(path, "--json", "--exclude-known").stdout)
    assert (made["cells"][0]["accuracy"], made["excluded"]) == (0.0, 1)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--mode", "dept"], "--mode dept: not one of depth, coverage, accuracy"),
        (["--lang", "de"], "--lang de"),
        (["--mean", "x"], "--mean x"),
        (["--palette", "x"], "--palette x"),
        (["--output", "x.gif"], ".html, .png, .svg or .pdf"),
    ],
)
def test_wrong_use_is_one_line(tmp_path: Path, words: list[str], said: str):
    """It says what is wrong and what there is; the exit code is 2."""
    path = small(tmp_path / "r.jsonl", [published_row(1, 1000, "0%", 1.0)])
    error = run(path, *words).exception
    assert isinstance(error, AssayError)
    assert error.exit_code == 2
    assert said in str(error)


def test_a_file_that_is_not_there_is_said(tmp_path: Path):
    """Neither a file nor a past run of that name."""
    error = run("nothing", "--root", tmp_path).exception
    assert isinstance(error, AssayError)
    assert "no such file" in str(error)


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path):
    """The line says how to name another."""
    path = small(tmp_path / "r.jsonl", [published_row(1, 1000, "0%", 1.0)])
    (tmp_path / "taken").write_text("")
    error = run(path, "--output", tmp_path / "taken" / "x.html").exception
    assert isinstance(error, AssayError)
    assert "name another with --output" in str(error)
