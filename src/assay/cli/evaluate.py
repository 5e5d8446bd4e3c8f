"""``assay evaluate``: score answers that exist already, those of a log for example."""

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.options import Limit, OutFolder, Primary
from assay.cli.run import named_columns
from assay.cli.run_command import run_command
from assay.jobs.answers.log_run import LogOptions
from assay.jobs.answers.log_run import prepare as prepare_log
from assay.jobs.prepared import JobRuns, RunOptions

_ASKING = frozenset(
    {
        "concurrency", "timeout", "retries", "max_cost", "max_minutes", "count_filtered", "dry_run", "runs",
        "shard", "on", "workers", "worker_cpus", "worker_gpus", "worker_files", "no_call_cache",
    }
)  # fmt: skip
"""The options that are about asking a system: nothing is asked here."""


@run_command(has_report=True, has_json=True, without=_ASKING)
def evaluate(
    log: Annotated[
        Path,
        typer.Argument(
            help="A log with a question and an answer in each row: CSV, TSV, Excel, JSON, JSON lines, "
            "Parquet, or chats of one turn.",
        ),
    ],
    column: Annotated[
        list[str] | None,
        typer.Option(
            "--column",
            metavar="ROLE=NAME",
            help="The column of a role: question, response, passages, answer (the expected one), id, gold, "
            "error, status, latency_s, latency_ms, cost, rating; repeatable. Default: recognised by their names.",
        ),
    ] = None,
    sheet: Annotated[
        str | None,
        typer.Option(
            "--sheet", help="The sheet of a workbook. Default: the first one that has rows."
        ),
    ] = None,
    name: Annotated[
        str | None, typer.Option("--name", help="Name of the results. Default: log-FILE.")
    ] = None,
    limit: Limit = None,
    primary: Primary = None,
    out: OutFolder = None,
    *,
    run: RunOptions,
) -> JobRuns:
    """Score answers that exist already, such as those of a log. Nothing is asked.

    What can be said without knowing which answers are right comes first. The same command on a longer
    log scores only the rows that are new or have changed.
    """
    options = LogOptions(
        log=log,
        columns=named_columns(column, sheet),
        name=name,
        limit=limit,
        primary=primary,
        out=out,
    )
    return prepare_log(options, run)
