"""The runner: plans cases, asks the system, records every outcome in the journal."""

from assay.runner.asker import Asker
from assay.runner.handler import CaseHandler
from assay.journal.write import Journal
from assay.runner.plan import Placement
from assay.runner.plan import Plan
from assay.runner.progress import Progress
from assay.runner.progress import Reporter
from assay.runner.progress import Row
from assay.runner.run import RunResult
from assay.runner.executor import Stop
from assay.runner.survey import Survey
from assay.runner.handler import SystemHandler
from assay.runner.progress import choose_reporter
from assay.runner.failure import classify
from assay.runner.progress import duration
from assay.runner.handler import passage_fields
from assay.runner.plan import product_plan
from assay.journal.read import read_rows
from assay.runner.loop import run_in_loop
from assay.runner.run import run_plan
from assay.runner.survey import survey_journal
from assay.runner.plan import top_k_placement
from assay.runner.handler import unscored_end
from assay.runner.loop import within

__all__ = [
    "Asker",
    "CaseHandler",
    "Journal",
    "Placement",
    "Plan",
    "Progress",
    "Reporter",
    "Row",
    "RunResult",
    "Stop",
    "Survey",
    "SystemHandler",
    "choose_reporter",
    "classify",
    "duration",
    "passage_fields",
    "product_plan",
    "read_rows",
    "run_in_loop",
    "run_plan",
    "survey_journal",
    "top_k_placement",
    "unscored_end",
    "within",
]
