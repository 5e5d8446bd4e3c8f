"""From a study's rows to what they show: aggregates, effects, and the bill."""

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
from assay.stats import Analysis, Effect, analyse, factorial_effects

ANSWERABLE: Final = "answerable"


class RunFindings(Struct, frozen=True, kw_only=True):
    """What a run showed.

    ``ordered`` holds the values of a variable that has an order, by variant; ``combined`` a
    factorial design's main effects and interactions; ``further`` what the job shows besides.
    ``unlabelled`` items have no headline value in any variant although they were scored: there
    is no gold to compare with.
    """

    results: Results
    kind: JobSpec
    analysis: Analysis
    baseline: str
    ordered: Mapping[str, float]
    variables: tuple[str, ...]
    combined: tuple[Effect, ...]
    items: int
    unlabelled: int
    unanswerable: int
    further: JobReport | None = None

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """Those with a value for at least one variant."""
        return tuple(
            metric
            for metric in self.kind.metrics
            if any(one.cells[metric.name].value is not None for one in self.analysis.variants)
        )


def analyse_run(journal: Path) -> RunFindings:
    """Read and analyse a journal; its summary says what is compared with what."""
    summary = read_summary(summary_path(journal))
    kind = job_spec_of(summary)
    label = kind.label(summary) if kind.label and summary else None
    results = read_results(journal, kind.metrics, flags=(ANSWERABLE,), label=label)
    scores = results.scores
    extra: Mapping[str, Any] = results.summary.extra if results.summary else {}
    baseline = extra.get("baseline")
    if baseline not in scores.variants:
        baseline = scores.variants[0] if scores.variants else ""
    is_scored = (scores.status == 1).any(axis=0)
    is_labelled = ~np.isnan(scores.values[kind.metric().field]).all(axis=0)
    combined: tuple[Effect, ...] = ()
    if extra.get("design") == "factorial":
        combined = factorial_effects(scores, kind.metrics, extra["switched"])
    return RunFindings(
        results=results,
        kind=kind,
        analysis=analyse(scores, kind.metrics, baseline=baseline or None),
        baseline=baseline,
        ordered=extra.get("ordered", {}),
        variables=tuple(extra.get("ablation_variable", ())),
        combined=combined,
        items=len(scores.items),
        unlabelled=int(np.count_nonzero(is_scored & ~is_labelled)),
        unanswerable=int(np.count_nonzero((scores.values[ANSWERABLE] == 0).any(axis=0))),
        further=kind.further(results) if kind.further else None,
    )


def summarise_run(journal: Path) -> dict[str, Any]:
    """The ``results`` of a summary: each variant's aggregates, and the effects."""
    found = analyse_run(journal)
    variants: dict[str, Any] = {}
    for one in found.analysis.variants:
        further = found.further.fields(one.name) if found.further else {}
        variants[one.name] = {
            **msgspec.to_builtins(one.tally),
            **further,
            **{name: cell.value for name, cell in one.cells.items()},
            "n": {
                **further.get("n", {}),
                **{name: cell.n for name, cell in one.cells.items()},
            },
            "intervals": further.get("intervals", {})
            | {
                name: [cell.interval.low, cell.interval.high]
                for name, cell in one.cells.items()
                if cell.interval is not None
            },
            "bill": msgspec.to_builtins(found.results.bills[one.name]),
        }
    analysis = found.analysis
    return {
        "baseline": found.baseline,
        "headline": found.kind.headline,
        "questions": found.items,
        "questions_without_gold": found.unlabelled,
        "unanswerable_questions": found.unanswerable,
        "variants": variants,
        "effects": msgspec.to_builtins(analysis.effects),
        "combined_effects": msgspec.to_builtins(found.combined),
        "method": {
            "level": analysis.level,
            "resamples": analysis.resamples,
            "seed": analysis.seed,
            "clustered": analysis.clustered,
            "comparisons": analysis.comparisons,
        },
    }
