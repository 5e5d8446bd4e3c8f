"""Several maps of the same results on one page."""

from collections.abc import Sequence
from typing import Literal

from msgspec.structs import replace

from assay.errors import UseError
from assay.jobs.depth.map.caption import default_title
from assay.jobs.depth.map.heatmap import depth_heatmap
from assay.jobs.depth.map.mean import View
from assay.jobs.depth.map.novel import novel_heatmap
from assay.jobs.depth.map.position import STRETCHES, novel_tokens
from assay.jobs.depth.map.results import ModelResults
from assay.report.heatmap import Heatmap, Mean, PaletteName, merged
from assay.report.words import Lang, heat_word


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
