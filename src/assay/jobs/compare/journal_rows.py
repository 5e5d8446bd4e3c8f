"""Reading one variant of a run from its journal: an item for each question and placement."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Any, Final, Literal

from msgspec import Struct

from assay.config import nearest
from assay.errors import UseError
from assay.jobs.compare.compared_run import ComparedCase, ComparedRun, Key, merge_cases, number
from assay.jobs.results import row_type
from assay.jobs.spec import job_spec_of
from assay.journal import Summary, read_heads, read_rows, read_summary, summary_path

HASHES: Final = ("pdf_sha256", "novel_sha256", "gold_sha256")
"""Hashes in a header's ``extra`` that must be the same in both runs."""
JUDGING: Final = ("threshold", "verifier", "laws_sha256", "costs")
"""Entries of a header's ``extra`` about how answers were judged; they must be the same too."""
INFORMATIONAL: Final = ("corpus_sha256",)
"""Entries that may differ; a note then says so. The corpus is one of them, because a different
division of the documents into chunks may be the change that is measured."""
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
    """Read one variant of a journal: ``variant``, else the only one, else ``preferred``.

    Raises ``UseError`` if the variant does not exist, or if there are several and none is named.
    """
    summary = read_summary(summary_path(journal))
    spec = job_spec_of(summary)
    metric = spec.metric(metric_name)
    last_rows = _read_last_rows(journal, metric.field)
    chosen = _choose_variant(
        journal, [row.config for row in last_rows.values()], variant, preferred
    )
    rows = [row for row in last_rows.values() if row.config == chosen]
    items, failed = _items(journal, rows, metric.field)
    state = summary.state if summary else None
    unasked = max(0, summary.total - len(last_rows)) if summary else None
    if state == "partial" and unasked == 0 and not failed:
        state = "complete"  # every case was asked, and only cases of other variants failed
    return ComparedRun(
        path=journal,
        job=spec.name,
        metric=metric,
        items=items,
        state=state,
        unasked=unasked,
        failed=failed,
        first_error=_read_first_error(journal, chosen) if failed else "",
        hashes=_hashes(summary),
        judging=_extra(summary, JUDGING),
        informational=_extra(summary, INFORMATIONAL),
        variant=chosen,
        journal=journal,
        notes=()
        if summary
        else (f"{journal}: there is no summary, so it is not known whether the run ended",),
    )


def _items(journal: Path, rows: Iterable[Any], field: str) -> tuple[dict[Key, ComparedCase], int]:
    """The cases by question and placement, with repetitions merged, and the number of failures."""
    items: dict[Key, ComparedCase] = {}
    repeated: dict[Key, list[ComparedCase]] = {}
    failed = 0
    value_of = attrgetter(field)
    for row in rows:
        case = _case(journal, row, value_of(row))
        failed += case.status == "failed"
        key = item_key(row.key, row.question_id, row.config)
        if key in items:
            repeated.setdefault(key, [items[key]]).append(case)
        else:
            items[key] = case
    items.update((key, merge_cases(cases)) for key, cases in repeated.items())
    return items, failed


def item_key(key: str, question_id: str, config: str) -> Key:
    """The question and the placement of a row, without the number of the repetition (``run=2``).

    >>> item_key("q1::fast::topk=5", "q1", "fast"), item_key("q1::quality::run=2", "q1", "quality")
    (('q1', 'topk=5'), ('q1', ''))
    """
    label = key[len(question_id) + len(config) + 4 :]
    return question_id, _without_run(label)


@cache
def _without_run(label: str) -> str:
    return _RUN.sub("", label).strip(",&:")


def read_texts(journal: Path, variant: str, keys: Iterable[Key]) -> dict[Key, tuple[str, str]]:
    """Read the question and the answer of these items; the last answer of a repeated item."""
    keys = set(keys)
    texts: dict[Key, tuple[str, str]] = {}
    if not keys:
        return texts
    for rows in read_rows(journal, _Text):
        for row in rows:
            if row.config != variant or not row.key:
                continue
            item = item_key(row.key, row.question_id, row.config)
            if item in keys and (row.answer is not None or item not in texts):
                texts[item] = (row.question or "", row.answer or "")
    return texts


def _read_last_rows(journal: Path, field: str) -> dict[str, Any]:
    """Read the last row of each key; only the first line of the file may be metadata."""
    last_rows: dict[str, Any] = {}
    for rows in read_rows(journal, row_type([field, "weight"])):
        last_rows.update((row.key, row) for row in rows)
    if last_rows.pop("", None) is not None:
        for _ in read_heads(journal):  # raises for a row without a key that is not the first
            pass
    return last_rows


def _choose_variant(
    journal: Path, configs: Iterable[str], requested: str | None, preferred: str | None
) -> str:
    variants = list(dict.fromkeys(configs))
    if not variants:
        raise UseError(f"{journal}: contains no rows")
    if requested is None and len(variants) > 1:
        requested = preferred
    if requested is None and len(variants) > 1:
        raise UseError(
            f"{journal}: contains the variants {', '.join(sorted(variants))}; "
            "choose one with --variant, and with --base-variant for the base"
        )
    if requested is not None and requested not in variants:
        raise UseError(f"{journal}: no variant {requested!r}{nearest(requested, variants)}")
    return requested or variants[0]


def _case(journal: Path, row: Any, value: Any) -> ComparedCase:
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


def _read_first_error(journal: Path, variant: str) -> str:
    for rows in read_rows(journal, _Error):
        for row in rows:
            if row.config == variant and row.error:
                return row.error
    return ""


def _hashes(summary: Summary | None) -> dict[str, str | None]:
    if summary is None:
        return {"questions_sha256": None}
    documents = summary.extra.get("documents")
    document_hashes = documents.items() if isinstance(documents, dict) else ()
    return {
        "questions_sha256": summary.questions_sha256,
        **_extra(summary, HASHES),
        **{f"sha256 of {name}": str(value) for name, value in document_hashes},
    }


def _extra(summary: Summary | None, names: Iterable[str]) -> dict[str, str]:
    extra: Mapping[str, Any] = summary.extra if summary else {}
    return {name: str(extra[name]) for name in names if extra.get(name) is not None}
