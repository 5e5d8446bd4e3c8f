"""The journal of a run: writing it, reading it, its lock and its summary."""

from assay.journal.write import Journal
from assay.journal.read import REMEDY
from assay.journal.read import RowHead
from assay.journal.summary import Summary
from assay.journal.correction import append_corrections
from assay.journal.write import encode_row
from assay.journal.read import index_journal
from assay.journal.read import last_rows
from assay.journal.write import locked_journal
from assay.journal.summary import now
from assay.journal.read import read_heads
from assay.journal.read import read_rows
from assay.journal.summary import read_summary
from assay.journal.summary import set_aside
from assay.journal.summary import start_summary
from assay.journal.summary import summary_path
from assay.journal.summary import write_atomically
from assay.journal.summary import write_summary

__all__ = [
    "Journal",
    "REMEDY",
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
