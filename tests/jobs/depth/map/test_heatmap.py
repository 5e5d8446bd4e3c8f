"""The tiles, hover texts and notes of a heatmap."""

import json
from pathlib import Path

import pytest

from assay.jobs.depth.map.heatmap import depth_heatmap
from assay.jobs.depth.map.novel import novel_heatmap
from assay.jobs.depth.map.results import read_cells
from assay.jobs.depth.map.tile import Margin, Tile
from assay.words.language import Lang
from tests.support.depth_results import (
    published_row,
    published_rows,
    small,
    write_results,
)


@pytest.fixture(name="published")
def _published(tmp_path: Path) -> Path:
    return write_results(tmp_path / "r.jsonl", published_rows())


def facts(tile: Tile) -> dict[str, str]:
    """The facts of a tile's tooltip, by name."""
    return dict(tile.tip)


def test_a_tile_says_all_that_hovering_must_show(published: Path):
    """The tooltip has accuracy, interval, number of questions, length, depth and unparsed."""
    heatmap = depth_heatmap(read_cells([published]))
    tile = heatmap.panels[0].tiles[1][4]
    assert facts(tile) == {
        "accuracy": "89.09%",
        "95% interval": facts(tile)["95% interval"],
        "questions": "11",
        "unparsed": "1",
        "context": "8,000 tokens",
        "depth": "100%",
    }
    assert tile.text == "89.1"
    assert heatmap.rows == ("4K", "8K", "16K", "32K", "64K", "128K", "163.8K")


def test_means_are_named_for_what_they_are_the_mean_of(published: Path):
    """The mean of cells and the mean of questions differ, and each tooltip names its kind."""
    models = read_cells([published])
    margins = [depth_heatmap(models, mean=mean).panels[0].margin for mean in ("cells", "questions")]
    cells, questions = (facts(each.corner) for each in margins if isinstance(each, Margin))
    assert cells["mean of cells"] == "93.48%"
    assert questions["mean of questions"] == "93.71%"
    assert "95% interval" in questions


@pytest.mark.parametrize(
    ("lang", "message"), [("en", "no data 无数据"), ("zh", "无数据"), ("ru", "нет данных 无数据")]
)
def test_a_cell_without_answers_says_no_data(tmp_path: Path, lang: Lang, message: str):
    """A cell without answers says so in each language and counts the failures."""
    row = published_row(1, 1000, "100%", 1.0, key="k", status="failed", error="x")
    path = small(tmp_path / "r.jsonl", [published_row(1, 1000, "0%", 1.0), row])
    tile = depth_heatmap(read_cells([path]), lang=lang).panels[0].tiles[0][1]
    assert (tile.value, tile.text) == (None, message)
    assert "1" in {value for name, value in tile.tip if name in {"failed", "失败", "сбой"}}


def test_the_title_names_model_and_data_set(published: Path):
    """The title names model and data set, unless the user gives another title."""
    models = read_cells([published])
    assert depth_heatmap(models).title == "Recall by depth · lamp/reader-1 · data set: lamps"
    assert depth_heatmap(models, title="Mine").title == "Mine"


def test_several_models_share_a_grid_and_are_compared_with_the_first(
    tmp_path: Path, published: Path
):
    """A length that one model lacks is empty; significant differences are marked."""
    weak = [published_row(n, 4000, "0%", 0.0) for n in range(11)] + [
        published_row(900 + n, 999_000, "0%", 1.0) for n in range(3)
    ]
    other = write_results(tmp_path / "weak.jsonl", weak, model="lamp/weak")
    heatmap = depth_heatmap(read_cells([published, other]))
    assert [panel.scale for panel in heatmap.panels] == ["recall", "recall", "difference"]
    assert heatmap.rows[-1] == "999K"
    assert heatmap.panels[0].tiles[-1][0].value is None
    tile = heatmap.panels[2].tiles[0][0]
    assert (tile.value, tile.marked, tile.text) == (-1.0, True, "−100*")
    assert facts(tile)["verdict"] == "significant"


def test_models_that_share_nothing_are_not_compared(tmp_path: Path):
    """Models without common questions get no difference map, and a note says why."""
    paths = [
        small(tmp_path / f"{n}.jsonl", [published_row(n, 1000, "0%", 1.0)], model=f"m{n}")
        for n in (1, 2)
    ]
    heatmap = depth_heatmap(read_cells(paths))
    assert len(heatmap.panels) == 2
    assert heatmap.notes == (
        "m2 and m1 share no question in any cell: there is nothing to compare.",
    )


def test_notes_say_what_was_replaced_and_left_out(tmp_path: Path):
    """Notes mention replaced rows, excluded known questions, and files without that information."""
    row = published_row(1, 1000, "0%", 1.0)
    doubled = small(tmp_path / "a.jsonl", [row, row], model="a")
    known = small(tmp_path / "b.jsonl", [{**row, "closed_book_correct": True}], model="b")
    models = [results.without_known() for results in read_cells([doubled, known])]
    assert depth_heatmap(models).notes[:3] == (
        "a: 1 row replaced by a later row of the same case.",
        "a: the file does not say which questions are known by heart; none is left out.",
        "b: 1 answer to 1 question known by heart is left out.",
    )


def test_maps_along_the_novel_have_one_row_for_each_model(published: Path):
    """Coverage shows numbers of questions, accuracy their recall."""
    models = read_cells([published])
    coverage = novel_heatmap(models, "coverage", number=10)
    tiles = coverage.panels[0].tiles
    assert (len(tiles), len(tiles[0])) == (1, 10)
    assert sum(int(tile.text) for tile in tiles[0]) == 369
    accuracy = novel_heatmap(models, "accuracy", number=40)
    assert accuracy.dense
    assert accuracy.columns[0].startswith("0–")


def test_results_without_depths_have_no_mean_of_cells(tmp_path: Path):
    """Their answers are in no cell; what is shown is the mean of the answers that there are."""
    rows = [
        {"question": f"q{n}", "position": {"start_pos": 100 * n, "end_pos": 100 * n + 50},
         "model_answer": ["a"], "score": float(n % 4 > 0), "parsing_status": "success"}
        for n in range(8)
    ]  # fmt: skip
    lines = [{"metadata": {"model_name": "m", "context_length": 800, "total_tokens": 1000}}, *rows]
    path = tmp_path / "older.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    chart = novel_heatmap(read_cells([path]), "accuracy", number=4)
    heads, row = chart.summary
    shown = dict(zip(heads, row, strict=True))
    assert not any("cells" in head for head in heads)
    assert "no data" not in row
    assert shown["mean of questions (all)"].startswith("75.00%")
    assert chart.panels[0].tiles[0][0].text == "67"
