"""``assay heatmap``: draw where in a long context or a novel a model finds the evidence."""

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from assay.cli.options import Json, Lang, Root, one_of
from assay.config import Workspace
from assay.errors import JournalWriteFailed, UseError
from assay.jobs.depth.map import (
    ModelResults,
    depth_heatmap,
    depth_json,
    novel_heatmap,
    novel_json,
    read_cells,
)
from assay.jobs.history import find_results
from assay.journal import write_atomically
from assay.report.heatmap import Heatmap, as_html, heatmap_chart
from assay.text import counted

MODES = ("depth", "coverage", "accuracy")
MEANS = ("cells", "questions")
PALETTES = ("green-red", "safe")
LANGUAGES = ("en", "zh", "ru")
SUFFIXES = (".html", ".png", ".svg", ".pdf")


def heatmap(
    results: Annotated[
        list[str],
        typer.Argument(help="Depth result files or NAMEs of past runs; several are compared."),
    ],
    mode: Annotated[
        str,
        typer.Option(
            "--mode",
            metavar="|".join(MODES),
            help="depth: recall by context length and depth; coverage, accuracy: along the novel.",
        ),
    ] = "depth",
    output: Annotated[
        Path | None,
        typer.Option("--output", help="x.html, .png, .svg or .pdf. Default: next to the results."),
    ] = None,
    json: Json = False,
    parsed_only: Annotated[
        bool, typer.Option("--parsed-only", help="Exclude answers that could not be parsed.")
    ] = False,
    exclude_known: Annotated[
        bool,
        typer.Option("--exclude-known", help="Exclude questions answered without the novel."),
    ] = False,
    mean: Annotated[
        str,
        typer.Option(
            "--mean",
            metavar="|".join(MEANS),
            help="Whether margins are means of cells or questions.",
        ),
    ] = "cells",
    palette: Annotated[
        str,
        typer.Option(
            "--palette", metavar="|".join(PALETTES), help="safe: for colour-blind readers."
        ),
    ] = "green-red",
    bins: Annotated[
        int, typer.Option("--bins", min=1, max=200, help="Number of parts of the novel.")
    ] = 40,
    title: Annotated[str, typer.Option("--title", help="Title. Default: model and data set.")] = "",
    lang: Lang = "en",
    root: Root = None,
) -> None:
    """Draw a heatmap of recorded depth results. No model is called."""
    for option, value, choices in (
        ("--mode", mode, MODES),
        ("--mean", mean, MEANS),
        ("--palette", palette, PALETTES),
        ("--lang", lang, LANGUAGES),
    ):
        one_of(option, value, choices)
    _check_suffix(output)
    workspace = Workspace.find(root)
    models = read_cells([find_results(workspace, name) for name in results])
    if exclude_known:
        models = [model.without_known() for model in models]
    view = "parsed" if parsed_only else "all"
    if json:
        _print_replaced(models)
        _print_json(models, mode, view, bins)
        if output is None:
            return
    chart = _chart(
        models, mode, view, mean=mean, palette=palette, bins=bins, title=title, lang=lang
    )
    target = output or _default_output(models[0].path, mode)
    _write(chart, target)
    if not json:
        _print_summary(chart)
    typer.echo(f"written  {target}", err=True)


def _check_suffix(output: Path | None) -> None:
    if output is not None and output.suffix.lower() not in SUFFIXES:
        raise UseError(f"--output {output}: a heatmap is written as .html, .png, .svg or .pdf")


def _default_output(path: Path, mode: str) -> Path:
    return path.with_name(f"{path.stem}-{'heatmap' if mode == 'depth' else mode}.html")


def _print_replaced(models: list[ModelResults]) -> None:
    """Print the number of replaced rows, which the notes of a map show as well."""
    for model in models:
        if model.replaced:
            typer.echo(
                f"{model.path}: {counted(model.replaced, 'row is', 'rows are')} replaced by a later "
                "row of the same case",
                err=True,
            )


def _print_json(models: list[ModelResults], mode: str, view: str, bins: int) -> None:
    # mode and view were checked above
    cells = (
        depth_json(models, view)  # type: ignore[arg-type]
        if mode == "depth"
        else novel_json(models, mode, view, number=bins)  # type: ignore[arg-type]
    )
    typer.echo(msgspec.json.format(msgspec.json.encode(cells), indent=2).decode())


def _chart(
    models: list[ModelResults],
    mode: str,
    view: str,
    *,
    mean: str,
    palette: str,
    bins: int,
    title: str,
    lang: str,
) -> Heatmap:
    # all options were checked above
    if mode == "depth":
        return depth_heatmap(
            models,
            lang=lang,  # type: ignore[arg-type]
            title=title,
            view=view,  # type: ignore[arg-type]
            mean=mean,  # type: ignore[arg-type]
            palette=palette,  # type: ignore[arg-type]
        )
    return novel_heatmap(
        models,
        mode,  # type: ignore[arg-type]
        lang=lang,  # type: ignore[arg-type]
        title=title,
        view=view,  # type: ignore[arg-type]
        palette=palette,  # type: ignore[arg-type]
        number=bins,
    )


def _write(chart: Heatmap, target: Path) -> None:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.suffix.lower() == ".html":
            write_atomically(target, as_html(chart).encode())
        else:
            heatmap_chart(chart, target)
    except OSError as error:
        raise UseError(
            f"{target}: cannot be written: {error.strerror}; choose another file with --output"
        ) from None
    except JournalWriteFailed as error:
        raise UseError(f"{error}; choose another file with --output") from None


def _print_summary(chart: Heatmap) -> None:
    """Print one line for each model, with its counts and both means, and then the notes."""
    heads, *rows = chart.summary
    for model, _, *values in rows:
        facts = (f"{head} {value}" for head, value in zip(heads[2:], values, strict=True))
        typer.echo(f"{model}: {', '.join(facts)}")
    for note in chart.notes:
        typer.echo(note)
