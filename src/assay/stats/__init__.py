"""Statistics as pure functions: no file, no clock, and random numbers only from a seed."""

from assay.stats.analysis import Analysis, Cell, VariantSummary, analyse
from assay.stats.correction import holm
from assay.stats.effect import Effect, Verdict
from assay.stats.factorial import contrasts, factorial_effects
from assay.stats.interval import Interval, bca_mean, wilson
from assay.stats.paired import (
    differences,
    mcnemar_exact,
    paired_permutation,
    wilcoxon_signed_rank,
)
from assay.stats.percentile import quantile_difference_interval, quantile_interval
from assay.stats.power import detectable_difference, detectable_rate_difference
from assay.stats.scores import Scores

__all__ = [
    "Analysis",
    "Cell",
    "Effect",
    "Interval",
    "Scores",
    "VariantSummary",
    "Verdict",
    "analyse",
    "bca_mean",
    "contrasts",
    "detectable_difference",
    "detectable_rate_difference",
    "differences",
    "factorial_effects",
    "holm",
    "mcnemar_exact",
    "paired_permutation",
    "quantile_difference_interval",
    "quantile_interval",
    "wilcoxon_signed_rank",
    "wilson",
]
