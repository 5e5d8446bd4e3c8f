"""``assay quality``: score answers about PDFs by required and forbidden phrases."""

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.run_command import run_command
from assay.jobs.prepared import JobRuns, RunOptions
from assay.jobs.quality.batch import prepare
from assay.jobs.quality.preparation import QualityOptions
from assay.systems.load import parse_settings


@run_command(has_json=True)
def quality(
    pdf: Annotated[Path | None, typer.Option("--pdf", help="The PDF to ask about.")] = None,
    questions: Annotated[
        Path | None,
        typer.Option("--questions", help="Questions, JSON lines: id, question, must_include, …"),
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option("--config", help="Several documents: name and datasets, JSON or YAML."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Results file. Default: eval/runs/NAME.json in the workspace."),
    ] = None,
    system: Annotated[
        str | None,
        typer.Option("--system", help="Ask this system: a configured name, or kind:rest."),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A setting of the system; repeatable."),
    ] = None,
    runs: Annotated[
        int, typer.Option("--runs", min=1, help="Number of times to ask each question.")
    ] = 1,
    limit: Annotated[
        int, typer.Option("--limit", min=0, help="Ask only the first N questions; 0: all.")
    ] = 0,
    top_k: Annotated[
        int | None, typer.Option("--top-k", min=1, help="Number of passages to retrieve.")
    ] = None,
    *,
    exact_form: Annotated[
        bool,
        typer.Option(
            "--exact-form",
            help="Required phrases must have the same form: no inflection, no other comparator.",
        ),
    ] = False,
    run: RunOptions,
) -> JobRuns:
    """Ask about PDFs and score each answer by required phrases, forbidden phrases and citations.

    Questions with a recorded answer are not asked again; the answer is scored again with the
    current questions file.
    """
    options = QualityOptions(
        pdf=pdf,
        questions=questions,
        config=config,
        out=out,
        system=system,
        settings=parse_settings(settings or ()),
        top_k=top_k,
        limit=limit,
        runs=runs,
        exact=exact_form,
    )
    return prepare(options, run)
