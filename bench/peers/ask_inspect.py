"""The same work with inspect_ai: its own client and scorer, and its log on disk."""

from pathlib import Path
from tempfile import TemporaryDirectory

from figures import CONCURRENCY, EXPECTED, MODEL, Job, measured, question_text
from inspect_ai import Task, eval  # noqa: A004 - the name in inspect_ai
from inspect_ai.dataset import Sample
from inspect_ai.model import GenerateConfig, get_model
from inspect_ai.scorer import includes
from inspect_ai.solver import generate


def run_all(job: Job, count: int, folder: Path) -> int:
    """Run the samples and return how many were completed."""
    samples = [
        Sample(id=number + 1, input=question_text(number), target=EXPECTED)
        for number in range(count)
    ]
    (log,) = eval(
        Task(dataset=samples, solver=generate(), scorer=includes(), name="notice"),
        model=get_model(
            f"openai-api/local/{MODEL}",
            base_url=job.base_url,
            api_key="none",
            config=GenerateConfig(max_connections=CONCURRENCY, temperature=0.0),
        ),
        max_samples=CONCURRENCY,
        log_dir=str(folder),
        display="none",
        score_display=False,
    )
    return log.results.completed_samples if log.results else 0


if __name__ == "__main__":
    job = Job()
    with TemporaryDirectory() as temporary:
        run_all(job, 1, Path(temporary))
    with measured(job.folder):
        assert run_all(job, job.count, job.folder) == job.count
