"""The comparisons of a run's variants with its baseline."""

from collections.abc import Iterable
from typing import Final

from msgspec import UNSET

from assay.jobs.study import Basis, RunFindings, interval_bases
from assay.records import Metric
from assay.report.table import significance
from assay.stats import Corrected, Effect
from assay.stats import Interval as StatsInterval
from assay.web.amount import metric_kind
from assay.web.api import CorrectedRate, Difference, MetricInfo
from assay.web.language import title_text, undefined_text
from assay.web.text_api import Interval

FEWEST: Final = 6
"""So many items or questions must differ at least before any test shows a difference at 5 %."""


def primary_metric(findings: RunFindings) -> Metric:
    """The metric that decides, or the headline of the job."""
    return findings.job.metric(findings.analysis.primary)


def run_effects(findings: RunFindings) -> list[Effect]:
    """The comparisons with the baseline that have a pair of values."""
    return [
        effect
        for effect in findings.analysis.effects
        if effect.baseline == findings.baseline and effect.n
    ]


def verdict_of(effect: Effect) -> str:
    """The verdict; ``same`` if no item differs and no early decision says more.

    ``same, too few`` if no verdict would have been possible even if all of them differed, and
    ``untested`` for a percentile, which has an interval but no test.
    """
    if effect.verdict == "unclear" and not effect.test and effect.decision is UNSET:
        return "untested"
    if effect.decision is not UNSET or effect.gained != 0 or effect.lost != 0:
        return effect.verdict
    units = effect.n if effect.questions is UNSET else effect.questions
    is_few = effect.verdict == "too few" and units < (effect.needed or FEWEST)
    return "same, too few" if is_few else "same"


def difference_view(effect: Effect) -> Difference:
    """A comparison as the page shows it."""
    is_shown = effect.verdict in {"better", "worse"}
    return Difference(
        variant=effect.variant,
        metric=effect.metric,
        difference=effect.difference,
        interval=interval_view(effect.interval),
        plain=interval_view(effect.plain_interval),
        p=effect.p_adjusted,
        verdict=verdict_of(effect),
        n=effect.n,
        gained=effect.gained,
        lost=effect.lost,
        family=effect.family,
        stars=significance(effect.p_adjusted) if is_shown else "",
        detectable=effect.detectable,
        decided_after=None if effect.decision is UNSET else effect.decision.questions,
        **basis_fields(effect),
    )


def basis_fields(effect: Effect) -> dict[str, Basis]:
    """What the two intervals of a comparison are about."""
    basis, plain_basis = interval_bases(effect)
    return {"basis": basis, "plain_basis": plain_basis}


def interval_view(interval: StatsInterval | None) -> Interval | None:
    """An interval as the page shows it."""
    return None if interval is None else Interval(low=interval.low, high=interval.high)


def corrected_view(found: Corrected | None) -> CorrectedRate | None:
    """A rate corrected by labels as the page shows it."""
    if found is None or found.estimate is None:
        return None
    return CorrectedRate(
        value=found.estimate, interval=interval_view(found.interval), labelled=found.labelled
    )


def metric_infos(metrics: Iterable[Metric]) -> tuple[MetricInfo, ...]:
    """The declarations of metrics."""
    return tuple(
        MetricInfo(
            name=metric.name,
            title=title_text(metric),
            formula=metric.formula,
            undefined=undefined_text(metric),
            higher_is_better=None if metric.better is None else metric.better == "higher",
            unit=metric.unit,
            kind=metric_kind(metric),
            is_bounded=not metric.unit,
            family=metric.family,
        )
        for metric in metrics
    )
