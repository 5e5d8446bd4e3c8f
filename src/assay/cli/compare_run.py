"""What ``assay compare`` does with its options; separate from them because the gate takes long to import."""

import traceback
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from assay.cli.masked import masked_form
from assay.cli.output import echo, print_text
from assay.cli.overwrite import Output
from assay.cli.privacy import keep_private
from assay.config.workspace import Workspace
from assay.errors import AssayError, JournalWriteFailed, UseError
from assay.gate.aggregate import (
    AggregateComparison,
    aggregate_headline,
    aggregate_json,
    aggregate_markdown,
    aggregate_suites,
    aggregate_text,
    compare_aggregates,
    refuse_max_std,
)
from assay.gate.compared_run import ComparedRun
from assay.gate.correction import correct
from assay.gate.direction import Better
from assay.gate.gate import (
    Comparison,
    Limits,
    with_correction,
    with_texts,
)
from assay.gate.gate import compare as compare_runs
from assay.gate.margin import refuse_together
from assay.gate.report import (
    as_json,
    as_markdown,
    invalid_json,
    invalid_markdown,
    invalid_suites,
    suites,
)
from assay.gate.report_wording import (
    as_text,
    headline,
    warning_lines,
)
from assay.gate.run_file import (
    read_aggregates,
    read_judged_runs,
    read_labelled_runs,
    read_rescore,
    read_runs,
)
from assay.judge.calibration import JUDGE_PREFIX
from assay.records import Estimand
from assay.registry import lazy_function
from assay.results.find_results import find_results
from assay.runs.summary import now, write_atomically
from assay.words.message import Message
from assay.words.say import say

INVALID = 2
as_junit = lazy_function("assay.report.junit:as_junit")  # only one format needs it


def compare_results(
    *,
    base: Path,
    cand: Path,
    metric: str | None,
    variant: str | None,
    base_variant: str | None,
    better: Better | None,
    min_delta: float | None,
    max_regressions: int | None,
    margin: float | None,
    equivalent: float | None,
    max_failed: int,
    epsilon: float,
    form: str,
    out: Path | None,
    changes: int,
    max_std: float | None,
    questions: Path | None,
    labels: Path | None,
    documents: Estimand | None,
    rescore: bool,
    strict_hashes: bool,
    allow_mismatch: bool,
    no_strict_hashes: bool,
    allow_missing: bool,
    require_significant: bool,
    pass_if_unclear: bool,
) -> int:
    """Compare two runs, print or write the report, and return the exit code."""
    output = Output(out, "assay compare", results=[base, cand])
    limits = Limits(
        min_delta=min_delta or 0.0,
        max_regressions=max_regressions,
        margin=margin,
        equivalent=equivalent,
        pass_if_unclear=pass_if_unclear,
        max_failed=max_failed,
        epsilon=epsilon,
        allow_missing=allow_missing,
        require_significant=require_significant,
        strict_hashes=not (allow_mismatch or no_strict_hashes),
    )
    try:
        base, cand = _results(base), _results(cand)
        output = Output(out, "assay compare", results=[base, cand])
        asked = limits.asked
        if asked is not None and min_delta is not None:
            refuse_together(asked.option, "--min-delta")
        if strict_hashes:
            _refuse_mismatch(is_allowed=allow_mismatch or no_strict_hashes)
        if not rescore:
            _refuse_unused_questions(questions)
        choice = {"metric": metric, "variant": variant, "base_variant": base_variant}
        is_judged = metric is not None and metric.startswith(JUDGE_PREFIX)
        aggregates = None if is_judged else read_aggregates(base, cand, **choice, better=better)
        if is_judged and metric is not None:
            sides = read_judged_runs(
                base,
                cand,
                metric=metric,
                variant=variant,
                base_variant=base_variant,
                labels=labels,
            )
            comparison = compare_runs(*_about(documents, sides[0].run, sides[1].run), limits)
            comparison = with_correction(
                comparison, correct(*sides, margin=asked.size if asked else None)
            )
            _report(comparison, form, output, changes)
            code = 0 if comparison.passed else 1
        elif aggregates is not None:
            _refuse_unused_labels(labels)
            _refuse_unused_documents(documents)
            figures = compare_aggregates(*aggregates, limits, max_std=max_std)
            _report_aggregates(figures, form, output)
            code = 0 if figures.passed else 1
        else:
            refuse_max_std(max_std, base)
            again = read_rescore(questions) if rescore else None
            read = read_runs(base, cand, **choice, rescore=again, better=better)
            comparison = compare_runs(*_about(documents, *read), limits)
            labelled = read_labelled_runs((base, cand), read, labels)
            if labelled is not None:
                correction = correct(*labelled, margin=asked.size if asked else None)
                comparison = with_correction(comparison, correction)
            _report(comparison, form, output, changes)
            code = 0 if comparison.passed else 1
    except AssayError as error:
        _report_invalid(error.args, form, output)
        code = INVALID
    except KeyboardInterrupt:
        code = 130
    except Exception:  # noqa: BLE001 - an internal error must not look like a failed gate
        traceback.print_exc()
        code = INVALID
    return code


def _results(path: Path) -> Path:
    """The file of results; a bare word is the name of a run, as for a report, or else a file."""
    if path.suffix in {".json", ".jsonl"} or path.name != str(path):
        return path
    return find_results(Workspace.find(None), str(path))


def _refuse_mismatch(*, is_allowed: bool) -> None:
    if is_allowed:
        raise UseError("--strict-hashes and --allow-mismatch contradict each other")


def _refuse_unused_questions(questions: Path | None) -> None:
    if questions is not None:
        raise UseError("--questions says how answers are scored again: add --rescore")


def _refuse_unused_labels(labels: Path | None) -> None:
    if labels is not None:
        raise UseError("--labels corrects figures of answers, and these files have figures only")


def _refuse_unused_documents(documents: Estimand | None) -> None:
    if documents is not None:
        raise UseError("--documents is for answers, and these files have figures only")


def _about(
    documents: Estimand | None, base: ComparedRun, cand: ComparedRun
) -> tuple[ComparedRun, ComparedRun]:
    """Both runs with what ``--documents`` says that they are about, if it says anything."""
    if documents is None:
        return base, cand
    return replace(base, estimand=documents), replace(cand, estimand=documents)


def _report(comparison: "Comparison", form: str, out: Output, changes: int) -> None:
    comparison = with_texts(comparison, changes if form in {"text", "markdown"} else 0)
    match form:
        case "json":
            report = as_json(comparison)
        case "markdown":
            report = as_markdown(comparison, most=changes)
        case "junit":
            report = as_junit(suites(comparison), timestamp=now())
        case _:
            report = as_text(comparison, most=changes)
    if out.path is not None:
        _write(out, report, form)
        print_text(as_text(comparison, most=changes))
        return
    print_text(masked_form(report, form), is_masked=True)
    if form != "text":
        for line in (headline(comparison), *warning_lines(comparison)):
            echo(line, err=True)


def _report_aggregates(comparison: "AggregateComparison", form: str, out: Output) -> None:
    match form:
        case "json":
            report = aggregate_json(comparison)
        case "markdown":
            report = aggregate_markdown(comparison)
        case "junit":
            report = as_junit(aggregate_suites(comparison), timestamp=now())
        case _:
            report = aggregate_text(comparison)
    if out.path is not None:
        _write(out, report, form)
        print_text(aggregate_text(comparison))
        return
    print_text(masked_form(report, form), is_masked=True)
    if form != "text":
        echo(aggregate_headline(comparison), err=True)


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
