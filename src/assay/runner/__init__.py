"""The runner: plans the cases, asks the system and records every outcome in the journal."""

from typing import TYPE_CHECKING

from assay.registry import lazy_door

if TYPE_CHECKING:
    from assay.runner.asker import Asker
    from assay.runner.asking_order import in_order_of_asking, place_of, recorded_order
    from assay.runner.attempt import Attempts
    from assay.runner.budget import Budget
    from assay.runner.cost_gate import CostGate
    from assay.runner.early_stop import EarlyStop, score_of
    from assay.runner.executor import AsyncioExecutor, Stop
    from assay.runner.handler import CaseHandler, SystemHandler, recorded_passages
    from assay.runner.judging import Judgement, VerdictAsker
    from assay.runner.loop import interruptible, run_in_loop, within
    from assay.runner.plan import (
        FurtherMark,
        Placement,
        Plan,
        header_digest,
        plan_digest,
        product_plan,
        top_k_placement,
    )
    from assay.runner.progress import Progress, Reporter, choose_reporter, duration
    from assay.runner.rejudge import AGAINST
    from assay.runner.run import MIXED, check_run, run_plan
    from assay.runner.run_result import RunResult
    from assay.runner.scoring import score_answered
    from assay.runner.shard import Shard, in_turn, parse_shard, plan_part
    from assay.runner.survey import Survey, survey_journal
else:
    __getattr__ = lazy_door(
        __name__,
        {
            "AGAINST": "rejudge",
            "Asker": "asker",
            "AsyncioExecutor": "executor",
            "Attempts": "attempt",
            "Budget": "budget",
            "CaseHandler": "handler",
            "CostGate": "cost_gate",
            "EarlyStop": "early_stop",
            "FurtherMark": "plan",
            "Judgement": "judging",
            "MIXED": "run",
            "Placement": "plan",
            "Plan": "plan",
            "Progress": "progress",
            "Reporter": "progress",
            "RunResult": "run_result",
            "Shard": "shard",
            "Stop": "executor",
            "Survey": "survey",
            "SystemHandler": "handler",
            "VerdictAsker": "judging",
            "check_run": "run",
            "choose_reporter": "progress",
            "duration": "progress",
            "header_digest": "plan",
            "in_order_of_asking": "asking_order",
            "in_turn": "shard",
            "interruptible": "loop",
            "parse_shard": "shard",
            "place_of": "asking_order",
            "plan_digest": "plan",
            "plan_part": "shard",
            "product_plan": "plan",
            "recorded_order": "asking_order",
            "recorded_passages": "handler",
            "run_in_loop": "loop",
            "run_plan": "run",
            "score_answered": "scoring",
            "score_of": "early_stop",
            "survey_journal": "survey",
            "top_k_placement": "plan",
            "within": "loop",
        },
    )

__all__ = [
    "AGAINST",
    "MIXED",
    "Asker",
    "AsyncioExecutor",
    "Attempts",
    "Budget",
    "CaseHandler",
    "CostGate",
    "EarlyStop",
    "FurtherMark",
    "Judgement",
    "Placement",
    "Plan",
    "Progress",
    "Reporter",
    "RunResult",
    "Shard",
    "Stop",
    "Survey",
    "SystemHandler",
    "VerdictAsker",
    "check_run",
    "choose_reporter",
    "duration",
    "header_digest",
    "in_order_of_asking",
    "in_turn",
    "interruptible",
    "parse_shard",
    "place_of",
    "plan_digest",
    "plan_part",
    "product_plan",
    "recorded_order",
    "recorded_passages",
    "run_in_loop",
    "run_plan",
    "score_answered",
    "score_of",
    "survey_journal",
    "top_k_placement",
    "within",
]
