"""Rows that were corrected after their answers were recorded: judged again, nobody asked again."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from assay.journal.write import Journal, encode_row

BILL: Final = frozenset({"usage", "cost", "paid"})
"""Fields of a row that say what its answer cost."""


def append_corrections(
    journal: Path, corrections: Iterable[tuple[Mapping[str, Any], Mapping[str, Any]]]
) -> int:
    """Append the rows that their new fields change; returns how many.

    Each correction is a recorded row with the fields it should have. The last row of a key
    wins, so the appended row replaces the recorded one. It does not repeat the bill: what an
    answer cost is told once, by the row that was written when it was paid for.
    """
    lines = []
    for row, fields in corrections:
        recorded = msgspec.json.decode(encode_row(fields))  # as it would be read back
        if any(row.get(name) != value for name, value in recorded.items()):
            corrected = {**row, **recorded}
            lines.append(encode_row({k: v for k, v in corrected.items() if k not in BILL}))
    if lines:
        with Journal.open(journal) as file:
            file.write(lines)
    return len(lines)
