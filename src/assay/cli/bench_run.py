"""``assay bench PATH``: put a legal benchmark to a system and score its answers."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from assay.cli.ablate import LEFT
from assay.cli.dry_run import say_forecast
from assay.cli.ending import end_run
from assay.cli.options import (
    AllowOutsideRoot,
    Concurrency,
    DryRun,
    Fresh,
    Json,
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
from assay.errors import UseError
from assay.jobs.legal import (
    Bench,
    Choice,
    describe,
    prepare_bench,
    read_benchmark_data,
    run_bench,
    run_name,
    sample_path,
    shortcomings,
    summarise_results,
)
from assay.jobs.quality import parse_settings
from assay.jobs.setup import load_configuration, make_system_context
from assay.runner import choose_reporter

TYPES = ("fact_exact", "evidence_set", "conflict_gap")
LOWEST = 10
"""Answers to list that fell short."""
LONGEST = 160
"""Characters of a reason in that list."""


class ShortForm(TyperGroup):
    """A group whose first word may be left out: ``assay bench PATH`` is ``assay bench run PATH``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put in ``run`` where the first word is neither a command nor a call for help."""
        if args and args[0] not in {*self.list_commands(ctx), *self.get_help_option_names(ctx)}:
            args = ["run", *args]
        return super().parse_args(ctx, args)


def run(
    path: Annotated[
        Path | None, typer.Argument(help="A benchmark file, or a folder of them.")
    ] = None,
    question_type: Annotated[
        str | None,
        typer.Option("--type", metavar="|".join(TYPES), help="Ask the questions of this type."),
    ] = None,
    system: Annotated[
        str | None,
        typer.Option(
            "--system",
            help="Ask this system: a configured name, or kind:rest. Default: the reference "
            "pipeline over the benchmark's own documents.",
        ),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A setting of the system; repeatable."),
    ] = None,
    top_k: Annotated[
        int | None, typer.Option("--top-k", min=1, help="Passages to retrieve.")
    ] = None,
    name: Annotated[
        str | None, typer.Option("--name", help="Name of the results. Default: after PATH.")
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
        bool, typer.Option("--sample", help="Run the sample benchmark that comes with assay.")
    ] = False,
    fresh: Fresh = False,
    keep_stale: KeepStale = False,
    dry_run: DryRun = False,
    no_call_cache: NoCallCache = False,
    no_report: Annotated[
        bool, typer.Option("--no-report", help="Only rows and summary: no tables, no charts.")
    ] = False,
    log_lines: LogLines = False,
    as_json: Json = False,
    allow_outside_root: AllowOutsideRoot = False,
) -> None:
    """Ask a benchmark's questions and score the answers; a file with a problem runs nothing.

    The word run may be left out: assay bench PATH. What is recorded is not asked again; it is
    judged anew by the gold as it is now.
    """
    one_of("--lang", lang, LANGUAGES)
    if question_type is not None:
        one_of("--type", question_type, TYPES)
    chosen_path = _path(path, sample=sample)
    material = read_benchmark_data(chosen_path).of_type(question_type)
    workspace = Workspace.find(root, allow_outside_root=allow_outside_root)
    document = load_configuration(workspace)
    named = name or run_name(Path("sample") if sample else chosen_path, question_type)
    around = make_system_context(workspace, document, use_cache=not no_call_cache)
    try:
        bench = prepare_bench(
            named,
            material,
            _folder(workspace, out_dir) / f"{named}.jsonl",
            Choice(system=system, settings=parse_settings(settings or ()), top_k=top_k),
            workspace,
            document,
            around,
        )
        chosen = run_settings(
            document.value.defaults.run if document else RunSettings(),
            concurrency=concurrency,
            timeout_s=timeout,
            retries=retries,
            max_cost=max_cost,
            max_minutes=max_minutes,
        )
        _say_what_runs(bench, chosen, dry_run=dry_run, fresh=fresh, err=as_json)
        code = 0
        if not dry_run:
            code = _run(
                bench, chosen, fresh=fresh, keep_stale=keep_stale,
                log_lines=log_lines and not as_json, ceiling=max_cost is not None,
            )  # fmt: skip
            if code not in LEFT:
                _present(bench, lang, as_json=as_json, report=not no_report)
    finally:
        around.close()
    raise typer.Exit(code)


def _path(path: Path | None, *, sample: bool) -> Path:

    if sample:
        if path is not None:
            raise UseError("give a benchmark's PATH or --sample, not both")
        return sample_path()
    if path is None:
        raise UseError("name a benchmark file or a folder of them, or try --sample")
    return path


def _folder(workspace: Workspace, out_dir: Path | None) -> Path:

    folder = out_dir or workspace.experiments_dir
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UseError(f"{folder}: cannot be made: {error.strerror}") from None
    return folder


def _run(
    bench: Bench,
    settings: RunSettings,
    *,
    fresh: bool,
    keep_stale: bool,
    log_lines: bool,
    ceiling: bool,
) -> int:

    result = run_bench(
        bench,
        settings=settings,
        reporter=lambda work: choose_reporter(work.line, log_lines=log_lines),
        fresh=fresh,
        keep_stale=keep_stale,
    )
    code = end_run(result)
    if ceiling and result.paid is None:
        typer.echo("note: no price is known, so --max-cost could not hold", err=True)
    return code


def _say_what_runs(
    bench: Bench, settings: RunSettings, *, dry_run: bool, fresh: bool, err: bool
) -> None:

    typer.echo("\n".join(describe(bench)), err=err)
    if dry_run:
        say_forecast(bench, settings, fresh=fresh, err=err)


def _present(bench: Bench, lang: str, *, as_json: bool, report: bool) -> None:
    """The percentages, the answers that fell short, and where everything is."""
    summary = summarise_results(bench)
    if as_json:
        typer.echo(json.dumps(summary, ensure_ascii=False, indent=2))
        return
    counts = summary["counts"]
    typer.echo()
    typer.echo(f"overall       {_percentage(summary['overall_percentage'])}")
    for kind, one in summary["by_type"].items():
        typer.echo(f"  {kind:<12}  {_percentage(one['percentage'])} of {one['scored']} questions")
    typer.echo(
        f"questions     {counts['scored']} scored, {counts['failed']} failed, "
        f"{counts['skipped']} skipped, {counts['not_asked']} not asked"
    )
    if counts["failed"]:
        lower = _percentage(summary["percentage_if_failed_are_zero"])
        typer.echo(f"              {lower} if each that failed counted as zero")
    _print_lowest(summary)
    if report and counts["scored"]:
        present(bench.journal, lang=lang)
    else:
        typer.echo(f"\nrows     {bench.journal}\nsummary  {bench.journal.with_suffix('.json')}")


def _print_lowest(summary: Mapping[str, Any]) -> None:

    short = [one for one in summary["questions"] if one["score"] is not None and one["score"] < 1]
    if not short:
        return
    short.sort(key=lambda one: one["score"])
    typer.echo("\nanswers that fell short, lowest first:")
    for one in short[:LOWEST]:
        reason = " ".join("; ".join(shortcomings(one)).split())
        cut = reason if len(reason) <= LONGEST else f"{reason[: LONGEST - 1]}…"
        typer.echo(f"  {one['id']}  {one['score']:.2f}  {cut}")
    if len(short) > LOWEST:
        typer.echo(f"  and {len(short) - LOWEST} more, all among the rows")


def _percentage(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f} %"
