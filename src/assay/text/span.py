"""The start and end offsets of a part of a text."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from itertools import accumulate

from msgspec import Struct


class Span(Struct, frozen=True, kw_only=True, order=True):
    """The offsets of a part of a string: ``start`` is included, ``end`` is not.

    >>> Span(start=0, end=3).of("sentence")
    'sen'
    """

    start: int
    end: int

    def of(self, text: str) -> str:
        """The part of ``text`` that the span covers."""
        return text[self.start : self.end]


class Ranges:
    """Many ranges of offsets, which may overlap, asked whether one of them covers a place.

    To go through all of them for each place would take the square of the length of a text.

    >>> taken = Ranges([(0, 3), (8, 9)])
    >>> 2 in taken, 3 in taken, taken.overlap(3, 8), taken.overlap(2, 4)
    (True, False, False, True)
    """

    def __init__(self, ranges: Iterable[tuple[int, int]]) -> None:
        ordered = sorted(ranges)
        self._starts = [start for start, _ in ordered]
        self._furthest = list(accumulate((end for _, end in ordered), max))

    def add(self, start: int, end: int) -> None:
        """Add a range that overlaps none of the others."""
        at = bisect_left(self._starts, start)
        self._starts.insert(at, start)
        self._furthest.insert(at, max(end, self._furthest[at - 1] if at else end))

    def __contains__(self, position: int) -> bool:
        """Whether a range has the position."""
        before = bisect_right(self._starts, position)
        return before > 0 and self._furthest[before - 1] > position

    def overlap(self, start: int, end: int) -> bool:
        """Whether a range has a position in common with the one from ``start`` to ``end``."""
        before = bisect_left(self._starts, end)
        return before > 0 and self._furthest[before - 1] > start
