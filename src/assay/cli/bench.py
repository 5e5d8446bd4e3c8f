"""``assay bench``: the legal benchmark."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from assay.cli.application import WholeLines
from assay.cli.options import AllowOutsideRoot, Json, Limit, OutFolder, Root, TopK, one_of
from assay.cli.output import echo, echo_json
from assay.cli.redaction import redacted
from assay.cli.run_command import run_command
from assay.config.workspace import Workspace
from assay.jobs.legal.benchmark import ignored_line, validate_benchmark
from assay.jobs.legal.document_lookup import FileProblem
from assay.jobs.legal.preparation import SYSTEM_VARIABLE, BenchOptions, prepare
from assay.jobs.prepared import JobRuns, RunOptions
from assay.report.description import noted
from assay.words.say import say, say_n

# ``assay bench PATH``: ask a system the questions of a legal benchmark and score its answers.

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
    document: Annotated[
        Path | None,
        typer.Option(
            "--document",
            help="The document of all questions, wherever the files say that it is.",
        ),
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
    limit: Limit = None,
    top_k: TopK = None,
    name: Annotated[
        str | None, typer.Option("--name", help="Name of the results. Default: from PATH.")
    ] = None,
    out: OutFolder = None,
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
        document=document,
        sample=sample,
        question_type=question_type,
        system=system,
        settings=settings or (),
        limit=limit,
        top_k=top_k,
        name=name,
        out=out,
    )
    return prepare(options, run)


app = typer.Typer(
    cls=ShortForm,
    help="The legal benchmark: facts, sets of evidence, and gaps in the documents. "
    "assay bench PATH is short for assay bench run PATH.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)


@app.callback()
def bench() -> None:
    """The legal benchmark: facts, sets of evidence, and gaps in the documents.

    assay bench PATH is short for assay bench run PATH.
    """


app.command("run")(run_benchmark)


@app.command("validate")
@redacted
def validate(
    path: Annotated[Path, typer.Argument(help="A benchmark file, or a folder of them.")],
    document: Annotated[
        Path | None,
        typer.Option(
            "--document",
            help="The document of all questions, wherever the files say that it is.",
        ),
    ] = None,
    root: Root = None,
    *,
    allow_outside_root: AllowOutsideRoot = False,
    as_json: Json = False,
) -> None:
    """Check benchmark files and list every problem with its file, line and JSON path.

    A file with a problem cannot be run, unless it is only a quote that is not at its place. What is
    ignored or cannot be checked is a remark.
    Exit code 0: no problems. 2: at least one problem.
    """
    workspace = Workspace.find(root, allow_outside_root=allow_outside_root)
    validation = validate_benchmark(path, workspace.bounds, document)
    if as_json:
        facts = {
            "files": [str(file.path) for file in validation.files],
            "questions": validation.questions,
            "passed_over": [str(path) for path in validation.passed_over],
            "ignored": list(validation.ignored),
            "remarks": list(map(_facts, validation.remarks)),
            "problems": list(map(_facts, validation.problems)),
        }
        echo_json(json.dumps(facts, ensure_ascii=False, indent=2))
    else:
        for problem in validation.problems:
            echo(str(problem))
        for remark in validation.remarks:
            echo(say("{remark} (no problem)", remark=remark))
        if validation.ignored:
            echo(noted(ignored_line(validation.ignored)))
        for other in validation.passed_over:
            echo(say("{file}: not a benchmark file, ignored", file=other), err=True)
        count = len(validation.problems)
        found = say_n("{n} problem", "{n} problems", count) if count else say("no problems")
        echo(
            say(
                "{questions} {files}: {problems}",
                questions=say_n("{n} question", "{n} questions", validation.questions),
                files=say_n("in {n} file", "in {n} files", len(validation.files)),
                problems=found,
            )
        )
    if validation.problems:
        raise typer.Exit(2)


def _facts(problem: FileProblem) -> dict[str, Any]:
    return {
        "file": str(problem.file),
        "line": problem.line,
        "path": problem.path,
        "message": problem.message,
    }
