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
    metric_line,
    number_text,
    plain_interval_line,
    regression_line,
    run_counts,
    run_label,
    unsure_line,
)
from assay.report.table import on_one_line
from assay.report.words import said, value_word
from assay.text import display_width, padded
from assay.words import language, say

LONGEST_ID = 40
WIDTH = 13
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
    unit = ""
    if metric.unit:
        unit = say(", in {unit}", unit=value_word("unit", metric.unit, language()))
    lines = [
        headline(comparison),
        *(label_line("warning", said(line, language())) for line in comparison.warnings),
        label_line("base", f"{run_label(comparison.base)}: {run_counts(comparison.base)}"),
        label_line("candidate", f"{run_label(comparison.cand)}: {run_counts(comparison.cand)}"),
        label_line("metric", metric_line(comparison, f"{direction(metric)}{unit}")),
    ]
    if comparison.base_weighted is not None:
        weighted = _change(comparison.base_weighted, comparison.cand_weighted)
        lines.append(
            label_line("weighted", f"{weighted}  {number_text(comparison.delta, signed=True)}")
        )
    values = _change(comparison.base_value, comparison.cand_value)
    lines += [
        padded(mean_name(metric), WIDTH) + values,
        label_line("pairs", str(comparison.effect.n)),
        label_line("difference", difference_line(comparison)),
        *([label_line("plain", plain)] if (plain := plain_interval_line(comparison)) else []),
        *([label_line("unsure", line)] if (line := unsure_line(comparison)) else []),
        *([label_line("corrected", line)] if (line := correction_line(comparison)) else []),
        label_line("regressions", regression_line(comparison)),
        *(label_line("note", on_one_line(said(note, language()))) for note in comparison.notes),
    ]
    for title, standings in _SECTIONS:
        lines += _section(say(title), comparison.items_with(*standings), most)
    return "\n".join(lines) + "\n"


def label_line(label: str, text: str) -> str:
    """A line of the report; ``label`` is an English word of the catalogue.

    >>> label_line("pairs", "8")
    'pairs        8'
    """
    return padded(say(label), WIDTH) + text


def _change(before: float | None, after: float | None) -> str:
    return f"{number_text(before)} → {number_text(after)}"


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
        more = say("… {n} more; --changes 0 lists all", n=len(items) - len(listed))
        lines.append(f"  {more}")
    return lines
