"""How far people agree beyond chance when they put things into classes.

Kappa: J. Cohen, "A coefficient of agreement for nominal scales", Educational and Psychological
Measurement 20 (1960). Alpha: K. Krippendorff, "Computing Krippendorff's alpha-reliability" (2011),
here for classes without an order.

Both are 1 if all agree and 0 if they agree as often as by chance. Intervals are percentiles of a
bootstrap that draws whole questions: answers of several variants to one question are not
independent. If nobody disagrees, all draws would be 1; then the lower end follows from Wilson's
interval of the share of questions without disagreement. If all draws are equal for another reason,
for example because one person always chose the same class, nothing is known about the spread, and
there is no interval.
"""

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from assay.stats.interval import ROUNDING, Interval, wilson, with_width
from assay.stats.resample import Floats, quantiles, stream

DRAWS: Final = 2000
FEWEST_QUESTIONS: Final = 2
"""With fewer questions, nothing is known about the spread."""
_DRAWS_AT_ONCE: Final = 200
_LEAST_DEFINED: Final = 0.5
"""The share of draws that must have a value; otherwise there is no interval."""


def cohen_kappa(table: Floats) -> float | None:
    """Cohen's kappa of two people; ``table`` counts their pairs of classes.

    With the share ``p`` on the diagonal and ``e``, the sum of the products of both people's shares
    of each class: ``(p − e) / (1 − e)``. ``None`` if there is no pair, or if both always chose the
    same one class: then agreement by chance is certain.

    >>> round(cohen_kappa(np.array([[20.0, 5.0], [10.0, 15.0]])), 3)
    0.4
    """
    return _defined(_kappas(np.asarray(table, np.float64)[None])[0])


def krippendorff_alpha(counts: Floats) -> float | None:
    """Krippendorff's alpha for classes without an order; things that one person saw do not count.

    ``counts`` has a row for each thing: how many people put it into each class. With the pairs of
    people of each thing, weighted so that each person counts once: 1 minus the observed share of
    pairs that differ over the share expected by chance. ``None`` if no thing was seen by two
    people, or if only one class was ever chosen.

    >>> counts = np.array([[2.0, 0.0], [1.0, 1.0], [0.0, 2.0], [0.0, 1.0]])
    >>> round(krippendorff_alpha(counts), 4)
    0.4444
    """
    return _defined(_alphas(_alpha_parts(counts).sum(axis=0)[None])[0])


def kappa_interval(
    tables: Floats, questions: NDArray[np.integer], *, seed: int = 0, level: float = 0.95
) -> Interval | None:
    """The interval of kappa; each table counts the pair of one thing, and is of a question."""
    parts = np.asarray(tables, np.float64)
    if not len(parts):
        return None
    size = parts.shape[1]
    differs = parts.sum(axis=(1, 2)) > np.trace(parts, axis1=1, axis2=2)
    return _interval(
        parts.reshape(len(parts), -1),
        questions,
        lambda sums: _kappas(sums.reshape(-1, size, size)),
        differs,
        _chance_of_kappa(parts.sum(axis=0)),
        (seed, level),
    )


def alpha_interval(
    counts: Floats, questions: NDArray[np.integer], *, seed: int = 0, level: float = 0.95
) -> Interval | None:
    """The interval of alpha; each row of ``counts`` is of a question."""
    parts = _alpha_parts(counts)
    if not len(parts):
        return None
    whole = parts.sum(axis=0)
    classes, total = whole[1:], whole[1:].sum()
    chance = (classes * (classes - 1)).sum() / (total * (total - 1)) if total > 1 else 1.0
    seen = parts[:, 1:].sum(axis=1)
    differs = seen - parts[:, 0] > 1e-9
    return _interval(parts, questions, _alphas, differs, float(chance), (seed, level), seen > 0)


def _kappas(tables: Floats) -> Floats:
    """Kappa of each table; NaN where it is undefined."""
    total = tables.sum(axis=(1, 2))
    with np.errstate(divide="ignore", invalid="ignore"):
        shared = np.trace(tables, axis1=1, axis2=2) / total
        chance = (tables.sum(axis=1) * tables.sum(axis=2)).sum(axis=1) / total**2
        beyond = np.where(np.abs(shared - chance) > ROUNDING, shared - chance, 0.0)
        kappas: Floats = np.where(1 - chance > ROUNDING, beyond / (1 - chance), np.nan)
    return kappas


def _chance_of_kappa(table: Floats) -> float:
    total = table.sum()
    return float((table.sum(axis=0) * table.sum(axis=1)).sum() / total**2) if total else 1.0


def _alpha_parts(counts: Floats) -> Floats:
    """What each thing adds: agreeing people, and people by class. Sums of it give alpha."""
    counted = np.asarray(counts, np.float64)
    people = counted.sum(axis=1)
    is_seen = people > 1
    agreeing = (counted * (counted - 1)).sum(axis=1) / np.maximum(people - 1, 1)
    return np.where(is_seen[:, None], np.column_stack([agreeing, counted]), 0.0)


def _alphas(sums: Floats) -> Floats:
    """Alpha from sums of parts; NaN where it is undefined."""
    agreeing, classes = sums[:, 0], sums[:, 1:]
    total = classes.sum(axis=1)
    differing_by_chance = total**2 - (classes**2).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        alphas: Floats = np.where(
            differing_by_chance > 0,
            1 - (total - 1) * (total - agreeing) / differing_by_chance,
            np.nan,
        )
    return alphas


def _interval(
    parts: Floats,
    questions: NDArray[np.integer],
    statistic: Callable[[Floats], Floats],
    differs: NDArray[np.bool_],
    chance: float,
    seed_and_level: tuple[int, float],
    counts: NDArray[np.bool_] | None = None,
) -> Interval | None:
    """The interval of a statistic of sums; ``chance`` is the share of agreement by chance."""
    seed, level = seed_and_level
    is_counted = np.ones(len(parts), np.bool_) if counts is None else counts
    numbers = np.unique(np.asarray(questions)[is_counted], return_inverse=True)[1]
    n = int(numbers.max()) + 1 if len(numbers) else 0
    if n < FEWEST_QUESTIONS or chance >= 1 - ROUNDING:
        return None
    if not differs.any():
        low = wilson(n, n, level)
        assert low is not None
        return Interval(
            low=(low.low - chance) / (1 - chance), high=1.0, level=level, method="wilson"
        )
    by_question = np.zeros((n, parts.shape[1]))
    np.add.at(by_question, numbers, parts[is_counted])
    random = stream(seed, "agreement")
    draws = np.concatenate(
        [
            statistic(random.multinomial(n, np.full(n, 1 / n), _DRAWS_AT_ONCE) @ by_question)
            for _ in range(DRAWS // _DRAWS_AT_ONCE)
        ]
    )
    draws = draws[~np.isnan(draws)]
    if len(draws) < _LEAST_DEFINED * DRAWS:
        return None
    ends = quantiles(draws, (1 - level) / 2, (1 + level) / 2)
    interval = Interval(low=ends[0], high=ends[1], level=level, method="bootstrap")
    return with_width(interval, size=1.0)


def _defined(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
