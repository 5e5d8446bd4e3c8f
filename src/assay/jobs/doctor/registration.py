"""The check of what other packages add to assay."""

from collections.abc import Iterator
from typing import Any, Final

from assay.jobs.doctor.finding import Finding
from assay.jobs.spec import JOBS
from assay.registry import Registry
from assay.scorers.registered import SCORERS
from assay.systems import SYSTEMS

_REGISTRIES: Final[tuple[Registry[Any], ...]] = (JOBS, SYSTEMS, SCORERS)


def check_registrations() -> Iterator[Finding]:
    """Load every job, system and scorer that another package registers."""
    for registry in _REGISTRIES:
        for entry, problem in registry.checked():
            yield Finding(ok=not problem, what=problem or f"{entry.label} can be used")
