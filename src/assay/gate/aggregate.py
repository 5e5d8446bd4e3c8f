"""Comparing two files that have figures only: summaries of several runs, and metrics of modes.

A summary of several runs is ``{"label", "n", "weighted_score": {"mean", "std", "min", "max"},
"question_weighted_score": {…}, "runs": […]}``; its ``std`` is that of the population. Such files
have no questions, so nothing can be paired or tested: the difference of each figure is compared
with a limit, and so is the spread of the candidate.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from assay.errors import UseError
from assay.gate.compatibility import check_figure, hash_difference, listed_runs, run_count
from assay.gate.direction import Better, direction, refuse_turned, unknown_direction
from assay.gate.ending import refuse_unfinished
from assay.gate.gate import ROUNDING_ERROR, Limits, change_fault
from assay.gate.report_wording import gate_line, label_line, number_text
from assay.gate.results_file import HASHES, chosen_modes
from assay.jobs.contract.mode_result import ModeResults, mode_figures, mode_matrix
from assay.jobs.contract.spec import CORPUS, METRICS
from assay.records import OUTPUT_VERSION
from assay.registry import nearest
from assay.report.junit import JUnitCase, Suite
from assay.report.table.format import escape_markdown
from assay.report.table.table import on_one_line
from assay.words.language import language
from assay.words.message import Message, joined, message, text_of
from assay.words.say import say, say_n

SCORES: Final = ("weighted_score", "question_weighted_score")
"""The figures of a summary of several runs."""
_MODE_METRIC: Final = "weighted_accuracy"
_DECLARED: Final = {metric.name: metric for metric in (*METRICS, *CORPUS)}


class Figure(Struct, frozen=True, kw_only=True):
    """A figure of a file. ``std`` is the spread over its runs; None if the file has no runs."""

    value: float
    std: float | None = None


class AggregateRun(Struct, frozen=True, kw_only=True):
    """The figures of a file by name. ``runs`` is the number of runs; None if it is no summary.

    ``hashes`` identify documents and questions, and ``truths`` are the numbers of clauses of each
    true level by mode; both must be the same in both files, as far as they are known.
    """

    path: Path
    label: str
    figures: Mapping[str, Figure]
    better: Better = "higher"
    runs: int | None = None
    policies: frozenset[str] = frozenset()
    hashes: Mapping[str, str] = {}
    truths: Mapping[str, tuple[float, ...]] = {}

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
    faults: tuple[Message | str, ...]
    notes: tuple[Message | str, ...]

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


def run_summary(
    path: Path, content: Mapping[str, Any], metric: str | None, better: Better | None = None
) -> AggregateRun:
    """The figures of a summary of several runs; with ``metric`` only that one.

    Raises ``UseError`` if one of the runs failed or did not end.
    """
    names = [name for name in SCORES if isinstance(content.get(name), dict)]
    if metric is not None and metric not in names:
        raise UseError(f"{path}: has no figure {metric!r}{nearest(metric, names)}")
    refuse_turned(metric or "weighted_score", "higher", better)
    runs = listed_runs(path, content)
    for head in (content, *runs):
        refuse_unfinished(path, head)
    hashes = _common_hashes(path, (content, *runs))
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
        hashes=hashes,
    )


def _common_hashes(path: Path, heads: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    hashes: dict[str, str] = {}
    for name in HASHES:
        values = {str(head[name]) for head in heads if head.get(name)}
        if len(values) > 1:
            raise UseError(f"{path}: {name}: the runs differ: {' and '.join(sorted(values))}")
        if values:
            hashes[name] = values.pop()
    return hashes


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
    better: Better | None = None,
    *,
    of_one: bool = False,
) -> AggregateRun:
    """One metric of each mode: computed from its confusion matrix, else as recorded.

    ``better`` is the direction of a metric whose direction is not known. With ``of_one`` the mode is
    compared with another one, so the figure is named after the metric alone, and the label says which
    mode it is.

    Raises:
        UseError: There is no such mode or metric, a figure cannot be, or ``of_one`` and several modes.
    """
    name = metric or _MODE_METRIC
    by_key = {
        mode.key: {
            **mode.metrics,
            **{key: value for key, value in mode_figures(mode).items() if value is not None},
        }
        for mode in modes
    }
    chosen = [mode.key for mode in chosen_modes(path, modes, variant)]
    if of_one and len(chosen) > 1:
        raise UseError(
            f"{path}: has the modes {', '.join(chosen)}; choose one with --variant, and with "
            "--base-variant for the base"
        )
    known = {key for mode in chosen for key in by_key[mode]}
    if metric is None and name not in known:
        name = "accuracy"
    if name not in known:
        raise UseError(f"{path}: no mode has a metric {name!r}{nearest(name, known)}")
    declared = _DECLARED.get(name)
    known_better = direction(name) if declared is None else declared.better
    refuse_turned(name, known_better, better)
    chosen_better = known_better or better
    if chosen_better is None:
        raise UseError(unknown_direction(name))
    for mode in chosen:
        _check_mode_figure(path, name, by_key[mode].get(name), chosen_better)
    return AggregateRun(
        path=path,
        label=f"{name}, {chosen[0]}" if of_one else name,
        figures={
            name if of_one else f"{mode} {name}": Figure(value=by_key[mode][name])
            for mode in chosen
            if name in by_key[mode]
        },
        better=chosen_better,
        truths={
            mode.key: tuple(map(sum, matrix))
            for mode in modes
            if mode.key in chosen and (matrix := mode_matrix(mode)) is not None
        },
    )


def _check_mode_figure(path: Path, name: str, value: float | None, better: Better) -> None:
    """Raise ``UseError`` for a share above 1, such as a percentage, or below 0."""
    if value is None or "kappa" in name:
        return
    declared = _DECLARED.get(name)
    is_share = "rate" in name if declared is None else declared.is_share or declared.kind == "rate"
    if is_share and not 0 <= value <= 1:
        raise UseError(f"{path}: {name} is {value:g}; it is a share from 0 to 1")
    if better == "lower" and value < 0:
        raise UseError(f"{path}: {name} is {value:g}; it cannot be negative")


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
    if limits.asked is not None or limits.pass_if_unclear:
        option = "--pass-if-unclear" if limits.asked is None else limits.asked.option
        raise UseError(f"{option} needs single questions, which these files lack")
    if max_std is not None and cand.runs is None:
        raise UseError(f"--max-std needs a summary of several runs; {cand.path} is {cand.kind}")
    differing = [*_differences(base, cand)]
    if differing and limits.strict_hashes:
        raise UseError(
            *(
                message("{difference}; use --allow-mismatch to compare anyway", difference=each)
                for each in differing
            )
        )
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
        notes=(*_notes(base, cand), *differing),
    )


def _differences(base: AggregateRun, cand: AggregateRun) -> Iterator[Message | str]:
    """Documents, questions or true levels that are not those of the other file."""
    for name in sorted(base.hashes.keys() | cand.hashes.keys()):
        before, after = base.hashes.get(name), cand.hashes.get(name)
        if before != after:
            yield hash_difference(name, before, after)
    if base.better == "higher":
        for name in sorted(base.figures.keys() & cand.figures.keys()):
            small, large = base.figures[name].value, cand.figures[name].value
            if 0 <= small <= 1 < large:
                yield f"the scale of {name} differs: {small:g} in {base.path}, {large:g} in {cand.path}"
    for mode in sorted(base.truths.keys() & cand.truths.keys()):
        if base.truths[mode] != cand.truths[mode]:
            yield f"{mode}: the clauses of each true level differ: {base.truths[mode]} and {cand.truths[mode]}"


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


def _delta_faults(changes: Sequence[FigureChange], limits: Limits) -> Iterator[Message | str]:
    for change in changes:
        if change.gain is None:
            if change.after is None and not limits.allow_missing:
                yield message("{name} is missing in the candidate", name=change.name)
        elif change.gain < limits.min_delta - ROUNDING_ERROR:
            yield change_fault(change.name, change.gain, limits.min_delta)


def _spread_faults(cand: AggregateRun, max_std: float) -> Iterator[Message | str]:
    for name, figure in cand.figures.items():
        if figure.std is None:
            yield message("{name} has no std in the candidate", name=name)
        elif figure.std > max_std + ROUNDING_ERROR:
            yield message(
                "{name} has a std of {std}, --max-std is {max_std}",
                name=name,
                std=f"{figure.std:.6g}",
                max_std=f"{max_std:g}",
            )


def _notes(base: AggregateRun, cand: AggregateRun) -> Iterator[Message | str]:
    yield message("these files have no single questions: nothing is paired, and nothing is tested")
    if base.runs != cand.runs:
        yield message(
            "the base has {runs} runs, the candidate {others}", runs=base.runs, others=cand.runs
        )
    if base.policies != cand.policies:
        yield (
            message(
                "policy_variant is {before} in the base, {after} in the candidate",
                before=", ".join(sorted(base.policies)) or "not stated",
                after=", ".join(sorted(cand.policies)) or "not stated",
            )
        )


# The comparison of two files with figures only, as text, JSON, Markdown and JUnit suites.

_GROUP = "assay.gate"
_COLUMNS = ("figure", "base", "std", "candidate", "std", "change")


def aggregate_headline(comparison: AggregateComparison) -> str:
    """The verdict on one line."""
    return gate_line(comparison.faults)


def aggregate_text(comparison: AggregateComparison) -> str:
    """The verdict, both files, and a line for each figure."""
    lines = [
        aggregate_headline(comparison),
        label_line("base", _run(comparison.base)),
        label_line("candidate", _run(comparison.cand)),
        *(f"{change.name}  {_figures(change)}" for change in comparison.changes),
        *(label_line("note", on_one_line(text_of(note, language()))) for note in comparison.notes),
    ]
    return "\n".join(lines) + "\n"


def aggregate_markdown(comparison: AggregateComparison) -> str:
    """The verdict and a table of the figures."""
    mark = "✅" if comparison.passed else "❌"
    lines = [
        f"### {mark} {say('Answer quality')}: {escape_markdown(aggregate_headline(comparison))}",
        "",
        f"| {' | '.join(map(say, _COLUMNS))} |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for change in comparison.changes:
        cells = [
            escape_markdown(change.name),
            *_cells(change.before),
            *_cells(change.after),
            number_text(_delta(change), signed=True),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    lines += ["", f"- {say('base')}: {escape_markdown(_run(comparison.base))}"]
    lines += [f"- {say('candidate')}: {escape_markdown(_run(comparison.cand))}"]
    notes = [escape_markdown(text_of(note, language())) for note in comparison.notes]
    lines += [f"- {say('note')}: {note}" for note in notes]
    return "\n".join(lines) + "\n"


def aggregate_json(comparison: AggregateComparison) -> str:
    """The comparison as JSON."""
    content: dict[str, Any] = {
        "schema_version": OUTPUT_VERSION,
        "verdict": "passed" if comparison.passed else "failed",
        "reasons": [*map(str, comparison.faults)],
        "limits": {
            "min_delta": comparison.limits.min_delta,
            "max_std": comparison.max_std,
            "allow_missing": comparison.limits.allow_missing,
        },
        "base": _run_fields(comparison.base),
        "candidate": _run_fields(comparison.cand),
        "figures": [
            {
                "name": change.name,
                "base": change.before,
                "candidate": change.after,
                "delta": _delta(change),
                "gain": change.gain,
            }
            for change in comparison.changes
        ],
        "notes": [*map(str, comparison.notes)],
    }
    return msgspec.json.format(msgspec.json.encode(content), indent=2).decode() + "\n"


def aggregate_suites(comparison: AggregateComparison) -> list[Suite]:
    """A check for each figure and, if there is a limit, for its spread."""
    checks = []
    for change in comparison.changes:
        faults = [fault for fault in comparison.faults if str(fault).startswith(f"{change.name} ")]
        checks.append(
            JUnitCase(
                name=change.name,
                group=_GROUP,
                outcome="failure" if faults else "passed",
                message=text_of(joined(faults), language()),
                detail=_figures(change),
            )
        )
    return [Suite(name=_GROUP, checks=checks)]


def _run(run: AggregateRun) -> str:
    runs = "" if run.runs is None else say(", ") + say_n("{n} run", "{n} runs", run.runs)
    return f"{run.path} [{run.label}]{runs}"


def _run_fields(run: AggregateRun) -> dict[str, Any]:
    return {"path": str(run.path), "label": run.label, "runs": run.runs}


def _figures(change: FigureChange) -> str:
    ends = " → ".join(_aggregate_report_figure(figure) for figure in (change.before, change.after))
    return f"{ends}  {number_text(_delta(change), signed=True)}"


def _aggregate_report_figure(figure: Figure | None) -> str:
    if figure is None or figure.std is None:
        return number_text(None if figure is None else figure.value)
    return f"{number_text(figure.value)} (std {number_text(figure.std)})"


def _cells(figure: Figure | None) -> tuple[str, str]:
    if figure is None:
        return number_text(None), number_text(None)
    return number_text(figure.value), number_text(figure.std)


def _delta(change: FigureChange) -> float | None:
    if change.before is None or change.after is None:
        return None
    return round(change.after.value - change.before.value, 12) + 0.0
