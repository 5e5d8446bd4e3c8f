"""A benchmark's outcome as one dictionary: overall, by type, category, difficulty and question."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import fsum
from typing import Any, Final, TypeAlias

Row: TypeAlias = Mapping[str, Any]

UNSPECIFIED: Final = "unspecified"
"""The group of questions that name no category or difficulty."""
DIFFICULTIES: Final = ("easy", "medium", "hard")
_GROUPS: Final[Mapping[str, str]] = {
    "by_type": "question_type",
    "by_category": "category",
    "by_difficulty": "difficulty",
    "by_document": "source",
}
_TOLD: Final = (
    "score", "passed", "terms", "why", "missing", "invented", "faults", "answer", "citations",
)  # fmt: skip


def bench_summary(rows: Sequence[Row], *, total: int | None = None) -> dict[str, Any]:
    """What the rows of one variant come to; ``total`` is how many questions there were to ask.

    ``overall_percentage`` is 100 times the mean score of the questions that were scored, each
    counting the same; ``macro_percentage`` the mean of the types' percentages. Both are
    ``None`` where nothing was scored. A question that failed is no zero in them; in
    ``percentage_if_failed_are_zero`` it is.
    """
    asked = len(rows) if total is None else total
    whole = group_summary(rows)
    scored, failed = whole["scored"], whole["failed"]
    counted = scored + failed
    by_type = grouped(rows, "question_type")
    macro = [one["percentage"] for one in by_type.values() if one["percentage"] is not None]
    return {
        "overall_percentage": whole["percentage"],
        "macro_percentage": _mean(macro),
        "percentage_if_failed_are_zero": (
            _rounded(100 * fsum(_scores(rows)) / counted) if counted else None
        ),
        "severity_total": _rounded(fsum(_terms(rows, "severity"))),
        "counts": {
            "questions": asked,
            "scored": scored,
            "failed": failed,
            "skipped": whole["skipped"],
            "not_asked": asked - len(rows),
            "passed": whole["passed"],
        },
        **{name: grouped(rows, field) for name, field in _GROUPS.items()},
        "questions": [question_summary(row) for row in rows],
    }


def grouped(rows: Sequence[Row], field: str) -> dict[str, dict[str, Any]]:
    """The summary of each group that the values of ``field`` make, in a fixed order."""
    names = {row.get(field) or UNSPECIFIED for row in rows}
    known = DIFFICULTIES if field == "difficulty" else ()
    ordered = sorted(names, key=_order(known))
    return {
        name: group_summary([row for row in rows if (row.get(field) or UNSPECIFIED) == name])
        for name in ordered
    }


def group_summary(rows: Sequence[Row]) -> dict[str, Any]:
    """Percentage, counts and the means of the terms, each with the number it is over.

    >>> rows = [{"status": "scored", "score": 0.7, "terms": {"exact_match": True}},
    ...         {"status": "failed"}]
    >>> found = group_summary(rows)
    >>> found["percentage"], found["scored"], found["failed"], found["terms"]
    (70.0, 1, 1, {'exact_match': {'mean': 1.0, 'n': 1}})
    """
    scores = _scores(rows)
    names = dict.fromkeys(name for row in rows for name in row.get("terms") or ())
    means = {name: _terms(rows, name) for name in names}
    return {
        "percentage": _rounded(100 * fsum(scores) / len(scores)) if scores else None,
        "scored": len(scores),
        "failed": sum(row["status"] == "failed" for row in rows),
        "skipped": sum(row["status"] == "skipped" for row in rows),
        "passed": sum(bool(row.get("passed")) for row in rows),
        "terms": {
            name: {"mean": _mean(values), "n": len(values)} for name, values in means.items()
        },
    }


def question_summary(row: Row) -> dict[str, Any]:
    """One question: how it ended, and what the answer scored and why, or the error."""
    told: dict[str, Any] = {
        "id": row["question_id"],
        "type": row["question_type"],
        "category": row.get("category"),
        "difficulty": row.get("difficulty"),
        "file": row["file"],
        "document": row["source"],
        "question": row["question"],
        "status": row["status"],
    }
    if row["status"] == "scored":
        told |= {name: row.get(name) for name in _TOLD}
        told["min_score"] = row.get("min_score")
        told["elapsed_s"] = row.get("elapsed_s")
    else:
        told |= {"score": None, "error": row.get("error") or row.get("reason")}
    return told


def shortcomings(question: Mapping[str, Any]) -> list[str]:
    """Why a question's score is not higher, a short line each.

    >>> shortcomings({"faults": ["nothing is cited"], "missing": [], "invented": [{"text": "£9"}]})
    ['nothing is cited', 'invented £9']
    """
    return [
        *question["faults"],
        *(f"missing {one}" for one in question["missing"]),
        *(f"invented {one['text']}" for one in question["invented"]),
    ]


def _order(known: Iterable[str]) -> Callable[[str], tuple[int, str]]:
    places = {name: place for place, name in enumerate(known)}
    return lambda name: (places.get(name, len(places) + (name == UNSPECIFIED)), name)


def _scores(rows: Sequence[Row]) -> list[float]:
    return [row["score"] for row in rows if row["status"] == "scored"]


def _terms(rows: Sequence[Row], name: str) -> list[float]:
    """The defined values of a term."""
    values = [(row.get("terms") or {}).get(name) for row in rows if row["status"] == "scored"]
    return [float(value) for value in values if value is not None]


def _mean(values: Sequence[float]) -> float | None:
    return _rounded(fsum(values) / len(values)) if values else None


def _rounded(value: float) -> float:
    """Without the dust of binary fractions: 0.1 + 0.2 is 0.3."""
    return round(value, 10)
