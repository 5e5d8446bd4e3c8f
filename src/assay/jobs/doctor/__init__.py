"""The checks behind ``assay doctor``."""

from assay.jobs.doctor.finding import Finding
from assay.jobs.doctor.checkup import check_extras
from assay.jobs.doctor.checkup import check_installation
from assay.jobs.doctor.checkup import check_system
from assay.jobs.doctor.checkup import check_workspace

__all__ = [
    "Finding",
    "check_extras",
    "check_installation",
    "check_system",
    "check_workspace",
]
