"""The confidence sequences of a run that stopped early, in the metric's own direction."""

from msgspec import Struct

from assay.jobs.study.finding import RunFindings
from assay.stats import SequencePoint


class SequenceLine(Struct, frozen=True, kw_only=True):
    """A variant against the baseline: the interval over time, and what was decided when."""

    variant: str
    verdict: str
    questions: int
    points: tuple[SequencePoint, ...]


class Sequences(Struct, frozen=True, kw_only=True):
    """All variants of a run; ``metric``, ``level`` and ``margin`` are those of its rule."""

    metric: str
    level: float
    margin: float
    lines: tuple[SequenceLine, ...]


def sequences(findings: RunFindings) -> Sequences | None:
    """The sequences of a run; ``None`` if it did not stop early."""
    decisions, summary = findings.decisions, findings.results.summary
    if decisions is None or summary is None:
        return None
    rule = summary.extra["early_stop"]
    is_lower_better = findings.job.metric(str(rule["metric"])).better == "lower"
    lines = []
    for name, comparison in decisions.comparisons.items():
        decision = comparison.end()
        points = comparison.sequence()
        lines.append(
            SequenceLine(
                variant=name,
                verdict=decision.verdict,
                questions=decision.questions,
                points=tuple(map(_turned, points) if is_lower_better else points),
            )
        )
    return Sequences(
        metric=str(rule["metric"]),
        level=float(rule["level"]),
        margin=float(rule["margin"]),
        lines=tuple(lines),
    )


def _turned(point: SequencePoint) -> SequencePoint:
    """In a sequence larger is better; a metric of which less is better is turned round."""
    return SequencePoint(
        questions=point.questions,
        difference=None if point.difference is None else -point.difference,
        low=-point.high,
        high=-point.low,
    )
