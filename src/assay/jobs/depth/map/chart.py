"""A heatmap as a picture for papers: PNG with 300 dpi, SVG or PDF.

Importing this module loads matplotlib, so import it only where a heatmap is drawn. Positions and
sizes are in tiles unless a name says inches or points: the height of a tile is fixed, and its
width depends on the number of columns.
"""

import re
import tempfile
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Final

from matplotlib.patches import Rectangle
from msgspec import Struct

from assay.jobs.depth.map.tile import Heatmap, Panel, Tile
from assay.jobs.depth.map.words import heat_word
from assay.mask import mask_text
from assay.report.chart.font import can_draw
from assay.report.chart.style import INCHES, NAME_SIZE, Canvas, Width, canvas
from assay.report.look import (
    INK,
    NO_DATA,
    PERCENT,
    Rgb,
    Scale,
    colour,
    ink,
    rgb,
    shown_decimal,
)
from assay.words.language import Lang

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

_SCREEN_SCALE: Final = 1.9
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
    _draw(heatmap, path)
    return path


def svg_with_hover_texts(heatmap: Heatmap) -> str:
    """The maps as an SVG element in which each tile shows its facts when one points at it.

    It is larger than in a paper, as text on a screen.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "map.svg")
        texts = _draw(heatmap, path, named=True)
        svg = path.read_text(encoding="utf-8")
    for number, text in enumerate(texts):
        tile = f'<g id="tile-{number}">'
        svg = svg.replace(tile, f"{tile}<title>{mask_text(escape(text))}</title>")
    width = INCHES[_width(heatmap)] * 96 * _SCREEN_SCALE
    size = re.compile(r'(?<=<svg )([^>]*?)width="[^"]*" height="[^"]*"')
    return size.sub(rf'\1width="{width:.0f}"', svg[svg.index("<svg") :], count=1)


def _draw(heatmap: Heatmap, path: Path, *, named: bool = False) -> list[str]:
    """Draw the maps into a file, and return the hover text of each tile, in order."""
    texts = list(_texts(heatmap))
    with canvas(texts, path, lang=heatmap.lang, width=_width(heatmap)) as drawing:
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
        tiles = [patch for patch in drawing.axes.patches if patch.get_label()]
        for number, tile in enumerate(tiles if named else ()):
            tile.set_gid(f"tile-{number}")
    return [str(tile.get_label()) for tile in tiles]


def _width(heatmap: Heatmap) -> Width:
    return "single" if len(heatmap.columns) * len(heatmap.panels) <= 6 else "double"


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


def _has_margin(heatmap: Heatmap) -> bool:
    return any(panel.margin is not None for panel in heatmap.panels)


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
    panel = position.panel
    size = min(NAME_SIZE, 72 * layout.tile_inches * 0.9 / max(1.0, _widest(drawing, panel)))
    for row, tiles in enumerate(panel.tiles):
        for column, tile in enumerate(tiles):
            _draw_tile(drawing, heatmap, position, tile, (column, row), size)
    margin = panel.margin
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
    _name_columns(drawing, heatmap, position, layout)
    drawing.axes.text(
        position.left,
        position.top - _LINE * (layout.head_lines + 0.15),
        position.name,
        fontsize=NAME_SIZE,
        fontweight="bold",
        va="bottom",
    )


def _widest(drawing: Canvas, panel: Panel) -> float:
    """The width of the widest text of all tiles, relative to its font size."""
    widths = [
        drawing.points(tile.text, 10.0) / 10 * (_BOLD_FACTOR if tile.marked else 1.0)
        for tile in panel.all_tiles
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
        rgb(NO_DATA["fill"])
        if tile.value is None
        else colour(tile.value, panel.scale, heatmap.palette, panel.reach)
    )
    axes.add_patch(
        Rectangle(
            (left + 0.02, top + 0.02),
            0.96,
            0.96,
            facecolor=tuple(channel / 255 for channel in background),
            edgecolor=INK if tile.marked else NO_DATA["hatch"] if is_empty else "none",
            linewidth=1.4 if tile.marked else 0.0,
            hatch="////" if is_empty else None,
            zorder=3 if tile.marked else 2,
            label=_hover_text(tile, heatmap.lang),
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


def _name_columns(
    drawing: Canvas, heatmap: Heatmap, position: _PanelPosition, layout: _Layout
) -> None:
    axes = drawing.axes
    baseline = position.top - 0.1
    widest = max((drawing.points(name, NAME_SIZE) for name in heatmap.columns), default=1.0)
    fitting = NAME_SIZE * min(1.0, 72 * layout.tile_inches * 0.95 / max(widest, 1.0))
    for column, name in enumerate(heatmap.columns):
        axes.text(
            position.left + column + 0.5,
            baseline,
            drawing.text(name),
            ha="center",
            va="bottom",
            fontsize=_ROTATED_SIZE if heatmap.dense else fitting,
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
            (0.02, top),
            swatch,
            0.5,
            facecolor=NO_DATA["fill"],
            edgecolor=NO_DATA["hatch"],
            hatch="////",
            lw=0,
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


def _tile_text(tile: Tile, heatmap: Heatmap) -> str:
    """The text of a tile; an empty one says 无数据 too wherever this machine can draw it."""
    is_no_data = tile.text == heat_word("no data tile", heatmap.lang)
    return tile.text if not is_no_data or can_draw("zh") else heat_word("no data", heatmap.lang)


def _hover_text(tile: Tile, lang: Lang) -> str:
    colon = heat_word("colon", lang)
    return "\n".join(f"{name}{colon}{value}" for name, value in tile.tip)


def _texts(heatmap: Heatmap) -> Iterator[str]:
    yield from (heatmap.title, heatmap.row_title, heatmap.column_title)
    yield from (*heatmap.rows, *heatmap.columns)
    for panel in heatmap.panels:
        yield panel.name
        yield from (_tile_text(tile, heatmap) for tile in panel.all_tiles)
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


def legend_ends(scale: Scale, reach: float, lang: Lang) -> tuple[str, str]:
    """The labels at the two ends of a scale.

    >>> legend_ends("recall", 1.0, "en"), legend_ends("difference", 0.4, "en")
    (('accuracy 0%', '100%'), ('lower −40', '+40 higher'))
    """
    if scale == "recall":
        return f"{heat_word('accuracy', lang)} 0{PERCENT[lang]}", f"100{PERCENT[lang]}"
    end = shown_decimal(100 * reach, 0)
    if scale == "difference":
        return (
            f"{heat_word('lower', lang)} {shown_decimal(-100 * reach, 0)}",
            f"+{end} {heat_word('higher', lang)}",
        )
    return f"{heat_word('questions', lang)} 0", f"{reach:.0f}"
