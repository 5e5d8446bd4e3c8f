"""The demonstration: all five jobs on the samples, offline, each with its finding and picture."""

from assay.jobs.demo.tour import STOPS
from assay.jobs.demo.tour import Tour
from assay.jobs.demo.ablation import demo_workspace
from assay.jobs.demo.ablation import demonstrate

__all__ = [
    "STOPS",
    "Tour",
    "demo_workspace",
    "demonstrate",
]
