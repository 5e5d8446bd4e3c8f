"""The comparison as JSON, for other programs."""

from typing import Any, Final

import msgspec

from assay.jobs.compare.compared_run import ComparedRun
from assay.jobs.compare.gate import Comparison
from assay.jobs.compare.pair import QuestionPair
from assay.records import OUTPUT_VERSION

_METRIC_FIELDS: Final = ("name", "field", "title", "kind", "better", "unit")


def as_json(comparison: Comparison) -> str:
    """The comparison as JSON; questions that stayed the same are counted but not listed."""
    changed = comparison.items_with("worse", "missing", "better")
    content: dict[str, Any] = {
        "schema_version": OUTPUT_VERSION,
        "verdict": "passed" if comparison.passed else "failed",
        "reasons": comparison.faults,
        "metric": {name: getattr(comparison.metric, name) for name in _METRIC_FIELDS},
        "delta": comparison.delta,
        "gain": comparison.gain,
        "limits": comparison.limits,
        "base": _run_fields(comparison.base, comparison.base_value, comparison.base_weighted),
        "candidate": _run_fields(comparison.cand, comparison.cand_value, comparison.cand_weighted),
        "effect": comparison.effect,
        "regressions": comparison.regressions,
        "same": len(comparison.items_with("same")),
        "changed": [_item_fields(item) for item in changed if item.standing != "missing"],
        "missing": [_item_fields(item) for item in changed if item.standing == "missing"],
        "not_compared": [_item_fields(item) for item in comparison.items_with("not compared")],
        "added": [_item_fields(item) for item in comparison.items_with("added")],
        "notes": comparison.notes,
        "warnings": comparison.warnings,
        "contrary": comparison.contrary,
    }
    if comparison.unsure is not None:
        content["unsure"] = comparison.unsure
    if comparison.correction is not None:
        content["correction"] = comparison.correction
    return _to_json(content)


def invalid_json(reason: str) -> str:
    """The JSON for runs that cannot be compared."""
    return _to_json(
        {
            "schema_version": OUTPUT_VERSION,
            "verdict": "invalid",
            "reasons": reason.splitlines(),
        }
    )


def _run_fields(run: ComparedRun, value: float, weighted: float | None) -> dict[str, Any]:
    statuses = [case.status for case in run.items.values()]
    return {
        "path": str(run.path),
        "job": run.job,
        "variant": run.variant,
        "state": run.state,
        "value": value,
        "weighted_score": weighted,
        "questions": len(statuses),
        "scored": statuses.count("scored"),
        "answered_cases": run.answered,
        "skipped": statuses.count("skipped"),
        "failed_cases": run.failed,
        "hashes": run.hashes,
    }


def _item_fields(item: QuestionPair) -> dict[str, Any]:
    fields = msgspec.structs.asdict(item)
    return {name: value for name, value in fields.items() if value not in {None, ""}}


def _to_json(content: Any) -> str:
    return msgspec.json.format(msgspec.json.encode(content), indent=2).decode() + "\n"
