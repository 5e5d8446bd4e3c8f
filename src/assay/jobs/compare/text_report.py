"""The comparison for a terminal or a log."""

from collections.abc import Sequence

from assay.jobs.compare.gate import Comparison
from assay.jobs.compare.pair import QuestionPair
from assay.jobs.compare.wording import (
    change_line,
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
from assay.report.table import display_width, on_one_line

LONGEST_ID = 40
LONGEST_QUESTION = 70
_SECTIONS = (
    ("changed, worst first", ("worse", "better")),
    ("without a value in the candidate", ("missing",)),
    ("not compared", ("not compared",)),
    ("only in the candidate", ("added",)),
)


def as_text(found: Comparison, *, most: int = 20) -> str:
    """What happened, in lines: the verdict first, then figures, then the questions."""
    metric = found.metric
    unit = f", in {metric.unit}" if metric.unit else ""
    lines = [
        headline(found),
        f"base         {run_label(found.base)}: {run_counts(found.base)}",
        f"candidate    {run_label(found.cand)}: {run_counts(found.cand)}",
        f"metric       {metric.name} ({direction(metric)}{unit})",
    ]
    if found.base_weighted is not None:
        lines.append(
            f"weighted     {number_text(found.base_weighted)} → {number_text(found.cand_weighted)}  "
            f"{number_text(found.delta, signed=True)}"
        )
    lines += [
        f"{mean_name(metric):<12} {number_text(found.base_value)} → {number_text(found.cand_value)}",
        f"pairs        {found.effect.n}",
        f"difference   {difference_line(found)}",
        f"regressions  {regression_line(found)}",
        *(f"note         {on_one_line(note)}" for note in found.notes),
    ]
    for title, standings in _SECTIONS:
        lines += _section(title, found.standing(*standings), most)
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
