"""The comparison as JSON, for programs to read."""

from typing import Any

import msgspec

from assay.jobs.compare.compared_run import ComparedRun
from assay.jobs.compare.gate import Comparison
from assay.jobs.compare.pair import QuestionPair
from assay.records import SCHEMA_VERSION


def as_json(found: Comparison) -> str:
    """Everything but the questions that stayed the same, which are only counted."""
    changed = found.standing("worse", "missing", "better")
    content = {
        "schema_version": SCHEMA_VERSION,
        "verdict": "passed" if found.passed else "failed",
        "reasons": found.faults,
        "metric": found.metric,
        "delta": found.delta,
        "gain": found.gain,
        "limits": found.limits,
        "base": _side(found.base, found.base_value, found.base_weighted),
        "candidate": _side(found.cand, found.cand_value, found.cand_weighted),
        "effect": found.effect,
        "regressions": found.regressions,
        "same": len(found.standing("same")),
        "changed": [_told(item) for item in changed if item.standing != "missing"],
        "missing": [_told(item) for item in changed if item.standing == "missing"],
        "not_compared": [_told(item) for item in found.standing("not compared")],
        "added": [_told(item) for item in found.standing("added")],
        "notes": found.notes,
    }
    return _formatted(content)


def invalid_json(reason: str) -> str:
    """What a program reads where there was nothing to compare."""
    return _formatted(
        {
            "schema_version": SCHEMA_VERSION,
            "verdict": "invalid",
            "reasons": reason.splitlines(),
        }
    )


def _side(side: ComparedRun, value: float, weighted: float | None) -> dict[str, Any]:
    statuses = [trial.status for trial in side.items.values()]
    return {
        "path": str(side.path),
        "job": side.job,
        "variant": side.variant,
        "state": side.state,
        "value": value,
        "weighted_score": weighted,
        "questions": len(statuses),
        "scored": statuses.count("scored"),
        "skipped": statuses.count("skipped"),
        "failed_cases": side.failed,
        "hashes": side.hashes,
    }


def _told(item: QuestionPair) -> dict[str, Any]:
    facts = msgspec.structs.asdict(item)
    return {name: value for name, value in facts.items() if value not in {None, ""}}


def _formatted(content: Any) -> str:
    return msgspec.json.format(msgspec.json.encode(content), indent=2).decode() + "\n"
