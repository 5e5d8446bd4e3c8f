"""How a run that stopped early came to its decisions: the interval over the number of questions."""

from collections.abc import Iterator
from typing import Any

import msgspec

from assay.jobs.study import RunFindings, sequences
from assay.records import Metric
from assay.web.api import ChartView
from assay.web.language import page_text, title_text


def sequence_charts(findings: RunFindings, metric: Metric) -> Iterator[ChartView]:
    """The chart of the sequences; none if the run did not stop early."""
    found = sequences(findings)
    if found is None or not any(line.points for line in found.lines):
        return
    lines: list[dict[str, Any]] = [msgspec.to_builtins(line) for line in found.lines]
    yield ChartView(
        id="sequence",
        kind="sequence",
        title=page_text("chart sequence", baseline=findings.baseline),
        x=page_text("chart sequence x"),
        y=title_text(metric),
        note=page_text("note sequence", level=f"{100 * found.level:g}"),
        data={"metric": metric.name, "margin": found.margin, "lines": lines},
    )
