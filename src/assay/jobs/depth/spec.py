"""The depth job as other commands see it."""

from typing import Final

from assay.jobs.depth.handler import JOB, rescore_row
from assay.jobs.spec import JobSpec
from assay.scorers.long_context import METRICS

SPEC: Final = JobSpec(name=JOB, metrics=METRICS, headline="accuracy", rescore=rescore_row)
