"""The tables of a study: quality, latency, effects, the bill."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from assay.records import Metric
from assay.report.label import metric_title
from assay.report.table.table import (
    Column,
    Row,
    Table,
    TableCell,
    significance,
    tally_cells,
    tally_columns,
    with_marks,
)
from assay.results.column import Bill, paired_bills
from assay.stats.analysis import Cell
from assay.study.analysis import column_value, shared_values, unequal_notes
from assay.study.finding import COMBINED, RunFindings, effect_table
from assay.study.note import table_notes, unsure_notes
from assay.words.language import Lang
from assay.words.message import Message, message, text_of
from assay.words.say import say_in

# The best and the worst value of each metric, if the variants were measured on the same cases.
#
# A failed case, an answer that nobody labelled or a metric that is undefined for some answers leaves a
# variant with other cases than its neighbours. The larger mean is then not the better one: its cases may
# have been easier.


_QUALITY: Final = message("Quality")
_LATENCY: Final = message("Latency")
_BILL: Final = {
    "calls": message("calls"),
    "replayed_calls": message("of them replayed"),
    "prompt_tokens": message("tokens in"),
    "completion_tokens": message("tokens out"),
    "cost": message("cost", "column"),
    "paid": message("paid", "column"),
    "judge_cost": message("judges' cost"),
    "judge_paid": message("paid for judges"),
}


def with_fair_marks(table: Table, findings: RunFindings) -> Table:
    """The table with the marks that also hold for the cases that all variants have in common.

    A run that stopped early is marked by its shared questions alone; a note says so.
    """
    if findings.spared:
        return with_marks(table, shared_values(findings))
    marked = with_marks(table)
    common = common_values(findings)
    if not common:
        return marked
    fair = with_marks(table, common)
    rows = tuple(
        replace(
            row,
            cells=tuple(
                cell if cell.mark == other.mark else replace(cell, mark=None)
                for cell, other in zip(row.cells, fair_row.cells, strict=True)
            ),
        )
        for row, fair_row in zip(marked.rows, fair.rows, strict=True)
    )
    return replace(marked, rows=rows)


def common_values(findings: RunFindings) -> Mapping[tuple[str, str], float | None]:
    """The values of metrics over common cases, by variant and metric, where the cases differ.

    Variants without any value of a metric do not count. The value is ``None`` if no case is common.
    """
    scores = findings.results.scores
    common: dict[tuple[str, str], float | None] = {}
    for metric in findings.metrics:
        counts = {variant.cells[metric.name].n for variant in findings.analysis.variants}
        if counts <= {0, len(scores.items)}:  # every case: usual, and known without looking
            continue
        columns = {name: scores.column(metric.field, name) for name in scores.variants}
        known = {name: np.isfinite(values) for name, values in columns.items()}
        present = [mask for mask in known.values() if mask.any()]
        shared = np.logical_and.reduce(present) if present else np.zeros(len(scores.items), bool)
        if all(np.array_equal(mask, shared) for mask in present):
            continue
        for name, values in columns.items():
            chosen = values[shared] if known[name].any() else values[:0]
            common[name, metric.name] = column_value(chosen, metric.kind)
    return common


_SHOWN_LATENCY: Final = "p50_latency_s"
"""The latency that stands beside the quality in a terminal."""


def metrics_table(findings: RunFindings, lang: Lang = "en") -> Table | None:
    """The metrics that the job shows together, and the one that decides, under their names.

    The one that decides leads if it is not the job's own; a metric without any value is left out.
    ``None`` if the job shows none together.

    Intervals and marks of significance are in the tables of the families.
    """
    if not findings.job.overview:
        return None
    known = {metric.name: metric for metric in findings.metrics}
    own, primary = findings.job.overview, findings.analysis.primary
    first = findings.leading or ((primary,) if primary and primary not in own else ())
    names = dict.fromkeys((*first, *own))
    metrics = [known[name] for name in names if name in known]
    columns = [
        Column(key=metric.name, title=metric.name, better=metric.better) for metric in metrics
    ]
    rows = [
        Row(
            label=variant.name,
            cells=(
                *(_cell(variant.cells[metric.name]) for metric in metrics),
                *tally_cells(variant.tally, spared=findings.stops_early),
            ),
        )
        for variant in findings.analysis.variants
    ]
    return with_fair_marks(
        Table(
            title=say_in(lang, "Overview"),
            columns=(*columns, *tally_columns(lang, spared=findings.stops_early)),
            rows=tuple(rows),
            notes=tuple(
                text_of(note, lang)
                for note in (*unequal_notes(findings), *unsure_notes(findings, metrics))
            ),
        ),
        findings,
    )


def _cell(cell: Cell, *, with_interval: bool = False) -> TableCell:
    """A value with what unsure answers leave open."""
    return TableCell(
        value=cell.value,
        interval=cell.interval if with_interval else None,
        band=cell.band,
        unsure=cell.unsure,
    )


def quality_table(findings: RunFindings, lang: Lang = "en") -> Table:
    """Each variant's quality, with intervals and marks of significance against the baseline."""
    return _metric_table(
        findings,
        [metric for metric in findings.metrics if metric.family == "quality"],
        lang,
        _QUALITY,
    )


def latency_table(findings: RunFindings, lang: Lang = "en") -> Table:
    """Each variant's latency: mean, median, 95th percentile."""
    return _metric_table(
        findings,
        [metric for metric in findings.metrics if metric.family == "latency"],
        lang,
        _LATENCY,
    )


def _metric_table(
    findings: RunFindings, metrics: Sequence[Metric], lang: Lang, title: Message
) -> Table:
    stars = {
        (effect.variant, effect.metric): significance(effect.p_adjusted)
        for effect in findings.analysis.effects
        if effect.verdict in {"better", "worse"}
    }
    unjudged = any(variant.tally.answered for variant in findings.analysis.variants)
    spared = findings.stops_early
    columns = [
        Column(
            key=metric.name,
            title=metric_title(metric, lang),
            name=metric.name,
            better=metric.better,
        )
        for metric in metrics
    ]
    rows = [
        Row(
            label=variant.name,
            cells=(
                *(
                    replace(
                        _cell(variant.cells[metric.name], with_interval=True),
                        significance=stars.get((variant.name, metric.name), ""),
                    )
                    for metric in metrics
                ),
                *tally_cells(variant.tally, unjudged=unjudged, spared=spared),
            ),
        )
        for variant in findings.analysis.variants
    ]
    return with_fair_marks(
        Table(
            title=title.text_in(lang),
            columns=(*columns, *tally_columns(lang, unjudged=unjudged, spared=spared)),
            rows=tuple(rows),
            notes=tuple(text_of(note, lang) for note in table_notes(findings, metrics)),
        ),
        findings,
    )


def bill_table(findings: RunFindings, lang: Lang = "en") -> Table | None:
    """Calls, tokens and money by variant; ``None`` where no call was metered.

    The marks compare what the cases cost that all variants have scored: failed cases cost little.
    """
    bills = findings.results.bills
    judge_keys = _judge_keys(findings)
    if not judge_keys and not any(bill.calls or bill.cost is not None for bill in bills.values()):
        return None
    keys = (*(key for key in _BILL if not key.startswith("judge")), *judge_keys)
    columns = tuple(
        Column(
            key=key,
            title=_BILL[key].text_in(lang),
            digits=6,
            better="lower" if key == "cost" else None,
        )
        for key in keys
    )
    rows = tuple(
        Row(label=name, cells=tuple(TableCell(value=_amount(bill, key)) for key in keys))
        for name, bill in bills.items()
    )
    table = Table(title=say_in(lang, "Calls and cost"), columns=columns, rows=rows)
    if findings.spared:  # who was asked less costs less
        return table
    priced = tuple(name for name, bill in bills.items() if bill.cost is not None)
    paired = paired_bills(findings.results.scores, priced)
    return with_marks(table, {(name, "cost"): bill.cost for name, bill in paired.items()})


def _judge_keys(findings: RunFindings) -> tuple[str, ...]:
    """The fields of the bill about judges, if judges cost anything."""
    bills = findings.results.bills.values()
    has_judges = any(bill.judge_cost is not UNSET for bill in bills)
    return ("judge_cost", "judge_paid") if has_judges else ()


def _amount(bill: Bill, key: str) -> float | None:
    amount: float | UnsetType | None = getattr(bill, key)
    return None if isinstance(amount, UnsetType) else amount


def _has_latency(findings: RunFindings) -> bool:
    """Whether an answer of the run has a latency; those in a table of another tool may have none."""
    return any(
        variant.cells[metric.name].value is not None
        for metric in findings.metrics
        if metric.family == "latency"
        for variant in findings.analysis.variants
    )


def tables(findings: RunFindings, lang: Lang = "en") -> list[Table]:
    """All tables of the report, in the order of the page; none of latencies that nobody knows."""
    overview = metrics_table(findings, lang)
    listed = [overview] if overview else []
    listed.append(quality_table(findings, lang))
    if _has_latency(findings):
        listed.append(latency_table(findings, lang))
    listed += findings.job_report.tables(lang) if findings.job_report else []
    if findings.analysis.effects:
        listed.append(effect_table(findings, findings.analysis.effects, lang))
    if findings.combined:
        listed.append(effect_table(findings, findings.combined, lang, COMBINED))
    bill = bill_table(findings, lang)
    return [*listed, bill] if bill else listed


def short_table(findings: RunFindings, lang: Lang = "en") -> Table:
    """What a terminal shows: quality and the median latency, and the job's own columns."""
    metrics = [
        metric
        for metric in findings.metrics
        if metric.family == "quality" or metric.name == _SHOWN_LATENCY
    ]
    table = _metric_table(findings, metrics, lang, _QUALITY)
    return _with_job_columns(_without_marks(table, _SHOWN_LATENCY), findings, lang)


def _without_marks(table: Table, key: str) -> Table:
    """The table without marks in a column: latency differs from run to run by chance."""
    keys = [column.key for column in table.columns]
    if key not in keys:
        return table
    place = keys.index(key)
    rows = (
        replace(
            row,
            cells=(
                *row.cells[:place],
                replace(row.cells[place], mark=None),
                *row.cells[place + 1 :],
            ),
        )
        for row in table.rows
    )
    return replace(table, rows=tuple(rows))


def _with_job_columns(table: Table, findings: RunFindings, lang: Lang = "en") -> Table:
    """The table with the columns of the job's first table, put before the counts."""
    if findings.job_report is None or not (more := findings.job_report.tables(lang)):
        return table
    place = [column.key for column in table.columns].index("scored")
    known = {row.label: row.cells for row in more[0].rows}
    return replace(
        table,
        columns=(*table.columns[:place], *more[0].columns, *table.columns[place:]),
        rows=tuple(
            replace(row, cells=(*row.cells[:place], *known[row.label], *row.cells[place:]))
            for row in table.rows
        ),
    )


def overview_table(findings: RunFindings) -> Table:
    """One flat table for programs: every metric by its own name, counts and the bill."""
    metrics = findings.job.metrics
    bill = ("calls", "prompt_tokens", "completion_tokens", "cost", "paid", *_judge_keys(findings))
    columns = (
        *(Column(key=metric.name, title=metric.name, digits=6) for metric in metrics),
        *tally_columns(unjudged=True, spared=findings.stops_early),
        *(Column(key=key, title=key, digits=6) for key in bill),
    )
    rows = tuple(
        Row(
            label=variant.name,
            cells=(
                *(_cell(variant.cells[metric.name], with_interval=True) for metric in metrics),
                *tally_cells(variant.tally, unjudged=True, spared=findings.stops_early),
                *(
                    TableCell(value=_amount(findings.results.bills[variant.name], key))
                    for key in bill
                ),
            ),
        )
        for variant in findings.analysis.variants
    )
    return _with_job_columns(Table(columns=columns, rows=rows), findings)
