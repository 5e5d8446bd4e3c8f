"""Correcting recorded rows: answers are scored again without asking the system again."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from assay.journal.write import Journal, encode_row

BILL: Final = frozenset({"usage", "cost", "paid"})
"""The fields of a row that hold the cost of its answer."""


def append_corrections(
    journal: Path, corrections: Iterable[tuple[Mapping[str, Any], Mapping[str, Any]]]
) -> int:
    """Append a corrected row for each row whose fields change; return the number of such rows.

    Each correction is a recorded row and the fields that it should have. The last row of a key
    counts, so the appended row replaces the recorded one. The cost fields are not repeated:
    otherwise the cost of an answer, which is summed over all rows, would be counted twice.
    """
    lines = []
    for row, fields in corrections:
        recorded = msgspec.json.decode(encode_row(fields))  # as read back from JSON
        if any(row.get(name) != value for name, value in recorded.items()):
            corrected = {**row, **recorded}
            lines.append(encode_row({k: v for k, v in corrected.items() if k not in BILL}))
    if lines:
        with Journal.open(journal) as file:
            file.write(lines)
    return len(lines)
