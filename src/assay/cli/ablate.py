"""``assay ablate``: run the experiments of ``experiments.yaml``."""

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.options import AllowMissingGold, Limit, OutFolder, Primary, StopEarly, TopK
from assay.cli.run_command import run_command
from assay.jobs.answers.preparation import AblationOptions, prepare
from assay.jobs.prepared import JobRuns, RunOptions


@run_command(has_report=True, has_config=True, has_json=True)
def ablate(
    experiment: Annotated[
        list[str] | None,
        typer.Option("--experiment", "-e", help="Experiment to run; repeatable."),
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option("--config", help="Configuration file. Default: experiments/experiments.yaml."),
    ] = None,
    limit: Limit = None,
    top_k: TopK = None,
    primary: Primary = None,
    out: OutFolder = None,
    system: Annotated[
        str | None,
        typer.Option("--system", help="Ask this system: a name from the file, or kind:rest."),
    ] = None,
    *,
    everything: Annotated[
        bool, typer.Option("--all", help="Run every experiment in the file.")
    ] = False,
    allow_missing_gold: AllowMissingGold = False,
    stop_early: StopEarly = False,
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
        out=out,
        allow_missing_gold=allow_missing_gold,
        stop_early=stop_early,
    )
    return prepare(options, run)
