"""How often the intervals of corrected rates and differences contain the true value.

Run ``python bench/judge_coverage.py [RUNS]``. It writes a table to ``docs/judge-coverage.md``. For
each setting, runs are simulated: answers are right with a known probability, a judge errs with
known rates, some answers are labelled at random. The true rate is known, so it can be counted how
often an interval contains it: 95 % are wanted, at least 93 % required, and at most 98 % from 200
labels on. Beside it stand the interval of the judge alone, and the plain prediction-powered one.
"""

import sys
from pathlib import Path
from typing import Final

import numpy as np
from kind_coverage import kind_lines
from numpy.typing import NDArray

from assay.jobs.judge import FEWEST_OF_A_KIND
from assay.stats import (
    ErrorCounts,
    JudgedScores,
    corrected_difference,
    corrected_mean,
    lang_reiczigel,
    mean_interval,
)

PAGE: Final = Path(__file__).parents[1] / "docs" / "judge-coverage.md"
ERRORS: Final = ((0.7, 0.7), (0.9, 0.9), (0.99, 0.99), (0.99, 0.7), (0.7, 0.99))
"""Sensitivity and specificity of the judge."""
RATES: Final = (0.5, 0.8, 0.95)
LABELS: Final = (50, 100, 200, 500)
ANSWERS: Final = 1000
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
    *,
    same_questions: bool,
) -> tuple[float, float]:
    """The shares of runs whose interval contains the difference: judge alone, and ours.

    The answers of both variants depend on how hard their question is, and so do errors of the
    judge. ``same_questions`` labels both answers of a question.
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
            if not same_questions:
                chosen = chosen_answers(rng, count)
            sides.append(
                JudgedScores(
                    judged=judged(rng, right, error),
                    labels=labelled(right, chosen),
                    weights=np.ones(ANSWERS),
                )
            )
        found = corrected_difference(*sides)
        changes = sides[1].judged - sides[0].judged
        half = Z * changes.std() / np.sqrt(ANSWERS)
        assert found.interval is not None
        hits += [
            abs(changes.mean() - truth) <= half,
            found.interval.low <= truth <= found.interval.high,
        ]
    return tuple(hits / runs)  # type: ignore[return-value]


def drawn_coverage(
    rate: float, errors: tuple[float, float], count: int, runs: int, seed: int
) -> float:
    """The share of runs whose interval contains the rate if answers have unequal probabilities.

    Answers on which a second judge disagrees are three times as likely to be labelled.
    """
    rng = np.random.default_rng(seed)
    hits = 0
    for _ in range(runs):
        right = rng.random(ANSWERS) < rate
        said = judged(rng, right, errors)
        size = np.where(judged(rng, right, (0.85, 0.85)) != said, 3.0, 1.0)
        chance = np.minimum(1.0, size * count / size.sum())
        scores = JudgedScores(
            judged=said,
            labels=labelled(right, rng.random(ANSWERS) < chance),
            weights=1 / chance,
        )
        interval = corrected_mean(scores).interval
        hits += interval is None or interval.low <= rate <= interval.high
    return hits / runs


def lines(runs: int) -> list[str]:
    """The tables of the page."""
    head = [
        "| rate | sensitivity | specificity | labels | judge alone | plain | corrected | other answers |",
        "|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    found = list(head)
    for number, (rate, errors, count) in enumerate(
        (rate, errors, count) for rate in RATES for errors in ERRORS for count in LABELS
    ):
        shares = rate_coverage(rate, errors, count, runs, number)
        cells = " | ".join("too few" if np.isnan(share) else f"{share:.3f}" for share in shares)
        found.append(f"| {rate} | {errors[0]} | {errors[1]} | {count} | {cells} |")
        print(found[-1], flush=True)
    found += ["", "## Labels of a kind", "", *KIND_NOTE, *kind_lines()]
    found += ["", "## Unequal probabilities", ""]
    found += [
        "| rate | sensitivity | specificity | labels | corrected |",
        "|---:|---:|---:|---:|---:|",
    ]
    for number, (rate, errors, count) in enumerate(
        (rate, errors, count) for rate in RATES for errors in ERRORS for count in LABELS
    ):
        share = drawn_coverage(rate, errors, count, runs, 1000 + number)
        found.append(f"| {rate} | {errors[0]} | {errors[1]} | {count} | {share:.3f} |")
        print(found[-1], flush=True)
    found += ["", "## Differences between two variants", ""]
    found += [
        "| rates | errors of the judge | labels each | labelled | judge alone | corrected |",
        "|---|---|---:|---|---:|---:|",
    ]
    number = 2000
    for rates in ((0.7, 0.7), (0.6, 0.75), (0.9, 0.95)):
        for errors in (
            ((0.9, 0.9), (0.9, 0.9)),
            ((0.95, 0.7), (0.8, 0.95)),
            ((0.99, 0.99), (0.99, 0.9)),
        ):
            for count in LABELS[:3]:
                for same in (False, True):
                    number += 1
                    shares = difference_coverage(
                        rates, errors, count, runs, number, same_questions=same
                    )
                    shown = " and ".join(f"{one}/{other}" for one, other in errors)
                    what = "same questions" if same else "any answers"
                    found.append(
                        f"| {rates[0]}, {rates[1]} | {shown} | {count} | {what} | "
                        f"{shares[0]:.3f} | {shares[1]:.3f} |"
                    )
                    print(found[-1], flush=True)
    return found


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
is exact to ±{error:.3f}. At least 0.93 is required, and at most 0.98 from 200 labels on.

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
    head = HEAD.format(runs=runs, answers=ANSWERS, error=error, fewest=FEWEST_OF_A_KIND)
    PAGE.write_text(head + "\n".join(lines(runs)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
