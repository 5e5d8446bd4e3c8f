"""What an ideal interval covers where that of corrected rates covers more than 98 %.

Where the labels are expected to meet no error of the judge in a group of answers, the interval
covers more than its limit. Is it too wide, or can labels tell no more? Beside it is a test of the
true rate. The error rates are those most likely if this rate were true, the estimates that they give
are simulated, and the rate is excluded if the estimate found is among the most extreme 2.5 % on one
side, of equal ones half (mid-p). The rates that are not excluded make an interval with nothing
approximated but the error rates, which nobody knows. The test knows more than ``corrected_mean``:
which of all answers the second judge doubts, and that the labels were drawn by this. A draw records
the probabilities of drawn answers only, so there is a second test that does not know the doubts of
answers without a label.

``bench/judge_coverage.py`` writes the table. Counts have the axes label, score of the judge, and
whether the second judge disagrees.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from assay.stats.corrected import JudgedScores, corrected_mean

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


def fitted(population: Counts, labelled: Counts, chance: Floats, *, knows_doubts: bool) -> Floats:
    """The most likely probabilities of the kinds of answers if ``RATE`` is the true rate.

    Answers without a label are divided between right and wrong as those probabilities say, which
    follow from them again (expectation maximization). ``knows_doubts`` says whether it is known
    which of these answers the second judge doubts.
    """
    unknown = (1,) if knows_doubts else (1, 3)
    unlabelled = (population - labelled).sum(axis=unknown, keepdims=True)
    is_left = 1 - chance[:, None, None]
    shares = labelled + 0.01
    sides = np.array([1 - RATE, RATE])[:, None, None]
    for _ in range(FIT_STEPS):
        left = shares * is_left
        expected = labelled + unlabelled * left / left.sum(axis=unknown, keepdims=True)
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


def coverages(answers: int, labels: int, runs: int, seed: int) -> Floats:
    """The shares of runs whose interval contains the true rate: ours, and those of both tests."""
    rng = np.random.default_rng(seed)
    generators = (rng, *rng.spawn(1))
    population, labelled, chance = drawn(rng, cell_shares(), answers, labels, runs)
    found = estimates(population, labelled, chance)
    fits = [fitted(population, labelled, chance, knows_doubts=known) for known in (True, False)]
    hits = np.zeros(3)
    for run in range(runs):
        hits[0] += is_covered(population[run], labelled[run], chance[run])
        for test, generator in enumerate(generators):
            simulated = estimates(*drawn(generator, fits[test][run], answers, labels, REPEATS))
            hits[1 + test] += is_kept(float(found[run]), simulated)
    return hits / runs


def ideal_line(task: tuple[int, int, int]) -> str:
    """A line of the table: the number of the line, answers and labels."""
    number, answers, labels = task
    shares = " | ".join(f"{share:.3f}" for share in coverages(answers, labels, RUNS, number))
    return f"| {answers} | {RATE} | {ERRORS[0]} | {ERRORS[1]} | {labels} | {shares} |"


if __name__ == "__main__":
    for place, setting in enumerate(SETTINGS):
        print(ideal_line((3000 + place, *setting)), flush=True)
