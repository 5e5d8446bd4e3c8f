from assay.checks.latency import LATENCY as LATENCY
from assay.checks.scorer import Scorer as Scorer
from assay.checks.scorer import Subject as Subject
from assay.cli.run_command import run_command as run_command
from assay.jobs.prepared import JobRuns as JobRuns
from assay.jobs.prepared import PreparedRun as PreparedRun
from assay.jobs.prepared import RunOptions as RunOptions
from assay.records import Answer as Answer
from assay.records import Case as Case
from assay.records import Metric as Metric
from assay.records import Passage as Passage
from assay.records import Question as Question
from assay.records import RunHeader as RunHeader
from assay.records import Score as Score
from assay.records import Usage as Usage
from assay.records import Variant as Variant
from assay.results.job import JobSpec as JobSpec
from assay.runs.handler import SystemHandler as SystemHandler
from assay.runs.plan import product_plan as product_plan
from assay.runs.plan import top_k_placement as top_k_placement
from assay.systems.context import SystemContext as SystemContext
from assay.systems.context import load_configuration as load_configuration
from assay.systems.context import make_system_context as make_system_context
from assay.systems.load import load_system as load_system
from assay.systems.protocol import Setting as Setting
from assay.systems.protocol import System as System

__all__: list[str]  # noqa: PYI035 - attached from these lines
