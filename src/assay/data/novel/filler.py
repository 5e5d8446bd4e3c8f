"""The sentences a context may be filled with: a novel's, without those that are barred."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise

from assay.text import Span


class Filler:
    """A novel's units without the barred ones, in narrative order, with running token counts.

    ``bounds`` and ``marks`` are those of the novel (see ``tokenized_novel``).
    """

    def __init__(
        self, bounds: Sequence[int], marks: Sequence[int], barred: Iterable[int] = ()
    ) -> None:
        self._bounds = bounds
        self._marks = marks
        self._barred = array("I", sorted(set(barred)))
        sizes = (marks[unit + 1] - marks[unit] for unit in self._barred)
        self._gone = array("I", accumulate(sizes, initial=0))
        self._held = array("I", map(self.before, self._barred))

    @property
    def tokens(self) -> int:
        """Tokens of all filler together."""
        return self.before(len(self._marks) - 1)

    def before(self, unit: int) -> int:
        """Tokens of the filler before a unit."""
        gone = self._gone[bisect_left(self._barred, unit)]
        return self._marks[unit] - self._marks[0] - gone

    def unit(self, tokens: int) -> int:
        """The last unit with no more than ``tokens`` of filler before it."""
        gone = self._gone[bisect_right(self._held, tokens)]
        return max(bisect_right(self._marks, tokens + self._marks[0] + gone) - 1, 0)

    def nearest_unit(self, tokens: int) -> int:
        """The unit whose filler before it comes nearest to ``tokens``."""
        unit = self.unit(tokens)
        if unit + 1 == len(self._marks):
            return unit
        below, above = tokens - self.before(unit), self.before(unit + 1) - tokens
        return unit if below <= above else unit + 1

    def runs(self, first: int, last: int) -> Iterator[Span]:
        """The stretches of text that units ``first`` to ``last`` leave as filler."""
        inside = self._barred[bisect_left(self._barred, first) : bisect_left(self._barred, last)]
        for left, right in pairwise((first - 1, *inside, last)):
            if left + 1 < right:
                yield Span(start=self._bounds[left + 1], end=self._bounds[right])
