"""A heatmap's numbers for programs to read."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from assay.jobs.depth.map.difference import CellDifference, DifferenceMap, difference_map
from assay.jobs.depth.map.heatmap import shared_grid
from assay.jobs.depth.map.mean import DepthMap, MeanRecall, View, depth_map
from assay.jobs.depth.map.position import STRETCHES, novel_tokens, stretches
from assay.jobs.depth.map.results import ModelResults


def depth_json(found: Sequence[ModelResults], view: View = "all") -> dict[str, Any]:
    """``cells`` and ``averages`` of one model; of several, those of each, and the differences."""
    if len(found) == 1:
        return _one(found[0], view)
    lengths, bins = shared_grid(found)
    return {
        "models": [_one(results, view) for results in found],
        "differences": [
            _difference(difference_map(results, found[0], view, lengths=lengths, depth_bins=bins))
            for results in found[1:]
        ],
    }


def novel_json(
    found: Sequence[ModelResults],
    mode: Literal["coverage", "accuracy"],
    view: View = "all",
    *,
    number: int = STRETCHES,
) -> dict[str, Any]:
    """The stretches of the novel for each model."""
    tokens = max(novel_tokens(results) for results in found)
    several = [
        {
            **_facts(results, view),
            "mode": mode,
            "novel_tokens": tokens,
            "stretches": msgspec.to_builtins(
                stretches(results, view, number=number, tokens=tokens)
            ),
        }
        for results in found
    ]
    return several[0] if len(several) == 1 else {"models": several}


def _one(results: ModelResults, view: View) -> dict[str, Any]:
    made = depth_map(results, view)
    return {**_facts(results, view), "cells": _cells(made), "averages": _averages(made)}


def _facts(results: ModelResults, view: View) -> dict[str, Any]:
    return {
        "model": results.model,
        "data_set": results.data_set or None,
        "view": view,
        "answers": len(results.replies),
        "unparsed": results.unparsed,
        "failed": sum(results.failed.values()),
        "skipped": sum(results.skipped.values()),
        "replaced": results.replaced,
        "unplaced": results.unplaced,
        "unscored": results.unscored,
        "excluded": results.excluded,
    }


def _cells(made: DepthMap) -> list[dict[str, Any]]:
    names = ("context_length", "depth_bin", "accuracy", "n", "unparsed", "interval")
    return [
        {name: msgspec.to_builtins(getattr(cell, name)) for name in names} for cell in made.cells
    ]


def _averages(made: DepthMap) -> dict[str, Any]:
    """Both means, by context length, by depth and over all."""
    groups: dict[str, Mapping[Any, MeanRecall]] = {
        "by_context_length": made.by_length,
        "by_depth_bin": made.by_depth,
    }
    return {
        **{
            group: [{_KEYS[group]: place, **_mean(mean)} for place, mean in means.items()]
            for group, means in groups.items()
        },
        "overall": _mean(made.overall),
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


def _difference(made: DifferenceMap) -> dict[str, Any]:
    return {
        "model": made.model,
        "baseline": made.baseline,
        "view": made.view,
        "correction": "holm",
        "tested": made.tested,
        "fewest_changes": made.fewest_changes,
        "cells": [
            {"context_length": length, "depth_bin": label, **_compared(cell)}
            for (length, label), cell in made.cells.items()
        ],
        "by_context_length": [
            {"context_length": length, **_compared(one)} for length, one in made.by_length.items()
        ],
        "by_depth_bin": [
            {"depth_bin": label, **_compared(one)} for label, one in made.by_depth.items()
        ],
        "overall": _compared(made.overall),
    }


def _compared(found: CellDifference) -> dict[str, Any]:
    return {**msgspec.to_builtins(found), "significant": found.significant}
