"""The depth job as other commands see it."""

from typing import Final

from assay.jobs.spec import JobSpec
from assay.registry import lazy_function
from assay.scorers.long_context import METRICS

SPEC: Final = JobSpec(
    name="depth",
    metrics=METRICS,
    headline="accuracy",
    rescore=lazy_function("assay.jobs.depth.handler:rescore_row"),
)
