"""Errors and cost of runs that stop when they are decided: ``python bench/early_stop.py``.

Paired scores of one variant and its baseline are simulated. In the tables of errors there is no true
difference, so every decision is an error: for questions, decided at the first moment and by feel, at the
best moment of a fixed test that is looked at after every question; and for documents whose
differences vary around 0, with whole documents as observations and, as nobody should, with their
questions as if they were independent. Then it says how many questions a decision takes, beside a fixed
test of the same level that finds the difference with a probability of 80%. The last table has runs
without a true difference whose limit grows until something is decided: with new questions after the
others, as they are asked, and with new questions in between.
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
"""The share of questions whose yes/no score differs between the two."""
SPREADS = {"graded, spread 30 points": 0.3, "graded, 10 points": 0.1, "graded, 5 points": 0.05}
"""The standard deviation of differences of graded scores."""
KINDS = ("yes/no", *SPREADS)
VARIES = 0.2
"""The standard deviation of the true difference between documents."""
FEWEST = 20
"""A fixed test is not looked at before that many questions."""


def differences(rng: np.random.Generator, kind: str, means: Floats) -> Floats:
    """A paired difference of this kind for each true mean."""
    if kind in SPREADS:
        half = math.sqrt(3) * SPREADS[kind]
        return np.clip(means + rng.uniform(-half, half, len(means)), -1, 1)
    changed = np.maximum(CHANGED, np.abs(means))
    gains = rng.random(len(means)) < (1 + means / changed) / 2
    return np.where(rng.random(len(means)) < changed, np.where(gains, 1.0, -1.0), 0.0)


def draws(
    rng: np.random.Generator, kind: str, effect: float, count: int, runs: int
) -> Iterator[Floats]:
    """Paired differences of questions like these."""
    for _ in range(runs):
        yield differences(rng, kind, np.full(count, effect))


def sets(rng: np.random.Generator, kind: str, count: int, runs: int) -> Iterator[Floats]:
    """The differences of one set in random orders; their mean is 0."""
    half = np.abs(differences(rng, kind, np.zeros(count // 2)))
    values = np.concatenate((half, -half))
    for _ in range(runs):
        yield rng.permutation(values)


def is_decided(values: Floats, size: int | None = None, shares: Floats | None = None) -> bool:
    """Whether a decision is made at some time."""
    return first_rejection(PairedRange(values, values, shares), 0.0, LEVEL, size) != (None, None)


def is_ever_significant(values: Floats) -> bool:
    """Whether a fixed test at 5% is significant after some question from the twentieth on."""
    spread = np.sqrt(np.maximum((values**2).cumsum(), 1e-12))
    return bool((np.abs(values.cumsum()) / spread > normal_quantile(0.975))[FEWEST:].any())


def errors(rng: np.random.Generator, runs: int) -> None:
    """Print how often a difference is found where there is none."""
    print("| scores | questions | like these | this set | by feel |")
    print("|---|---|---|---|---|")
    for kind in ("yes/no", "graded, 10 points"):
        for count in (20, 50, 100, 300, 2000):
            wrong = [is_decided(values) for values in draws(rng, kind, 0.0, count, runs)]
            whole = [is_decided(values, count) for values in sets(rng, kind, count, runs)]
            felt = [is_ever_significant(values) for values in draws(rng, kind, 0.0, count, runs)]
            shares = " | ".join(f"{100 * np.mean(each):.1f}%" for each in (wrong, whole, felt))
            print(f"| {kind} | {count} | {shares} |", flush=True)


def documents(
    rng: np.random.Generator, kind: str, effect: float, sizes: Floats
) -> tuple[Floats, Floats]:
    """Differences of questions on documents of these sizes, and the document of each.

    The document's own difference varies around the effect.
    """
    half = math.sqrt(3) * VARIES
    own = effect + rng.uniform(-half, half, len(sizes))
    number = np.repeat(np.arange(len(sizes)), sizes.astype(int))
    return differences(rng, kind, own[number]), number


def whole(values: Floats, number: Floats) -> tuple[Floats, Floats]:
    """The mean of each document, and its size as a share of the largest one."""
    sizes = np.bincount(number)
    return np.bincount(number, values) / sizes, sizes / sizes.max()


def document_errors(rng: np.random.Generator, runs: int) -> None:
    """Print the same for documents, as observations and as if their questions were independent."""
    print("| documents x questions | scores | whole documents | questions |")
    print("|---|---|---|---|")
    for count, size in ((10, 30), (10, 100), (30, 30), (30, 100), (100, 10)):
        for kind in ("yes/no", "graded, 10 points"):
            wrong = naive = 0
            for _ in range(runs):
                values, number = documents(rng, kind, 0.0, np.full(count, size))
                means, shares = whole(values, number)
                wrong += is_decided(means, shares=shares)
                naive += is_decided(rng.permutation(values))
            shown = " | ".join(f"{100 * each / runs:.1f}%" for each in (wrong, naive))
            print(f"| {count} x {size} | {kind} | {shown} |", flush=True)
    for kind in ("yes/no", "graded, 10 points"):
        wrong = 0
        for _ in range(runs):
            values, number = documents(rng, kind, 0.0, rng.integers(1, 60, 30))
            means, shares = whole(values, number)
            wrong += is_decided(means, shares=shares)
        print(f"| 30 x 1 to 59 | {kind} | {100 * wrong / runs:.1f}% | – |", flush=True)


def decided_after(values: Floats) -> float:
    """After how many values something is decided; infinite if nothing is."""
    found = first_rejection(PairedRange(values, values), 0.0, LEVEL, None)
    return min((each for each in found if each is not None), default=math.inf)


def costs(rng: np.random.Generator, runs: int, count: int) -> None:
    """Print how many questions a decision takes, beside a fixed test."""
    z = normal_quantile(1 - LEVEL / 2) + normal_quantile(0.8)
    print(f"| scores | true difference | fixed test | median | ratio | decided within {count} |")
    print("|---|---|---|---|---|---|")
    for kind in KINDS:
        for effect in (0.0, 0.02, 0.05, 0.1, 0.2):
            variance = SPREADS[kind] ** 2 if kind in SPREADS else CHANGED - effect**2
            needed = [decided_after(values) for values in draws(rng, kind, effect, count, runs)]
            median = float(np.median(np.minimum(needed, count)))
            fixed = max(z**2 * variance / effect**2, 6) if effect else math.nan
            ratio = f"{median / fixed:.1f}" if effect and median < count else "–"
            print(
                f"| {kind} | {100 * effect:g} points | {f'{fixed:.0f}' if effect else '–'} "
                f"| {median:.0f} | {ratio} | {100 * np.mean(np.isfinite(needed)):.0f}% |",
                flush=True,
            )


def document_costs(rng: np.random.Generator, runs: int, count: int, size: int) -> None:
    """Print how many whole documents a decision takes, beside a fixed test of documents."""
    z = normal_quantile(1 - LEVEL / 2) + normal_quantile(0.8)
    print(f"| documents of {size}, true difference | fixed test | median | within {count} |")
    print("|---|---|---|---|")
    for effect in (0.05, 0.1, 0.2):
        needed = []
        for _ in range(runs):
            values, number = documents(rng, "yes/no", effect, np.full(count, size))
            needed.append(decided_after(whole(values, number)[0]))
        fixed = z**2 * (VARIES**2 + CHANGED / size) / effect**2
        median = np.median(np.minimum(needed, count))
        print(
            f"| {100 * effect:g} points | {fixed:.0f} | {median:.0f} "
            f"| {100 * np.mean(np.isfinite(needed)):.0f}% |",
            flush=True,
        )


def growing(rng: np.random.Generator, runs: int, limits: range) -> None:
    """Print how often runs without a difference are decided at some limit, as the limit grows."""
    names = [Question(id=f"q{number}", text="") for number in range(limits[-1])]
    places = {question.id: place for place, question in enumerate(names)}
    after = between = 0
    for seed, values in enumerate(draws(rng, "yes/no", 0.0, limits[-1], runs)):
        kept: list[str] = []
        decided = [False, False]
        for limit in limits:
            kept = [each.id for each in in_order_of_asking(names[:limit], seed, kept)]
            mixed = [each.id for each in in_order_of_asking(names[:limit], seed)]
            for number, order in enumerate((kept, mixed)):
                decided[number] |= is_decided(values[[places[name] for name in order]])
        after += decided[0]
        between += decided[1]
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
    document_errors(rng, arguments.runs)
    costs(rng, arguments.runs // 4, arguments.questions)
    document_costs(rng, arguments.runs // 4, 400, 20)
    growing(rng, arguments.runs // 4, range(20, 301, 20))


if __name__ == "__main__":
    main()
