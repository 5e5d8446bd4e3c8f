"""How often the test of groups finds a difference: ``python bench/subgroups.py``.

Runs with a known truth are simulated. In the first tables the effect is the same in all groups, so a cell
is the share of false findings at 5 %; in the last two it differs, and Welch's F test of SciPy is beside it
where questions are the units. The tables are on the page ``docs/evidence/coverage.md``.
"""

import argparse
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.stats import f_oneway

from assay.stats.subgroup import group_p_value

Size: TypeAlias = tuple[int, int, float]
Numbers: TypeAlias = NDArray[np.int64]
Draw: TypeAlias = Callable[[np.random.Generator, Numbers], NDArray[np.float64]]

RESAMPLES: Final = 299
SMALL: Final = ((20, 2, 1), (20, 2, 3), (40, 3, 2), (60, 5, 1), (60, 5, 1.6))
SIZES: Final = (*SMALL, (300, 3, 2), (300, 5, 1.6))
"""Questions, groups, and by how much each group is larger than the one before."""
DOCUMENTS: Final = ((12, 2, 1), (20, 3, 2), (30, 5, 1), (60, 5, 1.6))


def choice(gain: float, lose: float = 0.0) -> Draw:
    """Questions that gain or lose, with the same shares in each group."""
    shares = [gain, lose, 1 - gain - lose]
    return lambda rng, groups: rng.choice([1.0, -1.0, 0.0], len(groups), p=shares)


def normal(*spreads: float, gain: float = 0.0) -> Draw:
    """Normal differences with the spread of each group; the first group gains more by ``gain``."""
    return lambda rng, groups: (
        0.1 + gain * (groups == 0) + rng.normal(size=len(groups)) * np.array(spreads)[groups]
    )


def unequal_losses(rng: np.random.Generator, groups: Numbers) -> NDArray[np.float64]:
    """Every group gains five points, but in some of them far more questions change."""
    changed = np.array([0.0, 0.2, 0.1, 0.03, 0.25])[groups]
    drawn = rng.random(len(groups))
    return (drawn < 0.05 + changed).astype(float) - (drawn > 1 - changed)


def rare_losses(rng: np.random.Generator, groups: Numbers) -> NDArray[np.float64]:
    """Most questions gain a little, and one of ten loses much: a group may have none of these."""
    lost = rng.random(len(groups)) < 0.1
    return np.where(lost, -0.8, 0.1) + rng.normal(0, 0.02, len(groups))


SAME: Final[dict[str, Draw]] = {
    "normal": normal(1, 1, 1, 1, 1),
    "small groups vary more": normal(4, 2.5, 2, 1.5, 1),
    "large groups vary more": normal(1, 1.5, 2, 2.5, 4),
    "few lose much": rare_losses,
    "yes/no, 6 % gain": choice(0.06),
    "yes/no, 5 % gain and 5 % lose": choice(0.05, 0.05),
    "yes/no, changes unequal": unequal_losses,
}
OTHER: Final[dict[str, Draw]] = {
    "normal, 1 more in one group": normal(1, 1, 1, 1, 1, gain=1.0),
    "small groups vary more, 1.5 more": normal(4, 2.5, 2, 1.5, 1, gain=1.5),
}


def groups_of(n: int, count: int, ratio: float) -> Numbers:
    """The groups of ``n`` units, none smaller than five."""
    shares = ratio ** np.arange(count)
    sizes = np.maximum(5, np.round(n * shares / shares.sum())).astype(int)
    return np.repeat(np.arange(count), sizes)


def cell(job: tuple[str, str, Size, int]) -> str:
    """The share of findings of one cell."""
    kind, name, (n, count, ratio), draws = job
    rng = np.random.default_rng([len(name), n, count, len(kind)])
    found = textbook = 0
    for seed in range(draws):
        groups, units = groups_of(n, count, ratio), None
        if kind in {"documents", "divided"}:
            units = np.repeat(np.arange(len(groups)), rng.integers(1, 8, len(groups)))
            groups = groups[units] if kind == "documents" else rng.permutation(groups[units])
        changes = {**SAME, **OTHER}[name](rng, groups)
        if units is not None and name in {"normal", "large groups vary more", *OTHER}:
            changes += 0.5 * rng.normal(size=int(units.max()) + 1)[units]
        p = group_p_value(changes, groups, units, resamples=RESAMPLES, seed=seed)
        found += p is not None and p <= 0.05
        if kind == "other":
            parts = (changes[groups == group] for group in range(count))
            textbook += f_oneway(*parts, equal_var=False).pvalue <= 0.05
    return f"{found / draws:.1%}" + (f" ({textbook / draws:.1%})" if kind == "other" else "")


def table(kind: str, names: list[str], sizes: Sequence[Size], draws: int) -> None:
    """Print a table with a row for each shape of changes."""
    heads = [f"{n} in {count}{'' if ratio == 1 else ', unequal'}" for n, count, ratio in sizes]
    print("", f"| {kind} | {' | '.join(heads)} |", f"|{'---|' * (len(sizes) + 1)}", sep="\n")
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for name in names:
            cells = pool.map(cell, [(kind, name, size, draws) for size in sizes])
            print(f"| {name} | {' | '.join(cells)} |", flush=True)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=1_000, help="simulated runs for each cell")
    draws = parser.parse_args().draws
    table("questions", list(SAME), SIZES, draws)
    for kind in ("documents", "divided"):
        table(kind, list(SAME), DOCUMENTS, draws)
    table("other", list(OTHER), SIZES, draws)
    table("divided", list(OTHER)[:1], DOCUMENTS, draws)


if __name__ == "__main__":
    main()
