"""The metrics that the results of a mode give, by the same formulas as in a review."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from assay.data.contract.mode_result import ModeCase, ModeResults
from assay.scorers.risk import COUNTED, LEVELS, review_metrics

FROM_LEVELS: Final = (
    "accuracy",
    "weighted_accuracy",
    "linear_weighted_kappa",
    "high_risk_f2",
    "macro_f1",
    "macro_precision",
    "macro_recall",
    "parse_rate",
    "quadratic_weighted_kappa",
    "macro_f1_defined",
    "macro_precision_defined",
    "macro_recall_defined",
)
"""Metrics that need nothing but the stated and the true level of each clause."""


def mode_figures(mode: ModeResults) -> dict[str, float | None]:
    """The metrics that the results or the matrix of a mode give; empty if it has neither."""
    matrix = mode_matrix(mode)
    if matrix is None:
        return {}
    flags = [case.evidence_valid for case in mode.cases if case.evidence_valid is not None]
    counts = {"clause_valid": sum(flags), "clause_invalid": len(flags) - sum(flags)}
    totals = [cell for row in matrix for cell in row] + [counts.get(name, 0) for name in COUNTED]
    values = review_metrics(np.array([totals], dtype=np.float64))
    names = [*FROM_LEVELS, "hallucination_rate"] if flags else FROM_LEVELS
    return {name: None if np.isnan(values[name][0]) else float(values[name][0]) for name in names}


def mode_matrix(mode: ModeResults) -> Sequence[Sequence[float]] | None:
    """The confusion matrix of the results; if there are none, the recorded one."""
    if not mode.cases:
        return mode.matrix
    matrix = [[0.0] * (len(LEVELS) + 1) for _ in LEVELS]
    for case in mode.cases:
        matrix[LEVELS.index(case.truth)][_column(case)] += 1
    return matrix


def _column(case: ModeCase) -> int:
    return len(LEVELS) if case.prediction is None else LEVELS.index(case.prediction)
