"""The latencies that assay records, with the server's own figure of each call.

Nothing is imported or opened in advance: this is what ``assay`` does in a fresh process.
"""

import json

from latencies import TimedJob, print_pairs

from assay.config.experiment import RunSettings
from assay.config.system import ModelConfig
from assay.models.client import ModelClient
from assay.records import Question, RunHeader, Variant
from assay.runs.handler import SystemHandler
from assay.runs.plan import product_plan, top_k_placement
from assay.runs.run import run_plan
from assay.systems.http import OpenAISystem


def main() -> None:
    """Run all questions and print the recorded latency of each with the server's time."""
    job = TimedJob()
    config = ModelConfig(
        model="timed", base_url=job.base_url, api_key_env=None, concurrency=job.concurrency
    )
    system = OpenAISystem(ModelClient(config))
    plan = product_plan(
        questions=[Question(id=f"c{n}", text=job.question(n)) for n in range(job.count)],
        variants=[Variant(name="plain")],
        placements=[top_k_placement(10)],
        system=system.identity,
    )
    header = RunHeader(
        job="bench", name="run", system=plan.system, variants=plan.variants, total=plan.total
    )
    journal = job.folder / "run.jsonl"
    settings = RunSettings(concurrency=job.concurrency)
    run_plan(plan, SystemHandler(system), header, journal, settings=settings)
    rows = map(json.loads, journal.read_text(encoding="utf-8").splitlines())
    print_pairs([(row["elapsed_s"], float(row["answer"])) for row in rows])


if __name__ == "__main__":
    main()
