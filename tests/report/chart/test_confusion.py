from pathlib import Path

import pytest
from matplotlib.image import imread

from assay.errors import UseError
from assay.report.chart.bar import _percent, confusion_chart
from assay.report.chart.font import fonts_for
from assay.words.language import Lang

MATRIX = [[20, 3, 0, 4], [3, 18, 0, 4], [0, 5, 0, 21]]


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_the_chart_is_drawn_in_every_format(tmp_path: Path, suffix: str):
    """The same matrix gives the same bytes, in the format of the path's suffix."""
    first = confusion_chart(MATRIX, tmp_path / f"a.{suffix}")
    second = confusion_chart(MATRIX, tmp_path / "deep" / f"b.{suffix}")
    assert first.read_bytes() == second.read_bytes()
    start = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[suffix]
    assert first.read_bytes().startswith(start)


def test_colour_follows_the_share_of_the_row(tmp_path: Path):
    """The colour of a cell depends on its share of the row, not on its count."""
    few = imread(confusion_chart([[1, 0], [0, 1]], tmp_path / "a.png", rows=("x", "y")))
    many = imread(confusion_chart([[9, 0], [0, 900]], tmp_path / "b.png", rows=("x", "y")))
    dark = [float((image[:, :, :3].mean(axis=2) < 0.5).mean()) for image in (few, many)]
    assert dark[0] > 0.2
    assert dark[0] == pytest.approx(dark[1], abs=0.02)


@pytest.mark.parametrize("lang", ["en", "zh", "ru"])
def test_levels_are_named_in_every_language(tmp_path: Path, lang: Lang):
    """Pictures in two languages differ, unless no installed font has the characters."""
    picture = confusion_chart(MATRIX, tmp_path / "a.png", lang=lang, title="t").read_bytes()
    english = confusion_chart(MATRIX, tmp_path / "b.png", lang="en", title="t").read_bytes()
    drawable = not fonts_for(["变体基线实际预测高中低未解析"]).missing
    assert (picture == english) is (lang == "en" or (lang == "zh" and not drawable))


def test_any_classes_may_be_drawn(tmp_path: Path):
    """A matrix may have other classes, no unparsed column, an empty row and large counts."""
    names = ("a class with a long name", "b", "c")
    path = confusion_chart(
        [[0, 0, 0], [1, 2_000_000, 0], [0, 0, 3]], tmp_path / "a.png", rows=names, width="double"
    )
    assert path.stat().st_size > 1000


def test_shares_are_whole_percents_and_little_is_not_nothing():
    """A small share, zero and an undefined share are shown differently."""
    assert [_percent(share) for share in (None, 0.0, 0.001, 0.126, 1.0)] == [
        "–",
        "0%",
        "<1%",
        "13%",
        "100%",
    ]


@pytest.mark.parametrize(
    "matrix", [[], [[1, 2], [3, 4]], [[1, 2, 3, 4, 5]] * 3, [[1, 2], [3, 4], [5, 6]]]
)
def test_a_matrix_that_does_not_fit_its_names_is_refused(tmp_path: Path, matrix: list[list[int]]):
    """A matrix with a wrong number of rows or columns raises ``ValueError``."""
    with pytest.raises(ValueError, match=r"matrix|column for each"):
        confusion_chart(matrix, tmp_path / "a.png")


def test_another_suffix_is_refused(tmp_path: Path):
    """A suffix other than .png, .svg and .pdf raises an error that says so."""
    with pytest.raises(UseError, match="change the suffix"):
        confusion_chart(MATRIX, tmp_path / "a.gif")
