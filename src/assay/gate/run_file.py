"""Reading a run from any kind of file: a results file, a journal or its summary, or figures."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from statistics import fmean
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from assay.checks.correctness import EXPECTED
from assay.checks.scorer import Scorer
from assay.data.foreign_value import decode_foreign_json, failure_of
from assay.data.jsonl import UNREADABLE, refuse_repeated_key
from assay.errors import AssayError, DatasetError, UseError
from assay.gate.aggregate import AggregateRun, is_run_summary, mode_metrics, run_summary
from assay.gate.compared_run import ComparedRun
from assay.gate.correction import JudgedSide
from assay.gate.direction import Better, directed
from assay.gate.ending import refuse_unfinished
from assay.gate.journal_rows import run_of_rows
from assay.gate.results_file import contains_results, run_of_modes, run_of_results
from assay.jobs.contract.mode_result import ModeResults, is_mode_results, mode_results
from assay.jobs.quality.expectation import Expectation
from assay.jobs.quality.question import QualityQuestion, read_quality_questions
from assay.jobs.quality.score import score_answer
from assay.records import Metric
from assay.registry import lazy_function
from assay.runs.summary import read_summary
from assay.runs.write import summary_path
from assay.words.message import message

rescore_rows = lazy_function("assay.study.rescore:rescore")
rescored = lazy_function("assay.gate.run_file:rescored_quality")  # only --rescore needs its rules

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
    better: Better | None = None,
) -> tuple[ComparedRun, ComparedRun]:
    """Read both runs; ``better`` is the direction of a metric whose direction is not known.

    If the base has several variants and ``base_variant`` is None, ``variant`` is used for it too,
    or the baseline if both are the same file: rows compared with themselves say nothing. Without a ``metric``, both are compared by one main metric.
    """
    preferred = _preferred(base, cand, variant)
    before = read_run(
        base, metric=metric, variant=base_variant, preferred=preferred, rescore=rescore
    )
    after = read_run(cand, metric=metric, variant=variant, rescore=rescore)
    if after.job == before.job and after.metric.name != before.metric.name:
        before, after = _by_one_metric(before, after, rescore)
    if better is None:
        return before, after
    return _directed(before, better), _directed(after, better)


def _directed(run: ComparedRun, better: Better) -> ComparedRun:
    return replace(run, metric=directed(run.metric, better))


def _preferred(base: Path, cand: Path, variant: str | None) -> str | None:
    """The variant of the base if none is named: the same, or the baseline of the same file."""
    rows = base.with_suffix(".jsonl")
    if variant is None or rows.resolve() != cand.with_suffix(".jsonl").resolve():
        return variant
    summary = read_summary(summary_path(rows))
    baseline = summary.extra.get("baseline") if summary is not None else None
    return baseline if isinstance(baseline, str) else variant


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
    note = message(
        "the main metric of the {where} is {name}, but {metric} decides; choose one with --metric",
        where=where,
        name=other.name,
        metric=chosen.name,
    )
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
    from assay.gate.judged import judged_side  # noqa: PLC0415

    try:
        return (
            judged_side(base, metric, base_variant, _preferred(base, cand, variant), labels),
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
    from assay.gate.judged import labelled_sides  # noqa: PLC0415 - as above

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
    better: Better | None = None,
) -> tuple[AggregateRun, AggregateRun] | None:
    """Read two files that have figures only; None if neither is such a file.

    Raises:
        UseError: only one of them is, or a file cannot be read.
    """
    sides = ((base, base_variant or variant), (cand, variant))
    of_one = sides[0][1] != variant
    runs = [_read_aggregate(path, metric, chosen, better, of_one=of_one) for path, chosen in sides]
    if runs[0] is not None and runs[1] is not None:
        return runs[0], runs[1]
    for run, (other, _) in zip(runs, reversed(sides), strict=True):
        if run is not None:
            raise UseError(f"{run.path} is {run.kind}, {other} is not; compare two of a kind")
    return None


def _read_aggregate(
    path: Path, metric: str | None, variant: str | None, better: Better | None, *, of_one: bool
) -> AggregateRun | None:
    if path.suffix != ".json" or not path.is_file():
        return None
    content = _read_json(path)
    if is_run_summary(content):
        return run_summary(path, content, metric, better)
    if not is_mode_results(content):
        return None
    modes = _modes(path, content)
    if any(mode.cases for mode in modes):
        return None
    return mode_metrics(path, modes, metric, variant, better, of_one=of_one)


def _modes(path: Path, content: Mapping[str, Any]) -> list[ModeResults]:
    try:
        modes = mode_results(content, str(path))
    except DatasetError as error:
        raise UseError(*error.lines) from None
    _refuse_unfinished_modes(path, content)
    return modes


def _refuse_unfinished_modes(path: Path, content: Any) -> None:
    """Raise ``UseError`` if the file, a mode or its metrics say that cases failed or are missing."""
    modes = content if isinstance(content, list) else [content, *content.values()]
    for mode in modes:
        results = mode.get("results") if isinstance(mode, dict) else None
        cases = results if isinstance(results, list) else []
        failed = sum(bool(failure_of(case)) for case in cases if isinstance(case, dict))
        metrics = mode.get("metrics") if isinstance(mode, dict) else None
        if isinstance(metrics, dict):  # its errors may be wrong answers
            metrics = {name: value for name, value in metrics.items() if "error" not in name}
            metrics["questions"] = metrics.get("questions", metrics.get("total"))
        for head in (mode, metrics):
            if isinstance(head, dict):
                refuse_unfinished(path, head, failed=failed, cases=len(cases) or None)


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
                refuse_repeated_key(data, path)
                return content
        raise UseError(f"{path}: not JSON ({error})") from None
    refuse_repeated_key(data, path)
    return content


def _is_summary(content: Any) -> bool:
    """Whether a JSON value is the summary of a journal."""
    return isinstance(content, dict) and "experiment_name" in content and "job" in content


# Scoring the answers of a results file again, by the current rules.
#
# What an answer must and must not say is taken from a question file, if there is one; else from the
# entry itself, which has either the keys of a question or the recorded matches.

_PHRASES: Final = ("must_include", "must_not_include")
_GROUPS: Final = "must_include_any"
_PAGE_METRICS: Final = ("citation_page_exists", "citation_supported")


def rescored_quality(
    path: Path, content: Mapping[str, Any], questions: Mapping[str, QualityQuestion] | None
) -> dict[str, Any]:
    """The content of a results file with the scores that its answers get today.

    Raises:
        UseError: the file does not say what an answer must include.
    """
    result = dict(content)
    if isinstance(content.get("results"), list):
        result["results"] = [_entry(path, entry, questions) for entry in content["results"]]
    for name in ("datasets", "runs"):
        parts = content.get(name)
        if isinstance(parts, dict):
            result[name] = {key: _part(path, part, questions) for key, part in parts.items()}
        elif isinstance(parts, list):
            result[name] = [_part(path, part, questions) for part in parts]
    return result


def _part(path: Path, part: Any, questions: Mapping[str, QualityQuestion] | None) -> Any:
    if isinstance(part, list):
        return [_entry(path, entry, questions) for entry in part]
    return rescored_quality(path, part, questions) if isinstance(part, dict) else part


def _entry(path: Path, entry: Any, questions: Mapping[str, QualityQuestion] | None) -> Any:
    if not isinstance(entry, dict) or entry.get("error") or entry.get("answer") is None:
        return entry
    expected = _expectation(path, entry, questions)
    runs = entry.get("runs")
    if isinstance(runs, list) and runs and all(isinstance(run, dict) for run in runs):
        rescored_runs = [_with_scores(run, entry, expected) for run in runs]
        scored = [run["metrics"] for run in rescored_runs if isinstance(run.get("metrics"), dict)]
        names = scored[0] if scored else {}
        means = {name: _mean([metrics.get(name) for metrics in scored]) for name in names}
        return {**entry, "metrics": means, "runs": rescored_runs}
    return _with_scores(entry, entry, expected)


def _with_scores(
    answered: Mapping[str, Any], entry: Mapping[str, Any], expected: Expectation
) -> dict[str, Any]:
    if answered.get("answer") is None or answered.get("status", "scored") != "scored":
        return dict(answered)
    question = str(entry.get("question") or "")
    metrics = score_answer(expected, question, str(answered["answer"]), None)["metrics"]
    recorded = answered.get("metrics")
    kept = recorded if isinstance(recorded, dict) else {}
    metrics |= {name: kept.get(name) for name in _PAGE_METRICS}
    # a score at the top level of an entry is the recorded one
    others = {name: value for name, value in answered.items() if name not in metrics}
    return {**others, "metrics": {**kept, **metrics}}


def _mean(values: Sequence[Any]) -> float | None:
    defined = [float(value) for value in values if isinstance(value, bool | int | float)]
    return fmean(defined) if defined else None


def _expectation(
    path: Path, entry: Mapping[str, Any], questions: Mapping[str, QualityQuestion] | None
) -> Expectation:
    question_id = str(entry.get("id", entry.get("question_id")))
    if questions is not None:
        if question_id not in questions:
            raise UseError(f"{path}: {question_id}: is not in the file of --questions")
        return questions[question_id].expected
    where = f"{path}: {question_id}"
    if any(name in entry for name in (*_PHRASES, _GROUPS)):
        groups = _list(where, _GROUPS, entry.get(_GROUPS))
        return Expectation(
            must_include=_texts(where, "must_include", entry.get("must_include")),
            must_include_any=tuple(
                (group,) if isinstance(group, str) else _texts(where, _GROUPS, group)
                for group in groups
            ),
            must_not_include=_texts(where, "must_not_include", entry.get("must_not_include")),
            require_citation=bool(entry.get("require_citation")),
        )
    matches = entry.get("matches") or _matches_of_runs(entry)
    if not isinstance(matches, list):
        raise UseError(
            f"{where}: the file does not say what the answer must include; "
            "name the questions with --questions"
        )
    wanted: dict[str, list[tuple[str, ...]]] = {}
    for match in matches:
        rule = match.get("rule") if isinstance(match, dict) else None
        texts = _texts(where, "matches", match.get("wanted")) if isinstance(rule, str) else ()
        if not texts:
            raise UseError(f"{where}: one of its matches has no rule or no text that was wanted")
        wanted.setdefault(str(rule), []).append(texts)
    metrics = entry.get("metrics")
    return Expectation(
        must_include=tuple(group[0] for group in wanted.get("must_include", ())),
        must_include_any=tuple(wanted.get(_GROUPS, ())),
        must_not_include=tuple(group[0] for group in wanted.get("must_not_include", ())),
        require_citation=isinstance(metrics, dict) and metrics.get("citation_ok") is not None,
    )


def _texts(where: str, name: str, value: Any) -> tuple[str, ...]:
    texts = _list(where, name, value)
    if not all(isinstance(text, str) for text in texts):
        raise UseError(f"{where}: {name} is not a list of texts")
    return tuple(texts)


def _list(where: str, name: str, value: Any) -> Sequence[Any]:
    if value is not None and not isinstance(value, list):
        raise UseError(f"{where}: {name} is not a list")
    return value or ()


def _matches_of_runs(entry: Mapping[str, Any]) -> Any:
    runs = entry.get("runs")
    if not isinstance(runs, list):
        return entry.get("matches")
    return next((run.get("matches") for run in runs if isinstance(run, dict)), None)
