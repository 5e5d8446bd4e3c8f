"""A small experiment for many tests: berth fees of a harbour, asked with and without a fee table.

It needs no model and no key. The system is called the clerk. With ``lookup`` on, the clerk gives
the right fee and cites it; with ``lookup`` off, the fee is right for about half of the berths. The
first question about berth 7 raises a rate limit and is retried; berth 13 does not exist and is
skipped. The environment variable ``CLERK_LATENCY_S`` adds a delay to every answer.
"""

import asyncio
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assay.config.experiment import RunSettings
from assay.errors import CaseSkipped, RateLimited
from assay.jobs.answers.preparation import AblationOptions, prepare
from assay.jobs.prepared import PreparedRun, RunOptions, run_prepared
from assay.runs.summary import RunResult
from assay.systems.protocol import Setting

CLERK = "python:tests.support.harbour:ask"
REPOSITORY = Path(__file__).parents[2]
LATENCY = "CLERK_LATENCY_S"
SETTINGS = {"lookup": Setting(kind=bool, default=True, description="look the fee up")}
VERSION = 1

EXPERIMENTS = """\
experiments:
  - name: berths
    description: Does the fee table help?
    ablation_variable: lookup
    values: [true, false]
  - name: draws
    description: The same question twice.
    ablation_variable: sample
    variants:
      - { name: first_draw, sample: 0 }
      - { name: second_draw, sample: 1 }
"""

_refused: set[str] = set()


def fee(number: int) -> int:
    """The price of a berth for one night."""
    return 40 + (number * 37) % 60


def question(number: int) -> dict[str, Any]:
    """A line of the question file; the gold chunk is the one with the fee of the berth."""
    return {
        "id": f"berth-{number:03d}",
        "question": f"What does berth {number} of the harbour cost a night?",
        "source": f"quay {number % 9}",
        "gold_chunk_ids": [f"fee-{number}"],
    }


async def ask(question: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Answer a question about a berth, as described at the top of this module."""
    await asyncio.sleep(float(os.environ.get(LATENCY, "0")))
    number = int(question.split()[3])
    if number == 7 and not _refused:
        _refused.add(question)
        raise RateLimited("the clerk is busy", retry_after_s=0.05)
    if number == 13:
        raise CaseSkipped("the harbour has no berth 13")
    is_right = bool(settings.get("lookup")) or fee(number) % 2 == 1
    return {
        "answer": f"{fee(number) if is_right else fee(number) + 5} crowns a night [1].",
        "passages": [
            {"id": f"fee-{number if is_right else 0}", "text": f"Berth {number}: {fee(number)}"},
            {"id": "hours", "text": "The harbour is open by day."},
        ],
    }


def write_harbour(
    root: Path,
    *,
    questions: int = 24,
    system: str = CLERK,
    experiments: str = EXPERIMENTS,
    more: str = "",
) -> None:
    """Create a workspace in ``root`` with the questions and an ``experiments.yaml``.

    ``more`` is inserted between the defaults and the experiments.
    """
    (root / "questions").mkdir(parents=True, exist_ok=True)
    (root / "experiments").mkdir(exist_ok=True)
    lines = (json.dumps(question(number)) + "\n" for number in range(1, questions + 1))
    (root / "questions/questions.jsonl").write_text("".join(lines))
    (root / "experiments/experiments.yaml").write_text(
        "defaults:\n"
        "  questions_path: questions/questions.jsonl\n"
        "  top_k: 3\n"
        f"  system: {json.dumps(system)}\n"
        f"{more}{experiments}"
    )


def prepare_experiment(root: Path, name: str = "berths", **options: Any) -> PreparedRun:
    """One experiment of the workspace at ``root``, prepared to run."""
    chosen = AblationOptions(experiments=[name], **options)
    runs = prepare(chosen, RunOptions(root=root))
    try:
        (run,) = runs.prepared()
    finally:
        runs.close()
    return run


def run_silently(run: PreparedRun, **settings: Any) -> RunResult:
    """Run it without showing progress."""
    return run_prepared(run, settings=RunSettings(**settings))
