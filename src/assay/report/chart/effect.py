"""Effect charts: the differences of variants to the baseline, with their intervals."""

import itertools
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import NullLocator
from msgspec import Struct

from assay.report.chart.scatter import Direction, DrawnDifference, LinePoint, bounds, levels
from assay.report.chart.style import (
    BETTER,
    DIFFERENCE,
    MARKERS,
    NOT_SIGNIFICANT,
    SIGNIFICANT,
    Canvas,
    Width,
    add_legend,
    canvas,
    end_at_one,
    rows,
    value_axis,
)
from assay.report.look import BLUE, GREY, INK, MISSING, PALETTE, VERMILLION
from assay.report.table.table import is_defined
from assay.words.language import Lang


def effect_chart(
    differences: Sequence[DrawnDifference],
    path: Path,
    *,
    label: str,
    baseline: str,
    title: str = "",
    better: Direction | None = "higher",
    width: Width = "single",
    lang: Lang = "en",
) -> Path:
    """Draw differences to ``baseline`` with the largest at the top, and return ``path``.

    The marker of a significant difference is filled: blue if the variant is better, orange if it
    is worse, black if ``better`` is ``None``. Other markers are hollow. An arrow shows which
    direction is better. Undefined differences are shown as a dash at the bottom.
    """
    ordered = sorted(
        differences,
        key=lambda effect: (not _has_value(effect), -(effect.difference or 0.0), effect.name),
    )
    effect_names = [effect.name for effect in ordered]
    texts = [label, title, baseline, *effect_names]
    with canvas(texts, path, lang=lang, width=width) as drawing:
        axes = drawing.axes
        names = drawing.names(effect_names, 0.38 if len(ordered) <= 12 else 0.46)
        centres, length = rows(names)
        drawing.set_height(max(length, 0.35))
        axes.axvline(0.0, color=INK, linewidth=0.7)
        for centre, effect in zip(centres, ordered, strict=True):
            _draw(axes, centre, effect, better)
        axes.set_yticks(centres, names)
        axes.set_ylim(length, 0.0)
        axes.tick_params(axis="y", length=0)
        _scale(axes, ordered)
        _label(drawing, ordered, label, baseline, better)
        drawing.set_title(title)
    return path


def _has_value(effect: DrawnDifference) -> bool:
    return effect.difference is not None and is_defined(effect.difference)


def _colour(effect: DrawnDifference, better: Direction | None) -> str:
    if not effect.significant or effect.difference is None or better is None:
        return INK
    return BLUE if (effect.difference > 0) == (better == "higher") else VERMILLION


def _draw(axes: Axes, y: float, effect: DrawnDifference, better: Direction | None) -> None:
    if not _has_value(effect) or effect.difference is None:
        axes.annotate(MISSING, (0.0, y), xytext=(5, 0), textcoords="offset points", va="center")
        return
    colour = _colour(effect, better)
    interval = bounds(effect.interval)
    if interval:
        axes.plot(interval, [y, y], color=colour, linewidth=1.1, marker="|", markersize=4)
    axes.plot(
        effect.difference,
        y,
        marker="o",
        markersize=5,
        markeredgecolor=colour,
        markerfacecolor=colour if effect.significant else "white",
        zorder=3,
    )


def _scale(axes: Axes, differences: Sequence[DrawnDifference]) -> None:
    value_axis(axes.xaxis, axes, ticks=5)
    values = [
        effect.difference
        for effect in differences
        if effect.difference is not None and _has_value(effect)
    ]
    values += [end for effect in differences for end in bounds(effect.interval) or ()]
    low, high = min([0.0, *values]), max([0.0, *values])
    padding = 0.08 * (high - low) or 0.1
    axes.set_xlim(low - padding, high + padding)


def _label(
    drawing: Canvas,
    differences: Sequence[DrawnDifference],
    label: str,
    baseline: str,
    better: Direction | None,
) -> None:
    axis_label = f"{label}: {drawing.say(DIFFERENCE, baseline=baseline)}"
    below = ""
    if better is not None:
        arrow = "{} →" if better == "higher" else "← {}"
        below = arrow.format(drawing.say(BETTER))
    interval_levels = levels([effect.interval for effect in differences])
    drawing.label_axis(drawing.axes.xaxis, axis_label, interval_levels, below)
    kinds = {effect.significant for effect in differences if _has_value(effect)}
    handles = [
        Line2D(
            [],
            [],
            marker="o",
            markersize=5,
            linestyle="",
            markeredgecolor=INK,
            markerfacecolor=GREY if filled else "white",
            label=drawing.say(SIGNIFICANT if filled else NOT_SIGNIFICANT),
        )
        for filled in sorted(kinds, reverse=True)
    ]
    if handles:
        drawing.figure.legend(handles=handles, loc="outside lower center", ncols=2)


# Sequence charts: how the interval of a difference narrowed, until it was decided.

MOST_BANDS: Final = 3
"""Bands of more variants would hide each other; their ends are drawn only."""


class SequenceStep(Struct, frozen=True, kw_only=True):
    """The difference and its interval after ``x`` questions."""

    x: int
    difference: float | None
    low: float
    high: float


class SequenceSeries(Struct, frozen=True, kw_only=True):
    """A variant; ``name`` also says what was decided, and after how many questions."""

    name: str
    steps: Sequence[SequenceStep]


def sequence_chart(
    series: Sequence[SequenceSeries],
    path: Path,
    *,
    x_label: str,
    label: str,
    margin: float = 0.0,
    width: Width = "single",
    lang: Lang = "en",
) -> Path:
    """Draw the differences over the number of questions with their intervals as bands or dotted lines.

    A line marks zero, dashed lines mark the ``margin``. The first intervals span everything and
    are cut off.
    """
    names = [each.name for each in series]
    with canvas([x_label, label, *names], path, lang=lang, width=width) as drawing:
        axes = drawing.axes
        drawing.set_height(1.9 if width == "single" else 2.8)
        axes.axhline(0.0, color=INK, linewidth=0.7)
        for limit in (margin, -margin) if margin else ():
            axes.axhline(limit, color=INK, linewidth=0.7, linestyle="--")
        is_filled = len(series) <= MOST_BANDS
        handles = [
            _sequence_draw(drawing, each.steps, number, is_filled=is_filled)
            for number, each in enumerate(series)
        ]
        value_axis(axes.xaxis, axes)
        value_axis(axes.yaxis, axes)
        most = 1.05 * _reach(series, margin)
        axes.set_ylim(-most, most)
        axes.set_xlim(0, max((each.steps[-1].x for each in series if each.steps), default=1))
        drawing.label_axis(axes.xaxis, x_label)
        drawing.label_axis(axes.yaxis, label)
        if not any(each.steps for each in series):
            drawing.write_no_data()
        add_legend(drawing, names, handles)
    return path


def _sequence_draw(
    drawing: Canvas, steps: Sequence[SequenceStep], number: int, *, is_filled: bool
) -> Line2D:
    colour, axes = PALETTE[number % len(PALETTE)], drawing.axes
    xs = [step.x for step in steps]
    lows, highs = [step.low for step in steps], [step.high for step in steps]
    if is_filled:
        axes.fill_between(xs, lows, highs, step="post", color=colour, alpha=0.12, linewidth=0)
    for ends in (lows, highs):
        axes.step(xs, ends, where="post", color=colour, linewidth=0.6, linestyle=":")
    known = [(step.x, step.difference) for step in steps if step.difference is not None]
    (handle,) = axes.plot(
        [x for x, _ in known],
        [value for _, value in known],
        color=colour,
        linewidth=1.0,
        marker=MARKERS[number % len(MARKERS)],
        markevery=max(1, len(known) // 6),
    )
    return handle


def _reach(series: Sequence[SequenceSeries], margin: float) -> float:
    """How far the intervals reach after the first eighth of the questions."""
    ends = [
        max(abs(step.low), abs(step.high))
        for each in series
        for step in each.steps[min(len(each.steps) - 1, -(-len(each.steps) // 8)) :]
    ]
    return max([0.05, margin, *ends])


# Line charts: a metric over an ordered variable, with its intervals as a band.

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
            _line_draw(axes, sorted(line, key=lambda point: point.x), number)
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


def _line_draw(axes: Axes, line: Sequence[LinePoint], number: int) -> Line2D:
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
