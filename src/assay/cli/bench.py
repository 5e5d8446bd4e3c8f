"""``assay bench``: the legal benchmark."""

import json
from pathlib import Path
from typing import Annotated

import typer

from assay.cli.bench_run import ShortForm, run_benchmark
from assay.cli.options import Json
from assay.jobs.legal import validate_benchmark

app = typer.Typer(
    cls=ShortForm,
    help="The legal benchmark: facts, sets of evidence, gaps that must not be filled in. "
    "assay bench PATH is short for assay bench run PATH.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)


@app.callback()
def bench() -> None:
    """The legal benchmark: facts, sets of evidence, gaps that must not be filled in.

    assay bench PATH is short for assay bench run PATH.
    """


app.command("run")(run_benchmark)


@app.command("validate")
def validate(
    path: Annotated[Path, typer.Argument(help="A benchmark file, or a folder of them.")],
    *,
    as_json: Json = False,
) -> None:
    """Check benchmark files: every problem at once, with file, line and JSON path.

    Exit code 0: nothing is wrong. 2: something is.
    """
    done = validate_benchmark(path)
    if as_json:
        facts = {
            "files": [str(one.path) for one in done.files],
            "questions": done.questions,
            "passed_over": [str(one) for one in done.passed_over],
            "problems": [
                {"file": str(one.file), "line": one.line, "path": one.path, "message": one.message}
                for one in done.problems
            ],
        }
        typer.echo(json.dumps(facts, ensure_ascii=False, indent=2))
    else:
        for problem in done.problems:
            typer.echo(str(problem))
        for other in done.passed_over:
            typer.echo(f"{other}: no benchmark file, passed over", err=True)
        count = len(done.problems)
        said = "no problems" if not count else f"{count} problem{'s' if count > 1 else ''}"
        files = f"{len(done.files)} file{'s' if len(done.files) > 1 else ''}"
        typer.echo(f"{done.questions} questions in {files}: {said}")
    if done.problems:
        raise typer.Exit(2)
