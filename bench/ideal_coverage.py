"""What an ideal interval covers where that of corrected rates covers more than 98 %.

Where the labels are expected to meet no error of the judge in a group of answers, the interval
covers more than its limit. Is it too wide, or can labels tell no more? Beside it stands a test of the
true rate. The error rates are those most likely if this rate were true, the estimates that they give
are simulated, and the rate is excluded if the estimate found is among the most extreme 2.5 % on one
side, of equal ones half (mid-p). The rates that are not excluded make an interval with nothing
approximated but the error rates, which nobody knows. The test knows more than ``corrected_mean``:
which of all answers the second judge doubts, and that the labels were drawn by this.

``bench/judge_coverage.py`` writes the table. Counts have the axes label, score of the judge, and
whether the second judge disagrees.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from assay.stats import JudgedScores, corrected_mean

RATE: Final = 0.95
ERRORS: Final = (0.99, 0.99)
SECOND: Final = 0.85
"""Sensitivity and specificity of the second judge."""
SETTINGS: Final = ((2000, 200), (5000, 200), (5000, 300))
"""Answers and labels."""
RUNS: Final = 6000
REPEATS: Final = 1000
"""How many estimates are simulated for each test."""
FIT_STEPS: Final = 1500
LEVEL: Final = 0.95
SAME: Final = 1e-9
Counts = NDArray[np.int64]
Floats = NDArray[np.float64]


def cell_shares() -> Floats:
    """The probability of each kind of answer."""
    right = np.array([1 - RATE, RATE])
    sensitivity, specificity = ERRORS
    said = np.array([[specificity, 1 - specificity], [1 - sensitivity, sensitivity]])
    is_error = np.array([[False, True], [True, False]])
    doubted = np.where(is_error, SECOND, 1 - SECOND)
    return right[:, None, None] * said[:, :, None] * np.stack([1 - doubted, doubted], axis=-1)


def drawn(
    rng: np.random.Generator, shares: Floats, answers: int, labels: int, runs: int
) -> tuple[Counts, Counts, Floats]:
    """The answers of each run, those with a label, and the probability of a label by doubt.

    Doubted answers are three times as likely to be labelled.
    """
    population = rng.multinomial(answers, shares.ravel() / shares.sum(), size=runs)
    population = population.reshape(runs, 2, 2, 2)
    once = labels / (answers + 2 * population[..., 1].sum(axis=(1, 2)))
    chance = np.stack([once, np.minimum(1.0, 3 * once)], axis=-1)
    labelled = rng.binomial(population, np.broadcast_to(chance[:, None, None], population.shape))
    return population, labelled, chance


def estimates(population: Counts, labelled: Counts, chance: Floats) -> Floats:
    """The corrected rate of each run: weighted shares of the judge's groups, added up."""
    weighted = labelled / chance[:, None, None]
    groups = weighted.sum(axis=3)
    totals = groups.sum(axis=1)
    overall = groups[:, 1].sum(axis=1) / totals.sum(axis=1)
    inside = groups[:, 1] / np.maximum(totals, SAME)
    means = np.where(totals > 0, inside, overall[:, None])
    sizes = population.sum(axis=(1, 3))
    return (sizes * means).sum(axis=1) / sizes.sum(axis=1)


def fitted(population: Counts, labelled: Counts) -> Floats:
    """The most likely probabilities of the kinds of answers if ``RATE`` is the true rate.

    Answers without a label are divided between right and wrong as those probabilities say, which
    follow from them again (expectation maximization).
    """
    unlabelled = (population - labelled).sum(axis=1, keepdims=True)
    shares = labelled + 0.01
    sides = np.array([1 - RATE, RATE])[:, None, None]
    for _ in range(FIT_STEPS):
        expected = labelled + unlabelled * shares / shares.sum(axis=1, keepdims=True)
        shares = sides * expected / expected.sum(axis=(2, 3), keepdims=True)
        shares = np.maximum(shares, 1e-300)
    return shares


def is_kept(estimate: float, simulated: Floats) -> bool:
    """Whether neither tail beyond the estimate is too rare, equal values counted half."""
    equal = (np.abs(simulated - estimate) < SAME).mean() / 2
    above = (simulated > estimate + SAME).mean() + equal
    below = (simulated < estimate - SAME).mean() + equal
    return bool(min(above, below) >= (1 - LEVEL) / 2)


def is_covered(population: Counts, labelled: Counts, chance: Floats) -> bool:
    """Whether the interval of ``corrected_mean`` contains the true rate in this run."""
    label, said, doubted = (axis.ravel() for axis in np.indices(population.shape))
    unlabelled = population - labelled
    counts = np.concatenate([labelled.ravel(), unlabelled.ravel()])
    interval = corrected_mean(
        JudgedScores(
            judged=np.repeat(np.tile(said, 2), counts).astype(np.float64),
            labels=np.repeat(np.concatenate([label, np.full(8, np.nan)]), counts),
            weights=np.repeat(1 / chance[np.tile(doubted, 2)], counts),
        ),
        LEVEL,
    ).interval
    return interval is None or interval.low <= RATE <= interval.high


def coverages(answers: int, labels: int, runs: int, seed: int) -> tuple[float, float]:
    """The shares of runs whose interval contains the true rate: ours, and the ideal one."""
    rng = np.random.default_rng(seed)
    population, labelled, chance = drawn(rng, cell_shares(), answers, labels, runs)
    found, fits = estimates(population, labelled, chance), fitted(population, labelled)
    ours = ideal = 0
    for run in range(runs):
        ours += is_covered(population[run], labelled[run], chance[run])
        simulated = estimates(*drawn(rng, fits[run], answers, labels, REPEATS))
        ideal += is_kept(float(found[run]), simulated)
    return ours / runs, ideal / runs


def ideal_line(task: tuple[int, int, int]) -> str:
    """A line of the table: the number of the line, answers and labels."""
    number, answers, labels = task
    ours, ideal = coverages(answers, labels, RUNS, number)
    cells = f"{RATE} | {ERRORS[0]} | {ERRORS[1]} | {labels} | {ours:.3f} | {ideal:.3f}"
    return f"| {answers} | {cells} |"


if __name__ == "__main__":
    for place, setting in enumerate(SETTINGS):
        print(ideal_line((3000 + place, *setting)), flush=True)
