"""Which rows of a file that only grows count."""

from collections.abc import Iterable
from typing import TypeVar

from assay.labels.draft import DraftDecision
from assay.labels.label import Label, Preference

Row = TypeVar("Row", Label, Preference, DraftDecision)


def current(rows: Iterable[Row]) -> list[Row]:
    """The rows that count: the newest of each identity, in the order of their first appearance.

    Of two with the same time, the later one of the file counts.
    """
    newest: dict[tuple[str, ...], Row] = {}
    for row in rows:
        known = newest.get(row.identity)
        if known is None or row.time >= known.time:
            newest[row.identity] = row
    return list(newest.values())
