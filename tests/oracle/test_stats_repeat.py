"""Compares variance components with statsmodels, and with what the data were made of."""

import warnings

import numpy as np
import pytest
from pandas import DataFrame
from statsmodels.formula.api import ols
from statsmodels.regression.mixed_linear_model import MixedLM
from statsmodels.stats.anova import anova_lm

from assay.stats.repeat import spread


@pytest.mark.parametrize("seed", range(20))
def test_mean_squares_are_those_of_statsmodels(seed: int):
    """Unbalanced data: the components follow from the table of the analysis of variance."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 6, size=rng.integers(3, 30))
    sizes[0] = 3
    questions = np.repeat(np.arange(len(sizes)), sizes)
    values = rng.normal(size=len(sizes))[questions] + rng.normal(0, 0.7, size=len(questions))
    table = anova_lm(ols("y ~ C(q)", data=DataFrame({"y": values, "q": questions})).fit())
    between, within = table["mean_sq"]
    total = len(values)
    weight = (total - (sizes**2).sum() / total) / (len(sizes) - 1)
    found = spread(values, questions)
    assert found is not None
    assert found.within == pytest.approx(within)
    assert found.between == pytest.approx(max(0.0, (between - within) / weight))


def test_balanced_components_are_those_of_restricted_likelihood():
    """For balanced data with a positive component, ANOVA and REML agree."""
    rng = np.random.default_rng(1)
    questions = np.repeat(np.arange(60), 4)
    values = rng.normal(0, 1.2, size=60)[questions] + rng.normal(size=240)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fit = MixedLM(values, np.ones((240, 1)), groups=questions).fit(reml=True)
    found = spread(values, questions)
    assert found is not None
    assert found.within == pytest.approx(fit.scale, rel=1e-3)
    assert found.between == pytest.approx(float(fit.cov_re[0, 0]), rel=1e-3)


def test_the_components_are_unbiased():
    """Over many unbalanced samples, their means are the variances that the data were made with."""
    rng = np.random.default_rng(3)
    sizes = np.array([1, 2, 3, 4, 5] * 6)
    questions = np.repeat(np.arange(len(sizes)), sizes)
    found = []
    for _ in range(400):
        of_questions = rng.normal(0, 1.5, size=len(sizes))[questions]
        found.append(spread(of_questions + rng.normal(size=len(questions)), questions))
    assert np.mean([each.between for each in found if each]) == pytest.approx(1.5**2, rel=0.05)
    assert np.mean([each.within for each in found if each]) == pytest.approx(1.0, rel=0.05)
