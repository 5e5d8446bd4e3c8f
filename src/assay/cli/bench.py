"""``assay bench``: the legal benchmark."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from assay.cli.bench_run import ShortForm, run_benchmark
from assay.cli.options import AllowOutsideRoot, Json, Root
from assay.cli.output import echo, echo_json
from assay.cli.redaction import redacted
from assay.config import Workspace
from assay.data.legal import Problem
from assay.jobs.description import noted
from assay.jobs.legal import ignored_line, validate_benchmark
from assay.words import say

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
    validation = validate_benchmark(path, workspace.bounds)
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
        line = "{n} {n:question|questions} in {files} {files:file|files}: {problems}"
        found = say("{n} {n:problem|problems}", n=count) if count else say("no problems")
        echo(say(line, n=validation.questions, files=len(validation.files), problems=found))
    if validation.problems:
        raise typer.Exit(2)


def _facts(problem: Problem) -> dict[str, Any]:
    return {
        "file": str(problem.file),
        "line": problem.line,
        "path": problem.path,
        "message": problem.message,
    }
