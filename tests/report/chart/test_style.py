"""The axes of charts."""

from pathlib import Path

import pytest
from matplotlib.figure import Figure

from assay.report.chart.style import canvas, end_at_one, value_axis
from assay.words.language import Lang


def test_very_small_values_have_their_power_at_each_tick():
    """Latencies of microseconds: no power of ten lies over the label of the axis."""
    figure = Figure()
    axes = figure.subplots()
    value_axis(axes.xaxis, axes, ticks=5)
    axes.set_xlim(-1e-6, 3.2e-5)
    figure.draw_without_rendering()
    assert axes.xaxis.get_offset_text().get_text() == ""
    texts = [label.get_text() for label in axes.get_xticklabels()]
    assert "1e−5" in texts
    assert "0" in texts


def test_usual_values_are_plain_numbers():
    """Seconds and shares have no power of ten."""
    figure = Figure()
    axes = figure.subplots()
    value_axis(axes.xaxis, axes, ticks=5)
    axes.set_xlim(0, 0.02)
    figure.draw_without_rendering()
    assert "0.005" in [label.get_text() for label in axes.get_xticklabels()]


def test_the_axis_of_a_share_has_a_tick_at_one():
    """Although the sum of the steps to it is a little more than 1."""
    figure = Figure()
    axes = figure.subplots()
    value_axis(axes.yaxis, axes)
    axes.set_ylim(-0.06, 1.08)
    assert max(tick for tick in axes.yaxis.get_majorticklocs() if tick < 1.1) > 1
    end_at_one(axes.yaxis, axes)
    figure.draw_without_rendering()
    texts = [label.get_text() for label in axes.get_yticklabels()]
    assert (texts[0], texts[-1]) == ("0.0", "1.0")


@pytest.mark.parametrize(
    ("lang", "title", "lines"),
    [
        (
            "zh",
            "深度召回热力图 · python:m:ask@f66202774237 · 数据集：chronicle_zh_4000_0_questions",
            ["深度召回热力图 · python:m:ask@f66202774237", "数据集：chronicle_zh_4000_0_questions"],
        ),
        (
            "ru",
            "Полнота по глубине · python:m:ask@f66202774237 · набор данных: chronicle_ru_4000_0_questions",
            [
                "Полнота по глубине",
                "python:m:ask@f66202774237",
                "набор данных: chronicle_ru_4000_0_questions",
            ],
        ),
    ],
)
def test_a_title_is_wrapped_between_its_parts(
    tmp_path: Path, lang: Lang, title: str, lines: list[str]
):
    """Neither a Chinese word nor the name of a system is broken where there are other places."""
    with canvas([title], tmp_path / "x.png", lang=lang, width="single") as drawing:
        drawing.set_title(title)
        assert drawing.figure.get_suptitle().split("\n") == lines
