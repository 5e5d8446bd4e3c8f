"""``assay run``: ask one or several systems the questions of any set, and score the answers."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from assay.cli.options import AllowMissingGold, Limit, OutFolder, Primary, StopEarly, TopK
from assay.cli.run_command import run_command
from assay.errors import UseError
from assay.jobs.answers.plain_run import PlainRunOptions
from assay.jobs.answers.plain_run import prepare as prepare_plain_run
from assay.jobs.prepared import JobRuns, RunOptions
from assay.systems.load import parse_settings


@run_command(has_report=True, has_config=True, has_json=True)
def run(
    given: Annotated[list[str] | None, typer.Argument(hidden=True)] = None,
    questions: Annotated[
        Path | None,
        typer.Option(
            "--questions",
            help="JSONL, CSV, Excel, SQuAD, Ragas, AutoRAG, or one question a line. "
            "Default: the configured questions.",
        ),
    ] = None,
    system: Annotated[
        list[str] | None,
        typer.Option(
            "--system",
            help="A system: python:module:callable, an address, openai:MODEL, …; repeatable. "
            "Default: the reference pipeline over the corpus.",
        ),
    ] = None,
    prompt: Annotated[
        list[Path] | None,
        typer.Option("--prompt", help="A file with a system prompt; repeatable, side by side."),
    ] = None,
    setting: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A setting of all systems; repeatable."),
    ] = None,
    column: Annotated[
        list[str] | None,
        typer.Option(
            "--column",
            metavar="ROLE=NAME",
            help="The column of a table for id, question, answer, source, gold, context, "
            "answerable, and for response and passages of replay:.",
        ),
    ] = None,
    sheet: Annotated[
        str | None,
        typer.Option(
            "--sheet", help="The sheet of a workbook. Default: the first one that has rows."
        ),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option(
            "--name",
            help="Name of the results. Default: run-QUESTIONS, and the systems if another run has it.",
        ),
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option("--config", help="Configuration file. Default: experiments/experiments.yaml."),
    ] = None,
    limit: Limit = None,
    top_k: TopK = None,
    primary: Primary = None,
    out: OutFolder = None,
    span_share: Annotated[
        float | None,
        typer.Option(
            "--span-share",
            min=0.01,
            max=1.0,
            help="The share of a gold span that the passages must cover. Default: 0.5.",
        ),
    ] = None,
    *,
    allow_missing_gold: AllowMissingGold = False,
    stop_early: StopEarly = False,
    run: RunOptions,
) -> JobRuns:
    """Ask one or several systems, side by side, and score the answers. No configuration needed."""
    if given:
        raise UseError(
            f"{given[0]}: a set of questions is given by an option: "
            f"--questions {shlex.quote(given[0])}"
        )
    options = PlainRunOptions(
        questions=questions,
        systems=system or (),
        prompts=prompt or (),
        settings=parse_settings(setting or ()),
        columns=named_columns(column, sheet),
        name=name,
        config=config,
        limit=limit,
        top_k=top_k,
        primary=primary,
        out=out,
        allow_missing_gold=allow_missing_gold,
        span_share=span_share,
        stop_early=stop_early,
    )
    return prepare_plain_run(options, run)


def named_columns(column: list[str] | None, sheet: str | None) -> dict[str, str]:
    """The columns that ``--column`` names by role, and the sheet."""
    return dict(_column(word) for word in column or ()) | ({"sheet": sheet} if sheet else {})


def _column(word: str) -> tuple[str, str]:
    role, equals, name = word.partition("=")
    if not equals or not name:
        raise UseError(f"--column {word}: write it as ROLE=NAME, for example question=Frage")
    return role, name
