"""Preparation is part of the run: it can be stopped, and its cost is counted."""

import asyncio
from pathlib import Path
from typing import Any

from assay.config.experiment import RunSettings
from assay.errors import CeilingReached
from assay.models.meter import record_call
from assay.records import Question, RunHeader, Variant
from assay.runs.handler import SystemHandler
from assay.runs.plan import product_plan, top_k_placement
from assay.runs.run import run_plan
from assay.runs.summary import RunResult
from assay.systems.scripted import ScriptedSystem


class Preparing(ScriptedSystem):
    """A system whose preparation takes time or money."""

    def __init__(self, seconds: float = 0.0, price: float | None = None) -> None:
        super().__init__(lambda *_: "yes")
        self._seconds = seconds
        self._price = price
        self.ready = False

    async def prepare(self) -> None:
        """Record the cost and wait."""
        if self._price is not None:
            record_call(prompt_tokens=1, completion_tokens=0, cost=self._price)
        await asyncio.sleep(self._seconds)
        self.ready = True


def run(system: Preparing, path: Path, **settings: Any) -> RunResult:
    """Run a plan of two cases."""
    plan = product_plan(
        questions=[Question(id=str(n), text="?") for n in range(2)],
        variants=[Variant(name="v")],
        placements=[top_k_placement(1)],
        system=system.identity,
    )
    header = RunHeader(job="t", name="t", system="s", variants=plan.variants, total=plan.total)
    return run_plan(
        plan, SystemHandler(system), header, path / "t.jsonl", settings=RunSettings(**settings)
    )


def test_a_stop_ends_preparation(tmp_path: Path):
    """When the time limit is reached during preparation, the run ends and asks nothing."""
    system = Preparing(seconds=3600)
    result = run(system, tmp_path, max_minutes=0.001)
    assert isinstance(result.stopped, CeilingReached)
    assert (system.ready, system.asked) == (False, [])


def test_what_preparation_costs_counts(tmp_path: Path):
    """The cost of preparation is in the result and can reach the limit before the first case."""
    assert run(Preparing(price=0.25), tmp_path / "a").paid == 0.25
    expensive = Preparing(price=2.0)
    result = run(expensive, tmp_path / "b", max_cost=1)
    assert isinstance(result.stopped, CeilingReached)
    assert expensive.asked == []
