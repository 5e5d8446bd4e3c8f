"""The same work with inspect_ai: its own client, its own scorer, its log on disk."""

from pathlib import Path
from tempfile import TemporaryDirectory

from figures import CONCURRENCY, EXPECTED, MODEL, Job, counted, question_text
from inspect_ai import Task, eval  # noqa: A004 - its own name
from inspect_ai.dataset import Sample
from inspect_ai.model import GenerateConfig, get_model
from inspect_ai.scorer import includes
from inspect_ai.solver import generate


def run_all(job: Job, count: int, folder: Path) -> int:
    """How many samples were completed."""
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
    given = Job()
    # Its first run imports and reads for seconds, which is not to count.
    with TemporaryDirectory() as elsewhere:
        run_all(given, 1, Path(elsewhere))
    with counted(given.folder):
        assert run_all(given, given.count, given.folder) == given.count
