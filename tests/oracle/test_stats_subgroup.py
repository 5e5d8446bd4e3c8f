"""Compares the test of groups with Welch's analysis of variance in SciPy and statsmodels."""

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.oneway import anova_oneway

from assay.stats.subgroup import _statistic, group_p_value


@pytest.mark.parametrize("groups", [2, 3, 5])
def test_the_statistic_is_welchs(groups: int):
    """Divided by Welch's factor for small samples, it is the F of statsmodels."""
    rng = np.random.default_rng(groups)
    parts = [rng.normal(0.1 * n, 1 + n, 8 + 5 * n) for n in range(groups)]
    means = np.array([part.mean() for part in parts])
    variances = np.array([part.var(ddof=1) / len(part) for part in parts])
    shares = 1 / variances / (1 / variances).sum()
    spread = sum(
        (1 - share) ** 2 / (len(part) - 1) for share, part in zip(shares, parts, strict=True)
    )
    factor = 1 + 2 * (groups - 2) / (groups**2 - 1) * spread
    ours = _statistic(means, variances) / (groups - 1) / factor
    assert ours == pytest.approx(anova_oneway(parts, use_var="unequal").statistic)


@pytest.mark.parametrize("gain", [0.0, 0.3])
@pytest.mark.parametrize("spreads", [(1, 1, 1), (1, 2, 4), (3, 2, 1)])
def test_the_p_value_is_near_that_of_the_textbook(spreads: tuple[int, ...], gain: float):
    """With 60 to 100 normal differences in each group the two say the same."""
    for seed in range(5):
        rng = np.random.default_rng(seed)
        sizes = (60, 80, 100)
        parts = [
            rng.normal(gain * (number == 0), spread, size)
            for number, (spread, size) in enumerate(zip(spreads, sizes, strict=True))
        ]
        ours = group_p_value(
            np.concatenate(parts), np.repeat([0, 1, 2], sizes), resamples=1_999, seed=seed
        )
        textbook = stats.f_oneway(*parts, equal_var=False).pvalue
        assert ours is not None
        assert textbook - 0.02 < ours < textbook + 0.06
