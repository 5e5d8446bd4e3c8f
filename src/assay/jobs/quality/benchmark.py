"""Several documents as one benchmark: a score for each, and a weighted score for all."""

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
    """One data set of a benchmark: its configuration and its data."""

    config: DatasetConfig
    data: QualityData


def read_parts(document: Document[BenchmarkConfig], workspace: Workspace) -> list[Part]:
    """Read every PDF and question file, and report the problems of all of them at once."""
    parts, problems = [], []
    for index, config in enumerate(document.value.datasets):
        try:
            pdf = _find_file(document, index, "pdf", config.pdf, workspace)
            questions = _find_file(document, index, "questions", config.questions, workspace)
            parts.append(Part(config=config, data=read_quality_data(pdf, questions, workspace)))
        except AssayError as error:
            problems.append(str(error))
    if problems:
        raise DatasetError(*problems)
    return parts


def _find_file(
    document: Document[BenchmarkConfig], index: int, key: str, path: str, workspace: Workspace
) -> Path:
    """Find a file relative to the workspace or, if it is not there, to the configuration."""
    where = document.where("datasets", index, key)
    beside = document.path.parent.resolve() / path
    if not (workspace.root / path).is_file() and beside.is_file():
        path = str(beside)
    resolved = workspace.resolve(path, where)
    if not resolved.is_file():
        raise DatasetError(f"{where}: {key}: there is no file {resolved}")
    return _short_path(resolved)


def _short_path(path: Path) -> Path:
    """The path relative to the working directory if it is below it, otherwise unchanged."""
    current = Path.cwd()
    return path.relative_to(current) if path.is_relative_to(current) else path


def combine_parts(
    document: Document[BenchmarkConfig], parts: Sequence[Part], outcomes: Mapping[str, Any]
) -> dict[str, Any]:
    """The ``summary`` of the benchmark, and the ``summary`` and ``results`` of each data set.

    ``weighted_score`` is the mean over the data sets by their weights,
    ``question_weighted_score`` the mean over all questions by theirs. A data set without a
    score is left out of both; the state is then ``partial``.
    """
    config = document.value
    weights = {part.config.id: part.config.weight for part in parts}
    summaries = {name: outcome["summary"] for name, outcome in outcomes.items()}
    scores = [
        (summary["weighted_score"], weights[name])
        for name, summary in summaries.items()
        if summary["weighted_score"] is not None
    ]
    question_scores = [
        (entry["metrics"]["score"], entry["weight"])
        for outcome in outcomes.values()
        for entry in outcome["results"]
        if entry["status"] == "scored"
    ]
    complete = len(outcomes) == len(parts) and all(
        summary["state"] == "complete" for summary in summaries.values()
    )
    return {
        "summary": {
            "name": config.name,
            "state": "complete" if complete else "partial",
            "weighted_score": weighted_score(scores),
            "question_weighted_score": weighted_score(question_scores),
            **_runs_field(summaries, weights),
            "counts": _counts(summaries.values()),
            "pdf_sha256": _joint_hash({p.config.id: p.data.source.sha256 for p in parts}),
            "questions_sha256": _joint_hash(
                {part.config.id: part.data.questions_sha256 for part in parts}
            ),
            "config": document.path.as_posix(),
            "datasets": {
                part.config.id: _dataset_summary(part, summaries.get(part.config.id))
                for part in parts
            },
        },
        "datasets": dict(outcomes),
    }


def _dataset_summary(part: Part, summary: Mapping[str, Any] | None) -> dict[str, Any]:
    """A short summary of a data set; without a ``summary`` it was not run and has no score."""
    return {
        "kind": part.config.kind,
        "weight": part.config.weight,
        "state": summary["state"] if summary else "not run",
        "weighted_score": summary["weighted_score"] if summary else None,
        "questions": len(part.data.questions),
    }


def _runs_field(
    summaries: Mapping[str, Mapping[str, Any]], weights: Mapping[str, float]
) -> dict[str, Any]:
    """The field ``runs`` with mean and spread; nothing if no data set has repeated runs."""
    repeated = {
        name: summary["runs"]["weighted_scores"]
        for name, summary in summaries.items()
        if "runs" in summary
    }
    if not repeated:
        return {}
    count = max(map(len, repeated.values()))
    run_scores = [
        weighted_score(
            (scores[number], weights[name])
            for name, scores in repeated.items()
            if scores[number] is not None
        )
        for number in range(count)
    ]
    return {"runs": over_runs(run_scores)}


def _counts(summaries: Any) -> dict[str, int]:
    total: dict[str, int] = {}
    for summary in summaries:
        for name, count in summary["counts"].items():
            total[name] = total.get(name, 0) + count
    return total


def _joint_hash(hashes: Mapping[str, str]) -> str:
    """One hash of the hashes of all data sets; it does not depend on their order."""
    lines = "".join(f"{name} {value}\n" for name, value in sorted(hashes.items()))
    return hashlib.sha256(lines.encode()).hexdigest()
