"""A study: the variants of a run compared on the same questions, for every job."""

from typing import TYPE_CHECKING

from assay.registry import lazy_door

if TYPE_CHECKING:
    from assay.jobs.study.analysis import (
        analyse_results,
        analyse_run,
        read_run,
        summarise_run,
        summary_results,
    )
    from assay.jobs.study.effect import Basis, interval_bases
    from assay.jobs.study.finding import RunFindings
    from assay.jobs.study.note import (
        LABELS,
        corrected_note,
        has_draw,
        reservations,
        terminal_notes,
        unsure_note,
    )
    from assay.jobs.study.page import Report, write_report
    from assay.jobs.study.sequence import SequenceLine, Sequences, sequences
    from assay.jobs.study.table import (
        latency_table,
        overview_table,
        quality_table,
        short_table,
        tables,
    )
    from assay.jobs.study.verdict import verdicts
else:
    __getattr__ = lazy_door(
        __name__,
        {
            "Basis": "effect",
            "LABELS": "note",
            "has_draw": "note",
            "corrected_note": "note",
            "Report": "page",
            "RunFindings": "finding",
            "SequenceLine": "sequence",
            "Sequences": "sequence",
            "analyse_results": "analysis",
            "analyse_run": "analysis",
            "interval_bases": "effect",
            "latency_table": "table",
            "overview_table": "table",
            "quality_table": "table",
            "read_run": "analysis",
            "reservations": "note",
            "terminal_notes": "note",
            "sequences": "sequence",
            "short_table": "table",
            "summarise_run": "analysis",
            "summary_results": "analysis",
            "tables": "table",
            "unsure_note": "note",
            "verdicts": "verdict",
            "write_report": "page",
        },
    )

__all__ = [
    "LABELS",
    "Basis",
    "Report",
    "RunFindings",
    "SequenceLine",
    "Sequences",
    "analyse_results",
    "analyse_run",
    "corrected_note",
    "has_draw",
    "interval_bases",
    "latency_table",
    "overview_table",
    "quality_table",
    "read_run",
    "reservations",
    "sequences",
    "short_table",
    "summarise_run",
    "summary_results",
    "tables",
    "terminal_notes",
    "unsure_note",
    "verdicts",
    "write_report",
]
