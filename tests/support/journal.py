"""Journals for tests, with rows in the format of an ablation; every field can be replaced."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from assay.records import RunHeader, Variant
from assay.runs.summary import start_summary, write_summary


def row(item: str, variant: str, *, top_k: int = 10, **fields: Any) -> dict[str, Any]:
    """A scored row with the fields that every row has."""
    return {
        "key": f"{item}::{variant}::topk={top_k}",
        "question_id": item,
        "config": variant,
        "status": "scored",
        **fields,
    }


def judged(
    item: str, variant: str, coverage: float | None, *, elapsed_s: float = 1.0, **fields: Any
) -> dict[str, Any]:
    """A scored row of an ablation; ``coverage`` is ``None`` if the question has no gold."""
    hit = None if coverage is None else coverage > 0
    scores = {"cite_ok": True, "gold_coverage": coverage, "gold_hit_any": hit}
    texts = {"question": f"What of {item}?", "answer": f"{variant} on {item} [1]."}
    return row(item, variant, elapsed_s=elapsed_s, scores=scores, **{**texts, **fields})


def failed(item: str, variant: str, **fields: Any) -> dict[str, Any]:
    """A failed row; ``fields`` may add scores, to test that they are ignored."""
    return {**row(item, variant, **fields), "status": "failed", "error": "system: no"}


def skipped(item: str, variant: str, **fields: Any) -> dict[str, Any]:
    """A skipped row with the reason "none"."""
    return {**row(item, variant, **fields), "status": "skipped", "reason": "none"}


def spared(item: str, variant: str, **fields: Any) -> dict[str, Any]:
    """A row of a case that an early decision made unnecessary."""
    return {**row(item, variant, **fields), "status": "spared", "spared_by": "rule"}


def answered(item: str, variant: str, **fields: Any) -> dict[str, Any]:
    """A row whose answer is recorded but not judged yet."""
    return {**row(item, variant, answer="Thirty days.", **fields), "status": "answered"}


def write_rows(path: Path, rows: Iterable[Mapping[str, Any]], *, end: str = "") -> Path:
    """Write a journal with these rows and then ``end``, for example an incomplete line."""
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_text(text + end, encoding="utf-8")
    return path


def write_header(journal: Path, variants: Iterable[str], *, total: int = 0, **extra: Any) -> None:
    """Write the summary of an ablation that has just started, next to its journal."""
    header = RunHeader(
        job="ablation",
        name=journal.stem,
        system="s",
        variants=tuple(Variant(name=name) for name in variants),
        total=total,
        started_at="2024-01-01T00:00:00Z",
        extra=extra,
    )
    write_summary(journal.with_suffix(".json"), start_summary(header))
