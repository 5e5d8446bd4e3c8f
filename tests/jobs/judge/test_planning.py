"""How many labels a plan asks for."""

import numpy as np

from assay.jobs.judge.planning import plan_labels
from assay.jobs.judge.sample import LabelCounts, Sample
from assay.stats import JudgedScores


def needed(labels: list[float], weights: list[float]) -> int | None:
    """The planned number if a judge calls 500 answers right and these labels are known."""
    rest = 500 - len(labels)
    side = JudgedScores(
        judged=np.ones(500),
        labels=np.array([*labels, *[np.nan] * rest]),
        weights=np.array([*weights, *[np.nan] * rest]),
    )
    sample = Sample(
        items=tuple(f"q{number}" for number in range(500)),
        languages=("en",) * 500,
        sides={"on": side},
        counts=LabelCounts(),
    )
    (plan,) = plan_labels("judge.correct", sample, width=0.1, threshold=0.5).variants
    return plan.needed


def test_preferred_labels_do_not_make_the_judge_look_worse():
    """Errors that were three times as likely to be labelled count a third in the plan."""
    equal = needed([0.0] * 5 + [1.0] * 45, [10.0] * 50)
    preferred = needed([0.0] * 15 + [1.0] * 45, [10.0 / 3] * 15 + [10.0] * 45)
    assert equal is not None
    assert preferred is not None
    assert abs(preferred - equal) <= 5
