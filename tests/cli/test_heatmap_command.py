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
    """Without ``--out`` the page is next to the results; stdout has means and counts."""
    path = write_results(tmp_path / "r.jsonl", published_rows())
    ran = run(path)
    assert ran.exit_code == 0
    assert (tmp_path / "r-heatmap.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert ran.stdout == (
        "lamp/reader-1: answers 369, unparsed 1, failed 0, skipped 0, mean of cells (all) 93.48%, "
        "mean of questions (all) 93.71% [90.8; 95.9]\n"
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


def test_without_the_built_page_the_map_is_a_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """It has no script, but the facts of each tile as hover texts and as a table."""
    monkeypatch.setattr("assay.web.embedded.is_built", lambda: False)
    path = write_results(tmp_path / "r.jsonl", published_rows())
    assert run(path).exit_code == 0
    page = (tmp_path / "r-heatmap.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert "<title>accuracy: 100.00%" in page


def test_a_picture_is_labelled_in_a_language_that_can_be_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Without a Chinese font all labels are English; what is printed stays Chinese."""
    monkeypatch.setattr("assay.web.embedded.is_built", lambda: False)
    monkeypatch.setattr("assay.report.chart.font.can_draw", lambda lang: lang != "zh")
    path = write_results(tmp_path / "r.jsonl", published_rows())
    ran = run(path, "--lang", "zh")
    assert (ran.exit_code, "回答" in ran.stdout) == (0, True)
    page = (tmp_path / "r-heatmap.html").read_text(encoding="utf-8")
    assert "<title>accuracy: 100.00%" in page
    assert not any("\u4e00" <= character <= "\u9fff" for character in page)


@pytest.mark.parametrize("mode", ["coverage", "accuracy"])
def test_the_maps_along_the_novel(tmp_path: Path, mode: str):
    """Both modes write a page next to the results and print their numbers as JSON."""
    path = write_results(tmp_path / "r.jsonl", published_rows())
    assert run(path, "--mode", mode).exit_code == 0
    assert (tmp_path / f"r-{mode}.html").exists()
    cells = json.loads(run(path, "--mode", mode, "--json", "--bins", "7").stdout)
    assert (cells["mode"], len(cells["stretches"])) == (mode, 7)


def test_a_pattern_that_also_names_the_plan_is_fine(tmp_path: Path):
    """``experiments/*.jsonl`` of a shell names the plan beside the rows; it is no file of results."""
    path = small(tmp_path / "r.jsonl", [published_row(1, 1000, "0%", 1.0)])
    plan = tmp_path / "s.plan.jsonl"
    plan.write_text('{"total": 1}\n["q", "d"]\n')
    ran = run(path, plan, "--json")
    assert ran.exit_code == 0, ran.output
    assert json.loads(ran.stdout)["cells"][0]["n"] == 1


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
        (["--out", "x.gif"], ".html, .png, .svg or .pdf"),
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


def test_a_missing_picture_is_where_the_map_should_go(tmp_path: Path):
    """A second name that is a missing page or picture is meant as the output: ``--out`` is named."""
    path = small(tmp_path / "r.jsonl", [published_row(1, 1000, "0%", 1.0)])
    target = tmp_path / "my.html"
    error = run(path, target).exception
    assert isinstance(error, AssayError)
    assert str(error) == f"{target}: no such file; --out {target} writes the map there"


def test_an_output_that_cannot_be_written_is_reported(tmp_path: Path):
    """If the output cannot be written, the message names ``--out``."""
    path = small(tmp_path / "r.jsonl", [published_row(1, 1000, "0%", 1.0)])
    (tmp_path / "taken").write_text("")
    error = run(path, "--out", tmp_path / "taken" / "x.html").exception
    assert isinstance(error, AssayError)
    assert "choose another file with --out" in str(error)


def older_rows(statuses: list[str]) -> list[dict[str, object]]:
    """Rows of the older published form: a position, but no depth and no context length."""
    rows = []
    for number, status in enumerate(statuses):
        row = published_row(number, 0, "0%", 1.0, parsing_status=status)
        for name in ("depth", "depth_bin", "test_context_length"):
            del row[name]
        rows.append(row)
    return rows


def test_the_older_form_is_read_along_the_novel_and_refused_by_depth(tmp_path: Path):
    """A file with positions only has coverage and accuracy; mode depth says there are no depths."""
    rows = older_rows(["success", "regex_extracted", "parsing_error", "timeout"])
    rows[2] |= {"score": 0.0, "model_answer": []}
    rows[3] |= {"score": 0.0, "model_answer": []}
    path = small(tmp_path / "old.jsonl", rows, context_lengths=None, context_length=8000)
    accuracy = json.loads(run(path, "--mode", "accuracy", "--bins", "1", "--json").stdout)
    assert (accuracy["answers"], accuracy["unparsed"], accuracy["failed"]) == (3, 1, 1)
    assert accuracy["stretches"][0]["accuracy"] == pytest.approx(2 / 3)
    assert accuracy["unplaced"] == 0
    coverage = json.loads(run(path, "--mode", "coverage", "--bins", "2", "--json").stdout)
    assert [part["questions"] for part in coverage["stretches"]] == [2, 1]
    assert "answers 3, unparsed 1, failed 1" in run(path, "--mode", "accuracy").stdout
    refused = run(path, "--mode", "depth")
    assert refused.exit_code != 0
    assert "holds no depths" in str(refused.exception)


@pytest.mark.parametrize(
    ("mode", "panels"),
    [("combined", ["coverage", "accuracy"]), ("combined_depth", ["depth", "coverage", "accuracy"])],
)
def test_combined_modes_put_the_maps_on_one_page(tmp_path: Path, mode: str, panels: list[str]):
    """A combined page is written as HTML only, and has the data of each map."""
    path = write_results(tmp_path / "r.jsonl", published_rows())
    assert run("--results", path, "--mode", mode, "--bins", "4").exit_code == 0
    assert (tmp_path / f"r-{mode}.html").exists()
    numbers = json.loads(run("--results", path, "--mode", mode, "--json").stdout)
    assert list(numbers) == panels
    refused = run(path, "--mode", mode, "--out", tmp_path / "map.png")
    assert "write it as .html" in str(refused.exception)


def test_coverage_is_drawn_from_the_question_file_alone(tmp_path: Path):
    """``--questions`` needs no results; the length of the novel is that of the metadata."""
    questions = tmp_path / "q.jsonl"
    lines = [
        {"metadata": {"novel_path": "data/novel.txt", "total_tokens": 4000}},
        *(
            {"question": f"{at}?", "answer": "x", "position": {"start_pos": at, "end_pos": at + 9}}
            for at in (5, 900, 3100)
        ),
    ]
    questions.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    words = ("--mode", "coverage", "--questions", questions, "--bins", "4", "--json")
    data = json.loads(run(*words).stdout)
    assert (data["model"], data["novel_tokens"]) == ("q", 4000)
    assert [part["questions"] for part in data["stretches"]] == [2, 0, 0, 1]
    wider = json.loads(run(*words, "--total-tokens", "8000").stdout)
    assert [part["questions"] for part in wider["stretches"]] == [2, 1, 0, 0]
    assert run("--mode", "coverage", "--questions", questions).exit_code == 0
    assert (tmp_path / "q-coverage.html").exists()
    short = run(*words, "--total-tokens", "100")
    assert "has evidence up to token 3109" in str(short.exception)
    assert "needs RESULTS or --questions FILE" in str(run("--mode", "coverage").exception)
    assert "needs RESULTS" in str(run("--mode", "depth").exception)


def test_a_key_in_a_published_header_is_neither_shown_nor_copied(tmp_path: Path):
    """The API key of a results header is in no page and no JSON."""
    key = "sk-or-v1-0123456789abcdef"
    path = small(
        tmp_path / "r.jsonl",
        [published_row(1, 1000, "0%", 1.0)],
        config={"api_key": key, "model_name": "m", "headers": {"Authorization": f"Bearer {key}"}},
    )
    for mode in ("depth", "combined_depth"):
        ran = run(path, "--mode", mode, "--out", tmp_path / "map.html")
        assert ran.exit_code == 0
        assert key not in (tmp_path / "map.html").read_text(encoding="utf-8") + ran.output
        assert key not in run(path, "--mode", mode, "--json").output


def test_fields_that_are_not_known_are_named_once(tmp_path: Path):
    """A published file may have further fields; one line on stderr names them."""
    row = published_row(1, 1000, "0%", 1.0, latency_ms=12, raw_response="b")
    ran = run(small(tmp_path / "r.jsonl", [row, row]))
    assert ran.exit_code == 0
    assert ran.stderr.count("ignored 2 fields: latency_ms, raw_response") == 1
