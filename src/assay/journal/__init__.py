"""The journal of a run: writing, reading, locking, migrating and summarising it."""

from assay.journal.correction import Correction, append_corrections
from assay.journal.path import find_journals, plan_path, summary_path, verdicts_path
from assay.journal.plan import PlanHeader, StoredPlan, read_plan, read_plan_header, write_plan
from assay.journal.read import (
    REMEDY,
    Keyed,
    index_journal,
    last_row_fields,
    last_rows,
    read_fields,
    read_heads,
    read_metadata,
    read_rows,
    scan_journal,
)
from assay.journal.row import RecordedPassage, Row, RowHead, complete_row
from assay.journal.summary import (
    Summary,
    now,
    read_summary,
    set_aside,
    set_rows_aside,
    start_summary,
    write_atomically,
    write_summary,
)
from assay.journal.verdict import Verdict, VerdictStore, answer_hash
from assay.journal.write import UNWRITABLE, Journal, encode_row, locked_journal

__all__ = [
    "REMEDY",
    "UNWRITABLE",
    "Correction",
    "Journal",
    "Keyed",
    "PlanHeader",
    "RecordedPassage",
    "Row",
    "RowHead",
    "StoredPlan",
    "Summary",
    "Verdict",
    "VerdictStore",
    "answer_hash",
    "append_corrections",
    "complete_row",
    "encode_row",
    "find_journals",
    "index_journal",
    "last_row_fields",
    "last_rows",
    "locked_journal",
    "now",
    "plan_path",
    "read_fields",
    "read_heads",
    "read_metadata",
    "read_plan",
    "read_plan_header",
    "read_rows",
    "read_summary",
    "scan_journal",
    "set_aside",
    "set_rows_aside",
    "start_summary",
    "summary_path",
    "verdicts_path",
    "write_atomically",
    "write_plan",
    "write_summary",
]
