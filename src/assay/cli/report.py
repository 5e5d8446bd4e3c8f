"""``assay report``: tables, findings and charts of recorded results."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import replace

from assay.cli.masked import masked_form
from assay.cli.next_step import say_next
from assay.cli.options import CHARTS, Documents, Root, chosen_documents, one_of
from assay.cli.output import echo, echo_text, note_line, print_text
from assay.cli.overwrite import Output
from assay.cli.privacy import keep_private
from assay.cli.redaction import redacted
from assay.config.workspace import Workspace
from assay.data.foreign_value import ignored_fields_note
from assay.errors import UseError
from assay.jobs.contract.mode_result import ModeResults, read_mode_results
from assay.jobs.quality.outcome import total_lines
from assay.library.privacy import keep_run_private
from assay.library.report import (
    analysed,
    judge_tables_of,
    part_groups,
    part_tables,
    repair_notes,
)
from assay.mask import mask_identifier
from assay.records import Estimand
from assay.report.description import file_line, noted
from assay.report.table.format import as_csv, as_json, as_markdown, as_text
from assay.report.table.latex import as_latex
from assay.report.table.table import Table
from assay.results.find_results import find_parts
from assay.runs.summary import write_atomically
from assay.study.finding import RunFindings
from assay.study.finding_text import verdicts
from assay.study.page import draw_charts, write_report
from assay.study.subgroup import asked_fields
from assay.study.table import draft_notes, short_table, terminal_notes
from assay.text.normalise import visible_line
from assay.text.width import labelled
from assay.words.language import language
from assay.words.message import text_of
from assay.words.say import say

FORMATS = ("markdown", "latex", "csv", "json")
PAGE = "html"


@redacted
def report(
    results: Annotated[
        list[str],
        typer.Argument(
            metavar="RESULTS...", help="NAME of a past run (see assay list), or its file."
        ),
    ],
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="|".join((*FORMATS, PAGE)),
            help="Print the tables in this format instead of writing the report page; html: write "
            "the run as one page with all its answers.",
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="With --format: write to this file.")
    ] = None,
    site: Annotated[
        Path | None,
        typer.Option(
            "--site", help="Write all these runs as pages into this folder, with an index."
        ),
    ] = None,
    metric: Annotated[
        str | None, typer.Option("--metric", help="Metric of the findings, changes and charts.")
    ] = None,
    charts: Annotated[
        str | None,
        typer.Option(
            "--charts",
            metavar="|".join(CHARTS),
            help="Format of the charts. Default: png; with --format, none are drawn.",
        ),
    ] = None,
    changes: Annotated[
        int,
        typer.Option("--changes", min=0, help="Changed questions to list per variant; 0: all."),
    ] = 20,
    by: Annotated[
        list[str] | None,
        typer.Option(
            "--by",
            metavar="FIELD",
            help="Print the metric by groups of the questions instead: document, language, type or "
            "any other field of theirs. Repeatable; html: the page begins with these.",
        ),
    ] = None,
    documents: Documents = None,
    root: Root = None,
) -> None:
    """Write tables, findings and charts of recorded rows. No model is called."""
    about, fields = chosen_documents(documents), asked_fields(by or ())
    if site is not None or form == PAGE:
        _write_pages(results, form, out, site, root, about, fields)
        return
    if len(results) > 1:
        raise UseError("several runs are shown together with --site FOLDER only; give one NAME")
    (name,) = results
    modes = read_mode_results(Path(name)) if name.endswith(".json") else None
    if modes is not None:
        form_of_modes = "text" if form is None else one_of("--format", form, (*FORMATS, PAGE))
        _print_modes(
            modes, form_of_modes, Output(out, "assay report", root=root, results=[Path(name)])
        )
        return
    one_of("--charts", charts or "png", CHARTS)
    if form is None and out is not None:
        raise UseError(
            "--out is for the tables: say in which format, for example --format markdown"
        )
    parts = find_parts(Workspace.find(root), name)
    if form is not None or fields:
        form = one_of("--format", form or "markdown", (*FORMATS, PAGE))
        output = Output(out, "assay report", root=root, results=parts.values())
        lang, flat = language(), form == "csv"
        if fields:
            listed, notes = part_groups(parts, fields, metric, lang, flat=flat, documents=about)
        else:
            listed, notes = part_tables(name, parts, lang, flat=flat, root=root, documents=about)
        _print_listed(listed, notes, form, output)
        _draw_parts(parts, metric, charts, about)
        return
    _present_parts(name, parts, metric, charts or "png", changes, root, about)
    say_next("view", name, root=root)


def _present_parts(
    name: str,
    parts: Mapping[str, Path],
    metric: str | None,
    charts: str,
    changes: int,
    root: Path | None,
    about: Estimand | None,
) -> None:
    """Write the report of a run, or of each document of a run of several."""
    for part, journal in parts.items():
        if part:
            echo()
            echo(labelled(say("data set"), part))
        findings, repaired = analysed(journal, about)
        present(
            findings,
            metric=metric,
            charts=charts,
            changes=changes,
            further=judge_tables_of(journal, findings.results.path, root, language()),
            journal=journal,
            notes=repair_notes(repaired),
        )
    if "" not in parts:
        for line in total_lines(Path(name), parts.values()):
            echo(line)


def _print_listed(listed: Sequence[Table], notes: Sequence[str], form: str, out: Output) -> None:
    """Print tables, as CSV in one piece, and the notes to stderr."""
    if form == "csv":
        rows = (row for table in listed for row in table.rows)
        _print(as_csv(replace(listed[0], rows=tuple(rows))), form, out)
    else:
        _print(_formatted(listed, form), form, out)
    for note in notes:
        echo(note_line(note), err=True)


def _draw_parts(
    parts: Mapping[str, Path], metric: str | None, charts: str | None, about: Estimand | None
) -> None:
    """Draw the charts of a run, or of each document, if their format is given."""
    for journal in parts.values() if charts not in {None, "none"} else ():
        findings, _ = analysed(journal, about)
        drawn = draw_charts(findings, metric, journal, charts or "png", language())
        if drawn:
            keep_private(drawn[0].parent)
            echo(file_line("charts", drawn[0].parent), err=True)


def _write_pages(
    names: Sequence[str],
    form: str | None,
    out: Path | None,
    site: Path | None,
    root: Path | None,
    about: Estimand | None,
    fields: Sequence[str] = (),
) -> None:
    """Write runs as pages that need no server."""
    if about is not None:
        raise UseError("--documents is for tables: a page shows what its run is about")
    # the page needs aiohttp and more, which other formats do without
    from assay.web.embedded import shown_size, site_files, write_page, write_site  # noqa: PLC0415

    workspace = Workspace.find(root)
    journals = [path for name in names for path in find_parts(workspace, name).values()]
    if site is not None:
        if form not in {None, PAGE} or out is not None:
            raise UseError("--site writes pages into a folder: leave out --format and --out")
        if fields:
            raise UseError("--by is for one run: leave it out with --site, or leave out --site")
        files = site_files(journals, site).values()
        outputs = [Output(path, "assay report", root=root, option="--site") for path in files]
        written = write_site(journals, site)
    else:
        if len(journals) > 1:
            raise UseError("--format html writes one run; for several, use --site FOLDER")
        (journal,) = journals
        outputs = [Output(out, "assay report", root=root, results=[journal])]
        written = write_page(
            journal,
            out or journal.with_name(mask_identifier(f"{journal.stem}-page.html")),
            fields,
        )
    for output in outputs:
        output.record()
    keep_private(written)
    echo(f"{file_line('written', written)} ({shown_size([written])})", err=True)


def _print_modes(modes: "Sequence[ModeResults]", form: str, out: Output) -> None:
    """Print the tables of results that a contract-risk reviewer wrote by itself."""
    # its scorer compiles many expressions, and other results do without it
    from assay.jobs.contract.mode_result import mode_tables  # noqa: PLC0415

    note = ignored_fields_note(name for mode in modes for name in mode.ignored)
    if note:
        echo(noted(note), err=True)
    listed = mode_tables(modes, language())
    if form == "text":
        text = "\n".join(_with_notes(table) for table in listed)
    elif form == "csv":
        text = "\n".join(as_csv(table) for table in listed)
    else:
        text = _formatted(listed, form)
    _print(text if text.endswith("\n") else f"{text}\n", form, out)


def _with_notes(table: Table) -> str:
    """The table for a terminal, and the notes below it."""
    text = as_text(table, language())
    return (
        "\n".join([text.rstrip("\n"), *(f"- {visible_line(note)}" for note in table.notes)]) + "\n"
    )


def _print(text: str, form: str, output: Output) -> None:
    text = masked_form(text, form)
    out = output.path
    if out is None:
        print_text(text, is_masked=True)
        return
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UseError(f"{out.parent}: cannot be created: {error.strerror}") from None
    write_atomically(out, text.encode(), is_masked=True)
    output.record()
    keep_private(out)
    echo(file_line("written", out), err=True)


def present(
    findings: RunFindings,
    *,
    metric: str | None = None,
    charts: str = "png",
    changes: int = 20,
    further: Sequence[Table] = (),
    journal: Path | None = None,
    notes: Sequence[str] = (),
) -> None:
    """Write the report page and the charts; print a short table, the findings and the paths.

    ``journal`` is the file of the run if the rows were read from a copy.
    """
    keep_run_private(journal or findings.results.path)
    written = write_report(
        findings,
        metric=metric,
        lang=language(),
        charts=None if charts == "none" else charts,
        most_changes=changes,
        further=further,
        beside=journal,
        notes=notes,
    )
    echo()
    for note in _draft_notes(findings):
        echo(note)
    echo_text(as_text(written.table, language()))
    for table in further:
        echo_text(as_text(table, language()))
    for note in written.notes:
        echo(note)
    for sentence in written.sentences:
        echo(f"- {sentence}")
    rows = journal or findings.results.path
    echo()
    echo(file_line("rows", rows))
    echo(file_line("summary", rows.with_suffix(".json")))
    echo(file_line("report", written.page))
    if written.charts:
        echo(file_line("charts", written.charts[0].parent))


def show_findings(findings: RunFindings) -> None:
    """Print what ``present`` prints about the results; nothing is written."""
    lang = language()
    chosen = findings.job.metric(findings.analysis.primary)
    echo()
    for line in _draft_notes(findings):
        echo(line)
    echo_text(as_text(short_table(findings, lang), lang))
    for note in terminal_notes(findings):
        echo(text_of(note, lang))
    for sentence in verdicts(findings, chosen):
        echo(f"- {text_of(sentence, lang)}")


def _draft_notes(findings: RunFindings) -> list[str]:
    """What a reader must know first about questions that nobody has read."""
    return [text_of(note, language()) for note in draft_notes(findings)]


def _formatted(listed: Sequence[Table], form: str) -> str:
    match form:
        case "json":
            return "[" + ",\n".join(as_json(table).rstrip() for table in listed) + "]\n"
        case "latex":
            return "\n".join(as_latex(table, language()) for table in listed)
        case _:
            return "\n".join(as_markdown(table, language()) for table in listed)
