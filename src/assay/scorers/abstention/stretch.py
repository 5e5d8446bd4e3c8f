"""Pieces of a sentence: cutting them out, and finding which of them start where."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from assay.text.lexicon import ScriptPattern

_ALNUM: Final = re.compile(r"[^\W_]")


class Stretch(NamedTuple):
    """A piece of a sentence, as offsets in the sentence."""

    start: int
    end: int


def cut(
    sentence: str, mark: re.Pattern[str] | ScriptPattern, start: int, end: int
) -> Iterator[Stretch]:
    """The stretches between the marks that contain a letter or a digit, without outer spaces."""
    begin = start
    for match in [*mark.finditer(sentence, start, end), None]:
        stop = match.start() if match else end
        piece = sentence[begin:stop]
        if _ALNUM.search(piece):
            left = begin + len(piece) - len(piece.lstrip())
            yield Stretch(left, left + len(piece.strip()))
        begin = match.end() if match else end


class Placed:
    """Phrases that are looked up by their places: a long statement has many parts and phrases."""

    def __init__(self, found: Sequence[Stretch]) -> None:
        self._found = found
        self._order = sorted(range(len(found)), key=lambda index: found[index].start)
        self._starts = [found[index].start for index in self._order]
        self._furthest = list(accumulate((found[index].end for index in self._order), max))

    def starting_in(self, part: Stretch) -> list[Stretch]:
        """The phrases that start in the part, in the order in which they were given."""
        low, high = bisect_left(self._starts, part.start), bisect_left(self._starts, part.end)
        return [self._found[index] for index in sorted(self._order[low:high])]

    def contain(self, part: Stretch) -> bool:
        """Whether a phrase starts before the part and reaches to its end."""
        before = bisect_left(self._starts, part.start)
        return before > 0 and self._furthest[before - 1] >= part.end
