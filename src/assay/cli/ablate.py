"""``assay ablate``: run the experiments of ``experiments.yaml``."""

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.options import Primary
from assay.cli.run_command import run_command
from assay.jobs.ablation import AblationOptions, prepare
from assay.jobs.prepared import JobRuns, RunOptions


@run_command(has_report=True)
def ablate(
    experiment: Annotated[
        list[str] | None,
        typer.Option("--experiment", "-e", help="Experiment to run; repeatable."),
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option("--config", help="Configuration file. Default: experiments/experiments.yaml."),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option("--limit", min=0, help="Ask only the first N questions; 0: all."),
    ] = None,
    top_k: Annotated[
        int | None, typer.Option("--top-k", min=1, help="Number of passages to retrieve.")
    ] = None,
    primary: Primary = None,
    out_dir: Annotated[
        Path | None,
        typer.Option("--out-dir", help="Folder for the results. Default: experiments/."),
    ] = None,
    system: Annotated[
        str | None,
        typer.Option("--system", help="Ask this system: a name from the file, or kind:rest."),
    ] = None,
    *,
    everything: Annotated[
        bool, typer.Option("--all", help="Run every experiment in the file.")
    ] = False,
    allow_missing_gold: Annotated[
        bool,
        typer.Option(
            "--allow-missing-gold",
            help="Leave out questions whose gold chunks are not in the corpus.",
        ),
    ] = False,
    stop_early: Annotated[
        bool,
        typer.Option("--stop-early", help="Stop asking a variant once its comparison is decided."),
    ] = False,
    run: RunOptions,
) -> JobRuns:
    """Run ablation experiments. Cases with a recorded answer are not asked again."""
    options = AblationOptions(
        experiments=experiment or (),
        all_experiments=everything,
        config=config,
        system=system,
        limit=limit,
        top_k=top_k,
        primary=primary,
        out_dir=out_dir,
        allow_missing_gold=allow_missing_gold,
        stop_early=stop_early,
    )
    return prepare(options, run)
