"""``assay bench PATH``: ask a system the questions of a legal benchmark and score its answers."""

from pathlib import Path
from typing import Annotated, Any

import typer

from assay.cli.grouped_help import WholeLines
from assay.cli.options import OutDir, TopK, one_of
from assay.cli.run_command import run_command
from assay.jobs.legal import SYSTEM_VARIABLE, BenchOptions, prepare
from assay.jobs.prepared import JobRuns, RunOptions

TYPES = ("fact_exact", "evidence_set", "conflict_gap")


class ShortForm(WholeLines):
    """A command group with a default: ``assay bench PATH`` means ``assay bench run PATH``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Insert ``run`` if the first argument is neither a command nor a help option."""
        if args and args[0] not in {*self.list_commands(ctx), *self.get_help_option_names(ctx)}:
            args = ["run", *args]
        return super().parse_args(ctx, args)


@run_command(has_report=True, has_json=True)
def run_benchmark(
    path: Annotated[
        Path | None, typer.Argument(help="A benchmark file, or a folder of them.")
    ] = None,
    question_type: Annotated[
        str | None,
        typer.Option("--type", metavar="|".join(TYPES), help="Ask only questions of this type."),
    ] = None,
    system: Annotated[
        str | None,
        typer.Option(
            "--system",
            envvar=SYSTEM_VARIABLE,
            help="Ask this system: a configured name, or kind:rest. Default: the reference "
            "pipeline over the benchmark's own documents.",
        ),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A setting of the system; repeatable."),
    ] = None,
    top_k: TopK = None,
    name: Annotated[
        str | None, typer.Option("--name", help="Name of the results. Default: from PATH.")
    ] = None,
    out_dir: OutDir = None,
    *,
    sample: Annotated[
        bool, typer.Option("--sample", help="Run the sample benchmark that comes with assay.")
    ] = False,
    run: RunOptions,
) -> JobRuns:
    """Ask the questions of a benchmark and score the answers.

    The word run may be omitted: assay bench PATH. If a file has a problem, nothing is asked.
    Questions with a recorded answer are not asked again; the answer is scored again with the
    current expected values.
    """
    if question_type is not None:
        one_of("--type", question_type, TYPES)
    options = BenchOptions(
        path=path,
        sample=sample,
        question_type=question_type,
        system=system,
        settings=settings or (),
        top_k=top_k,
        name=name,
        out_dir=out_dir,
    )
    return prepare(options, run)
