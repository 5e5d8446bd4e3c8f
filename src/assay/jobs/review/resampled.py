"""The metrics of a review for many totals at once: ``review_metrics`` over rows of an array.

The formulas are those of ``assay.scorers.review`` and a test holds the two together; this form
computes thousands of resamples in milliseconds. NaN stands for undefined.
"""

from collections.abc import Sequence

import numpy as np

from assay.scorers.ordinal import RISK_SCORES
from assay.scorers.review import CELLS, COUNTED
from assay.scorers.review_level import LEVELS, TITLES
from assay.stats.resample import Floats


def resampled_metrics(
    totals: Floats, scores: Sequence[Sequence[float]] = RISK_SCORES
) -> dict[str, Floats]:
    """Every metric of ``review_metrics``, an array with a value for each row of totals.

    >>> row = [4, 1, 0, 0, 0, 5, 0, 0, 1, 0, 3, 2] + [0] * len(COUNTED)
    >>> resampled_metrics(np.array([row], dtype=float))["accuracy"].tolist()
    [0.75]
    """
    classes = len(LEVELS)
    matrices = totals[:, :CELLS].reshape(-1, classes, classes + 1)
    square = matrices[:, :, :classes]
    clauses = matrices.sum(axis=(1, 2))
    count = {name: totals[:, CELLS + place] for place, name in enumerate(COUNTED)}
    quoted = count["clause_valid"] + count["clause_invalid"]
    cited = count["law_valid"] + count["law_invalid"]
    hits = np.diagonal(square, axis1=1, axis2=2)
    said, true = square.sum(axis=1), matrices.sum(axis=2)
    f1 = _share(2 * hits, said + true)
    precisions, recalls = _share(hits, said), _share(hits, true)
    steps = np.abs(np.subtract.outer(np.arange(classes), np.arange(classes))).astype(np.float64)
    worth = np.asarray(scores, dtype=np.float64)
    metrics = {
        "accuracy": _share(hits.sum(axis=1), clauses),
        "weighted_accuracy": _share((square * worth).sum(axis=(1, 2)), clauses),
        "linear_weighted_kappa": _kappa(square, steps),
        "quadratic_weighted_kappa": _kappa(square, steps * steps),
        "high_risk_f2": _share(5 * hits, said + 4 * true)[:, LEVELS.index("high")],
        "macro_f1": _mean(f1),
        "macro_precision": _mean(precisions),
        "macro_recall": _mean(recalls),
        "hallucination_rate": _share(
            count["clause_invalid"] + count["law_invalid"], quoted + cited
        ),
        "clause_hallucination_rate": _share(count["clause_invalid"], quoted),
        "law_hallucination_rate": _share(count["law_invalid"], cited),
        "rule_recall": _share(count["rule_correct"], count["rule_target"]),
        "rule_precision": _share(count["rule_correct"], count["rule_trigger"]),
        "risk_id_accuracy": _share(count["risk_id_match"], count["risk_id_total"]),
        "task_success_rate": _share(count["task_success"], clauses),
        "parse_rate": _share(square.sum(axis=(1, 2)), clauses),
    }
    for k, level in enumerate(LEVELS):
        metrics[f"class_f1.{TITLES[level]}"] = f1[:, k]
        metrics[f"class_precision.{TITLES[level]}"] = precisions[:, k]
        metrics[f"class_recall.{TITLES[level]}"] = recalls[:, k]
    return metrics


def _share(part: Floats, whole: Floats) -> Floats:
    shares: Floats = np.full(np.shape(part), np.nan)
    np.divide(part, whole, out=shares, where=whole > 0)
    return shares


def _mean(values: Floats) -> Floats:
    """The mean of each row's defined values."""
    known = np.isfinite(values)
    return _share(np.where(known, values, 0.0).sum(axis=1), known.sum(axis=1).astype(np.float64))


def _kappa(square: Floats, distance: Floats) -> Floats:
    true, said = square.sum(axis=2), square.sum(axis=1)
    by_chance = np.einsum("ri,rj,ij->r", true, said, distance)
    observed = (square * distance).sum(axis=(1, 2)) * true.sum(axis=1)
    return 1 - _share(observed, by_chance)
