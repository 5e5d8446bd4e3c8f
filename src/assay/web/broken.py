"""Runs whose file has lines that are no rows: which they are, and the run without them.

The commands refuse such a file, because they would write to it or judge by it. The page only
shows, so it shows the other rows and says what is left out.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from assay.errors import AssayError, JournalCorrupt, JournalTooNew
from assay.journal import index_journal, parse_head, plan_path, summary_path, verdicts_path
from assay.labels import labels_path
from assay.web.language import page_text
from assay.web.text_api import Text

LARGEST_LISTED: Final = 20_000_000
"""The list of runs looks for broken lines in files up to this size, in bytes."""
MOST_NAMED: Final = 20


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


def broken_lines(journal: Path) -> tuple[int, ...]:
    """The numbers of the lines that are no rows; an incomplete last line is none of them."""
    try:
        return tuple(number for number, _, is_row in _lines(journal) if not is_row)
    except JournalTooNew:
        return ()


def _lines(journal: Path) -> Iterator[tuple[int, bytes, bool]]:
    with journal.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                return  # it may still be written
            head = parse_head(journal, line) if line.strip() else None
            is_metadata = number == 1 and head is not None
            yield number, line, not line.strip() or is_metadata or bool(head and head.key)


class Repaired:
    """A copy of a run without its broken lines, which lasts as long as this object."""

    def __init__(self, journal: Path) -> None:
        self._folder = TemporaryDirectory(prefix="assay-page-")
        self.journal = Path(self._folder.name) / journal.name
        broken: list[int] = []
        with self.journal.open("wb") as copy:
            for number, line, is_row in _lines(journal):
                if is_row:
                    copy.write(line)
                else:
                    broken.append(number)
        self.lines = tuple(broken)
        for path_of in (summary_path, plan_path, verdicts_path, labels_path):
            if path_of(journal).is_file():
                shutil.copyfile(path_of(journal), path_of(self.journal))

    def note(self) -> Text:
        """What is left out, for the reader."""
        named = ", ".join(map(str, self.lines[:MOST_NAMED]))
        more = "…" if len(self.lines) > MOST_NAMED else ""
        return page_text("broken lines", n=len(self.lines), lines=named + more)
