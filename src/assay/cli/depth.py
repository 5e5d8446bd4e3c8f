"""``assay depth``: where in a long context a model stops finding what it was given."""

import shlex
from collections.abc import Callable
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
from assay.config import RunSettings, Workspace
from assay.errors import UseError
from assay.jobs.depth import (
    LENGTHS,
    SYSTEM,
    Depth,
    NovelData,
    depth_estimate,
    describe,
    prepare_depth,
    read_novel_data,
    run_closed_book,
    run_depth,
    sample_novel_data,
)
from assay.jobs.depth.plan import Layout, LayoutOptions, layout_of
from assay.jobs.estimate import estimate_lines
from assay.jobs.setup import load_configuration, make_system_context
from assay.runner import RunResult, choose_reporter
from assay.systems import System, SystemContext, load_system


def depth(
    novel: Annotated[Path | None, typer.Option("--novel", help="The novel, a text file.")] = None,
    data_set: Annotated[
        Path | None,
        typer.Option(
            "--data-set", "--data_set", help="Questions over it with their evidence, JSON lines."
        ),
    ] = None,
    depth_mode: Annotated[
        str | None,
        typer.Option(
            "--depth-mode",
            metavar="legacy|uniform|fixed",
            help="uniform: five depths in turn; fixed: one, see --depth; legacy: the novel's first "
            "tokens. Default: legacy, with --sample uniform.",
        ),
    ] = None,
    depth: Annotated[
        str | None, typer.Option("--depth", metavar="0-100", help="The depth of mode fixed, in %.")
    ] = None,
    context_length: Annotated[
        str | None,
        typer.Option(
            "--context-length", "--context_length", metavar="N", help="Tokens of the context."
        ),
    ] = None,
    context_lengths: Annotated[
        str | None,
        typer.Option(
            "--context-lengths",
            "--context_lengths",
            metavar="N,N,…",
            help="Several lengths, e.g. 32000,64000; wins over --context-length.",
        ),
    ] = None,
    padding_size: Annotated[
        int,
        typer.Option("--padding-size", help="Tokens by which the evidence is widened each side."),
    ] = 0,
    max_questions: Annotated[
        int | None,
        typer.Option("--max-questions", help="At most so many, spread evenly through the file."),
    ] = None,
    per_cell: Annotated[
        int | None, typer.Option("--per-cell", help="So many questions at each length and depth.")
    ] = None,
    min_per_cell: Annotated[
        int | None,
        typer.Option(
            "--min-per-cell", help="At least so many; questions are reused. Default: 5 in uniform."
        ),
    ] = None,
    system: Annotated[
        str | None,
        typer.Option("--system", help="Ask this system: a configured name, or kind:rest."),
    ] = None,
    model: Annotated[
        str | None, typer.Option("--model", help="Ask this model: short for --system openai:MODEL.")
    ] = None,
    tokenizer: Annotated[
        str,
        typer.Option("--tokenizer", help="What lengths are counted in: o200k, hf:FILE or chars."),
    ] = "o200k",
    output: Annotated[
        Path | None,
        typer.Option("--output", help="Results file. Default: named for the test, experiments/."),
    ] = None,
    lang: Annotated[
        str, typer.Option("--lang", metavar="en|zh|ru", help="Language of --sample.")
    ] = "en",
    seed: Annotated[int, typer.Option("--seed", help="Another number makes another sample.")] = 0,
    root: Root = None,
    concurrency: Concurrency = None,
    timeout: Timeout = None,
    retries: Retries = None,
    max_cost: MaxCost = None,
    max_minutes: MaxMinutes = None,
    *,
    sample: Annotated[
        bool,
        typer.Option("--sample", help="Ask about a made-up chronicle; offline unless --system."),
    ] = False,
    closed_book: Annotated[
        bool,
        typer.Option(
            "--closed-book", help="First ask without the novel, to mark what is known by heart."
        ),
    ] = False,
    fresh: Fresh = False,
    keep_stale: KeepStale = False,
    dry_run: DryRun = False,
    no_call_cache: NoCallCache = False,
    log_lines: LogLines = False,
    allow_outside_root: AllowOutsideRoot = False,
) -> None:
    """Place evidence at chosen depths of long contexts and see whether a model finds it.

    What is recorded is not asked again.
    """
    if context_lengths is not None and context_length is not None:
        typer.echo("note: --context-lengths wins over --context-length", err=True)
    layout = layout_of(
        LayoutOptions(
            mode=depth_mode,
            depth=depth,
            context_length=context_length,
            context_lengths=context_lengths,
            padding=padding_size,
            max_questions=max_questions,
            per_cell=per_cell,
            min_per_cell=min_per_cell,
            usual_mode="uniform" if sample else "legacy",
            usual_lengths=LENGTHS if sample else (),
        )
    )
    spec = _system_spec(system, model, sample=sample)
    material = _material(novel, data_set, layout, tokenizer, lang, seed, sample=sample)
    workspace = Workspace.find(root, allow_outside_root=allow_outside_root)
    document = load_configuration(workspace)
    settings = run_settings(
        document.value.defaults.run if document else RunSettings(),
        concurrency=concurrency,
        timeout_s=timeout,
        retries=retries,
        max_cost=max_cost,
        max_minutes=max_minutes,
    )
    around = make_system_context(workspace, document, use_cache=not no_call_cache)
    try:
        ready = prepare_depth(
            material,
            layout,
            _loader(spec, around),
            folder=workspace.experiments_dir,
            journal=output,
            closed_book=closed_book,
        )
        typer.echo("\n".join(describe(ready)))
        if dry_run:
            _print_estimate(ready, settings, fresh=fresh)
            return
        code = _run(
            ready, settings, fresh=fresh, keep_stale=keep_stale, log_lines=log_lines,
            ceiling=max_cost is not None,
        )  # fmt: skip
    finally:
        around.close()
    raise typer.Exit(code)


def _system_spec(system: str | None, model: str | None, *, sample: bool) -> str:

    if system is not None and model is not None:
        raise UseError("give --system or --model, not both")
    if model is not None:
        return f"openai:{model.removeprefix('openai:')}"
    if system is None and not sample:
        raise UseError(
            "say what is asked: --model NAME, or --system openai:NAME, python:…, http://…"
        )
    return system or SYSTEM


def _material(
    novel: Path | None,
    data_set: Path | None,
    layout: Layout,
    tokenizer: str,
    lang: str,
    seed: int,
    *,
    sample: bool,
) -> NovelData:

    language = one_of("--lang", lang, ("en", "zh", "ru"))
    if sample:
        if novel is not None or data_set is not None:
            raise UseError(
                "--sample makes its own novel and questions: leave --novel and --data-set"
            )
        return sample_novel_data(
            language, longest=layout.lengths[-1], tokenizer=tokenizer, seed=seed
        )
    if novel is None or data_set is None:
        missing = "--novel" if novel is None else "--data-set"
        raise UseError(f"{missing} is missing; to try it without any file: assay depth --sample")
    return read_novel_data(novel, data_set, tokenizer)


def _loader(spec: str, around: SystemContext) -> Callable[[], System]:

    return lambda: load_system(spec, around)


def _print_estimate(ready: Depth, settings: RunSettings, *, fresh: bool) -> None:

    made = depth_estimate(ready, concurrency=settings.concurrency, fresh=fresh)
    typer.echo("\n".join(estimate_lines(made)))
    skipped = len(ready.plan.slots) - ready.plan.askable
    if skipped:
        typer.echo(f"skips   {skipped} of the cases cannot be put and are not asked")


def _run(
    ready: Depth,
    settings: RunSettings,
    *,
    fresh: bool,
    keep_stale: bool,
    log_lines: bool,
    ceiling: bool,
) -> int:
    """Both passes; the exit code."""
    code = 0
    for step in (run_closed_book, run_depth):
        result = step(
            ready,
            settings=settings,
            reporter=lambda work: choose_reporter(work.line, log_lines=log_lines),
            fresh=fresh,
            keep_stale=keep_stale,
        )
        if result is None:
            continue
        if step is run_closed_book:
            typer.echo("without the novel:", err=True)
        code = max(code, end_run(result))
        if ceiling and result.paid is None:
            typer.echo("note: no price is known, so --max-cost could not hold", err=True)
        if result.stopped is not None:
            return result.stopped.exit_code
        if step is run_depth and result.tally.scored:
            _present(ready, result)
    return code


def _present(ready: Depth, result: RunResult) -> None:
    """The figures in a line, where the rows are, and the command for the map."""
    figures = next(iter(result.summary.results["variants"].values()))
    facts = [f"accuracy {figures['accuracy']:.3f}"]
    if figures["parse_rate"] is not None:
        facts.append(f"{figures['parse_rate']:.1%} of replies parsed")
    if figures["truncated_rate"]:
        facts.append(f"{figures['truncated_rate']:.1%} cut short")
    typer.echo(f"result      {', '.join(facts)}")
    typer.echo(f"rows        {ready.journal}")
    typer.echo(f"summary     {ready.journal.with_suffix('.json')}")
    page = ready.journal.with_suffix(".html")
    command = shlex.join(
        ["assay", "heatmap", str(ready.journal), "--mode", "depth", "--output", str(page)]
    )
    typer.echo(f"the map     {command}")
