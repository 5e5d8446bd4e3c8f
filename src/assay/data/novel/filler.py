"""The sentences with which a context may be filled: those of a novel that are not excluded."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise

from assay.text import Span


class Filler:
    """The units of a novel that are not excluded, in narrative order, with token counts.

    ``bounds`` and ``tokens_at_bounds`` are those of ``TokenizedNovel``; ``excluded`` are the
    numbers of units.
    """

    def __init__(
        self, bounds: Sequence[int], tokens_at_bounds: Sequence[int], excluded: Iterable[int] = ()
    ) -> None:
        self._bounds = bounds
        self._tokens_at_bounds = tokens_at_bounds
        self._excluded = array("I", sorted(set(excluded)))
        sizes = (tokens_at_bounds[unit + 1] - tokens_at_bounds[unit] for unit in self._excluded)
        self._excluded_tokens = array("I", accumulate(sizes, initial=0))
        self._filler_before_excluded = array("I", map(self.before, self._excluded))

    @property
    def tokens(self) -> int:
        """The number of tokens of all filler."""
        return self.before(len(self._tokens_at_bounds) - 1)

    def before(self, unit: int) -> int:
        """The number of filler tokens before a unit."""
        excluded = self._excluded_tokens[bisect_left(self._excluded, unit)]
        return self._tokens_at_bounds[unit] - self._tokens_at_bounds[0] - excluded

    def unit(self, tokens: int) -> int:
        """The last unit with at most ``tokens`` filler tokens before it."""
        excluded = self._excluded_tokens[bisect_right(self._filler_before_excluded, tokens)]
        total = tokens + self._tokens_at_bounds[0] + excluded
        return max(bisect_right(self._tokens_at_bounds, total) - 1, 0)

    def nearest_unit(self, tokens: int) -> int:
        """The unit for which the number of filler tokens before it is nearest to ``tokens``."""
        unit = self.unit(tokens)
        if unit + 1 == len(self._tokens_at_bounds):
            return unit
        below, above = tokens - self.before(unit), self.before(unit + 1) - tokens
        return unit if below <= above else unit + 1

    def runs(self, first: int, last: int) -> Iterator[Span]:
        """The spans of filler text in the units from ``first`` up to, not including, ``last``."""
        begin, end = bisect_left(self._excluded, first), bisect_left(self._excluded, last)
        for left, right in pairwise((first - 1, *self._excluded[begin:end], last)):
            if left + 1 < right:
                yield Span(start=self._bounds[left + 1], end=self._bounds[right])
