"""The charts of single jobs: the depth map, confusion matrices, and groups of legal questions."""

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from assay.errors import UseError
from assay.jobs.depth.map.results import read_cells, refuse_without_depths
from assay.study.finding import RunFindings
from assay.web.api import ChartView
from assay.web.depth_map import depth_chart
from assay.words.message import Message, message

_GROUPS: Final = {"by_type": "type", "by_category": "category", "by_difficulty": "difficulty"}
_TITLES: Final = {
    "by_type": message("By type of question"),
    "by_category": message("By category"),
    "by_difficulty": message("By difficulty"),
}
REASONS: Final = {
    "missing": message("required evidence is missing"),
    "invented": message("details are invented"),
    "citation": message("citation is wrong or missing"),
    "abstention": message("abstained wrongly, or answered instead of abstaining"),
    "fault": message("something else is wrong"),
}
"""Why a legal answer does not have the full score."""


def depth_charts(findings: RunFindings) -> Iterator[ChartView]:
    """The map of accuracy by depth and context length; none if there are no depths."""
    try:
        models = read_cells([findings.results.path])
        refuse_without_depths(models)
    except UseError:
        return
    if any(model.replies for model in models):
        yield depth_chart(models)


def review_charts(findings: RunFindings) -> Iterator[ChartView]:
    """One confusion matrix for each variant."""
    report = findings.job_report
    names = [variant.name for variant in findings.analysis.variants]
    fields = {name: report.fields(name) for name in names} if report else {}
    if not any("conf_matrix" in each for each in fields.values()):
        return
    first = next(iter(fields.values()))
    yield ChartView(
        id="confusion",
        kind="confusion",
        title=message("Confusion: levels that are true by levels that were said"),
        x=message("stated level"),
        y=message("variant: true level"),
        note=message("Rows are true levels, columns are stated ones."),
        data={
            "rows": [_level(title) for title in first["conf_matrix_rows"]],
            "columns": [_level(title) for title in first["conf_matrix_columns"]],
            "matrices": [
                {
                    "variant": name,
                    "counts": [[int(count) for count in row] for row in each["conf_matrix"]],
                }
                for name, each in fields.items()
            ],
        },
    )


def _level(title: str) -> Message:
    return message(title, "level")


def bench_charts(findings: RunFindings) -> Iterator[ChartView]:
    """Percentages by type, category and difficulty, and the reasons for lost points."""
    report = findings.job_report
    if report is None:
        return
    names = [variant.name for variant in findings.analysis.variants]
    fields = {name: report.fields(name) for name in names}
    for group, kind in _GROUPS.items():
        keys = dict.fromkeys(key for each in fields.values() for key in each[group])
        if not keys or (group != "by_type" and list(keys) == ["unspecified"]):
            continue
        yield ChartView(
            id=group,
            kind="groups",
            title=_TITLES[group],
            x=message("group"),
            y=message("points, %"),
            note=None,
            data={
                "groups": [{"key": key, "label": message(key, kind), "item": None} for key in keys],
                "bars": [
                    {
                        "variant": name,
                        "group": key,
                        "value": each[group][key]["percentage"],
                        "n": each[group][key]["scored"],
                    }
                    for name, each in fields.items()
                    for key in keys
                    if key in each[group]
                ],
                "scale": 100,
            },
        )
    yield from _reasons(findings)


def _reasons(findings: RunFindings) -> Iterator[ChartView]:
    counts: dict[str, Counter[str]] = {}
    answered: Counter[str] = Counter()
    for row in findings.results.job_rows.values():
        if row.status == "scored":
            answered[row.config] += 1
            counts.setdefault(row.config, Counter()).update(set(_row_reasons(row)))
    if not any(counts.values()):
        return
    yield ChartView(
        id="reasons",
        kind="reasons",
        title=message("Why points were lost"),
        x=message("reason"),
        y=message("answers"),
        note=message("An answer may have several reasons."),
        data={
            "reasons": [{"key": key, "label": label} for key, label in REASONS.items()],
            "bars": [
                {"variant": name, "reason": key, "count": each[key], "n": answered[name]}
                for name, each in counts.items()
                for key in REASONS
            ],
        },
    )


def _row_reasons(row: Any) -> Iterator[str]:
    """The kinds of reasons why an answer does not have the full score."""
    if row.missing:
        yield "missing"
    if row.invented:
        yield "invented"
    terms = row.terms or {}
    if terms.get("citation_correct") is False or terms.get("citation_provided") is False:
        yield "citation"
    if terms.get("correct_abstention") is False:
        yield "abstention"
    if row.faults and terms.get("correct_abstention") is not False:
        yield "fault"
