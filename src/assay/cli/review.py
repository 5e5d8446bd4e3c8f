"""``assay review``: how far a reviewer of contract clauses can be trusted."""

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.run_command import run_command
from assay.jobs.prepared import JobRuns, RunOptions
from assay.jobs.review import ReviewOptions, prepare


@run_command(has_report=True)
def review(
    data: Annotated[
        Path | None,
        typer.Option("--data", help="Clauses with what is true of them, JSON or JSONL."),
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
        Path | None, typer.Option("--rules", help="The reviewer's rules, YAML or JSON.")
    ] = None,
    laws: Annotated[
        Path | None,
        typer.Option("--laws", help="Laws to cite and to check citations by, JSONL or SQLite."),
    ] = None,
    costs: Annotated[
        Path | None, typer.Option("--costs", help="What each verdict is worth, YAML.")
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
            help="What scores evidence: aligner, onnx:FOLDER or sentence-transformers:FOLDER.",
        ),
    ] = "aligner",
    verifier_embedder: Annotated[
        str,
        typer.Option(
            "--verifier-embedder",
            help="What finds candidates: hashed, e5, onnx:FOLDER or sentence-transformers:FOLDER.",
        ),
    ] = "hashed",
    threshold: Annotated[
        float | None,
        typer.Option(
            "--threshold", min=0, max=1, help="Score from which evidence is valid. Default: 0.5."
        ),
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", min=0, help="First N clauses in file order; 0: all.")
    ] = None,
    out_dir: Annotated[
        Path | None, typer.Option("--out-dir", help="Where results go. Default: experiments/.")
    ] = None,
    *,
    sample: Annotated[
        bool, typer.Option("--sample", help="Review the clauses that come with assay, offline.")
    ] = False,
    run: RunOptions,
) -> JobRuns:
    """Review contract clauses; judge risk levels, evidence, laws cited, rules and suggestions.

    Recorded replies are not asked for again. They are judged again where the true verdicts, the
    costs, the laws or the threshold have changed.
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
        out_dir=out_dir,
    )
    return prepare(options, run)
