"""``assay export``: a recorded run for the readers of other tools."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final

import typer

from assay.cli.masked import masked_form
from assay.cli.options import Root, one_of
from assay.cli.output import echo, print_text, write_parts
from assay.cli.overwrite import Output
from assay.cli.privacy import keep_private
from assay.cli.redaction import redacted
from assay.config.workspace import Workspace
from assay.report.description import file_line
from assay.results.find_results import find_results
from assay.results.job import job_spec_of
from assay.results.run_cases import RowFilter, outside_rows, read_run_cases
from assay.runs.read import read_lines
from assay.runs.summary import read_summary
from assay.runs.write import summary_path
from assay.words.say import say_n

TARGETS: Final = ("rows",)


@redacted
def export(
    results: Annotated[
        str, typer.Argument(metavar="RESULTS", help="NAME of a past run, or its file of rows.")
    ],
    to: Annotated[
        str,
        typer.Option(
            "--to", metavar="|".join(TARGETS), help="rows: one row a case, the last of each key."
        ),
    ],
    out: Annotated[Path | None, typer.Option("--out", help="Write to this file.")] = None,
    root: Root = None,
) -> None:
    """Write one row a case, for tools that count lines.

    The journal of a run keeps every row: a case that failed and was asked again has two. Tools that
    know nothing of this count the failed row beside the later one. Rows of other runs in the same
    file are left out.
    """
    one_of("--to", to, TARGETS)
    journal = find_results(Workspace.find(root), results)
    output = Output(out, "assay export", root=root, results=[journal])
    last, chosen = _last_lines(journal)
    counts: Counter[str] = Counter()
    parts = _rows(journal, last, counts)
    if out is None:
        for part in parts:
            if not print_text(part, is_masked=True):
                return
    else:
        write_parts(out, parts, is_masked=True)
        output.record()
        keep_private(out)
        echo(file_line("written", out), err=True)
    for line in _left_out(counts, chosen.outside):
        echo(line, err=True)


def _last_lines(journal: Path) -> tuple[dict[str, int], RowFilter]:
    """The number of the last row of each case of the run, and what says which rows belong to it."""
    summary = read_summary(summary_path(journal))
    chosen = RowFilter(read_run_cases(journal, summary, job_spec_of(summary)))
    heads = (head for lines in read_lines(journal) for head, _ in lines)
    return {head.key: number for number, head in enumerate(heads) if chosen.has(head.key)}, chosen


def _rows(journal: Path, last: dict[str, int], counts: Counter[str]) -> Iterator[str]:
    """The lines with these numbers; the earlier ones of the same cases are counted."""
    number = -1
    for lines in read_lines(journal):
        kept = []
        for head, line in lines:
            number += 1
            if last.get(head.key) == number:
                kept.append(line.decode().strip() + "\n")
            elif head.key in last:
                counts["earlier"] += 1
        counts["rows"] += len(kept)
        yield masked_form("".join(kept), "jsonl")


def _left_out(counts: Counter[str], outside: int) -> Iterator[str]:
    earlier = counts["earlier"]
    yield say_n("{n} case", "{n} cases", counts["rows"])
    if earlier:
        yield say_n(
            "{n} earlier row of these cases is left out",
            "{n} earlier rows of these cases are left out",
            earlier,
        )
    if outside:
        yield str(outside_rows(outside))
