"""A heatmap as a picture for papers: PNG with 300 dpi, SVG or PDF.

Importing this module loads matplotlib, so import it only where a heatmap is drawn. Positions and
sizes are in tiles unless a name says inches or points: the height of a tile is fixed, and its
width depends on the number of columns.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from matplotlib.patches import Rectangle
from msgspec import Struct
from msgspec.structs import replace

from assay.jobs.depth.map.page import (
    Axes,
    Grid,
    Heatmap,
    ListedQuestion,
    Listing,
    Margin,
    Panel,
    Rgb,
    Tile,
    colour,
    ink,
    legend_ends,
)
from assay.jobs.depth.map.words import heat_word
from assay.report.chart.style import INK, NAME_SIZE, Canvas, Width, canvas

_TILE_INCHES: Final = 0.3
"""The height of a tile."""

_MARGIN_GAP: Final = 0.12
"""The space between the tiles and their means."""

_PANEL_GAP: Final = 0.5
"""The space between two panels side by side."""

_MIN_TILE_INCHES: Final = 0.29
"""If tiles became narrower than this, fewer panels are put side by side."""

_AXIS_LABEL_INCHES: Final = 0.4
"""The space for the label of the vertical axis, beside the names of the rows."""

_MEAN_SIZE: Final = 5.5
_ROTATED_SIZE: Final = 5.0
_BOLD_FACTOR: Final = 1.16
"""The width of bold text relative to normal text."""

_LINE: Final = 1.25 * NAME_SIZE / 72 / _TILE_INCHES
"""The height of a line of text, in tiles."""


class _PanelPosition(Struct, frozen=True, kw_only=True):
    """The upper left corner of a panel's first tile, and the texts above the panel."""

    panel: Panel
    left: float
    top: float
    name: str
    mean_title: str


class _Layout(Struct, frozen=True, kw_only=True):
    """The arrangement of the panels.

    ``tile_inches`` is the width of a tile, ``panels_per_row`` the number of panels side by side,
    ``head_lines`` the number of text lines above the tiles, and ``right`` the right edge of all
    panels.
    """

    tile_inches: float
    panels_per_row: int
    head_lines: float
    right: float


def heatmap_chart(heatmap: Heatmap, path: Path) -> Path:
    """Draw the maps with the view, mean and palette of the heatmap, and return ``path``."""
    columns = len(heatmap.columns) * len(heatmap.panels)
    width: Width = "single" if columns <= 6 else "double"
    with canvas(list(_texts(heatmap)), path, lang=heatmap.lang, width=width) as drawing:
        labels = drawing.names(heatmap.rows, 0.24)
        # the kind of mean is stated above the column, because panels may have different kinds
        mean_label = heat_word("mean", drawing.lang) if _has_margin(heatmap) else ""
        layout = _layout(drawing, heatmap, [*labels, mean_label])
        positions, bottom = _panel_positions(drawing, heatmap, layout)
        for position in positions:
            _draw_panel(drawing, heatmap, position, layout)
        tops = sorted({position.top for position in positions})
        ticks = [(top + row + 0.5, label) for top in tops for row, label in enumerate(labels)]
        if mean_label:
            ticks += [(top + len(labels) + _MARGIN_GAP + 0.5, mean_label) for top in tops]
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
    axes.set_yticks([y for y, _ in ticks], [label for _, label in ticks])
    axes.set_xticks([])
    axes.tick_params(axis="both", length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.xaxis.set_label_position("top")
    drawing.label_axis(axes.xaxis, heatmap.column_title)
    drawing.label_axis(axes.yaxis, heatmap.row_title)


def _layout(drawing: Canvas, heatmap: Heatmap, labels: Sequence[str]) -> _Layout:
    """The layout with as many panels side by side as leave their tiles wide enough to read."""
    lines = [line for label in labels for line in label.split("\n")]
    widest = max((drawing.points(line, NAME_SIZE) for line in lines), default=0.0) / 72
    available_inches = drawing.inches - widest - _AXIS_LABEL_INCHES
    pitch = _panel_width(heatmap) + _PANEL_GAP
    most_panels = int((available_inches / _MIN_TILE_INCHES + _PANEL_GAP) / pitch)
    panels_per_row = max(1, min(len(heatmap.panels), most_panels))
    right = panels_per_row * pitch - _PANEL_GAP
    tile_inches = available_inches / right
    head_lines = 1.2
    if heatmap.dense:
        longest = max(drawing.points(name, _ROTATED_SIZE) for name in heatmap.columns)
        head_lines = longest / NAME_SIZE / 1.25 + 0.3
    elif _has_margin(heatmap):
        mean_title = _mean_title(drawing, heatmap, _mean_title_share(drawing, tile_inches))
        head_lines = max(1.2, 0.4 + 0.75 * (1 + mean_title.count("\n")))
    return _Layout(
        tile_inches=tile_inches,
        panels_per_row=panels_per_row,
        head_lines=head_lines,
        right=right,
    )


def _mean_title(drawing: Canvas, heatmap: Heatmap, share: float, kind: str = "") -> str:
    """The title of the means ("mean of cells"), wrapped to a share of the figure's width."""
    title = heat_word(f"mean of {kind or heatmap.mean}", drawing.lang)
    return drawing.text(title, share, _MEAN_SIZE)


def _mean_title_share(drawing: Canvas, tile_inches: float) -> float:
    """The width available for the title of the means, as a share of the figure's width."""
    return tile_inches * (1 + _PANEL_GAP / 2) / drawing.inches


def _margin(heatmap: Heatmap, grid: Grid) -> Margin | None:
    return grid.margins.get(heatmap.mean)


def _has_margin(heatmap: Heatmap) -> bool:
    return any(panel.grids[heatmap.view].margins for panel in heatmap.panels)


def _panel_width(heatmap: Heatmap) -> float:
    return len(heatmap.columns) + (1 + _MARGIN_GAP if _has_margin(heatmap) else 0)


def _panel_positions(
    drawing: Canvas, heatmap: Heatmap, layout: _Layout
) -> tuple[list[_PanelPosition], float]:
    """The position of each panel, and the bottom edge of all panels."""
    positions: list[_PanelPosition] = []
    top = 0.0
    width = _panel_width(heatmap)
    height = len(heatmap.rows) + (1 + _MARGIN_GAP if _has_margin(heatmap) else 0)
    name_share = layout.tile_inches * width / drawing.inches * 0.94
    mean_share = _mean_title_share(drawing, layout.tile_inches)
    # a single panel needs no name: the title of the figure says what it shows
    is_single = len(heatmap.panels) == 1
    for first in range(0, len(heatmap.panels), layout.panels_per_row):
        row = heatmap.panels[first : first + layout.panels_per_row]
        names = [
            "" if is_single else drawing.text(panel.name, name_share, NAME_SIZE) for panel in row
        ]
        lines = 0 if is_single else max(1.3 + name.count("\n") for name in names)
        top += _LINE * (lines + layout.head_lines) + (0.5 if first else 0.0)
        for index, (panel, name) in enumerate(zip(row, names, strict=True)):
            kind = "questions" if panel.scale == "difference" else ""
            positions.append(
                _PanelPosition(
                    panel=panel,
                    left=index * (width + _PANEL_GAP),
                    top=top,
                    name=name,
                    mean_title=_mean_title(drawing, heatmap, mean_share, kind=kind),
                )
            )
        top += height
    return positions, top


def _draw_panel(
    drawing: Canvas, heatmap: Heatmap, position: _PanelPosition, layout: _Layout
) -> None:
    grid = position.panel.grids[heatmap.view]
    size = min(NAME_SIZE, 72 * layout.tile_inches * 0.9 / max(1.0, _widest(drawing, grid)))
    for row, tiles in enumerate(grid.tiles):
        for column, tile in enumerate(tiles):
            _draw_tile(drawing, heatmap, position, tile, (column, row), size)
    margin = _margin(heatmap, grid)
    columns, rows = len(heatmap.columns), len(heatmap.rows)
    if margin is not None:
        for row, tile in enumerate(margin.rows):
            _draw_tile(drawing, heatmap, position, tile, (columns + _MARGIN_GAP, row), size)
        for column, tile in enumerate(margin.columns):
            _draw_tile(drawing, heatmap, position, tile, (column, rows + _MARGIN_GAP), size)
        _draw_tile(
            drawing,
            heatmap,
            position,
            margin.corner,
            (columns + _MARGIN_GAP, rows + _MARGIN_GAP),
            size,
        )
    _name_columns(drawing, heatmap, position)
    drawing.axes.text(
        position.left,
        position.top - _LINE * (layout.head_lines + 0.15),
        position.name,
        fontsize=NAME_SIZE,
        fontweight="bold",
        va="bottom",
    )


def _widest(drawing: Canvas, grid: Grid) -> float:
    """The width of the widest text of all tiles, relative to its font size."""
    widths = [
        drawing.points(tile.text, 10.0) / 10 * (_BOLD_FACTOR if tile.marked else 1.0)
        for tile in _tiles(grid)
        if tile.value is not None
    ]
    return max(widths, default=1.0)


def _draw_tile(
    drawing: Canvas,
    heatmap: Heatmap,
    position: _PanelPosition,
    tile: Tile,
    offset: tuple[float, float],
    size: float,
) -> None:
    panel, axes = position.panel, drawing.axes
    left, top = position.left + offset[0], position.top + offset[1]
    is_empty = tile.value is None
    background: Rgb = (
        (222, 224, 227)
        if tile.value is None
        else colour(tile.value, panel.scale, heatmap.palette, panel.reach)
    )
    axes.add_patch(
        Rectangle(
            (left + 0.02, top + 0.02),
            0.96,
            0.96,
            facecolor=tuple(channel / 255 for channel in background),
            edgecolor=INK if tile.marked else "#b8bcc2" if is_empty else "none",
            linewidth=1.4 if tile.marked else 0.0,
            hatch="////" if is_empty else None,
            zorder=3 if tile.marked else 2,
        )
    )
    text = drawing.text(_tile_text(tile, heatmap), 1.0)
    if is_empty:
        size = min(size, NAME_SIZE * 0.72) if not heatmap.dense else size * 0.8
        text = text if heatmap.dense else text.replace(" ", "\n")
    axes.text(
        left + 0.5,
        top + 0.5,
        text,
        ha="center",
        va="center",
        color=ink(background),
        fontsize=size,
        fontweight="bold" if tile.marked else "normal",
        linespacing=0.95,
        zorder=4,
    )


def _name_columns(drawing: Canvas, heatmap: Heatmap, position: _PanelPosition) -> None:
    axes = drawing.axes
    baseline = position.top - 0.1
    for column, name in enumerate(heatmap.columns):
        axes.text(
            position.left + column + 0.5,
            baseline,
            drawing.text(name),
            ha="center",
            va="bottom",
            fontsize=_ROTATED_SIZE if heatmap.dense else NAME_SIZE,
            rotation=90 if heatmap.dense else 0,
        )
    if not _has_margin(heatmap):
        return
    axes.text(
        position.left + len(heatmap.columns) + _MARGIN_GAP + 0.5,
        baseline,
        position.mean_title,
        ha="center",
        va="bottom",
        fontsize=_MEAN_SIZE,
        linespacing=0.95,
    )


def _draw_legend(drawing: Canvas, heatmap: Heatmap, top: float, layout: _Layout) -> float:
    """Draw a colour ramp for each scale and the hatching of missing data.

    Returns the bottom edge of the legend.
    """
    axes = drawing.axes
    tile_inches, right = layout.tile_inches, layout.right
    ramp = min(1.3 / tile_inches, right * 0.4)
    scales = {panel.scale: panel for panel in heatmap.panels}
    for panel in scales.values():
        low, high = legend_ends(panel.scale, panel.reach, drawing.lang)
        start = drawing.points(low, NAME_SIZE) / 72 / tile_inches + 0.06 / tile_inches
        axes.text(0, top + 0.25, low, fontsize=NAME_SIZE, va="center")
        steps = 60
        for step in range(steps):
            share = step / (steps - 1)
            value = panel.reach * (2 * share - 1 if panel.scale == "difference" else share)
            shade = colour(value, panel.scale, heatmap.palette, panel.reach)
            axes.add_patch(
                Rectangle(
                    (start + ramp * step / steps, top),
                    ramp / steps * 1.05,
                    0.5,
                    facecolor=tuple(channel / 255 for channel in shade),
                    edgecolor="none",
                )
            )
        end = start + ramp + 0.06 / tile_inches
        axes.text(end, top + 0.25, high, fontsize=NAME_SIZE, va="center")
        top += 0.75
    swatch = 0.25 / tile_inches
    axes.add_patch(
        Rectangle(
            (0.02, top), swatch, 0.5, facecolor="#dee0e3", edgecolor="#b8bcc2", hatch="////", lw=0
        )
    )
    note = heat_word("no data", drawing.lang)
    if "recall" in scales:
        note += f"; {heat_word(f'view {heatmap.view}', drawing.lang)}"
    if "difference" in scales:
        note += f"; *: {heat_word('framed', drawing.lang)}"
    share = (right - swatch) * tile_inches / drawing.inches
    lines = drawing.text(note, share, NAME_SIZE)
    left = swatch + 0.06 / tile_inches
    axes.text(left, top + 0.25, lines, fontsize=NAME_SIZE, va="center_baseline")
    return top + 0.6 + _LINE * lines.count("\n")


def _tiles(grid: Grid) -> Iterator[Tile]:
    for row in grid.tiles:
        yield from row
    for margin in grid.margins.values():
        yield from (*margin.rows, *margin.columns, margin.corner)


def _tile_text(tile: Tile, heatmap: Heatmap) -> str:
    """The text of a tile; a picture says "no data" in one language only, which needs one font."""
    is_no_data = tile.text == heat_word("no data tile", heatmap.lang)
    return heat_word("no data", heatmap.lang) if is_no_data else tile.text


def _texts(heatmap: Heatmap) -> Iterator[str]:
    yield from (heatmap.title, heatmap.row_title, heatmap.column_title)
    yield from (*heatmap.rows, *heatmap.columns)
    for panel in heatmap.panels:
        yield panel.name
        yield from (_tile_text(tile, heatmap) for tile in _tiles(panel.grids[heatmap.view]))
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


# Several heatmaps on one page: each keeps its own rows and columns.


def merged(heatmaps: Sequence[Heatmap], title: str, summary_of: int = -1) -> Heatmap:
    """The panels of all heatmaps, in order, under one title.

    View, means and colours are those of the first heatmap; the table is that of ``summary_of``.
    """
    panels: list[Panel] = []
    listings: list[Listing] = []
    questions: list[ListedQuestion] = []
    notes: dict[str, None] = {}
    for heatmap in heatmaps:
        axes = Axes(
            rows=heatmap.rows,
            columns=heatmap.columns,
            row_title=heatmap.row_title,
            column_title=heatmap.column_title,
            dense=heatmap.dense,
        )
        for panel in heatmap.panels:
            grids = {view: _shifted(grid, len(listings)) for view, grid in panel.grids.items()}
            panels.append(replace(panel, grids=grids, axes=axes))
        listings.extend(_renumbered(listing, len(questions)) for listing in heatmap.listings)
        questions.extend(heatmap.questions)
        notes.update(dict.fromkeys(heatmap.notes))
    return replace(
        heatmaps[0],
        title=title,
        panels=tuple(panels),
        summary=heatmaps[summary_of].summary,
        notes=tuple(notes),
        questions=tuple(questions),
        listings=tuple(listings),
        dense=False,
    )


def _shifted(grid: Grid, by: int) -> Grid:
    def shift(tiles: Sequence[Tile]) -> tuple[Tile, ...]:
        return tuple(
            tile if tile.listing is None else replace(tile, listing=tile.listing + by)
            for tile in tiles
        )

    margins = {
        mean: Margin(
            rows=shift(margin.rows), columns=shift(margin.columns), corner=shift([margin.corner])[0]
        )
        for mean, margin in grid.margins.items()
    }
    return Grid(tiles=tuple(map(shift, grid.tiles)), margins=margins)


def _renumbered(listing: Listing, by: int) -> Listing:
    entries = tuple(replace(entry, question=entry.question + by) for entry in listing.entries)
    return replace(listing, entries=entries)
