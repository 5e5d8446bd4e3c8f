import itertools
import logging
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import matplotlib as mpl
import pytest
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.text import Text
from PIL import Image

from assay.errors import UseError
from assay.report import look
from assay.report.chart import font, style
from assay.report.chart.bar import bar_chart
from assay.report.chart.effect import effect_chart, line_chart
from assay.report.chart.scatter import Bar, DrawnDifference, LinePoint, Spot, scatter_chart
from assay.stats.interval import Interval

LONG = "normal_mode_without_query_expansion_and_without_rerank"
WIDE = "W" * 70
CHINESE = "去掉查询扩展与重排序的完整流水线变体"
RUSSIAN = "без переранжирования моделью и без фильтра дрейфа"


def around(value: float, by: float = 0.05) -> Interval:
    """A 95% interval with ``value`` at its centre."""
    return Interval(low=value - by, high=value + by, method="bca")


def bars(values: list[float | None], names: list[str] | None = None) -> list[Bar]:
    """Bars for the values; a bar without a value has no interval."""
    names = names or [f"v{number}" for number in range(len(values))]
    return [
        Bar(name=name, value=value, interval=None if value is None else around(value))
        for name, value in zip(names, values, strict=True)
    ]


def numbered(count: int, name: str) -> list[str]:
    """Names that differ only in the number at their end."""
    return [f"{name}_{number}" for number in range(count)]


def wave(count: int) -> list[float]:
    """Values in irregular order, some of them negative."""
    return [((7 * number) % 19) / 19 - 0.3 for number in range(count)]


DIMENSIONS = (128, 256, 512, 1024, 2048)


def dimensions(shift: float = 0.0) -> list[LinePoint]:
    """The points of a metric that grows with the dimension."""
    return [
        LinePoint(x=x, value=0.5 + shift + 0.05 * step, interval=around(0.5 + shift + 0.05 * step))
        for step, x in enumerate(DIMENSIONS)
    ]


def spots(count: int, name: str) -> list[Spot]:
    """Variants with irregular values of latency and quality."""
    return [
        Spot(name=variant, x=0.3 + ((11 * index) % 23) / 7, y=value, y_interval=around(value))
        for index, (variant, value) in enumerate(
            zip(numbered(count, name), wave(count), strict=True)
        )
    ]


def differences(count: int, name: str) -> list[DrawnDifference]:
    """Effects with both signs; the large ones are significant."""
    return [
        DrawnDifference(
            name=variant, difference=value, interval=around(value), significant=value > 0.2
        )
        for variant, value in zip(numbered(count, name), wave(count), strict=True)
    ]


bar = partial(bar_chart, label="gold coverage")
line = partial(line_chart, x_label="dimension", label="gold coverage")
scatter = partial(scatter_chart, x_label="latency, s", y_label="gold coverage")
effect = partial(effect_chart, label="gold coverage", baseline="normal")

CHARTS: dict[str, Callable[[Path], Path]] = {
    "bar-two": partial(bar, bars([0.7, 0.8], ["off", "on"]), baseline="off", title="HyDE"),
    "bar-one": partial(bar, bars([0.5], ["_one $5$"])),
    "bar-none": partial(bar, []),
    "bar-undefined": partial(bar, bars([None, 0.5, None])),
    "bar-equal": partial(bar, bars([0.5] * 4)),
    "bar-zero": partial(bar, [Bar(name=name, value=0.0) for name in "ab"]),
    "bar-negative": partial(bar, bars([-0.2, -0.4])),
    "bar-both-signs": partial(bar, bars([-0.2, 0.4, None], [LONG, RUSSIAN, WIDE])),
    "bar-30": partial(bar, bars([*wave(30)], numbered(30, LONG)), title=LONG, baseline=f"{LONG}_3"),
    "bar-zh": partial(bar, bars(wave(5), numbered(5, CHINESE)), title=CHINESE * 3, lang="zh"),
    "bar-ru": partial(bar, bars(wave(8)), title=RUSSIAN * 3, lang="ru", width="double"),
    "bar-long-label": partial(bar_chart, bars([0.5, 0.6]), label=f"{WIDE} {LONG} {RUSSIAN}"),
    "line-one": partial(line, {"a": dimensions()}),
    "line-three": partial(
        line, {LONG: dimensions(), "_b": dimensions(0.1), CHINESE: dimensions(0.2)}, lang="zh"
    ),
    "line-ten": partial(line, {name: dimensions() for name in numbered(10, RUSSIAN)}, lang="ru"),
    "line-one-point": partial(line, {"a": dimensions()[:1]}, title=WIDE),
    "line-gaps": partial(
        line,
        {"a": [LinePoint(x=x, value=None if x == 512 else 0.5) for x in DIMENSIONS]},
    ),
    "line-steps": partial(line, {"a": [LinePoint(x=x / 20, value=-x) for x in range(21)]}),
    "line-none": partial(line, {}),
    "scatter-six": partial(scatter, spots(6, "dim"), title="Trade-off"),
    "scatter-long": partial(scatter, spots(6, LONG), lang="ru"),
    "scatter-30": partial(scatter, spots(30, CHINESE), lang="zh", title=CHINESE * 2),
    "scatter-wide": partial(scatter, spots(12, WIDE), width="double"),
    "scatter-equal": partial(scatter, [Spot(name=name, x=1.0, y=0.5) for name in "abc"]),
    "scatter-undefined": partial(
        scatter, [Spot(name=LONG, x=None, y=0.5), Spot(name=WIDE, x=1.0, y=float("nan"))]
    ),
    "scatter-none": partial(scatter, []),
    "effect-five": partial(effect, differences(5, "part"), title="Effects", lang="ru"),
    "effect-30": partial(effect, differences(30, CHINESE), lang="zh", better="lower"),
    "effect-long": partial(effect_chart, differences(3, LONG), label=RUSSIAN, baseline=LONG),
    "effect-undefined": partial(effect, [DrawnDifference(name="a", difference=None)], better=None),
    "effect-zero": partial(
        effect, [DrawnDifference(name="a", difference=0.0, interval=around(0, 0))]
    ),
    "effect-none": partial(effect, []),
}


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Figure]:
    """The figures that the test has saved."""
    figures: list[Figure] = []
    save = Figure.savefig

    def keep(self: Figure, *args: object, **named: object) -> None:
        save(self, *args, **named)
        figures.append(self)

    monkeypatch.setattr(Figure, "savefig", keep)
    return figures


def texts(figure: Figure) -> Iterator[Text]:
    """Every visible text of a figure, after its layout."""
    figure.draw_without_rendering()
    for text in figure.findobj(Text):
        if isinstance(text, Text) and text.get_visible() and text.get_text().strip():
            yield text


def shown_texts(figure: Figure) -> list[str]:
    """The visible texts of a figure, each on one line."""
    return [text.get_text().replace("\n", "") for text in texts(figure)]


def drawn_ticks(axis: Axis) -> list[Text]:
    """The visible tick labels; matplotlib also keeps labels beyond the ends of the axis."""
    low, high = sorted(axis.get_view_interval())
    labels = zip(axis.get_ticklabels(), axis.get_ticklocs(), strict=True)
    return [label for label, location in labels if low <= location <= high]


@pytest.mark.parametrize("name", CHARTS)
def test_no_text_is_cut_off_or_covered(name: str, tmp_path: Path, drawn: list[Figure]):
    """Every text is inside the picture, and tick labels do not overlap."""
    CHARTS[name](path=tmp_path / "chart.png")
    (figure,) = drawn
    page, (axes,) = figure.bbox, figure.axes
    ticks = [drawn_ticks(axis) for axis in (axes.xaxis, axes.yaxis)]
    hidden = {*axes.get_xticklabels(), *axes.get_yticklabels()} - {*ticks[0], *ticks[1]}
    for text in texts(figure):
        box = text.get_window_extent()
        inside = box.x0 >= -1 and box.y0 >= -1 and box.x1 <= page.x1 + 1 and box.y1 <= page.y1 + 1
        assert inside or text in hidden, (text.get_text(), box, page)
    for labels in ticks:
        boxes = [label.get_window_extent() for label in labels]
        assert not any(box.overlaps(following) for box, following in itertools.pairwise(boxes))


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
@pytest.mark.parametrize("name", ["bar-zh", "line-three", "scatter-six", "effect-five"])
def test_the_same_data_make_the_same_bytes(name: str, suffix: str, tmp_path: Path):
    """A file contains no date, no version and no random identifier."""
    first, second = tmp_path / f"a.{suffix}", tmp_path / f"b.{suffix}"
    assert CHARTS[name](path=first) == first
    CHARTS[name](path=second)
    assert first.read_bytes() == second.read_bytes()
    start = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[suffix]
    assert first.read_bytes().startswith(start)


@pytest.mark.parametrize(("width", "inches"), [("single", 3.35), ("double", 7.0)])
def test_png_has_300_dots_an_inch_and_a_columns_width(
    width: style.Width, inches: float, tmp_path: Path
):
    """A PNG file has the width of a column of a paper at 300 dots per inch."""
    path = bar(bars([0.5, 0.6]), tmp_path / "deep" / "chart.png", width=width)
    with Image.open(path) as picture:
        assert picture.width == int(inches * 300)
        assert [round(dots) for dots in picture.info["dpi"]] == [300, 300]


def test_another_suffix_is_refused_before_drawing(tmp_path: Path):
    """The error message names the supported suffixes."""
    with pytest.raises(UseError, match=r"\.png, \.svg or \.pdf"):
        bar(bars([0.5]), tmp_path / "chart.bmp")


def test_bars_are_where_names_fit_and_lie_where_not(tmp_path: Path, drawn: list[Figure]):
    """Bars are vertical above short names and horizontal beside long names."""
    bar(bars([0.5, 0.6], ["off", "on"]), tmp_path / "a.svg")
    bar(bars([0.5, 0.6], [LONG, "on"]), tmp_path / "b.svg")
    vertical, horizontal = (figure.axes[0] for figure in drawn)
    assert [label.get_text() for label in vertical.get_xticklabels()] == ["off", "on"]
    names = [label.get_text().replace("\n", "") for label in horizontal.get_yticklabels()]
    assert names == [LONG, "on"]


def test_bars_start_at_zero_and_undefined_ones_are_dashes(tmp_path: Path, drawn: list[Figure]):
    """Bars start at zero, so that their lengths are comparable; an undefined value is a dash."""
    bar(bars([0.71, None, 0.82]), tmp_path / "a.svg")
    axes = drawn[0].axes[0]
    assert axes.get_ylim()[0] == 0
    assert len(axes.patches) == 2
    assert {"0.710", "–", "0.820"} <= set(shown_texts(drawn[0]))


def test_percentages_have_as_many_decimals_as_their_table(tmp_path: Path, drawn: list[Figure]):
    """A share has three decimals; whoever draws percentages asks for fewer."""
    bar_chart([Bar(name="a", value=69.1667)], tmp_path / "a.svg", label="points, %", digits=1)
    assert "69.2" in shown_texts(drawn[0])


def test_text_is_never_read_as_a_formula(tmp_path: Path, drawn: list[Figure]):
    """Dollar signs, underscores and carets in names and labels are shown literally."""
    bar_chart(bars([0.5, 0.4], ["$a_1$", "_b^2"]), tmp_path / "a.svg", label="x_1 $ y $")
    assert {"$a_1$", "_b^2", "x_1 $ y $ (95% interval)"} <= set(shown_texts(drawn[0]))


def test_series_are_all_named(tmp_path: Path, drawn: list[Figure]):
    """A name that begins with an underscore is in the legend too."""
    line({"_a": dimensions(), "b": dimensions()}, tmp_path / "a.svg")
    assert {"_a", "b"} <= set(shown_texts(drawn[0]))


def test_dimensions_are_at_equal_steps(tmp_path: Path, drawn: list[Figure]):
    """The axis of dimensions is logarithmic, and every measured dimension has a tick."""
    line({"a": dimensions()}, tmp_path / "a.svg")
    axes = drawn[0].axes[0]
    assert axes.get_xscale() == "log"
    assert [label.get_text() for label in axes.get_xticklabels()] == [str(x) for x in DIMENSIONS]
    line({"a": [LinePoint(x=x, value=0.5) for x in (1, 2, 3)]}, tmp_path / "b.svg")
    assert drawn[1].axes[0].get_xscale() == "linear"


def test_a_line_is_broken_where_a_value_is_undefined(tmp_path: Path, drawn: list[Figure]):
    """An undefined value is a gap in the line, not a zero and not a straight connection."""
    CHARTS["line-gaps"](path=tmp_path / "a.svg")
    values = [float(value) for value in drawn[0].axes[0].lines[0].get_ydata()]
    assert [value == value for value in values] == [True, True, False, True, True]  # noqa: PLR0124 NaN


def test_effects_are_ordered_and_filled_where_significant(tmp_path: Path, drawn: list[Figure]):
    """The largest difference is at the top; only significant differences have filled markers."""
    effects = [
        DrawnDifference(name="low", difference=-0.2, significant=True),
        DrawnDifference(name="none", difference=None),
        DrawnDifference(name="high", difference=0.3, significant=True),
        DrawnDifference(name="flat", difference=0.01),
    ]
    effect(effects, tmp_path / "a.svg")
    axes = drawn[0].axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["high", "flat", "low", "none"]
    fills = [line.get_markerfacecolor() for line in axes.lines if line.get_marker() == "o"]
    assert fills == [look.BLUE, "white", look.VERMILLION]
    assert "better →" in "".join(shown_texts(drawn[0]))


def test_lower_may_be_better(tmp_path: Path, drawn: list[Figure]):
    """If lower values are better, a negative difference is blue and the arrow points left."""
    effect(
        [DrawnDifference(name="a", difference=-1.0, significant=True)],
        tmp_path / "a.svg",
        better="lower",
    )
    marker = next(line for line in drawn[0].axes[0].lines if line.get_marker() == "o")
    assert marker.get_markerfacecolor() == look.BLUE
    assert "← better" in "".join(shown_texts(drawn[0]))


def test_the_front_is_filled_and_the_rest_hollow(tmp_path: Path, drawn: list[Figure]):
    """A variant that is slower and worse than another one is hollow."""
    variants = [
        Spot(name="a", x=1.0, y=0.7),
        Spot(name="b", x=2.0, y=0.9),
        Spot(name="c", x=3.0, y=0.8),
    ]
    scatter(variants, tmp_path / "a.svg")
    points = [line for line in drawn[0].axes[0].lines if line.get_marker() == "o"]
    assert [point.get_markerfacecolor() for point in points] == [look.BLUE, look.BLUE, "white"]


def test_many_points_are_numbered_and_all_named_in_the_key(tmp_path: Path, drawn: list[Figure]):
    """With thirty variants, the points have numbers and the key has the name of each number."""
    scatter(spots(30, "variant"), tmp_path / "a.svg")
    shown = set(shown_texts(drawn[0]))
    assert {f"{number}  variant_{number - 1}" for number in range(1, 31)} <= shown


def test_no_interval_runs_through_a_name_of_a_scatter(tmp_path: Path, drawn: list[Figure]):
    """Where there is room beside the intervals."""
    variants = [
        Spot(name=name, x=x, y=0.6, x_interval=around(x, 0.8), y_interval=around(0.6, 0.3))
        for name, x in (("hyde_on", 1.0), ("hyde_off", 1.4))
    ]
    scatter(variants, tmp_path / "a.svg")
    (axes,) = drawn[0].axes
    names = [
        text.get_window_extent()
        for text in axes.texts
        if text.get_text() in {"hyde_on", "hyde_off"}
    ]
    assert len(names) == 2
    for spot in variants:
        for ends in (((0.2, 0.6), (2.2, 0.6)), ((spot.x, 0.3), (spot.x, 0.9))):
            (left, bottom), (right, top) = axes.transData.transform(ends)
            for name in names:
                beside = name.x1 < left or name.x0 > right or name.y1 < bottom or name.y0 > top
                assert beside, (name, ends)


def test_what_has_no_value_is_named_under_a_scatter(tmp_path: Path, drawn: list[Figure]):
    """A variant without a value is listed under the axis."""
    scatter([Spot(name="a", x=1.0, y=0.5), Spot(name="gone", x=None, y=0.5)], tmp_path / "a.svg")
    assert any("no value: gone" in text for text in shown_texts(drawn[0]))


def test_without_a_font_the_chart_speaks_english_and_distinguishes_names(
    tmp_path: Path,
    drawn: list[Figure],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
):
    """Without a Chinese font, labels are English, names are numbered, and one warning is logged."""
    lacking = font.Fonts(families=(font.BASE,), missing=frozenset("变体一二基线"))
    monkeypatch.setattr(style, "fonts_for", lambda _: lacking)
    monkeypatch.setattr(style, "drawn_language", lambda lang: "en" if lang == "zh" else lang)
    monkeypatch.setattr(font, "_warnings", [])
    with caplog.at_level(logging.WARNING):
        bar(
            bars([0.5, 0.6], ["变体一", "变体二"]), tmp_path / "a.png", baseline="变体一", lang="zh"
        )
    shown = set(shown_texts(drawn[0]))
    assert {"??? (1)(baseline)", "??? (2)"} <= shown
    assert len(caplog.records) == 1


def test_settings_of_matplotlib_are_left_alone(tmp_path: Path):
    """Charts do not change matplotlib's settings and do not depend on them."""
    bar(bars([0.5]), tmp_path / "a.svg")
    with mpl.rc_context({"font.size": 30, "axes.facecolor": "red"}):
        before = dict(mpl.rcParams)
        bar(bars([0.5]), tmp_path / "b.svg")
        assert dict(mpl.rcParams) == before
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_tables_load_no_matplotlib_and_charts_no_pyplot():
    """Importing tables loads no matplotlib, and charts do not load its window system."""
    code = (
        "import sys, assay.report; assert 'matplotlib' not in sys.modules;"
        "import assay.report.chart; assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


@pytest.mark.parametrize("name", ["line-none", "scatter-none", "scatter-undefined"])
def test_an_empty_chart_says_so(name: str, tmp_path: Path, drawn: list[Figure]):
    """A chart without data says that there are no values."""
    CHARTS[name](path=tmp_path / "a.svg")
    assert "no values" in shown_texts(drawn[0])
