"""Sequence charts: how the interval of a difference narrowed, until it was decided."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from matplotlib.lines import Line2D
from msgspec import Struct

from assay.report.chart.legend import add_legend
from assay.report.chart.style import INK, MARKERS, PALETTE, Canvas, Width, canvas, value_axis
from assay.report.words import Lang

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
            _draw(drawing, each.steps, number, is_filled=is_filled)
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


def _draw(
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
