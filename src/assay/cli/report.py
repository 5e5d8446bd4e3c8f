"""``assay report``: tables, findings and charts from a file of results."""

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.options import Lang, Root, one_of
from assay.config import Workspace
from assay.errors import UseError
from assay.jobs.history import find_results
from assay.jobs.study import analyse_run, overview_table, tables, write_report
from assay.journal import write_atomically
from assay.report.table import Table, as_csv, as_json, as_latex, as_markdown, as_text

FORMATS = ("markdown", "latex", "csv", "json")
CHARTS = ("png", "svg", "pdf", "none")
LANGUAGES = ("en", "zh", "ru")


def report(
    results: Annotated[
        str, typer.Argument(help="NAME of a past run (see assay list), or its file.")
    ],
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="|".join(FORMATS),
            help="Print the tables in this format instead of writing the page.",
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="With --format: write here, not to the terminal.")
    ] = None,
    metric: Annotated[
        str | None, typer.Option("--metric", help="What findings, changes and charts are about.")
    ] = None,
    charts: Annotated[
        str, typer.Option("--charts", metavar="|".join(CHARTS), help="Format of the charts.")
    ] = "png",
    changes: Annotated[
        int,
        typer.Option("--changes", min=0, help="Changed questions to list a variant; 0: all."),
    ] = 20,
    lang: Lang = "en",
    root: Root = None,
) -> None:
    """Make tables, findings and charts from recorded rows; nothing is asked."""
    journal = find_results(Workspace.find(root), results)
    one_of("--charts", charts, CHARTS)
    language = one_of("--lang", lang, LANGUAGES)
    if form is None:
        present(journal, lang=language, metric=metric, charts=charts, changes=changes)
        return
    text = _formatted(journal, one_of("--format", form, FORMATS), language)
    if out is None:
        typer.echo(text, nl=False)
        return

    try:
        out.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UseError(f"{out.parent}: cannot be made: {error.strerror}") from None
    write_atomically(out, text.encode())
    typer.echo(f"written  {out}", err=True)


def present(
    journal: Path,
    *,
    lang: str = "en",
    metric: str | None = None,
    charts: str = "png",
    changes: int = 20,
) -> None:
    """Write the page and the charts, print the short table, the findings and the paths."""
    made = write_report(
        journal,
        metric=metric,
        lang=lang,  # type: ignore[arg-type]  # checked by the caller
        charts=None if charts == "none" else charts,
        most_changes=changes,
    )
    typer.echo()
    typer.echo(as_text(made.table, lang))  # type: ignore[arg-type]  # as above
    for sentence in made.sentences:
        typer.echo(f"- {sentence}")
    typer.echo()
    typer.echo(f"rows     {journal}")
    typer.echo(f"summary  {journal.with_suffix('.json')}")
    typer.echo(f"report   {made.page}")
    if made.charts:
        typer.echo(f"charts   {made.charts[0].parent}")


def _formatted(journal: Path, form: str, lang: str) -> str:

    found = analyse_run(journal)
    made: list[Table] = tables(found, lang)  # type: ignore[arg-type]  # checked by the caller
    match form:
        case "csv":  # one flat table: what a spreadsheet can read
            return as_csv(overview_table(found))
        case "json":
            return "[" + ",\n".join(as_json(table).rstrip() for table in made) + "]\n"
        case "latex":
            return "\n".join(as_latex(table, lang) for table in made)  # type: ignore[arg-type]
        case _:
            return "\n".join(as_markdown(table, lang) for table in made)  # type: ignore[arg-type]
