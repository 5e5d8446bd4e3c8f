"""The lines that show the results of a benchmark: percentages, and the lowest scores."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from assay.jobs.legal.summary import shortcomings
from assay.text import counted, visible_line

LOWEST: Final = 10
"""How many of the answers with less than the full score are listed."""
LONGEST_REASON: Final = 160
"""The most characters of a reason that are shown."""


def outcome_lines(summary: Mapping[str, Any]) -> list[str]:
    """The results of a benchmark as lines for a terminal."""
    return list(_lines(summary))


def _lines(summary: Mapping[str, Any]) -> Iterator[str]:
    counts = summary["counts"]
    yield ""
    yield f"overall       {_percentage(summary['overall_percentage'])}"
    for question_type, group in summary["by_type"].items():
        score = _percentage(group["percentage"])
        yield f"  {question_type:<12}  {score} of {counted(group['scored'], 'question')}"
    unjudged = f"{counts['answered']} not judged yet, " if counts["answered"] else ""
    yield (
        f"questions     {counts['scored']} scored, {unjudged}{counts['failed']} failed, "
        f"{counts['skipped']} skipped, {counts['not_asked']} not asked"
    )
    if counts["failed"]:
        lower = _percentage(summary["percentage_if_failed_are_zero"])
        yield f"              {lower} if each failed question counted as zero"
    short = [
        question
        for question in summary["questions"]
        if question["score"] is not None and question["score"] < 1
    ]
    if not short:
        return
    short.sort(key=lambda question: question["score"])
    yield ""
    yield "answers that fell short, lowest first:"
    for question in short[:LOWEST]:
        reason = " ".join("; ".join(shortcomings(question)).split())
        if len(reason) > LONGEST_REASON:
            reason = f"{reason[: LONGEST_REASON - 1]}…"
        yield f"  {visible_line(question['id'])}  {question['score']:.2f}  {reason}"
    if len(short) > LOWEST:
        yield f"  and {len(short) - LOWEST} more; the rows have all of them"


def _percentage(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f} %"
