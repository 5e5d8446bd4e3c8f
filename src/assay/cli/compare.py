"""``assay compare``: the gate between two runs, with an exit code that can be trusted."""

import os
import sys
import traceback
from pathlib import Path
from typing import Annotated

import typer

from assay.cli.options import one_of
from assay.errors import AssayError, JournalWriteFailed, UseError
from assay.jobs.compare import (
    Comparison,
    Limits,
    as_json,
    as_markdown,
    as_text,
    headline,
    invalid_json,
    invalid_markdown,
    invalid_suites,
    read_runs,
    suites,
    with_texts,
)
from assay.jobs.compare import compare as compared
from assay.journal import now, write_atomically
from assay.report.junit import as_junit

FORMATS = ("text", "json", "markdown", "junit")
INVALID = 2


def compare(
    base: Annotated[
        Path, typer.Option("--base", help="Results to compare with: a .json or .jsonl file.")
    ],
    cand: Annotated[Path, typer.Option("--cand", help="Results of the candidate.")],
    metric: Annotated[
        str | None, typer.Option("--metric", help="What is compared. Default: the job's own.")
    ] = None,
    variant: Annotated[
        str | None, typer.Option("--variant", help="Which variant, where a run has several.")
    ] = None,
    base_variant: Annotated[
        str | None, typer.Option("--base-variant", help="The base's, where it is another.")
    ] = None,
    min_delta: Annotated[
        float, typer.Option("--min-delta", help="Pass only if it became better by at least this.")
    ] = 0.0,
    max_regressions: Annotated[
        int, typer.Option("--max-regressions", min=0, help="Questions that may become worse.")
    ] = 0,
    max_failed: Annotated[
        int, typer.Option("--max-failed", min=0, help="Cases that may have failed in either run.")
    ] = 0,
    epsilon: Annotated[
        float, typer.Option("--epsilon", min=0, help="A question changes if by more than this.")
    ] = 1e-9,
    form: Annotated[
        str, typer.Option("--format", metavar="|".join(FORMATS), help="How to tell it.")
    ] = "text",
    out: Annotated[
        Path | None, typer.Option("--out", help="Write it here; the text goes to the terminal.")
    ] = None,
    changes: Annotated[
        int, typer.Option("--changes", min=0, help="Changed questions to list; 0: all.")
    ] = 20,
    *,
    allow_mismatch: Annotated[
        bool,
        typer.Option(
            "--allow-mismatch",
            help="Compare even if the documents, the questions or the metrics differ.",
        ),
    ] = False,
    no_strict_hashes: Annotated[
        # the earlier spelling of --allow-mismatch, for scripts that still use it
        bool,
        typer.Option("--no-strict-hashes", hidden=True),
    ] = False,
    allow_missing: Annotated[
        bool,
        typer.Option("--allow-missing", help="A question without a value does not count."),
    ] = False,
    require_significant: Annotated[
        bool,
        typer.Option("--require-significant", help="Fail only on a drop noise does not explain."),
    ] = False,
) -> None:
    """Compare two runs: exit 0 as good or better, 1 worse, 2 they cannot be compared."""
    one_of("--format", form, FORMATS)
    limits = Limits(
        min_delta=min_delta,
        max_regressions=max_regressions,
        max_failed=max_failed,
        epsilon=epsilon,
        allow_missing=allow_missing,
        require_significant=require_significant,
        strict_hashes=not (allow_mismatch or no_strict_hashes),
    )
    try:
        sides = read_runs(base, cand, metric=metric, variant=variant, base_variant=base_variant)
        found = compared(*sides, limits)
        _tell(found, form, out, changes)
        code = 0 if found.passed else 1
    except AssayError as error:
        _tell_invalid(str(error), form, out)
        code = INVALID
    except KeyboardInterrupt:
        code = 130
    except Exception:  # noqa: BLE001 - whatever it is, it is not "quality dropped"
        traceback.print_exc()
        code = INVALID
    raise typer.Exit(code)


def _tell(found: Comparison, form: str, out: Path | None, changes: int) -> None:

    found = with_texts(found, changes if form in {"text", "markdown"} else 0)
    match form:
        case "json":
            made = as_json(found)
        case "markdown":
            made = as_markdown(found, most=changes)
        case "junit":
            made = as_junit(suites(found), timestamp=now())
        case _:
            made = as_text(found, most=changes)
    if out is not None:
        _write(out, made)
        _print(as_text(found, most=changes))
        return
    _print(made)
    if form != "text":
        typer.echo(headline(found), err=True)


def _tell_invalid(reason: str, form: str, out: Path | None) -> None:
    """Say it on standard error; a program or a page that waits for the report gets it too."""
    for line in reason.splitlines():
        typer.echo(f"assay: {line}", err=True)
    match form:
        case "json":
            made = invalid_json(reason)
        case "markdown":
            made = invalid_markdown(reason)
        case "junit":
            made = as_junit(invalid_suites(reason), timestamp=now())
        case _:
            made = f"the runs cannot be compared\n{reason}\n" if out is not None else ""
    if out is None:
        _print(made)
        return
    try:
        _write(out, made)
    except UseError as error:
        if str(error) != reason:
            typer.echo(f"assay: {error}", err=True)


def _write(out: Path, text: str) -> None:
    """Write a report; that it cannot be written must not look like a failed gate."""
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(out, text.encode())
    except OSError as error:
        raise UseError(f"{out}: cannot be written: {error.strerror}") from None
    except JournalWriteFailed as error:
        raise UseError(str(error)) from None


def _print(text: str) -> None:
    """Print, whatever the terminal's encoding; a reader that left changes no exit code."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        typer.echo(text.encode(encoding, "backslashreplace").decode(encoding), nl=False)
        sys.stdout.flush()
    except BrokenPipeError:
        # the interpreter flushes once more on its way out, and would complain
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
