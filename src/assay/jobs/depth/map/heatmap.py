"""Results as a heatmap by context length and depth; several models side by side."""

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
    place_facts,
)
from assay.report.heatmap import Grid, Heatmap, Margin, Mean, PaletteName, Panel, Tile
from assay.report.words import Lang, heat_word, length_labels


def depth_heatmap(
    found: Sequence[ModelResults],
    *,
    lang: Lang = "en",
    title: str = "",
    view: View = "all",
    mean: Mean = "cells",
    palette: PaletteName = "green-red",
) -> Heatmap:
    """A map for each model over one grid, and its differences from the first."""
    lengths, bins = shared_grid(found)
    grid_tiles = len(lengths) * len(bins) * (2 * len(found) - 1)
    listings = Listings(lang, grid_tiles)
    maps = [
        {one: depth_map(results, one, lengths=lengths, depth_bins=bins) for one in VIEWS}
        for results in found
    ]
    panels = [
        _model_panel(results, made, listings, lang)
        for results, made in zip(found, maps, strict=True)
    ]
    notes = result_notes(found, lang)
    for results in found[1:]:
        compared = {
            one: difference_map(results, found[0], one, lengths=lengths, depth_bins=bins)
            for one in VIEWS
        }
        if compared["all"].pairs:
            panels.append(_difference_panel(results, found[0], compared, listings, lang))
        else:
            notes.append(
                heat_word("note unpaired", lang, model=results.model, baseline=found[0].model)
            )
    return Heatmap(
        title=title or default_title(found, "depth", lang),
        lang=lang,
        rows=length_labels(lengths, lang),
        columns=bins,
        row_title=heat_word("context length", lang),
        column_title=heat_word("depth", lang),
        panels=tuple(panels),
        summary=summary_table(found, [made[view].overall for made in maps], view, lang),
        notes=tuple(notes),
        questions=tuple(listings.questions),
        listings=tuple(listings.listings),
        view=view,
        mean=mean,
        palette=palette,
    )


def shared_grid(found: Sequence[ModelResults]) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """The lengths and depths that any of the results has."""
    lengths = sorted({length for results in found for length in results.lengths})
    bins = sorted({label for results in found for label in results.depth_bins}, key=depth_order)
    return tuple(lengths), tuple(bins)


def _model_panel(
    results: ModelResults, maps: Mapping[View, DepthMap], listings: Listings, lang: Lang
) -> Panel:
    replies: dict[tuple[int, str], list[Reply]] = {}
    for reply in results.replies:
        replies.setdefault((reply.length, reply.depth_bin), []).append(reply)
    lengths, bins = tuple(maps["all"].by_length), tuple(maps["all"].by_depth)
    labels = dict(zip(lengths, length_labels(lengths, lang), strict=True))
    places = {
        place: listings.add_cell(
            f"{results.model} · {labels[place[0]]} · {place[1]}", results, some
        )
        for place, some in sorted(replies.items())
    }
    grids = {}
    for view, made in maps.items():
        cells = iter(made.cells)
        tiles = tuple(
            tuple(cell_tile(next(cells), lang, places.get((length, label))) for label in bins)
            for length in lengths
        )
        margins = {kind: _margin(made, kind, lang) for kind in MEANS}
        grids[view] = Grid(tiles=tiles, margins=margins)
    return Panel(name=results.model, grids=grids)


def _margin(made: DepthMap, kind: Mean, lang: Lang) -> Margin:
    return Margin(
        rows=tuple(
            mean_tile(mean, kind, place_facts(lang, length=length), lang)
            for length, mean in made.by_length.items()
        ),
        columns=tuple(
            mean_tile(mean, kind, place_facts(lang, depth_bin=label), lang)
            for label, mean in made.by_depth.items()
        ),
        corner=mean_tile(made.overall, kind, [], lang),
    )


def _difference_panel(
    results: ModelResults,
    baseline: ModelResults,
    maps: dict[View, DifferenceMap],
    listings: Listings,
    lang: Lang,
) -> Panel:
    name = heat_word("difference of", lang, model=results.model, baseline=baseline.model)
    labels = length_labels(tuple(maps["all"].by_length), lang)
    shown = dict(zip(maps["all"].by_length, labels, strict=True))
    places = {
        place: listings.add_pairs(
            f"{name} · {shown[place[0]]} · {place[1]}", results, baseline, pairs
        )
        for place, pairs in sorted(maps["all"].pairs.items())
    }
    grids = {view: _difference_grid(made, places, lang) for view, made in maps.items()}
    largest = max(
        abs(cell.difference)
        for made in maps.values()
        for cell in made.cells.values()
        if cell.difference is not None
    )
    note = heat_word(
        "note difference",
        lang,
        cells=str(maps["all"].tested),
        changes=str(maps["all"].fewest_changes),
    )
    return Panel(name=name, scale="difference", reach=_round_reach(largest), grids=grids, note=note)


def _difference_grid(made: DifferenceMap, places: dict[tuple[int, str], int], lang: Lang) -> Grid:
    bins = list(made.by_depth)
    tiles: tuple[tuple[Tile, ...], ...] = tuple(
        tuple(
            difference_tile(
                made.cells[length, label],
                place_facts(lang, length, label),
                lang,
                places.get((length, label)),
            )
            for label in bins
        )
        for length in made.by_length
    )
    margin = Margin(
        rows=tuple(
            difference_tile(one, place_facts(lang, length=length), lang)
            for length, one in made.by_length.items()
        ),
        columns=tuple(
            difference_tile(one, place_facts(lang, depth_bin=label), lang)
            for label, one in made.by_depth.items()
        ),
        corner=difference_tile(made.overall, [], lang),
    )
    return Grid(tiles=tiles, margins=dict.fromkeys(MEANS, margin))


def _round_reach(largest: float) -> float:
    """The scale's end: the next tenth above the largest difference, at least two."""
    return max(0.2, min(1.0, -(-round(largest * 1000) // 100) / 10))
