"""Resampling: streams of random numbers, and bootstrap distributions of means.

The bootstrap distribution of a mean of ``n`` values is the ``n``-fold convolution of their
own distribution, and a Fourier transform computes it as such: the limit of ever more
resamples, without their noise and in milliseconds. Of very many values the first four
moments say the same. ``drawn_means`` draws resamples one by one instead, for whoever wants a
given number of them.
"""

import hashlib
import math
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from assay.stats.gaussian import normal_cdf, normal_quantile

Floats: TypeAlias = NDArray[np.float64]

_REACH = 12.0
"""Half the window of a distribution, in its standard deviations: beyond is under 1e-9, even
where one value of many carries all the spread."""
FEWEST_CELLS = 1 << 15
"""A cell is then less than a thousandth of the mean's standard error."""
_CELLS_A_ROOT = 400
"""Cells for each root of ``n``: putting values on the grid then adds at most a thousandth to
their variance, which is taken off again."""
MOST_CONVOLVED = 20_000
"""Values beyond which the moments are used, unless a few of the values carry the spread."""
_QUIET_SKEW = 0.05
_QUIET_KURTOSIS = 0.01
_BLOCK = 1 << 17


def stream(seed: int, *names: str) -> np.random.Generator:
    """Random numbers that depend on the seed and the names alone, not on what came before.

    >>> stream(1, "cite_ok", "fast").random() == stream(1, "cite_ok", "fast").random()
    True
    """
    text = "\x1f".join((str(seed), *names))
    key = hashlib.blake2b(text.encode(), digest_size=16).digest()
    return np.random.default_rng(int.from_bytes(key))


def defined(values: NDArray[np.floating]) -> Floats:
    """The values that are numbers; NaN says undefined and infinity is no measurement.

    >>> defined(np.array([1.0, np.nan, 0.5])).tolist()
    [1.0, 0.5]
    """
    wide = np.asarray(values, dtype=np.float64)
    finite = np.isfinite(wide)
    return wide if finite.all() else wide[finite]


def grouped(values: Floats, clusters: NDArray[np.integer]) -> tuple[Floats, Floats]:
    """Sum and size of each cluster that holds a value, in the order of their numbers.

    >>> grouped(np.array([1.0, 2.0, 5.0]), np.array([7, 7, 2]))
    (array([5., 3.]), array([1., 2.]))
    """
    numbers = np.asarray(clusters, dtype=np.intp)
    if numbers.size and (numbers.min() < 0 or numbers.max() > 4 * numbers.size + 1024):
        numbers = np.unique(numbers, return_inverse=True)[1]
    sizes = np.bincount(numbers).astype(np.float64)
    sums = np.asarray(np.bincount(numbers, weights=values), dtype=np.float64)
    held = sizes > 0
    return sums[held], sizes[held]


def cluster_count(clusters: NDArray[np.integer]) -> int:
    """How many clusters there are, numbered from 0; counting is much faster than sorting.

    >>> cluster_count(np.array([3, 0, 3]))
    2
    """
    return int(np.count_nonzero(np.bincount(clusters)))


class MeanDistribution:
    """The bootstrap distribution of the mean of values that are not all equal.

    Values are put on a grid (each shared between its two neighbours, which keeps the mean),
    their distribution is convolved with itself ``n`` times, and the grid is read as a
    density. Sums that pass the window's edge come in on the other side; see ``_REACH``.

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
        self._cells = max(fewest_cells, 1 << math.ceil(math.log2(_CELLS_A_ROOT * math.sqrt(n))))
        step = 2 * half / self._cells
        mass = _on_grid(centred / step, self._cells)
        offsets = np.fft.fftfreq(self._cells, 1 / self._cells)
        widened = step * math.sqrt(max(float(mass @ (offsets * offsets)), 0.0))
        # Values far outside the window wrap; there the grid says nothing about their spread.
        exact = furthest < half
        self._step = step * (spread / widened if exact and widened > 0 else 1.0)
        spectrum = _power(np.fft.rfft(mass), n)
        density = np.fft.fftshift(np.fft.irfft(spectrum, self._cells))
        self._density = np.maximum(density, 0.0)
        self._density /= self._density.sum()
        self._cumulative = np.cumsum(self._density)

    def below(self, value: float) -> float:
        """The share of resamples with a mean below ``value``, and half of those that equal it.

        "Equal" allows for what the grid blurs, the root of ``n`` cells to either side.
        """
        place = (value - self._mean) * self._n / self._step + self._cells / 2
        blur = math.sqrt(self._n) + 1
        return (self._up_to(place - blur) + self._up_to(place + blur)) / 2

    def quantile(self, share: float) -> float:
        """The mean that ``share`` of the resamples stay below."""
        cell = min(int(np.searchsorted(self._cumulative, share)), self._cells - 1)
        before = float(self._cumulative[cell - 1]) if cell else 0.0
        inside = (share - before) / float(self._density[cell]) if self._density[cell] else 0.5
        place = cell - 0.5 + min(max(inside, 0.0), 1.0) - self._cells / 2
        return self._mean + place * self._step / self._n

    def _up_to(self, place: float) -> float:
        """The mass up to a place on the grid, each cell reaching half a step to either side."""
        cell = math.floor(place + 0.5)
        if cell < 0 or cell >= self._cells:
            return 0.0 if cell < 0 else 1.0
        before = float(self._cumulative[cell - 1]) if cell else 0.0
        return before + (place + 0.5 - cell) * float(self._density[cell])


class MeanExpansion:
    """The same distribution by its moments: Edgeworth's series, and Cornish and Fisher's.

    The terms left out are below a thousandth of the standard error where ``is_quiet``.
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
        """Whether no few values carry the spread, so that the series ends soon."""
        return abs(self._skew) < _QUIET_SKEW and abs(self._kurtosis) < _QUIET_KURTOSIS

    def below(self, value: float) -> float:
        """The share of resamples with a mean below ``value``."""
        z = (value - self._mean) / self._error
        terms = self._skew * (z**2 - 1) / 6 + self._kurtosis * (z**3 - 3 * z) / 24
        terms += self._skew**2 * (z**5 - 10 * z**3 + 15 * z) / 72
        density = math.exp(-z * z / 2) / math.sqrt(2 * math.pi)
        return min(max(normal_cdf(z) - density * terms, 0.0), 1.0)

    def quantile(self, share: float) -> float:
        """The mean that ``share`` of the resamples stay below."""
        z = normal_quantile(share)
        terms = self._skew * (z**2 - 1) / 6 + self._kurtosis * (z**3 - 3 * z) / 24
        terms -= self._skew**2 * (2 * z**3 - 5 * z) / 36
        return self._mean + self._error * (z + terms)


def mean_distribution(
    values: Floats, *, fewest_cells: int = FEWEST_CELLS
) -> MeanDistribution | MeanExpansion:
    """The bootstrap distribution of a mean, in whichever way is cheap and as good as exact."""
    if len(values) > MOST_CONVOLVED and (expansion := MeanExpansion(values)).is_quiet:
        return expansion
    return MeanDistribution(values, fewest_cells=fewest_cells)


def drawn_means(
    sums: Floats, sizes: Floats | None, resamples: int, rng: np.random.Generator
) -> Floats:
    """Means of ``resamples`` resamples, drawn: whole clusters of these sums and sizes.

    Without sizes every cluster is a single value.
    """
    n = len(sums)
    means = np.empty(resamples)
    rows = max(1, _BLOCK // n)
    drawn = np.empty((rows, n))
    for start in range(0, resamples, rows):
        count = min(rows, resamples - start)
        chosen = rng.integers(0, n, size=(count, n))
        # ``clip`` because the checked mode copies through a buffer; no index is out of range.
        totals = sums.take(chosen, out=drawn[:count], mode="clip").sum(axis=1)
        weights = (
            n if sizes is None else sizes.take(chosen, out=drawn[:count], mode="clip").sum(axis=1)
        )
        means[start : start + count] = totals / weights
    return means


def _on_grid(places: Floats, cells: int) -> Floats:
    """Mass of a cell each, places (in cells) being shared between their two neighbours."""
    low = np.floor(places)
    share = places - low
    index = low.astype(np.intp) % cells
    mass = np.bincount(index, weights=1 - share, minlength=cells)
    mass += np.roll(np.bincount(index, weights=share, minlength=cells), 1)
    return np.asarray(mass / len(places), dtype=np.float64)


def _power(base: NDArray[np.complex128], exponent: int) -> NDArray[np.complex128]:
    """By squaring: several times faster than the general power of complex numbers."""
    result = np.ones_like(base)
    while exponent:
        if exponent & 1:
            result *= base
        base = base * base
        exponent >>= 1
    return result
