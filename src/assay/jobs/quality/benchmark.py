"""Several documents measured as one: each by itself, then together by their weights."""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from assay.config import Document, Workspace
from assay.data.quality import BenchmarkConfig, DatasetConfig
from assay.errors import AssayError, DatasetError
from assay.jobs.quality.preparation import QualityData, read_quality_data
from assay.jobs.quality.results_file import over_runs
from assay.scorers.quality import weighted_score


class Part(Struct, frozen=True, kw_only=True):
    """One data set of a benchmark, read and in order."""

    config: DatasetConfig
    data: QualityData


def read_parts(document: Document[BenchmarkConfig], workspace: Workspace) -> list[Part]:
    """Read every PDF and question file, and report the problems of all of them at once."""
    parts, problems = [], []
    for place, config in enumerate(document.value.datasets):
        try:
            pdf = _located(document, place, "pdf", config.pdf, workspace)
            questions = _located(document, place, "questions", config.questions, workspace)
            parts.append(Part(config=config, data=read_quality_data(pdf, questions, workspace)))
        except AssayError as error:
            problems.append(str(error))
    if problems:
        raise DatasetError("\n".join(problems))
    return parts


def _located(
    document: Document[BenchmarkConfig], place: int, key: str, path: str, workspace: Workspace
) -> Path:
    """The file, below the workspace or, where it is not there, beside the configuration."""
    where = document.where("datasets", place, key)
    beside = document.path.parent.resolve() / path
    if not (workspace.root / path).is_file() and beside.is_file():
        path = str(beside)
    found = workspace.resolve(path, where)
    if not found.is_file():
        raise DatasetError(f"{where}: {key}: there is no {found}")
    return _short(found)


def _short(path: Path) -> Path:
    """The path as a person would write it: relative to where the command runs, if below it."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def combine_parts(
    document: Document[BenchmarkConfig], parts: Sequence[Part], outcomes: Mapping[str, Any]
) -> dict[str, Any]:
    """The benchmark's ``summary``, and each data set's own ``summary`` and ``results``.

    ``weighted_score`` weighs data sets by their ``weight``; ``question_weighted_score`` takes
    all questions together by theirs. A data set without a score is left out of both, and the
    state then says ``partial``.
    """
    config = document.value
    weights = {part.config.id: part.config.weight for part in parts}
    summaries = {name: outcome["summary"] for name, outcome in outcomes.items()}
    scores = [
        (one["weighted_score"], weights[name])
        for name, one in summaries.items()
        if one["weighted_score"] is not None
    ]
    asked = [
        (entry["metrics"]["score"], entry["weight"])
        for outcome in outcomes.values()
        for entry in outcome["results"]
        if entry["status"] == "scored"
    ]
    complete = len(outcomes) == len(parts) and all(
        one["state"] == "complete" for one in summaries.values()
    )
    return {
        "summary": {
            "name": config.name,
            "state": "complete" if complete else "partial",
            "weighted_score": weighted_score(scores),
            "question_weighted_score": weighted_score(asked),
            **_runs(summaries, weights),
            "counts": _counts(summaries.values()),
            "pdf_sha256": _joint_hash({p.config.id: p.data.source.sha256 for p in parts}),
            "questions_sha256": _joint_hash(
                {part.config.id: part.data.questions_sha256 for part in parts}
            ),
            "config": document.path.as_posix(),
            "datasets": {
                part.config.id: _line(part, summaries.get(part.config.id)) for part in parts
            },
        },
        "datasets": dict(outcomes),
    }


def _line(part: Part, summary: Mapping[str, Any] | None) -> dict[str, Any]:
    """A data set in brief; one that was not begun has no score."""
    return {
        "kind": part.config.kind,
        "weight": part.config.weight,
        "state": summary["state"] if summary else "not run",
        "weighted_score": summary["weighted_score"] if summary else None,
        "questions": len(part.data.questions),
    }


def _runs(
    summaries: Mapping[str, Mapping[str, Any]], weights: Mapping[str, float]
) -> dict[str, Any]:
    """Mean and spread over repeated runs, where there are any."""
    repeated = {
        name: one["runs"]["weighted_scores"] for name, one in summaries.items() if "runs" in one
    }
    if not repeated:
        return {}
    count = max(map(len, repeated.values()))
    scores = [
        weighted_score(
            (found[number], weights[name])
            for name, found in repeated.items()
            if found[number] is not None
        )
        for number in range(count)
    ]
    return {"runs": over_runs(scores)}


def _counts(summaries: Any) -> dict[str, int]:
    total: dict[str, int] = {}
    for summary in summaries:
        for name, count in summary["counts"].items():
            total[name] = total.get(name, 0) + count
    return total


def _joint_hash(hashes: Mapping[str, str]) -> str:
    """One hash for those of all data sets, whatever their order."""
    lines = "".join(f"{name} {value}\n" for name, value in sorted(hashes.items()))
    return hashlib.sha256(lines.encode()).hexdigest()
