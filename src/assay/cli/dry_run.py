"""What ``--dry-run`` says of a run that is ready: nothing is asked."""

from pathlib import Path
from typing import Protocol

import typer

from assay.config import RunSettings
from assay.jobs.estimate import estimate, estimate_lines, model_facts
from assay.runner import Plan
from assay.systems import System


class PreparedRun(Protocol):
    """A run that could begin: its plan, its system, and where its rows would go."""

    @property
    def plan(self) -> Plan:
        """The cases."""

    @property
    def system(self) -> System:
        """Who would be asked."""

    @property
    def journal(self) -> Path:
        """The file of rows."""


def say_forecast(
    ready: PreparedRun, settings: RunSettings, *, fresh: bool = False, err: bool = False
) -> None:
    """Cases, calls, tokens, cost and time of what is not recorded yet; with ``fresh``, of all."""
    price, averages = model_facts(ready.system)
    made = estimate(
        ready.plan,
        ready.system,
        ready.journal,
        concurrency=settings.concurrency,
        price=price,
        averages=averages,
        fresh=fresh,
    )
    typer.echo("\n".join(estimate_lines(made)), err=err)
