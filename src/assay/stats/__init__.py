"""Statistics as pure functions: no file, no clock, and random numbers only from a seed."""

from assay.stats.analysis import Analysis
from assay.stats.analysis import Cell
from assay.stats.effect import Effect
from assay.stats.resample import Floats
from assay.stats.interval import Interval
from assay.stats.effect import Method
from assay.stats.effect import SHARE
from assay.stats.scores import Scores
from assay.stats.analysis import VariantSummary
from assay.stats.effect import Verdict
from assay.stats.analysis import analyse
from assay.stats.interval import bca_bounds
from assay.stats.interval import bca_mean
from assay.stats.analysis import cluster_numbers
from assay.stats.factorial import contrasts
from assay.stats.power import detectable_difference
from assay.stats.power import detectable_rate_difference
from assay.stats.paired import differences
from assay.stats.factorial import factorial_effects
from assay.stats.correction import holm
from assay.stats.paired import mcnemar_exact
from assay.stats.effect import paired_effect
from assay.stats.paired import paired_permutation
from assay.stats.percentile import quantile_difference_interval
from assay.stats.percentile import quantile_interval
from assay.stats.resample import stream
from assay.stats.paired import wilcoxon_signed_rank
from assay.stats.interval import wilson
from assay.stats.effect import with_verdicts

__all__ = [
    "Analysis",
    "Cell",
    "Effect",
    "Floats",
    "Interval",
    "Method",
    "SHARE",
    "Scores",
    "VariantSummary",
    "Verdict",
    "analyse",
    "bca_bounds",
    "bca_mean",
    "cluster_numbers",
    "contrasts",
    "detectable_difference",
    "detectable_rate_difference",
    "differences",
    "factorial_effects",
    "holm",
    "mcnemar_exact",
    "paired_effect",
    "paired_permutation",
    "quantile_difference_interval",
    "quantile_interval",
    "stream",
    "wilcoxon_signed_rank",
    "wilson",
    "with_verdicts",
]
