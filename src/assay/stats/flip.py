"""Random signs: how large the mean differences of a family would be by chance.

If a variant and the baseline are equal in truth, each difference could as well have the opposite
sign (R. A. Fisher, "The design of experiments", 1935). The signs of all units are flipped at random,
the same sign for all columns of a unit, so that metrics and variants keep their correlation. The
statistic of a column is ``T = |Σ d| / √Σ d²``; it rises with Student's t. Its largest value over all
columns is compared with the observed ones: P. H. Westfall and S. S. Young, "Resampling-based multiple
testing", 1993 (single-step max-T). A draw that equals the observed statistic counts half (the mid-p of
H. O. Lancaster, "Significance tests in discrete distributions", JASA 56, 1961): for yes/no this is
McNemar's mid-p test.
"""

import numpy as np

from assay.stats.resample import Floats

MOST_EXACT = 13
"""Up to this many units, all combinations of signs are counted."""
MOST_FLIPPED = 20_000
"""Up to this many units, signs are drawn. Above, the statistics are drawn from the normal distribution
with their correlation (T. Hothorn, F. Bretz and P. Westfall, "Simultaneous inference in general
parametric models", Biometrical Journal 50, 2008)."""

_UNITS = 2.0**31
"""Columns are rounded to this many steps, so that every sum is exact: then the result does not
depend on the order in which a machine adds numbers."""
ROUNDED = 1e-8
"""How far apart statistics are that differ: they are rounded to nine digits."""
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
    (0.015625, True)
    """

    def __init__(self, observed: Floats, drawn: Floats, *, is_exact: bool) -> None:
        self.observed = np.round(observed, _DIGITS)
        self.drawn = np.round(drawn, _DIGITS)
        self.is_exact = is_exact
        self.columns = drawn.shape[1]
        self._largest = np.sort(self.drawn.max(axis=1))

    @classmethod
    def of_rows(
        cls,
        rows: Floats,
        *,
        resamples: int,
        rng: np.random.Generator,
        observed: Floats | None = None,
    ) -> "Flips":
        """Flip rows of differences: one row for each unit, one column for each test.

        Neither the order of the columns nor the direction of a comparison changes the result,
        and a column that is equal to another one does not change it either. ``observed`` are the
        statistics that are compared with the flipped ones; by default they are those of the rows.
        """
        units = _whole_numbers(rows)
        norms = np.sqrt(np.einsum("ij,ij->j", units, units))
        norms[norms == 0] = 1.0
        if observed is None:
            observed = np.abs(units.sum(axis=0)) / norms
        sizes = np.abs(units)
        if (sizes == sizes[:, :1]).all():  # a single test: not even the order of rows matters
            units = np.sort(sizes, axis=0)
        is_exact = len(units) <= MOST_EXACT
        sums = _all_sums(units) if is_exact else _signed_sums(units, resamples, rng)
        return cls(observed, np.abs(sums, out=sums) / norms, is_exact=is_exact)

    @classmethod
    def of_products(
        cls, observed: Floats, products: Floats, *, resamples: int, rng: np.random.Generator
    ) -> "Flips":
        """Draw the statistics of very many rows, given the sums of products of each two columns."""
        norms = np.sqrt(np.diag(products))
        norms[norms == 0] = 1.0
        drawn = rng.standard_normal((resamples, len(observed)))
        drawn = drawn @ _square_root(products / np.outer(norms, norms))
        return cls(observed, np.abs(drawn), is_exact=False)

    def p_value(self, column: int) -> float:
        """The p-value of one column alone; never 0."""
        return float(self._shares(np.sort(self.drawn[:, column]), self.observed[column]))

    def p_adjusted(self, column: int) -> float:
        """The p-value of one column, corrected for all columns."""
        return float(self._shares(self._largest, self.observed[column]))

    def critical(self, alpha: float) -> float:
        """The largest statistic of any draw that is not significant at ``alpha`` in the family."""
        not_small = self._shares(self._largest, self._largest) >= alpha
        return float(self._largest[not_small].max(initial=0.0))

    def _shares(self, ordered: Floats, statistics: Floats) -> Floats:
        """The mid-p values of statistics among ordered draws."""
        reached = len(ordered) - np.searchsorted(ordered, statistics - _TIE)
        above = len(ordered) - np.searchsorted(ordered, statistics + _TIE)
        if self.is_exact:
            return np.asarray((reached + above) / (2 * len(ordered)), dtype=np.float64)
        return np.asarray((reached + above + 1) / (2 * (len(ordered) + 1)), dtype=np.float64)


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
