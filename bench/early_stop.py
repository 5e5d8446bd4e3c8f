"""Errors and savings of runs that stop when they are decided: ``python bench/early_stop.py``.

Paired yes/no scores of one variant and its baseline are simulated; a share of the questions
differs between them. In the first table there is no true difference, so every decision is an error,
for each way to stop: at the first decision, and at the best moment of a fixed test that is looked at
after every question, which is what people do by feel. The second table says how many questions are
needed, beside a fixed test of the same level that finds the difference with a probability of 80%.
The third table has runs without a true difference whose limit grows until something is decided: with new
questions after the others, as they are asked, and with new questions in between.
The tables are on the page ``docs/evidence/coverage.md``.
"""

import argparse
import math
from collections.abc import Iterator

import numpy as np

from assay.records import Question
from assay.runs.asking_order import in_order_of_asking
from assay.stats.interval import normal_quantile
from assay.stats.resample import Floats
from assay.stats.sequence import PairedRange, first_rejection

LEVEL = 0.05
CHANGED = 0.3
"""The share of questions whose score differs between the two."""
FEWEST = 20
"""A fixed test is not looked at before that many questions."""


def draws(rng: np.random.Generator, effect: float, count: int, runs: int) -> Iterator[Floats]:
    """Paired differences of questions like these."""
    shares = [(CHANGED - effect) / 2, 1 - CHANGED, (CHANGED + effect) / 2]
    for _ in range(runs):
        yield rng.choice([-1.0, 0.0, 1.0], p=shares, size=count)


def sets(rng: np.random.Generator, effect: float, count: int, runs: int) -> Iterator[Floats]:
    """The differences of one set in random orders; their mean is the effect."""
    gained, lost = (round(count * (CHANGED + sign * effect) / 2) for sign in (1, -1))
    values = np.zeros(count)
    values[:gained], values[gained : gained + lost] = 1.0, -1.0
    for _ in range(runs):
        yield rng.permutation(values)


def is_ever_significant(values: Floats) -> bool:
    """Whether a fixed test at 5% is significant after some question from the twentieth on."""
    spread = np.sqrt(np.maximum((values**2).cumsum(), 1e-12))
    return bool((np.abs(values.cumsum()) / spread > normal_quantile(0.975))[FEWEST:].any())


def errors(rng: np.random.Generator, runs: int) -> None:
    """Print how often a difference is found where there is none."""
    print("| questions | about | decided wrongly | by feel |")
    print("|---|---|---|---|")
    for count in (100, 500, 2000):
        for about, source, size in (("like these", draws, None), ("this set", sets, count)):
            wrong = felt = 0
            for values in source(rng, 0.0, count, runs):
                pairs = PairedRange(values, values)
                wrong += first_rejection(pairs, 0.0, LEVEL, size) != (None, None)
                felt += is_ever_significant(values)
            shares = " | ".join(f"{100 * each / runs:.1f}%" for each in (wrong, felt))
            print(f"| {count} | {about} | {shares} |", flush=True)


def savings(rng: np.random.Generator, runs: int, count: int) -> None:
    """Print how many questions a decision takes, beside a fixed test."""
    z = normal_quantile(1 - LEVEL / 2) + normal_quantile(0.8)
    print(f"| true difference | fixed test | median | mean | decided within {count} |")
    print("|---|---|---|---|---|")
    for effect in (0.0, 0.02, 0.05, 0.1, 0.2):
        needed = []
        for values in draws(rng, effect, count, runs):
            better, worse = first_rejection(PairedRange(values, values), 0.0, LEVEL, None)
            found = [each for each in (better, worse) if each is not None]
            needed.append(min(found, default=math.inf))
        finite = [each for each in needed if each < math.inf]
        fixed = f"{z**2 * (CHANGED - effect**2) / effect**2:.0f}" if effect else "–"
        asked = np.minimum(needed, count)
        print(
            f"| {100 * effect:g} points | {fixed} | {np.median(asked):.0f} | {asked.mean():.0f} "
            f"| {100 * len(finite) / runs:.0f}% |",
            flush=True,
        )


def growing(rng: np.random.Generator, runs: int, limits: range) -> None:
    """Print how often runs without a difference are decided at some limit, as the limit grows."""
    names = [Question(id=f"q{number}", text="") for number in range(limits[-1])]
    places = {question.id: place for place, question in enumerate(names)}
    after = between = 0
    for seed, values in enumerate(draws(rng, 0.0, limits[-1], runs)):
        kept: list[str] = []
        is_decided = [False, False]
        for limit in limits:
            kept = [each.id for each in in_order_of_asking(names[:limit], seed, kept)]
            mixed = [each.id for each in in_order_of_asking(names[:limit], seed)]
            for number, order in enumerate((kept, mixed)):
                found = values[[places[name] for name in order]]
                pairs = PairedRange(found, found)
                is_decided[number] |= first_rejection(pairs, 0.0, LEVEL, None) != (None, None)
        after += is_decided[0]
        between += is_decided[1]
    print(f"| limits {limits[0]} to {limits[-1]} | new questions after | in between |")
    print("|---|---|---|")
    print(
        f"| decided wrongly | {100 * after / runs:.1f}% | {100 * between / runs:.1f}% |", flush=True
    )


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--questions", type=int, default=3000)
    arguments = parser.parse_args()
    rng = np.random.default_rng(0)
    errors(rng, arguments.runs)
    savings(rng, arguments.runs // 2, arguments.questions)
    growing(rng, arguments.runs, range(20, 301, 20))


if __name__ == "__main__":
    main()
