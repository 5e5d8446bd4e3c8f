"""Correcting recorded rows: answers are judged again without asking the system again."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from assay.journal.row import BILL, judge_bill
from assay.journal.write import Journal, encode_row
from assay.records import Usage


class Correction(Struct, frozen=True, kw_only=True):
    """A recorded row, the fields that it should have, and what judging it again cost.

    ``judges`` are those whose verdicts are paid for then. ``without`` names fields that the row
    should not have any more. ``beside`` are fields that are set as well if the row is written
    again; if a row does not have them, this alone is no change.
    """

    row: Mapping[str, Any]
    fields: Mapping[str, Any]
    judging: Usage | None = None
    judges: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    beside: Mapping[str, Any] = {}


def append_corrections(journal: Journal, corrections: Iterable[Correction]) -> int:
    """Append a row for each correction that changes something; return how many rows changed.

    The last row of a key counts, so the appended row replaces the recorded one. The cost of the
    answer is not repeated: costs are summed over all rows of a key. A correction that cost
    something is appended even if it changes nothing.
    """
    lines = []
    changed = 0
    for correction in corrections:
        row = correction.row
        fields = msgspec.json.decode(encode_row(correction.fields))  # as read back from JSON
        is_changed = any(row.get(name) != value for name, value in fields.items())
        is_changed |= any(name in row for name in correction.without)
        beside = correction.beside
        is_changed |= any(name in row and row[name] != beside[name] for name in beside)
        changed += is_changed
        if is_changed or correction.judging is not None:
            left_out = {*BILL, *correction.without}
            corrected = {k: v for k, v in {**row, **fields, **beside}.items() if k not in left_out}
            if correction.judges:
                corrected["judges"] = correction.judges
            lines.append(encode_row(corrected | judge_bill(correction.judging)))
    if lines:
        journal.write(lines)
    return changed
