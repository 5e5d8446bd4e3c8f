"""The results along the novel: one row for each model, one column for each stretch."""

from collections.abc import Sequence
from typing import Literal

from msgspec.structs import replace

from assay.errors import UseError
from assay.jobs.depth.map.heatmap import (
    Mode,
    data_sets,
    default_title,
    depth_heatmap,
    result_notes,
    summary_table,
)
from assay.jobs.depth.map.mean import View, overall_mean
from assay.jobs.depth.map.position import STRETCHES, Stretch, novel_tokens, stretches
from assay.jobs.depth.map.results import ModelResults
from assay.jobs.depth.map.tile import Heatmap, Mean, Panel, accuracy_tile, coverage_tile
from assay.jobs.depth.map.words import heat_word
from assay.report.look import PaletteName
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
    rows = [stretches(results, view, number=number, tokens=tokens) for results in models]
    tile = coverage_tile if mode == "coverage" else accuracy_tile
    panel = Panel(
        name=data_sets(models),
        scale="count" if mode == "coverage" else "recall",
        reach=most_questions(rows) if mode == "coverage" else 1.0,
        tiles=tuple(tuple(tile(part, lang) for part in row) for row in rows),
    )
    return Heatmap(
        title=title or default_title(models, mode, lang),
        lang=lang,
        rows=tuple(results.model for results in models),
        columns=tuple(range_label(part) for part in rows[0]),
        row_title=heat_word("model", lang),
        column_title=heat_word("position", lang),
        panels=(panel,),
        summary=summary_table(
            models, [overall_mean(results, view) for results in models], view, lang
        ),
        notes=tuple(result_notes(models, lang) + position_notes(models, lang)),
        view=view,
        palette=palette,
        dense=number > 12,
    )


def most_questions(rows: Sequence[Sequence[Stretch]]) -> float:
    """The end of the scale of a coverage map: the most questions that a stretch has."""
    return float(max(1, *(part.questions for row in rows for part in row)))


def range_label(part: Stretch) -> str:
    """The ends of a stretch in thousands of tokens; in tokens if the stretch is short."""
    if part.end - part.start < 2000:
        return f"{part.start}–{part.end}"
    start = f"{part.start // 1000}K" if part.start else "0"
    return f"{start}–{part.end // 1000}K"


def position_notes(models: Sequence[ModelResults], lang: Lang) -> list[str]:
    """Notes about questions that cannot be shown along the novel."""
    notes = []
    for results in models:
        asked = {*results.unanswered, *(reply.question for reply in results.replies)}
        without = sum(results.questions[question].position is None for question in asked)
        if without:
            number = without
            notes.append(heat_word("note positions", lang, model=results.model, n=number))
    return notes


# Several maps of the same results.


def combined_heatmaps(
    models: Sequence[ModelResults],
    mode: Mode,
    *,
    question_set: ModelResults | None = None,
    lang: Lang = "en",
    view: View = "all",
    mean: Mean = "cells",
    palette: PaletteName = "green-red",
    number: int = STRETCHES,
    total_tokens: int | None = None,
) -> list[Heatmap]:
    """Coverage and accuracy along the novel; ``combined_depth`` puts the map by depth first.

    Coverage is that of ``question_set``, if there is one, else of the questions with answers. The
    map by depth stands alone if the results have no positions, and a note says so.
    """
    maps = []
    if mode == "combined_depth":
        maps.append(depth_heatmap(models, lang=lang, view=view, mean=mean, palette=palette))
    try:
        tokens = novel_tokens([*models, *filter(None, [question_set])], total_tokens)
    except UseError as error:
        if not maps:
            raise
        return [replace(maps[0], notes=(*maps[0].notes, str(error)))]
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
        maps.append(novel_map)
    return maps
