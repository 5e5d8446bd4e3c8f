"""Several heatmaps on one page: each keeps its own rows and columns."""

from collections.abc import Sequence

from msgspec.structs import replace

from assay.report.heatmap.grid import (
    Axes,
    Grid,
    Heatmap,
    ListedQuestion,
    Listing,
    Margin,
    Panel,
    Tile,
)


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
