"""Options that several commands share."""

from pathlib import Path
from typing import Annotated, Any, Final

import typer

from assay.errors import UseError
from assay.records import Estimand
from assay.registry import nearest
from assay.runs.resume import RESUME

ESTIMANDS: Final = ("fixed", "sample")
Root = Annotated[
    Path | None,
    typer.Option(
        "--root",
        help="Workspace folder. Default: the nearest folder with an "
        "experiments/experiments.yaml, otherwise the current folder.",
    ),
]
AllowOutsideRoot = Annotated[
    bool,
    typer.Option("--allow-outside-root", help="Allow configured paths outside the workspace."),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
LogLines = Annotated[
    bool, typer.Option("--log-lines", help="Print one line per case to standard output.")
]
ResumeOption = Annotated[
    str,
    typer.Option(
        "--resume",
        metavar="|".join(RESUME),
        help="If something changed since answers were recorded. ask: stop and say what changed; "
        "keep: keep the answers; refresh: ask again what changed. fresh: start a new run, and "
        "rename and keep the old results.",
    ),
]
Concurrency = Annotated[
    int | None, typer.Option("--concurrency", min=1, help="Maximum number of concurrent cases.")
]
Timeout = Annotated[
    float | None,
    typer.Option("--timeout", min=0.001, help="Seconds allowed for a case, including retries."),
]
Retries = Annotated[
    int | None,
    typer.Option("--retries", min=0, help="Retries of a case after a transient failure."),
]
MaxCost = Annotated[
    float | None,
    typer.Option("--max-cost", min=0, help="Stop once the results file has cost this much."),
]
CountFiltered = Annotated[
    bool,
    typer.Option(
        "--count-filtered",
        help="Count an answer that the provider's filter withheld as wrong, not as failed.",
    ),
]
MaxMinutes = Annotated[
    float | None, typer.Option("--max-minutes", min=0, help="Stop after this many minutes.")
]

DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Only estimate calls, cost and time; ask nothing.")
]
NoCallCache = Annotated[
    bool,
    typer.Option("--no-call-cache", help="Do not reuse recorded model calls, to measure latency."),
]

NoReport = Annotated[
    bool, typer.Option("--no-report", help="Write only rows and summary, no tables and charts.")
]
CHARTS: Final = ("png", "svg", "pdf", "none")
Charts = Annotated[
    str, typer.Option("--charts", metavar="|".join(CHARTS), help="Format of the charts.")
]
OutFolder = Annotated[
    Path | None,
    typer.Option("--out", help="Folder for the results. Default: experiments/."),
]
TopK = Annotated[int | None, typer.Option("--top-k", min=1, help="Number of passages to retrieve.")]
Limit = Annotated[
    int | None, typer.Option("--limit", min=0, help="Ask only the first N questions; 0: all.")
]
AllowMissingGold = Annotated[
    bool,
    typer.Option(
        "--allow-missing-gold",
        help="Leave out questions whose gold chunks are not in the corpus.",
    ),
]
Documents = Annotated[
    str | None,
    typer.Option(
        "--documents",
        metavar="|".join(ESTIMANDS),
        help="What values and tests are about. fixed: questions on these documents; sample: "
        "documents like these, at least ten. Default: sample from ten documents on.",
    ),
]
StopEarly = Annotated[
    bool,
    typer.Option("--stop-early", help="Stop asking a variant once its comparison is decided."),
]
Primary = Annotated[
    str | None,
    typer.Option(
        "--primary",
        metavar="METRIC",
        help="The metric that decides. Default: primary of the experiment, or the main metric.",
    ),
]

Runs = Annotated[
    int | None,
    typer.Option(
        "--runs",
        min=1,
        help="Number of times to ask each question, with new model calls. Default: runs of the "
        "experiment, or 1.",
    ),
]

ShardOption = Annotated[
    str | None,
    typer.Option(
        "--shard",
        metavar="I/N",
        help="Ask only part I of N of the questions; assay merge makes one run of the parts.",
    ),
]

On = Annotated[
    str | None,
    typer.Option(
        "--on",
        metavar="ray|ray://HOST:PORT",
        help="Let workers of a Ray cluster answer: one on this machine (or that of RAY_ADDRESS), "
        "or the one at an address. See docs/operating.md.",
    ),
]
Workers = Annotated[
    int | None,
    typer.Option("--workers", min=1, help="Number of workers. Default: as many as fit."),
]
WorkerCpus = Annotated[
    float | None,
    typer.Option("--worker-cpus", min=0.01, help="Processors of a worker. Default: 1."),
]
WorkerGpus = Annotated[
    float | None, typer.Option("--worker-gpus", min=0, help="GPUs of a worker. Default: 0.")
]
WorkerFiles = Annotated[
    str | None,
    typer.Option(
        "--worker-files",
        metavar="auto|shared|upload",
        help="How the workspace reaches the workers: a shared folder, or uploaded by Ray.",
    ),
]

ScorerOption = Annotated[
    list[str] | None,
    typer.Option(
        "--scorer",
        metavar="FILE.py:NAME",
        help="A function of yours that scores answers; or MODULE:NAME, or FILE.py for all with "
        "@assay.scorer. Repeatable.",
    ),
]

SHARED_OPTIONS: Final = {
    "root": Root,
    "concurrency": Concurrency,
    "timeout": Timeout,
    "retries": Retries,
    "max_cost": MaxCost,
    "max_minutes": MaxMinutes,
    "count_filtered": CountFiltered,
    "resume": ResumeOption,
    "dry_run": DryRun,
    "runs": Runs,
    "documents": Documents,
    "shard": ShardOption,
    "on": On,
    "workers": Workers,
    "worker_cpus": WorkerCpus,
    "worker_gpus": WorkerGpus,
    "worker_files": WorkerFiles,
    "scorer": ScorerOption,
    "no_call_cache": NoCallCache,
    "no_report": NoReport,
    "charts": Charts,
    "log_lines": LogLines,
    "as_json": Json,
    "allow_outside_root": AllowOutsideRoot,
}
"""The options of all run commands, by their names in ``RunOptions``."""


def chosen_documents(value: str | None) -> Estimand | None:
    """What ``--documents`` says, checked."""
    return None if value is None else one_of("--documents", value, ESTIMANDS)


def one_of(option: str, value: str, choices: tuple[str, ...]) -> Any:
    """Return ``value`` if it is one of ``choices``; otherwise raise ``UseError``.

    >>> one_of("--lang", "ru", ("en", "zh", "ru"))
    'ru'
    """
    if value not in choices:
        nearest_text = nearest(value, choices)
        # without a suggestion it lists the names, which the message already does
        hint = nearest_text if "did you mean" in nearest_text else ""
        raise UseError(f"{option} {value}: not one of {', '.join(choices)}{hint}")
    return value
