"""Reading a run from any kind of file: a results file, a journal or its summary, or figures."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from assay.data.contract import ModeResults, is_mode_results, mode_results
from assay.data.foreign_value import decode_foreign_json
from assay.data.jsonl import UNREADABLE
from assay.data.quality import QualityQuestion, read_quality_questions
from assay.data.repeated_key import refuse_repeated_key
from assay.errors import AssayError, DatasetError, UseError
from assay.jobs.compare.aggregate import AggregateRun, is_run_summary, mode_metrics, run_summary
from assay.jobs.compare.compared_run import ComparedRun
from assay.jobs.compare.correction import JudgedSide
from assay.jobs.compare.journal_rows import run_of_rows
from assay.jobs.compare.mode_run import run_of_modes
from assay.jobs.compare.results_file import contains_results, run_of_results
from assay.records import Metric
from assay.registry import lazy_function
from assay.scorers.correctness import EXPECTED
from assay.scorers.scorer import Scorer

rescore_rows = lazy_function("assay.jobs.rescore:rescore")
rescored = lazy_function("assay.jobs.compare.rescore:rescored")  # only --rescore needs its rules

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Rescore(Struct, frozen=True, kw_only=True):
    """That answers are scored again; ``questions`` say what they must include, by id."""

    questions: Mapping[str, QualityQuestion] | None = None


def read_run(
    path: Path,
    *,
    metric: str | None = None,
    variant: str | None = None,
    preferred: str | None = None,
    rescore: Rescore | None = None,
) -> ComparedRun:
    """Read the run in ``path``; raises ``UseError`` for any problem with the file.

    ``preferred`` is used if there are several variants and ``variant`` is None. Scores are those
    of the file, unless ``rescore`` says that its answers are scored again.
    """
    try:
        return _read(path, metric, variant, preferred, rescore)
    except UseError:
        raise
    except OSError as error:
        raise UseError(f"{path}: cannot be read: {error.strerror or error}") from None
    except AssayError as error:
        raise UseError(*error.lines) from None


def read_runs(
    base: Path,
    cand: Path,
    *,
    metric: str | None = None,
    variant: str | None = None,
    base_variant: str | None = None,
    rescore: Rescore | None = None,
) -> tuple[ComparedRun, ComparedRun]:
    """Read both runs.

    If the base has several variants and ``base_variant`` is None, ``variant`` is used for it too.
    Without a ``metric``, both are compared by one main metric.
    """
    before = read_run(base, metric=metric, variant=base_variant, preferred=variant, rescore=rescore)
    after = read_run(cand, metric=metric, variant=variant, rescore=rescore)
    if after.job != before.job or after.metric.name == before.metric.name:
        return before, after
    return _by_one_metric(before, after, rescore)


def _by_one_metric(
    before: ComparedRun, after: ComparedRun, rescore: Rescore | None
) -> tuple[ComparedRun, ComparedRun]:
    """Both runs by one main metric, with a note: that of the base.

    If both say how right the answers are, that of the candidate decides, which was chosen later:
    earlier versions let shared words decide.
    """
    metrics = before.metric, after.metric
    newer = _compares_answers(metrics[0]) and _compares_answers(metrics[1])
    chosen, other = reversed(metrics) if newer else metrics
    runs = [
        run
        if run.metric.name == chosen.name
        else read_run(run.path, metric=chosen.name, variant=run.variant, rescore=rescore)
        for run in (before, after)
    ]
    where = "base" if newer else "candidate"
    note = f"the main metric of the {where} is {other.name}, but {chosen.name} decides; choose one with --metric"
    return runs[0], replace(runs[1], notes=(*runs[1].notes, note))


def _compares_answers(metric: Metric) -> bool:
    return isinstance(metric, Scorer) and EXPECTED in metric.needs


def read_judged_runs(
    base: Path,
    cand: Path,
    *,
    metric: str,
    variant: str | None = None,
    base_variant: str | None = None,
    labels: Path | None = None,
) -> tuple[JudgedSide, JudgedSide]:
    """Read both runs with the scores of a judge (``judge.NAME``) and their labels."""
    # imported here because judges call models, which takes longer to import than to compare
    from assay.jobs.compare.judged import judged_side  # noqa: PLC0415

    try:
        return (
            judged_side(base, metric, base_variant, variant, labels),
            judged_side(cand, metric, variant, None, labels),
        )
    except UseError:
        raise
    except AssayError as error:
        raise UseError(*error.lines) from None


def read_labelled_runs(
    paths: tuple[Path, Path], sides: tuple[ComparedRun, ComparedRun], labels: Path | None
) -> tuple[JudgedSide, JudgedSide] | None:
    """Both runs with labels that correct their metric; ``None`` if there are none.

    ``paths`` are the files that the ``sides`` were read from, ``labels`` is a file of labels.
    """
    from assay.jobs.compare.judged import labelled_sides  # noqa: PLC0415 - as above

    try:
        return labelled_sides(paths, sides, labels)
    except UseError:
        raise
    except AssayError as error:
        raise UseError(*error.lines) from None


def read_aggregates(
    base: Path,
    cand: Path,
    *,
    metric: str | None = None,
    variant: str | None = None,
    base_variant: str | None = None,
) -> tuple[AggregateRun, AggregateRun] | None:
    """Read two files that have figures only; None if neither is such a file.

    Raises:
        UseError: only one of them is, or a file cannot be read.
    """
    sides = ((base, base_variant or variant), (cand, variant))
    runs = [_read_aggregate(path, metric, chosen) for path, chosen in sides]
    if runs[0] is not None and runs[1] is not None:
        return runs[0], runs[1]
    for run, (other, _) in zip(runs, reversed(sides), strict=True):
        if run is not None:
            raise UseError(f"{run.path} is {run.kind}, {other} is not; compare two of a kind")
    return None


def _read_aggregate(path: Path, metric: str | None, variant: str | None) -> AggregateRun | None:
    if path.suffix != ".json" or not path.is_file():
        return None
    content = _read_json(path)
    if is_run_summary(content):
        return run_summary(path, content, metric)
    if not is_mode_results(content):
        return None
    modes = _modes(path, content)
    if any(mode.cases for mode in modes):
        return None
    return mode_metrics(path, modes, metric, variant)


def _modes(path: Path, content: Mapping[str, Any]) -> list[ModeResults]:
    try:
        return mode_results(content, str(path))
    except DatasetError as error:
        raise UseError(*error.lines) from None


def _read(
    path: Path,
    metric: str | None,
    variant: str | None,
    preferred: str | None,
    rescore: Rescore | None,
) -> ComparedRun:
    if path.suffix == ".jsonl":
        if not path.is_file():
            raise UseError(f"{path}: no such file")
        rows = path if rescore is None else rescore_rows(path).journal
        return run_of_rows(rows, metric, variant, preferred)
    content = _read_json(path)
    if is_mode_results(content):
        _refuse_rescoring(path, rescore)
        return run_of_modes(path, _modes(path, content), metric, variant or preferred)
    if contains_results(content):
        if variant is not None:
            raise UseError(f"{path}: contains no variants; do not use --variant with it")
        if rescore is not None:
            content = rescored(path, content, rescore.questions)
        return run_of_results(path, content, metric)
    if not _is_summary(content):
        raise UseError(
            f"{path}: not a results file: it has neither 'results' nor 'datasets', "
            "and is not the summary of a run"
        )
    journal = path.with_suffix(".jsonl")
    if not journal.is_file():
        raise UseError(
            f"{path}: this is the summary of a run, but its rows, {journal}, are missing"
        )
    rows = journal if rescore is None else rescore_rows(journal).journal
    return run_of_rows(rows, metric, variant, preferred)


def read_rescore(questions: Path | None) -> Rescore:
    """How answers are scored again: by this question file, or by what their own file says."""
    if questions is None:
        return Rescore()
    return Rescore(questions={q.id: q for q in read_quality_questions(questions)})


def _refuse_rescoring(path: Path, rescore: Rescore | None) -> None:
    if rescore is not None:
        raise UseError(
            f"{path}: --rescore needs recorded answers: a journal of assay, or a results file"
        )


def _read_json(path: Path) -> Any:
    if not path.exists():
        raise UseError(f"{path}: no such file")
    data = path.read_bytes().removeprefix(_BYTE_ORDER_MARK)
    try:
        content = msgspec.json.decode(data)
    except UNREADABLE as error:
        with suppress(*UNREADABLE):  # a gate takes no score that is NaN; modes have other numbers
            content = decode_foreign_json(data)
            if is_mode_results(content):
                return content
        raise UseError(f"{path}: not JSON ({error})") from None
    refuse_repeated_key(data, path)
    return content


def _is_summary(content: Any) -> bool:
    """Whether a JSON value is the summary of a journal."""
    return isinstance(content, dict) and "experiment_name" in content and "job" in content
