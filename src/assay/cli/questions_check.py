"""``assay questions check``: find what is wrong with a set of questions."""

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.options import AllowOutsideRoot, Json, Lang, Root, one_of
from assay.cli.output import echo, echo_text, print_text, write_parts
from assay.cli.redaction import redacted
from assay.config import Workspace
from assay.errors import UseError
from assay.jobs.questions.check import (
    SetCheck,
    as_json,
    as_page,
    check_questions,
    finding_line,
    kind_table,
    load_passages,
    summary_lines,
    write_fixed,
)
from assay.report.table import as_text
from assay.text import counted


@redacted
def check(
    questions: Annotated[
        Path, typer.Argument(metavar="SET", help="A file of questions, of any job or tool.")
    ],
    corpus: Annotated[
        Path | None,
        typer.Option(
            "--corpus",
            help="Chunks (a manifest or a folder) or a document. Default: those of the workspace.",
        ),
    ] = None,
    limit: Annotated[
        int, typer.Option("--limit", "-n", min=0, help="Findings to list; 0: all.")
    ] = 20,
    page: Annotated[
        Path | None, typer.Option("--page", help="Write the findings to this Markdown file.")
    ] = None,
    fix: Annotated[
        bool,
        typer.Option("--fix", help="Write a copy without the errors, and a list of what went."),
    ] = False,
    out: Annotated[
        Path | None, typer.Option("--out", help="With --fix: the copy. Default: the next version.")
    ] = None,
    lang: Lang = "en",
    root: Root = None,
    *,
    allow_outside_root: AllowOutsideRoot = False,
    as_json_text: Json = False,
) -> None:
    """Find what is wrong with a set. Exit code 1 if there are errors or warnings, 2 if unreadable."""
    language = one_of("--lang", lang, ("en", "zh", "ru"))
    if out is not None and not fix:
        raise UseError("--out is for --fix: it names the cleaned copy")
    workspace = Workspace.find(root, allow_outside_root=allow_outside_root)
    chunks, name = load_passages(corpus, workspace)
    found = check_questions(questions, chunks, name)
    if as_json_text:
        print_text(as_json(found) + "\n")
    else:
        _print(found, limit, language)
    if page is not None:
        if page.resolve() == questions.resolve():
            raise UseError(f"--page {page}: would overwrite the set; name another file")
        write_parts(page, [as_page(found, language)])
        echo(f"written  {page}", err=True)
    if fix:
        _fix(found, out)
    if not found.passed:
        raise typer.Exit(1)


def _print(found: SetCheck, limit: int, lang: str) -> None:
    if found.findings:
        echo_text(as_text(kind_table(found, lang), lang))  # type: ignore[arg-type]  # checked by the caller
    listed = found.findings[: limit or None]
    for finding in listed:
        echo(finding_line(found, finding))
    if len(listed) < len(found.findings):
        echo(f"… and {len(found.findings) - len(listed)} more; --limit 0 lists all")
    if found.findings:
        echo()
    for line in summary_lines(found, lang):  # type: ignore[arg-type]  # checked by the caller
        echo(line)


def _fix(found: SetCheck, out: Path | None) -> None:
    fixed = write_fixed(found, out)
    echo(f"written  {fixed.path} ({counted(fixed.kept, 'question')})", err=True)
    echo(f"written  {fixed.removed_path} ({fixed.removed} taken out, and why)", err=True)
