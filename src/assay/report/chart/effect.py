"""Effects: differences to the baseline with their intervals, the largest on top."""

from collections.abc import Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from assay.report.chart.point import Difference, Direction, bounds, levels
from assay.report.chart.style import (
    BLUE,
    GREY,
    INK,
    VERMILLION,
    Canvas,
    Width,
    canvas,
    rows,
    value_axis,
)
from assay.report.table import MISSING, is_defined
from assay.report.words import Lang


def effect_chart(
    differences: Sequence[Difference],
    path: Path,
    *,
    label: str,
    baseline: str,
    title: str = "",
    better: Direction | None = "higher",
    width: Width = "single",
    lang: Lang = "en",
) -> Path:
    """Draw differences to ``baseline``, largest on top, and return ``path``.

    A filled marker is significant, a hollow one is not; blue is better, orange worse. An
    arrow says which way is better. Undefined differences are a dash, at the bottom.
    """
    ordered = sorted(
        differences,
        key=lambda one: (not _known(one), -(one.difference or 0.0), one.name),
    )
    texts = [label, title, baseline, *(one.name for one in ordered)]
    with canvas(texts, path, lang=lang, width=width) as drawing:
        axes = drawing.axes
        names = drawing.names([one.name for one in ordered], 0.38 if len(ordered) <= 12 else 0.46)
        places, length = rows(names)
        drawing.set_height(max(length, 0.35))
        axes.axvline(0.0, color=INK, linewidth=0.7)
        for place, one in zip(places, ordered, strict=True):
            _draw(axes, place, one, better)
        axes.set_yticks(places, names)
        axes.set_ylim(length, 0.0)
        axes.tick_params(axis="y", length=0)
        _scale(axes, ordered)
        _label(drawing, ordered, label, baseline, better)
        drawing.set_title(title)
    return path


def _known(one: Difference) -> bool:
    return one.difference is not None and is_defined(one.difference)


def _colour(one: Difference, better: Direction | None) -> str:
    if not one.significant or one.difference is None or better is None:
        return INK
    return BLUE if (one.difference > 0) == (better == "higher") else VERMILLION


def _draw(axes: Axes, place: float, one: Difference, better: Direction | None) -> None:
    if not _known(one) or one.difference is None:
        axes.annotate(MISSING, (0.0, place), xytext=(5, 0), textcoords="offset points", va="center")
        return
    colour = _colour(one, better)
    interval = bounds(one.interval)
    if interval:
        axes.plot(interval, [place, place], color=colour, linewidth=1.1, marker="|", markersize=4)
    axes.plot(
        one.difference,
        place,
        marker="o",
        markersize=5,
        markeredgecolor=colour,
        markerfacecolor=colour if one.significant else "white",
        zorder=3,
    )


def _scale(axes: Axes, differences: Sequence[Difference]) -> None:
    value_axis(axes.xaxis, axes, ticks=5)
    ends = [one.difference for one in differences if one.difference is not None and _known(one)]
    ends += [end for one in differences for end in bounds(one.interval) or ()]
    low, high = min([0.0, *ends]), max([0.0, *ends])
    room = 0.08 * (high - low) or 0.1
    axes.set_xlim(low - room, high + room)


def _label(
    drawing: Canvas,
    differences: Sequence[Difference],
    label: str,
    baseline: str,
    better: Direction | None,
) -> None:
    said = f"{label}: {drawing.word('difference', baseline=baseline)}"
    below = ""
    if better is not None:
        arrow = "{} →" if better == "higher" else "← {}"
        below = arrow.format(drawing.word("better"))
    known = levels([one.interval for one in differences])
    drawing.label_axis(drawing.axes.xaxis, said, known, below)
    kinds = {one.significant for one in differences if _known(one)}
    handles = [
        Line2D(
            [],
            [],
            marker="o",
            markersize=5,
            linestyle="",
            markeredgecolor=INK,
            markerfacecolor=GREY if filled else "white",
            label=drawing.word("significant" if filled else "not significant"),
        )
        for filled in sorted(kinds, reverse=True)
    ]
    if handles:
        drawing.figure.legend(handles=handles, loc="outside lower center", ncols=2)
