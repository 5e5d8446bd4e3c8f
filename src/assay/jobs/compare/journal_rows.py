"""Read a journal: one variant of any job's run, an item for each question and placement."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Any, Final, Literal

from msgspec import Struct

from assay.config import nearest
from assay.errors import UseError
from assay.jobs.compare.compared_run import ComparedCase, ComparedRun, Key, merged, number
from assay.jobs.results import row_type
from assay.jobs.spec import job_spec_of
from assay.journal import Summary, read_heads, read_rows, read_summary, summary_path

HASHES: Final = ("pdf_sha256", "novel_sha256", "gold_sha256")
"""Hashes among a header's ``extra`` that must agree."""
YARDSTICK: Final = ("threshold", "verifier", "laws_sha256", "costs")
"""What a header's ``extra`` says of how answers were judged; it must agree too."""
TOLD: Final = ("corpus_sha256",)
"""What may differ but is told: to cut a document otherwise is a change one may want to measure."""
_RUN: Final = re.compile(r"(?:^|(?<=[,&:]))run=\d+(?:$|[,&]|::)")


class _Text(Struct, frozen=True):
    key: str = ""
    question_id: str = ""
    config: str = ""
    question: str | None = None
    answer: str | None = None


class _Error(Struct, frozen=True):
    key: str = ""
    config: str = ""
    error: str | None = None


def run_of_rows(
    journal: Path,
    metric_name: str | None = None,
    variant: str | None = None,
    preferred: str | None = None,
) -> ComparedRun:
    """One variant of a journal's run: the one named, the only one, or the ``preferred``."""
    summary = read_summary(summary_path(journal))
    kind = job_spec_of(summary)
    metric = kind.metric(metric_name)
    last = _last_rows(journal, metric.field)
    chosen = _chosen_variant(journal, [row.config for row in last.values()], variant, preferred)
    mine = [row for row in last.values() if row.config == chosen]
    items, failed = _items(journal, mine, metric.field)
    state = summary.state if summary else None
    unasked = max(0, summary.total - len(last)) if summary else None
    if state == "partial" and unasked == 0 and not failed:
        state = "complete"  # every case was asked, and those that failed are another variant's
    return ComparedRun(
        path=journal,
        job=kind.name,
        metric=metric,
        items=items,
        state=state,
        unasked=unasked,
        failed=failed,
        first_error=_first_error(journal, chosen) if failed else "",
        hashes=_hashes(summary),
        yardstick=_extra(summary, YARDSTICK),
        told=_extra(summary, TOLD),
        variant=chosen,
        journal=journal,
        notes=() if summary else (f"{journal}: no summary beside it says whether the run ended",),
    )


def _items(journal: Path, rows: Iterable[Any], field: str) -> tuple[dict[Key, ComparedCase], int]:
    """The rows by question and placement, repetitions as one; and how many of them failed."""
    items: dict[Key, ComparedCase] = {}
    repeated: dict[Key, list[ComparedCase]] = {}
    failed = 0
    value_of = attrgetter(field)
    for row in rows:
        trial = _trial(journal, row, value_of(row))
        failed += trial.status == "failed"
        key = item_key(row.key, row.question_id, row.config)
        if key in items:
            repeated.setdefault(key, [items[key]]).append(trial)
        else:
            items[key] = trial
    items.update((key, merged(trials)) for key, trials in repeated.items())
    return items, failed


def item_key(key: str, question_id: str, config: str) -> Key:
    """Question and placement of a row; a repetition (``run=2``) is no placement of its own.

    >>> item_key("q1::fast::topk=5", "q1", "fast"), item_key("q1::quality::run=2", "q1", "quality")
    (('q1', 'topk=5'), ('q1', ''))
    """
    own = key[len(question_id) + len(config) + 4 :]
    return question_id, _place(own)


@cache
def _place(label: str) -> str:
    return _RUN.sub("", label).strip(",&:")


def texts(journal: Path, variant: str, wanted: Iterable[Key]) -> dict[Key, tuple[str, str]]:
    """Question and answer of these items; of a repeated one the last scored."""
    keys = set(wanted)
    found: dict[Key, tuple[str, str]] = {}
    if not keys:
        return found
    for rows in read_rows(journal, _Text):
        for row in rows:
            if row.config != variant or not row.key:
                continue
            item = item_key(row.key, row.question_id, row.config)
            if item in keys and (row.answer is not None or item not in found):
                found[item] = (row.question or "", row.answer or "")
    return found


def _last_rows(journal: Path, field: str) -> dict[str, Any]:
    """The rows by key, the last of each; only the first line may be metadata."""
    last: dict[str, Any] = {}
    for rows in read_rows(journal, row_type([field, "weight"])):
        last.update((row.key, row) for row in rows)
    if last.pop("", None) is not None:
        for _ in read_heads(journal):  # refuses one that is not the first, and names its line
            pass
    return last


def _chosen_variant(
    journal: Path, configs: Iterable[str], wanted: str | None, preferred: str | None
) -> str:
    there = list(dict.fromkeys(configs))
    if not there:
        raise UseError(f"{journal}: holds no rows")
    if wanted is None and len(there) > 1:
        wanted = preferred
    if wanted is None and len(there) > 1:
        raise UseError(
            f"{journal}: holds the variants {', '.join(sorted(there))}; "
            "say which with --variant, and --base-variant for the base"
        )
    if wanted is not None and wanted not in there:
        raise UseError(f"{journal}: no variant {wanted!r}{nearest(wanted, there)}")
    return wanted or there[0]


def _trial(journal: Path, row: Any, value: Any) -> ComparedCase:
    status: Literal["scored", "failed", "skipped"] = "scored"
    if row.error is not None or row.status == "failed":
        status = "failed"
    elif row.status == "skipped":
        status = "skipped"
    where = f"{journal}: {row.key}"
    return ComparedCase(
        status=status,
        value=number(value, where, "score") if status == "scored" else None,
        weight=number(row.weight, where, "weight"),
        source=row.source,
    )


def _first_error(journal: Path, variant: str) -> str:
    for rows in read_rows(journal, _Error):
        for row in rows:
            if row.config == variant and row.error:
                return row.error
    return ""


def _hashes(summary: Summary | None) -> dict[str, str | None]:
    if summary is None:
        return {"questions_sha256": None}
    documents = summary.extra.get("documents")
    of_documents = documents.items() if isinstance(documents, dict) else ()
    return {
        "questions_sha256": summary.questions_sha256,
        **_extra(summary, HASHES),
        **{f"sha256 of {name}": str(value) for name, value in of_documents},
    }


def _extra(summary: Summary | None, names: Iterable[str]) -> dict[str, str]:
    extra: Mapping[str, Any] = summary.extra if summary else {}
    return {name: str(extra[name]) for name in names if extra.get(name) is not None}
