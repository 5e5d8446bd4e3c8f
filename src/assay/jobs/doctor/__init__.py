"""The checks of ``assay doctor``."""

from assay.jobs.doctor.checkup import (
    check_extras,
    check_installation,
    check_system,
    check_workspace,
)
from assay.jobs.doctor.finding import Finding

__all__ = [
    "Finding",
    "check_extras",
    "check_installation",
    "check_system",
    "check_workspace",
]
