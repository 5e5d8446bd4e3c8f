"""A run whose file has lines that are no rows, read without them.

Commands that write to the file or judge by it refuse it. What only shows a run shows the other
rows and says what is left out.
"""

import shutil
import weakref
from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp
from typing import Final, Literal

from assay.errors import JournalTooNew
from assay.journal import order_path, parse_head, plan_path, summary_path, verdicts_path
from assay.labels import labels_path

MOST_NAMED: Final = 20


def broken_lines(journal: Path) -> tuple[int, ...]:
    """The numbers of the lines that are no rows; an incomplete last line is none of them."""
    try:
        return tuple(number for number, _, kind in _lines(journal) if kind == "broken")
    except JournalTooNew:
        return ()


def _lines(journal: Path) -> Iterator[tuple[int, bytes, Literal["row", "other", "broken"]]]:
    """The number, the content and the kind of each line; other are metadata and empty lines."""
    with journal.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                return  # it may still be written
            head = parse_head(journal, line) if line.strip() else None
            if head and head.key:
                yield number, line, "row"
            else:
                is_metadata = number == 1 and head is not None
                yield number, line, "other" if is_metadata or not line.strip() else "broken"


class Repaired:
    """A copy of a run without its broken lines, which lasts as long as this object.

    ``lines`` are the numbers of the broken lines; ``has_rows`` is whether any row is left.
    """

    def __init__(self, journal: Path) -> None:
        folder = mkdtemp(prefix="assay-repaired-")
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        self.journal = Path(folder) / journal.name
        self.has_rows = False
        broken: list[int] = []
        with self.journal.open("wb") as copy:
            for number, line, kind in _lines(journal):
                if kind == "broken":
                    broken.append(number)
                else:
                    copy.write(line)
                    self.has_rows |= kind == "row"
        self.lines = tuple(broken)
        for path_of in (summary_path, plan_path, order_path, verdicts_path, labels_path):
            if path_of(journal).is_file():
                path_of(self.journal).parent.mkdir(exist_ok=True)
                shutil.copyfile(path_of(journal), path_of(self.journal))

    @property
    def named(self) -> str:
        """The numbers of the first lines that are left out."""
        listed = ", ".join(map(str, self.lines[:MOST_NAMED]))
        return f"{listed}…" if len(self.lines) > MOST_NAMED else listed
