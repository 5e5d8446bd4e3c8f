"""The checks of ``assay doctor``."""

from assay.jobs.doctor.checkup import (
    check_extras,
    check_installation,
    check_system,
    check_workspace,
)
from assay.jobs.doctor.finding import Finding
from assay.jobs.doctor.registration import check_registrations

__all__ = [
    "Finding",
    "check_extras",
    "check_installation",
    "check_registrations",
    "check_system",
    "check_workspace",
]
