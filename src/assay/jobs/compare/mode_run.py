"""Reading the results that a contract-risk reviewer wrote by itself as a run to compare."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from assay.config import nearest
from assay.data.contract import ModeCase, ModeResults
from assay.data.ignored_field import ignored_fields_note
from assay.errors import UseError
from assay.jobs.compare.compared_run import ComparedCase, ComparedRun, Key
from assay.jobs.spec import job_spec
from assay.scorers.risk import LEVELS, RISK_SCORES
from assay.text import Count

JOB: Final = "review"
METRICS: Final = (
    "accuracy",
    "weighted_accuracy",
    "high_risk_recall",
    "parse_rate",
    "clauses_with_invented_evidence",
)
"""The metrics that such results give for each clause."""


def run_of_modes(
    path: Path, modes: Sequence[ModeResults], metric_name: str | None, variant: str | None
) -> ComparedRun:
    """The clauses of one mode, or of all modes; then the mode is part of the name of a clause.

    Raises ``UseError`` if there is no such mode or metric.
    """
    chosen = chosen_modes(path, modes, variant)
    name = metric_name or job_spec(JOB).headline
    if name not in METRICS:
        raise UseError(f"{path}: no result has a metric {name!r}{nearest(name, METRICS)}")
    items: dict[Key, ComparedCase] = {}
    for mode in chosen:
        for case in mode.cases:
            case_id = case.id if len(chosen) == 1 else f"{mode.key}/{case.id}"
            items[case_id, ""] = ComparedCase(
                status="scored",
                value=_value(case, name),
                asked=case.id,
                answer=case.prediction or "",
            )
    return ComparedRun(
        path=path,
        job=JOB,
        metric=job_spec(JOB).metric(name),
        items=items,
        primary=job_spec(JOB).headline,
        metric_names=frozenset(METRICS),
        variant=chosen[0].key if len(chosen) == 1 and len(modes) > 1 else None,
        notes=tuple(
            f"{path}: {note}"
            for note in [
                ignored_fields_note(name for mode in chosen for name in mode.ignored),
                _contradiction_note(chosen) if name == "accuracy" else "",
            ]
            if note
        ),
    )


def _contradiction_note(modes: Sequence[ModeResults]) -> str:
    n = Count(sum(mode.contradicted for mode in modes))
    if not n:
        return ""
    return (
        f"{n} {n:result has|results have} another verdict in correct_risk than in the levels, and "
        "correct_risk is used"
    )


def chosen_modes(
    path: Path, modes: Sequence[ModeResults], variant: str | None
) -> Sequence[ModeResults]:
    """The mode of this key or name, or all modes; raises ``UseError`` if there is no such mode."""
    if variant is None:
        return modes
    for mode in modes:
        if variant in {mode.key, mode.name}:
            return [mode]
    names = [mode.key for mode in modes]
    raise UseError(f"{path}: there is no mode {variant!r}{nearest(variant, names)}")


def _value(case: ModeCase, metric: str) -> float | None:
    """The value of a metric for one clause; None if it is undefined."""
    match metric:
        case "accuracy":
            return float(case.correct)
        case "weighted_accuracy":
            if case.prediction is None:
                return 0.0
            return RISK_SCORES[LEVELS.index(case.truth)][LEVELS.index(case.prediction)]
        case "high_risk_recall":
            return float(case.prediction == "high") if case.truth == "high" else None
        case "parse_rate":
            return float(case.prediction is not None)
        case _:
            return None if case.evidence_valid is None else float(not case.evidence_valid)
