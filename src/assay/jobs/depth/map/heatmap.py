"""The results as a heatmap by context length and depth, for one or several models."""

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from assay.jobs.depth.map.difference import DifferenceMap, difference_map
from assay.jobs.depth.map.mean import DepthMap, MeanRecall, View, depth_map
from assay.jobs.depth.map.results import ModelResults, depth_order
from assay.jobs.depth.map.tile import (
    Heatmap,
    Margin,
    Mean,
    Panel,
    cell_tile,
    difference_tile,
    mean_tile,
    position_facts,
    shown_recall,
)
from assay.jobs.depth.map.words import heat_word
from assay.report.look import MISSING, PaletteName, length_labels, shown_count
from assay.words.language import Lang
from assay.words.say import say_n_in

# The title of a map, the table below it, and the notes.

Mode: TypeAlias = Literal["depth", "coverage", "accuracy", "combined", "combined_depth"]
MEANS: Final[tuple[Mean, ...]] = ("cells", "questions")


def default_title(models: Sequence[ModelResults], mode: Mode, lang: Lang) -> str:
    """A title that says what the map shows, of which models, on which data set."""
    names = " / ".join(results.model for results in models)
    sets = data_sets(models)
    title = f"{heat_word(f'{mode} map', lang)} · {names}"
    data_set = f"{heat_word('data set', lang)}{heat_word('colon', lang)}{sets}"
    return f"{title} · {data_set}" if sets else title


def data_sets(models: Sequence[ModelResults]) -> str:
    """The names of the data sets, each once."""
    return ", ".join(dict.fromkeys(results.data_set for results in models if results.data_set))


def summary_table(
    models: Sequence[ModelResults], means: Sequence[MeanRecall], view: View, lang: Lang
) -> tuple[tuple[str, ...], ...]:
    """A table with one row for each model: counts of its answers, and both means in ``view``.

    ``means`` are the overall means of the models. The first row has the column titles. Answers of
    results without depths are in no cell: then there is no mean of cells.
    """
    has_cells = any(overall.of_cells is not None for overall in means) or not any(
        overall.n for overall in means
    )
    unjudged = ("answered",) if any(results.answered for results in models) else ()
    heads = ("model", "data set", "answers", "unparsed", *unjudged, "failed", "skipped")
    suffix = heat_word(view, lang)
    rows = [
        (
            *(heat_word(head, lang) for head in heads),
            *(
                f"{heat_word(f'mean of {kind}', lang)} ({suffix})"
                for kind in MEANS
                if has_cells or kind != "cells"
            ),
        )
    ]
    for results, overall in zip(models, means, strict=True):
        counts = (
            len(results.replies),
            results.unparsed,
            *((sum(results.answered.values()),) if unjudged else ()),
            sum(results.failed.values()),
            sum(results.skipped.values()),
        )
        rows.append(
            (
                results.model,
                results.data_set or MISSING,
                *(shown_count(count, lang) for count in counts),
                *((_mean_of_cells(overall, lang),) if has_cells else ()),
                shown_recall(overall.of_questions, overall.interval, lang),
            )
        )
    return tuple(rows)


def _mean_of_cells(overall: MeanRecall, lang: Lang) -> str:
    is_in_no_cell = overall.of_cells is None and overall.n > 0
    return MISSING if is_in_no_cell else shown_recall(overall.of_cells, None, lang)


def result_notes(models: Sequence[ModelResults], lang: Lang) -> list[str]:
    """Notes about rows that were replaced or left out."""
    notes = []
    for results in models:
        if results.unknown_statuses:
            names = ", ".join(results.unknown_statuses)
            notes.append(heat_word("note statuses", lang, model=results.model, names=names))
        for name in ("replaced", "unplaced", "unscored", "contradicted", "outside"):
            count = getattr(results, name)
            if count:
                number = count
                notes.append(heat_word(f"note {name}", lang, model=results.model, n=number))
        if results.excluded is not None and results.known is None:
            notes.append(heat_word("note unknown", lang, model=results.model))
        elif results.excluded is not None and results.known is not None:
            notes.append(
                heat_word(
                    "note excluded",
                    lang,
                    model=results.model,
                    n=results.excluded,
                    questions=say_n_in(lang, "{n} question", "{n} questions", len(results.known)),
                )
            )
    return notes


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
    maps = [depth_map(results, view, lengths=lengths, depth_bins=bins) for results in models]
    panels = [
        _model_panel(results.model, recall_map, mean, lang)
        for results, recall_map in zip(models, maps, strict=True)
    ]
    notes = result_notes(models, lang)
    for results in models[1:]:
        differences = difference_map(results, models[0], view, lengths=lengths, depth_bins=bins)
        if differences.pairs:
            panels.append(_difference_panel(differences, lang))
        else:
            notes.append(unpaired_note(results, models[0], lang))
    return Heatmap(
        title=title or default_title(models, "depth", lang),
        lang=lang,
        rows=length_labels(lengths),
        columns=bins,
        row_title=heat_word("context length", lang),
        column_title=heat_word("depth", lang),
        panels=tuple(panels),
        summary=summary_table(models, [recall_map.overall for recall_map in maps], view, lang),
        notes=tuple(notes),
        view=view,
        mean=mean,
        palette=palette,
    )


def unpaired_note(results: ModelResults, baseline: ModelResults, lang: Lang) -> str:
    """The note about two models that have no question in common."""
    return heat_word("note unpaired", lang, model=results.model, baseline=baseline.model)


def shared_grid(models: Sequence[ModelResults]) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """All context lengths and depths that occur in any of the results."""
    lengths = sorted({length for results in models for length in results.lengths})
    bins = sorted({label for results in models for label in results.depth_bins}, key=depth_order)
    return tuple(lengths), tuple(bins)


def _model_panel(name: str, recall_map: DepthMap, kind: Mean, lang: Lang) -> Panel:
    cells = iter(recall_map.cells)
    tiles = tuple(
        tuple(cell_tile(next(cells), lang) for _ in recall_map.by_depth)
        for _ in recall_map.by_length
    )
    margin = Margin(
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
    return Panel(name=name, tiles=tiles, margin=margin)


def _difference_panel(differences: DifferenceMap, lang: Lang) -> Panel:
    tiles = tuple(
        tuple(
            difference_tile(
                differences.cells[length, label], position_facts(lang, length, label), lang
            )
            for label in differences.by_depth
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
    return Panel(
        name=heat_word(
            "difference of", lang, model=differences.model, baseline=differences.baseline
        ),
        scale="difference",
        reach=difference_reach([differences]),
        tiles=tiles,
        margin=margin,
        note=difference_note(differences, lang),
    )


def difference_note(differences: DifferenceMap, lang: Lang) -> str:
    """What a framed cell means, and how many changes a cell needs for it."""
    return heat_word(
        "note difference",
        lang,
        cells=str(differences.tested),
        n=differences.fewest_changes,
    )


def difference_reach(maps: Sequence[DifferenceMap]) -> float:
    """The end of the colour scale: the largest difference rounded up to 0.1, at least 0.2."""
    largest = max(
        (
            abs(cell.difference)
            for differences in maps
            for cell in differences.cells.values()
            if cell.difference is not None
        ),
        default=0.0,
    )
    return max(0.2, min(1.0, -(-round(largest * 1000) // 100) / 10))
