"""The whole table: every variant's value and interval, every effect and its verdict."""

from collections.abc import Sequence

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
"""Below this many documents with several items each, resampling documents says little about
others: too few ways to draw them. Items are resampled, and the verdict is about these documents."""


class Cell(Struct, frozen=True, kw_only=True):
    """A metric of one variant, over the ``n`` items where it is defined."""

    value: float | None
    n: int
    interval: Interval | None = None


class VariantSummary(Struct, frozen=True, kw_only=True):
    """One row of the table: how its cases ended, and a cell for each metric by name."""

    name: str
    tally: Tally
    cells: dict[str, Cell]


class Analysis(Struct, frozen=True, kw_only=True):
    """What a table and its charts are made of.

    ``clustered`` says that whole documents were resampled; ``documents`` is how many hold
    several items, and where they are too few to resample, the intervals and verdicts are
    about the questions of these documents. ``comparisons`` is how many p-values Holm's
    correction ran over, by family of metrics.
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
    level: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
    clustered: bool = True,
) -> Analysis:
    """Summarise every variant, and compare pairs of them item by item.

    Args:
        scores: what was measured.
        metrics: the columns of the table; the order changes no number.
        baseline: what every other variant is compared with; ``None`` for no such.
        pairs: further comparisons, as (variant, what it is compared with).
        level: of all intervals. Verdicts are at 5% after correction, whatever it is.
        resamples: draws of the permutation tests and of percentiles.
        seed: of those draws.
        clustered: resample whole documents where at least ten of ``scores.clusters`` hold
            several items.
    """
    clusters = cluster_numbers(scores.clusters) if clustered else None
    method = Method(level=level, resamples=resamples, seed=seed, clusters=clusters)
    wanted = _comparisons(scores, baseline, pairs)
    cells: dict[str, dict[str, Cell]] = {name: {} for name in scores.variants}
    effects: dict[tuple[str, str, str], Effect] = {}
    for metric in metrics:
        columns = {name: scores.column(metric.field, name) for name in scores.variants}
        for name, column in columns.items():
            cells[name][metric.name] = _cell(metric, name, column, method)
        for variant, base in wanted:
            effects[metric.name, variant, base] = paired_effect(
                metric, variant, base, columns[variant], columns[base], method
            )
    ordered = [effects[m.name, variant, base] for variant, base in wanted for m in metrics]
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
        comparisons=_corrected_over(verdicts, metrics),
    )


def _corrected_over(effects: Sequence[Effect], metrics: Sequence[Metric]) -> dict[str, int]:
    counts: dict[str, int] = dict.fromkeys((metric.family for metric in metrics), 0)
    family = {metric.name: metric.family for metric in metrics}
    for effect in effects:
        counts[family[effect.metric]] += effect.p_value is not None
    return counts


def _comparisons(
    scores: Scores, baseline: str | None, pairs: Sequence[tuple[str, str]]
) -> list[tuple[str, str]]:
    """Each pair once: the baseline's first, then those asked for."""
    wanted = [
        (name, baseline) for name in scores.variants if baseline is not None and name != baseline
    ]
    wanted += pairs
    for name in (*(() if baseline is None else (baseline,)), *(n for pair in wanted for n in pair)):
        if name not in scores.variants:
            raise UseError(f"no variant {name!r}; there are: {', '.join(scores.variants)}")
    return list(dict.fromkeys(wanted))


def _documents(clusters: NDArray[np.integer] | None) -> int:
    if clusters is None:
        return 0
    return int(np.count_nonzero(np.unique(clusters, return_counts=True)[1] > 1))


def cluster_numbers(clusters: NDArray[np.integer] | None) -> NDArray[np.integer] | None:
    """Clusters numbered from 0, or ``None`` where they are too few or one for each item."""
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
    clusters = method.among(known)
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
    """Wilson's; over documents BCa, except where all items agree and BCa has no width."""
    yes = int(np.count_nonzero(values == 1))
    odd = values[(values != 0) & (values != 1)]
    if len(odd):
        raise UseError(f"{metric.name}: a rate needs yes or no, and {metric.field} holds {odd[0]}")
    if clusters is None:
        return wilson(yes, len(values), method.level)
    if 0 < yes < len(values):
        return bca_mean(values, level=method.level, clusters=clusters)
    documents = cluster_count(clusters)
    agreed = wilson(documents if yes else 0, documents, method.level)
    assert agreed is not None
    return Interval(low=agreed.low, high=agreed.high, level=method.level, method="cluster-wilson")
