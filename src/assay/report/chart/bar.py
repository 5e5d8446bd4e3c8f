"""Bar charts: the values of a metric for each variant, with their intervals."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from matplotlib.patches import Rectangle

from assay.report.chart.font import drawable
from assay.report.chart.scatter import Bar, bounds, levels
from assay.report.chart.style import (
    BASELINE,
    FONT_SIZE,
    NAME_SIZE,
    Canvas,
    Width,
    canvas,
    end_at_one,
    longest_word,
    rows,
    value_axis,
)
from assay.report.look import ALL_OF_A_ROW, BLUE, FRAME, GREY, INK, MISSING, real_minus, rgb
from assay.report.table.table import TableColumn, is_defined, shown_number
from assay.words.language import Lang
from assay.words.message import message
from assay.words.say import say_in

_MAX_UPRIGHT = 8
_NUMBER_SIZE = 6.5
_UPRIGHT_WIDTHS = {1: 0.3, 2: 0.45, 3: 0.55}
_HORIZONTAL_INCHES = 0.11
_DIGITS = 3


def bar_chart(
    bars: Sequence[Bar],
    path: Path,
    *,
    label: str,
    title: str = "",
    baseline: str | None = None,
    is_share: bool = False,
    digits: int = _DIGITS,
    width: Width = "single",
    lang: Lang = "en",
) -> Path:
    """Draw a bar for each variant in the order of ``bars``, and return ``path``.

    The bars are vertical if the names fit under them, otherwise horizontal. They start at zero,
    and a whisker shows the interval. The bar of the baseline is grey, with a dashed line at its
    value. An undefined value is shown as a dash without a bar. The axis of a share ends at 1.
    """
    texts = [label, title, *(bar.name for bar in bars)]
    with canvas(texts, path, lang=lang, width=width) as drawing:
        chart = _BarChart(drawing, bars, baseline, is_share=is_share, digits=digits)
        chart.draw()
        chart.label(label)
        drawing.set_title(title)
    return path


class _BarChart:
    """The bars and their positions: 0, 1, 2, … if vertical, inches from the top if horizontal."""

    def __init__(
        self,
        drawing: Canvas,
        bars: Sequence[Bar],
        baseline: str | None,
        *,
        is_share: bool,
        digits: int,
    ) -> None:
        self.is_share, self.digits = is_share, digits
        self.drawing, self.axes = drawing, drawing.axes
        self.bars, self.baseline = bars, baseline
        slot = (drawing.inches - 0.65) / max(1, len(bars)) / drawing.inches * 0.86
        self.upright = len(bars) <= _MAX_UPRIGHT and self._fits(slot)
        if self.upright:
            self.names = self._names(slot)
            self.positions = [float(index) for index in range(len(bars))]
            self.thickness = _UPRIGHT_WIDTHS.get(len(bars), 0.66)
            self.length = 0.0
            drawing.set_height(1.75)
        else:
            self.names = self._names(0.38 if len(bars) <= 12 else 0.46)
            self.positions, self.length = rows(self.names)
            self.thickness = _HORIZONTAL_INCHES
            drawing.set_height(max(self.length, 0.35))

    def draw(self) -> None:
        """Draw bars, whiskers and numbers, and set limits that leave space for the numbers."""
        ends = [0.0]
        for position, bar in zip(self.positions, self.bars, strict=True):
            if bar.value is None or not is_defined(bar.value):
                self._write(position, 0.0, MISSING, below=False)
                continue
            colour = GREY if bar.name == self.baseline else BLUE
            draw_bar = self.axes.bar if self.upright else self.axes.barh
            draw_bar(position, bar.value, self.thickness, color=colour)
            interval = bounds(bar.interval) or ()
            if interval:
                self._draw_whisker(position, interval)
            if bar.name == self.baseline:
                line = self.axes.axhline if self.upright else self.axes.axvline
                line(bar.value, color=INK, linewidth=0.6, linestyle=(0, (3, 3)), zorder=0.9)
            # the number is beyond the end of the bar and of the whisker
            below = bar.value < 0
            end = (min if below else max)(bar.value, 0.0, *interval)
            number = shown_number(bar.value, TableColumn(key="", digits=self.digits))
            self._write(position, end, real_minus(number), below=below)
            ends += [bar.value, *interval]
        self._set_limits(min(ends), max(ends))

    def label(self, label: str) -> None:
        """Write the names at the bars and the label of the metric at its axis."""
        interval_levels = levels([bar.interval for bar in self.bars])
        if self.upright:
            self.axes.set_xticks(self.positions, self.names)
            self.drawing.label_axis(self.axes.yaxis, label, interval_levels)
            self.axes.tick_params(axis="x", length=0)
        else:
            self.axes.set_yticks(self.positions, self.names)
            self.drawing.label_axis(self.axes.xaxis, label, interval_levels)
            self.axes.tick_params(axis="y", length=0)

    def _fits(self, slot: float) -> bool:
        """Whether each name fits under its bar in two lines without breaking a word."""
        drawing = self.drawing

        def measure(text: str) -> float:
            return drawing.points(text, NAME_SIZE)

        names = drawing.names([bar.name for bar in self.bars], slot)
        if any(name.count("\n") > 1 for name in names):
            return False
        full_names = [drawing.fonts.legible(drawable(bar.name)) for bar in self.bars]
        widest = max((longest_word(name, measure) for name in full_names), default=0.0)
        return widest <= slot * drawing.inches * 72

    def _names(self, share: float) -> list[str]:
        names = self.drawing.names([bar.name for bar in self.bars], share)
        note = self.drawing.text(f"({self.drawing.say(BASELINE)})", share, NAME_SIZE)
        return [
            f"{name}\n{note}" if bar.name == self.baseline else name
            for name, bar in zip(names, self.bars, strict=True)
        ]

    def _write(self, position: float, end: float, text: str, *, below: bool) -> None:
        side = -1 if below else 1
        annotation = self.axes.annotate(
            text,
            (position, end) if self.upright else (end, position),
            xytext=(0, 2.5 * side) if self.upright else (3.5 * side, 0),
            textcoords="offset points",
            ha="center" if self.upright else ("right" if below else "left"),
            va=("top" if below else "bottom") if self.upright else "center_baseline",
            fontsize=_NUMBER_SIZE,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.7},
        )
        annotation.set_in_layout(False)  # the limits of the axes leave space for it

    def _draw_whisker(self, position: float, interval: Sequence[float]) -> None:
        positions = [position, position]
        self.axes.plot(
            *((positions, interval) if self.upright else (interval, positions)),
            color=INK,
            linewidth=0.9,
            marker="_" if self.upright else "|",
            markersize=4,
        )

    def _set_limits(self, low: float, high: float) -> None:
        """Set limits that leave space for the numbers; draw a line at zero if a value is negative."""
        if low == high or (self.is_share and low >= 0):
            high = max(high, 1.0)
        space = (high - low) * self._number_space(sides=(low < 0) + (high > 0))
        limits = (low - space if low < 0 else 0.0, high + space if high > 0 else space / 4)
        if self.upright:
            self.axes.set_ylim(limits)
            self.axes.set_xlim(-0.6, max(len(self.bars), 1) - 0.4)
            value_axis(self.axes.yaxis, self.axes)
        else:
            self.axes.set_xlim(limits)
            self.axes.set_ylim(self.length, 0.0)  # the first variant is at the top
            value_axis(self.axes.xaxis, self.axes, ticks=5)
        if self.is_share and low >= 0 and high <= 1:
            end_at_one(self.axes.yaxis if self.upright else self.axes.xaxis, self.axes)
        if low < 0:
            line = self.axes.axhline if self.upright else self.axes.axvline
            line(0.0, color=INK, linewidth=0.6)

    def _number_space(self, *, sides: int) -> float:
        """The space that a number needs beyond its bar, as a share of the range of values."""
        if self.upright:
            return 0.09
        drawing = self.drawing
        lines = [line for name in self.names for line in name.split("\n")]
        names = max((drawing.points(line, NAME_SIZE) for line in lines), default=0.0)
        number = drawing.points("−0." + "0" * _DIGITS, _NUMBER_SIZE) + 5
        axes = max(drawing.inches * 72 - names - 20, 3 * number)
        return number / (axes - sides * number)


# A confusion matrix drawn as a heatmap; each cell shows its count and its share of the row.

_LEVELS: Final = ("High", "Medium", "Low")
_UNPARSED: Final = "Unparsed"
_TRUE: Final = message("true level")
_PREDICTED: Final = message("predicted level")

_ROW_INCHES: Final = 0.52


def confusion_chart(
    matrix: Sequence[Sequence[float]],
    path: Path,
    *,
    rows: Sequence[str] = _LEVELS,
    title: str = "",
    width: Width = "single",
    lang: Lang = "en",
) -> Path:
    """Draw a confusion matrix with a row for each true class, and return ``path``.

    The columns are the predicted classes in the same order. One more column is allowed for the
    replies that could not be parsed; it has a gap before it. Each cell shows its count and its
    share of the row, which is also its colour. A row without cases has no shares. The cells of
    correct predictions have a frame. The names of risk levels are translated, other names of
    classes are not.

    Raises ``ValueError`` if the matrix does not have this shape.
    """
    columns = [*rows, _UNPARSED][: _width(matrix)]
    if len(matrix) != len(rows) or any(len(row) != len(columns) for row in matrix):
        raise ValueError(f"{len(rows)} rows and {len(columns)} columns do not fit the matrix")
    if not rows or len(columns) < len(rows):
        raise ValueError("the matrix needs at least one row, and a column for each row")
    texts = [
        _TRUE.text_in(lang),
        _PREDICTED.text_in(lang),
        *(_class_name(name, lang) for name in columns),
    ]
    with canvas([title, "0123456789%–", *texts], path, lang=lang, width=width) as drawing:
        _draw(drawing, matrix)
        _label(drawing, rows, columns)
        drawing.set_title(title)
        drawing.set_height(0.95 + _ROW_INCHES * len(rows) + (0.2 if title else 0.0))
    return path


def _draw(drawing: Canvas, matrix: Sequence[Sequence[float]]) -> None:
    axes = drawing.axes
    classes = len(matrix)
    for i, row in enumerate(matrix):
        total = sum(row)
        for j, count in enumerate(row):
            share = count / total if total else None
            left = _left(j, classes)
            edge = INK if i == j else FRAME
            axes.add_patch(
                Rectangle(
                    (left, i),
                    1,
                    1,
                    facecolor=_colour(share),
                    edgecolor=edge,
                    linewidth=1.1 if i == j else 0.5,
                    zorder=2 if i == j else 1,
                )
            )
            ink = "white" if share is not None and share > 0.6 else INK
            for text, height, size in (
                (f"{count:.0f}" if count == int(count) else f"{count:g}", 0.38, FONT_SIZE + 1),
                (_percent(share), 0.72, 6.5),
            ):
                axes.text(
                    left + 0.5,
                    i + height,
                    text,
                    ha="center",
                    va="center",
                    color=ink,
                    fontsize=size,
                    zorder=3,
                    in_layout=False,  # it is inside its cell
                )
    axes.set_xlim(-0.02, _left(len(matrix[0]) - 1, classes) + 1.02)
    axes.set_ylim(classes + 0.02, -0.02)


def _label(drawing: Canvas, rows: Sequence[str], columns: Sequence[str]) -> None:
    axes = drawing.axes
    share = 0.78 / len(columns)
    column_names = [_class_name(name, drawing.lang) for name in columns]
    # if a word is too wide for its column, all column names are smaller, and no word is cut
    widest = max(
        longest_word(name, lambda text: drawing.points(text, NAME_SIZE)) for name in column_names
    )
    size = min(NAME_SIZE, NAME_SIZE * share * drawing.inches * 72 / max(widest, 1.0))
    centres = [_left(j, len(rows)) + 0.5 for j in range(len(columns))]
    axes.set_xticks(centres, drawing.names(column_names, share, size), fontsize=size)
    row_names = drawing.names([_class_name(name, drawing.lang) for name in rows], 0.22)
    axes.set_yticks([i + 0.5 for i in range(len(rows))], row_names)
    axes.xaxis.set_ticks_position("top")
    axes.xaxis.set_label_position("top")
    axes.tick_params(axis="both", length=0)
    axes.set_xlabel(drawing.text(drawing.say(_PREDICTED), 0.7))
    axes.set_ylabel(drawing.text(drawing.say(_TRUE), 0.5))
    for spine in axes.spines.values():
        spine.set_visible(False)


def _class_name(name: str, lang: Lang) -> str:
    """The translated name of a risk level; other names are returned unchanged."""
    return say_in(lang, name, "level")


def _left(column: int, classes: int) -> float:
    """The left edge of a column; a column that is not a class has a gap before it."""
    return column + (0.12 if column >= classes else 0.0)


def _width(matrix: Sequence[Sequence[float]]) -> int:
    return len(matrix[0]) if matrix else 0


def _percent(share: float | None) -> str:
    """A share as a whole percentage; a positive share that rounds to zero is shown as ``<1%``."""
    if share is None:
        return MISSING
    return "<1%" if 0 < share < 0.005 else f"{100 * share:.0f}%"


def _colour(share: float | None) -> tuple[float, float, float]:
    """A colour from white to dark blue; a larger share is also darker when printed in grey."""
    part = share or 0.0
    red, green, blue = (1 - part * (1 - dark / 255) for dark in rgb(ALL_OF_A_ROW))
    return red, green, blue
