"""The results along the novel: one row for each model, one column for each stretch."""

from collections.abc import Sequence
from typing import Literal

from msgspec.structs import replace

from assay.errors import UseError
from assay.jobs.depth.map.chart import merged
from assay.jobs.depth.map.heatmap import (
    Listings,
    data_sets,
    default_title,
    depth_heatmap,
    result_notes,
    summary_table,
)
from assay.jobs.depth.map.mean import VIEWS, View, overall_mean
from assay.jobs.depth.map.page import Grid, Heatmap, Mean, PaletteName, Panel
from assay.jobs.depth.map.position import STRETCHES, Stretch, novel_tokens, stretch_of, stretches
from assay.jobs.depth.map.results import ModelResults, Reply
from assay.jobs.depth.map.tile import accuracy_tile, coverage_tile
from assay.jobs.depth.map.words import heat_word
from assay.words.language import Lang


def novel_heatmap(
    models: Sequence[ModelResults],
    mode: Literal["coverage", "accuracy"],
    *,
    lang: Lang = "en",
    title: str = "",
    view: View = "all",
    palette: PaletteName = "green-red",
    number: int = STRETCHES,
    total_tokens: int | None = None,
) -> Heatmap:
    """A map with one row for each model: the number of questions, or the recall, by position.

    The position is that of the evidence in the novel, in ``number`` stretches of equal length.
    ``total_tokens`` is the length of the novel; by default, what the results say.
    """
    models = [results.along_novel() for results in models]
    tokens = novel_tokens(models, total_tokens)
    parts = {
        map_view: [stretches(results, map_view, number=number, tokens=tokens) for results in models]
        for map_view in VIEWS
    }
    listings = Listings(lang, len(models) * number)
    listing_numbers = [
        _stretch_listings(results, row, listings)
        for results, row in zip(models, parts["all"], strict=True)
    ]
    tile = coverage_tile if mode == "coverage" else accuracy_tile
    grids = {
        map_view: Grid(
            tiles=tuple(
                tuple(
                    tile(part, lang, listing)
                    for part, listing in zip(row, row_numbers, strict=True)
                )
                for row, row_numbers in zip(rows, listing_numbers, strict=True)
            )
        )
        for map_view, rows in parts.items()
    }
    most = max(part.questions for row in parts["all"] for part in row)
    panel = Panel(
        name=data_sets(models),
        scale="count" if mode == "coverage" else "recall",
        reach=float(max(1, most)) if mode == "coverage" else 1.0,
        grids=grids,
    )
    return Heatmap(
        title=title or default_title(models, mode, lang),
        lang=lang,
        rows=tuple(results.model for results in models),
        columns=tuple(_range_label(part) for part in parts["all"][0]),
        row_title=heat_word("model", lang),
        column_title=heat_word("position", lang),
        panels=(panel,),
        summary=summary_table(
            models, [overall_mean(results, view) for results in models], view, lang
        ),
        notes=tuple(result_notes(models, lang) + _position_notes(models, lang)),
        questions=tuple(listings.questions),
        listings=tuple(listings.listings),
        view=view,
        palette=palette,
        dense=number > 12,
    )


def _stretch_listings(
    results: ModelResults, row: Sequence[Stretch], listings: Listings
) -> list[int | None]:
    by_stretch: list[list[Reply]] = [[] for _ in row]
    starts = [part.start for part in row]
    for reply in results.replies:
        position = results.questions[reply.question].position
        if position is not None:
            by_stretch[stretch_of(position[0], starts)].append(reply)
    return [
        listings.add_cell(f"{results.model} · {_range_label(part)}", results, replies)
        if replies
        else None
        for part, replies in zip(row, by_stretch, strict=True)
    ]


def _range_label(part: Stretch) -> str:
    """The ends of a stretch in thousands of tokens; in tokens if the stretch is short."""
    if part.end - part.start < 2000:
        return f"{part.start}–{part.end}"
    start = f"{part.start // 1000}K" if part.start else "0"
    return f"{start}–{part.end // 1000}K"


def _position_notes(models: Sequence[ModelResults], lang: Lang) -> list[str]:
    notes = []
    for results in models:
        asked = {*results.unanswered, *(reply.question for reply in results.replies)}
        without = sum(results.questions[question].position is None for question in asked)
        if without:
            number = without
            notes.append(heat_word("note positions", lang, model=results.model, n=number))
    return notes


# Several maps of the same results on one page.


def combined_heatmap(
    models: Sequence[ModelResults],
    mode: Literal["combined", "combined_depth"],
    *,
    question_set: ModelResults | None = None,
    lang: Lang = "en",
    title: str = "",
    view: View = "all",
    mean: Mean = "cells",
    palette: PaletteName = "green-red",
    number: int = STRETCHES,
    total_tokens: int | None = None,
) -> Heatmap:
    """Coverage and accuracy along the novel; ``combined_depth`` puts the map by depth first.

    Coverage is that of ``question_set``, if there is one, else of the questions with answers. The
    map by depth stands alone if the results have no positions.
    """
    maps = []
    if mode == "combined_depth":
        maps.append(depth_heatmap(models, lang=lang, view=view, mean=mean, palette=palette))
    try:
        tokens = novel_tokens([*models, *filter(None, [question_set])], total_tokens)
        for part in ("coverage", "accuracy"):
            shown = [question_set] if part == "coverage" and question_set else models
            novel_map = novel_heatmap(
                shown,
                part,
                lang=lang,
                view=view,
                palette=palette,
                number=number,
                total_tokens=tokens,
            )
            maps.append(_named(novel_map, heat_word(f"{part} map", lang)))
    except UseError as error:
        if not maps:
            raise
        maps.append(replace(maps[0], panels=(), listings=(), questions=(), notes=(str(error),)))
    return merged(maps, title or default_title(models, mode, lang))


def _named(heatmap: Heatmap, name: str) -> Heatmap:
    """The heatmap with ``name`` above its panels, which say only the data set."""
    panels = tuple(
        replace(panel, name=f"{name} · {panel.name}" if panel.name else name)
        for panel in heatmap.panels
    )
    return replace(heatmap, panels=panels)
