"""Refuse a summary of several runs whose figures cannot be, or contradict the runs that it lists."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any, Final

from assay.errors import UseError

_COARSEST: Final = 0.005
"""The largest difference that rounding explains: figures have two decimals at least."""
_FIGURES: Final = ("mean", "std", "min", "max")


def run_count(path: Path, content: Mapping[str, Any], runs: Sequence[Mapping[str, Any]]) -> int:
    """The number of runs of a summary; raises ``UseError`` if ``n`` is none, or not that of ``runs``."""
    count = content.get("n")
    if count is None:
        return len(runs)
    if isinstance(count, bool) or not isinstance(count, int | float) or count < 1 or count % 1:
        raise UseError(f"{path}: n is {count!r}; it is the number of runs, from 1")
    if runs and count != len(runs):
        raise UseError(f"{path}: n is {count:g}, but `runs` has {len(runs)}")
    return int(count)


def check_figure(
    path: Path, name: str, content: Mapping[str, Any], runs: Sequence[Mapping[str, Any]]
) -> None:
    """Raise ``UseError`` with the key of a figure that cannot be.

    A score is from 0 to 1, the mean lies between the smallest and the largest, and the spread of
    the population is at most half of what lies between these. If all runs have the score, the
    figures are those of the runs, as far as rounding allows.
    """
    stated = {what: _number(path, f"{name}.{what}", content.get(what)) for what in _FIGURES}
    mean, std, low, high = (stated[what] for what in _FIGURES)
    if mean is None:
        raise UseError(f"{path}: {name}.mean is {content.get('mean')!r}, not a number")
    for what in ("mean", "min", "max"):
        value = stated[what]
        if value is not None and not 0 <= value <= 1:
            raise UseError(f"{path}: {name}.{what} is {value:g}; a score is from 0 to 1")
    if std is not None and not 0 <= std <= 0.5 + _COARSEST:
        raise UseError(f"{path}: {name}.std is {std:g}; that of scores is from 0 to 0.5")
    for what, bound, is_wrong in (("min", low, mean.__lt__), ("max", high, mean.__gt__)):
        if bound is not None and is_wrong(bound) and not _same(mean, bound):
            raise UseError(f"{path}: {name}.mean is {mean:g}, but {name}.{what} is {bound:g}")
    listed = [_score(run.get(name)) for run in runs]
    values = [value for value in listed if value is not None]
    if values and len(values) == len(listed):
        _check_against_runs(path, name, stated, values)


def _check_against_runs(
    path: Path, name: str, stated: Mapping[str, float | None], values: Sequence[float]
) -> None:
    of_runs = {"mean": fmean(values), "std": pstdev(values), "min": min(values), "max": max(values)}
    for what, value in of_runs.items():
        written = stated[what]
        if written is not None and not _same(written, value):
            raise UseError(
                f"{path}: {name}.{what} is {written:g}, but that of its {len(values)} `runs` is "
                f"{value:.6g}"
            )


def _number(path: Path, key: str, value: Any) -> float | None:
    if value is None:
        return None
    number = _score(value)
    if number is None:
        raise UseError(f"{path}: {key} is {value!r}, not a number")
    return number


def _score(value: Any) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and math.isfinite(value) else None


def _same(written: float, value: float) -> bool:
    """Whether a number may be the other one, rounded to the decimals that it is written with.

    >>> _same(0.87, 0.8712), _same(0.8712, 0.87), _same(0.87, 0.9), _same(0.9, 0.86)
    (True, False, False, False)
    """
    decimals = len(f"{written!r}".partition(".")[2]) if "e" not in f"{written!r}" else 17
    return abs(written - value) <= min(0.5 * 10.0**-decimals, _COARSEST) + 1e-9
