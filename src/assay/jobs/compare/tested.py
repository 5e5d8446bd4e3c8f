"""The figures of paired values: the mean or percentile of each side, and the tested difference."""

import math

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from assay.records import Metric
from assay.stats import SHARE, Effect, Method, paired_effect, quantile

Values = NDArray[np.float64]


def tested_effect(
    metric: Metric, before: Values, after: Values, method: Method, weights: Values | None
) -> Effect:
    """The difference of paired values, or of their weighted means, with its interval and its test.

    ``weights`` have the mean 1.
    """
    is_yes_no = bool(np.isin(before, (0, 1)).all() and np.isin(after, (0, 1)).all())
    if metric.kind == "rate" and not is_yes_no:  # means over repeated runs are fractions
        metric = replace(metric, kind="mean")
    return paired_effect(metric, "candidate", "base", after, before, method, weights)


def aggregate_value(metric: Metric, values: Values) -> float:
    """The mean of the values, or the percentile that the metric is."""
    if metric.kind in SHARE:
        return quantile(values, SHARE[metric.kind])
    return math.fsum(values.tolist()) / len(values)
