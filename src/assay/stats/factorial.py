"""Factorial designs: the effect of each switch, and the interaction of each pair of switches."""

from collections.abc import Container, Mapping, Sequence
from itertools import combinations

import numpy as np

from assay.errors import UseError
from assay.records import Metric
from assay.stats.analysis import method_for, metric_families
from assay.stats.comparison import column_of, weighted_comparison
from assay.stats.effect import SHARE, Effect
from assay.stats.family import family_effects
from assay.stats.joint import Comparison
from assay.stats.resample import Floats
from assay.stats.scores import Scores


def contrasts(levels: Sequence[Mapping[str, bool]]) -> dict[str, Floats]:
    """The weights of the variants, for each main effect and each two-way interaction.

    ``levels`` contains, for each variant, which switches are on; every combination must appear
    exactly once. A main effect is the mean with the switch on minus the mean with it off. An
    interaction ``A×B`` is the effect of A when B is on minus the effect of A when B is off,
    averaged over all settings of the other switches. It is 0 if the two effects simply add up.

    >>> both = contrasts([{"A": a, "B": b} for a in (False, True) for b in (False, True)])
    >>> {name: weights.tolist() for name, weights in both.items()}
    {'A': [-0.5, -0.5, 0.5, 0.5], 'B': [-0.5, 0.5, -0.5, 0.5], 'A×B': [1.0, -1.0, -1.0, 1.0]}
    """
    names = list(levels[0]) if levels else []
    seen = {tuple(level.get(name) for name in names) for level in levels}
    if (
        not names
        or any(set(level) != set(names) for level in levels)
        or not len(seen) == len(levels) == 2 ** len(names)
    ):
        raise UseError(
            "a factorial design needs every combination of its switches exactly once; there are "
            f"{len(levels)} variants for {len(names)} switches"
        )
    signs = {name: np.array([1.0 if level[name] else -1.0 for level in levels]) for name in names}
    half = len(levels) / 2
    weights = {name: signs[name] / half for name in names}
    for first, second in combinations(names, 2):
        weights[f"{first}×{second}"] = 2 * signs[first] * signs[second] / half
    return weights


def factorial_effects(
    scores: Scores,
    metrics: Sequence[Metric],
    levels: Mapping[str, Mapping[str, bool]],
    *,
    primary: str | None = None,
    excluded: Container[tuple[str, str]] = (),
    level: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
    clustered: bool = True,
) -> tuple[Effect, ...]:
    """Main effects and two-way interactions, computed from differences within each item.

    ``levels`` contains the switches of each variant of the design. An item is used only if all
    these variants have a value for it. ``Effect.variant`` is the switch or ``A×B``, and
    ``baseline`` is empty. The effects of a family of metrics are corrected together; ``primary``
    is the metric that was chosen in advance, as in ``analyse``. Metrics that are percentiles are
    left out, because a single item has no percentile, and so are the pairs of effect and metric in
    ``excluded``.
    """
    scores = scores.in_order()
    method = method_for(scores, level=level, resamples=resamples, seed=seed, clustered=clustered)
    weights = contrasts(list(levels.values()))
    means = [metric for metric in metrics if metric.kind not in SHARE]
    families = metric_families(means, primary)
    effects: dict[tuple[str, str], Effect] = {}
    for family in dict.fromkeys(families.values()):
        comparisons: list[Comparison] = []
        for metric in means:
            if families[metric.name] == family:
                columns = [column_of(metric, scores.column(metric.field, name)) for name in levels]
                comparisons += [
                    weighted_comparison(metric, name, weight.tolist(), columns)
                    for name, weight in weights.items()
                    if (name, metric.name) not in excluded
                ]
        for effect in family_effects(comparisons, family, method):
            effects[effect.variant, effect.metric] = effect
    keys = [(name, metric.name) for name in weights for metric in means]
    return tuple(effects[key] for key in keys if key in effects)
