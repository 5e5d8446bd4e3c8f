"""How many labels of a kind the interval of Lang and Reiczigel needs; the table is in the docs."""

import numpy as np
import pytest

from assay.judge.calibration import FEWEST_OF_A_KIND
from assay.stats.judge_error import ErrorCounts, lang_reiczigel

RATE, ERRORS, LABELS_OF_OTHERS, ANSWERS, RUNS = 0.35, 0.99, 485, 200, 4000
"""One of the worst settings of ``bench/kind_coverage.py``."""


def coverage(labels: int) -> float:
    """The share of simulated runs whose interval contains the true rate."""
    rng = np.random.default_rng(11)
    said = rng.binomial(ANSWERS, RATE * ERRORS + (1 - RATE) * (1 - ERRORS), RUNS)
    found = rng.binomial(labels, ERRORS, RUNS)
    rejected = rng.binomial(LABELS_OF_OTHERS, ERRORS, RUNS)
    hits = 0
    for yes, right, wrong in zip(said.tolist(), found.tolist(), rejected.tolist(), strict=True):
        counts = ErrorCounts(yes=labels, yes_found=right, no=LABELS_OF_OTHERS, no_found=wrong)
        interval = lang_reiczigel(yes, ANSWERS, counts)
        hits += interval is not None and interval.low <= RATE <= interval.high
    return hits / RUNS


@pytest.mark.parametrize(("labels", "is_enough"), [(FEWEST_OF_A_KIND, True), (8, False)])
def test_the_interval_holds_from_the_fewest_labels_of_a_kind_on(labels: int, is_enough: bool):
    """With as many labels of a kind as are asked for it covers 93 %, with 8 it does not."""
    assert (coverage(labels) >= 0.93) is is_enough
