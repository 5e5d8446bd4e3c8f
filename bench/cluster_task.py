"""The programs of the cluster benchmark, each run in a separate process: ``cluster_task.py NAME …``.

A task prints the seconds from the first question to the last answer as ``cpu_s``: the start of Ray
and of the workers is not in it. On a cluster the time is what counts, not the processor's.
"""

import asyncio
import os
import sys
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import redirect_stderr
from pathlib import Path
from typing import Any

import msgspec

from assay.config.experiment import RunSettings
from assay.config.system import ClusterOptions
from assay.records import Answer, Case, Question, RunHeader, Score, Variant
from assay.runs.handler import SystemHandler
from assay.runs.plan import product_plan, top_k_placement
from assay.runs.run import run_plan
from assay.systems.load import SystemContext, load_system

BURNT_S = 0.05
AT_ONCE = 64


async def nothing(question: str) -> str:
    """Answer at once."""
    return question


def wait(question: str) -> str:
    """Wait 50 ms; one question at a time."""
    time.sleep(0.05)
    return question


def burn(question: str) -> str:
    """Use the processor for 50 ms; one question at a time."""
    until = time.process_time() + BURNT_S
    while time.process_time() < until:
        pass
    return question


nothing.max_concurrency = AT_ONCE // 2  # type: ignore[attr-defined]


class Questions(Collection[Question]):
    """Questions, generated lazily."""

    def __init__(self, count: int) -> None:
        self.count = count

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[Question]:
        return (Question(id=f"q{n}", text=f"What is {n}?") for n in range(self.count))

    def __contains__(self, question: object) -> bool:
        return False


class Timed(SystemHandler):
    """Notes when the system is ready, and when the last answer is there."""

    ready_at = 0.0
    answered_at = 0.0

    async def warm_up(self, variants: Sequence[Variant], concurrency: int) -> None:
        """Prepare, and start the clock."""
        await super().warm_up(variants, concurrency)
        self.ready_at = time.perf_counter()

    def score(self, case: Case, answer: Answer, verdict: object) -> Mapping[str, Score]:
        """Nothing; notes the time."""
        self.answered_at = time.perf_counter()
        return {}


def run(name: str, questions: int, workers: int) -> float:
    """Seconds of a run through workers."""
    context = SystemContext(Path(), cluster=ClusterOptions(workers=workers))
    system = load_system(f"python:cluster_task:{name}", context)
    plan = product_plan(
        questions=Questions(questions),
        variants=[Variant(name="only")],
        placements=[top_k_placement(1)],
        system=system.identity,
    )
    header = RunHeader(
        job="run", name=name, system=system.identity, variants=plan.variants, total=plan.total
    )
    handler = Timed(system)
    result = run_plan(
        plan,
        handler,
        header,
        Path(f"{name}.jsonl"),
        settings=RunSettings(concurrency=AT_ONCE if name == "nothing" else 1000),
    )
    context.close()
    assert result.tally.scored == questions, result
    return handler.answered_at - handler.ready_at


class Bare:
    """An actor that does nothing."""

    async def ask(self, question: bytes) -> bytes:
        """Return what it was given."""
        return question


def run_bare(questions: int, workers: int) -> float:
    """Seconds of as many awaited calls of actors, without assay."""
    import ray  # noqa: PLC0415 - as a run does

    ray.init(
        address="local",
        num_cpus=workers,
        include_dashboard=False,
        object_store_memory=100_000_000,
        log_to_driver=False,
        logging_level="critical",
    )
    make = ray.remote(Bare).options(max_concurrency=AT_ONCE)
    actors = [make.remote() for _ in range(workers)]
    ray.get([actor.ask.remote(b"") for actor in actors])
    seconds = asyncio.run(_ask_all(actors, questions))
    ray.shutdown()
    return seconds


async def _ask_all(actors: Sequence[Any], questions: int) -> float:
    numbers = iter(range(questions))

    async def ask() -> None:
        for number in numbers:
            await actors[number % len(actors)].ask.remote(b"What is it?")

    started_at = time.perf_counter()
    await asyncio.gather(*(ask() for _ in range(AT_ONCE)))
    return time.perf_counter() - started_at


def main() -> None:
    """Run the task that the command line names."""
    name, questions, workers = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    # the module is imported by its name in the workers too
    sys.path.insert(0, str(Path(__file__).parent))
    with Path(os.devnull).open("w") as null, redirect_stderr(null):
        seconds = run_bare(questions, workers) if name == "bare" else run(name, questions, workers)
    print(msgspec.json.encode({"cpu_s": seconds}).decode())


if __name__ == "__main__":
    main()
