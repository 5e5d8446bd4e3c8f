"""A baseline for the gate without texts: scores, ids and hashes of a run, which can go into git."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from assay.data.jsonl import UNREADABLE
from assay.errors import UseError
from assay.gate.results_file import contains_results
from assay.runs.asking_order import copy_order
from assay.runs.plan_file import copy_plan
from assay.runs.read import last_row_fields
from assay.runs.summary import read_summary, write_atomically, write_summary
from assay.runs.write import encode_row, order_path, plan_path, summary_path

_KEPT: Final = frozenset(
    {
        "id", "key", "config", "job", "status", "state", "fingerprint", "scored_against", "ts",
        "error_kind", "lost", "source", "verifier",
    }
)  # fmt: skip
"""Texts that identify a result or say how it ended; no other text of a result is kept."""
_LEFT_OUT: Final = frozenset({"passages", "matches", "stages", "evaluation", "settings"})
"""Fields that the gate does not read and that would make the file long."""
_KEPT_ENDINGS: Final = ("_id", "_ids", "_sha256", "_hash", "_version")


def write_baseline(results: Path, out: Path) -> list[Path]:
    """Write what the gate needs of ``results`` to ``out``; return the files.

    A results file stays one file. The rows of a run are written with their summary and plan.

    Raises ``UseError`` if the results cannot be read, or if ``out`` has another suffix.
    """
    if out.suffix != results.suffix:
        raise UseError(f"{out}: the baseline of {results.name} must end with {results.suffix}")
    if out.resolve() == results.resolve():
        raise UseError(f"{out}: would overwrite the results; name another file")
    _refuse_companions(out)
    out.parent.mkdir(parents=True, exist_ok=True)
    if results.suffix == ".jsonl":
        return _write_rows(results, out)
    try:
        content = msgspec.json.decode(results.read_bytes())
    except UNREADABLE as error:
        raise UseError(f"{results}: not JSON: {error}") from None
    if not contains_results(content):
        journal = results.with_suffix(".jsonl")
        if not journal.is_file():
            raise UseError(f"{results}: has no results, and no rows are beside it")
        return _write_rows(journal, out.with_suffix(".jsonl"))
    data = msgspec.json.encode(without_texts(content))
    write_atomically(out, msgspec.json.format(data, indent=1) + b"\n")
    return [out]


def is_baseline(path: Path) -> bool:
    """Whether a file is a baseline as ``write_baseline`` writes it: results without texts."""
    try:
        if path.suffix == ".jsonl":
            rows = list(map(msgspec.json.decode, path.read_bytes().splitlines()))
            has_rows = all(isinstance(row, dict) and "fingerprint" in row for row in rows)
            return has_rows and all(without_texts(row) == row for row in rows)
        content = msgspec.json.decode(path.read_bytes())
    except (OSError, *UNREADABLE):
        return False
    return contains_results(content) and bool(without_texts(content) == content)


def _refuse_companions(out: Path) -> None:
    """Raise ``UseError`` if the summary of a new baseline would replace a file that is not its."""
    summary = summary_path(out)
    if out.suffix == ".jsonl" and not out.exists() and summary.exists():
        raise UseError(
            f"{summary}: exists, and the summary of {out.name} would replace it; name another file"
        )


def _write_rows(journal: Path, out: Path) -> list[Path]:
    rows = last_row_fields(journal)
    write_atomically(out, b"".join(encode_row(without_texts(row)) + b"\n" for row in rows.values()))
    summary = read_summary(summary_path(journal))
    if summary is None:
        return [out]
    write_summary(summary_path(out), summary)
    copy_plan(journal, out)
    copy_order(journal, out)
    copied = [of(out) for of in (plan_path, order_path) if of(journal).exists()]
    return [out, summary_path(out), *copied]


def without_texts(value: Any, name: str = "") -> Any:
    """The value with numbers, ids, hashes and states only; ``None`` in place of other texts.

    >>> without_texts({"id": "q1", "answer": "42 days", "metrics": {"score": 0.5, "note": "long"}})
    {'id': 'q1', 'metrics': {'score': 0.5}}
    """
    if isinstance(value, Mapping):
        kept = {str(key): without_texts(item, str(key)) for key, item in value.items()}
        return {
            key: item
            for key, item in kept.items()
            if key not in _LEFT_OUT and (item is not None or value[key] is None)
        }
    if isinstance(value, list):
        items = [without_texts(item, name) for item in value]
        kept_items = [item for item in items if item is not None]
        return kept_items if kept_items or not value else None
    if isinstance(value, str):
        return value if name in _KEPT or name.endswith(_KEPT_ENDINGS) else None
    return value
