"""What commands that read results know about a job: its metrics, and how it scores a row.

``assay report``, ``list``, ``score`` and ``compare`` work on the results of every job; a
``JobSpec`` is all they need.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct

from assay.config import nearest
from assay.errors import UseError
from assay.journal import Summary
from assay.records import Metric, Score

if TYPE_CHECKING:
    from assay.jobs.results import Results
    from assay.report.table import Table
    from assay.report.words import Lang

Rescore = Callable[[Mapping[str, Any]], Mapping[str, Score]]
"""Computes the scores that a recorded row would have today."""


class JobReport(Protocol):
    """What a job shows beyond the means of its metrics, for example a confusion matrix."""

    def fields(self, variant: str) -> Mapping[str, Any]:
        """More fields for a variant in the summary, with their own ``n`` and ``intervals``."""

    def tables(self, lang: "Lang") -> list["Table"]:
        """More tables; the first has one row per variant and is shown beside the quality table."""

    def charts(self, folder: Path, suffix: str, lang: "Lang") -> list[Path]:
        """Draw more charts into ``folder``; returns their paths."""


class JobSpec(Struct, frozen=True, kw_only=True):
    """One job's metrics, and how a recorded row is scored again.

    ``headline`` is the metric that is shown if there is room for only one. ``report`` creates
    what the job shows besides its metrics. ``label`` gives the placement whose rows a summary
    covers, if a run has only one placement.
    """

    name: str
    metrics: tuple[Metric, ...]
    headline: str
    rescore: Rescore
    report: "Callable[[Results], JobReport] | None" = None
    label: Callable[[Summary], str | None] | None = None

    def metric(self, name: str | None = None) -> Metric:
        """The metric with this name; the headline metric by default."""
        chosen = name or self.headline
        for metric in self.metrics:
            if metric.name == chosen:
                return metric
        names = [metric.name for metric in self.metrics]
        raise UseError(f"there is no metric {chosen!r}{nearest(chosen, names)}")


def job_spec_of(summary: Summary | None) -> JobSpec:
    """The job that wrote a summary; rows without a summary are taken for those of an ablation."""
    # imported here, so that a command does not import the jobs that it does not use
    name = summary.job if summary is not None else "ablation"
    match name:
        case "ablation":
            from assay.jobs.ablation import SPEC  # noqa: PLC0415
        case "depth":
            from assay.jobs.depth import SPEC  # noqa: PLC0415
        case "quality":
            from assay.jobs.quality import SPEC  # noqa: PLC0415
        case "review":
            from assay.jobs.review import SPEC  # noqa: PLC0415
        case "bench":
            from assay.jobs.legal import SPEC  # noqa: PLC0415
        case _:
            raise UseError(f"results of a job {name!r} are not known here")
    return SPEC
