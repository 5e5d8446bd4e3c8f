"""The charts of a run as data; the page draws them. ``interval`` is ``{low, high}`` or null.

``ChartView.data`` by kind:

- ``differences``: ``{metric, points: [{variant, difference, interval, plain, verdict, p, n}]}``
- ``bars``: ``{metric, bars: [{label, value, interval, n}]}``; ``label`` is the name of a
  variant, or the title of a metric if the run has one variant only
- ``line``: ``{metric, variable, points: [{x, variant, value, interval, n}]}``, sorted by ``x``
- ``tradeoff``: ``{metric, latency, points: [{variant, x, y, x_interval, y_interval, is_front}]}``
- ``cost``: ``{bars: [{variant, cost, paid, judge_paid, calls, prompt_tokens, completion_tokens}]}``
- ``heatmap`` and ``stretches``: see ``web/depth_map.py``
- ``confusion``: ``{rows: [Message], columns: [Message], matrices: [{variant, counts}]}``; a row is a true
  level, a column a stated one, the last column the unparsed replies
- ``groups``: ``{groups: [{key, label, item}], bars: [{variant, group, value, n}], scale}``; ``scale``
  is 100 for percentages and 1 for shares; ``item`` is the id of the item of a group, or null
- ``sequence``: ``{metric, margin, lines: [{variant, verdict, questions, points: [{questions, difference,
  low, high}]}]}``; see ``sequence_charts``
- ``reasons``: ``{reasons: [{key, label}], bars: [{variant, reason, count, n}]}``
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
import numpy as np

from assay.records import Metric
from assay.report.label import title_of
from assay.stats.analysis import MetricCell
from assay.stats.effect import Effect
from assay.stats.scores import SCORED
from assay.study.analysis import sequences
from assay.study.finding import RunFindings
from assay.web.api import ChartView
from assay.web.compare_view import primary_metric, run_effects, verdict_of
from assay.web.job_chart import bench_charts, depth_charts, review_charts
from assay.words.message import Said, message

# How a run that stopped early came to its decisions: the interval over the number of questions.


def sequence_charts(findings: RunFindings, metric: Metric) -> Iterator[ChartView]:
    """The chart of the sequences; none if the run did not stop early."""
    found = sequences(findings)
    if found is None or not any(line.points for line in found.lines):
        return
    lines: list[dict[str, Any]] = [msgspec.to_builtins(line) for line in found.lines]
    yield ChartView(
        id="sequence",
        kind="sequence",
        title=message("How it was decided: difference to {baseline}", baseline=findings.baseline),
        x=message("questions asked, in planned order"),
        y=title_of(metric),
        note=message(
            "The dotted lines are the ends of the interval after so many questions. It holds at every moment at once, so one may look at any time: decisions are wrong in at most {level}% of runs. A variant is decided when the interval leaves out 0, or lies inside the margin; then it is asked no further.",
            level=f"{100 * found.level:g}",
        ),
        data={"metric": metric.name, "margin": found.margin, "lines": lines},
    )


MOST_QUESTIONS: Final = 200
"""How many questions the chart by question shows, the worst ones."""
MOST_SOURCES: Final = 40


def charts(findings: RunFindings) -> tuple[ChartView, ...]:
    """All charts of a run, the most telling first."""
    return tuple(_charts(findings))


def _charts(findings: RunFindings) -> Iterator[ChartView]:
    if not findings.analysis.variants:
        return
    metric = primary_metric(findings)
    yield from _job_charts(findings)
    if len(findings.analysis.variants) > 1:
        yield from _differences(findings, metric)
        yield from sequence_charts(findings, metric)
        yield _bars(findings, metric)
        yield from _line(findings, metric)
        yield from _tradeoff(findings, metric)
    else:
        yield from _profile(findings)
    yield from _by_question(findings, metric)
    yield from _cost(findings)


def _job_charts(findings: RunFindings) -> Iterator[ChartView]:
    makers = {"depth": depth_charts, "review": review_charts, "bench": bench_charts}
    make = makers.get(findings.job.name)
    if make is not None:
        yield from make(findings)


def interval(cell: MetricCell | Effect | None, name: str = "interval") -> dict[str, float] | None:
    """An interval as the page reads it."""
    ends = getattr(cell, name) if cell is not None else None
    return None if ends is None else {"low": ends.low, "high": ends.high}


def _differences(findings: RunFindings, metric: Metric) -> Iterator[ChartView]:
    points = [
        {
            "variant": effect.variant,
            "difference": effect.difference,
            "interval": interval(effect),
            "plain": interval(effect, "plain_interval"),
            "verdict": verdict_of(effect),
            "p": effect.p_adjusted,
            "n": effect.n,
        }
        for effect in run_effects(findings)
        if effect.metric == metric.name
    ]
    if points:
        yield ChartView(
            id="differences",
            kind="differences",
            title=message("Difference to {baseline}", baseline=findings.baseline),
            x=title_of(metric),
            y=message("variant"),
            note=message(
                "Points with the intervals of the test; they hold for all comparisons at once. An interval without 0 is a difference that is shown."
            ),
            data={"metric": metric.name, "points": points},
        )


def _cells(findings: RunFindings, metric: Metric) -> dict[str, MetricCell]:
    return {variant.name: variant.cells[metric.name] for variant in findings.analysis.variants}


def _bar(label: Said, cell: MetricCell) -> dict[str, Any]:
    return {"label": label, "value": cell.value, "interval": interval(cell), "n": cell.n}


def _bars(findings: RunFindings, metric: Metric) -> ChartView:
    return ChartView(
        id="bars",
        kind="bars",
        title=title_of(metric),
        x=message("variant"),
        y=title_of(metric),
        note=message("Lines are 95 % intervals."),
        data={
            "metric": metric.name,
            "bars": [_bar(name, cell) for name, cell in _cells(findings, metric).items()],
        },
    )


def _profile(findings: RunFindings) -> Iterator[ChartView]:
    """Every share of the only variant."""
    (variant,) = findings.analysis.variants
    bars = [
        _bar(title_of(metric), cell)
        for metric in findings.metrics
        if metric.family == "quality"
        and (cell := variant.cells[metric.name]).value is not None
        and 0 <= cell.value <= 1
    ]
    if bars:
        yield ChartView(
            id="profile",
            kind="bars",
            title=message("Metrics of {variant}", variant=variant.name),
            x=message("metric"),
            y=message("value"),
            note=message("Lines are 95 % intervals."),
            data={"metric": "", "bars": bars},
        )


def _line(findings: RunFindings, metric: Metric) -> Iterator[ChartView]:
    cells = _cells(findings, metric)
    points = [
        {
            "x": x,
            "variant": name,
            "value": cells[name].value,
            "interval": interval(cells[name]),
            "n": cells[name].n,
        }
        for name, x in sorted(findings.ordered.items(), key=lambda pair: pair[1])
        if name in cells
    ]
    if points:
        variable = ", ".join(findings.variables[:1])
        yield ChartView(
            id="line",
            kind="line",
            title=message("{metric} by {variable}", metric=title_of(metric), variable=variable),
            x=variable,
            y=title_of(metric),
            note=message("Lines are 95 % intervals."),
            data={"metric": metric.name, "variable": variable, "points": points},
        )


def _tradeoff(findings: RunFindings, metric: Metric) -> Iterator[ChartView]:
    speeds = [each for each in findings.metrics if each.family == "latency" and each.kind == "p50"]
    if not speeds or metric.family == "latency":
        return
    latency, quality = _cells(findings, speeds[0]), _cells(findings, metric)
    points = [
        {
            "variant": name,
            "x": latency[name].value,
            "y": cell.value,
            "x_interval": interval(latency[name]),
            "y_interval": interval(cell),
        }
        for name, cell in quality.items()
    ]
    front = _front(points, higher=metric.better != "lower")
    yield ChartView(
        id="tradeoff",
        kind="tradeoff",
        title=message("Quality and latency"),
        x=title_of(speeds[0]),
        y=title_of(metric),
        note=message("Filled points: no other variant is both faster and better."),
        data={
            "metric": metric.name,
            "latency": speeds[0].name,
            "points": [
                point | {"is_front": number in front} for number, point in enumerate(points)
            ],
        },
    )


def _front(points: Sequence[Mapping[str, Any]], *, higher: bool) -> set[int]:
    """The points that no other point beats in both values: the Pareto front."""
    known = [
        (number, point["x"], point["y"] if higher else -point["y"])
        for number, point in enumerate(points)
        if point["x"] is not None and point["y"] is not None
    ]
    return {
        number
        for number, x, y in known
        if not any(
            other_x <= x and other_y >= y and (other_x < x or other_y > y)
            for _, other_x, other_y in known
        )
    }


def _cost(findings: RunFindings) -> Iterator[ChartView]:
    names = ("cost", "paid", "judge_paid", "calls", "prompt_tokens", "completion_tokens")
    bills = findings.results.bills
    if not any(bill.calls or bill.cost is not None for bill in bills.values()):
        return
    bars = []
    for variant, bill in bills.items():
        amounts = {name: getattr(bill, name) for name in names}
        shown = {n: a if isinstance(a, int | float) else None for n, a in amounts.items()}
        bars.append({"variant": variant, **shown})
    yield ChartView(
        id="cost",
        kind="cost",
        title=message("Cost"),
        x=message("variant"),
        y=message("Cost"),
        note=None,
        data={"bars": bars},
    )


def _by_question(findings: RunFindings, metric: Metric) -> Iterator[ChartView]:
    """The questions with the lowest values, for jobs with few questions (quality, bench)."""
    if findings.job.name not in {"quality", "bench"}:
        return
    scores = findings.results.scores
    values = np.where(scores.status == SCORED, scores.values[metric.field], np.nan)
    sums = np.where(np.isnan(values), 0, values).sum(axis=0)
    known = (~np.isnan(values)).sum(axis=0)
    means = np.where(known > 0, sums / np.maximum(known, 1), np.nan)
    chosen = [int(item) for item in np.argsort(means, kind="stable") if not np.isnan(means[item])]
    if not chosen:
        return
    groups = [
        {"key": scores.items[item], "label": scores.items[item], "item": scores.items[item]}
        for item in chosen[:MOST_QUESTIONS]
    ]
    bars = [
        {
            "variant": name,
            "group": scores.items[item],
            "value": float(values[number, item]),
            "n": 1,
        }
        for number, name in enumerate(scores.variants)
        for item in chosen[:MOST_QUESTIONS]
        if not np.isnan(values[number, item])
    ]
    yield ChartView(
        id="questions",
        kind="groups",
        title=message("By question, lowest first"),
        x=message("question"),
        y=title_of(metric),
        note=message("Questions shown: {shown} of {n}.", shown=len(groups), n=len(chosen)),
        data={"groups": groups, "bars": bars, "scale": 1},
    )
