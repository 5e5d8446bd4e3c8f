"""``assay depth``: at which positions of a long context a model finds the evidence."""

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.options import one_of
from assay.cli.output import echo, note_line
from assay.cli.run_command import run_command
from assay.jobs.depth.novel_data import LENGTHS
from assay.jobs.depth.plan import LayoutOptions
from assay.jobs.depth.preparation import DepthOptions, prepare
from assay.jobs.prepared import JobRuns, RunOptions
from assay.words.language import LANGUAGES
from assay.words.say import say


@run_command()
def depth(
    novel: Annotated[Path | None, typer.Option("--novel", help="Text file with the novel.")] = None,
    questions: Annotated[
        Path | None,
        typer.Option(
            "--questions",
            help="Questions about the novel with their evidence, JSON lines.",
        ),
    ] = None,
    depth_mode: Annotated[
        str | None,
        typer.Option(
            "--depth-mode",
            metavar="legacy|uniform|fixed",
            help="uniform: five depths in turn; fixed: one depth, see --depth; legacy: the first "
            "tokens of the novel. Default: legacy.",
        ),
    ] = None,
    depth: Annotated[
        str | None, typer.Option("--depth", metavar="0-100", help="Depth for mode fixed, in %.")
    ] = None,
    context_length: Annotated[
        str | None,
        typer.Option(
            "--context-length",
            "--context_length",
            metavar="N",
            help="Length of the context in tokens.",
        ),
    ] = None,
    context_lengths: Annotated[
        str | None,
        typer.Option(
            "--context-lengths",
            metavar="N,N,…",
            help="Several lengths, e.g. 32000,64000; replaces --context-length.",
        ),
    ] = None,
    padding_size: Annotated[
        int | None,
        typer.Option(
            "--padding-size",
            help="Tokens added on each side of the evidence. Default: 500 for token positions, 0 "
            "for quoted evidence.",
        ),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option("--limit", help="Ask at most N questions, spread over the file; 0: all."),
    ] = None,
    per_cell: Annotated[
        int | None, typer.Option("--per-cell", help="Number of questions at each length and depth.")
    ] = None,
    min_per_cell: Annotated[
        int | None,
        typer.Option(
            "--min-per-cell", help="Minimum number; questions are reused. Default: 5 in uniform."
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
        str | None,
        typer.Option(
            "--tokenizer",
            help="Tokenizer for lengths: o200k, cl100k, hf:FILE or chars. Default: that of the "
            "positions, else o200k.",
        ),
    ] = None,
    position_tokenizer: Annotated[
        str | None,
        typer.Option(
            "--position-tokenizer",
            help="Tokenizer that counted the positions. Default: found from total_tokens or from "
            "quoted evidence, else cl100k.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Results file. Default: a file in experiments/."),
    ] = None,
    lang: Annotated[
        str,
        typer.Option(
            "--lang", metavar="en|zh|ru", help="Language of --sample and of what is shown."
        ),
    ] = "en",
    seed: Annotated[int, typer.Option("--seed", help="Random seed of the sample.")] = 0,
    *,
    sample: Annotated[
        bool,
        typer.Option("--sample", help="Use an invented chronicle; offline unless --system."),
    ] = False,
    closed_book: Annotated[
        bool,
        typer.Option("--closed-book", help="First ask without the novel, to mark known answers."),
    ] = False,
    run: RunOptions,
) -> JobRuns:
    """Place evidence at chosen depths of long contexts and test whether a model finds it.

    Cases with a recorded answer are not asked again.
    """
    if context_lengths is not None and context_length is not None:
        echo(note_line(say("--context-lengths replaces --context-length")), err=True)
    options = DepthOptions(
        layout=LayoutOptions(
            mode=depth_mode,
            depth=depth,
            context_length=context_length,
            context_lengths=context_lengths,
            padding=padding_size,
            limit=limit,
            per_cell=per_cell,
            min_per_cell=min_per_cell,
            usual_lengths=LENGTHS if sample else (),
        ),
        novel=novel,
        questions=questions,
        sample=sample,
        lang=one_of("--lang", lang, LANGUAGES),
        seed=seed,
        system=system,
        model=model,
        tokenizer=tokenizer,
        position_tokenizer=position_tokenizer,
        out=out,
        closed_book=closed_book,
    )
    return prepare(options, run)
