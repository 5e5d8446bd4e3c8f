"""What a report shows of a run: its findings, tables and groups, for commands and programs."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from assay.config.workspace import Workspace
from assay.errors import JournalCorrupt
from assay.jobs.quality.outcome import total_table
from assay.records import Estimand
from assay.report.table.table import Table
from assay.runs.write import verdicts_path
from assay.study.finding import RunFindings
from assay.study.labelled import Repaired, analyse_labelled_run
from assay.study.question_field import read_question_fields
from assay.study.subgroup import flat_table, group_run, group_tables
from assay.study.table import draft_notes, overview_table, tables
from assay.words.language import Lang
from assay.words.message import text_of
from assay.words.say import say


def analysed(
    journal: Path, documents: Estimand | None = None
) -> tuple[RunFindings, Repaired | None]:
    """The findings of a run; if lines of its file are no rows, of the copy without them.

    ``documents`` is what they are about, in place of what the run says.
    """
    try:
        return analyse_labelled_run(journal, documents), None
    except JournalCorrupt:
        repaired = Repaired(journal)
        if not repaired.lines or not repaired.has_rows:
            raise
        return analyse_labelled_run(repaired.journal, documents), repaired


def repair_notes(repaired: Repaired | None) -> list[str]:
    """What to say about lines that are no rows."""
    if repaired is None:
        return []
    return [
        say(
            "Not rows, and left out: {n}, in line {lines} of the file. `assay score` and `assay compare` refuse such a file until it is repaired.",
            n=len(repaired.lines),
            lines=repaired.named,
        )
    ]


def judge_tables_of(journal: Path, read: Path, root: Path | None, lang: Lang) -> list[Table]:
    """The rates of judges, if the run has verdicts of any; its rows are ``read`` from a copy perhaps."""
    if not verdicts_path(journal).exists():
        return []
    # reads all answers, which other runs do without
    from assay.judge.rate_table import judge_tables  # noqa: PLC0415

    return judge_tables(read, Workspace.find(root, start=journal.parent), lang)


def part_tables(
    name: str,
    parts: Mapping[str, Path],
    lang: Lang,
    *,
    flat: bool = False,
    root: Path | None = None,
    documents: Estimand | None = None,
) -> tuple[list[Table], list[str]]:
    """The tables of a run, or those of each document and of all of them together, and notes.

    ``flat`` is one table for each document, which a spreadsheet can read.
    """
    listed: list[Table] = []
    notes: list[str] = []
    if "" not in parts and not flat:
        listed.append(total_table(Path(name)))
    for part, journal in parts.items():
        findings, repaired = analysed(journal, documents)
        if flat:
            found = [overview_table(findings)]
        else:
            judged = judge_tables_of(journal, findings.results.path, root, lang)
            found = [*tables(findings, lang), *judged]
        listed += [_of_document(table, part) for table in found]
        notes += [text_of(note, lang) for note in draft_notes(findings)] + repair_notes(repaired)
    return listed, notes


def part_groups(
    parts: Mapping[str, Path],
    fields: Sequence[str],
    metric: str | None,
    lang: Lang,
    *,
    flat: bool = False,
    documents: Estimand | None = None,
) -> tuple[list[Table], list[str]]:
    """A metric by groups of the questions, for each document of a run of several, and notes."""
    listed: list[Table] = []
    notes: list[str] = []
    for part, journal in parts.items():
        findings, repaired = analysed(journal, documents)
        chosen = findings.job.metric(metric or findings.analysis.primary)
        run = group_run(findings, read_question_fields(findings.results), fields, chosen)
        found = [flat_table(run)] if flat else group_tables(run, lang)
        listed += [_of_document(table, part) for table in found]
        notes += repair_notes(repaired)
    return listed, notes


def _of_document(table: Table, document: str) -> Table:
    """The table with the document in its title; one without a title has it in its labels."""
    if not document:
        return table
    if table.title:
        return replace(table, title=f"{document}: {table.title}")
    rows = (replace(row, label=f"{document}/{row.label}") for row in table.rows)
    return replace(table, rows=tuple(rows))
