"""The numbers and sentences that all forms of the report share."""

from collections import Counter
from typing import Final, get_args

from assay.jobs.compare.compared_run import ComparedRun
from assay.jobs.compare.gate import Comparison, is_shown_drop
from assay.jobs.compare.pair import QuestionPair, Standing
from assay.records import Metric
from assay.stats import SHARE, Interval

MISSING: Final = "–"
_TESTS: Final = {
    "mcnemar-exact": "McNemar's exact test",
    "permutation": "sign flips of the mean difference",
    "cluster-permutation": "sign flips of whole documents",
}


def number_text(value: float | None, *, signed: bool = False) -> str:
    """A number with four decimal places; a dash for None.

    >>> number_text(0.65), number_text(0.05, signed=True), number_text(-0.00001, signed=True), number_text(None)
    ('0.6500', '+0.0500', '0.0000', '–')
    """
    if value is None:
        return MISSING
    text = f"{value:+.4f}" if signed else f"{value:.4f}"
    return text.lstrip("+-") if float(text) == 0 else text.replace("-", "−")


def headline(comparison: Comparison) -> str:
    """The verdict on one line."""
    if comparison.passed:
        return "gate passed"
    return "gate failed: " + "; ".join(comparison.faults)


def named(metric: Metric, remark: str) -> str:
    """The title of the metric, and in brackets its name for programs and a remark."""
    title = metric.title.replace("{k}", "k")
    if title in {"", metric.name}:
        return f"{metric.name} ({remark})"
    return f"{title} ({metric.name}; {remark})"


def direction(metric: Metric) -> str:
    """Which direction is better, in words."""
    return f"{metric.better} is better"


def mean_name(metric: Metric) -> str:
    """The name of the unweighted figure: mean, median or p95."""
    return {"p50": "median", "p95": "p95"}.get(metric.kind, "mean")


def difference_line(comparison: Comparison) -> str:
    """The paired difference with its confidence interval, its test and the verdict."""
    effect = comparison.effect
    parts = [number_text(effect.difference, signed=True)]
    if effect.interval is not None:
        parts.append(f"{_ends(effect.interval)} at {effect.interval.level:.0%}")
    if effect.test and effect.p_adjusted is not None:
        p_value = effect.p_adjusted
        p_text = "p < 0.0001" if p_value < 0.0001 else f"p = {p_value:.4f}"
        parts.append(f"{p_text} by {_TESTS[effect.test]}")
    return f"{', '.join(parts)}: {_verdict(comparison)}"


def plain_interval_line(comparison: Comparison) -> str:
    """The plain interval if it is about new documents and that of the test is not; else empty."""
    interval, test = comparison.effect.plain_interval, comparison.effect.test
    if interval is None or test == "cluster-permutation" or interval.method != "cluster-t":
        return ""
    return f"{_ends(interval)} at {interval.level:.0%}, for new documents"


def _ends(interval: Interval) -> str:
    low, high = (number_text(end, signed=True) for end in (interval.low, interval.high))
    return f"[{low}, {high}]"


def _verdict(comparison: Comparison) -> str:
    effect, metric = comparison.effect, comparison.metric
    if effect.difference == 0 and not effect.gained and not effect.lost:
        return "nothing changed"
    if comparison.base.stops_early or comparison.cand.stops_early:
        return "not tested"
    if effect.verdict == "too few":
        needed = f" (at least {effect.needed} are needed)" if effect.needed is not None else ""
        return f"too few changes to tell from noise{needed}"
    if metric.kind in SHARE:
        return (
            "worse by more than noise" if is_shown_drop(effect, metric) else "noise may explain it"
        )
    if effect.verdict == "unclear":
        return "noise may explain it"
    return f"{effect.verdict} by more than noise"


def regression_line(comparison: Comparison) -> str:
    """The number of regressions, the limit, and the number of questions of each standing."""
    counts = Counter(item.standing for item in comparison.items)
    listed = ", ".join(f"{counts[name]} {name}" for name in get_args(Standing) if counts[name])
    allowed = comparison.limits.max_regressions
    return f"{comparison.regressions} counted, {allowed} allowed ({listed})"


def run_label(run: ComparedRun) -> str:
    """The run's file, with the variant if the run has one."""
    return f"{run.path} [{run.variant}]" if run.variant else str(run.path)


def run_counts(run: ComparedRun) -> str:
    """How many cases failed or are not judged, and how many questions were scored or skipped."""
    statuses = [case.status for case in run.items.values()]
    unjudged = f"{run.answered} not judged yet, " if run.answered else ""
    return (
        f"{statuses.count('scored')} scored, {unjudged}{run.failed} failed, "
        f"{statuses.count('skipped')} skipped"
    )


def cut(text: str, longest: int) -> str:
    """The text shortened to ``longest`` characters, with an ellipsis if it was cut.

    >>> cut("abcdef", 3)
    'abc…'
    """
    return text if len(text) <= longest else f"{text[:longest]}…"


def change_line(item: QuestionPair) -> str:
    """Both values of a question and the change, or the reason why one value is missing."""
    if item.before is None or item.after is None:
        return f"{number_text(item.before)} → {number_text(item.after)}  ({item.reason})"
    return f"{number_text(item.before)} → {number_text(item.after)}  {number_text(item.after - item.before, signed=True)}"
