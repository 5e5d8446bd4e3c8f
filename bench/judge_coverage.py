"""How often the intervals of corrected rates and differences contain the true value.

Run ``python bench/judge_coverage.py [RUNS]``. It writes a table to ``docs/evidence/judge-coverage.md``. For
each setting, runs are simulated: answers are right with a known probability, a judge errs with
known rates, some answers are labelled at random. The true rate is known, so it can be counted how
often an interval contains it: 95 % are wanted, and at least 93 % required. Beside it are the interval
of the judge alone, and the plain prediction-powered one. The first table has the standard parts of
which the interval could be made.
"""

import itertools
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, Final

import numpy as np
from kind_coverage import kind_lines
from numpy.typing import NDArray

from assay.judge.calibration import FEWEST_OF_A_KIND
from assay.stats.beta import beta_quantile, jeffreys_ends
from assay.stats.corrected import JudgedScores, corrected_difference, corrected_mean
from assay.stats.interval import wilson_ends
from assay.stats.judge_error import ErrorCounts, effective_count, lang_reiczigel
from assay.stats.mean_interval import mean_interval

PAGE: Final = Path(__file__).parents[1] / "docs" / "evidence" / "judge-coverage.md"
ERRORS: Final = ((0.7, 0.7), (0.9, 0.9), (0.99, 0.99), (0.99, 0.7), (0.7, 0.99))
"""Sensitivity and specificity of the judge."""
RATES: Final = (0.5, 0.8, 0.95)
LABELS: Final = (40, 80, 150, 500)
ANSWERS: Final = 1000
OTHERS: Final = (
    *itertools.product((300,), (0.6, 0.9), ((0.85, 0.85), (0.99, 0.85)), (40, 150)),
    *itertools.product((5000,), (0.6, 0.9), ((0.85, 0.85), (0.99, 0.85)), (40, 150)),
)
"""Answers, rate, errors and labels of the lines that no choice in the method was made by."""
PAIRED_RATES: Final = ((0.7, 0.7), (0.6, 0.75), (0.9, 0.95))
PAIRED_ERRORS: Final = (
    ((0.9, 0.9), (0.9, 0.9)),
    ((0.95, 0.7), (0.8, 0.95)),
    ((0.99, 0.99), (0.99, 0.9)),
)
ANY, UNEQUAL = "any answers", "unequal probabilities"
DRAWS: Final = (ANY, "same questions")
LIMIT: Final = 0.93
CLOSER: Final = 5
"""How many times as many runs a line gets that is near the limit."""
Z: Final = 1.959964
Floats = NDArray[np.float64]


def judged(
    rng: np.random.Generator, right: NDArray[np.bool_], errors: tuple[float, float]
) -> Floats:
    """What a judge with this sensitivity and specificity says."""
    sensitivity, specificity = errors
    draws = rng.random(len(right))
    return np.where(right, draws < sensitivity, draws >= specificity).astype(np.float64)


def labelled(right: NDArray[np.bool_], chosen: NDArray[np.bool_]) -> Floats:
    """The labels of the chosen answers."""
    return np.where(chosen, right.astype(np.float64), np.nan)


def chosen_answers(rng: np.random.Generator, count: int) -> NDArray[np.bool_]:
    """A random part of the answers."""
    chosen = np.zeros(ANSWERS, dtype=bool)
    chosen[rng.permutation(ANSWERS)[:count]] = True
    return chosen


def plain_interval(scores: JudgedScores) -> tuple[float, float]:
    """The plain prediction-powered interval: mean of the judge plus mean error, ± z √variance."""
    known = scores.labelled
    errors = scores.labels[known] - scores.judged[known]
    estimate = scores.judged.mean() + errors.mean()
    variance = scores.judged.var() / len(scores.judged) + errors.var(ddof=1) / len(errors)
    half = Z * np.sqrt(variance)
    return float(estimate - half), float(estimate + half)


def rate_coverage(
    rate: float, errors: tuple[float, float], count: int, runs: int, seed: int
) -> tuple[float, ...]:
    """The shares of runs whose interval contains the rate: judge alone, plain, ours, elsewhere.

    The last one is Lang and Reiczigel's interval with the errors measured on other answers, in the
    runs that have enough labels of both kinds; it is not a number if most have not.
    """
    rng = np.random.default_rng(seed)
    hits, enough = np.zeros(4), 0
    for _ in range(runs):
        right = rng.random(ANSWERS) < rate
        scores = JudgedScores(
            judged=judged(rng, right, errors),
            labels=labelled(right, chosen_answers(rng, count)),
            weights=np.ones(ANSWERS),
        )
        alone = mean_interval(scores.judged)
        ours = corrected_mean(scores).interval
        others = rng.random(count) < rate
        said = judged(rng, others, errors) == 1
        counts = ErrorCounts(
            yes=int(others.sum()),
            yes_found=int((said & others).sum()),
            no=int((~others).sum()),
            no_found=int((~said & ~others).sum()),
        )
        is_enough = min(counts.yes, counts.no) >= FEWEST_OF_A_KIND
        enough += is_enough
        elsewhere = lang_reiczigel(float(scores.judged.sum()), ANSWERS, counts)
        low, high = plain_interval(scores)
        hits += [
            alone is not None and alone.low <= rate <= alone.high,
            low <= rate <= high,
            ours is not None and ours.low <= rate <= ours.high,
            is_enough and (elsewhere is None or elsewhere.low <= rate <= elsewhere.high),
        ]
    return (*(hits[:3] / runs), hits[3] / enough if enough > runs / 2 else np.nan)


def difference_coverage(
    rates: tuple[float, float],
    errors: tuple[tuple[float, float], tuple[float, float]],
    count: int,
    runs: int,
    seed: int,
    labelled_as: str,
) -> tuple[float, float]:
    """The shares of runs whose interval contains the difference: judge alone, and ours.

    The answers of both variants depend on how hard their question is, and so do errors of the
    judge. ``labelled_as`` is one of ``DRAWS``, or ``UNEQUAL``: both answers of a question are
    labelled, or any answers, with equal probabilities or with those of ``unequal_draw``.
    """
    rng = np.random.default_rng(seed)
    truth = rates[1] - rates[0]
    hits = np.zeros(2)
    for _ in range(runs):
        hardness = rng.random(ANSWERS)
        sides = []
        chosen = chosen_answers(rng, count)
        for rate, error in zip(rates, errors, strict=True):
            shared = rng.random(ANSWERS) < 0.5
            right = np.where(shared, hardness, rng.random(ANSWERS)) < rate
            if labelled_as == ANY:
                chosen = chosen_answers(rng, count)
            said, weights = judged(rng, right, error), np.ones(ANSWERS)
            if labelled_as == UNEQUAL:
                chosen, weights = unequal_draw(rng, right, said, count)
            sides.append(JudgedScores(judged=said, labels=labelled(right, chosen), weights=weights))
        found = corrected_difference(*sides)
        changes = sides[1].judged - sides[0].judged
        half = Z * changes.std() / np.sqrt(ANSWERS)
        ours = found.interval
        hits += [
            abs(changes.mean() - truth) <= half,
            ours is None or ours.low <= truth <= ours.high,
        ]
    return tuple(hits / runs)  # type: ignore[return-value]


def unequal_draw(
    rng: np.random.Generator, right: NDArray[np.bool_], said: Floats, count: int
) -> tuple[NDArray[np.bool_], Floats]:
    """Which answers are labelled, and their weights.

    Answers on which a second judge disagrees are three times as likely to be labelled.
    """
    size = np.where(judged(rng, right, (0.85, 0.85)) != said, 3.0, 1.0)
    chance = np.minimum(1.0, size * count / size.sum())
    return rng.random(len(right)) < chance, 1 / chance


def drawn_coverage(
    rate: float,
    errors: tuple[float, float],
    count: int,
    runs: int,
    seed: int,
    answers: int = ANSWERS,
) -> float:
    """The share of runs whose interval contains the rate if answers have unequal probabilities."""
    rng = np.random.default_rng(seed)
    hits = 0
    for _ in range(runs):
        right = rng.random(answers) < rate
        said = judged(rng, right, errors)
        chosen, weights = unequal_draw(rng, right, said, count)
        scores = JudgedScores(judged=said, labels=labelled(right, chosen), weights=weights)
        interval = corrected_mean(scores).interval
        hits += interval is None or interval.low <= rate <= interval.high
    return hits / runs


Ends = Callable[[Floats, Floats], tuple[Floats, Floats]]
"""The ends of the intervals of shares, each found among so many labels."""
Count = Callable[[Floats, Floats], float]
"""As how many equally likely labels some labels with these weights count."""


def normal_ends(mean: Floats, n: Floats) -> tuple[Floats, Floats]:
    """The plain normal interval."""
    half = Z * np.sqrt(mean * (1 - mean) / n)
    return mean - half, mean + half


def wilson_score_ends(mean: Floats, n: Floats) -> tuple[Floats, Floats]:
    """Wilson's interval."""
    ends = [wilson_ends(share, size, Z) for share, size in zip(mean, n, strict=True)]
    return tuple(np.array(ends).T)  # type: ignore[return-value]


def clopper_pearson_ends(mean: Floats, n: Floats) -> tuple[Floats, Floats]:
    """Clopper and Pearson's interval."""
    yes, tails = n * mean, np.full(len(n), 0.025)
    low = np.where(yes > 0, beta_quantile(tails, np.where(yes > 0, yes, 1.0), n - yes + 1), 0.0)
    high = np.where(
        yes < n, beta_quantile(1 - tails, yes + 1, np.where(yes < n, n - yes, 1.0)), 1.0
    )
    return low, high


def kish_count(_labels: Floats, weights: Floats) -> float:
    """Kish's number of labels, which does not depend on what they say."""
    return float(weights.sum() ** 2 / (weights @ weights))


PARTS: Final[tuple[tuple[str, Ends, Count], ...]] = (
    ("normal (plain)", normal_ends, effective_count),
    ("Wilson", wilson_score_ends, effective_count),
    ("Clopper-Pearson", clopper_pearson_ends, effective_count),
    ("Jeffreys", lambda mean, n: jeffreys_ends(mean, n, 0.95), effective_count),
    ("Jeffreys, Kish's count", lambda mean, n: jeffreys_ends(mean, n, 0.95), kish_count),
)


def part_coverage(task: tuple[int, float, tuple[float, float], int, int]) -> Floats:
    """The shares of runs that hold, and the mean widths, of each part with equal and unequal draws."""
    number, rate, errors, count, runs = task
    rng = np.random.default_rng(number)
    found = np.zeros((2, len(PARTS), 2))
    for _, is_unequal in itertools.product(range(runs), (0, 1)):
        right = rng.random(ANSWERS) < rate
        said = judged(rng, right, errors)
        chosen, weights = chosen_answers(rng, count), np.ones(ANSWERS)
        if is_unequal:
            chosen, weights = unequal_draw(rng, right, said, count)
        groups = [said == value for value in (0.0, 1.0)]
        if not all((group & chosen).any() for group in groups):
            groups = [np.ones(ANSWERS, np.bool_)]
        known = [(right[group & chosen] * 1.0, weights[group & chosen]) for group in groups]
        shares = np.array([group.mean() for group in groups])
        means = np.array([np.average(labels, weights=each) for labels, each in known])
        estimate = shares @ means
        between = Z**2 * (shares @ (means - estimate) ** 2) / ANSWERS
        for place, (_, ends, size) in enumerate(PARTS):
            low, high = ends(means, np.array([size(*each) for each in known]))
            down, up = (np.sum((shares * off) ** 2) for off in (means - low, high - means))
            low, high = estimate - np.sqrt(down + between), estimate + np.sqrt(up + between)
            found[is_unequal, place] += (low <= rate <= high, min(high, 1.0) - max(low, 0.0))
    return found / runs


def part_lines(found: Iterable[Floats]) -> Iterator[str]:
    """The table of parts."""
    lines = np.array(list(found))
    for draw, place in itertools.product((0, 1), range(len(PARTS))):
        held, width = lines[:, draw, place].T
        name = PARTS[place][0]
        yield (
            f"| {('equal', 'unequal')[draw]} | {name} | {held.min():.3f} | {held.mean():.3f} | "
            f"{held.max():.3f} | {np.mean(held < LIMIT):.0%} | {width.mean():.3f} |"
        )


def settled(
    measure: Callable[[int], tuple[float, ...]], runs: int, place: int
) -> tuple[float, ...]:
    """What ``measure`` finds, with more runs if the share at ``place`` is near the limit or below."""
    found = measure(runs)
    is_near = found[place] < LIMIT + (LIMIT * (1 - LIMIT) / runs) ** 0.5
    return measure(runs * CLOSER) if is_near else found


def rate_line(task: tuple[int, float, tuple[float, float], int, int]) -> str:
    """A line of the first table."""
    number, rate, errors, count, runs = task
    shares = settled(lambda n: rate_coverage(rate, errors, count, n, number), runs, 2)
    cells = " | ".join("too few" if np.isnan(share) else f"{share:.3f}" for share in shares)
    return f"| {rate} | {errors[0]} | {errors[1]} | {count} | {cells} |"


def drawn_line(task: tuple[int, int, float, tuple[float, float], int, int]) -> str:
    """A line about labels with unequal probabilities."""
    number, answers, rate, errors, count, runs = task
    (share,) = settled(
        lambda n: (drawn_coverage(rate, errors, count, n, number, answers),), runs, 0
    )
    return f"| {answers} | {rate} | {errors[0]} | {errors[1]} | {count} | {share:.3f} |"


def difference_line(task: tuple[int, tuple[float, float], Any, int, str, int]) -> str:
    """A line about differences."""
    number, rates, errors, count, draw, runs = task
    alone, ours = settled(
        lambda n: difference_coverage(rates, errors, count, n, number, draw), runs, 1
    )
    shown = " and ".join(f"{one}/{other}" for one, other in errors)
    return f"| {rates[0]}, {rates[1]} | {shown} | {count} | {draw} | {alone:.3f} | {ours:.3f} |"


def lines(runs: int) -> list[str]:
    """The tables of the page."""
    settings = list(itertools.product(RATES, ERRORS, LABELS))
    pairs = [
        *itertools.product(PAIRED_RATES, PAIRED_ERRORS, (40, 150), DRAWS),
        *itertools.product(PAIRED_RATES, PAIRED_ERRORS, (40, 150), (UNEQUAL,)),
    ]
    with ProcessPoolExecutor() as pool:
        rates = pool.map(rate_line, [(n, *each, runs) for n, each in enumerate(settings)])
        drawn = pool.map(
            drawn_line, [(1000 + n, ANSWERS, *each, runs) for n, each in enumerate(settings)]
        )
        others = pool.map(drawn_line, [(1500 + n, *each, runs) for n, each in enumerate(OTHERS)])
        differences = pool.map(
            difference_line, [(2001 + n, *each, runs) for n, each in enumerate(pairs)]
        )
        few = itertools.product(RATES, ERRORS, LABELS[:3])
        parts = pool.map(
            part_coverage, [(3000 + n, *each, CLOSER * runs) for n, each in enumerate(few)]
        )
        return [
            *("## Which parts", "", *PART_NOTE, *PART_HEAD),
            *_shown(part_lines(parts)),
            *("", "## Rates", "", *RATE_NOTE, *RATE_HEAD),
            *_shown(rates),
            *("", "## Labels of a kind", "", *KIND_NOTE, *kind_lines()),
            *("", "## Unequal probabilities", "", *DRAWN_NOTE, *DRAWN_HEAD),
            *_shown(drawn),
            *("", *OTHERS_NOTE, *DRAWN_HEAD),
            *_shown(others),
            *("", "## Differences between two variants", "", *DIFFERENCE_HEAD),
            *_shown(differences),
        ]


def _shown(found: Iterable[str]) -> Iterator[str]:
    for line in found:
        print(line, flush=True)
        yield line


PART_HEAD: Final = (
    "| draw | interval of each group | lowest | mean | highest | below 0.93 | width |",
    "|---|---|---:|---:|---:|---:|---:|",
)
PART_NOTE: Final = (
    "The estimate is always the stratified prediction-powered one, and the distances to the ends of the",
    "intervals of the groups are added as squares (MOVER). Which interval should a group have, and as how",
    "many labels should unequally drawn ones count? Over all rates and errors of the next table, with",
    "40, 80 and 150 labels, in five times as many runs. The normal interval is the plain prediction-powered one: it covers too rarely.",
    "assay uses *Jeffreys*, the narrowest that holds, with Korn and Graubard's count; with *Kish's count*,",
    "which does not see what the labels say, it is wider and holds less often.",
    "",
)
RATE_NOTE: Final = (
    "- *judge alone*: the interval of the judge's own rate, as other tools report it;",
    "- *plain*: prediction-powered inference with the normal interval, without groups;",
    "- *corrected*: what assay reports;",
    "- *other answers*: Rogan and Gladen's rate with the interval of Lang and Reiczigel, the errors of the",
    f"  judge measured on as many other answers; *too few* if most runs do not have {FEWEST_OF_A_KIND} labels of",
    "  each kind.",
    "",
)
RATE_HEAD: Final = (
    "| rate | sensitivity | specificity | labels | judge alone | plain | corrected | other answers |",
    "|---:|---:|---:|---:|---:|---:|---:|---:|",
)
DRAWN_HEAD: Final = (
    "| answers | rate | sensitivity | specificity | labels | corrected |",
    "|---:|---:|---:|---:|---:|---:|",
)
DIFFERENCE_HEAD: Final = (
    "| rates | errors of the judge | labels each | labelled | judge alone | corrected |",
    "|---|---|---:|---|---:|---:|",
)
DRAWN_NOTE: Final = (
    "Answers on which a second judge disagrees (it errs in 15% of answers) are three times as likely to",
    'be labelled. A run that says "too few labels" instead of a figure counts as one that holds.',
    "",
)
OTHERS_NOTE: Final = (
    "The same for other numbers of answers and other rates; no choice in the method was made by these",
    "lines.",
    "",
)
KIND_NOTE: Final = (
    "How low the coverage of Lang and Reiczigel's interval gets with few labels of right answers, or of",
    "wrong ones; computed exactly (`bench/kind_coverage.py`) for rates of 0.05 to 0.8, sensitivity and",
    "specificity of 0.7 to 0.99, 50 to 1000 answers, and 50 to 485 labels of the other kind. assay asks",
    "for 15 of each kind.",
    "",
)
HEAD: Final = """# How often corrected intervals contain the truth

Written by `python bench/judge_coverage.py`: {runs} simulated runs of {answers} answers for each
line. Each figure is the share of runs whose 95% interval contains the true value; with {runs} runs it
is exact to ±{error:.3f}. At least 0.93 is required; a line within a standard error of it, or below, has
{many} runs. With few labels and a good judge the intervals cover more than 0.99: no label contradicts
the judge, and an interval must allow for errors that none met. On real answers they cover 0.94 to 0.99
(`bench/label_coverage.py`).

"""


def main() -> None:
    """Write the page."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    error = 2 * (0.05 * 0.95 / runs) ** 0.5
    head = HEAD.format(runs=runs, answers=ANSWERS, error=error, many=runs * CLOSER)
    PAGE.write_text(head + "\n".join(lines(runs)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
