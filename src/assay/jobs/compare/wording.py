"""The numbers and sentences that every form of the report shares."""

from collections import Counter
from typing import Final, get_args

from assay.jobs.compare.compared_run import ComparedRun
from assay.jobs.compare.gate import Comparison, is_shown_drop
from assay.jobs.compare.pair import QuestionPair, Standing
from assay.records import Metric
from assay.stats import SHARE

MISSING: Final = "–"
_TESTS: Final = {
    "mcnemar-exact": "McNemar's exact test",
    "wilcoxon": "Wilcoxon's signed-rank test",
    "cluster-permutation": "permutation of whole documents",
}


def number_text(value: float | None, *, signed: bool = False) -> str:
    """A number to four digits, as every form of the report prints it.

    >>> number_text(0.65), number_text(0.05, signed=True), number_text(-0.00001, signed=True), number_text(None)
    ('0.6500', '+0.0500', '0.0000', '–')
    """
    if value is None:
        return MISSING
    text = f"{value:+.4f}" if signed else f"{value:.4f}"
    return text.lstrip("+-") if float(text) == 0 else text.replace("-", "−")


def headline(found: Comparison) -> str:
    """The verdict in a line."""
    if found.passed:
        return "gate passed"
    return "gate failed: " + "; ".join(found.faults)


def direction(metric: Metric) -> str:
    """Which way is better, in words."""
    return f"{metric.better} is better"


def mean_name(metric: Metric) -> str:
    """What the unweighted figure is."""
    return {"p50": "median", "p95": "p95"}.get(metric.kind, "mean")


def difference_line(found: Comparison) -> str:
    """The paired difference with its interval, its test and what they say."""
    effect = found.effect
    parts = [number_text(effect.difference, signed=True)]
    if effect.interval is not None:
        low, high = (
            number_text(end, signed=True) for end in (effect.interval.low, effect.interval.high)
        )
        parts.append(f"[{low}, {high}] at {effect.interval.level:.0%}")
    if effect.test and effect.p_value is not None:
        p_value = "p < 0.0001" if effect.p_value < 0.0001 else f"p = {effect.p_value:.4f}"
        parts.append(f"{p_value} by {_TESTS[effect.test]}")
    return f"{', '.join(parts)}: {_verdict(found)}"


def _verdict(found: Comparison) -> str:
    effect, metric = found.effect, found.metric
    if effect.difference == 0 and not effect.gained and not effect.lost:
        return "nothing changed"
    if effect.verdict == "too few":
        return "too few changes to tell from noise"
    if metric.kind in SHARE:
        return (
            "worse by more than noise" if is_shown_drop(effect, metric) else "noise may explain it"
        )
    if effect.verdict == "unclear":
        return "noise may explain it"
    return f"{effect.verdict} by more than noise"


def regression_line(found: Comparison) -> str:
    """How many questions fared how."""
    counts = Counter(item.standing for item in found.items)
    told = ", ".join(f"{counts[name]} {name}" for name in get_args(Standing) if counts[name])
    return f"{found.regressions} counted, {found.limits.max_regressions} allowed ({told})"


def run_label(side: ComparedRun) -> str:
    """The file, and the variant where a run may have several."""
    return f"{side.path} [{side.variant}]" if side.variant else str(side.path)


def run_counts(side: ComparedRun) -> str:
    """How the cases ended.

    Failures are counted by case, the others by question.
    """
    statuses = [trial.status for trial in side.items.values()]
    return (
        f"{statuses.count('scored')} scored, {side.failed} failed, "
        f"{statuses.count('skipped')} skipped"
    )


def cut(text: str, longest: int) -> str:
    """At most so many characters, the cut being shown.

    >>> cut("abcdef", 3)
    'abc…'
    """
    return text if len(text) <= longest else f"{text[:longest]}…"


def change_line(item: QuestionPair) -> str:
    """Both scores of a question and the step between them."""
    if item.before is None or item.after is None:
        return f"{number_text(item.before)} → {number_text(item.after)}  ({item.reason})"
    return f"{number_text(item.before)} → {number_text(item.after)}  {number_text(item.after - item.before, signed=True)}"
