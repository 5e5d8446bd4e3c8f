"""assay's whole path: plan, call, score, journal. The argument ``nocache`` disables the cache."""

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from figures import CONCURRENCY, EXPECTED, MODEL, Job, measured, question_text

from assay.config.experiment import RunSettings
from assay.config.system import ModelConfig
from assay.models.cache import CallCache
from assay.models.client import ModelClient
from assay.records import Answer, Case, Question, RunHeader, Score, Variant
from assay.runs.handler import SystemHandler
from assay.runs.plan import product_plan, top_k_placement
from assay.runs.run import run_plan
from assay.systems.http import OpenAISystem


class NoticeHandler(SystemHandler):
    """Scores whether the answer names the notice period."""

    def score(self, case: Case, answer: Answer, verdict: object) -> Mapping[str, Score]:
        """``right``: whether the answer contains the expected words."""
        return {"right": EXPECTED in answer.text}


def run_all(job: Job, questions: list[Question], folder: Path) -> int:
    """Run all cases and return how many were scored."""
    cache = None if "nocache" in job.arguments else CallCache(folder / "calls.sqlite")
    config = ModelConfig(
        model=MODEL, base_url=job.base_url, api_key_env=None, parameters={"temperature": 0.0}
    )
    system = OpenAISystem(ModelClient(config, cache=cache))
    plan = product_plan(
        questions=questions,
        variants=[Variant(name="plain")],
        placements=[top_k_placement(10)],
        system=system.identity,
    )
    header = RunHeader(
        job="bench", name="run", system=plan.system, variants=plan.variants, total=plan.total
    )
    result = run_plan(
        plan,
        NoticeHandler(system),
        header,
        folder / "run.jsonl",
        settings=RunSettings(concurrency=CONCURRENCY),
    )
    if cache is not None:
        cache.close()
    return result.tally.scored


if __name__ == "__main__":
    job = Job()
    questions = [Question(id=f"c{n}", text=question_text(n)) for n in range(job.count)]
    with TemporaryDirectory() as temporary:
        run_all(job, questions[:1], Path(temporary))
    with measured(job.folder):
        assert run_all(job, questions, job.folder) == job.count
