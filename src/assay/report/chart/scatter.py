"""Points: what each variant costs against what it brings, with the Pareto front."""

import itertools
from collections.abc import Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from assay.report.chart.place import Box, name_boxes
from assay.report.chart.point import Direction, Spot, bounds, levels, pareto_front
from assay.report.chart.style import (
    BLUE,
    GREY,
    NAME_SIZE,
    VERMILLION,
    Canvas,
    Width,
    canvas,
    halo,
    value_axis,
)
from assay.report.table import is_defined
from assay.report.words import Lang

_MOST_NAMED = 10
_REACH = (5.0, 10.0, 18.0, 30.0, 45.0)


class _Group:
    """Variants at one point, which share a marker and a name."""

    def __init__(self, x: float, y: float) -> None:
        self.x, self.y = x, y
        self.spots: list[Spot] = []
        self.numbers: list[int] = []


def scatter_chart(
    spots: Sequence[Spot],
    path: Path,
    *,
    x_label: str,
    y_label: str,
    title: str = "",
    x_better: Direction = "lower",
    y_better: Direction = "higher",
    width: Width = "single",
    lang: Lang = "en",
) -> Path:
    """Draw variants between two metrics and return ``path``.

    Variants no other beats are filled and joined by the front; the others are hollow. Names
    stand beside the points where all fit, otherwise numbers do, with a key below. Variants
    without a value are named under the axis.
    """
    texts = [x_label, y_label, title, *(spot.name for spot in spots)]
    with canvas(texts, path, lang=lang, width=width) as drawing:
        groups = _grouped(spots)
        front = pareto_front(
            [(group.x, group.y) for group in groups], x_better=x_better, y_better=y_better
        )
        drawing.set_height(2.0 if width == "single" else 3.0)
        drawing.set_title(title)
        _scale(drawing.axes, groups)
        _draw(drawing.axes, groups, front)
        _label(drawing, spots, x_label, y_label)
        if not groups:
            drawing.say_empty()
        _explain(drawing, groups, front)
        _name(drawing, groups, spots, front)
    return path


def _grouped(spots: Sequence[Spot]) -> list[_Group]:
    groups: dict[tuple[float, float], _Group] = {}
    for number, spot in enumerate(spots, 1):
        if spot.x is None or spot.y is None or not (is_defined(spot.x) and is_defined(spot.y)):
            continue
        group = groups.setdefault((spot.x, spot.y), _Group(spot.x, spot.y))
        group.spots.append(spot)
        group.numbers.append(number)
    return list(groups.values())


def _scale(axes: Axes, groups: Sequence[_Group]) -> None:
    value_axis(axes.xaxis, axes, ticks=5)
    value_axis(axes.yaxis, axes, ticks=5)
    axes.grid(visible=True)
    for values, intervals, set_limits in (
        (
            [group.x for group in groups],
            [bounds(spot.x_interval) for group in groups for spot in group.spots],
            axes.set_xlim,
        ),
        (
            [group.y for group in groups],
            [bounds(spot.y_interval) for group in groups for spot in group.spots],
            axes.set_ylim,
        ),
    ):
        ends = [*values, *(end for interval in intervals for end in interval or ())] or [0.0, 1.0]
        room = 0.12 * (max(ends) - min(ends)) or 0.1 * abs(max(ends)) or 0.5
        set_limits(min(ends) - room, max(ends) + room)


def _draw(axes: Axes, groups: Sequence[_Group], front: Sequence[int]) -> None:
    for place, group in enumerate(groups):
        on_front = place in front
        colour = BLUE if on_front else GREY
        for spot in group.spots:
            across, up = bounds(spot.x_interval), bounds(spot.y_interval)
            if across:
                axes.plot(across, [group.y, group.y], color=colour, linewidth=0.6, alpha=0.6)
            if up:
                axes.plot([group.x, group.x], up, color=colour, linewidth=0.6, alpha=0.6)
        axes.plot(
            group.x,
            group.y,
            marker="o",
            markersize=5,
            markeredgecolor=colour,
            markerfacecolor=colour if on_front else "white",
            zorder=3,
        )
    axes.plot(
        [groups[place].x for place in front],
        [groups[place].y for place in front],
        color=VERMILLION,
        linewidth=0.9,
        linestyle=(0, (4, 2)),
        zorder=2,
    )


def _label(drawing: Canvas, spots: Sequence[Spot], x_label: str, y_label: str) -> None:
    absent = [
        spot.name
        for spot in spots
        if spot.x is None or spot.y is None or not (is_defined(spot.x) and is_defined(spot.y))
    ]
    below = drawing.word("not shown", names=", ".join(absent)) if absent else ""
    axes = drawing.axes
    drawing.label_axis(axes.xaxis, x_label, levels([spot.x_interval for spot in spots]), below)
    drawing.label_axis(axes.yaxis, y_label, levels([spot.y_interval for spot in spots]))


def _explain(drawing: Canvas, groups: Sequence[_Group], front: Sequence[int]) -> None:
    if len(groups) < 2:
        return
    handles = [
        Line2D(
            [],
            [],
            color=VERMILLION,
            linewidth=0.9,
            linestyle=(0, (4, 2)),
            marker="o",
            markersize=5,
            markeredgecolor=BLUE,
            markerfacecolor=BLUE,
            label=drawing.word("front"),
        )
    ]
    if len(front) < len(groups):
        handles.append(
            Line2D(
                [],
                [],
                linestyle="",
                marker="o",
                markersize=5,
                markeredgecolor=GREY,
                markerfacecolor="white",
                label=drawing.word("dominated"),
            )
        )
    # over the axes, not "outside upper", where it would cover the title
    drawing.axes.legend(
        handles=handles, loc="lower center", bbox_to_anchor=(0.5, 1.0), borderaxespad=0.2, ncols=2
    )


def _name(
    drawing: Canvas, groups: Sequence[_Group], spots: Sequence[Spot], front: Sequence[int]
) -> None:
    """Names beside the points; numbers and a key where the names do not fit."""
    names = drawing.names([spot.name for spot in spots], 0.4)
    direct = ["\n".join(names[number - 1] for number in group.numbers) for group in groups]
    if len(spots) <= _MOST_NAMED:
        boxes = _boxes(drawing, groups, direct, front, clear=True)
        if None not in boxes:
            _write(drawing, groups, direct, boxes)
            return
    _add_key(drawing, groups, spots)
    numbers = [_ranges(group.numbers) for group in groups]
    _write(drawing, groups, numbers, _boxes(drawing, groups, numbers, front))


def _boxes(
    drawing: Canvas,
    groups: Sequence[_Group],
    texts: Sequence[str],
    front: Sequence[int],
    *,
    clear: bool = False,
) -> list[Box | None]:
    """Where the texts may stand, in pixels of the figure as laid out now."""
    drawing.settle()
    axes = drawing.axes
    pixel = drawing.figure.dpi / 72
    sizes = []
    for text in texts:
        measured = axes.annotate(text, (0.5, 0.5), xycoords="axes fraction", fontsize=NAME_SIZE)
        extent = measured.get_window_extent()
        measured.remove()
        sizes.append((extent.width, extent.height))
    points = [_pixels(axes, group) for group in groups]
    frame = axes.get_window_extent()
    return name_boxes(
        points,
        sizes,
        Box(frame.x0, frame.y0, frame.x1, frame.y1),
        radius=3.5 * pixel,
        reach=[distance * pixel for distance in _REACH],
        lines=[(points[one], points[other]) for one, other in itertools.pairwise(front)],
        clear=clear,
    )


def _pixels(axes: Axes, group: _Group) -> tuple[float, float]:
    x, y = axes.transData.transform((group.x, group.y))
    return float(x), float(y)


def _write(
    drawing: Canvas, groups: Sequence[_Group], texts: Sequence[str], boxes: Sequence[Box | None]
) -> None:
    pixel = drawing.figure.dpi / 72
    for group, text, box in zip(groups, texts, boxes, strict=True):
        x, y = _pixels(drawing.axes, group)
        # without a free spot a number may overlap; the key still names every point
        across, up = (0.0, 9.0)
        if box is not None:
            across = ((box.left + box.right) / 2 - x) / pixel
            up = ((box.bottom + box.top) / 2 - y) / pixel
        far = box is not None and box.away(x, y) > _REACH[0] * 1.5 * pixel
        written = drawing.axes.annotate(
            text,
            (group.x, group.y),
            xytext=(across, up),
            textcoords="offset points",
            ha="center",
            va="center",
            fontsize=NAME_SIZE,
            zorder=4,
            path_effects=halo(),
            arrowprops={"arrowstyle": "-", "linewidth": 0.4, "color": GREY, "shrinkB": 3}
            if far
            else None,
        )
        written.set_in_layout(False)  # it stands inside the axes already


def _ranges(numbers: Sequence[int]) -> str:
    """``1–3, 7`` for 1, 2, 3 and 7.

    >>> _ranges([1, 2, 3, 7])
    '1–3, 7'
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def _add_key(drawing: Canvas, groups: Sequence[_Group], spots: Sequence[Spot]) -> None:
    """The numbered names under the chart."""
    names = drawing.names([spot.name for spot in spots], 0.85 if len(spots) <= 10 else 0.4)
    shown = sorted(number for group in groups for number in group.numbers)
    entries = [f"{number}  {names[number - 1]}".replace("\n", "\n     ") for number in shown]
    columns = drawing.columns(entries, beside=12)
    lines = sum(1 + entry.count("\n") for entry in entries)
    drawing.set_height(drawing.axes_inches, legend_lines=lines)
    drawing.figure.legend(
        [Line2D([], [], linestyle="") for _ in entries],
        entries,
        loc="outside lower center",
        ncols=columns,
        handlelength=0,
        handletextpad=0,
        fontsize=NAME_SIZE,
        labelspacing=0.25,
        columnspacing=1.2,
    )
