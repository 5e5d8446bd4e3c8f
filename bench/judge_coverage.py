"""How often the intervals of corrected rates and differences contain the true value.

Run ``python bench/judge_coverage.py [RUNS]``. It writes a table to ``docs/evidence/judge-coverage.md``. For
each setting, runs are simulated: answers are right with a known probability, a judge errs with
known rates, some answers are labelled at random. The true rate is known, so it can be counted how
often an interval contains it: 95 % are wanted, at least 93 % required, and at most 98 % from 200
labels on. Beside it are the interval of the judge alone, and the plain prediction-powered one.
"""

import itertools
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, Final

import numpy as np
from ideal_coverage import RUNS as IDEAL_RUNS
from ideal_coverage import SETTINGS as IDEAL_SETTINGS
from ideal_coverage import ideal_line
from kind_coverage import kind_lines
from numpy.typing import NDArray

from assay.judge.calibration import FEWEST_OF_A_KIND
from assay.stats.corrected import JudgedScores, corrected_difference, corrected_mean
from assay.stats.judge_error import ErrorCounts, lang_reiczigel
from assay.stats.mean_interval import mean_interval

PAGE: Final = Path(__file__).parents[1] / "docs" / "evidence" / "judge-coverage.md"
ERRORS: Final = ((0.7, 0.7), (0.9, 0.9), (0.99, 0.99), (0.99, 0.7), (0.7, 0.99))
"""Sensitivity and specificity of the judge."""
RATES: Final = (0.5, 0.8, 0.95)
LABELS: Final = (50, 100, 200, 500)
ANSWERS: Final = 1000
OTHERS: Final = (
    *itertools.product((300,), (0.6, 0.9), ((0.85, 0.85), (0.99, 0.85)), (50, 100, 200)),
    *itertools.product((5000,), (0.6, 0.9), ((0.85, 0.85), (0.99, 0.85)), (50, 100, 300)),
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
LIMITS: Final = (0.93, 0.98)
MANY: Final = 200
"""From this many labels on, the upper limit holds."""
CLOSER: Final = 5
"""How many times as many runs a line gets that is near a limit."""
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


def settled(
    measure: Callable[[int], tuple[float, ...]], count: int, runs: int, place: int
) -> tuple[float, ...]:
    """What ``measure`` finds, with more runs if the share at ``place`` is near a limit or beyond."""
    found = measure(runs)
    share = found[place]
    low, high = (limit * (1 - limit) / runs for limit in LIMITS)
    is_near = share < LIMITS[0] + low**0.5 or (count >= MANY and share > LIMITS[1] - high**0.5)
    return measure(runs * CLOSER) if is_near else found


def rate_line(task: tuple[int, float, tuple[float, float], int, int]) -> str:
    """A line of the first table."""
    number, rate, errors, count, runs = task
    shares = settled(lambda n: rate_coverage(rate, errors, count, n, number), count, runs, 2)
    cells = " | ".join("too few" if np.isnan(share) else f"{share:.3f}" for share in shares)
    return f"| {rate} | {errors[0]} | {errors[1]} | {count} | {cells} |"


def drawn_line(task: tuple[int, int, float, tuple[float, float], int, int]) -> str:
    """A line about labels with unequal probabilities."""
    number, answers, rate, errors, count, runs = task
    (share,) = settled(
        lambda n: (drawn_coverage(rate, errors, count, n, number, answers),), count, runs, 0
    )
    return f"| {answers} | {rate} | {errors[0]} | {errors[1]} | {count} | {share:.3f} |"


def difference_line(task: tuple[int, tuple[float, float], Any, int, str, int]) -> str:
    """A line about differences."""
    number, rates, errors, count, draw, runs = task
    alone, ours = settled(
        lambda n: difference_coverage(rates, errors, count, n, number, draw), count, runs, 1
    )
    shown = " and ".join(f"{one}/{other}" for one, other in errors)
    return f"| {rates[0]}, {rates[1]} | {shown} | {count} | {draw} | {alone:.3f} | {ours:.3f} |"


def lines(runs: int) -> list[str]:
    """The tables of the page."""
    settings = list(itertools.product(RATES, ERRORS, LABELS))
    pairs = [
        *itertools.product(PAIRED_RATES, PAIRED_ERRORS, (50, 100, 200), DRAWS),
        *itertools.product(PAIRED_RATES, PAIRED_ERRORS, (50, 200), (UNEQUAL,)),
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
        ideal = pool.map(ideal_line, [(3000 + n, *each) for n, each in enumerate(IDEAL_SETTINGS)])
        return [
            *RATE_HEAD,
            *_shown(rates),
            *("", "## Labels of a kind", "", *KIND_NOTE, *kind_lines()),
            *("", "## Unequal probabilities", "", *DRAWN_NOTE, *DRAWN_HEAD),
            *_shown(drawn),
            *("", *OTHERS_NOTE, *DRAWN_HEAD),
            *_shown(others),
            *("", "## Beyond the limit", "", *IDEAL_NOTE, *IDEAL_HEAD),
            *_shown(ideal),
            *("", "## Differences between two variants", "", *DIFFERENCE_HEAD),
            *_shown(differences),
        ]


def _shown(found: Iterable[str]) -> Iterator[str]:
    for line in found:
        print(line, flush=True)
        yield line


RATE_HEAD: Final = (
    "| rate | sensitivity | specificity | labels | judge alone | plain | corrected | other answers |",
    "|---:|---:|---:|---:|---:|---:|---:|---:|",
)
DRAWN_HEAD: Final = (
    "| answers | rate | sensitivity | specificity | labels | corrected |",
    "|---:|---:|---:|---:|---:|---:|",
)
IDEAL_HEAD: Final = (
    "| answers | rate | sensitivity | specificity | labels | corrected | ideal | as informed |",
    "|---:|---:|---:|---:|---:|---:|---:|---:|",
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
IDEAL_NOTE: Final = (
    "With thousands of answers, nearly all of them right, and a very good judge, the interval covers more",
    "than 0.98. Of the errors among answers that the judge calls right, 200 labels are expected to contain",
    "0.2, of those among the others 4. The labels of a worse judge often look the same, so an interval must",
    "allow for errors that no label met. *ideal* is what a test of the true rate covers that uses the",
    "exact distribution of the estimate, with equal values counted half (mid-p) and the most likely error",
    f"rates (`bench/ideal_coverage.py`; {IDEAL_RUNS} runs for all figures). It knows which of all answers the",
    "second judge doubts; the interval knows this of the labelled ones only. *as informed* is the same test",
    "if it knows no more. With 5000 answers and 200 labels both are beyond 0.98 as well. In the other two",
    "lines they reach it or stay below, so the rest is ours; but a smaller allowance would bring other",
    "settings below 0.93 ([decision 71](../decisions/0071-corrected-judges.md)).",
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
is exact to ±{error:.3f}. At least 0.93 is required, and at most 0.98 from 200 labels on; a line within a
standard error of these limits, or beyond, has {many} runs.

- *judge alone*: the interval of the judge's own rate, as other tools report it;
- *plain*: prediction-powered inference with the normal interval;
- *corrected*: what assay reports;
- *other answers*: Rogan and Gladen's rate with the interval of Lang and Reiczigel, the errors of the
  judge measured on as many other answers; *too few* if most runs do not have {fewest} labels of each
  kind.

"""


def main() -> None:
    """Write the page."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    error = 2 * (0.05 * 0.95 / runs) ** 0.5
    head = HEAD.format(
        runs=runs, answers=ANSWERS, error=error, many=runs * CLOSER, fewest=FEWEST_OF_A_KIND
    )
    PAGE.write_text(head + "\n".join(lines(runs)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
