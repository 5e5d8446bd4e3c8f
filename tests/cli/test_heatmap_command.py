"""``assay heatmap``: its files, its output and its errors."""

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
    """Without ``--output`` the page is next to the results; stdout has means and counts."""
    path = write_results(tmp_path / "r.jsonl", published_rows())
    ran = run(path)
    assert ran.exit_code == 0
    assert (tmp_path / "r-heatmap.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert ran.stdout == (
        "lamp/reader-1: answers 369, unparsed 1, failed 0, skipped 0, mean of cells (all) 93.48%, "
        "mean of questions (all) 93.71% [90.9; 95.9]\n"
    )


def test_json_prints_the_cells_and_writes_nothing(tmp_path: Path):
    """``--json`` prints one JSON object and creates no file."""
    path = write_results(tmp_path / "r.jsonl", published_rows())
    ran = run(path, "--json", "--parsed-only")
    cells = json.loads(ran.stdout)
    assert (len(cells["cells"]), cells["view"], cells["averages"]["overall"]["n"]) == (
        35,
        "parsed",
        368,
    )
    assert [path.name for path in tmp_path.iterdir()] == ["r.jsonl"]


@pytest.mark.parametrize("mode", ["coverage", "accuracy"])
def test_the_maps_along_the_novel(tmp_path: Path, mode: str):
    """Both modes write a page next to the results and print their numbers as JSON."""
    path = write_results(tmp_path / "r.jsonl", published_rows())
    assert run(path, "--mode", mode).exit_code == 0
    assert (tmp_path / f"r-{mode}.html").exists()
    cells = json.loads(run(path, "--mode", mode, "--json", "--bins", "7").stdout)
    assert (cells["mode"], len(cells["stretches"])) == (mode, 7)


def test_repeated_rows_are_reported(tmp_path: Path):
    """The last row of a case counts, and stderr has the number of replaced rows."""
    row = published_row(1, 1000, "0%", 0.0)
    path = small(tmp_path / "r.jsonl", [row, {**row, "score": 1.0}])
    ran = run(path, "--json")
    assert json.loads(ran.stdout)["cells"][0]["accuracy"] == 1.0
    assert "1 row is replaced by a later row of the same case" in ran.stderr


def test_known_questions_are_left_out(tmp_path: Path):
    """``--exclude-known`` excludes questions that the model answered without the novel."""
    rows = [
        published_row(1, 1000, "0%", 1.0, closed_book_correct=True),
        published_row(2, 1000, "0%", 0.0, closed_book_correct=False),
    ]
    path = small(tmp_path / "r.jsonl", rows)
    cells = json.loads(run(path, "--json", "--exclude-known").stdout)
    assert (cells["cells"][0]["accuracy"], cells["excluded"]) == (0.0, 1)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--mode", "dept"], "--mode dept: not one of depth, coverage, accuracy"),
        (["--lang", "de"], "--lang de"),
        (["--mean", "x"], "--mean x"),
        (["--palette", "x"], "--palette x"),
        (["--output", "x.gif"], ".html, .png, .svg or .pdf"),
    ],
)
def test_wrong_use_is_one_line(tmp_path: Path, words: list[str], message: str):
    """Wrong use gives a message with the valid values and exit code 2."""
    path = small(tmp_path / "r.jsonl", [published_row(1, 1000, "0%", 1.0)])
    error = run(path, *words).exception
    assert isinstance(error, AssayError)
    assert error.exit_code == 2
    assert message in str(error)


def test_a_missing_file_is_reported(tmp_path: Path):
    """A name that is neither a file nor a past run is an error."""
    error = run("nothing", "--root", tmp_path).exception
    assert isinstance(error, AssayError)
    assert "no such file" in str(error)


def test_an_output_that_cannot_be_written_is_reported(tmp_path: Path):
    """If the output cannot be written, the message names ``--output``."""
    path = small(tmp_path / "r.jsonl", [published_row(1, 1000, "0%", 1.0)])
    (tmp_path / "taken").write_text("")
    error = run(path, "--output", tmp_path / "taken" / "x.html").exception
    assert isinstance(error, AssayError)
    assert "choose another file with --output" in str(error)
