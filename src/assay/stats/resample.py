"""Resampling: streams of random numbers, and bootstrap distributions of means.

The bootstrap distribution of the mean of ``n`` values is the ``n``-fold convolution of the
distribution of the values. A Fourier transform computes it in milliseconds: the result is the
limit for infinitely many resamples, without random noise. For very many values, the first four
moments give the same result. ``drawn_means`` draws a given number of random resamples instead.
"""

import hashlib
import math
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from assay.stats.gaussian import normal_cdf, normal_quantile

Floats: TypeAlias = NDArray[np.float64]

_REACH = 12.0
"""Half the width of the grid, in standard deviations of the sum. Less than 1e-9 of the mass is
outside, even if a single value of many causes all the spread."""
FEWEST_CELLS = 1 << 15
"""With this many cells, a cell is less than a thousandth of the standard error of the mean."""
_CELLS_PER_ROOT = 400
"""The number of cells is at least this times √n. Then putting the values on the grid increases
their variance by at most a thousandth, and this increase is corrected."""
MOST_CONVOLVED = 20_000
"""For more values than this, the moments are used, unless a few values cause most of the spread."""
_MAX_SKEW = 0.05
_MAX_KURTOSIS = 0.01
_BLOCK = 1 << 17


def stream(seed: int, *names: str) -> np.random.Generator:
    """A random number generator that depends only on the seed and the names.

    >>> stream(1, "cite_ok", "fast").random() == stream(1, "cite_ok", "fast").random()
    True
    """
    text = "\x1f".join((str(seed), *names))
    key = hashlib.blake2b(text.encode(), digest_size=16).digest()
    return np.random.default_rng(int.from_bytes(key))


def finite_values(values: NDArray[np.floating]) -> Floats:
    """The values that are finite; NaN means undefined, and infinity is not a measurement.

    >>> finite_values(np.array([1.0, np.nan, 0.5])).tolist()
    [1.0, 0.5]
    """
    doubles = np.asarray(values, dtype=np.float64)
    finite = np.isfinite(doubles)
    return doubles if finite.all() else doubles[finite]


def cluster_sums(values: Floats, clusters: NDArray[np.integer]) -> tuple[Floats, Floats]:
    """The sums and the sizes of the clusters that contain a value, ordered by cluster number.

    >>> cluster_sums(np.array([1.0, 2.0, 5.0]), np.array([7, 7, 2]))
    (array([5., 3.]), array([1., 2.]))
    """
    numbers = np.asarray(clusters, dtype=np.intp)
    if numbers.size and (numbers.min() < 0 or numbers.max() > 4 * numbers.size + 1024):
        numbers = np.unique(numbers, return_inverse=True)[1]
    sizes = np.bincount(numbers).astype(np.float64)
    sums = np.asarray(np.bincount(numbers, weights=values), dtype=np.float64)
    present = sizes > 0
    return sums[present], sizes[present]


def cluster_count(clusters: NDArray[np.integer]) -> int:
    """The number of different clusters. Cluster numbers must not be negative, and not very large.

    Counting needs an array up to the largest number, but is much faster than sorting.

    >>> cluster_count(np.array([3, 0, 3]))
    2
    """
    return int(np.count_nonzero(np.bincount(clusters)))


class MeanDistribution:
    """The bootstrap distribution of the mean of values that are not all equal.

    The values are put on a grid: each is divided between the two nearest cells, which preserves
    the mean. The distribution is convolved with itself ``n`` times, and the grid is used as a
    density. Sums beyond one edge of the grid wrap around to the other edge; see ``_REACH``.

    >>> coin = MeanDistribution(np.array([0.0, 1.0]))
    >>> round(coin.below(0.5), 6), round(coin.quantile(0.9), 3)
    (0.5, 1.0)
    """

    method = "bca"

    def __init__(self, values: Floats, *, fewest_cells: int = FEWEST_CELLS) -> None:
        n = len(values)
        self._n = n
        self._mean = float(values.mean())
        centred = values - self._mean
        spread = math.sqrt(float(np.mean(centred * centred)))
        furthest = float(np.abs(centred).max())
        half = 1.05 * min(_REACH * spread * math.sqrt(n), n * furthest)
        self._cells = max(fewest_cells, 1 << math.ceil(math.log2(_CELLS_PER_ROOT * math.sqrt(n))))
        step = 2 * half / self._cells
        mass = _on_grid(centred / step, self._cells)
        offsets = np.fft.fftfreq(self._cells, 1 / self._cells)
        widened = step * math.sqrt(max(float(mass @ (offsets * offsets)), 0.0))
        # If values wrap around the edge of the grid, the spread on the grid is not their spread.
        fits = furthest < half
        self._step = step * (spread / widened if fits and widened > 0 else 1.0)
        spectrum = _power(np.fft.rfft(mass), n)
        density = np.fft.fftshift(np.fft.irfft(spectrum, self._cells))
        self._density = np.maximum(density, 0.0)
        self._density /= self._density.sum()
        self._cumulative = np.cumsum(self._density)

    def below(self, value: float) -> float:
        """The share of resamples with a mean below ``value``, plus half of those equal to it.

        Means count as equal within √n cells in either direction, because the grid is not exact.
        """
        position = (value - self._mean) * self._n / self._step + self._cells / 2
        tolerance = math.sqrt(self._n) + 1
        return (self._mass_up_to(position - tolerance) + self._mass_up_to(position + tolerance)) / 2

    def quantile(self, share: float) -> float:
        """The value that the means of this ``share`` of the resamples are below."""
        cell = min(int(np.searchsorted(self._cumulative, share)), self._cells - 1)
        before = float(self._cumulative[cell - 1]) if cell else 0.0
        inside = (share - before) / float(self._density[cell]) if self._density[cell] else 0.5
        position = cell - 0.5 + min(max(inside, 0.0), 1.0) - self._cells / 2
        return self._mean + position * self._step / self._n

    def _mass_up_to(self, position: float) -> float:
        """The mass up to a position on the grid; a cell extends half a step in each direction."""
        cell = math.floor(position + 0.5)
        if cell < 0 or cell >= self._cells:
            return 0.0 if cell < 0 else 1.0
        before = float(self._cumulative[cell - 1]) if cell else 0.0
        return before + (position + 0.5 - cell) * float(self._density[cell])


class MeanExpansion:
    """The same distribution from its moments, by the Edgeworth and Cornish-Fisher expansions.

    If ``is_quiet``, the omitted terms are below a thousandth of the standard error.
    """

    method = "bca-expansion"

    def __init__(self, values: Floats) -> None:
        n = len(values)
        self._mean = float(values.mean())
        centred = values - self._mean
        squares = centred * centred
        variance = float(squares.mean())
        self._error = math.sqrt(variance / n)
        self._skew = float(squares @ centred) / (n * variance) / (self._error * n)
        self._kurtosis = (float(squares @ squares) / n / variance**2 - 3) / n

    @property
    def is_quiet(self) -> bool:
        """Whether skew and kurtosis are small, so that a few terms of the expansion suffice.

        It is false if a few values cause most of the spread.
        """
        return abs(self._skew) < _MAX_SKEW and abs(self._kurtosis) < _MAX_KURTOSIS

    def below(self, value: float) -> float:
        """The share of resamples with a mean below ``value``."""
        z = (value - self._mean) / self._error
        terms = self._skew * (z**2 - 1) / 6 + self._kurtosis * (z**3 - 3 * z) / 24
        terms += self._skew**2 * (z**5 - 10 * z**3 + 15 * z) / 72
        density = math.exp(-z * z / 2) / math.sqrt(2 * math.pi)
        return min(max(normal_cdf(z) - density * terms, 0.0), 1.0)

    def quantile(self, share: float) -> float:
        """The value that the means of this ``share`` of the resamples are below."""
        z = normal_quantile(share)
        terms = self._skew * (z**2 - 1) / 6 + self._kurtosis * (z**3 - 3 * z) / 24
        terms -= self._skew**2 * (2 * z**3 - 5 * z) / 36
        return self._mean + self._error * (z + terms)


def mean_distribution(
    values: Floats, *, fewest_cells: int = FEWEST_CELLS
) -> MeanDistribution | MeanExpansion:
    """The bootstrap distribution of a mean, from moments if that is as good as convolution."""
    if len(values) > MOST_CONVOLVED and (expansion := MeanExpansion(values)).is_quiet:
        return expansion
    return MeanDistribution(values, fewest_cells=fewest_cells)


def drawn_means(
    sums: Floats, sizes: Floats | None, resamples: int, rng: np.random.Generator
) -> Floats:
    """The means of random resamples of clusters that have these sums and sizes.

    If ``sizes`` is ``None``, every cluster is a single value.
    """
    n = len(sums)
    means = np.empty(resamples)
    rows = max(1, _BLOCK // n)
    drawn = np.empty((rows, n))
    for start in range(0, resamples, rows):
        count = min(rows, resamples - start)
        chosen = rng.integers(0, n, size=(count, n))
        # The default mode checks the indices and copies through a buffer. No index is out of
        # range here, so ``clip`` is safe and faster.
        totals = sums.take(chosen, out=drawn[:count], mode="clip").sum(axis=1)
        weights = (
            n if sizes is None else sizes.take(chosen, out=drawn[:count], mode="clip").sum(axis=1)
        )
        means[start : start + count] = totals / weights
    return means


def _on_grid(positions: Floats, cells: int) -> Floats:
    """The mass of each cell. A position (in cells) is divided between the two nearest cells."""
    low = np.floor(positions)
    share = positions - low
    index = low.astype(np.intp) % cells
    mass = np.bincount(index, weights=1 - share, minlength=cells)
    mass += np.roll(np.bincount(index, weights=share, minlength=cells), 1)
    return np.asarray(mass / len(positions), dtype=np.float64)


def _power(base: NDArray[np.complex128], exponent: int) -> NDArray[np.complex128]:
    """``base ** exponent`` by repeated squaring, several times faster than NumPy's power."""
    result = np.ones_like(base)
    while exponent:
        if exponent & 1:
            result *= base
        base = base * base
        exponent >>= 1
    return result
