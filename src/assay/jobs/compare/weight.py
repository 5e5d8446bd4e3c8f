"""The weights of questions and data sets: weighted scores, and the weight of each pair in them."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from assay.jobs.compare.pair import Pair
from assay.records import Metric
from assay.scorers.quality import weighted_score
from assay.stats import SHARE

FEWEST_EQUAL: Final = 6
"""So many questions of equal weight must be behind a weighted score to tell a change from noise."""


def weighted_scores(
    group_weights: Mapping[str, float], pairs: Sequence[Pair], metric: Metric
) -> tuple[float, float] | None:
    """The weighted scores of base and candidate, over the same questions, with the base's weights.

    With several data sets, each data set has its weighted score, and these are averaged with the
    weights of the data sets. Returns None if nothing has a weight, if all weights are 0, or if
    the metric is a percentile.
    """
    complete = [(base, cand) for base, cand in pairs if base is not None and cand is not None]
    has_weights = any(case.weight is not None for pair in complete for case in pair)
    if metric.kind in SHARE or not (has_weights or group_weights):
        return None
    scores: list[float] = []
    for index in (0, 1):
        groups: dict[str, list[tuple[float, float]]] = {}
        for pair in complete:
            weight = pair[0].weight if pair[0].weight is not None else pair[1].weight
            value = pair[index].value
            assert value is not None
            groups.setdefault(pair[0].group, []).append((value, 1.0 if weight is None else weight))
        group_scores = {name: weighted_score(values) for name, values in groups.items()}
        score = weighted_score(
            (group_score, group_weights.get(name, 1.0))
            for name, group_score in group_scores.items()
            if group_score is not None
        )
        if score is None:
            return None
        scores.append(score)
    return scores[0], scores[1]


def pair_weights(
    group_weights: Mapping[str, float], pairs: Sequence[Pair]
) -> NDArray[np.float64] | None:
    """The weight of each pair in the weighted score, with the mean 1; None if all are equal.

    The weight of a question is divided by those of its data set, and multiplied by that of the data
    set, so that the mean of weighted values is the weighted score. A data set without weight counts
    nothing.
    """
    groups = [case.group for case, _ in pairs if case is not None]
    own = [_weight(pair) for pair in pairs]
    totals: dict[str, float] = {}
    for group, weight in zip(groups, own, strict=True):
        totals[group] = totals.get(group, 0.0) + weight
    weights = np.array(
        [
            weight / totals[group] * group_weights.get(group, 1.0) if totals[group] else 0.0
            for group, weight in zip(groups, own, strict=True)
        ]
    )
    weights *= len(weights) / weights.sum()
    return None if np.allclose(weights, 1.0, rtol=0.0, atol=1e-12) else weights


def weight_notes(weights: NDArray[np.float64] | None) -> list[str]:
    """What the test is about, and whether few questions have most of the weight.

    ``(Σ w)² / Σ w²`` questions of equal weight say as much (L. Kish, "Survey sampling", 1965).
    """
    if weights is None:
        return []
    notes = ["the test and its interval are about the weighted score"]
    equal = weights.sum() ** 2 / (weights @ weights)
    if equal < FEWEST_EQUAL <= len(weights):
        like = f"they say as much as {equal:.1f} equal ones, so noise may explain any change"
        notes.append(f"few questions have most of the weight: {like}")
    return notes


def _weight(pair: Pair) -> float:
    """The weight of the base, or else of the candidate; 1 if neither has one."""
    given = (case.weight for case in pair if case is not None)
    return next((weight for weight in given if weight is not None), 1.0)
