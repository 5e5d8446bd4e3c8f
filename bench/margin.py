"""How often each gate passes, by the true loss: ``python bench/margin.py [RUNS]``.

Pairs of runs are drawn with a known loss, of 50, 200 and 500 questions, scored by yes/no and by grades. Printed
is the share of the runs that the default gate, ``--require-significant`` and ``--margin`` pass, and what
the last one says of the others.
"""

import sys
from collections import Counter

import numpy as np

from assay.gate.gate import is_shown_drop
from assay.gate.margin import Margin, margin_result, paired_spread
from assay.records import Metric
from assay.stats.comparison import paired_effect
from assay.stats.effect import Method

MARGIN = Margin(kind="not worse", size=0.05)
CHANGED = 0.1
"""The share of the answers that change by chance, half of them in each direction."""
YES_NO = Metric(name="right", field="right", kind="rate")
GRADED = Metric(name="score", field="score")
METHOD = Method(resamples=2_000)


def yes_no(rng: np.random.Generator, n: int, loss: float) -> tuple[np.ndarray, np.ndarray]:
    """Answers that change in both directions, and more often for the worse by the loss."""
    drawn = rng.random(n)
    lost, gained = drawn < CHANGED / 2 + loss, drawn > 1 - CHANGED / 2
    before = np.where(gained, 0.0, np.where(lost, 1.0, np.round(rng.random(n))))
    return before, np.where(gained, 1.0, np.where(lost, 0.0, before))


def graded(rng: np.random.Generator, n: int, loss: float) -> tuple[np.ndarray, np.ndarray]:
    """Grades of which 30 % change by at most 0.3, and lose the loss on average."""
    changed = rng.random(n) < 0.3
    change = np.where(changed, rng.uniform(-0.3, 0.3, n) - loss / 0.3, 0.0)
    before = np.full(n, 0.65)
    return before, before + change


def verdicts(metric: Metric, before: np.ndarray, after: np.ndarray) -> tuple[bool, bool, str]:
    """Whether the default gate and ``--require-significant`` pass, and the outcome of the margin."""
    effect = paired_effect(metric, "candidate", "base", after, before, METHOD)
    pairs = paired_spread(metric, before, after, METHOD, None)
    result = margin_result(MARGIN, metric, effect.interval, effect.difference, pairs)
    return not effect.lost, not is_shown_drop(effect, metric), result.outcome


def main() -> None:
    """Print a line for each kind of score, number of questions and true loss."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    print("score   questions  loss  default  significant  margin passes  fails  cannot tell")
    for metric, draw in ((YES_NO, yes_no), (GRADED, graded)):
        for n in (50, 200, 500):
            for loss in (0.0, MARGIN.size, 2 * MARGIN.size):
                rng = np.random.default_rng(n)
                found = [verdicts(metric, *draw(rng, n, loss)) for _ in range(runs)]
                outcomes = Counter(outcome for _, _, outcome in found)
                shares = [
                    sum(each[0] for each in found) / runs,
                    sum(each[1] for each in found) / runs,
                    *(outcomes[name] / runs for name in ("passed", "failed", "unclear")),
                ]
                print(
                    f"{metric.name:8}{n:9}{loss:6.2f}" + "".join(f"{each:12.1%}" for each in shares)
                )


if __name__ == "__main__":
    main()
