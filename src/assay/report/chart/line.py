"""Line charts: a metric over an ordered variable, with its intervals as a band."""

import itertools
import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import NullLocator

from assay.report.chart.legend import add_legend
from assay.report.chart.point import LinePoint, bounds, levels
from assay.report.chart.style import (
    MARKERS,
    PALETTE,
    Width,
    canvas,
    end_at_one,
    value_axis,
)
from assay.report.table import is_defined
from assay.report.words import Lang

_MAX_TICKS = 8


def line_chart(
    series: Mapping[str, Sequence[LinePoint]],
    path: Path,
    *,
    x_label: str,
    label: str,
    title: str = "",
    is_share: bool = False,
    width: Width = "single",
    lang: Lang = "en",
) -> Path:
    """Draw a line for each series over ``x``, and return ``path``.

    The x axis is logarithmic with base 2 if all ``x`` are positive and the largest is at least
    eight times the smallest, which is typical of dimensions. A line has a gap where a value is
    undefined, and a band has a gap where an interval is undefined. A single series has no legend. The axis of a share ends at 1.
    """
    points = [point for line in series.values() for point in line]
    xs = sorted({point.x for point in points})
    with canvas([x_label, label, title, *series], path, lang=lang, width=width) as drawing:
        axes = drawing.axes
        drawing.set_height(1.7 if width == "single" else 2.6)
        handles = [
            _draw(axes, sorted(line, key=lambda point: point.x), number)
            for number, line in enumerate(series.values())
        ]
        _scale_x(axes, xs)
        _scale_y(axes, points)
        if is_share:
            end_at_one(axes.yaxis, axes)
        drawing.label_axis(axes.xaxis, x_label)
        drawing.label_axis(axes.yaxis, label, levels([point.interval for point in points]))
        if not any(is_defined(point.value) for point in points):
            drawing.write_no_data()
        if len(series) > 1:
            add_legend(drawing, list(series), handles)
        drawing.set_title(title)
    return path


def _draw(axes: Axes, line: Sequence[LinePoint], number: int) -> Line2D:
    colour = PALETTE[number % len(PALETTE)]
    xs = [point.x for point in line]
    values = [
        point.value if point.value is not None and is_defined(point.value) else math.nan
        for point in line
    ]
    ends = [
        (math.nan, math.nan)
        if math.isnan(value)
        else bounds(point.interval) or (math.nan, math.nan)
        for point, value in zip(line, values, strict=True)
    ]
    lows, highs = [low for low, _ in ends], [high for _, high in ends]
    if len(line) > 1:
        axes.fill_between(xs, lows, highs, color=colour, alpha=0.18, linewidth=0)
    # a band is invisible at a point whose neighbours have no interval; thin whiskers show it
    axes.vlines(xs, lows, highs, color=colour, linewidth=0.6, alpha=0.7)
    dashes = "-" if number < len(PALETTE) else "--"
    (handle,) = axes.plot(
        xs, values, dashes, color=colour, marker=MARKERS[number % len(MARKERS)], clip_on=False
    )
    return handle


def _scale_x(axes: Axes, xs: Sequence[float]) -> None:
    if xs and xs[0] > 0 and xs[-1] >= 8 * xs[0]:
        axes.set_xscale("log", base=2)
        axes.xaxis.set_minor_locator(NullLocator())
        padding = (xs[-1] / xs[0]) ** 0.05 if len(xs) > 1 else 2.0
        axes.set_xlim(xs[0] / padding, xs[-1] * padding)
        step = -(-len(xs) // _MAX_TICKS)
        ticks = xs[::step]
    else:
        span = (xs[-1] - xs[0]) if len(xs) > 1 else 0.0
        closest = min((b - a for a, b in itertools.pairwise(xs)), default=1.0)
        if len(xs) > _MAX_TICKS or closest < span / (2 * _MAX_TICKS):
            value_axis(axes.xaxis, axes)
            return
        ticks = xs
    axes.set_xticks(ticks, [f"{x:g}" if x % 1 else f"{x:.0f}" for x in ticks])


def _scale_y(axes: Axes, points: Sequence[LinePoint]) -> None:
    value_axis(axes.yaxis, axes)
    values = [
        point.value for point in points if point.value is not None and is_defined(point.value)
    ]
    values += [end for point in points for end in bounds(point.interval) or ()]
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    # if all values are equal, the axis shows a tenth of the value on both sides
    padding = 0.08 * (high - low) or 0.1 * abs(high) or 0.5
    axes.set_ylim(low - padding, high + padding)
