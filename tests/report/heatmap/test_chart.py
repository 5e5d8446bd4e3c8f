"""Heatmaps for papers."""

from pathlib import Path

import pytest
from matplotlib.image import imread

from assay.errors import UseError
from assay.jobs.depth.map.heatmap import depth_heatmap
from assay.jobs.depth.map.novel import novel_heatmap
from assay.jobs.depth.map.results import read_cells
from assay.report.heatmap.chart import heatmap_chart
from assay.report.words.label import Lang
from tests.support.depth_results import published_row, published_rows, write_results


@pytest.fixture(name="files", scope="module")
def _files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A good model and one that finds nothing at the start of short contexts."""
    folder = tmp_path_factory.mktemp("results")
    weak = [published_row(n, 4000, "0%", 0.0) for n in range(11)]
    return [
        write_results(folder / "good.jsonl", published_rows()),
        write_results(folder / "weak.jsonl", weak, model="lamp/weak"),
    ]


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_the_same_data_make_the_same_bytes(files: list[Path], tmp_path: Path, suffix: str):
    """In each format, with no date inside."""
    made = depth_heatmap(read_cells(files[:1]))
    first, second = (heatmap_chart(made, tmp_path / f"{n}.{suffix}").read_bytes() for n in (1, 2))
    assert first
    assert first == second


@pytest.mark.parametrize("lang", ["en", "zh", "ru"])
def test_nothing_is_cut_off(files: list[Path], tmp_path: Path, lang: Lang):
    """The edge of the picture is blank on every side, with maps of two models and a difference."""
    made = depth_heatmap(read_cells(files), lang=lang, palette="safe", view="parsed")
    picture = imread(heatmap_chart(made, tmp_path / "x.png"))
    edges = (picture[0], picture[-1], picture[:, 0], picture[:, -1])
    assert all((edge[:, :3] == 1).all() for edge in edges)
    assert picture.shape[1] == 2100


def test_a_map_along_the_novel_is_drawn(files: list[Path], tmp_path: Path):
    """Forty narrow tiles, some without data, fit the page."""
    made = novel_heatmap(read_cells(files), "coverage", title="年鉴 · Летопись")
    picture = imread(heatmap_chart(made, tmp_path / "x.png"))
    assert (picture[:, -1, :3] == 1).all()


def test_an_unknown_format_is_refused(files: list[Path], tmp_path: Path):
    """One line says what there is."""
    with pytest.raises(UseError, match=r"\.png, \.svg or \.pdf"):
        heatmap_chart(depth_heatmap(read_cells(files[:1])), tmp_path / "x.gif")
