"""The same work with pydantic-evals: a bare aiohttp call as the task, the report on disk."""

import asyncio
from dataclasses import dataclass

import aiohttp
from figures import CONCURRENCY, EXPECTED, MODEL, Job, measured, question_text
from pydantic_evals import Case, Dataset
from pydantic_evals.evaluators import Evaluator, EvaluatorContext
from pydantic_evals.reporting import EvaluationReportAdapter


@dataclass
class NamesPeriod(Evaluator[str, str, None]):
    """Whether the answer names the notice period."""

    def evaluate(self, ctx: EvaluatorContext[str, str, None]) -> bool:
        """Whether the answer contains the expected words."""
        return EXPECTED in ctx.output


def dataset_of(count: int) -> Dataset[str, str, None]:
    """So many questions."""
    return Dataset[str, str, None](
        name="notice",
        cases=[Case(name=f"c{n}", inputs=question_text(n)) for n in range(count)],
        evaluators=[NamesPeriod()],
    )


async def evaluate_all(job: Job, dataset: Dataset[str, str, None]) -> int:
    """Evaluate all cases and return how many have a score."""
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector) as session:

        async def ask(question: str) -> str:
            request = {
                "model": MODEL,
                "messages": [{"role": "user", "content": question}],
                "temperature": 0.0,
            }
            async with session.post(f"{job.base_url}/chat/completions", json=request) as response:
                reply = await response.json()
            return str(reply["choices"][0]["message"]["content"])

        report = await dataset.evaluate(ask, max_concurrency=CONCURRENCY, progress=False)
    (job.folder / "report.json").write_bytes(EvaluationReportAdapter.dump_json(report))
    return len(report.cases)


if __name__ == "__main__":
    job = Job()
    dataset = dataset_of(job.count)
    asyncio.run(evaluate_all(job, dataset_of(1)))
    with measured(job.folder):
        assert asyncio.run(evaluate_all(job, dataset)) == job.count
