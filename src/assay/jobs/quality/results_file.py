"""The results file of a quality run: ``summary`` and ``results``, made from the journal.

``NAME.json`` is for people and for ``assay compare``; the journal ``NAME.rows.jsonl`` and its
own summary ``NAME.rows.json`` lie beside it, and everything in the file comes from them.
"""

import statistics
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from assay.errors import UseError
from assay.jobs.quality.handler import JOB
from assay.jobs.quality.preparation import VARIANT, QualityRun
from assay.journal import Summary, last_rows, set_aside, write_atomically
from assay.records import SCHEMA_VERSION
from assay.scorers.quality import METRICS, weighted_score

DEVIATION: Final = "sample (n - 1)"
AVERAGED: Final = tuple(
    metric.field.partition(".")[2] for metric in METRICS if metric.field.startswith("metrics.")
)
"""Metrics of a question whose means stand in the summary."""
_TOLD: Final = (
    "status", "answer", "metrics", "matches", "cited_pages", "unsupported", "passages",
    "elapsed_s", "finish_reason", "error", "error_kind", "reason",
)  # fmt: skip


def journal_path(out: Path, dataset: str | None = None) -> Path:
    """The journal that lies beside the results file ``out``.

    >>> journal_path(Path("runs/base.json")).name, journal_path(Path("b.json"), "report").name
    ('base.rows.jsonl', 'b.report.rows.jsonl')
    """
    stem = out.name.removesuffix(".json")
    return out.with_name(f"{stem}.{dataset}.rows.jsonl" if dataset else f"{stem}.rows.jsonl")


def check_out(out: Path) -> None:
    """Refuse to write over a file that is not a results file of this job."""
    if out.is_dir():
        raise UseError(f"--out {out}: is a folder; name a file in it, such as {out}/baseline.json")
    if out.suffix == ".jsonl":
        raise UseError(f"--out {out}: the results are one JSON object; name it .json")
    if not out.exists():
        return
    try:
        found = msgspec.json.decode(out.read_bytes())
    except (OSError, msgspec.DecodeError):
        found = None
    if not isinstance(found, dict) or found.get("job") != JOB:
        raise UseError(f"--out {out}: exists and is no results file of assay quality; name another")


def write_results(out: Path, content: Mapping[str, Any]) -> None:
    """Replace the results file atomically."""
    data = msgspec.json.encode({"job": JOB, "schema_version": SCHEMA_VERSION, **content})
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UseError(f"{out}: cannot be written: {error.strerror}") from None
    write_atomically(out, msgspec.json.format(data, indent=2) + b"\n")


def set_results_aside(out: Path) -> None:
    """Move an earlier results file out of the way (``--fresh``); nothing is deleted."""
    if out.exists():
        set_aside(out)


def results_content(quality: QualityRun, summary: Summary) -> dict[str, Any]:
    """``summary`` and ``results`` of one document, as far as its journal goes."""
    rows = last_rows(quality.run.journal)
    numbers = range(1, quality.options.runs + 1)
    entries = []
    run_scores: list[list[tuple[float, float]]] = [[] for _ in numbers]
    counts = {
        "scored": 0,
        "failed": 0,
        "skipped": 0,
        "not_asked": 0,
        "total": quality.run.plan.total,
    }
    for question in quality.questions:
        found = [rows.get(f"{question.id}::{VARIANT}::run={number}") for number in numbers]
        for number, row in enumerate(found):
            counts[row["status"] if row else "not_asked"] += 1
            if row and row["status"] == "scored":
                run_scores[number].append((row["metrics"]["score"], question.weight))
        told = [_told(row) for row in found if row]
        if told:
            head = {"id": question.id, "question": question.text, "weight": question.weight}
            entries.append({**head, **(told[0] if len(numbers) == 1 else _over_runs(told, found))})
    scored = [entry for entry in entries if entry["status"] == "scored"]
    by_run = [weighted_score(scores) for scores in run_scores]
    return {
        "summary": {
            "name": quality.name,
            "state": summary.state,
            "weighted_score": mean(by_run),
            **({"runs": over_runs(by_run)} if len(numbers) > 1 else {}),
            "means": means(scored),
            "counts": counts,
            **_facts(quality, summary),
        },
        "results": entries,
    }


def _facts(quality: QualityRun, summary: Summary) -> dict[str, Any]:
    """What was asked of what, by which versions."""
    data, header = quality.data, quality.run.header
    return {
        "questions_asked": len(quality.questions),
        "pdf": data.pdf_name,
        "pdf_sha256": data.source.sha256,
        "pages": len(data.source.pages),
        "questions": data.questions_name,
        "questions_sha256": data.questions_sha256,
        "system": quality.run.system.identity,
        "settings": quality.settings,
        "top_k": header.top_k,
        "limit": quality.options.limit,
        "journal": quality.run.journal.name,
        "started_at": summary.started_at,
        "completed_at": summary.completed_at,
        "versions": {"assay": summary.assay_version, "python": summary.python_version},
    }


def mean(values: Iterable[float | None]) -> float | None:
    """The mean of what is defined; ``None`` where nothing is.

    >>> mean([0.5, None, 1.0]), mean([None])
    (0.75, None)
    """
    defined = [value for value in values if value is not None]
    return statistics.fmean(defined) if defined else None


def over_runs(scores: Sequence[float | None]) -> dict[str, Any]:
    """Mean and spread of the weighted scores of repeated runs.

    >>> over_runs([0.5, 0.7])["standard_deviation_kind"]
    'sample (n - 1)'
    """
    defined = [score for score in scores if score is not None]
    return {
        "n": len(scores),
        "weighted_scores": list(scores),
        "mean": mean(scores),
        "standard_deviation": statistics.stdev(defined) if len(defined) > 1 else None,
        "standard_deviation_kind": DEVIATION,
    }


def means(entries: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Each metric's unweighted mean over scored questions, and over how many it is defined."""
    values = {name: [one["metrics"][name] for one in entries] for name in AVERAGED}
    values["elapsed_s"] = [one["elapsed_s"] for one in entries]
    return {
        name: {"mean": mean(found), "n": sum(one is not None for one in found)}
        for name, found in values.items()
    }


def _told(row: Mapping[str, Any]) -> dict[str, Any]:
    """What the results file tells of a row."""
    return {name: row[name] for name in _TOLD if name in row}


def _over_runs(told: Sequence[dict[str, Any]], rows: Sequence[Any]) -> dict[str, Any]:
    """One entry for a question asked several times: means of its runs, and each of them."""
    scored = [one for one in told if one["status"] == "scored"]
    numbered = [
        {"run": number, **_told(row)} for number, row in enumerate(rows, 1) if row is not None
    ]
    if not scored:
        return {**told[0], "runs": numbered}
    return {
        "status": "scored",
        "answer": scored[0]["answer"],
        "metrics": {
            name: mean(one["metrics"][name] for one in scored) for name in scored[0]["metrics"]
        },
        "elapsed_s": mean(one["elapsed_s"] for one in scored),
        "runs": numbered,
    }
