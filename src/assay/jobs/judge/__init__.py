"""Model judges of recorded answers, and how far they can be trusted."""

from assay.jobs.judge.calibration import (
    Agreement,
    Calibration,
    JudgesCompared,
    calibrate,
    compare_judges,
)
from assay.jobs.judge.estimate import JudgeEstimate, estimate_judging
from assay.jobs.judge.load import same_model_warning
from assay.jobs.judge.planning import (
    LabelPlan,
    NewDraw,
    draw_answers,
    label_sheet,
    plan_labels,
    sample_of,
)
from assay.jobs.judge.run import JudgedRun, judge_answers, pending_cases
from assay.jobs.judge.sample import item_names
from assay.jobs.judge.subject import RecordedCase
from assay.jobs.judge.table import judge_tables, rates_table
from assay.jobs.judge.verdict import TWO_ANSWERS, JudgeVerdicts, read_verdicts
from assay.jobs.judge.workbench import (
    OpenRun,
    ScoredBy,
    check_judge,
    judge_scores,
    judge_verdicts,
    judgeable,
    labels_of,
    open_judge,
    open_run,
    paired_cases,
    scores_of,
)

__all__ = [
    "TWO_ANSWERS",
    "Agreement",
    "Calibration",
    "JudgeEstimate",
    "JudgeVerdicts",
    "JudgedRun",
    "JudgesCompared",
    "LabelPlan",
    "NewDraw",
    "OpenRun",
    "RecordedCase",
    "ScoredBy",
    "calibrate",
    "check_judge",
    "compare_judges",
    "draw_answers",
    "estimate_judging",
    "item_names",
    "judge_answers",
    "judge_scores",
    "judge_tables",
    "judge_verdicts",
    "judgeable",
    "label_sheet",
    "labels_of",
    "open_judge",
    "open_run",
    "paired_cases",
    "pending_cases",
    "plan_labels",
    "rates_table",
    "read_verdicts",
    "same_model_warning",
    "sample_of",
    "scores_of",
]
