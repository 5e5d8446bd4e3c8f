"""The checks of ``assay doctor``."""

from assay.jobs.doctor.checkup import (
    check_extras,
    check_installation,
    check_system,
    check_workspace,
    not_needed,
)
from assay.jobs.doctor.finding import Finding
from assay.jobs.doctor.named_system import check_named_system
from assay.jobs.doctor.registration import check_registrations

__all__ = [
    "Finding",
    "check_extras",
    "check_installation",
    "check_named_system",
    "check_registrations",
    "check_system",
    "check_workspace",
    "not_needed",
]
