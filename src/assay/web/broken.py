"""Runs whose file has lines that are no rows: how many, and what the page says about them."""

from pathlib import Path
from typing import Final

from assay.errors import AssayError, JournalCorrupt
from assay.jobs.repaired import Repaired, broken_lines
from assay.journal import index_journal
from assay.web.language import page_text
from assay.web.text_api import Text

LARGEST_LISTED: Final = 20_000_000
"""The list of runs looks for broken lines in files up to this size, in bytes."""


def count_broken(journal: Path) -> int:
    """How many lines of a journal are no rows; 0 for a large one, which is looked at when opened."""
    try:
        if journal.stat().st_size > LARGEST_LISTED:
            return 0
        index_journal(journal)
    except JournalCorrupt:
        return len(broken_lines(journal))
    except (AssayError, OSError):
        return 0
    return 0


def broken_note(repaired: Repaired) -> Text:
    """What is left out, for the reader."""
    return page_text("broken lines", n=len(repaired.lines), lines=repaired.named)
