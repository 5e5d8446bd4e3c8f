"""Random signs: how large the mean differences of a family would be by chance.

If a variant and the baseline are equal in truth, each difference could as well have the opposite
sign. The signs of all items are flipped at random, the same sign for all columns of an item, so
that metrics and variants keep their correlation. The statistic of a column is
``T = |Σ d| / √Σ d²``; the signs do not change the root. Its largest value over all columns is
compared with the observed ones: P. H. Westfall and S. S. Young, "Resampling-based multiple
testing", 1993 (single-step max-T).
"""

import math

import numpy as np

from assay.stats.resample import Floats

MOST_EXACT = 13
"""Up to this many items, all combinations of signs are counted."""
MOST_FLIPPED = 20_000
"""Up to this many items, signs are drawn. Above, the sums of flipped columns are drawn from their
normal limit, except for the items that matter most."""
HEAVY = 1 / 1_000
"""Above ``MOST_FLIPPED`` items, an item with more than this share of a column's sum of squares is
still flipped; the normal limit holds for the others."""

_UNITS = 2.0**31
"""Columns are rounded to this many steps, so that every sum is exact: then the result does not
depend on the order in which a machine adds numbers."""
_DIGITS = 9
_TIE = 1e-7
_BLOCK = 1 << 20
"""How many signs are drawn at once; another number would give other signs."""
_PART = 1 << 15
"""How many of them are multiplied at once: they stay in the processor's cache, which takes half the
time."""


class Flips:
    """The statistics of some columns, observed and for many combinations of signs.

    ``observed`` has one statistic for each column, and ``drawn`` one row for each combination.
    ``is_exact`` is true if the rows are all combinations. A column of zeros has the statistic 0.

    >>> flips = Flips.of_rows(np.ones((6, 1)), resamples=10, rng=np.random.default_rng(0))
    >>> flips.p_value(0), flips.is_exact
    (0.03125, True)
    """

    def __init__(self, observed: Floats, drawn: Floats, *, is_exact: bool) -> None:
        self.observed = np.round(observed, _DIGITS)
        self.drawn = np.round(drawn, _DIGITS)
        self.is_exact = is_exact
        self._largest = np.sort(self.drawn.max(axis=1))

    @classmethod
    def of_rows(
        cls,
        rows: Floats,
        *,
        resamples: int,
        rng: np.random.Generator,
        most_shown: Floats | float = math.inf,
    ) -> "Flips":
        """Flip rows of differences: one row for each item (or document), one column for each test.

        Neither the order of the columns nor the direction of a comparison changes the result,
        and a column that is equal to another one does not change it either. No observed statistic
        counts for more than ``most_shown`` (see ``statistic.py``).
        """
        units = _whole_numbers(rows)
        norms = np.sqrt(np.einsum("ij,ij->j", units, units))
        norms[norms == 0] = 1.0
        observed = np.minimum(np.abs(units.sum(axis=0)) / norms, most_shown)
        sizes = np.abs(units)
        if (sizes == sizes[:, :1]).all():  # a single test: not even the order of rows matters
            units = np.sort(sizes, axis=0)
        is_exact = len(units) <= MOST_EXACT
        sums = _all_sums(units) if is_exact else _signed_sums(units, resamples, rng)
        return cls(observed, np.abs(sums, out=sums) / norms, is_exact=is_exact)

    @classmethod
    def of_limit(
        cls,
        totals: Floats,
        products: Floats,
        heavy: Floats,
        *,
        resamples: int,
        rng: np.random.Generator,
        most_shown: Floats | float = math.inf,
    ) -> "Flips":
        """Draw the sums of very many flipped rows from their normal limit.

        Args:
            totals: the sum of each column over all rows.
            products: the sums of products of each two columns over all rows.
            heavy: the rows that are flipped one by one.
            resamples: the number of draws.
            rng: where the random numbers come from.
            most_shown: the largest statistic that each column can claim.
        """
        norms = np.sqrt(np.diag(products))
        norms[norms == 0] = 1.0
        rows = heavy / norms
        light = products / np.outer(norms, norms) - rows.T @ rows
        drawn = rng.standard_normal((resamples, len(totals))) @ _square_root(light)
        if len(rows):
            drawn += _signed_sums(rows, resamples, rng)
        observed = np.minimum(np.abs(totals) / norms, most_shown)
        return cls(observed, np.abs(drawn), is_exact=False)

    def p_value(self, column: int) -> float:
        """The p-value of one column alone; never 0 if the signs were drawn."""
        reached = np.count_nonzero(self.drawn[:, column] >= self.observed[column] - _TIE)
        return self._share(int(reached))

    def p_adjusted(self, column: int) -> float:
        """The p-value of one column, corrected for all columns; at least ``p_value``."""
        first = np.searchsorted(self._largest, self.observed[column] - _TIE)
        return self._share(len(self._largest) - int(first))

    def critical(self, alpha: float) -> float:
        """The largest statistic with a corrected p-value of ``alpha`` or more.

        It is infinite if even the largest statistic could not have a smaller one.
        """
        size = len(self._largest)
        # a statistic with at most this many draws that reach it has a p-value below alpha
        most = math.ceil(alpha * size) - 1 if self.is_exact else math.ceil(alpha * (size + 1)) - 2
        return float(self._largest[size - 1 - most]) if most >= 0 else math.inf

    def neighbours(self, column: int, statistic: float) -> tuple[float, float]:
        """The largest possible statistic of a column up to ``statistic``, and the next above it.

        If few items differ, a column has only a few possible statistics, and every critical value
        between two of them is the same test. The observed one is always possible.
        """
        possible = np.append(self.drawn[:, column], self.observed[column])
        below = possible[possible <= statistic + _TIE]
        above = possible[possible > statistic + _TIE]
        return float(below.max(initial=0.0)), float(above.min(initial=math.inf))

    def _share(self, reached: int) -> float:
        size = len(self.drawn)
        return reached / size if self.is_exact else (reached + 1) / (size + 1)


def _whole_numbers(rows: Floats) -> Floats:
    """The rows that are not zero, with columns scaled and rounded to whole numbers."""
    largest = np.abs(rows).max(axis=0, initial=0.0)
    units = np.rint(rows / np.where(largest > 0, largest, 1.0) * _UNITS)
    changed: Floats = units[units.any(axis=1)]
    return changed


def _all_sums(rows: Floats) -> Floats:
    """The sums of the columns for all combinations of signs."""
    positive = np.arange(2 ** len(rows))[:, None] >> np.arange(len(rows)) & 1
    return np.asarray((2.0 * positive - 1) @ rows, dtype=np.float64)


def _signed_sums(rows: Floats, resamples: int, rng: np.random.Generator) -> Floats:
    """The sums of the columns for random signs of the rows, in blocks of bounded size.

    One random byte gives eight signs. Bits are 0 or 1, and ``2 bits - 1`` is the sign.
    """
    width = -(-len(rows) // 8)
    sums = np.empty((resamples, rows.shape[1]))
    total = rows.sum(axis=0)
    block, part = max(1, _BLOCK // len(rows)), max(1, _PART // len(rows))
    for start in range(0, resamples, block):
        count = min(block, resamples - start)
        drawn = np.frombuffer(rng.bytes(count * width), dtype=np.uint8).reshape(count, width)
        for first in range(0, count, part):
            signs = drawn[first : first + part]
            bits = np.unpackbits(signs, axis=1, count=len(rows)).astype(np.float64)
            sums[start + first : start + first + len(signs)] = 2 * (bits @ rows) - total
    return sums


def _square_root(matrix: Floats) -> Floats:
    """The symmetric square root of a matrix of covariances, which may be singular."""
    values, vectors = np.linalg.eigh(matrix)
    return np.asarray((vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T, dtype=np.float64)
