"""The map of depth results as the page shows it: in the charts of a run, and in a file of its own.

``ChartView.data`` by kind, where a cell's ``listing`` is an index into ``MapView.listings`` or null,
and ``run`` is the id of a run in the same file or an empty text:

- ``heatmap``: ``{lengths, bins, models: [{model, run, views: {all, parsed}}], differences: [{model,
  baseline, note, reach, views}]}``; a view of a model has ``cells: [{context_length, depth_bin,
  accuracy, n, unparsed, failed, skipped, answered, interval, listing}]`` and ``averages:
  {by_context_length, by_depth_bin, overall}``, each with ``mean_of_cells`` and
  ``mean_of_questions``; a view of a difference has ``cells``, ``by_context_length``,
  ``by_depth_bin`` and ``overall`` as ``assay heatmap --json`` has them
- ``stretches``: ``{mode, most, models: [{model, views: {all, parsed}}]}``; a view is a list of the
  ``Stretch`` of the novel with its ``label`` and ``listing``; ``mode`` is coverage or accuracy, and
  ``most`` the most questions of a stretch
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from assay.errors import UseError
from assay.jobs.depth.map.difference import difference_map
from assay.jobs.depth.map.heatmap import (
    Mode,
    data_sets,
    default_title,
    difference_note,
    difference_reach,
    result_notes,
    shared_grid,
    summary_table,
    unpaired_note,
)
from assay.jobs.depth.map.json_data import averages, difference_json
from assay.jobs.depth.map.listing import ListedQuestion, Listing, Listings
from assay.jobs.depth.map.mean import VIEWS, View, depth_map, overall_mean
from assay.jobs.depth.map.novel import most_questions, position_notes, range_label
from assay.jobs.depth.map.position import STRETCHES, novel_tokens, stretch_of, stretches
from assay.jobs.depth.map.results import CellKey, ModelResults, Reply
from assay.jobs.depth.map.tile import Mean
from assay.jobs.depth.map.words import heat_word
from assay.report.look import PaletteName
from assay.web.api import ChartView, TableView
from assay.web.language import in_all
from assay.words.language import Lang
from assay.words.message import Said, Title, message


class MapOptions(Struct, frozen=True, kw_only=True):
    """What a map shows, and what its page shows first."""

    mode: Mode = "depth"
    title: str = ""
    view: View = "all"
    mean: Mean = "cells"
    palette: PaletteName = "green-red"
    bins: int = STRETCHES
    total_tokens: int | None = None


class MapView(Struct, frozen=True, kw_only=True):
    """The maps of one or several results in a file, with the questions behind their cells.

    ``is_parsed_only``, ``is_mean_of_questions`` and ``is_safe`` are what the maps show first.
    """

    title: Said
    charts: tuple[ChartView, ...]
    summary: TableView
    questions: tuple[ListedQuestion, ...]
    listings: tuple[Listing, ...]
    is_parsed_only: bool
    is_mean_of_questions: bool
    is_safe: bool


def map_view(
    models: Sequence[ModelResults],
    options: MapOptions,
    *,
    question_set: ModelResults | None = None,
    runs: Mapping[Path, str] | None = None,
) -> MapView:
    """The maps of a mode; ``runs`` are the ids of the results that are in the file as runs."""
    mode, runs = options.mode, runs or {}
    parts = {
        "combined": ("coverage", "accuracy"),
        "combined_depth": ("depth", "coverage", "accuracy"),
    }
    wanted = parts.get(mode, (mode,))
    shown = _rows(models, mode, mode, question_set)
    listings = Listings(_tiles(models, options))
    charts: list[ChartView] = []
    notes: list[Callable[[Lang], list[str]]] = [lambda lang: result_notes(shown, lang)]
    if "depth" in wanted:
        chart = depth_chart(models, listings, runs)
        compared = {each["model"] for each in chart.data["differences"]}
        alone = [results for results in models[1:] if results.model not in compared]
        charts.append(chart)
        notes.append(lambda lang: [unpaired_note(each, models[0], lang) for each in alone])
    problem = ""
    if wanted != ("depth",):
        try:
            placed = [*models, *filter(None, [question_set if "coverage" in wanted else None])]
            tokens = novel_tokens(placed, options.total_tokens)
        except UseError as error:
            if not charts:
                raise
            problem = str(error)
        else:
            shown = [results.along_novel() for results in shown]
            for part in wanted:
                if part != "depth":
                    rows = _rows(models, part, mode, question_set)
                    charts.append(novel_chart(rows, part, options.bins, tokens, listings, runs))
            notes.append(lambda lang: position_notes(shown, lang))
    return MapView(
        title=in_all(lambda lang: options.title or default_title(shown, mode, lang)),
        charts=tuple(charts),
        summary=_summary(shown, options.view, [*notes, lambda _: [problem] if problem else []]),
        questions=tuple(listings.questions),
        listings=tuple(listings.listings),
        is_parsed_only=options.view == "parsed",
        is_mean_of_questions=options.mean == "questions",
        is_safe=options.palette == "safe",
    )


def _tiles(models: Sequence[ModelResults], options: MapOptions) -> int:
    """How many tiles with questions there can be."""
    lengths, bins = shared_grid(models)
    grid = len(lengths) * len(bins) * (2 * len(models) - 1) if "depth" in options.mode else 0
    novels = {"depth": 0, "coverage": 1, "accuracy": 1}.get(options.mode, 2)
    return grid + novels * options.bins * (len(models) + 1)


def _rows(
    models: Sequence[ModelResults], part: str, mode: Mode, question_set: ModelResults | None
) -> list[ModelResults]:
    """The rows of a map along the novel; coverage is that of a question set, if there is one."""
    if part != "coverage" or question_set is None:
        return list(models)
    return [question_set, *models] if mode == "coverage" else [question_set]


def _summary(
    models: Sequence[ModelResults], view: View, notes: Iterable[Callable[[Lang], list[str]]]
) -> TableView:
    means = [overall_mean(results, view) for results in models]

    def table(lang: Lang) -> tuple[tuple[str, ...], ...]:
        return summary_table(models, means, view, lang)

    def lines(lang: Lang) -> list[str]:
        return [note for make in notes for note in make(lang)]

    heads, *rows = [
        tuple(Title(en=en, zh=zh, ru=ru) for en, zh, ru in zip(*row, strict=True))
        for row in zip(table("en"), table("zh"), table("ru"), strict=True)
    ]
    said = zip(lines("en"), lines("zh"), lines("ru"), strict=True)
    return TableView(
        title=data_sets(models) or " / ".join(results.model for results in models),
        columns=heads,
        rows=tuple(rows),
        notes=tuple(Title(en=en, zh=zh, ru=ru) for en, zh, ru in said),
    )


def depth_chart(
    models: Sequence[ModelResults],
    listings: Listings | None = None,
    runs: Mapping[Path, str] | None = None,
) -> ChartView:
    """The accuracy of each model by depth and length, and the differences to the first model."""
    lengths, bins = shared_grid(models)
    return ChartView(
        id="heatmap",
        kind="heatmap",
        title=message("Accuracy by depth and context length"),
        x=message("depth"),
        y=message("context length, tokens"),
        note=message("Each cell is the share of right answers; the margin has the means."),
        data={
            "lengths": lengths,
            "bins": bins,
            "models": [
                {
                    "model": results.model,
                    "run": (runs or {}).get(results.path, ""),
                    "views": _views(results, lengths, bins, listings),
                }
                for results in models
            ],
            "differences": [
                found
                for results in models[1:]
                if (found := _difference(results, models[0], lengths, bins, listings))
            ],
        },
    )


def _views(
    results: ModelResults,
    lengths: Sequence[int],
    bins: Sequence[str],
    listings: Listings | None,
) -> dict[str, Any]:
    replies: dict[CellKey, list[Reply]] = {}
    for reply in results.replies:
        replies.setdefault((reply.length, reply.depth_bin), []).append(reply)
    numbers = (
        {key: listings.add_cell(results, replies[key]) for key in sorted(replies)}
        if listings
        else {}
    )
    maps = {view: depth_map(results, view, lengths=lengths, depth_bins=bins) for view in VIEWS}
    return {
        view: {
            "cells": [
                msgspec.to_builtins(cell)
                | {"listing": numbers.get((cell.context_length, cell.depth_bin))}
                for cell in recall_map.cells
            ],
            "averages": averages(recall_map),
        }
        for view, recall_map in maps.items()
    }


def _difference(
    results: ModelResults,
    baseline: ModelResults,
    lengths: Sequence[int],
    bins: Sequence[str],
    listings: Listings | None,
) -> dict[str, Any]:
    """The differences to another model; empty if no question is in both."""
    maps = {
        view: difference_map(results, baseline, view, lengths=lengths, depth_bins=bins)
        for view in VIEWS
    }
    pairs = maps["all"].pairs
    if not pairs:
        return {}
    numbers = (
        {key: listings.add_pairs(results, baseline, pairs[key]) for key in sorted(pairs)}
        if listings
        else {}
    )
    views = {view: difference_json(differences) for view, differences in maps.items()}
    for view in views.values():
        for cell in view["cells"]:
            cell["listing"] = numbers.get((cell["context_length"], cell["depth_bin"]))
    return {
        "model": results.model,
        "baseline": baseline.model,
        "note": in_all(lambda lang: difference_note(maps["all"], lang)),
        "reach": difference_reach(list(maps.values())),
        "views": views,
    }


def novel_chart(
    models: Sequence[ModelResults],
    mode: str,
    number: int,
    tokens: int,
    listings: Listings,
    runs: Mapping[Path, str],
) -> ChartView:
    """The questions of each stretch of the novel, or how well they were answered."""
    models = [results.along_novel() for results in models]
    parts = {
        view: [stretches(results, view, number=number, tokens=tokens) for results in models]
        for view in VIEWS
    }
    starts = [part.start for part in parts["all"][0]]
    numbers = [_stretch_listings(results, starts, listings) for results in models]
    return ChartView(
        id=mode,
        kind="stretches",
        title=in_all(lambda lang: heat_word(f"{mode} map", lang)),
        x=in_all(lambda lang: heat_word("position", lang)),
        y=in_all(lambda lang: heat_word("model", lang)),
        note=None,
        data={
            "mode": mode,
            "most": most_questions(parts["all"]),
            "models": [
                {
                    "model": results.model,
                    "run": runs.get(results.path, ""),
                    "views": {
                        view: [
                            msgspec.to_builtins(part)
                            | {"label": range_label(part), "listing": numbers[row][column]}
                            for column, part in enumerate(rows[row])
                        ]
                        for view, rows in parts.items()
                    },
                }
                for row, results in enumerate(models)
            ],
        },
    )


def _stretch_listings(
    results: ModelResults, starts: Sequence[int], listings: Listings
) -> list[int | None]:
    by_stretch: list[list[Reply]] = [[] for _ in starts]
    for reply in results.replies:
        position = results.questions[reply.question].position
        if position is not None:
            by_stretch[stretch_of(position[0], starts)].append(reply)
    return [listings.add_cell(results, replies) if replies else None for replies in by_stretch]
