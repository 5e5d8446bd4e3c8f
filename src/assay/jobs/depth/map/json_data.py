"""The numbers of a heatmap as JSON data, for other programs."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from assay.jobs.depth.map.difference import CellDifference, DifferenceMap, difference_map
from assay.jobs.depth.map.heatmap import Mode, shared_grid
from assay.jobs.depth.map.mean import DepthMap, MeanRecall, View, depth_map
from assay.jobs.depth.map.position import STRETCHES, novel_tokens, stretches
from assay.jobs.depth.map.results import ModelResults


def depth_json(models: Sequence[ModelResults], view: View = "all") -> dict[str, Any]:
    """``cells`` and ``averages`` of a model; for several models, a list of these and differences."""
    if len(models) == 1:
        return _model(models[0], view)
    lengths, bins = shared_grid(models)
    return {
        "models": [_model(results, view) for results in models],
        "differences": [
            difference_json(
                difference_map(results, models[0], view, lengths=lengths, depth_bins=bins)
            )
            for results in models[1:]
        ],
    }


def novel_json(
    models: Sequence[ModelResults],
    mode: Literal["coverage", "accuracy"],
    view: View = "all",
    *,
    number: int = STRETCHES,
    total_tokens: int | None = None,
) -> dict[str, Any]:
    """The results of each model in equal stretches of the novel of ``total_tokens`` tokens."""
    models = [results.along_novel() for results in models]
    tokens = novel_tokens(models, total_tokens)
    contents = [
        {
            **_facts(results, view),
            "mode": mode,
            "novel_tokens": tokens,
            "stretches": msgspec.to_builtins(
                stretches(results, view, number=number, tokens=tokens)
            ),
        }
        for results in models
    ]
    return contents[0] if len(contents) == 1 else {"models": contents}


def combined_json(
    models: Sequence[ModelResults],
    mode: Mode,
    view: View = "all",
    *,
    question_set: ModelResults | None = None,
    number: int = STRETCHES,
    total_tokens: int | None = None,
) -> dict[str, Any]:
    """The data of the maps of a combined page, by the name of the map."""
    tokens = novel_tokens([*models, *filter(None, [question_set])], total_tokens)
    questions = [question_set] if question_set else models
    return {
        **({"depth": depth_json(models, view)} if mode == "combined_depth" else {}),
        "coverage": novel_json(questions, "coverage", view, number=number, total_tokens=tokens),
        "accuracy": novel_json(models, "accuracy", view, number=number, total_tokens=tokens),
    }


def _model(results: ModelResults, view: View) -> dict[str, Any]:
    recall_map = depth_map(results, view)
    return {**_facts(results, view), "cells": _cells(recall_map), "averages": averages(recall_map)}


def _facts(results: ModelResults, view: View) -> dict[str, Any]:
    return {
        "model": results.model,
        "data_set": results.data_set or None,
        "view": view,
        "answers": len(results.replies),
        "unparsed": results.unparsed,
        "answered": sum(results.answered.values()),
        "failed": sum(results.failed.values()),
        "skipped": sum(results.skipped.values()),
        "replaced": results.replaced,
        "unplaced": results.unplaced,
        "unscored": results.unscored,
        "outside": results.outside,
        "excluded": results.excluded,
    }


def _cells(recall_map: DepthMap) -> list[dict[str, Any]]:
    names = ("context_length", "depth_bin", "accuracy", "n", "unparsed", "interval")
    return [
        {name: msgspec.to_builtins(getattr(cell, name)) for name in names}
        for cell in recall_map.cells
    ]


def averages(recall_map: DepthMap) -> dict[str, Any]:
    """Both means, by context length, by depth, and overall."""
    groups: dict[str, Mapping[Any, MeanRecall]] = {
        "by_context_length": recall_map.by_length,
        "by_depth_bin": recall_map.by_depth,
    }
    return {
        **{
            group: [{_KEYS[group]: key, **_mean(mean)} for key, mean in means.items()]
            for group, means in groups.items()
        },
        "overall": _mean(recall_map.overall),
    }


_KEYS = {"by_context_length": "context_length", "by_depth_bin": "depth_bin"}


def _mean(mean: MeanRecall) -> dict[str, Any]:
    return {
        "mean_of_cells": mean.of_cells,
        "cells": mean.cells,
        "mean_of_questions": mean.of_questions,
        "n": mean.n,
        "unparsed": mean.unparsed,
        "interval": msgspec.to_builtins(mean.interval),
    }


def difference_json(differences: DifferenceMap) -> dict[str, Any]:
    """The differences of two models by cell, by context length, by depth, and overall."""
    return {
        "model": differences.model,
        "baseline": differences.baseline,
        "view": differences.view,
        "correction": "holm",
        "tested": differences.tested,
        "fewest_changes": differences.fewest_changes,
        "cells": [
            {"context_length": length, "depth_bin": label, **_cell_difference(cell)}
            for (length, label), cell in differences.cells.items()
        ],
        "by_context_length": [
            {"context_length": length, **_cell_difference(row)}
            for length, row in differences.by_length.items()
        ],
        "by_depth_bin": [
            {"depth_bin": label, **_cell_difference(column)}
            for label, column in differences.by_depth.items()
        ],
        "overall": _cell_difference(differences.overall),
    }


def _cell_difference(cell: CellDifference) -> dict[str, Any]:
    return {**msgspec.to_builtins(cell), "significant": cell.significant}
