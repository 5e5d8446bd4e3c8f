"""Which rows of a part are answers of its own plan; ``assay merge`` refuses the others.

The fingerprint of a row says which system was asked what, with which settings. If it is another
one than the plan's, the answer belongs to an earlier version of the experiment, which a run keeps
only with ``--keep-stale``; or the row was copied from another run, and its key is the same by
chance.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from msgspec import UNSET

from assay.data.problem_list import limited
from assay.errors import JournalStale
from assay.journal import RowHead, StoredPlan, Summary, read_numbered_fields

KEEP_STALE: Final = "--keep-stale"


class PartRows:
    """Compares the last row of each case with the plan of the part."""

    def __init__(self, journal: Path, summary: Summary, plan: StoredPlan) -> None:
        self._journal = journal
        self._plan = plan
        self._keeps_stale = _keeps_stale(summary)
        self._others: set[str] = set()

    def add(self, heads: Iterable[RowHead]) -> None:
        """Take the next rows of the part, in file order."""
        for head in heads:
            if _is_open(head) or self._fits(head):
                self._others.discard(head.key)
            else:
                self._others.add(head.key)

    def stale(self) -> int:
        """The number of cases of the plan whose answers an earlier version of it was given.

        Raises:
            JournalStale: There are such answers, and the part was not made with ``--keep-stale``.
        """
        if self._others and not self._keeps_stale:
            raise JournalStale(*limited(self._problems(), self._journal))
        return sum(key in self._plan for key in self._others)

    def _fits(self, head: RowHead) -> bool:
        """Whether the row is of the plan, or of one with other questions for the same variants."""
        expected = self._plan.fingerprint(head.key)
        if expected is not None:
            return head.fingerprint == expected
        start, _, _ = head.fingerprint.rpartition("-")
        system, _, settings = start.partition("-")
        header = self._plan.header
        variant = head.key.rsplit("::", 2)[1] if head.key.count("::") > 1 else ""
        return system == header.system and header.variants.get(variant, settings) == settings

    def _problems(self) -> list[str]:
        lines = {
            row["key"]: number
            for number, row in read_numbered_fields(self._journal)
            if row["key"] in self._others
        }
        return [
            f"{self._journal}:{number}: the case {key!r} is not an answer of this run: another "
            "system, other settings or another question were recorded; take the line out, or run "
            f"the part again with {KEEP_STALE} to keep it"
            for key, number in lines.items()
        ]


def _is_open(head: RowHead) -> bool:
    """Whether the case is asked again, so that its row is no answer of the run."""
    return head.status == "failed" or (head.status == "answered" and head.recorded is UNSET)


def _keeps_stale(summary: Summary) -> bool:
    """Whether old answers were kept on purpose, or it is not known.

    A run without ``--keep-stale`` refuses to begin if there are any, so the last command has it.
    """
    command = summary.stretches[-1].command if summary.stretches else UNSET
    return command is UNSET or KEEP_STALE in command
