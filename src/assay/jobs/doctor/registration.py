"""The check of what other packages add to assay."""

from collections.abc import Iterator
from typing import Any, Final

from assay.jobs.doctor.finding import Finding
from assay.jobs.spec import JOBS, scorer_clash
from assay.registry import Registry
from assay.scorers.registered import SCORERS
from assay.systems import SYSTEMS
from assay.words import say

_REGISTRIES: Final[tuple[Registry[Any], ...]] = (JOBS, SYSTEMS, SCORERS)


def check_registrations() -> Iterator[Finding]:
    """Load every job, system and scorer that another package registers."""
    for registry in _REGISTRIES:
        for entry, problem in registry.checked():
            problems = [problem] if problem else []
            if registry is SCORERS and not problem:
                problems = list(_clashes(entry.name))
            for line in problems:
                yield Finding(ok=False, what=line)
            if not problems:
                yield Finding(ok=True, what=say("{name} can be used", name=entry.label))


def _clashes(scorer: str) -> Iterator[str]:
    """For each job of a scorer that has a score of its own with this name, a line."""
    jobs = SCORERS.get(scorer).jobs
    for name in JOBS.own:
        problem = scorer_clash(JOBS.get_own(name), scorer)
        if problem and (not jobs or name in jobs):
            yield problem
