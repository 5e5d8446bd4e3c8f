"""What the sections of bench/detect.py share: options, counts, and the table."""

from collections.abc import Iterable, Sequence
from math import sqrt
from pathlib import Path
from typing import NamedTuple

LANGUAGES = ("en", "ru", "zh")
Z = 1.96


class Options(NamedTuple):
    """What the command line asks for."""

    data: Path | None = None
    more: Sequence[Path] = ()
    failures: bool = False


class Row(NamedTuple):
    """A line of a table: what was measured on which data, and two shares with their counts.

    ``first`` and ``second`` are (name, hits, total), for example ("recall", 95, 100).
    """

    set: str
    source: str
    language: str
    first: tuple[str, int, int]
    second: tuple[str, int, int]


def share(hits: int, total: int) -> str:
    """A share with its 95 % Wilson interval and its counts; a dash if there is nothing to count."""
    if not total:
        return "–"
    rate = hits / total
    centre = (rate + Z * Z / (2 * total)) / (1 + Z * Z / total)
    half = Z * sqrt(rate * (1 - rate) / total + Z * Z / (4 * total * total)) / (1 + Z * Z / total)
    low, high = max(0.0, centre - half), min(1.0, centre + half)
    return f"{rate:.3f} [{low:.3f}, {high:.3f}] {hits}/{total}"


def show(name: str, rows: Iterable[Row]) -> None:
    """Print a table, untouched data last."""
    rows = list(rows)
    if rows:
        print(f"\n{name}")
    cells = [
        (
            row.set,
            row.language,
            row.source,
            f"{row.first[0]} {share(*row.first[1:])}",
            f"{row.second[0]} {share(*row.second[1:])}",
        )
        for row in sorted(rows, key=lambda row: (row.set, row.source, row.language))
    ]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)] if cells else []
    for line in cells:
        print("  " + "  ".join(map(str.ljust, line, widths)).rstrip())
