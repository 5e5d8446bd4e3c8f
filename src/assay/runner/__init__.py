"""The runner: plans cases, asks the system, records every outcome in the journal."""

from assay.runner.journal import Journal
from assay.runner.plan import Plan, product_plan
from assay.runner.progress import Progress
from assay.runner.row import read_rows
from assay.runner.run import RunResult, run_plan
from assay.runner.work import SystemWork, Work

__all__ = [
    "Journal",
    "Plan",
    "Progress",
    "RunResult",
    "SystemWork",
    "Work",
    "product_plan",
    "read_rows",
    "run_plan",
]
