"""Bar charts: the values of a metric for each variant, with their intervals."""

from collections.abc import Sequence
from pathlib import Path

from assay.report.chart.font import drawable
from assay.report.chart.point import Bar, bounds, levels
from assay.report.chart.style import (
    BLUE,
    GREY,
    INK,
    NAME_SIZE,
    Canvas,
    Width,
    canvas,
    end_at_one,
    rows,
    value_axis,
)
from assay.report.chart.wrap import longest_word
from assay.report.table import MISSING, Column, is_defined, shown_number
from assay.report.words import Lang

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
        chart = _BarChart(drawing, bars, baseline, is_share=is_share)
        chart.draw()
        chart.label(label)
        drawing.set_title(title)
    return path


class _BarChart:
    """The bars and their positions: 0, 1, 2, … if vertical, inches from the top if horizontal."""

    def __init__(
        self, drawing: Canvas, bars: Sequence[Bar], baseline: str | None, *, is_share: bool
    ) -> None:
        self.is_share = is_share
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
            number = shown_number(bar.value, Column(key="", digits=_DIGITS))
            self._write(position, end, number.replace("-", "−"), below=below)
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
        note = self.drawing.text(f"({self.drawing.word('baseline')})", share, NAME_SIZE)
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
