"""The best and the worst value of each metric, if the variants were measured on the same cases.

A failed case, an answer that nobody labelled or a metric that is undefined for some answers leaves a
variant with other cases than its neighbours. The larger mean is then not the better one: its cases may
have been easier.
"""

from collections.abc import Mapping

import numpy as np
from msgspec.structs import replace

from assay.jobs.study.finding import RunFindings
from assay.jobs.study.stopped import column_value, shared_values
from assay.report.table import Table, with_marks


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
