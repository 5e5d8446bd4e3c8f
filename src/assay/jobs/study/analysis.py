"""Analyse the rows of a run: aggregates, effects, and the bill."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
from msgspec import Struct

from assay.jobs.results import Results, read_results
from assay.jobs.spec import JobReport, JobSpec, job_spec_of
from assay.journal import read_summary, summary_path
from assay.records import Metric
from assay.stats import SCORED, Analysis, Effect, analyse, factorial_effects

ANSWERABLE: Final = "answerable"


class RunFindings(Struct, frozen=True, kw_only=True):
    """The analysis of one run.

    - ``ordered``: the values of a variable that has an order, by variant;
    - ``lost_primary``: the primary metric of the run if it is not known here, otherwise empty;
    - ``combined``: the main effects and interactions of a factorial design;
    - ``unlabelled``: the number of items that were scored but have no headline value in any
      variant, because there is no gold to compare with;
    - ``job_report``: what the job shows besides its metrics.
    """

    results: Results
    job: JobSpec
    analysis: Analysis
    baseline: str
    ordered: Mapping[str, float]
    variables: tuple[str, ...]
    combined: tuple[Effect, ...]
    lost_primary: str
    items: int
    unlabelled: int
    unanswerable: int
    job_report: JobReport | None = None

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """The metrics that have a value for at least one variant."""
        return tuple(
            metric
            for metric in self.job.metrics
            if any(
                variant.cells[metric.name].value is not None for variant in self.analysis.variants
            )
        )


def read_run(journal: Path, job: JobSpec | None = None) -> Results:
    """Read the columns that an analysis needs, and the rows that the job itself needs.

    ``job`` is the job that recorded the rows; by default, the one that the summary names.
    """
    summary = read_summary(summary_path(journal))
    job = job or job_spec_of(summary)
    label = job.label(summary) if job.label and summary else None
    return read_results(journal, job.metrics, flags=(ANSWERABLE,), label=label, job_row=job.row)


def analyse_run(journal: Path) -> RunFindings:
    """Read and analyse a journal."""
    return analyse_results(read_run(journal))


def analyse_results(results: Results, job: JobSpec | None = None) -> RunFindings:
    """Analyse the rows of a run; its summary says what is compared with what."""
    job = job or job_spec_of(results.summary)
    scores = results.scores
    extra: Mapping[str, Any] = results.summary.extra if results.summary else {}
    baseline = extra.get("baseline")
    if baseline not in scores.variants:
        baseline = scores.variants[0] if scores.variants else ""
    is_scored = (scores.status == SCORED).any(axis=0)
    is_labelled = ~np.isnan(scores.values[job.metric().field]).all(axis=0)
    chosen = extra.get("primary") or job.headline
    is_known = any(metric.name == chosen for metric in job.metrics)
    primary = chosen if is_known else None
    combined: tuple[Effect, ...] = ()
    if extra.get("design") == "factorial":
        combined = factorial_effects(scores, job.metrics, extra["switched"], primary=primary)
    return RunFindings(
        results=results,
        job=job,
        analysis=analyse(scores, job.metrics, baseline=baseline or None, primary=primary),
        baseline=baseline,
        ordered=extra.get("ordered", {}),
        variables=tuple(extra.get("ablation_variable", ())),
        combined=combined,
        lost_primary="" if is_known else chosen,
        items=len(scores.items),
        unlabelled=int(np.count_nonzero(is_scored & ~is_labelled)),
        unanswerable=int(np.count_nonzero((scores.values[ANSWERABLE] == 0).any(axis=0))),
        job_report=job.job_report(results),
    )


def summarise_run(journal: Path) -> dict[str, Any]:
    """Read and analyse a journal; return the ``results`` of its summary."""
    return summary_results(analyse_run(journal))


def summary_results(findings: RunFindings) -> dict[str, Any]:
    """The ``results`` of a summary: each variant's aggregates, and the effects."""
    variants: dict[str, Any] = {}
    for variant in findings.analysis.variants:
        job_fields = findings.job_report.fields(variant.name) if findings.job_report else {}
        variants[variant.name] = {
            **msgspec.to_builtins(variant.tally),
            **job_fields,
            **{name: cell.value for name, cell in variant.cells.items()},
            "n": {
                **job_fields.get("n", {}),
                **{name: cell.n for name, cell in variant.cells.items()},
            },
            "intervals": job_fields.get("intervals", {})
            | {
                name: [cell.interval.low, cell.interval.high]
                for name, cell in variant.cells.items()
                if cell.interval is not None
            },
            "bill": msgspec.to_builtins(findings.results.bills[variant.name]),
        }
    analysis = findings.analysis
    return {
        "baseline": findings.baseline,
        "headline": findings.job.headline,
        "questions": findings.items,
        "questions_without_gold": findings.unlabelled,
        "unanswerable_questions": findings.unanswerable,
        "variants": variants,
        "effects": msgspec.to_builtins(analysis.effects),
        "combined_effects": msgspec.to_builtins(findings.combined),
        "method": {
            "level": analysis.level,
            "resamples": analysis.resamples,
            "seed": analysis.seed,
            "clustered": analysis.clustered,
            "documents": analysis.documents,
            "primary": analysis.primary,
            "comparisons": analysis.comparisons,
        },
    }
