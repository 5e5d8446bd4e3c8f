"""A heatmap for papers: PNG at 300 dpi, SVG or PDF, drawn by matplotlib.

Importing this module loads matplotlib; import it where a chart is drawn.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from matplotlib.patches import Rectangle
from msgspec import Struct

from assay.report.chart import INK, NAME_SIZE, Canvas, Width, canvas
from assay.report.heatmap.grid import Grid, Heatmap, Margin, Panel, Rgb, Tile, colour, ink
from assay.report.heatmap.page import legend_ends
from assay.report.words import heat_word

_TILE_INCHES: Final = 0.3
"""Height of a tile; the width is what the columns leave it."""

_APART: Final = 0.12
"""Between tiles and the means beside them, in tiles."""

_BETWEEN: Final = 0.5
_LEAST_INCHES: Final = 0.29
"""Tiles narrower than this put fewer maps beside each other."""

_AXIS_INCHES: Final = 0.4
"""What the axis's own name takes beside the names of rows."""

_MEAN_SIZE: Final = 5.5
_UPRIGHT_SIZE: Final = 5.0
_BOLDER: Final = 1.16
"""How much wider bold text is."""

_LINE: Final = 1.25 * NAME_SIZE / 72 / _TILE_INCHES
"""A line of text, in tiles."""


class _Place(Struct, frozen=True, kw_only=True):
    """Where a panel's first tile has its corner, in tiles, and what stands over it."""

    panel: Panel
    left: float
    top: float
    name: str
    mean: str


class _Layout(Struct, frozen=True, kw_only=True):
    """A tile's width in inches, how many panels stand side by side, and lines over columns."""

    unit: float
    beside: int
    head_lines: float
    right: float


def heatmap_chart(heatmap: Heatmap, path: Path) -> Path:
    """Draw the maps in the view, mean and colours the heatmap names, and return ``path``."""
    across = len(heatmap.columns) * len(heatmap.panels)
    width: Width = "single" if across <= 6 else "double"
    with canvas(list(_texts(heatmap)), path, lang=heatmap.lang, width=width) as drawing:
        labels = drawing.names(heatmap.rows, 0.24)
        # which mean it is stands over the column: a difference has its own
        below = heat_word("mean", drawing.lang) if _has_margin(heatmap) else ""
        layout = _layout(drawing, heatmap, [*labels, below])
        places, bottom = _arranged(drawing, heatmap, layout)
        for place in places:
            _draw_panel(drawing, heatmap, place, layout)
        tops = sorted({place.top for place in places})
        ticks = [(top + row + 0.5, label) for top in tops for row, label in enumerate(labels)]
        if below:
            ticks += [(top + len(labels) + _APART + 0.5, below) for top in tops]
        bottom = _draw_legend(drawing, heatmap, bottom + 0.35, layout)
        _set_axes(drawing, heatmap, ticks, layout.right, bottom)
        drawing.set_title(heatmap.title)
        drawing.set_height(bottom * _TILE_INCHES)
    return path


def _set_axes(
    drawing: Canvas,
    heatmap: Heatmap,
    ticks: Sequence[tuple[float, str]],
    right: float,
    bottom: float,
) -> None:
    axes = drawing.axes
    axes.set_xlim(-0.05, right + 0.05)
    axes.set_ylim(bottom, 0)
    axes.set_yticks([place for place, _ in ticks], [label for _, label in ticks])
    axes.set_xticks([])
    axes.tick_params(axis="both", length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.xaxis.set_label_position("top")
    drawing.label_axis(axes.xaxis, heatmap.column_title)
    drawing.label_axis(axes.yaxis, heatmap.row_title)


def _layout(drawing: Canvas, heatmap: Heatmap, labels: Sequence[str]) -> _Layout:
    """As many panels side by side as leave their tiles wide enough to read."""
    lines = [line for label in labels for line in label.split("\n")]
    widest = max((drawing.points(line, NAME_SIZE) for line in lines), default=0.0) / 72
    room = drawing.inches - widest - _AXIS_INCHES
    wide = _panel_width(heatmap) + _BETWEEN
    fit = int((room / _LEAST_INCHES + _BETWEEN) / wide)
    beside = max(1, min(len(heatmap.panels), fit))
    right = beside * wide - _BETWEEN
    unit = room / right
    head = 1.2
    if heatmap.dense:
        head = max(drawing.points(name, _UPRIGHT_SIZE) for name in heatmap.columns)
        head = head / NAME_SIZE / 1.25 + 0.3
    elif _has_margin(heatmap):
        said = _mean_words(drawing, heatmap, unit * (1 + _BETWEEN / 2) / drawing.inches)
        head = max(1.2, 0.4 + 0.75 * (1 + said.count("\n")))
    return _Layout(unit=unit, beside=beside, head_lines=head, right=right)


def _mean_words(drawing: Canvas, heatmap: Heatmap, share: float, kind: str = "") -> str:
    """What the margins are the mean of, broken to a share of the figure's width."""
    said = heat_word(f"mean of {kind or heatmap.mean}", drawing.lang)
    return drawing.text(said, share, _MEAN_SIZE)


def _margin(heatmap: Heatmap, grid: Grid) -> Margin | None:
    return grid.margins.get(heatmap.mean)


def _has_margin(heatmap: Heatmap) -> bool:
    return any(panel.grids[heatmap.view].margins for panel in heatmap.panels)


def _panel_width(heatmap: Heatmap) -> float:
    return len(heatmap.columns) + (1 + _APART if _has_margin(heatmap) else 0)


def _arranged(drawing: Canvas, heatmap: Heatmap, layout: _Layout) -> tuple[list[_Place], float]:
    """Where each panel stands, and how far down they all go."""
    places: list[_Place] = []
    top = 0.0
    wide = _panel_width(heatmap)
    height = len(heatmap.rows) + (1 + _APART if _has_margin(heatmap) else 0)
    share = layout.unit * wide / drawing.inches
    over = layout.unit * (1 + _BETWEEN / 2) / drawing.inches
    for first in range(0, len(heatmap.panels), layout.beside):
        band = heatmap.panels[first : first + layout.beside]
        # the title already says what a single map is of
        alone = len(heatmap.panels) == 1
        names = ["" if alone else drawing.text(one.name, share * 0.94, NAME_SIZE) for one in band]
        lines = 0 if alone else max(1.3 + name.count("\n") for name in names)
        top += _LINE * (lines + layout.head_lines) + (0.5 if first else 0.0)
        for place, (panel, name) in enumerate(zip(band, names, strict=True)):
            kind = "questions" if panel.scale == "difference" else ""
            said = _mean_words(drawing, heatmap, over, kind=kind)
            left = place * (wide + _BETWEEN)
            places.append(_Place(panel=panel, left=left, top=top, name=name, mean=said))
        top += height
    return places, top


def _draw_panel(drawing: Canvas, heatmap: Heatmap, place: _Place, layout: _Layout) -> None:
    grid = place.panel.grids[heatmap.view]
    size = min(NAME_SIZE, 72 * layout.unit * 0.9 / max(1.0, _widest(drawing, grid)))
    for row, tiles in enumerate(grid.tiles):
        for column, tile in enumerate(tiles):
            _draw_tile(drawing, heatmap, place, tile, (column, row), size)
    margin = _margin(heatmap, grid)
    columns, rows = len(heatmap.columns), len(heatmap.rows)
    if margin is not None:
        for row, tile in enumerate(margin.rows):
            _draw_tile(drawing, heatmap, place, tile, (columns + _APART, row), size)
        for column, tile in enumerate(margin.columns):
            _draw_tile(drawing, heatmap, place, tile, (column, rows + _APART), size)
        _draw_tile(drawing, heatmap, place, margin.corner, (columns + _APART, rows + _APART), size)
    _name_columns(drawing, heatmap, place)
    drawing.axes.text(
        place.left,
        place.top - _LINE * (layout.head_lines + 0.15),
        place.name,
        fontsize=NAME_SIZE,
        fontweight="bold",
        va="bottom",
    )


def _widest(drawing: Canvas, grid: Grid) -> float:
    """The widest text in a tile, in points for each point of its size."""
    widths = [
        drawing.points(tile.text, 10.0) / 10 * (_BOLDER if tile.marked else 1.0)
        for tile in _tiles(grid)
        if tile.value is not None
    ]
    return max(widths, default=1.0)


def _draw_tile(
    drawing: Canvas,
    heatmap: Heatmap,
    place: _Place,
    tile: Tile,
    at: tuple[float, float],
    size: float,
) -> None:
    panel, axes = place.panel, drawing.axes
    left, top = place.left + at[0], place.top + at[1]
    empty = tile.value is None
    back: Rgb = (
        (222, 224, 227)
        if tile.value is None
        else colour(tile.value, panel.scale, heatmap.palette, panel.reach)
    )
    axes.add_patch(
        Rectangle(
            (left + 0.02, top + 0.02),
            0.96,
            0.96,
            facecolor=tuple(channel / 255 for channel in back),
            edgecolor=INK if tile.marked else "#b8bcc2" if empty else "none",
            linewidth=1.4 if tile.marked else 0.0,
            hatch="////" if empty else None,
            zorder=3 if tile.marked else 2,
        )
    )
    text = drawing.text(tile.text, 1.0)
    if empty:
        size = min(size, NAME_SIZE * 0.72) if not heatmap.dense else size * 0.8
        text = text if heatmap.dense else text.replace(" ", "\n")
    axes.text(
        left + 0.5,
        top + 0.5,
        text,
        ha="center",
        va="center",
        color=ink(back),
        fontsize=size,
        fontweight="bold" if tile.marked else "normal",
        linespacing=0.95,
        zorder=4,
    )


def _name_columns(drawing: Canvas, heatmap: Heatmap, place: _Place) -> None:
    axes = drawing.axes
    high = place.top - 0.1
    for column, name in enumerate(heatmap.columns):
        axes.text(
            place.left + column + 0.5,
            high,
            drawing.text(name),
            ha="center",
            va="bottom",
            fontsize=_UPRIGHT_SIZE if heatmap.dense else NAME_SIZE,
            rotation=90 if heatmap.dense else 0,
        )
    if not _has_margin(heatmap):
        return
    axes.text(
        place.left + len(heatmap.columns) + _APART + 0.5,
        high,
        place.mean,
        ha="center",
        va="bottom",
        fontsize=_MEAN_SIZE,
        linespacing=0.95,
    )


def _draw_legend(drawing: Canvas, heatmap: Heatmap, top: float, layout: _Layout) -> float:
    """Ramps with their ends and the hatch of no data; returns where it ends."""
    axes = drawing.axes
    unit, right = layout.unit, layout.right
    long = min(1.3 / unit, right * 0.4)
    scales = {panel.scale: panel for panel in heatmap.panels}
    for panel in scales.values():
        low, high = legend_ends(panel.scale, panel.reach, drawing.lang)
        start = drawing.points(low, NAME_SIZE) / 72 / unit + 0.06 / unit
        axes.text(0, top + 0.25, low, fontsize=NAME_SIZE, va="center")
        steps = 60
        for step in range(steps):
            share = step / (steps - 1)
            value = panel.reach * (2 * share - 1 if panel.scale == "difference" else share)
            shade = colour(value, panel.scale, heatmap.palette, panel.reach)
            axes.add_patch(
                Rectangle(
                    (start + long * step / steps, top),
                    long / steps * 1.05,
                    0.5,
                    facecolor=tuple(channel / 255 for channel in shade),
                    edgecolor="none",
                )
            )
        axes.text(start + long + 0.06 / unit, top + 0.25, high, fontsize=NAME_SIZE, va="center")
        top += 0.75
    swatch = 0.25 / unit
    axes.add_patch(
        Rectangle(
            (0.02, top), swatch, 0.5, facecolor="#dee0e3", edgecolor="#b8bcc2", hatch="////", lw=0
        )
    )
    said = heat_word("no data", drawing.lang)
    if "recall" in scales:
        said += f"; {heat_word(f'view {heatmap.view}', drawing.lang)}"
    if "difference" in scales:
        said += f"; *: {heat_word('framed', drawing.lang)}"
    room = (right - swatch) * unit / drawing.inches
    lines = drawing.text(said, room, NAME_SIZE)
    axes.text(swatch + 0.06 / unit, top + 0.25, lines, fontsize=NAME_SIZE, va="center_baseline")
    return top + 0.6 + _LINE * lines.count("\n")


def _tiles(grid: Grid) -> Iterator[Tile]:
    for row in grid.tiles:
        yield from row
    for margin in grid.margins.values():
        yield from (*margin.rows, *margin.columns, margin.corner)


def _texts(heatmap: Heatmap) -> Iterator[str]:
    yield from (heatmap.title, heatmap.row_title, heatmap.column_title)
    yield from (*heatmap.rows, *heatmap.columns)
    for panel in heatmap.panels:
        yield panel.name
        yield from (tile.text for tile in _tiles(panel.grids[heatmap.view]))
        yield from legend_ends(panel.scale, panel.reach, heatmap.lang)
    words = (
        "no data",
        "mean of cells",
        "mean of questions",
        "view all",
        "view parsed",
        "framed",
        "mean",
    )
    yield from (heat_word(key, heatmap.lang) for key in words)
