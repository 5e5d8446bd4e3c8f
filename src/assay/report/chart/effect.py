"""Effect charts: the differences of variants to the baseline, with their intervals."""

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


def _has_value(effect: Difference) -> bool:
    return effect.difference is not None and is_defined(effect.difference)


def _colour(effect: Difference, better: Direction | None) -> str:
    if not effect.significant or effect.difference is None or better is None:
        return INK
    return BLUE if (effect.difference > 0) == (better == "higher") else VERMILLION


def _draw(axes: Axes, y: float, effect: Difference, better: Direction | None) -> None:
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


def _scale(axes: Axes, differences: Sequence[Difference]) -> None:
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
    differences: Sequence[Difference],
    label: str,
    baseline: str,
    better: Direction | None,
) -> None:
    axis_label = f"{label}: {drawing.word('difference', baseline=baseline)}"
    below = ""
    if better is not None:
        arrow = "{} →" if better == "higher" else "← {}"
        below = arrow.format(drawing.word("better"))
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
            label=drawing.word("significant" if filled else "not significant"),
        )
        for filled in sorted(kinds, reverse=True)
    ]
    if handles:
        drawing.figure.legend(handles=handles, loc="outside lower center", ncols=2)
