"""Statistics as pure functions: they use no files and no clock, and random numbers need a seed."""

from assay.stats.agreement import (
    alpha_interval,
    cohen_kappa,
    kappa_interval,
    krippendorff_alpha,
)
from assay.stats.analysis import Analysis, Cell, VariantSummary, analyse
from assay.stats.comparison import paired_effect
from assay.stats.corrected import (
    FEWEST_LABELS,
    Corrected,
    JudgedScores,
    corrected_difference,
    corrected_mean,
)
from assay.stats.correction import holm
from assay.stats.decision import (
    SEQUENTIAL_VERDICTS,
    UNKNOWN,
    Decision,
    Decisions,
    RecordedDecision,
    ScoreRange,
    SequencePoint,
    StopRule,
)
from assay.stats.effect import SHARE, Effect, Family, Method, Verdict
from assay.stats.factorial import contrasts, factorial_effects
from assay.stats.interval import Interval, bca_bounds, wilson, with_width
from assay.stats.judge_error import (
    JudgeErrors,
    Share,
    best_threshold,
    errors_differ,
    judge_errors,
)
from assay.stats.judged_rate import ErrorCounts, lang_reiczigel, rogan_gladen
from assay.stats.label_plan import labels_for_difference, labels_needed
from assay.stats.linear_quantile import quantile
from assay.stats.mcnemar import mcnemar_exact
from assay.stats.mean import clustered_share, jackknife_variance, mean_interval
from assay.stats.paired import differences, paired_permutation, wilcoxon_signed_rank
from assay.stats.percentile import quantile_difference_interval, quantile_interval
from assay.stats.power import detectable_difference, detectable_rate_difference
from assay.stats.resample import Floats, resample_counts, stream
from assay.stats.scores import ABSENT, ANSWERED, FAILED, SCORED, SKIPPED, SPARED, Scores
from assay.stats.sequential import decisions_of, untested, with_decisions, without_tests
from assay.stats.unit import FEWEST_DOCUMENTS, document_count, is_repeated, method_of_units

__all__ = [
    "ABSENT",
    "ANSWERED",
    "FAILED",
    "FEWEST_DOCUMENTS",
    "FEWEST_LABELS",
    "SCORED",
    "SEQUENTIAL_VERDICTS",
    "SHARE",
    "SKIPPED",
    "SPARED",
    "UNKNOWN",
    "Analysis",
    "Cell",
    "Corrected",
    "Decision",
    "Decisions",
    "Effect",
    "ErrorCounts",
    "Family",
    "Floats",
    "Interval",
    "JudgeErrors",
    "JudgedScores",
    "Method",
    "RecordedDecision",
    "ScoreRange",
    "Scores",
    "SequencePoint",
    "Share",
    "StopRule",
    "VariantSummary",
    "Verdict",
    "alpha_interval",
    "analyse",
    "bca_bounds",
    "best_threshold",
    "clustered_share",
    "cohen_kappa",
    "contrasts",
    "corrected_difference",
    "corrected_mean",
    "decisions_of",
    "detectable_difference",
    "detectable_rate_difference",
    "differences",
    "document_count",
    "errors_differ",
    "factorial_effects",
    "holm",
    "is_repeated",
    "jackknife_variance",
    "judge_errors",
    "kappa_interval",
    "krippendorff_alpha",
    "labels_for_difference",
    "labels_needed",
    "lang_reiczigel",
    "mcnemar_exact",
    "mean_interval",
    "method_of_units",
    "paired_effect",
    "paired_permutation",
    "quantile",
    "quantile_difference_interval",
    "quantile_interval",
    "resample_counts",
    "rogan_gladen",
    "stream",
    "untested",
    "wilcoxon_signed_rank",
    "wilson",
    "with_decisions",
    "with_width",
    "without_tests",
]
