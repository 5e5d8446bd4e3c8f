"""The comparison as text for a terminal or a log."""

from collections.abc import Sequence

from assay.jobs.compare.gate import Comparison
from assay.jobs.compare.pair import QuestionPair
from assay.jobs.compare.wording import (
    change_line,
    correction_line,
    cut,
    difference_line,
    direction,
    headline,
    mean_name,
    named,
    number_text,
    plain_interval_line,
    regression_line,
    run_counts,
    run_label,
)
from assay.report.table import on_one_line
from assay.text import display_width

LONGEST_ID = 40
LONGEST_QUESTION = 70
_SECTIONS = (
    ("changed, worst first", ("worse", "better")),
    ("without a value in the candidate", ("missing",)),
    ("not compared", ("not compared",)),
    ("only in the candidate", ("added",)),
)


def as_text(comparison: Comparison, *, most: int = 20) -> str:
    """The comparison as lines of text: the verdict, the figures, and the questions.

    At most ``most`` questions are listed in each section; 0 lists all.
    """
    metric = comparison.metric
    unit = f", in {metric.unit}" if metric.unit else ""
    lines = [
        headline(comparison),
        f"base         {run_label(comparison.base)}: {run_counts(comparison.base)}",
        f"candidate    {run_label(comparison.cand)}: {run_counts(comparison.cand)}",
        f"metric       {named(metric, f'{direction(metric)}{unit}')}",
    ]
    if comparison.base_weighted is not None:
        lines.append(
            f"weighted     {number_text(comparison.base_weighted)} → {number_text(comparison.cand_weighted)}  "
            f"{number_text(comparison.delta, signed=True)}"
        )
    lines += [
        f"{mean_name(metric):<12} {number_text(comparison.base_value)} → {number_text(comparison.cand_value)}",
        f"pairs        {comparison.effect.n}",
        f"difference   {difference_line(comparison)}",
        *([f"plain        {plain}"] if (plain := plain_interval_line(comparison)) else []),
        *([f"corrected    {line}"] if (line := correction_line(comparison)) else []),
        f"regressions  {regression_line(comparison)}",
        *(f"note         {on_one_line(note)}" for note in comparison.notes),
    ]
    for title, standings in _SECTIONS:
        lines += _section(title, comparison.items_with(*standings), most)
    return "\n".join(lines) + "\n"


def _section(title: str, items: Sequence[QuestionPair], most: int) -> list[str]:
    if not items:
        return []
    listed = items[:most] if most else items
    names = [cut(on_one_line(item.id), LONGEST_ID) for item in listed]
    width = max(display_width(name) for name in names)
    lines = ["", f"{title} ({len(items)})"]
    for name, item in zip(names, listed, strict=True):
        padding = " " * (width - display_width(name))
        question = cut(on_one_line(item.question), LONGEST_QUESTION)
        lines.append(f"  {name}{padding}  {change_line(item)}  {question}".rstrip())
    if len(items) > len(listed):
        lines.append(f"  … {len(items) - len(listed)} more; --changes 0 lists all")
    return lines
