"""Metrics of which two runs have no pair of values, so that they cannot be compared by them."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from assay.stats import SCORED, Scores
from assay.web.run_index import RunIndex


def unpaired_metrics(
    base: RunIndex, cand: RunIndex, variant: str, cand_variant: str
) -> Iterator[str]:
    """The names of the metrics of the base without a question that has a value in both runs.

    None is named if only one of the runs has several placements: its items have other names.
    """
    one, other = base.findings.results.scores, cand.findings.results.scores
    if variant not in one.variants or cand_variant not in other.variants:
        return
    places = _paired_places(one, other)
    if not places[0] and _questions(one) & _questions(other):
        return
    for metric in base.findings.metrics:
        if metric.field not in one.values:
            continue
        before = _is_defined(one, variant, metric.field)[places[0]]
        after = _is_defined(other, cand_variant, metric.field)[places[1]]
        if not np.any(before & after):
            yield metric.name


def _is_defined(scores: Scores, variant: str, field: str) -> NDArray[np.bool_]:
    row = scores.variants.index(variant)
    if field not in scores.values:
        return np.zeros(len(scores.items), dtype=np.bool_)
    is_scored = scores.status[row] == SCORED
    defined: NDArray[np.bool_] = is_scored & np.isfinite(scores.values[field][row])
    return defined


def _questions(scores: Scores) -> set[str]:
    return {name.rpartition("::")[0] or name for name in scores.items}


def _paired_places(one: Scores, other: Scores) -> tuple[list[int], list[int]]:
    """The places of the items that both have, in each of them."""
    places = {name: place for place, name in enumerate(other.items)}
    pairs = [(place, places[name]) for place, name in enumerate(one.items) if name in places]
    return [before for before, _ in pairs], [after for _, after in pairs]
