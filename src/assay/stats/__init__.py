"""Statistics as pure functions: they use no files and no clock, and random numbers need a seed."""

from assay.stats.agreement import (
    alpha_interval,
    cohen_kappa,
    kappa_interval,
    krippendorff_alpha,
)
from assay.stats.analysis import (
    FEWEST_DOCUMENTS,
    Analysis,
    Cell,
    VariantSummary,
    analyse,
    cluster_numbers,
)
from assay.stats.comparison import paired_effect
from assay.stats.correction import holm
from assay.stats.decision import Decision, Decisions, StopRule
from assay.stats.effect import SHARE, Effect, Family, Method, Verdict
from assay.stats.factorial import contrasts, factorial_effects
from assay.stats.interval import Interval, bca_bounds, wilson
from assay.stats.mcnemar import mcnemar_exact
from assay.stats.mean import clustered_share, jackknife_variance, mean_interval
from assay.stats.paired import differences, paired_permutation, wilcoxon_signed_rank
from assay.stats.percentile import quantile_difference_interval, quantile_interval
from assay.stats.power import detectable_difference, detectable_rate_difference
from assay.stats.resample import Floats, stream
from assay.stats.scores import ABSENT, ANSWERED, FAILED, SCORED, SKIPPED, SPARED, Scores
from assay.stats.sequential import decisions_of, untested, with_decisions

__all__ = [
    "ABSENT",
    "ANSWERED",
    "FAILED",
    "FEWEST_DOCUMENTS",
    "SCORED",
    "SHARE",
    "SKIPPED",
    "SPARED",
    "Analysis",
    "Cell",
    "Decision",
    "Decisions",
    "Effect",
    "Family",
    "Floats",
    "Interval",
    "Method",
    "Scores",
    "StopRule",
    "VariantSummary",
    "Verdict",
    "alpha_interval",
    "analyse",
    "bca_bounds",
    "cluster_numbers",
    "clustered_share",
    "cohen_kappa",
    "contrasts",
    "decisions_of",
    "detectable_difference",
    "detectable_rate_difference",
    "differences",
    "factorial_effects",
    "holm",
    "jackknife_variance",
    "kappa_interval",
    "krippendorff_alpha",
    "mcnemar_exact",
    "mean_interval",
    "paired_effect",
    "paired_permutation",
    "quantile_difference_interval",
    "quantile_interval",
    "stream",
    "untested",
    "wilcoxon_signed_rank",
    "wilson",
    "with_decisions",
]
