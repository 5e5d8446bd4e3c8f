"""How far people agree beyond chance when they put things into classes.

Kappa: J. Cohen, "A coefficient of agreement for nominal scales", Educational and Psychological
Measurement 20 (1960). Alpha: K. Krippendorff, "Computing Krippendorff's alpha-reliability" (2011),
here for classes without an order.

Both are 1 if all agree and 0 if they agree as often as by chance. Their intervals leave out whole
questions, because answers of several variants to one question are not independent: the delete-one
jackknife (R. G. Miller, Biometrika 61, 1974) gives the variance, and the ends are Wilson's for the share
of agreement behind the value (see ``jackknife_interval``). If nobody disagrees, it is that of as many
questions without a disagreement.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from assay.stats.interval import ROUNDING, Interval
from assay.stats.mean_interval import jackknife_interval
from assay.stats.resample import Floats


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
    tables: Floats, questions: NDArray[np.integer], *, level: float = 0.95
) -> Interval | None:
    """The interval of kappa; each table counts the pair of one thing, and is of a question."""
    parts = np.asarray(tables, np.float64)
    if not len(parts):
        return None
    size, table = parts.shape[1], parts.sum(axis=0)
    total = table.sum()
    chance = (table.sum(axis=0) * table.sum(axis=1)).sum() / total**2 if total else 1.0
    return _interval(
        parts.reshape(len(parts), -1),
        parts.sum(axis=(1, 2)),
        questions,
        lambda sums: _kappas(sums.reshape(-1, size, size)),
        float(chance),
        level,
    )


def alpha_interval(
    counts: Floats, questions: NDArray[np.integer], *, level: float = 0.95
) -> Interval | None:
    """The interval of alpha; each row of ``counts`` is of a question."""
    parts = _alpha_parts(counts)
    if not len(parts):
        return None
    whole = parts.sum(axis=0)
    classes, total = whole[1:], whole[1:].sum()
    chance = (classes * (classes - 1)).sum() / (total * (total - 1)) if total > 1 else 1.0
    return _interval(parts, parts[:, 1:].sum(axis=1), questions, _alphas, float(chance), level)


def _kappas(tables: Floats) -> Floats:
    """Kappa of each table; NaN where it is undefined."""
    total = tables.sum(axis=(1, 2))
    with np.errstate(divide="ignore", invalid="ignore"):
        shared = np.trace(tables, axis1=1, axis2=2) / total
        chance = (tables.sum(axis=1) * tables.sum(axis=2)).sum(axis=1) / total**2
        beyond = np.where(np.abs(shared - chance) > ROUNDING, shared - chance, 0.0)
        kappas: Floats = np.where(1 - chance > ROUNDING, beyond / (1 - chance), np.nan)
    return kappas


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
    weights: Floats,
    questions: NDArray[np.integer],
    statistic: Callable[[Floats], Floats],
    chance: float,
    level: float,
) -> Interval | None:
    """The interval of a statistic of sums; things without a weight do not count.

    Questions whose weights differ say as much as ``(Σ w)² / Σ w²`` equal ones (L. Kish, "Survey
    sampling", 1965).
    """
    names, numbers = np.unique(np.asarray(questions)[weights > 0], return_inverse=True)
    if not len(names):
        return None
    sums = np.zeros((len(names), parts.shape[1]))
    np.add.at(sums, numbers, parts[weights > 0])
    heavy = np.bincount(numbers, weights=weights[weights > 0])
    whole = sums.sum(axis=0)
    return jackknife_interval(
        float(statistic(whole[None])[0]),
        statistic(whole - sums),
        chance=chance,
        count=float(heavy.sum() ** 2 / (heavy @ heavy)),
        level=level,
    )


def _defined(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
