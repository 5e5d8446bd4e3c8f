"""The complete analysis: the values and intervals of all variants, all effects and verdicts."""

from collections.abc import Container, Mapping, Sequence
from itertools import combinations

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from assay.errors import UseError
from assay.records import Estimand, Metric, Tally
from assay.stats.comparison import (
    Column,
    column_of,
    paired_comparison,
    percentile_effect,
    weighted_comparison,
)
from assay.stats.corrected import Corrected
from assay.stats.difference import FEWEST_VALUES
from assay.stats.effect import SHARE, Effect, Family, Method, Unit
from assay.stats.family import PairComparison, family_effects
from assay.stats.interval import Interval
from assay.stats.mean_interval import is_yes_no, mean_interval
from assay.stats.quantile import fewest_values, quantile_interval
from assay.stats.repeat import draw_means
from assay.stats.resample import Floats, chosen_values, cluster_count, quantile
from assay.stats.scores import Scores, method_of_units


class MetricCell(Struct, frozen=True, kw_only=True):
    """The value of one metric for one variant, over the ``n`` items where it is defined.

    ``interval`` is about the sample. ``band`` is about the ruler: the value if everything that is
    unsure about ``unsure`` answers were decided against them, and if it were decided for them.
    ``corrected`` is the rate that labels of people give, if there are enough of them.
    """

    value: float | None
    n: int
    interval: Interval | None = None
    unsure: int = 0
    band: Interval | None = None
    corrected: Corrected | None = None


class VariantSummary(Struct, frozen=True, kw_only=True):
    """One row of the table: how the cases of a variant ended, and one cell for each metric."""

    name: str
    tally: Tally
    cells: dict[str, MetricCell]


class Analysis(Struct, frozen=True, kw_only=True):
    """The data for a table and its charts.

    ``primary`` is the metric that was chosen in advance, or ``None``. ``comparisons`` is the
    number of p-values that are corrected together, for each family.

    ``unit`` says what is drawn, and ``estimand`` whether everything is about questions on these
    documents or about documents like these; ``None`` if the documents are unknown. ``documents`` is
    their number.
    """

    baseline: str | None
    primary: str | None
    variants: tuple[VariantSummary, ...]
    effects: tuple[Effect, ...]
    level: float
    resamples: int
    seed: int
    unit: Unit
    estimand: Estimand | None
    documents: int
    comparisons: dict[str, int]


def analyse(
    scores: Scores,
    metrics: Sequence[Metric],
    *,
    baseline: str | None,
    primary: str | None = None,
    pairs: Sequence[tuple[str, str]] = (),
    excluded: Container[tuple[str, str]] = (),
    level: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
    documents: Estimand | None = None,
) -> Analysis:
    """Summarise every variant, and compare pairs of variants item by item.

    A case that was asked several times is one item, with the mean of its draws. Only percentiles are
    about single answers.

    Args:
        scores: the measured scores.
        metrics: the columns of the table; their order does not change any number.
        baseline: the variant that all others are compared with, or ``None`` for no baseline.
        primary: the name of the metric that was chosen in advance. Its comparisons are a family
            of their own, so that the other metrics do not make its verdicts weaker. ``None``
            puts all quality metrics into one family.
        pairs: additional comparisons, as (variant, variant it is compared with).
        excluded: the pairs of variant and metric that are not compared.
        level: the confidence level of all intervals. Verdicts do not depend on it: they use
            5% after correction.
        resamples: the number of random draws for permutation tests and differences of percentiles.
        seed: the seed of these draws.
        documents: whether all of it is about these documents or about documents like these (see
            ``method_of_units``); by default it depends on their number.
    """
    answers = scores.in_order()
    scores = answers.mean_of_draws()
    method = method_for(scores, level=level, resamples=resamples, seed=seed, documents=documents)
    families = metric_families(metrics, primary)
    compared = [
        (variant, base, metric)
        for variant, base in _comparisons(scores, baseline, pairs)
        for metric in metrics
        if (variant, metric.name) not in excluded
    ]
    cells: dict[str, dict[str, MetricCell]] = {name: {} for name in scores.variants}
    effects: list[Effect] = []
    for family in dict.fromkeys(families.values()):
        chosen = [metric for metric in metrics if families[metric.name] == family]
        effects += _family_effects(family, chosen, answers, compared, method, cells)
    by_name = {(effect.variant, effect.baseline, effect.metric): effect for effect in effects}
    return Analysis(
        baseline=baseline,
        primary=primary,
        variants=tuple(
            VariantSummary(
                name=name,
                tally=answers.tally(name),
                cells={metric.name: cells[name][metric.name] for metric in metrics},
            )
            for name in scores.variants
        ),
        effects=tuple(by_name[variant, base, metric.name] for variant, base, metric in compared),
        level=level,
        resamples=resamples,
        seed=seed,
        unit=method.unit,
        estimand=method.estimand,
        documents=0 if scores.clusters is None else cluster_count(scores.clusters),
        comparisons={
            family: sum(e.family == family and e.p_value is not None for e in effects)
            for family in dict.fromkeys(families.values())
        },
    )


def _family_effects(
    family: Family,
    metrics: Sequence[Metric],
    scores: Scores,
    compared: Sequence[tuple[str, str, Metric]],
    method: Method,
    cells: dict[str, dict[str, MetricCell]],
) -> list[Effect]:
    """The effects on the metrics of a family; their cells are added to ``cells``.

    ``method`` is that of the cases, which may have several answers in ``scores``.
    """
    effects: list[Effect] = []
    comparisons: list[PairComparison] = []
    of_answers = method
    if scores.draws is not None:
        of_answers = method_for(
            scores,
            level=method.level,
            resamples=method.resamples,
            seed=method.seed,
            documents=method.estimand,
        )
    cases = scores.mean_of_draws()
    for metric in metrics:
        is_of_answers = metric.kind in SHARE
        compared_scores = scores if is_of_answers else cases
        columns = {
            name: column_of(metric, compared_scores.column(metric.field, name))
            for name in scores.variants
        }
        for name, column in columns.items():
            answers = scores.column(metric.field, name)
            _refuse_part(metric, answers)
            cell = metric_cell(metric, column, of_answers if is_of_answers else method)
            cells[name][metric.name] = with_band(cell, metric, answers, scores, name)
        for variant, base, _ in (each for each in compared if each[2] is metric):
            values, base_values = columns[variant], columns[base]
            comparison = paired_comparison(metric, variant, base, values, base_values)
            if metric.kind in SHARE:
                parts = (values.values, base_values.values)
                effects.append(percentile_effect(comparison, *parts, family, of_answers))
            else:
                comparisons.append(comparison)
    return effects + family_effects(comparisons, family, method)


def with_band(
    cell: MetricCell, metric: Metric, values: NDArray[np.floating], scores: Scores, variant: str
) -> MetricCell:
    """The cell with the band that unsure answers leave, if there are any."""
    if not metric.is_share or cell.n == 0:
        return cell
    low, high = (scores.column(field, variant) for field in metric.bounds)
    unsure = np.isfinite(values) & np.isfinite(low) & np.isfinite(high)
    count = int(np.count_nonzero(unsure))
    if count == 0:
        return cell
    known = np.isfinite(_means(values, scores))
    # columns may have half the precision, and the mean of a band must not lie beside the value
    ends = [
        float(_means(np.where(unsure, end, values), scores)[known].mean(dtype=np.float64))
        for end in (low, high)
    ]
    return msgspec.structs.replace(cell, unsure=count, band=_band(*ends))


def _means(values: NDArray[np.floating], scores: Scores) -> NDArray[np.floating]:
    """The mean of each case over its draws."""
    if scores.draws is None:
        return values
    _, places = np.unique(scores.draws, return_inverse=True)
    return draw_means(values, places)


def _band(low: float, high: float) -> Interval:
    return Interval(low=low, high=high, level=1.0, method="unsure")


def method_for(
    scores: Scores, *, level: float, resamples: int, seed: int, documents: Estimand | None = None
) -> Method:
    """How the intervals and tests of these scores are computed; see ``analyse``."""
    return method_of_units(
        scores.clusters,
        scores.questions,
        chosen=documents,
        level=level,
        resamples=resamples,
        seed=seed,
    )


def metric_families(metrics: Sequence[Metric], primary: str | None) -> dict[str, Family]:
    """The family of each metric, by its name.

    >>> mrr, late = Metric(name="mrr", field="mrr"), Metric(name="late", field="t", unit="s")
    >>> metric_families([mrr, late], "mrr")
    {'mrr': 'primary', 'late': 'latency'}
    """
    known = {metric.name: metric for metric in metrics}
    if primary is not None and primary not in known:
        raise UseError(f"there is no metric {primary!r}; the metrics are: {', '.join(known)}")
    if primary is not None and known[primary].kind in SHARE:
        raise UseError(f"{primary}: a percentile has no test, so it cannot be the primary metric")
    return {name: "primary" if name == primary else metric.family for name, metric in known.items()}


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


def _refuse_part(metric: Metric, values: NDArray[np.floating]) -> None:
    if metric.kind == "rate" and not is_yes_no(values):
        (invalid, *_) = values[np.isfinite(values) & (values != 0) & (values != 1)]
        raise UseError(
            f"{metric.name}: a rate needs yes or no (1 or 0), but {metric.field} contains {invalid}"
        )


def metric_cell(metric: Metric, column: Column, method: Method) -> MetricCell:
    """The value of a metric over the items of a column where it is defined."""
    known = np.isfinite(column.values)
    values = chosen_values(column.values, known).astype(np.float64, copy=False)
    n = len(values)
    if n == 0:
        return MetricCell(value=None, n=0)
    if metric.kind in SHARE:
        interval = quantile_interval(
            values,
            SHARE[metric.kind],
            level=method.level,
            clusters=method.units_of(known),
        )
        fewest = fewest_values(SHARE[metric.kind], method.level)
        interval = interval if method.has_units(known, fewest) else None
        return MetricCell(value=quantile(values, SHARE[metric.kind]), n=n, interval=interval)
    interval = mean_interval(
        values,
        level=method.level,
        clusters=method.units_of(known),
        is_score=column.is_score,
    )
    if not column.is_score and not method.has_units(known, FEWEST_VALUES):
        interval = None
    if interval is not None and metric.unit and values.min() >= 0:  # no latency is negative
        interval = msgspec.structs.replace(interval, low=max(interval.low, 0.0))
    return MetricCell(value=float(values.mean()), n=n, interval=interval)


# Factorial designs: the effect of each switch, and the interaction of each pair of switches.


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
    documents: Estimand | None = None,
) -> tuple[Effect, ...]:
    """Main effects and two-way interactions, computed from differences within each item.

    ``levels`` contains the switches of each variant of the design. An item is used only if all
    these variants have a value for it. ``Effect.variant`` is the switch or ``A×B``, and
    ``baseline`` is empty. The effects of a family of metrics are corrected together; ``primary``
    is the metric that was chosen in advance, as in ``analyse``. Metrics that are percentiles are
    left out, because a single item has no percentile, and so are the pairs of effect and metric in
    ``excluded``.
    """
    scores = scores.in_order().mean_of_draws()
    method = method_for(scores, level=level, resamples=resamples, seed=seed, documents=documents)
    weights = contrasts(list(levels.values()))
    means = [metric for metric in metrics if metric.kind not in SHARE]
    families = metric_families(means, primary)
    effects: dict[tuple[str, str], Effect] = {}
    for family in dict.fromkeys(families.values()):
        comparisons: list[PairComparison] = []
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
