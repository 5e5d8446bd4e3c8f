"""Scoring the answers of a results file again, by the current rules.

What an answer must and must not say is taken from a question file, if there is one; else from the
entry itself, which has either the keys of a question or the recorded matches.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from assay.data.quality import QualityQuestion
from assay.errors import UseError
from assay.scorers.quality import Expectation, score_answer

_PHRASES: Final = ("must_include", "must_not_include")
_GROUPS: Final = "must_include_any"
_PAGE_METRICS: Final = ("citation_page_exists", "citation_supported")


def rescored(
    path: Path, content: Mapping[str, Any], questions: Mapping[str, QualityQuestion] | None
) -> dict[str, Any]:
    """The content of a results file with the scores that its answers get today.

    Raises:
        UseError: the file does not say what an answer must include.
    """
    result = dict(content)
    if isinstance(content.get("results"), list):
        result["results"] = [_entry(path, entry, questions) for entry in content["results"]]
    for name in ("datasets", "runs"):
        parts = content.get(name)
        if isinstance(parts, dict):
            result[name] = {key: _part(path, part, questions) for key, part in parts.items()}
        elif isinstance(parts, list):
            result[name] = [_part(path, part, questions) for part in parts]
    return result


def _part(path: Path, part: Any, questions: Mapping[str, QualityQuestion] | None) -> Any:
    if isinstance(part, list):
        return [_entry(path, entry, questions) for entry in part]
    return rescored(path, part, questions) if isinstance(part, dict) else part


def _entry(path: Path, entry: Any, questions: Mapping[str, QualityQuestion] | None) -> Any:
    if not isinstance(entry, dict) or entry.get("error") or entry.get("answer") is None:
        return entry
    expected = _expectation(path, entry, questions)
    runs = entry.get("runs")
    if isinstance(runs, list) and runs:
        rescored_runs = [_with_scores(run, entry, expected) for run in runs]
        scored = [run["metrics"] for run in rescored_runs if isinstance(run.get("metrics"), dict)]
        names = scored[0] if scored else {}
        means = {name: _mean([metrics.get(name) for metrics in scored]) for name in names}
        return {**entry, "metrics": means, "runs": rescored_runs}
    return _with_scores(entry, entry, expected)


def _with_scores(
    answered: Mapping[str, Any], entry: Mapping[str, Any], expected: Expectation
) -> dict[str, Any]:
    if answered.get("answer") is None or answered.get("status", "scored") != "scored":
        return dict(answered)
    question = str(entry.get("question") or "")
    metrics = score_answer(expected, question, str(answered["answer"]), None)["metrics"]
    recorded = answered.get("metrics")
    kept = recorded if isinstance(recorded, dict) else {}
    metrics |= {name: kept.get(name) for name in _PAGE_METRICS}
    # a score at the top level of an entry is the recorded one
    others = {name: value for name, value in answered.items() if name not in metrics}
    return {**others, "metrics": {**kept, **metrics}}


def _mean(values: Sequence[Any]) -> float | None:
    defined = [float(value) for value in values if isinstance(value, bool | int | float)]
    return fmean(defined) if defined else None


def _expectation(
    path: Path, entry: Mapping[str, Any], questions: Mapping[str, QualityQuestion] | None
) -> Expectation:
    question_id = str(entry.get("id", entry.get("question_id")))
    if questions is not None:
        if question_id not in questions:
            raise UseError(f"{path}: {question_id}: is not in the file of --questions")
        return questions[question_id].expected
    if any(name in entry for name in (*_PHRASES, _GROUPS)):
        groups = entry.get(_GROUPS) or ()
        return Expectation(
            must_include=tuple(entry.get("must_include") or ()),
            must_include_any=tuple(
                (group,) if isinstance(group, str) else tuple(group) for group in groups
            ),
            must_not_include=tuple(entry.get("must_not_include") or ()),
            require_citation=bool(entry.get("require_citation")),
        )
    matches = entry.get("matches") or _matches_of_runs(entry)
    if not isinstance(matches, list):
        raise UseError(
            f"{path}: {question_id}: the file does not say what the answer must include; "
            "name the questions with --questions"
        )
    wanted: dict[str, list[list[str]]] = {}
    for match in matches:
        wanted.setdefault(match["rule"], []).append(match["wanted"])
    metrics = entry.get("metrics") or {}
    return Expectation(
        must_include=tuple(group[0] for group in wanted.get("must_include", ())),
        must_include_any=tuple(tuple(group) for group in wanted.get(_GROUPS, ())),
        must_not_include=tuple(group[0] for group in wanted.get("must_not_include", ())),
        require_citation=metrics.get("citation_ok") is not None,
    )


def _matches_of_runs(entry: Mapping[str, Any]) -> Any:
    runs = entry.get("runs")
    if not isinstance(runs, list):
        return entry.get("matches")
    return next((run.get("matches") for run in runs if isinstance(run, dict)), None)
