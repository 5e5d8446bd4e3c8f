"""``assay review``: score a reviewer of contract clauses."""

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.options import OutFolder, Primary
from assay.cli.run_command import run_command
from assay.jobs.contract.preparation import prepare
from assay.jobs.contract.source import ReviewOptions
from assay.jobs.prepared import JobRuns, RunOptions


@run_command(has_report=True, has_config=True)
def review(
    data: Annotated[
        Path | None,
        typer.Option("--data", help="Clauses with their true verdicts, JSON or JSONL."),
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option("--config", help="Variants to compare, as in experiments.yaml."),
    ] = None,
    experiment: Annotated[
        list[str] | None,
        typer.Option(
            "--experiment", "-e", help="Experiment to run; repeatable. Default: all of --config."
        ),
    ] = None,
    rules: Annotated[
        Path | None, typer.Option("--rules", help="Rules of the reviewer, YAML or JSON.")
    ] = None,
    laws: Annotated[
        Path | None,
        typer.Option(
            "--laws", help="Laws to cite and to check citations with: SQLite, JSON, JSONL, CSV."
        ),
    ] = None,
    costs: Annotated[
        Path | None, typer.Option("--costs", help="Costs of the verdicts, YAML.")
    ] = None,
    system: Annotated[
        str | None,
        typer.Option(
            "--system", help="Review with this system: a name from the file, or kind:rest."
        ),
    ] = None,
    verifier: Annotated[
        str,
        typer.Option(
            "--verifier",
            help="Check of quotations: aligner (rules, offline), onnx:FOLDER, "
            "sentence-transformers:FOLDER, rerank:MODEL, nli:MODEL or openai:MODEL.",
        ),
    ] = "aligner",
    verifier_embedder: Annotated[
        str,
        typer.Option(
            "--verifier-embedder",
            help="Finds candidates: hashed, e5, onnx:FOLDER or sentence-transformers:FOLDER.",
        ),
    ] = "hashed",
    threshold: Annotated[
        float | None,
        typer.Option(
            "--threshold", min=0, max=1, help="Minimum score of a valid quotation. Default: 0.5."
        ),
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", min=0, help="Review only the first N clauses; 0: all.")
    ] = None,
    name: Annotated[
        str | None,
        typer.Option("--name", help="Name of the results. Default: that of the experiment."),
    ] = None,
    primary: Primary = None,
    out: OutFolder = None,
    *,
    sample: Annotated[
        bool, typer.Option("--sample", help="Review the sample clauses of assay, offline.")
    ] = False,
    run: RunOptions,
) -> JobRuns:
    """Review contract clauses; score risk levels, quotations, cited laws, rules and suggestions.

    Clauses with a recorded reply are not asked again. The reply is scored again if the true
    verdicts, the costs, the laws or the threshold have changed.
    """
    options = ReviewOptions(
        data=data,
        config=config,
        experiments=experiment or (),
        sample=sample,
        rules=rules,
        laws=laws,
        costs=costs,
        system=system,
        verifier=verifier,
        embedder=verifier_embedder,
        threshold=threshold,
        limit=limit,
        name=name,
        primary=primary,
        out=out,
    )
    return prepare(options, run)
