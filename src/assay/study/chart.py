"""The charts of a study, for one metric."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from matplotlib.figure import Figure

from assay.records import Metric
from assay.report.chart.bar import bar_chart
from assay.report.chart.effect import (
    SequenceSeries,
    SequenceStep,
    effect_chart,
    line_chart,
    sequence_chart,
)
from assay.report.chart.scatter import Bar, DrawnDifference, LinePoint, Spot, scatter_chart
from assay.report.chart.style import kept_figures
from assay.report.label import metric_label, metric_title
from assay.stats.analysis import MetricCell
from assay.study.analysis import sequences
from assay.study.finding import VERDICTS, RunFindings
from assay.words.language import Lang
from assay.words.say import say_in

_Draw: TypeAlias = Callable[[RunFindings, Metric, Path, str, Lang], Path | None]


def draw(
    findings: RunFindings, metric: Metric, folder: Path, suffix: str, lang: Lang = "en"
) -> list[Path]:
    """Bars, effects, latency against quality, and a line where the variable has an order.

    If there is only one variant, its metrics are drawn side by side instead.
    """
    folder.mkdir(parents=True, exist_ok=True)
    is_one = len(findings.analysis.variants) == 1
    charts: Sequence[_Draw] = (_profile,) if is_one else (_bars, _effects, _sequence, _line, _speed)
    drawn = (chart(findings, metric, folder, suffix, lang) for chart in charts)
    return [path for path in drawn if path is not None]


def figure(findings: RunFindings, metric: Metric, kind: str, lang: Lang = "en") -> Figure | None:
    """One chart as a figure of matplotlib, which is not written; ``None`` if the run has nothing to draw.

    ``kind`` is one of ``KINDS``. Each chart is about all variants, and a profile about the baseline.
    """
    with kept_figures() as figures:
        KINDS[kind](findings, metric, Path(), "png", lang)
    return figures[0] if figures else None


def _cells(findings: RunFindings, metric: Metric) -> dict[str, MetricCell]:
    return {variant.name: variant.cells[metric.name] for variant in findings.analysis.variants}


def _title(findings: RunFindings, numbers: Iterable[int]) -> str:
    """The name of the run and how many cases a mark stands for: ``hyde (n = 58–60)``."""
    counts = sorted(set(numbers))
    shown = "–".join(map(str, dict.fromkeys((counts[0], counts[-1])))) if counts else "0"
    return f"{findings.results.path.stem} (n = {shown})"


def _bars(findings: RunFindings, metric: Metric, folder: Path, suffix: str, lang: Lang) -> Path:
    return bar_chart(
        [
            Bar(name=name, value=cell.value, interval=cell.interval)
            for name, cell in _cells(findings, metric).items()
        ],
        folder / f"bar-{metric.name}.{suffix}",
        label=metric_label(metric, lang),
        title=_title(findings, (cell.n for cell in _cells(findings, metric).values())),
        baseline=findings.baseline,
        is_share=not metric.unit,
        lang=lang,
    )


def _profile(
    findings: RunFindings, _: Metric, folder: Path, suffix: str, lang: Lang
) -> Path | None:
    """Every rate and mean between 0 and 1 of the only variant, or of the baseline."""
    variant = next(each for each in findings.analysis.variants if each.name == findings.baseline)
    cells = {
        metric_label(metric, lang): variant.cells[metric.name]
        for metric in findings.metrics
        if metric.family == "quality" and not metric.unit
    }
    defined = {name: cell for name, cell in cells.items() if cell.value is not None}
    if not defined:
        return None
    return bar_chart(
        [
            Bar(name=name, value=cell.value, interval=cell.interval)
            for name, cell in defined.items()
        ],
        folder / f"profile.{suffix}",
        label=variant.name,
        title=_title(findings, (cell.n for cell in defined.values())),
        is_share=True,
        lang=lang,
    )


def _effects(
    findings: RunFindings, metric: Metric, folder: Path, suffix: str, lang: Lang
) -> Path | None:
    effects = [
        effect
        for effect in findings.analysis.effects
        if effect.metric == metric.name and effect.baseline == findings.baseline
    ]
    differences = [
        DrawnDifference(
            name=effect.variant,
            difference=effect.difference,
            interval=effect.interval,
            significant=effect.verdict in {"better", "worse"},
        )
        for effect in effects
    ]
    if not differences:
        return None
    return effect_chart(
        differences,
        folder / f"effect-{metric.name}.{suffix}",
        label=metric_label(metric, lang),
        title=_title(findings, (effect.n for effect in effects)),
        baseline=findings.baseline,
        better=metric.better,
        lang=lang,
    )


def _sequence(
    findings: RunFindings, metric: Metric, folder: Path, suffix: str, lang: Lang
) -> Path | None:
    """How a run that stopped early came to its decisions, on the metric that decided."""
    found = sequences(findings)
    if found is None or found.metric != metric.name:
        return None
    difference = say_in(lang, "Difference to {baseline}", baseline=findings.baseline)
    return sequence_chart(
        [
            SequenceSeries(
                name=f"{line.variant}: {VERDICTS[line.verdict].text_in(lang)} ({line.questions})",
                steps=[
                    SequenceStep(
                        x=point.questions,
                        difference=point.difference,
                        low=point.low,
                        high=point.high,
                    )
                    for point in line.points
                ],
            )
            for line in found.lines
        ],
        folder / f"sequence-{metric.name}.{suffix}",
        x_label=say_in(lang, "questions asked, in planned order"),
        label=f"{metric_title(metric, lang)}: {difference}",
        margin=found.margin,
        lang=lang,
    )


def _line(
    findings: RunFindings, metric: Metric, folder: Path, suffix: str, lang: Lang
) -> Path | None:
    cells = _cells(findings, metric)
    points = [
        LinePoint(x=x, value=cells[name].value, interval=cells[name].interval)
        for name, x in sorted(findings.ordered.items(), key=lambda item: item[1])
        if name in cells
    ]
    if not points:
        return None
    return line_chart(
        {"": points},
        folder / f"line-{metric.name}.{suffix}",
        x_label=", ".join(findings.variables[:1]),
        label=metric_label(metric, lang),
        title=_title(findings, (cell.n for cell in cells.values())),
        is_share=not metric.unit,
        lang=lang,
    )


def _speed(
    findings: RunFindings, metric: Metric, folder: Path, suffix: str, lang: Lang
) -> Path | None:
    """Median latency against the metric."""
    speeds: Sequence[Metric] = [
        metric for metric in findings.metrics if metric.family == "latency" and metric.kind == "p50"
    ]
    if not speeds or metric.family == "latency":
        return None
    latency, quality = _cells(findings, speeds[0]), _cells(findings, metric)
    return scatter_chart(
        [
            Spot(
                name=name,
                x=latency[name].value,
                y=cell.value,
                x_interval=latency[name].interval,
                y_interval=cell.interval,
            )
            for name, cell in quality.items()
        ],
        folder / f"latency-{metric.name}.{suffix}",
        x_label=metric_label(speeds[0], lang),
        y_label=metric_label(metric, lang),
        title=_title(findings, (cell.n for cell in quality.values())),
        y_is_share=not metric.unit,
        y_better=metric.better or "higher",
        lang=lang,
    )


KINDS: Final[Mapping[str, _Draw]] = {
    "profile": _profile,
    "bar": _bars,
    "effect": _effects,
    "latency": _speed,
    "line": _line,
    "sequence": _sequence,
}
"""The charts by the names that programs use."""
