"""What ``assay compare`` does with its options; separate from them because the gate takes long to import."""

import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from assay.cli.masked import masked_form
from assay.cli.next_step import run_reference, say_next
from assay.cli.output import echo, print_text
from assay.cli.overwrite import Output
from assay.cli.privacy import keep_private
from assay.errors import AssayError, JournalWriteFailed, UseError
from assay.gate.report import invalid_json, invalid_markdown, invalid_suites
from assay.library.comparison import Comparison, compare, results_path
from assay.registry import lazy_function
from assay.runs.summary import now, write_atomically
from assay.words.message import Message
from assay.words.say import say

INVALID = 2
as_junit = lazy_function("assay.report.junit:as_junit")  # only one format needs it


def compare_results(
    base: Path, cand: Path, *, form: str, out: Path | None, changes: int, **options: Any
) -> int:
    """Compare two runs, print or write the report, and return the exit code."""
    output = Output(out, "assay compare", results=[base, cand])
    try:
        base, cand = results_path(base), results_path(cand)
        output = Output(out, "assay compare", results=[base, cand])
        comparison = compare(base, cand, **options)
        _report(comparison, form, output, changes)
        code: int = comparison.exit_code
        if (journal := cand.with_suffix(".jsonl")).is_file():
            say_next("view", run_reference(journal))
    except AssayError as error:
        _report_invalid(error.args, form, output)
        code = INVALID
    except KeyboardInterrupt:
        code = 130
    except Exception:  # noqa: BLE001 - an internal error must not look like a failed gate
        traceback.print_exc()
        code = INVALID
    return code


def _report(comparison: Comparison, form: str, out: Output, changes: int) -> None:
    match form:
        case "json":
            report = comparison.to_json()
        case "markdown":
            report = comparison.to_markdown(most=changes)
        case "junit":
            report = comparison.to_junit()
        case _:
            report = comparison.to_text(most=changes)
    if out.path is not None:
        _write(out, report, form)
        print_text(comparison.to_text(most=changes))
        return
    print_text(masked_form(report, form), is_masked=True)
    if form != "text":
        for line in (comparison.sentence, *comparison.warnings):
            echo(line, err=True)


def _report_invalid(lines: Sequence[Message | str], form: str, out: Output) -> None:
    """Print the reason to standard error, and write it in the chosen format as well."""
    reason = "\n".join(map(str, lines))
    for line in lines:
        echo(f"assay: {line}", err=True)
    match form:
        case "json":
            report = invalid_json(lines)
        case "markdown":
            report = invalid_markdown(lines)
        case "junit":
            report = as_junit(invalid_suites(lines), timestamp=now())
        case _:
            report = (
                f"{say('the runs cannot be compared')}\n{reason}\n" if out.path is not None else ""
            )
    if out.path is None:
        print_text(masked_form(report, form), is_masked=True)
        return
    try:
        _write(out, report, form)
    except UseError as error:
        if str(error) != reason:
            echo(f"assay: {error}", err=True)


def _write(output: Output, text: str, form: str) -> None:
    """Write a report. A write error is a ``UseError``, so that the exit code is 2 and not 1."""
    out = output.path
    assert out is not None
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(out, masked_form(text, form).encode(), is_masked=True)
        output.record()
        keep_private(out)
    except OSError as error:
        raise UseError(f"{out}: cannot be written: {error.strerror}") from None
    except JournalWriteFailed as error:
        raise UseError(str(error)) from None
