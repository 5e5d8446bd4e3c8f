"""``assay heatmap``: draw where in a long context or a novel a model finds the evidence."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from msgspec import Struct

from assay.cli.options import Json, Root, one_of
from assay.cli.output import echo, echo_json
from assay.cli.overwrite import Output
from assay.cli.privacy import keep_private
from assay.cli.redaction import redacted
from assay.config.workspace import Workspace
from assay.data.foreign_value import ignored_fields_note
from assay.errors import JournalWriteFailed, UseError
from assay.jobs.depth.map.heatmap import default_title, depth_heatmap
from assay.jobs.depth.map.json_data import combined_json, depth_json, novel_json
from assay.jobs.depth.map.novel import combined_heatmaps, novel_heatmap
from assay.jobs.depth.map.position import read_question_set
from assay.jobs.depth.map.results import ModelResults, read_cells, refuse_without_depths
from assay.jobs.depth.map.tile import Heatmap
from assay.mask import mask_identifier
from assay.report.description import file_line, noted
from assay.results.find_results import find_results
from assay.runs.summary import write_atomically
from assay.runs.write import without_companions
from assay.web.depth_map import MapOptions, map_view
from assay.words.language import Lang, language
from assay.words.say import listed, say_n

MODES = ("depth", "coverage", "accuracy", "combined", "combined_depth")
MEANS = ("cells", "questions")
PALETTES = ("green-red", "safe")
SUFFIXES = (".html", ".png", ".svg", ".pdf")


@redacted
def heatmap(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RESULTS]...",
            help="Depth result files or NAMEs of past runs; several are compared.",
        ),
    ] = None,
    results: Annotated[
        list[str] | None,
        typer.Option("--results", hidden=True),
    ] = None,
    mode: Annotated[
        str,
        typer.Option(
            "--mode",
            metavar="|".join(MODES),
            help="depth: recall by context length and depth; coverage, accuracy: along the novel; "
            "combined: both of these; combined_depth: all on one page.",
        ),
    ] = "depth",
    out: Annotated[
        Path | None,
        typer.Option("--out", help="x.html, .png, .svg or .pdf. Default: next to the results."),
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
    questions: Annotated[
        Path | None,
        typer.Option(
            "--questions", help="Question file for coverage; without it, the answered questions."
        ),
    ] = None,
    total_tokens: Annotated[
        int | None,
        typer.Option("--total-tokens", min=1, help="Length of the novel in tokens."),
    ] = None,
    title: Annotated[str, typer.Option("--title", help="Title. Default: model and data set.")] = "",
    root: Root = None,
) -> None:
    """Draw a heatmap of recorded depth results. No model is called."""
    for option, value, choices in (
        ("--mode", mode, MODES),
        ("--mean", mean, MEANS),
        ("--palette", palette, PALETTES),
    ):
        one_of(option, value, choices)
    _check_suffix(out, mode)
    written = Output(out, "assay heatmap", root=root)
    models = _read_models([*(results or []), *(files or [])], mode, questions, Workspace.find(root))
    if exclude_known:
        models = [model.without_known() for model in models]
    question_set = None if questions is None else read_question_set(questions)
    # all options were checked above
    options = MapOptions(
        mode=mode,  # type: ignore[arg-type]
        title=title,
        view="parsed" if parsed_only else "all",
        mean=mean,  # type: ignore[arg-type]
        palette=palette,  # type: ignore[arg-type]
        bins=bins,
        total_tokens=total_tokens,
    )
    if json:
        _print_replaced(models)
        content = msgspec.json.encode(_json_data(models, question_set, options))
        echo_json(msgspec.json.format(content, indent=2).decode())
        if out is None:
            return
    first = models[0].path if models else questions
    assert first is not None
    target = out or _default_output(first, mode)
    summary = _write(target, models, question_set, options)
    written.record()
    if not json:
        _print_summary(summary)
    echo(file_line("written", target), err=True)


class MapSummary(Struct, frozen=True):
    """What is printed about a map: a table with its column titles first, and notes."""

    rows: Sequence[Sequence[str]]
    notes: Sequence[str]


def _read_models(
    names: list[str], mode: str, questions: Path | None, workspace: Workspace
) -> list[ModelResults]:
    """Read the results; only coverage can do without them, if there are questions."""
    if not names and not (mode == "coverage" and questions is not None):
        needed = "RESULTS" if mode != "coverage" else "RESULTS or --questions FILE"
        raise UseError(f"--mode {mode} needs {needed}")
    for name in names:
        if Path(name).suffix.lower() in SUFFIXES and not Path(name).exists():
            raise UseError(f"{name}: no such file; --out {name} writes the map there")
    # a pattern of the shell (experiments/*.jsonl) also names what is beside the rows
    paths = without_companions([find_results(workspace, name) for name in names])
    if names and not paths:
        raise UseError(f"{names[0]}: this is the plan or the verdicts of a run, not its rows")
    models = read_cells(paths)
    for model in models:
        if model.ignored_fields:
            echo(f"{model.path}: {noted(ignored_fields_note(model.ignored_fields))}", err=True)
    if mode in {"depth", "combined_depth"}:
        refuse_without_depths(models)
    return models


def _check_suffix(output: Path | None, mode: str) -> None:
    if output is not None and output.suffix.lower() not in SUFFIXES:
        raise UseError(f"--out {output}: a heatmap is written as .html, .png, .svg or .pdf")
    if output is not None and output.suffix.lower() != ".html" and mode.startswith("combined"):
        raise UseError(
            f"--out {output}: --mode {mode} puts several maps on a page; write it as .html, "
            "or draw each map by itself"
        )


def _default_output(path: Path, mode: str) -> Path:
    name = f"{path.stem}-{'heatmap' if mode == 'depth' else mode}.html"
    return path.with_name(mask_identifier(name))


def _print_replaced(models: list[ModelResults]) -> None:
    """Print the number of replaced rows, which the notes of a map show as well."""
    for model in models:
        if model.replaced:
            line = say_n(
                "{n} row is replaced by a later row of the same case",
                "{n} rows are replaced by a later row of the same case",
                model.replaced,
            )
            echo(f"{model.path}: {line}", err=True)


def _json_data(
    models: list[ModelResults], question_set: ModelResults | None, options: MapOptions
) -> dict[str, Any]:
    if options.mode == "depth":
        return depth_json(models, options.view)
    if options.mode in ("coverage", "accuracy"):
        rows = [*filter(None, [question_set]), *models] if options.mode == "coverage" else models
        return novel_json(
            rows,
            options.mode,
            options.view,
            number=options.bins,
            total_tokens=options.total_tokens,
        )
    return combined_json(
        models,
        options.mode,
        options.view,
        question_set=question_set,
        number=options.bins,
        total_tokens=options.total_tokens,
    )


def _charts(
    models: list[ModelResults],
    question_set: ModelResults | None,
    options: MapOptions,
    lang: Lang,
) -> list[Heatmap]:
    """The maps as pictures; the last one has the table and the notes of all."""
    if options.mode == "depth":
        return [
            depth_heatmap(
                models,
                lang=lang,
                title=options.title,
                view=options.view,
                mean=options.mean,
                palette=options.palette,
            )
        ]
    if options.mode in ("coverage", "accuracy"):
        rows = [*filter(None, [question_set]), *models] if options.mode == "coverage" else models
        return [
            novel_heatmap(
                rows,
                options.mode,
                lang=lang,
                title=options.title,
                view=options.view,
                palette=options.palette,
                number=options.bins,
                total_tokens=options.total_tokens,
            )
        ]
    return combined_heatmaps(
        models,
        options.mode,
        question_set=question_set,
        lang=lang,
        view=options.view,
        mean=options.mean,
        palette=options.palette,
        number=options.bins,
        total_tokens=options.total_tokens,
    )


def _write(
    target: Path,
    models: list[ModelResults],
    question_set: ModelResults | None,
    options: MapOptions,
) -> MapSummary:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        keep_private(target)
        if target.suffix.lower() == ".html":
            return _write_page(target, models, question_set, options)
        from assay.jobs.depth.map.chart import heatmap_chart  # noqa: PLC0415 - loads matplotlib
        from assay.report.chart.font import drawn_language  # noqa: PLC0415 - as above

        said = language()
        drawn = drawn_language(said)  # of the texts in the picture; the lines below are printed
        (chart,) = _charts(models, question_set, options, drawn)
        heatmap_chart(chart, target)
        if drawn != said:
            (chart,) = _charts(models, question_set, options, said)
    except OSError as error:
        raise UseError(
            f"{target}: cannot be written: {error.strerror}; choose another file with --out"
        ) from None
    except JournalWriteFailed as error:
        raise UseError(f"{error}; choose another file with --out") from None
    return MapSummary(chart.summary, chart.notes)


def _write_page(
    target: Path,
    models: list[ModelResults],
    question_set: ModelResults | None,
    options: MapOptions,
) -> MapSummary:
    """Write the page of ``assay view`` with the maps inside, or pictures if it was not built."""
    from assay.web.embedded import is_built, opened_runs, write_map  # noqa: PLC0415 - slow to load

    if is_built():
        with opened_runs(model.path for model in models) as runs:
            ids = {path: card.id for path, (card, _) in runs.items()}
            view = map_view(models, options, question_set=question_set, runs=ids)
            write_map(target, view, runs.values())
        lang, table = language(), view.summary
        rows = [[getattr(cell, lang) for cell in row] for row in (table.columns, *table.rows)]
        return MapSummary(rows, [getattr(note, lang) for note in table.notes])
    from assay.jobs.depth.map.picture_page import picture_page  # noqa: PLC0415 - loads matplotlib
    from assay.report.chart.font import drawn_language  # noqa: PLC0415 - as above

    said = language()
    drawn = drawn_language(said)
    charts = _charts(models, question_set, options, drawn)
    title = options.title or default_title(models, options.mode, drawn)
    write_atomically(target, picture_page(charts, title).encode(), is_masked=True)
    if drawn != said:
        charts = _charts(models, question_set, options, said)
    notes = dict.fromkeys(note for chart in charts for note in chart.notes)
    return MapSummary(charts[-1].summary, list(notes))


def write_depth_map(journal: Path, target: Path) -> None:
    """Write the page with the map of a run."""
    _write(target, read_cells([journal]), None, MapOptions())


def _print_summary(summary: MapSummary) -> None:
    """Print one line for each model, with its counts and both means, and then the notes."""
    heads, *rows = summary.rows
    for model, _, *values in rows:
        facts = (f"{head} {value}" for head, value in zip(heads[2:], values, strict=True))
        echo(f"{model}: {listed(facts)}")
    for note in summary.notes:
        echo(note)
