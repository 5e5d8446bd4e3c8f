"""The comparison of two files with figures only, as text, JSON, Markdown and JUnit suites."""

from typing import Any

import msgspec

from assay.jobs.compare.aggregate import AggregateComparison, AggregateRun, Figure, FigureChange
from assay.jobs.compare.text_report import label_line
from assay.jobs.compare.wording import gate_line, number_text
from assay.records import OUTPUT_VERSION
from assay.report.junit import Check, Suite
from assay.report.table import escape_markdown, on_one_line
from assay.report.words import said
from assay.words import language, say

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
        *(label_line("note", on_one_line(said(note, language()))) for note in comparison.notes),
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
    notes = [escape_markdown(said(note, language())) for note in comparison.notes]
    lines += [f"- {say('note')}: {note}" for note in notes]
    return "\n".join(lines) + "\n"


def aggregate_json(comparison: AggregateComparison) -> str:
    """The comparison as JSON."""
    content: dict[str, Any] = {
        "schema_version": OUTPUT_VERSION,
        "verdict": "passed" if comparison.passed else "failed",
        "reasons": comparison.faults,
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
        "notes": comparison.notes,
    }
    return msgspec.json.format(msgspec.json.encode(content), indent=2).decode() + "\n"


def aggregate_suites(comparison: AggregateComparison) -> list[Suite]:
    """A check for each figure and, if there is a limit, for its spread."""
    checks = []
    for change in comparison.changes:
        faults = [fault for fault in comparison.faults if fault.startswith(f"{change.name} ")]
        checks.append(
            Check(
                name=change.name,
                group=_GROUP,
                outcome="failure" if faults else "passed",
                message="; ".join(said(fault, language()) for fault in faults),
                detail=_figures(change),
            )
        )
    return [Suite(name=_GROUP, checks=checks)]


def _run(run: AggregateRun) -> str:
    runs = "" if run.runs is None else say(", ") + say("{n} {n:run|runs}", n=run.runs)
    return f"{run.path} [{run.label}]{runs}"


def _run_fields(run: AggregateRun) -> dict[str, Any]:
    return {"path": str(run.path), "label": run.label, "runs": run.runs}


def _figures(change: FigureChange) -> str:
    ends = " → ".join(_figure(figure) for figure in (change.before, change.after))
    return f"{ends}  {number_text(_delta(change), signed=True)}"


def _figure(figure: Figure | None) -> str:
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
