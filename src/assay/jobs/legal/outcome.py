"""The lines that show the results of a benchmark: percentages, and the lowest scores."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from assay.jobs.description import counts_line
from assay.report.words import retold
from assay.text import padded, visible_line
from assay.words import language, say

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
        reason = " ".join("; ".join(_shortcomings(question)).split())
        if len(reason) > LONGEST_REASON:
            reason = f"{reason[: LONGEST_REASON - 1]}…"
        yield f"  {visible_line(question['id'])}  {question['score']:.2f}  {reason}"
    if len(short) > LOWEST:
        more = say("and {n} more; the rows have all of them", n=len(short) - LOWEST)
        yield f"  {more}"


def _shortcomings(question: Mapping[str, Any]) -> list[str]:
    """The reasons why a question does not have the full score, in the language in use.

    >>> _shortcomings({"faults": ["nothing is cited"], "missing": [], "invented": [{"text": "£9"}]})
    ['nothing is cited', 'invented £9']
    """
    lang = language()
    return [
        *(retold("fault", fault, lang) for fault in question["faults"]),
        *(say("missing {text}", text=retold("fault", item, lang)) for item in question["missing"]),
        *(say("invented {text}", text=detail["text"]) for detail in question["invented"]),
    ]


def _percentage(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f} %"
