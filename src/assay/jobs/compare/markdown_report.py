"""The comparison as Markdown, fit for a pull request's comment or a job's summary."""

from collections.abc import Sequence

from assay.jobs.compare.gate import Comparison
from assay.jobs.compare.pair import QuestionPair
from assay.jobs.compare.wording import (
    cut,
    difference_line,
    direction,
    headline,
    mean_name,
    number_text,
    regression_line,
    run_counts,
    run_label,
)
from assay.report.table import escape_markdown

LONGEST_ID = 60
LONGEST_QUESTION = 120
LONGEST_ANSWER = 400


def as_markdown(found: Comparison, *, most: int = 20) -> str:
    """Verdict, figures, a table of what changed, and the answers folded away."""
    metric = found.metric
    unit = f" ({metric.unit})" if metric.unit else ""
    lines = [
        f"### {'✅' if found.passed else '❌'} Answer quality: {_quiet(headline(found))}",
        "",
        f"| {_quiet(metric.name)}{unit}, {direction(metric)} | base | candidate | change |",
        "| --- | ---: | ---: | ---: |",
    ]
    if found.base_weighted is not None:
        lines.append(_figures("weighted", found.base_weighted, found.cand_weighted))
    lines += [
        _figures(
            f"{mean_name(metric)} of {found.effect.n} pairs", found.base_value, found.cand_value
        ),
        "",
        f"- paired difference: {_quiet(difference_line(found))}",
        f"- regressions: {_quiet(regression_line(found))}",
        f"- base: {_quiet(run_label(found.base))}, {run_counts(found.base)}",
        f"- candidate: {_quiet(run_label(found.cand))}, {run_counts(found.cand)}",
        *(f"- note: {_quiet(note)}" for note in found.notes),
        "",
    ]
    lines += _table("Changed, worst first", found.standing("worse", "better"), most)
    lines += _table("Without a value in the candidate", found.standing("missing"), most)
    lines += _table("Not compared", found.standing("not compared"), most)
    lines += _table("Only in the candidate", found.standing("added"), most)
    lines += _answers(found.standing("worse", "missing", "better"), most)
    return "\n".join(lines).rstrip() + "\n"


def invalid_markdown(reason: str) -> str:
    """What stands in the page's place where there was nothing to compare."""
    lines = [f"- {_quiet(line)}" for line in reason.splitlines()]
    head = "### ⚠️ Answer quality: the runs cannot be compared"
    return "\n".join([head, "", "This says nothing about quality.", "", *lines, ""])


def _figures(label: str, before: float | None, after: float | None) -> str:
    change = None if before is None or after is None else after - before
    return f"| {label} | {number_text(before)} | {number_text(after)} | {number_text(change, signed=True)} |"


def _table(title: str, items: Sequence[QuestionPair], most: int) -> list[str]:
    if not items:
        return []
    listed = items[:most] if most else items
    lines = [
        f"#### {title} ({len(items)})",
        "",
        "| id | question | base | candidate | change |",
        "| --- | --- | ---: | ---: | ---: |",
    ]
    for item in listed:
        step = None if item.gain is None else (item.after or 0.0) - (item.before or 0.0)
        last = item.reason or number_text(step, signed=True)
        lines.append(
            f"| {_quiet(cut(item.id, LONGEST_ID))} "
            f"| {_quiet(cut(item.question, LONGEST_QUESTION))} "
            f"| {number_text(item.before)} | {number_text(item.after)} | {_quiet(last)} |"
        )
    if len(items) > len(listed):
        lines += ["", f"{len(items) - len(listed)} more are not listed."]
    return [*lines, ""]


def _answers(items: Sequence[QuestionPair], most: int) -> list[str]:
    told = [item for item in (items[:most] if most else items) if _has_answer(item)]
    if not told:
        return []
    lines = ["<details>", "<summary>Answers</summary>", ""]
    for item in told:
        name, asked = _quiet(cut(item.id, LONGEST_ID)), _quiet(cut(item.question, LONGEST_QUESTION))
        lines += [
            f"- **{name}** {asked}",
            f"  - base: {_quiet(cut(item.answer_before, LONGEST_ANSWER)) or '–'}",
            f"  - candidate: {_quiet(cut(item.answer_after, LONGEST_ANSWER)) or '–'}",
        ]
    return [*lines, "", "</details>", ""]


def _has_answer(item: QuestionPair) -> bool:
    return bool(item.answer_before or item.answer_after)


def _quiet(text: str) -> str:
    r"""Plain text that calls nobody: a comment must not notify whom an answer happens to name.

    >>> _quiet("ask @ann about #7")
    'ask @<!-- -->ann about \\#<!-- -->7'
    """
    return escape_markdown(text).replace("@", "@<!-- -->").replace("\\#", "\\#<!-- -->")
