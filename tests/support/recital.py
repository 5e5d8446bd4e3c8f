"""The files of a small job, as someone who follows the recipe for a job would write them.

It asks a system to repeat each line of a file, and scores whether it did so exactly.
"""

DOOR = '"""Recital: does a system repeat a text word for word?"""\n'

SPEC = '''\
"""Recital: does a system repeat the lines of a file word for word?"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from assay.checks.latency import LATENCY
from assay.jobs.prepared import JobRuns, PreparedRun, RunOptions
from assay.records import Answer, Case, Metric, Question, RunHeader, Score, Variant
from assay.results.job import JobSpec
from assay.runs.handler import SystemHandler
from assay.runs.plan import product_plan, top_k_placement
from assay.systems.load import load_configuration, make_system_context
from assay.systems.load import load_system

JOB: Final = "recital"


def is_exact(line: str, answer: str) -> bool:
    """Whether the answer is the line.

    >>> is_exact("one two", "one two"), is_exact("one two", "one")
    (True, False)
    """
    return line == answer


class RecitalHandler(SystemHandler):
    """Asks the system for each line and compares the answer with it."""

    job = JOB

    def score(self, case: Case, answer: Answer, verdict: object) -> Mapping[str, Score]:
        """Whether the answer is the line; the row has it at ``scores.exact``."""
        return {"exact": is_exact(case.question.text, answer.text)}


def rescore_row(row: Mapping[str, Any]) -> Mapping[str, Score]:
    """The scores of a recorded answer by the current rules."""
    return {"scores": {"exact": is_exact(row["question"], row["answer"])}}


def recital(
    lines: Annotated[Path, typer.Argument(help="A file with one text per line.")],
    system: Annotated[str, typer.Option("--system", help="The system to ask.")],
    *,
    run: RunOptions,
) -> JobRuns:
    """Ask a system to repeat the lines of a file, and count how many it repeats exactly."""
    workspace = run.find_workspace()
    document = load_configuration(workspace)
    context = make_system_context(workspace, document, use_cache=not run.no_call_cache)

    def prepared() -> Iterator[PreparedRun]:
        asked = load_system(system, context)
        texts = lines.read_text(encoding="utf-8").splitlines()
        variants = (Variant(name="plain"),)
        plan = product_plan(
            questions=[Question(id=f"line-{n}", text=text) for n, text in enumerate(texts, 1)],
            variants=variants,
            placements=[top_k_placement(1)],
            system=asked.identity,
        )
        yield PreparedRun(
            plan=plan,
            system=asked,
            handler=RecitalHandler(asked),
            header=RunHeader(
                job=JOB,
                name=lines.stem,
                system=asked.identity,
                variants=variants,
                total=plan.total,
            ),
            journal=workspace.experiments_dir / f"{lines.stem}.jsonl",
            writes_report=True,
        )

    return JobRuns(settings=run.run_settings(document), prepared=prepared, close=context.close)


SPEC: Final = JobSpec(
    name=JOB,
    metrics=(
        Metric(
            name="exact_rate",
            field="scores.exact",
            title="Recited exactly",
            title_zh="逐字背诵",
            title_ru="прочитано дословно",
            kind="rate",
            formula="1 if the answer is the line, otherwise 0",
            function=is_exact,
        ),
        *LATENCY,
    ),
    headline="exact_rate",
    rescore=rescore_row,
    command=recital,
    help="Ask a system to repeat the lines of a file.",
)
'''
