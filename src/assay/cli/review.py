"""``assay review``: how far a reviewer of contract clauses can be trusted."""

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.ablate import LEFT, STOPPED
from assay.cli.dry_run import say_forecast
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
from assay.jobs.review import (
    Review,
    ReviewSources,
    choose_reviews,
    describe,
    make_review_context,
    prepare_review,
    run_review,
)
from assay.jobs.setup import load_configuration
from assay.runner import choose_reporter


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
    root: Root = None,
    concurrency: Concurrency = None,
    timeout: Timeout = None,
    retries: Retries = None,
    max_cost: MaxCost = None,
    max_minutes: MaxMinutes = None,
    lang: Lang = "en",
    *,
    sample: Annotated[
        bool, typer.Option("--sample", help="Review the clauses that come with assay, offline.")
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
    """Review contract clauses; judge risk levels, evidence, laws cited, rules and suggestions.

    What is recorded is not asked again; with other clauses' truths, costs, laws or another
    threshold it is judged anew.
    """
    one_of("--lang", lang, LANGUAGES)
    workspace = Workspace.find(root, allow_outside_root=allow_outside_root)
    document = load_configuration(workspace, config)
    given = ReviewSources(
        data=data, sample=sample, rules=rules, laws=laws, costs=costs, system=system,
        verifier=verifier, embedder=verifier_embedder, threshold=threshold, limit=limit,
        out_dir=out_dir,
    )  # fmt: skip
    chosen = choose_reviews(document, experiment or [], configured=config is not None)
    settings = run_settings(
        document.value.defaults.run if document else RunSettings(),
        concurrency=concurrency,
        timeout_s=timeout,
        retries=retries,
        max_cost=max_cost,
        max_minutes=max_minutes,
    )
    around = make_review_context(workspace, document, given, use_cache=not no_call_cache)
    code = 0
    try:
        # all are checked before the first is asked
        ready = [prepare_review(one, workspace, around, given) for one in chosen]
        for number, one in enumerate(ready):
            _say_what_runs(one, settings, first=not number, dry_run=dry_run, fresh=fresh)
            if dry_run:
                continue
            ended = _run(
                one, settings, lang, fresh=fresh, keep_stale=keep_stale, log_lines=log_lines,
                ceiling=max_cost is not None, reported=not no_report,
            )  # fmt: skip
            code = ended if ended in STOPPED else max(code, ended)
            if code in STOPPED:
                break
    finally:
        around.close()
    raise typer.Exit(code)


def _run(
    ready: Review,
    settings: RunSettings,
    lang: str,
    *,
    fresh: bool,
    keep_stale: bool,
    log_lines: bool,
    ceiling: bool,
    reported: bool,
) -> int:
    """Run one review and show what it found; the exit code."""
    result = run_review(
        ready,
        settings=settings,
        reporter=lambda work: choose_reporter(work.line, log_lines=log_lines),
        fresh=fresh,
        keep_stale=keep_stale,
        judged=lambda count: typer.echo(
            f"{count} replies on record were judged anew; nobody was asked again", err=True
        ),
    )
    ended = end_run(result)
    if ceiling and result.paid is None:
        typer.echo("note: no price is known, so --max-cost could not hold", err=True)
    if reported and result.tally.scored and ended not in LEFT:
        present(ready.journal, lang=lang)
    return ended


def _say_what_runs(
    ready: Review, settings: RunSettings, *, first: bool, dry_run: bool, fresh: bool
) -> None:

    typer.echo("\n" * (not first) + "\n".join(describe(ready)))
    if dry_run:
        say_forecast(ready, settings, fresh=fresh)
