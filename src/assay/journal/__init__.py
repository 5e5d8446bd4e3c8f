"""The journal of a run: writing, reading, locking and summarising it."""

from assay.journal.correction import append_corrections
from assay.journal.read import REMEDY, RowHead, index_journal, last_rows, read_heads, read_rows
from assay.journal.summary import (
    Summary,
    now,
    read_summary,
    set_aside,
    start_summary,
    summary_path,
    write_atomically,
    write_summary,
)
from assay.journal.write import Journal, encode_row, locked_journal

__all__ = [
    "REMEDY",
    "Journal",
    "RowHead",
    "Summary",
    "append_corrections",
    "encode_row",
    "index_journal",
    "last_rows",
    "locked_journal",
    "now",
    "read_heads",
    "read_rows",
    "read_summary",
    "set_aside",
    "start_summary",
    "summary_path",
    "write_atomically",
    "write_summary",
]
