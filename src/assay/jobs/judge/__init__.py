"""Model judges of recorded answers, and how far they can be trusted."""

from typing import TYPE_CHECKING

from assay.registry import lazy_door

if TYPE_CHECKING:
    from assay.jobs.judge.calibration import (
        FEWEST_OF_A_KIND,
        FEWEST_UNLABELLED,
        Agreement,
        Calibration,
        JudgesCompared,
        TrueRate,
        calibrate,
        compare_judges,
    )
    from assay.jobs.judge.draw import Drawn, read_drawn, write_drawn
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
    from assay.jobs.judge.preference import PairVerdict, pair_verdicts
    from assay.jobs.judge.run import JudgedRun, judge_answers, pending_cases
    from assay.jobs.judge.sample import Sample, item_names
    from assay.jobs.judge.subject import RecordedCase
    from assay.jobs.judge.table import judge_tables, rates_table
    from assay.jobs.judge.verdict import (
        TWO_ANSWERS,
        JudgeVerdicts,
        read_verdicts,
        verdict_notes,
    )
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
else:
    __getattr__ = lazy_door(
        __name__,
        {
            "Agreement": "calibration",
            "Calibration": "calibration",
            "Drawn": "draw",
            "FEWEST_OF_A_KIND": "calibration",
            "FEWEST_UNLABELLED": "calibration",
            "JudgeEstimate": "estimate",
            "JudgeVerdicts": "verdict",
            "JudgedRun": "run",
            "JudgesCompared": "calibration",
            "LabelPlan": "planning",
            "NewDraw": "planning",
            "OpenRun": "workbench",
            "PairVerdict": "preference",
            "RecordedCase": "subject",
            "Sample": "sample",
            "ScoredBy": "workbench",
            "TWO_ANSWERS": "verdict",
            "TrueRate": "calibration",
            "calibrate": "calibration",
            "check_judge": "workbench",
            "compare_judges": "calibration",
            "draw_answers": "planning",
            "estimate_judging": "estimate",
            "item_names": "sample",
            "judge_answers": "run",
            "judge_scores": "workbench",
            "judge_tables": "table",
            "judge_verdicts": "workbench",
            "judgeable": "workbench",
            "label_sheet": "planning",
            "labels_of": "workbench",
            "open_judge": "workbench",
            "open_run": "workbench",
            "pair_verdicts": "preference",
            "paired_cases": "workbench",
            "pending_cases": "run",
            "plan_labels": "planning",
            "rates_table": "table",
            "read_drawn": "draw",
            "read_verdicts": "verdict",
            "same_model_warning": "load",
            "sample_of": "planning",
            "scores_of": "workbench",
            "verdict_notes": "verdict",
            "write_drawn": "draw",
        },
    )

__all__ = [
    "FEWEST_OF_A_KIND",
    "FEWEST_UNLABELLED",
    "TWO_ANSWERS",
    "Agreement",
    "Calibration",
    "Drawn",
    "JudgeEstimate",
    "JudgeVerdicts",
    "JudgedRun",
    "JudgesCompared",
    "LabelPlan",
    "NewDraw",
    "OpenRun",
    "PairVerdict",
    "RecordedCase",
    "Sample",
    "ScoredBy",
    "TrueRate",
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
    "pair_verdicts",
    "paired_cases",
    "pending_cases",
    "plan_labels",
    "rates_table",
    "read_drawn",
    "read_verdicts",
    "same_model_warning",
    "sample_of",
    "scores_of",
    "verdict_notes",
    "write_drawn",
]
