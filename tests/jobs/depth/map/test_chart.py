"""Heatmaps drawn as pictures for papers."""

from pathlib import Path

import pytest
from matplotlib.axes import Axes
from matplotlib.image import imread

from assay.errors import UseError
from assay.jobs.depth.map import chart
from assay.jobs.depth.map.chart import heatmap_chart
from assay.jobs.depth.map.heatmap import depth_heatmap
from assay.jobs.depth.map.novel import novel_heatmap
from assay.jobs.depth.map.results import read_cells
from assay.words.language import Lang
from tests.support.depth_results import published_row, published_rows, write_results


@pytest.fixture(name="files", scope="module")
def _files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Results of a good model, and of a model that fails at the start of short contexts."""
    folder = tmp_path_factory.mktemp("results")
    weak = [published_row(n, 4000, "0%", 0.0) for n in range(11)]
    return [
        write_results(folder / "good.jsonl", published_rows()),
        write_results(folder / "weak.jsonl", weak, model="lamp/weak"),
    ]


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_the_same_data_make_the_same_bytes(files: list[Path], tmp_path: Path, suffix: str):
    """Drawing the same data twice gives equal files in each format."""
    heatmap = depth_heatmap(read_cells(files[:1]))
    first, second = (
        heatmap_chart(heatmap, tmp_path / f"{number}.{suffix}").read_bytes() for number in (1, 2)
    )
    assert first
    assert first == second


@pytest.mark.parametrize("lang", ["en", "zh", "ru"])
def test_nothing_is_cut_off(files: list[Path], tmp_path: Path, lang: Lang):
    """The edges of a picture with two maps and their difference are blank on all sides."""
    heatmap = depth_heatmap(read_cells(files), lang=lang, palette="safe", view="parsed")
    picture = imread(heatmap_chart(heatmap, tmp_path / "x.png"))
    edges = (picture[0], picture[-1], picture[:, 0], picture[:, -1])
    assert all((edge[:, :3] == 1).all() for edge in edges)
    assert picture.shape[1] == 2100


def test_a_map_along_the_novel_is_drawn(files: list[Path], tmp_path: Path):
    """A map with forty narrow tiles, some of them without data, fits the width of the picture."""
    heatmap = novel_heatmap(read_cells(files), "coverage", title="年鉴 · Летопись")
    picture = imread(heatmap_chart(heatmap, tmp_path / "x.png"))
    assert (picture[:, -1, :3] == 1).all()


def test_an_unknown_format_is_refused(files: list[Path], tmp_path: Path):
    """The error message names the supported formats."""
    with pytest.raises(UseError, match=r"\.png, \.svg or \.pdf"):
        heatmap_chart(depth_heatmap(read_cells(files[:1])), tmp_path / "x.gif")


@pytest.mark.parametrize(
    ("lang", "chinese", "expected"),
    [
        ("en", True, "no data\n无数据"),
        ("zh", True, "无数据"),
        ("ru", True, "нет\nданных\n无数据"),
        ("ru", False, "нет\nданных"),
    ],
)
def test_an_empty_tile_says_it_in_chinese_too(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, lang: Lang, chinese: bool, expected: str
):
    """The first user's design wants 无数据 in the picture; a machine without such letters leaves it out."""
    written: list[str] = []
    monkeypatch.setattr(Axes, "text", lambda _, x, y, text, **more: written.append(text))
    monkeypatch.setattr(chart, "can_draw", lambda _: chinese)
    rows = [published_row(1, 4000, "0%", 1.0), published_row(2, 8000, "50%", 1.0)]
    heatmap = depth_heatmap(read_cells([write_results(tmp_path / "few.jsonl", rows)]), lang=lang)
    chart.heatmap_chart(heatmap, tmp_path / "x.png")
    empty = [text for text in written if "无数据" in text or "данных" in text or "no" in text]
    assert expected.replace("no data", "no\ndata") in empty
