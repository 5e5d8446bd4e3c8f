"""The files of a small job, as someone who follows the recipe for a job would write them.

It asks a system to repeat each line of a file, and scores whether it did so exactly.
"""

HANDLER = '''\
"""How each line of a recital is asked, scored and recorded."""

from collections.abc import Mapping
from typing import Any, Final

from assay.records import Answer, Case, Score
from assay.runs.handler import SystemHandler

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
'''

PREPARATION = '''\
"""Prepare a recital: read the lines and plan one case for each."""

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from assay.jobs.prepared import JobRuns, PreparedRun, RunOptions
from assay.jobs.recital.handler import JOB, RecitalHandler
from assay.systems.context import load_configuration, make_system_context
from assay.records import Question, RunHeader, Variant
from assay.runs.plan import product_plan, top_k_placement
from assay.systems.load import load_system


class RecitalOptions(Struct, frozen=True, kw_only=True):
    """The options of ``assay recital`` besides those that all run commands share."""

    lines: Path
    system: str


def prepare(options: RecitalOptions, run: RunOptions) -> JobRuns:
    """Read the configuration; no line is asked yet."""
    workspace = run.find_workspace()
    document = load_configuration(workspace)
    context = make_system_context(workspace, document, use_cache=not run.no_call_cache)

    def prepared() -> Iterator[PreparedRun]:
        system = load_system(options.system, context)
        lines = options.lines.read_text(encoding="utf-8").splitlines()
        variants = (Variant(name="plain"),)
        plan = product_plan(
            questions=[Question(id=f"line-{n}", text=line) for n, line in enumerate(lines, 1)],
            variants=variants,
            placements=[top_k_placement(1)],
            system=system.identity,
        )
        yield PreparedRun(
            plan=plan,
            system=system,
            handler=RecitalHandler(system),
            header=RunHeader(
                job=JOB,
                name=options.lines.stem,
                system=system.identity,
                variants=variants,
                total=plan.total,
            ),
            journal=workspace.experiments_dir / f"{options.lines.stem}.jsonl",
            writes_report=True,
        )

    return JobRuns(settings=run.run_settings(document), prepared=prepared, close=context.close)
'''

SPEC = '''\
"""The recital as other commands see it."""

from typing import Final

from assay.jobs.recital.handler import is_exact, rescore_row
from assay.results.job import JobSpec
from assay.records import Metric
from assay.checks.latency import LATENCY

SPEC: Final = JobSpec(
    name="recital",
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
)
'''

DOOR = '''\
"""Recital: does a system repeat a text word for word?"""

from assay.jobs.recital.preparation import RecitalOptions, prepare
from assay.jobs.recital.spec import SPEC

__all__ = ["SPEC", "RecitalOptions", "prepare"]
'''

COMMAND = '''\
"""``assay recital``: ask a system to repeat the lines of a file."""

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.run_command import run_command
from assay.jobs.prepared import JobRuns, RunOptions
from assay.jobs.recital import RecitalOptions, prepare


@run_command(has_report=True)
def recital(
    lines: Annotated[Path, typer.Argument(help="A file with one text per line.")],
    system: Annotated[str, typer.Option("--system", help="The system to ask.")],
    *,
    run: RunOptions,
) -> JobRuns:
    """Ask a system to repeat the lines of a file, and count how many it repeats exactly."""
    return prepare(RecitalOptions(lines=lines, system=system), run)
'''

HELP = "Ask a system to repeat the lines of a file."

_WHAT = f"{HELP.rstrip('.')}, and count how many it repeats exactly."
WORDS = {
    "zh": f"""
"{HELP}" = "让系统复述文件的各行。"
"{_WHAT}" = "让系统复述文件的各行，并统计有多少行完全一致。"
"A file with one text per line." = "每行一段文本的文件。"
"The system to ask." = "要提问的系统。"
""",
    "ru": f"""
"{HELP}" = "Попросить систему повторить строки файла."
"{_WHAT}" = "Попросить систему повторить строки файла и сосчитать дословные повторы."
"A file with one text per line." = "Файл с одним текстом в строке."
"The system to ask." = "Какую систему спрашивать."
""",
}
"""The lines that are added to the messages of commands in other languages."""

PAGE = """\
# Recital

`assay recital LINES` asks a system to repeat each line of a file.
"""
