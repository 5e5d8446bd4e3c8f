"""The complete analysis: the values and intervals of all variants, all effects and verdicts."""

from collections.abc import Container, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from assay.errors import UseError
from assay.records import Metric, Tally
from assay.stats.effect import SHARE, Effect, Method, paired_effect, with_verdicts
from assay.stats.interval import Interval, bca_mean, wilson
from assay.stats.percentile import quantile_interval
from assay.stats.resample import cluster_count
from assay.stats.scores import Scores

FEWEST_CLUSTERS = 10
"""The smallest number of documents (with several items each) for which documents are resampled.

With fewer documents there are too few ways to draw them, and the result says little about other
documents. Then items are resampled, and the verdict is only about these documents."""


class Cell(Struct, frozen=True, kw_only=True):
    """The value of one metric for one variant, over the ``n`` items where it is defined."""

    value: float | None
    n: int
    interval: Interval | None = None


class VariantSummary(Struct, frozen=True, kw_only=True):
    """One row of the table: how the cases of a variant ended, and one cell for each metric."""

    name: str
    tally: Tally
    cells: dict[str, Cell]


class Analysis(Struct, frozen=True, kw_only=True):
    """The data for a table and its charts.

    ``clustered`` is true if whole documents were resampled. ``documents`` is the number of
    documents that have several items; if there are too few of them to resample, the intervals
    and verdicts are only about the questions of these documents. ``comparisons`` is the number
    of p-values in Holm's correction, for each family of metrics.
    """

    baseline: str | None
    variants: tuple[VariantSummary, ...]
    effects: tuple[Effect, ...]
    level: float
    resamples: int
    seed: int
    clustered: bool
    documents: int
    comparisons: dict[str, int]


def analyse(
    scores: Scores,
    metrics: Sequence[Metric],
    *,
    baseline: str | None,
    pairs: Sequence[tuple[str, str]] = (),
    excluded: Container[tuple[str, str]] = (),
    level: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
    clustered: bool = True,
) -> Analysis:
    """Summarise every variant, and compare pairs of variants item by item.

    Args:
        scores: the measured scores.
        metrics: the columns of the table; their order does not change any number.
        baseline: the variant that all others are compared with, or ``None`` for no baseline.
        pairs: additional comparisons, as (variant, variant it is compared with).
        excluded: the pairs of variant and metric that are not compared.
        level: the confidence level of all intervals. Verdicts do not depend on it: they use
            5% after correction.
        resamples: the number of random draws for permutation tests and for percentiles.
        seed: the seed of these draws.
        clustered: resample whole documents if at least ten of ``scores.clusters`` have several
            items.
    """
    clusters = cluster_numbers(scores.clusters) if clustered else None
    method = Method(level=level, resamples=resamples, seed=seed, clusters=clusters)
    comparisons = _comparisons(scores, baseline, pairs)
    cells: dict[str, dict[str, Cell]] = {name: {} for name in scores.variants}
    effects: dict[tuple[str, str, str], Effect] = {}
    for metric in metrics:
        columns = {name: scores.column(metric.field, name) for name in scores.variants}
        for name, column in columns.items():
            cells[name][metric.name] = _cell(metric, name, column, method)
        for variant, base in comparisons:
            if (variant, metric.name) not in excluded:
                effects[metric.name, variant, base] = paired_effect(
                    metric, variant, base, columns[variant], columns[base], method
                )
    ordered = [
        effects[m.name, variant, base]
        for variant, base in comparisons
        for m in metrics
        if (variant, m.name) not in excluded
    ]
    verdicts = with_verdicts(ordered, metrics)
    return Analysis(
        baseline=baseline,
        variants=tuple(
            VariantSummary(name=name, tally=scores.tally(name), cells=cells[name])
            for name in scores.variants
        ),
        effects=verdicts,
        level=level,
        resamples=resamples,
        seed=seed,
        clustered=clusters is not None,
        documents=_documents(scores.clusters),
        comparisons=_corrected_p_values(verdicts, metrics),
    )


def _corrected_p_values(effects: Sequence[Effect], metrics: Sequence[Metric]) -> dict[str, int]:
    """The number of p-values in each family of metrics."""
    counts: dict[str, int] = dict.fromkeys((metric.family for metric in metrics), 0)
    family = {metric.name: metric.family for metric in metrics}
    for effect in effects:
        counts[family[effect.metric]] += effect.p_value is not None
    return counts


def _comparisons(
    scores: Scores, baseline: str | None, pairs: Sequence[tuple[str, str]]
) -> list[tuple[str, str]]:
    """Each pair once: first the comparisons with the baseline, then the additional pairs."""
    comparisons = [
        (name, baseline) for name in scores.variants if baseline is not None and name != baseline
    ]
    comparisons += pairs
    for name in (
        *(() if baseline is None else (baseline,)),
        *(n for pair in comparisons for n in pair),
    ):
        if name not in scores.variants:
            raise UseError(
                f"there is no variant {name!r}; the variants are: {', '.join(scores.variants)}"
            )
    return list(dict.fromkeys(comparisons))


def _documents(clusters: NDArray[np.integer] | None) -> int:
    """The number of documents that have several items."""
    if clusters is None:
        return 0
    return int(np.count_nonzero(np.unique(clusters, return_counts=True)[1] > 1))


def cluster_numbers(clusters: NDArray[np.integer] | None) -> NDArray[np.integer] | None:
    """The clusters numbered from 0, or ``None`` if too few of them have several items."""
    if clusters is None:
        return None
    _, dense, sizes = np.unique(clusters, return_inverse=True, return_counts=True)
    return dense if np.count_nonzero(sizes > 1) >= FEWEST_CLUSTERS else None


def _cell(metric: Metric, variant: str, column: NDArray[np.floating], method: Method) -> Cell:
    known = np.isfinite(column)
    values = column[known].astype(np.float64)
    n = len(values)
    if n == 0:
        return Cell(value=None, n=0)
    clusters = method.clusters_of(known)
    if metric.kind in SHARE:
        interval = quantile_interval(
            values,
            SHARE[metric.kind],
            resamples=method.resamples,
            seed=method.seed,
            level=method.level,
            clusters=clusters,
            names=(metric.name, variant),
        )
        return Cell(value=float(np.quantile(values, SHARE[metric.kind])), n=n, interval=interval)
    if metric.kind == "rate":
        interval = _rate_interval(metric, values, clusters, method)
    else:
        interval = bca_mean(values, level=method.level, clusters=clusters)
    return Cell(value=float(values.mean()), n=n, interval=interval)


def _rate_interval(
    metric: Metric,
    values: NDArray[np.float64],
    clusters: NDArray[np.integer] | None,
    method: Method,
) -> Interval | None:
    """The interval of a rate: Wilson's, or BCa if documents are resampled.

    If all items are equal, BCa would have no width. Then Wilson's interval is used, with the
    documents as its trials.
    """
    yes = int(np.count_nonzero(values == 1))
    invalid = values[(values != 0) & (values != 1)]
    if len(invalid):
        raise UseError(
            f"{metric.name}: a rate needs yes or no (1 or 0), but {metric.field} contains "
            f"{invalid[0]}"
        )
    if clusters is None:
        return wilson(yes, len(values), method.level)
    if 0 < yes < len(values):
        return bca_mean(values, level=method.level, clusters=clusters)
    documents = cluster_count(clusters)
    interval = wilson(documents if yes else 0, documents, method.level)
    assert interval is not None
    return Interval(
        low=interval.low, high=interval.high, level=method.level, method="cluster-wilson"
    )
