"""What tells the jobs apart once their rows are written: metrics, and how an answer is judged.

``assay report``, ``list``, ``score`` and ``compare`` work on the results of every job; this
is all they know of each.
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
"""From a recorded row to the scores it would have today."""


class JobReport(Protocol):
    """What a job's rows show beyond its metrics item by item: what is no mean over items."""

    def fields(self, variant: str) -> Mapping[str, Any]:
        """Further fields of a variant in the summary, with ``n`` and ``intervals`` of theirs."""

    def tables(self, lang: "Lang") -> list["Table"]:
        """Further tables; the first has a row for each variant and is shown beside the quality."""

    def charts(self, folder: Path, suffix: str, lang: "Lang") -> list[Path]:
        """Draw further charts into ``folder``."""


class JobSpec(Struct, frozen=True, kw_only=True):
    """One job's metrics. ``headline`` is the one shown where there is room for one.

    ``further`` makes what the job shows besides, from the rows of a run. ``label`` names the
    placement whose rows a summary is about, where a run has one.
    """

    name: str
    metrics: tuple[Metric, ...]
    headline: str
    rescore: Rescore
    further: "Callable[[Results], JobReport] | None" = None
    label: Callable[[Summary], str | None] | None = None

    def metric(self, name: str | None = None) -> Metric:
        """The metric of that name, or the headline one."""
        wanted = name or self.headline
        for metric in self.metrics:
            if metric.name == wanted:
                return metric
        names = [metric.name for metric in self.metrics]
        raise UseError(f"there is no metric {wanted!r}{nearest(wanted, names)}")


def job_spec_of(summary: Summary | None) -> JobSpec:
    """The kind of job that wrote a summary; rows without one are taken for an ablation's."""
    # each job is imported when its results are read: none of them pays for the others
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
