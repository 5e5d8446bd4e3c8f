"""What commands that read results know about a job: its metrics, and how it scores a row.

``assay report``, ``list``, ``score`` and ``compare`` work on the results of every job; a
``JobSpec`` is all they need. Assay's own jobs stand in the table below, and another package adds
its job by an entry point of the group ``assay.jobs`` that names a ``JobSpec``.
"""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from msgspec import Struct
from msgspec.structs import replace

from assay.config import nearest
from assay.errors import UseError
from assay.journal import Summary
from assay.records import Metric, Score
from assay.registry import Registry, load_part, warn
from assay.scorers.registered import SCORERS, SCORES, registered_scorers
from assay.scorers.scorer import Scorer

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
    """One job: its metrics, how a recorded row is scored again, and its command.

    - ``headline``: the metric that is shown if there is room for only one.
    - ``report``: creates what the job shows besides its metrics. A path
      (``package.module:name``) is imported when a report is made.
    - ``row``: the fields of a row, among them ``key`` and ``schema_version``, that ``report`` and
      the job's own files need besides the metrics. ``Results.job_rows`` has the last row of each
      key.
    - ``label``: gives the placement whose rows a summary covers, if a run has only one placement.
    - ``variant_metrics``: metrics of a variant that are not means over its cases. The tables of
      ``report`` show them.
    - ``command``: the command ``assay NAME`` of a job of another package: a function that Typer
      accepts, usually made with ``assay.cli.run_command``, or its path. ``help`` is its line in
      ``assay --help``.
    """

    name: str
    metrics: tuple[Metric, ...]
    headline: str
    rescore: Rescore
    report: "str | Callable[[Results], JobReport] | None" = None
    row: type[Struct] | None = None
    label: Callable[[Summary], str | None] | None = None
    variant_metrics: tuple[Metric, ...] = ()
    command: str | Callable[..., Any] | None = None
    help: str = ""

    def metric(self, name: str | None = None) -> Metric:
        """The metric with this name; the headline metric by default."""
        chosen = name or self.headline
        for metric in self.metrics:
            if metric.name == chosen:
                return metric
        names = [metric.name for metric in self.metrics]
        raise UseError(f"there is no metric {chosen!r}{nearest(chosen, names)}")

    def job_report(self, results: "Results") -> JobReport | None:
        """What the job shows of these results besides its metrics; ``None`` if nothing."""
        make = self.report
        if isinstance(make, str):
            make = load_part(make, f"the report of the job {self.name!r}")
        return make(results) if make is not None else None


def _check(name: str, target: Any) -> str:
    """What is wrong with the spec of another package; empty if nothing is."""
    if not isinstance(target, JobSpec):
        return f"it is a {type(target).__name__}, not an assay.jobs.spec.JobSpec"
    if target.name != name:
        return f"the job's own name is {target.name!r}; both names must be equal"
    if target.headline not in [metric.name for metric in target.metrics]:
        return f"its headline {target.headline!r} is not one of its metrics"
    if target.command is not None and not target.help:
        return "it has a command and no help, the line that assay --help shows"
    return ""


JOBS: Final = Registry[JobSpec](
    "assay.jobs",
    "job",
    {
        "ablation": "assay.jobs.ablation:SPEC",
        "depth": "assay.jobs.depth:SPEC",
        "quality": "assay.jobs.quality:SPEC",
        "review": "assay.jobs.review:SPEC",
        "bench": "assay.jobs.legal:SPEC",
    },
    check=_check,
)
"""All jobs by name. A command imports only the job that it uses."""


def job_spec(name: str) -> JobSpec:
    """The job of this name, with the metrics of registered scorers after its own."""
    spec = JOBS.get(name)
    return replace(spec, metrics=(*spec.metrics, *_added_metrics(spec)))


def job_spec_of(summary: Summary | None) -> JobSpec:
    """The job that wrote a summary; rows without a summary are taken for those of an ablation."""
    name = summary.job if summary is not None else "ablation"
    if name not in JOBS.names():
        raise UseError(
            f"results of a job {name!r} are not known here; install the package that adds it"
        )
    return job_spec(name)


def _added_metrics(spec: JobSpec) -> Iterator[Scorer]:
    """The registered scorers of a job whose names mean nothing else in its rows and tables."""
    taken = {metric.name for metric in (*spec.metrics, *spec.variant_metrics)}
    taken |= {
        metric.field.removeprefix(f"{SCORES}.")
        for metric in spec.metrics
        if metric.field.startswith(f"{SCORES}.")
    }
    for scorer in registered_scorers(spec.name):
        if scorer.name in taken:
            package = SCORERS.package_of(scorer.name) or "assay"
            warn(
                f"the scorer {scorer.name!r} of the package {package!r} is not used: the job "
                f"{spec.name!r} has a score of its own with this name"
            )
        else:
            yield scorer
