"""``assay demo``: see the kernel at work in a second, with no key and no download."""

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from assay.cli.options import (
    Concurrency,
    Fresh,
    KeepStale,
    LogLines,
    MaxMinutes,
    Retries,
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
            help="Ask this system instead of the offline one, e.g. python:package.module:callable.",
        ),
    ] = None,
    concurrency: Concurrency = None,
    timeout: Timeout = None,
    retries: Retries = None,
    max_minutes: MaxMinutes = None,
    *,
    fresh: Fresh = False,
    keep_stale: KeepStale = False,
    log_lines: LogLines = False,
) -> None:
    """Run a small offline experiment and show where its results are."""
    # imported here so that `assay --help` stays quick
    from assay.cli.ending import end_run  # noqa: PLC0415
    from assay.config import RunSettings  # noqa: PLC0415
    from assay.jobs import demo as job  # noqa: PLC0415
    from assay.runner.progress import choose_reporter  # noqa: PLC0415
    from assay.systems import load_system  # noqa: PLC0415

    if folder is None:
        folder = Path(tempfile.mkdtemp(prefix="assay-demo-"))
    asked = load_system(system) if system else job.harbour_clerk(cases, latency)
    settings = run_settings(
        RunSettings(),
        concurrency=concurrency,
        timeout_s=timeout,
        retries=retries,
        max_minutes=max_minutes,
    )
    journal = folder / "experiments" / "demo.jsonl"
    variants = ", ".join(variant.name for variant in job.VARIANTS)
    typer.echo(f"{cases} questions, variants {variants}, system {asked.identity}", err=True)
    result = job.run_demo(
        asked,
        cases,
        journal,
        settings=settings,
        reporter=choose_reporter(job.FeeWork(asked).line, log_lines=log_lines),
        fresh=fresh,
        keep_stale=keep_stale,
    )
    code = end_run(result)
    _print_table(result.summary.results)
    typer.echo(f"\nrows     {journal}\nsummary  {journal.with_suffix('.json')}")
    if code == 0:
        typer.echo("Run it again on this folder: what is recorded is not asked twice.")
    raise typer.Exit(code)


def _print_table(table: Mapping[str, Any]) -> None:
    typer.echo(f"{'variant':<12} {'scored':>6} {'failed':>6} {'skipped':>7} {'right':>6}")
    for name, cell in table.items():
        rate = "–" if cell["right_rate"] is None else f"{cell['right_rate']:.3f}"
        typer.echo(
            f"{name:<12} {cell['scored']:>6} {cell['failed']:>6} {cell['skipped']:>7} {rate:>6}"
        )
