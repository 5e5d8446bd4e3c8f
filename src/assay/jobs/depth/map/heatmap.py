"""The results as a heatmap by context length and depth, for one or several models."""

from collections.abc import Mapping, Sequence

from assay.jobs.depth.map.caption import MEANS, default_title, result_notes, summary_table
from assay.jobs.depth.map.difference import DifferenceMap, difference_map
from assay.jobs.depth.map.listing import Listings
from assay.jobs.depth.map.mean import VIEWS, DepthMap, View, depth_map
from assay.jobs.depth.map.results import ModelResults, Reply, depth_order
from assay.jobs.depth.map.tile import (
    cell_tile,
    difference_tile,
    mean_tile,
    position_facts,
)
from assay.report.heatmap import Grid, Heatmap, Margin, Mean, PaletteName, Panel, Tile
from assay.report.words import Lang, NotedCount, heat_word, length_labels


def depth_heatmap(
    models: Sequence[ModelResults],
    *,
    lang: Lang = "en",
    title: str = "",
    view: View = "all",
    mean: Mean = "cells",
    palette: PaletteName = "green-red",
) -> Heatmap:
    """A map of each model on a shared grid, and the difference of each other model to the first."""
    lengths, bins = shared_grid(models)
    grid_tiles = len(lengths) * len(bins) * (2 * len(models) - 1)
    listings = Listings(lang, grid_tiles)
    maps = [
        {
            map_view: depth_map(results, map_view, lengths=lengths, depth_bins=bins)
            for map_view in VIEWS
        }
        for results in models
    ]
    panels = [
        _model_panel(results, model_maps, listings, lang)
        for results, model_maps in zip(models, maps, strict=True)
    ]
    notes = result_notes(models, lang)
    for results in models[1:]:
        differences = {
            map_view: difference_map(results, models[0], map_view, lengths=lengths, depth_bins=bins)
            for map_view in VIEWS
        }
        if differences["all"].pairs:
            panels.append(_difference_panel(results, models[0], differences, listings, lang))
        else:
            notes.append(
                heat_word("note unpaired", lang, model=results.model, baseline=models[0].model)
            )
    return Heatmap(
        title=title or default_title(models, "depth", lang),
        lang=lang,
        rows=length_labels(lengths),
        columns=bins,
        row_title=heat_word("context length", lang),
        column_title=heat_word("depth", lang),
        panels=tuple(panels),
        summary=summary_table(
            models, [model_maps[view].overall for model_maps in maps], view, lang
        ),
        notes=tuple(notes),
        questions=tuple(listings.questions),
        listings=tuple(listings.listings),
        view=view,
        mean=mean,
        palette=palette,
    )


def shared_grid(models: Sequence[ModelResults]) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """All context lengths and depths that occur in any of the results."""
    lengths = sorted({length for results in models for length in results.lengths})
    bins = sorted({label for results in models for label in results.depth_bins}, key=depth_order)
    return tuple(lengths), tuple(bins)


def _model_panel(
    results: ModelResults, maps: Mapping[View, DepthMap], listings: Listings, lang: Lang
) -> Panel:
    replies: dict[tuple[int, str], list[Reply]] = {}
    for reply in results.replies:
        replies.setdefault((reply.length, reply.depth_bin), []).append(reply)
    lengths, bins = tuple(maps["all"].by_length), tuple(maps["all"].by_depth)
    labels = dict(zip(lengths, length_labels(lengths), strict=True))
    listing_numbers = {
        (length, depth_bin): listings.add_cell(
            f"{results.model} · {labels[length]} · {depth_bin}", results, cell_replies
        )
        for (length, depth_bin), cell_replies in sorted(replies.items())
    }
    grids = {}
    for view, recall_map in maps.items():
        cells = iter(recall_map.cells)
        tiles = tuple(
            tuple(
                cell_tile(next(cells), lang, listing_numbers.get((length, label))) for label in bins
            )
            for length in lengths
        )
        margins = {kind: _margin(recall_map, kind, lang) for kind in MEANS}
        grids[view] = Grid(tiles=tiles, margins=margins)
    return Panel(name=results.model, grids=grids)


def _margin(recall_map: DepthMap, kind: Mean, lang: Lang) -> Margin:
    return Margin(
        rows=tuple(
            mean_tile(mean, kind, position_facts(lang, length=length), lang)
            for length, mean in recall_map.by_length.items()
        ),
        columns=tuple(
            mean_tile(mean, kind, position_facts(lang, depth_bin=label), lang)
            for label, mean in recall_map.by_depth.items()
        ),
        corner=mean_tile(recall_map.overall, kind, [], lang),
    )


def _difference_panel(
    results: ModelResults,
    baseline: ModelResults,
    maps: dict[View, DifferenceMap],
    listings: Listings,
    lang: Lang,
) -> Panel:
    name = heat_word("difference of", lang, model=results.model, baseline=baseline.model)
    labels = length_labels(tuple(maps["all"].by_length))
    label_of = dict(zip(maps["all"].by_length, labels, strict=True))
    listing_numbers = {
        (length, depth_bin): listings.add_pairs(
            f"{name} · {label_of[length]} · {depth_bin}", results, baseline, pairs
        )
        for (length, depth_bin), pairs in sorted(maps["all"].pairs.items())
    }
    grids = {
        view: _difference_grid(differences, listing_numbers, lang)
        for view, differences in maps.items()
    }
    largest = max(
        abs(cell.difference)
        for differences in maps.values()
        for cell in differences.cells.values()
        if cell.difference is not None
    )
    note = heat_word(
        "note difference",
        lang,
        cells=str(maps["all"].tested),
        changes=NotedCount(maps["all"].fewest_changes, lang),
    )
    return Panel(name=name, scale="difference", reach=_round_reach(largest), grids=grids, note=note)


def _difference_grid(
    differences: DifferenceMap, listing_numbers: dict[tuple[int, str], int], lang: Lang
) -> Grid:
    bins = list(differences.by_depth)
    tiles: tuple[tuple[Tile, ...], ...] = tuple(
        tuple(
            difference_tile(
                differences.cells[length, label],
                position_facts(lang, length, label),
                lang,
                listing_numbers.get((length, label)),
            )
            for label in bins
        )
        for length in differences.by_length
    )
    margin = Margin(
        rows=tuple(
            difference_tile(row, position_facts(lang, length=length), lang)
            for length, row in differences.by_length.items()
        ),
        columns=tuple(
            difference_tile(column, position_facts(lang, depth_bin=label), lang)
            for label, column in differences.by_depth.items()
        ),
        corner=difference_tile(differences.overall, [], lang),
    )
    return Grid(tiles=tiles, margins=dict.fromkeys(MEANS, margin))


def _round_reach(largest: float) -> float:
    """The end of the colour scale: the largest difference rounded up to 0.1, at least 0.2."""
    return max(0.2, min(1.0, -(-round(largest * 1000) // 100) / 10))
