"""``assay ablate``: run experiments of ``experiments.yaml``, one variable at a time."""

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.ending import end_run
from assay.cli.options import (
    AllowOutsideRoot,
    Concurrency,
    DryRun,
    Fresh,
    KeepStale,
    Lang,
    LogLines,
    MaxCost,
    MaxMinutes,
    NoCallCache,
    Retries,
    Root,
    Timeout,
    one_of,
    run_settings,
)
from assay.cli.report import LANGUAGES, present
from assay.config import RunSettings, Workspace
from assay.jobs.ablation import (
    JOB,
    Ablation,
    Overrides,
    check_experiments,
    choose_experiments,
    close_system,
    describe,
    prepare_ablation,
    run_ablation,
)
from assay.jobs.estimate import estimate, estimate_lines, model_facts, past_pace
from assay.jobs.setup import load_configuration, make_system_context
from assay.runner import choose_reporter, duration

STOPPED = (2, 130, 143)
"""Exit codes after which no further experiment is begun."""
LEFT = (130, 143)
"""Of them those of a user who wants to leave: no report keeps them waiting."""


def ablate(
    experiment: Annotated[
        list[str] | None,
        typer.Option("--experiment", "-e", help="Experiment to run; may be given several times."),
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option("--config", help="Configuration. Default: experiments/experiments.yaml."),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option("--limit", min=0, help="First N questions in file order; 0: all."),
    ] = None,
    top_k: Annotated[
        int | None, typer.Option("--top-k", min=1, help="Passages to retrieve.")
    ] = None,
    out_dir: Annotated[
        Path | None, typer.Option("--out-dir", help="Where results go. Default: experiments/.")
    ] = None,
    system: Annotated[
        str | None,
        typer.Option("--system", help="Ask this system: a name from the file, or kind:rest."),
    ] = None,
    root: Root = None,
    concurrency: Concurrency = None,
    timeout: Timeout = None,
    retries: Retries = None,
    max_cost: MaxCost = None,
    max_minutes: MaxMinutes = None,
    lang: Lang = "en",
    *,
    everything: Annotated[
        bool, typer.Option("--all", help="Run every experiment in the file.")
    ] = False,
    fresh: Fresh = False,
    keep_stale: KeepStale = False,
    dry_run: DryRun = False,
    no_call_cache: NoCallCache = False,
    no_report: Annotated[
        bool, typer.Option("--no-report", help="Only rows and summary: no tables, no charts.")
    ] = False,
    log_lines: LogLines = False,
    allow_outside_root: AllowOutsideRoot = False,
) -> None:
    """Run ablation experiments; what is recorded is not asked again."""
    one_of("--lang", lang, LANGUAGES)
    workspace = Workspace.find(root, allow_outside_root=allow_outside_root)
    document = load_configuration(workspace, config)
    chosen = choose_experiments(document, experiment or [], everything=everything)
    overrides = Overrides(system=system, limit=limit, top_k=top_k, out_dir=out_dir)
    settings = run_settings(
        document.value.defaults.run if document else RunSettings(),
        concurrency=concurrency,
        timeout_s=timeout,
        retries=retries,
        max_cost=max_cost,
        max_minutes=max_minutes,
    )
    around = make_system_context(workspace, document, use_cache=not no_call_cache)
    code = 0
    try:
        if len(chosen) > 1:
            check_experiments(chosen, workspace, around, overrides)
        for number, one in enumerate(chosen):
            ablation = prepare_ablation(one, workspace, around, overrides)
            typer.echo("\n" * bool(number) + "\n".join(describe(ablation)))
            _print_estimate(ablation, settings, dry_run=dry_run, fresh=fresh)
            if dry_run:
                close_system(ablation.system)
                continue
            result = run_ablation(
                ablation,
                settings=settings,
                reporter=lambda work: choose_reporter(work.line, log_lines=log_lines),
                fresh=fresh,
                keep_stale=keep_stale,
            )
            ended = end_run(result)
            code = ended if ended in STOPPED else max(code, ended)
            if max_cost is not None and result.paid is None:
                typer.echo("note: no price is known, so --max-cost could not hold", err=True)
            if not no_report and result.tally.scored and ended not in LEFT:
                present(ablation.journal, lang=lang)
            if code in STOPPED:
                break
    finally:
        around.close()
    raise typer.Exit(code)


def _print_estimate(
    ablation: Ablation, settings: RunSettings, *, dry_run: bool, fresh: bool
) -> None:
    """What the run takes: in full for a dry run, else a line of calls and time."""
    price, averages = model_facts(ablation.system)
    made = estimate(
        ablation.plan,
        ablation.system,
        ablation.journal,
        concurrency=settings.concurrency,
        price=price,
        averages=averages,
        pace=past_pace(ablation.journal.parent, JOB, ablation.plan),
        fresh=fresh,
    )
    if dry_run:
        typer.echo("\n".join(estimate_lines(made)))
        return
    facts = []
    if made.recorded:
        facts.append(f"{made.recorded} cases recorded earlier")
    if made.calls:
        facts.append(f"{made.calls} model calls at most")
    if made.seconds is not None and made.recorded < made.cases:
        facts.append(f"about {duration(made.seconds)} (estimate from {made.time_basis})")
    if facts:
        typer.echo(f"expected    {', '.join(facts)}")
