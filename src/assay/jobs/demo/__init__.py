"""The demonstration: all five jobs on the samples, offline, each with a result and a picture."""

from assay.jobs.demo.ablation import demo_workspace, demonstrate
from assay.jobs.demo.tour import STOPS, Tour

__all__ = [
    "STOPS",
    "Tour",
    "demo_workspace",
    "demonstrate",
]
