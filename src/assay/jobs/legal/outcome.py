"""The lines that show the results of a benchmark: percentages, and the lowest scores."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from assay.jobs.description import counts_line
from assay.jobs.legal.summary import shortcomings
from assay.text import padded, visible_line
from assay.words import say

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
    yield padded(say("overall"), 14) + _percentage(summary["overall_percentage"])
    for question_type, group in summary["by_type"].items():
        score = _percentage(group["percentage"])
        of_all = say("{score} of {n} {n:question|questions}", score=score, n=group["scored"])
        yield f"  {question_type:<12}  {of_all}"
    yield padded(say("questions"), 14) + counts_line(counts)
    if counts["failed"]:
        lower = _percentage(summary["percentage_if_failed_are_zero"])
        yield " " * 14 + say("{score} if each failed question counted as zero", score=lower)
    short = [
        question
        for question in summary["questions"]
        if question["score"] is not None and question["score"] < 1
    ]
    if not short:
        return
    short.sort(key=lambda question: question["score"])
    yield ""
    yield say("answers that fell short, lowest first:")
    for question in short[:LOWEST]:
        reason = " ".join("; ".join(shortcomings(question)).split())
        if len(reason) > LONGEST_REASON:
            reason = f"{reason[: LONGEST_REASON - 1]}…"
        yield f"  {visible_line(question['id'])}  {question['score']:.2f}  {reason}"
    if len(short) > LOWEST:
        more = say("and {n} more; the rows have all of them", n=len(short) - LOWEST)
        yield f"  {more}"


def _percentage(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f} %"
