"""Options that several commands share, each worded once."""

from pathlib import Path
from typing import Annotated, Any, Final

import typer

from assay.config import nearest
from assay.errors import UseError

Root = Annotated[
    Path | None,
    typer.Option(
        "--root",
        help="Workspace folder. Default: the nearest one that holds an "
        "experiments/experiments.yaml, else the current folder.",
    ),
]
AllowOutsideRoot = Annotated[
    bool,
    typer.Option("--allow-outside-root", help="Let configured paths leave the workspace."),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs to read.")]
LogLines = Annotated[
    bool, typer.Option("--log-lines", help="One line a case on standard output, not a bar.")
]
Fresh = Annotated[
    bool, typer.Option("--fresh", help="Start anew; the old results are kept beside the new.")
]
KeepStale = Annotated[
    bool,
    typer.Option("--keep-stale", help="Keep recorded answers although the experiment changed."),
]
Concurrency = Annotated[
    int | None, typer.Option("--concurrency", min=1, help="Cases in flight at most.")
]
Timeout = Annotated[
    float | None,
    typer.Option("--timeout", min=0.001, help="Seconds one case may take, retries included."),
]
Retries = Annotated[
    int | None,
    typer.Option("--retries", min=0, help="Further tries after a failure that may pass."),
]
MaxCost = Annotated[
    float | None,
    typer.Option("--max-cost", min=0, help="Stop once the results file has cost this much."),
]
MaxMinutes = Annotated[
    float | None, typer.Option("--max-minutes", min=0, help="Stop after this many minutes.")
]

Lang = Annotated[
    str,
    typer.Option("--lang", metavar="en|zh|ru", help="Language of tables and charts."),
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Only say what the run would take; nothing is asked.")
]
NoCallCache = Annotated[
    bool,
    typer.Option("--no-call-cache", help="Make every model call afresh, to measure latency."),
]

NoReport = Annotated[
    bool, typer.Option("--no-report", help="Only rows and summary: no tables, no charts.")
]

SHARED_OPTIONS: Final = {
    "root": Root,
    "concurrency": Concurrency,
    "timeout": Timeout,
    "retries": Retries,
    "max_cost": MaxCost,
    "max_minutes": MaxMinutes,
    "lang": Lang,
    "fresh": Fresh,
    "keep_stale": KeepStale,
    "dry_run": DryRun,
    "no_call_cache": NoCallCache,
    "no_report": NoReport,
    "log_lines": LogLines,
    "as_json": Json,
    "allow_outside_root": AllowOutsideRoot,
}
"""The options of all run commands, by their names in ``RunOptions``."""


def one_of(option: str, given: str, known: tuple[str, ...]) -> Any:
    """``given``, if it is one of ``known``; else one line that says what there is.

    >>> one_of("--lang", "ru", ("en", "zh", "ru"))
    'ru'
    """
    if given not in known:
        close = nearest(given, known)
        hint = close if "did you mean" in close else ""  # else the names would stand twice
        raise UseError(f"{option} {given}: not one of {', '.join(known)}{hint}")
    return given
