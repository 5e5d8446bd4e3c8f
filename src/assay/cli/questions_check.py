"""``assay questions check``: find what is wrong with a set of questions."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from assay.cli.masked import masked_form
from assay.cli.next_step import say_next, typed_path
from assay.cli.options import AllowOutsideRoot, Json, Root
from assay.cli.output import echo, echo_json, echo_text, write_parts
from assay.cli.overwrite import Output
from assay.cli.progress import checking_progress
from assay.cli.question_note import echo_question_notes
from assay.cli.redaction import redacted
from assay.config.experiment import RunSettings
from assay.config.workspace import Workspace
from assay.errors import INTERRUPTED, UseError
from assay.questions.check.check import SetCheck, check_questions, load_passages, write_fixed
from assay.questions.check.closed_book import ask_closed_book, estimate_closed_book
from assay.questions.check.item import QuestionFault, is_bench_file, read_items
from assay.questions.check.report import as_json, as_page, finding_line, kind_table, summary_lines
from assay.report.description import file_line
from assay.report.table.format import as_text
from assay.systems.load import load_configuration, make_system_context, model_client
from assay.text.width import counted
from assay.words.language import language
from assay.words.say import listed, say, say_n


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
    closed_book: Annotated[
        str | None,
        typer.Option(
            "--closed-book",
            metavar="MODEL",
            help="Also ask this model each question without the document.",
        ),
    ] = None,
    max_cost: Annotated[
        float | None,
        typer.Option("--max-cost", min=0, help="With --closed-book: stop at this cost."),
    ] = None,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="With --closed-book: only estimate calls and cost."),
    ] = False,
    root: Root = None,
    *,
    allow_outside_root: AllowOutsideRoot = False,
    as_json_text: Json = False,
) -> None:
    """Find what is wrong with a set. Exit code 1 if there are errors or warnings, 2 if unreadable."""
    if out is not None and not fix:
        raise UseError("--out is for --fix: it names the cleaned copy")
    if page is not None and page.resolve() == questions.resolve():
        raise UseError(f"--page {page}: would overwrite the set; name another file")
    output = Output(page, "assay questions check", root=root, option="--page")
    workspace = Workspace.find(root, allow_outside_root=allow_outside_root)
    if closed_book is None and (dry_run or max_cost is not None):
        raise UseError("--dry-run and --max-cost are for --closed-book MODEL")
    if closed_book is not None and dry_run:
        _estimate(questions, closed_book, workspace)
        return
    chunks, name = load_passages(corpus, workspace)
    known = None if closed_book is None else _ask(questions, closed_book, max_cost, workspace)
    with checking_progress(None if as_json_text else sys.stderr) as tell:
        found = check_questions(questions, chunks, name, known, tell)
    if not is_bench_file(questions):
        echo_question_notes(questions)
    if as_json_text:
        echo_json(as_json(found))
    else:
        _print(found, limit)
    if page is not None:
        write_parts(page, [masked_form(as_page(found, language()), "html")], is_masked=True)
        output.record()
        echo(file_line("written", page), err=True)
    _say_next(found, _fix(found, out) if fix else None, root)
    if not found.passed:
        raise typer.Exit(1)


def _estimate(questions: Path, model: str, workspace: Workspace) -> None:
    context = make_system_context(workspace, load_configuration(workspace))
    try:
        estimate = estimate_closed_book(read_items(questions)[0], model_client(model, context))
    finally:
        context.close()
    unknown = estimate.cost is None
    line = say_n(
        "{n} call to {model}, about {given} tokens asked and {answered} answered; cost: {cost}",
        "{n} calls to {model}, about {given} tokens asked and {answered} answered; cost: {cost}",
        estimate.calls,
        model=model,
        given=estimate.prompt_tokens,
        answered=estimate.completion_tokens,
        cost=say("unknown; set 'price' of the model") if unknown else f"{estimate.cost:.4f}",
    )
    echo(line)
    echo(say("calls that are in the call cache cost nothing"))


def _ask(
    questions: Path, model: str, max_cost: float | None, workspace: Workspace
) -> tuple[QuestionFault, ...]:
    """Ask the model; raises what stopped it, or ``UseError`` if calls failed."""
    context = make_system_context(workspace, load_configuration(workspace))
    try:
        settings = RunSettings(max_cost=max_cost)
        asked = ask_closed_book(read_items(questions)[0], model_client(model, context), settings)
    finally:
        context.close()
    facts = [
        say_n(
            "{n} question asked without the document",
            "{n} questions asked without the document",
            asked.asked,
        )
    ]
    if asked.paid is not None:
        facts.append(say("paid {cost:.4f}", cost=asked.paid))
    echo(f"{model}: {listed(facts)}", err=True)
    if asked.stopped is not None:
        if asked.stopped.exit_code in INTERRUPTED:
            raise asked.stopped
        raise UseError(str(asked.stopped))  # 2: it is not known; 1 would mean findings
    if asked.failed:
        raise UseError(
            f"{counted(asked.failed, 'call')} of {asked.asked + asked.failed} failed "
            f"({asked.problem}); run the command again: answered calls are kept"
        )
    return asked.findings


def _print(found: SetCheck, limit: int) -> None:
    if found.findings:
        echo_text(as_text(kind_table(found, language()), language()))
    listed = found.findings[: limit or None]
    for finding in listed:
        echo(finding_line(found, finding, language()))
    if len(listed) < len(found.findings):
        more = len(found.findings) - len(listed)
        echo(say("… and {n} more; --limit 0 lists all", n=more))
    if found.findings:
        echo()
    for line in summary_lines(found, language()):
        echo(line)


def _say_next(found: SetCheck, fixed: Path | None, root: Path | None) -> None:
    """Take the errors out first; otherwise ask the questions, if they are for ``assay run``."""
    if fixed is None and any(finding.level == "error" for finding in found.findings):
        say_next("questions", "check", typed_path(found.path), "--fix", root=root)
    elif not is_bench_file(found.path):
        say_next("run", "--questions", typed_path(fixed or found.path), root=root)


def _fix(found: SetCheck, out: Path | None) -> Path:
    """Write the copy without the errors; return its path."""
    fixed = write_fixed(found, out)
    kept = say_n("{n} question", "{n} questions", fixed.kept)
    echo(f"{file_line('written', fixed.path)} ({kept})", err=True)
    removed = say("{n} taken out, and why", n=fixed.removed)
    echo(f"{file_line('written', fixed.removed_path)} ({removed})", err=True)
    return fixed.path
