"""``assay demo``: see the kernel at work in a second, with no key and no download."""

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from assay.cli.options import (
    AllowOutsideRoot,
    Concurrency,
    DryRun,
    Fresh,
    KeepStale,
    LogLines,
    MaxCost,
    MaxMinutes,
    NoCallCache,
    Retries,
    Root,
    Timeout,
    run_settings,
)


def demo(
    folder: Annotated[
        Path | None, typer.Argument(help="Where to put the results. Default: a new folder.")
    ] = None,
    cases: Annotated[
        int, typer.Option("--questions", min=1, help="How many questions to ask.")
    ] = 24,
    latency: Annotated[
        float, typer.Option("--latency", min=0, help="Seconds the offline system takes.")
    ] = 0.01,
    system: Annotated[
        str | None,
        typer.Option(
            "--system",
            help="Ask this system instead of the offline one: a name from experiments.yaml, "
            "reference, python:package.module:callable, openai:MODEL, http://…, command:PROGRAM, replay:FILE.",
        ),
    ] = None,
    root: Root = None,
    concurrency: Concurrency = None,
    timeout: Timeout = None,
    retries: Retries = None,
    max_cost: MaxCost = None,
    max_minutes: MaxMinutes = None,
    *,
    fresh: Fresh = False,
    keep_stale: KeepStale = False,
    allow_outside_root: AllowOutsideRoot = False,
    dry_run: DryRun = False,
    no_call_cache: NoCallCache = False,
    log_lines: LogLines = False,
) -> None:
    """Run a small offline experiment and show where its results are."""
    # imported here so that `assay --help` stays quick
    from assay.cli.ending import end_run  # noqa: PLC0415
    from assay.config import RunSettings, Workspace  # noqa: PLC0415
    from assay.jobs import demo as job  # noqa: PLC0415
    from assay.jobs.estimate import estimate, estimate_lines, model_facts  # noqa: PLC0415
    from assay.jobs.setup import load_configuration, surroundings_of  # noqa: PLC0415
    from assay.runner.progress import choose_reporter  # noqa: PLC0415
    from assay.systems import load_system  # noqa: PLC0415

    workspace = Workspace.find(root, allow_outside_root=allow_outside_root)
    document = load_configuration(workspace)
    chosen = [] if folder or dry_run else [tempfile.mkdtemp(prefix="assay-demo-")]
    folder = folder or Path(*chosen)
    journal = folder / "experiments" / "demo.jsonl"
    settings = run_settings(
        document.value.defaults.run if document else RunSettings(),
        concurrency=concurrency,
        timeout_s=timeout,
        retries=retries,
        max_cost=max_cost,
        max_minutes=max_minutes,
    )
    around = surroundings_of(workspace, document, use_cache=not no_call_cache)
    try:
        asked = load_system(system, around) if system else job.harbour_clerk(cases, latency)
        variants = ", ".join(variant.name for variant in job.demo_variants(asked))
        typer.echo(f"{cases} questions, variants {variants}, system {asked.identity}", err=True)
        if dry_run:
            price, averages = model_facts(asked)
            made = estimate(
                job.demo_plan(asked, cases),
                asked,
                journal,
                concurrency=settings.concurrency,
                price=price,
                averages=averages,
            )
            typer.echo("\n".join(estimate_lines(made)))
            return
        result = job.run_demo(
            asked,
            cases,
            journal,
            settings=settings,
            reporter=choose_reporter(job.FeeWork(asked).line, log_lines=log_lines),
            fresh=fresh,
            keep_stale=keep_stale,
        )
    finally:
        around.close()
    code = end_run(result, *chosen)
    if max_cost is not None and result.paid is None:
        typer.echo("note: no price is known, so --max-cost could not hold", err=True)
    _print_table(result.summary.results)
    typer.echo(f"\nrows     {journal}\nsummary  {journal.with_suffix('.json')}")
    if code == 0:
        typer.echo(f"Run it again, assay demo {folder}: what is recorded is not asked twice.")
    raise typer.Exit(code)


def _print_table(table: Mapping[str, Any]) -> None:
    typer.echo(f"{'variant':<12} {'scored':>6} {'failed':>6} {'skipped':>7} {'right':>6}")
    for name, cell in table.items():
        rate = "–" if cell["right_rate"] is None else f"{cell['right_rate']:.3f}"
        typer.echo(
            f"{name:<12} {cell['scored']:>6} {cell['failed']:>6} {cell['skipped']:>7} {rate:>6}"
        )
