"""``assay heatmap``: where in a long context, or in a novel, a model finds what it was given."""

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

MODES = ("depth", "coverage", "accuracy")
MEANS = ("cells", "questions")
PALETTES = ("green-red", "safe")
LANGUAGES = ("en", "zh", "ru")
SUFFIXES = (".html", ".png", ".svg", ".pdf")


def heatmap(
    results: Annotated[
        list[str],
        typer.Argument(help="Files of depth results, or NAMEs of past runs; several are compared."),
    ],
    mode: Annotated[
        str,
        typer.Option(
            "--mode",
            metavar="|".join(MODES),
            help="Recall by context length and depth; or questions, or recall, along the novel.",
        ),
    ] = "depth",
    output: Annotated[
        Path | None,
        typer.Option("--output", help="x.html, .png, .svg or .pdf. Default: beside the results."),
    ] = None,
    json: Json = False,
    parsed_only: Annotated[
        bool, typer.Option("--parsed-only", help="Leave out answers that could not be parsed.")
    ] = False,
    exclude_known: Annotated[
        bool,
        typer.Option("--exclude-known", help="Leave out questions answered without the novel."),
    ] = False,
    mean: Annotated[
        str,
        typer.Option("--mean", metavar="|".join(MEANS), help="What margins are the mean of."),
    ] = "cells",
    palette: Annotated[
        str,
        typer.Option("--palette", metavar="|".join(PALETTES), help="safe: for the colour-blind."),
    ] = "green-red",
    bins: Annotated[
        int, typer.Option("--bins", min=1, max=200, help="Stretches of the novel, along it.")
    ] = 40,
    title: Annotated[str, typer.Option("--title", help="Instead of model and data set.")] = "",
    lang: Lang = "en",
    root: Root = None,
) -> None:
    """Draw a heatmap of recorded depth results; nothing is asked."""
    for option, given, known in (
        ("--mode", mode, MODES),
        ("--mean", mean, MEANS),
        ("--palette", palette, PALETTES),
        ("--lang", lang, LANGUAGES),
    ):
        one_of(option, given, known)
    _check_suffix(output)
    workspace = Workspace.find(root)
    found = read_cells([find_results(workspace, wanted) for wanted in results])
    if exclude_known:
        found = [one.without_known() for one in found]
    view = "parsed" if parsed_only else "all"
    if json:
        _say_replaced(found)
        _print_json(found, mode, view, bins)
        if output is None:
            return
    drawn = _drawn(found, mode, view, mean=mean, palette=palette, bins=bins, title=title, lang=lang)
    target = output or _default_output(found[0].path, mode)
    _write(drawn, target)
    if not json:
        _say_outcome(drawn)
    typer.echo(f"written  {target}", err=True)


def _check_suffix(output: Path | None) -> None:

    if output is not None and output.suffix.lower() not in SUFFIXES:
        raise UseError(f"--output {output}: a heatmap is written as .html, .png, .svg or .pdf")


def _default_output(path: Path, mode: str) -> Path:
    return path.with_name(f"{path.stem}-{'heatmap' if mode == 'depth' else mode}.html")


def _say_replaced(found: list[ModelResults]) -> None:
    """What a map says in its notes, for those who read only the numbers."""
    for one in found:
        if one.replaced:
            typer.echo(
                f"{one.path}: {one.replaced} rows are replaced by a later row of the same case",
                err=True,
            )


def _print_json(found: list[ModelResults], mode: str, view: str, bins: int) -> None:

    # mode and view were checked above
    made = (
        depth_json(found, view)  # type: ignore[arg-type]
        if mode == "depth"
        else novel_json(found, mode, view, number=bins)  # type: ignore[arg-type]
    )
    typer.echo(msgspec.json.format(msgspec.json.encode(made), indent=2).decode())


def _drawn(
    found: list[ModelResults],
    mode: str,
    view: str,
    *,
    mean: str,
    palette: str,
    bins: int,
    title: str,
    lang: str,
) -> Heatmap:

    # all were checked above
    if mode == "depth":
        return depth_heatmap(
            found,
            lang=lang,  # type: ignore[arg-type]
            title=title,
            view=view,  # type: ignore[arg-type]
            mean=mean,  # type: ignore[arg-type]
            palette=palette,  # type: ignore[arg-type]
        )
    return novel_heatmap(
        found,
        mode,  # type: ignore[arg-type]
        lang=lang,  # type: ignore[arg-type]
        title=title,
        view=view,  # type: ignore[arg-type]
        palette=palette,  # type: ignore[arg-type]
        number=bins,
    )


def _write(drawn: Heatmap, target: Path) -> None:

    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.suffix.lower() == ".html":
            write_atomically(target, as_html(drawn).encode())
        else:
            # matplotlib takes most of a second to load

            heatmap_chart(drawn, target)
    except OSError as error:
        raise UseError(
            f"{target}: cannot be written: {error.strerror}; name another with --output"
        ) from None
    except JournalWriteFailed as error:
        raise UseError(f"{error}; name another with --output") from None


def _say_outcome(drawn: Heatmap) -> None:
    """A line a model: how its answers ended, and recall by both means."""
    heads, *rows = drawn.summary
    for model, _, *values in rows:
        facts = (f"{head} {value}" for head, value in zip(heads[2:], values, strict=True))
        typer.echo(f"{model}: {', '.join(facts)}")
    for note in drawn.notes:
        typer.echo(note)
