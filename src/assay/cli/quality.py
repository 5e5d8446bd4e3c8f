"""``assay quality``: hold answers about PDFs to what they must and must not say."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from assay.cli.dry_run import say_forecast
from assay.cli.ending import end_run
from assay.cli.options import (
    AllowOutsideRoot,
    Concurrency,
    DryRun,
    Fresh,
    Json,
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
from assay.config import RunSettings, Workspace
from assay.jobs.quality import (
    Batch,
    Choice,
    Quality,
    describe,
    open_batch,
    parse_settings,
)
from assay.jobs.setup import load_configuration
from assay.runner import choose_reporter

STOPPED = (2, 130, 143)
"""Exit codes after which no further document is begun."""
LOWEST = 10
"""Answers to list that fell short."""


def quality(
    pdf: Annotated[Path | None, typer.Option("--pdf", help="The document to ask about.")] = None,
    questions: Annotated[
        Path | None,
        typer.Option("--questions", help="JSON lines: id, question, must_include and so on."),
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option("--config", help="Several documents: name and datasets, as JSON or YAML."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Results file. Default: eval/runs/NAME.json in the workspace."),
    ] = None,
    system: Annotated[
        str | None,
        typer.Option("--system", help="Ask this system: a configured name, or kind:rest."),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A setting of the system; repeatable."),
    ] = None,
    runs: Annotated[
        int, typer.Option("--runs", min=1, help="Ask every question this many times.")
    ] = 1,
    limit: Annotated[
        int, typer.Option("--limit", min=0, help="First N questions in file order; 0: all.")
    ] = 0,
    top_k: Annotated[
        int | None, typer.Option("--top-k", min=1, help="Passages to retrieve.")
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
    dry_run: DryRun = False,
    no_call_cache: NoCallCache = False,
    log_lines: LogLines = False,
    as_json: Json = False,
    allow_outside_root: AllowOutsideRoot = False,
) -> None:
    """Ask about PDFs and score each answer by what it must say, must not say, and cites.

    What is recorded is not asked again; it is judged anew by the questions as they are now.
    """
    workspace = Workspace.find(root, allow_outside_root=allow_outside_root)
    document = load_configuration(workspace)
    batch = open_batch(workspace, document, pdf=pdf, questions=questions, config=config, out=out)
    choice = Choice(
        system=system,
        settings=parse_settings(settings or ()),
        top_k=top_k,
        limit=limit,
        runs=runs,
    )
    chosen = run_settings(
        document.value.defaults.run if document else RunSettings(),
        concurrency=concurrency,
        timeout_s=timeout,
        retries=retries,
        max_cost=max_cost,
        max_minutes=max_minutes,
    )
    code = 0
    for number, dataset in enumerate(batch.datasets):
        ready = batch.prepare(dataset, choice, use_cache=not no_call_cache)
        try:
            _say_what_runs(
                ready, dataset, chosen, first=not number, dry_run=dry_run, fresh=fresh, err=as_json
            )
            if not dry_run:
                code = _run(
                    batch, ready, dataset, chosen, code,
                    fresh=fresh, keep_stale=keep_stale, log_lines=log_lines and not as_json,
                    ceiling=max_cost is not None,
                )  # fmt: skip
        finally:
            ready.around.close()
        if code in STOPPED:
            break
    if not dry_run:
        _present(batch, as_json=as_json)
    raise typer.Exit(code)


def _run(
    batch: Batch,
    ready: Quality,
    dataset: str,
    settings: RunSettings,
    code: int,
    *,
    fresh: bool,
    keep_stale: bool,
    log_lines: bool,
    ceiling: bool,
) -> int:
    """Run one document and write the results so far; the exit code up to now."""
    result = batch.run(
        dataset,
        ready,
        settings=settings,
        reporter=lambda work: choose_reporter(work.line, log_lines=log_lines),
        fresh=fresh,
        keep_stale=keep_stale,
    )
    ended = end_run(result)
    if ceiling and result.paid is None:
        typer.echo("note: no price is known, so --max-cost could not hold", err=True)
    return ended if ended in STOPPED else max(code, ended)


def _say_what_runs(
    ready: Quality,
    dataset: str,
    settings: RunSettings,
    *,
    first: bool,
    dry_run: bool,
    fresh: bool,
    err: bool,
) -> None:

    lines = describe(ready)
    if dataset:
        lines.insert(0, f"data set    {dataset}")
    typer.echo("\n" * (not first) + "\n".join(lines), err=err)
    if dry_run:
        say_forecast(ready, settings, fresh=fresh, err=err)


def _present(batch: Batch, *, as_json: bool) -> None:
    """The scores, the answers that fell short, and where everything is."""
    content = batch.content()
    summary = content["summary"]
    if as_json:
        typer.echo(json.dumps(summary, ensure_ascii=False, indent=2))
        return
    typer.echo()
    typer.echo(f"weighted score  {_number(summary['weighted_score'])}{_spread(summary)}")
    if "datasets" in content:
        typer.echo(f"  by questions  {_number(summary['question_weighted_score'])}")
        for name, one in summary["datasets"].items():
            score = _number(one["weighted_score"])
            typer.echo(f"  {name}: {score}, weight {one['weight']:g}, {one['state']}")
    counts = summary["counts"]
    typer.echo(
        f"cases           {counts['scored']} scored, {counts['failed']} failed, "
        f"{counts['skipped']} skipped, {counts['not_asked']} not asked"
    )
    for name, one in summary.get("means", {}).items():
        typer.echo(f"{name:<22}{_number(one['mean'])} (n {one['n']})")
    _print_lowest(content)
    typer.echo()
    typer.echo(f"results  {batch.out}")
    for journal in batch.journals():
        typer.echo(f"rows     {journal}")
    if summary["state"] != "complete":
        typer.echo("the run is not complete: scores are over the scored cases alone", err=True)


def _print_lowest(content: Mapping[str, Any]) -> None:
    parts = content.get("datasets", {"": content})
    found = [
        (f"{name}/{entry['id']}" if name else entry["id"], entry)
        for name, part in parts.items()
        for entry in part["results"]
        if entry["status"] == "scored" and entry["metrics"]["score"] < 1
    ]
    if not found:
        return
    found.sort(key=lambda one: one[1]["metrics"]["score"])
    typer.echo("\nanswers that fell short, lowest first:")
    for name, entry in found[:LOWEST]:
        typer.echo(f"  {name}  {entry['metrics']['score']:.3f}  {_why(entry)}")
    if len(found) > LOWEST:
        typer.echo(f"  and {len(found) - LOWEST} more, all in the results file")


def _why(entry: Mapping[str, Any]) -> str:
    """What an answer lacks, or says although it must not."""
    shown = entry["runs"][0] if "runs" in entry else entry
    lacks, says = [], []
    for match in shown.get("matches", ()):
        if match["rule"] == "must_not_include":
            says += [repr(match["text"])] if match["phrase"] is not None else []
        elif match["phrase"] is None:
            lacks.append(" or ".join(map(repr, match["wanted"])))
    facts = [f"lacks {', '.join(lacks)}"] if lacks else []
    facts += [f"says {', '.join(says)}"] if says else []
    facts += ["cites no page"] if shown.get("metrics", {}).get("citation_penalty") else []
    return "; ".join(facts) or "in some of its runs"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"


def _spread(summary: Mapping[str, Any]) -> str:
    runs = summary.get("runs")
    if not runs:
        return ""
    deviation = _number(runs["standard_deviation"])
    return f" (mean of {runs['n']} runs; {runs['standard_deviation_kind']} standard deviation {deviation})"
