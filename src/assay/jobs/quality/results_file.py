"""The results file of a quality run with ``summary`` and ``results``, built from the journal.

``NAME.json`` is for people and for ``assay compare``. Its content comes from the journal
``NAME.rows.jsonl`` and the summary ``NAME.rows.json`` in the same folder.
"""

import statistics
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import UNSET

from assay.data.jsonl import UNREADABLE
from assay.errors import UseError
from assay.jobs.quality.handler import JOB
from assay.jobs.quality.preparation import VARIANT, QualityRun
from assay.jobs.quality.score import weighted_score
from assay.jobs.quality.spec import METRICS, ReportRow
from assay.records import OUTPUT_VERSION
from assay.runs.summary import Summary, set_aside, write_atomically

DEVIATION: Final = "sample (n - 1)"
AVERAGED: Final = tuple(
    metric.field.partition(".")[2] for metric in METRICS if metric.field.startswith("metrics.")
)
"""Metrics of a question whose means are in the summary."""
_ENTRY_FIELDS: Final = (
    "status", "answer", "metrics", "scores", "matches", "cited_pages", "unsupported", "passages",
    "elapsed_s", "finish_reason", "scored_in_part", "error", "error_kind", "reason",
)  # fmt: skip


def journal_path(out: Path, dataset: str | None = None) -> Path:
    """The path of the journal, in the folder of the results file ``out``.

    >>> journal_path(Path("runs/base.json")).name, journal_path(Path("b.json"), "report").name
    ('base.rows.jsonl', 'b.report.rows.jsonl')
    """
    stem = out.name.removesuffix(".json")
    return out.with_name(f"{stem}.{dataset}.rows.jsonl" if dataset else f"{stem}.rows.jsonl")


def check_out(out: Path) -> None:
    """Raise ``UseError`` if ``out`` would overwrite something that is not a results file."""
    if out.is_dir():
        raise UseError(
            f"--out {out}: is a folder; name a file in it, for example {out}/baseline.json"
        )
    if out.suffix == ".jsonl":
        raise UseError(f"--out {out}: the results are one JSON object; use the suffix .json")
    if not out.exists():
        return
    try:
        content = msgspec.json.decode(out.read_bytes())
    except (OSError, *UNREADABLE):
        content = None
    if not isinstance(content, dict) or content.get("job") != JOB:
        raise UseError(
            f"--out {out}: exists and is not a results file of assay quality; name another file"
        )


def write_results(out: Path, content: Mapping[str, Any]) -> None:
    """Replace the results file atomically."""
    data = msgspec.json.encode({"job": JOB, "schema_version": OUTPUT_VERSION, **content})
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UseError(f"{out}: cannot be written: {error.strerror}") from None
    write_atomically(out, msgspec.json.format(data, indent=2) + b"\n")


def set_results_aside(out: Path) -> None:
    """Rename an earlier results file (for ``--resume fresh``); nothing is deleted."""
    if out.exists():
        set_aside(out)


def results_content(
    quality: QualityRun, summary: Summary, recorded: Mapping[str, ReportRow]
) -> dict[str, Any]:
    """The ``summary`` and the ``results`` of one document, from the recorded rows by key."""
    numbers = range(1, quality.options.runs + 1)
    entries = []
    run_scores: list[list[tuple[float, float]]] = [[] for _ in numbers]
    counts = dict.fromkeys(("scored", "answered", "failed", "skipped", "not_asked"), 0)
    for question in quality.questions:
        rows = [recorded.get(f"{question.id}::{VARIANT}::run={number}") for number in numbers]
        for scores, row in zip(run_scores, rows, strict=True):
            counts[row.status if row else "not_asked"] += 1
            if row and row.status == "scored" and (score := row.metric("score")) is not None:
                scores.append((score, question.weight))
        if any(rows):
            head = {"id": question.id, "question": question.text, "weight": question.weight}
            entries.append({**head, **_question_fields(rows)})
    scored = [entry for entry in entries if entry["status"] == "scored"]
    by_run = [weighted_score(scores) for scores in run_scores]
    return {
        "summary": {
            "name": quality.name,
            "state": summary.state,
            "weighted_score": mean(by_run),
            **({"runs": over_runs(by_run)} if len(numbers) > 1 else {}),
            "means": means(scored),
            "counts": {**counts, "total": quality.run.plan.total},
            **_facts(quality, summary),
        },
        "results": entries,
    }


def _facts(quality: QualityRun, summary: Summary) -> dict[str, Any]:
    """The fields of the summary that say what was asked, with which system and versions."""
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
        **({"exact_form": True} if quality.options.exact else {}),
        "journal": quality.run.journal.name,
        "started_at": summary.started_at,
        "completed_at": summary.completed_at,
        "versions": {"assay": summary.assay_version, "python": summary.python_version},
    }


def mean(values: Iterable[float | None]) -> float | None:
    """The mean of the values that are defined; ``None`` if none is.

    >>> mean([0.5, None, 1.0]), mean([None])
    (0.75, None)
    """
    defined = [value for value in values if value is not None]
    return statistics.fmean(defined) if defined else None


def over_runs(scores: Sequence[float | None]) -> dict[str, Any]:
    """The mean and the spread of the weighted scores of repeated runs.

    The standard deviation is ``None`` for fewer than two scores.

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
    """The unweighted mean of each metric over the scored questions, and how many define it.

    A metric is undefined for a row that was recorded before there was the metric.
    """
    columns = {name: [entry["metrics"].get(name) for entry in entries] for name in AVERAGED}
    columns["elapsed_s"] = [entry["elapsed_s"] for entry in entries]
    return {
        name: {"mean": mean(values), "n": sum(value is not None for value in values)}
        for name, values in columns.items()
    }


def _row_fields(row: ReportRow) -> dict[str, Any]:
    """The fields of a row that the results file contains."""
    values = ((name, getattr(row, name)) for name in _ENTRY_FIELDS)
    return {name: value for name, value in values if value is not UNSET}


def _question_fields(rows: Sequence[ReportRow | None]) -> dict[str, Any]:
    """The fields of a question; ``rows`` are its runs, ``None`` for a run without a row.

    A question with several runs has the means of the scored ones, and the list of all runs.
    """
    recorded = [_row_fields(row) for row in rows if row]
    if len(rows) == 1:
        return recorded[0]
    runs = [
        {"run": number, **_row_fields(row)} for number, row in enumerate(rows, 1) if row is not None
    ]
    scored = [fields for fields in recorded if fields["status"] == "scored"]
    if not scored:
        return {**recorded[0], "runs": runs}
    return {
        "status": "scored",
        "answer": scored[0]["answer"],
        **{
            part: {
                name: mean(fields.get(part, {}).get(name) for fields in scored)
                for name in dict.fromkeys(
                    name for fields in scored for name in fields.get(part, ())
                )
            }
            for part in ("metrics", "scores")
            if any(part in fields for fields in scored)
        },
        "elapsed_s": mean(fields["elapsed_s"] for fields in scored),
        "runs": runs,
    }
