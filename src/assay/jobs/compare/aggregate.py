"""Comparing two files that have figures only: summaries of several runs, and metrics of modes.

A summary of several runs is ``{"label", "n", "weighted_score": {"mean", "std", "min", "max"},
"question_weighted_score": {…}, "runs": […]}``; its ``std`` is that of the population. Such files
have no questions, so nothing can be paired or tested: the difference of each figure is compared
with a limit, and so is the spread of the candidate.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from assay.config import nearest
from assay.data.contract import ModeResults, mode_figures
from assay.errors import UseError
from assay.jobs.compare.gate import ROUNDING_ERROR, Limits
from assay.jobs.compare.mode_run import chosen_modes
from assay.jobs.compare.summary_check import check_figure, run_count

SCORES: Final = ("weighted_score", "question_weighted_score")
"""The figures of a summary of several runs."""
_MODE_METRIC: Final = "weighted_accuracy"
_LOWER_IS_BETTER: Final = ("hallucination", "latency", "invented", "cost")


class Figure(Struct, frozen=True, kw_only=True):
    """A figure of a file. ``std`` is the spread over its runs; None if the file has no runs."""

    value: float
    std: float | None = None


class AggregateRun(Struct, frozen=True, kw_only=True):
    """The figures of a file by name. ``runs`` is the number of runs; None if it is no summary."""

    path: Path
    label: str
    figures: Mapping[str, Figure]
    better: str = "higher"
    runs: int | None = None
    policies: frozenset[str] = frozenset()

    @property
    def kind(self) -> str:
        """What the file is, in words."""
        return "metrics of modes" if self.runs is None else "a summary of several runs"


class FigureChange(Struct, frozen=True, kw_only=True):
    """A figure in both files. ``gain`` is positive if it became better; None if it is missing."""

    name: str
    before: Figure | None
    after: Figure | None
    gain: float | None


class AggregateComparison(Struct, frozen=True, kw_only=True):
    """The result of comparing two such files; ``faults`` is empty if the candidate passed."""

    base: AggregateRun
    cand: AggregateRun
    changes: tuple[FigureChange, ...]
    limits: Limits
    max_std: float | None
    faults: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether the candidate passed."""
        return not self.faults


def is_run_summary(content: Any) -> bool:
    """Whether a JSON value is a summary of several runs.

    >>> is_run_summary({"weighted_score": {"mean": 0.9}, "runs": [{"path": "a.json"}]})
    True
    >>> is_run_summary({"summary": {}, "results": []})
    False
    """
    if not isinstance(content, dict) or "results" in content:
        return False
    figures = [content.get(name) for name in SCORES]
    return any(isinstance(figure, dict) and "mean" in figure for figure in figures)


def run_summary(path: Path, content: Mapping[str, Any], metric: str | None) -> AggregateRun:
    """The figures of a summary of several runs; with ``metric`` only that one."""
    names = [name for name in SCORES if isinstance(content.get(name), dict)]
    if metric is not None and metric not in names:
        raise UseError(f"{path}: has no figure {metric!r}{nearest(metric, names)}")
    rows = content.get("runs")
    runs = [run for run in rows if isinstance(run, dict)] if isinstance(rows, list) else []
    policies = {str(run["policy_variant"]) for run in runs if run.get("policy_variant")}
    return AggregateRun(
        path=path,
        label=str(content.get("label") or path.stem),
        figures={
            name: _figure(path, name, content[name], runs)
            for name in ([metric] if metric is not None else names)
        },
        runs=run_count(path, content, runs),
        policies=frozenset(policies),
    )


def _figure(
    path: Path, name: str, content: Mapping[str, Any], runs: Sequence[Mapping[str, Any]]
) -> Figure:
    check_figure(path, name, content, runs)
    std = content.get("std")
    return Figure(value=float(content["mean"]), std=None if std is None else float(std))


def mode_metrics(
    path: Path,
    modes: Sequence[ModeResults],
    metric: str | None,
    variant: str | None,
) -> AggregateRun:
    """One metric of each mode: computed from its confusion matrix, else as recorded."""
    name = metric or _MODE_METRIC
    by_key = {
        mode.key: {
            **mode.metrics,
            **{key: value for key, value in mode_figures(mode).items() if value is not None},
        }
        for mode in modes
    }
    chosen = [mode.key for mode in chosen_modes(path, modes, variant)]
    known = {key for mode in chosen for key in by_key[mode]}
    if metric is None and name not in known:
        name = "accuracy"
    if name not in known:
        raise UseError(f"{path}: no mode has a metric {name!r}{nearest(name, known)}")
    is_lower_better = any(part in name for part in _LOWER_IS_BETTER)
    return AggregateRun(
        path=path,
        label=name,
        figures={
            f"{mode} {name}": Figure(value=by_key[mode][name])
            for mode in chosen
            if name in by_key[mode]
        },
        better="lower" if is_lower_better else "higher",
    )


def compare_aggregates(
    base: AggregateRun, cand: AggregateRun, limits: Limits, *, max_std: float | None = None
) -> AggregateComparison:
    """Compare the figures of two files.

    The candidate passes if every figure of the base became better by at least ``min_delta`` and,
    with ``max_std``, no spread of the candidate is larger.

    Raises:
        UseError: the files are of different kinds, have no figure in common, or an option needs
            single questions.
    """
    if base.kind != cand.kind:
        raise UseError(f"{base.path} is {base.kind}, {cand.path} is {cand.kind}")
    if limits.require_significant:
        raise UseError("--require-significant needs single questions, which these files lack")
    if max_std is not None and cand.runs is None:
        raise UseError(f"--max-std needs a summary of several runs; {cand.path} is {cand.kind}")
    if not base.figures.keys() & cand.figures.keys():
        raise UseError(f"{base.path} and {cand.path} have no figure in common")
    names = dict.fromkeys((*base.figures, *cand.figures))
    changes = tuple(
        _change(name, base.figures.get(name), cand.figures.get(name), base.better) for name in names
    )
    faults = [
        *_delta_faults(changes, limits),
        *(_spread_faults(cand, max_std) if max_std is not None else ()),
    ]
    return AggregateComparison(
        base=base,
        cand=cand,
        changes=changes,
        limits=limits,
        max_std=max_std,
        faults=tuple(faults),
        notes=tuple(_notes(base, cand)),
    )


def refuse_max_std(max_std: float | None, path: Path) -> None:
    """Raise ``UseError`` if there is a limit on the spread, but the file is no summary of runs."""
    if max_std is not None:
        raise UseError(f"--max-std needs two summaries of several runs; {path} is none")


def _change(name: str, before: Figure | None, after: Figure | None, better: str) -> FigureChange:
    gain = None
    if before is not None and after is not None:
        gain = round(after.value - before.value, 12) + 0.0
        gain = -gain if better == "lower" else gain
    return FigureChange(name=name, before=before, after=after, gain=gain)


def _delta_faults(changes: Sequence[FigureChange], limits: Limits) -> Iterator[str]:
    for change in changes:
        if change.gain is None:
            if change.after is None and not limits.allow_missing:
                yield f"{change.name} is missing in the candidate"
        elif change.gain < limits.min_delta - ROUNDING_ERROR:
            required = f" (--min-delta is {limits.min_delta:g})" if limits.min_delta else ""
            how = "worse by" if change.gain < 0 else "better by only"
            yield f"{change.name} became {how} {abs(change.gain):.6g}{required}"


def _spread_faults(cand: AggregateRun, max_std: float) -> Iterator[str]:
    for name, figure in cand.figures.items():
        if figure.std is None:
            yield f"{name} has no std in the candidate"
        elif figure.std > max_std + ROUNDING_ERROR:
            yield f"{name} has a std of {figure.std:.6g}, --max-std is {max_std:g}"


def _notes(base: AggregateRun, cand: AggregateRun) -> Iterator[str]:
    yield "these files have no single questions: nothing is paired, and nothing is tested"
    if base.runs != cand.runs:
        yield f"the base has {base.runs} runs, the candidate {cand.runs}"
    if base.policies != cand.policies:
        yield (
            f"policy_variant is {', '.join(sorted(base.policies)) or 'not stated'} in the base, "
            f"{', '.join(sorted(cand.policies)) or 'not stated'} in the candidate"
        )
