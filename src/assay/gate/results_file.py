"""Reading a results file: a JSON object with ``summary`` and ``results``.

The file may also have several documents (``datasets``, each with its own ``results``) or several
runs (``runs``, each an object of the same form), which are averaged question by question.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import isclose
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from assay.data.foreign_value import as_flag, as_whole_number, failure_of, ignored_fields_note
from assay.errors import UseError
from assay.gate.compared_run import ComparedCase, ComparedRun, Key, merge_cases, number
from assay.gate.direction import direction
from assay.gate.ending import (
    amount,
    count_of,
    stated_failures,
    stated_state,
    stated_total,
)
from assay.jobs.contract.classification import RISK_SCORES
from assay.jobs.contract.level import LEVELS
from assay.jobs.contract.mode_result import ModeCase, ModeResults
from assay.records import Metric
from assay.registry import nearest
from assay.results.job import job_spec
from assay.words.message import Message, message, message_n

# Fields of a results file that contradict each other: the reader is told which one is used.
#
# Other tools write a score at several places, or a verdict such as ``passed`` beside it. Nobody but
# the author of the file knows which of the two is right.

_TOLERANCE: Final = 5e-4
"""The same number may be rounded to three digits at one of its places."""
_VERDICTS: Final = ("passed", "correct", "is_correct", "success", "succeeded", "ok")

Places = Sequence[tuple[str, Any]]
"""The values of a metric in one result with the names of their fields; the first one is used."""


def other_values(places: Sequence[Places]) -> Iterator[Message | str]:
    """A sentence for each field that has another value than the one that is used."""
    pairs = Counter(
        (name, each[0][0])
        for each in places
        for name, value in each[1:]
        if not _is_same(each[0][1], value)
    )
    for (name, used), count in pairs.items():
        yield message_n(
            "{n} result has another value in {name} than in {used}, which is used",
            "{n} results have another value in {name} than in {used}, which is used",
            count,
            name=name,
            used=used,
        )


def other_verdicts(entries: Sequence[tuple[Mapping[str, Any], Any]]) -> Iterator[Message | str]:
    """A sentence for each field with a verdict that contradicts the score, the second of a pair.

    Only the ends of the scale contradict a verdict: where a score passes is not known. Where the
    scale ends is not known either, if a score is above 1.
    """
    scores = [score for _, score in entries if _is_number(score)]
    has_other_scale = max(scores, default=0) > 1
    counts = Counter(
        name
        for entry, score in entries
        for name in _VERDICTS
        if _is_number(score)
        and (verdict := as_flag(entry.get(name))) is not None
        and (score <= 0 if verdict else score >= 1 and not has_other_scale)
    )
    for name, count in counts.items():
        yield message_n(
            "{n} result has another verdict in {name} than in the score, which is used",
            "{n} results have another verdict in {name} than in the score, which is used",
            count,
            name=name,
        )


def _is_same(one: Any, other: Any) -> bool:
    if _is_number(one) and _is_number(other):
        return isclose(one, other, abs_tol=_TOLERANCE)
    return bool(one == other)


def _is_number(value: Any) -> bool:
    return isinstance(value, bool | int | float)


JOB: Final = "quality"
PRIMARY: Final = "score"
HASHES: Final = ("pdf_sha256", "questions_sha256")
EXACT_FORM: Final = "exact_form"
_ALIASES: Final = {"score": ("score", "question_score")}
_SCORE_FIELDS: Final = ("metrics", "scores")
_NO_METRIC: Final = frozenset({"weight", "run", "top_k"})


class _Part(Struct, frozen=True, kw_only=True):
    """The results of one document in one run.

    ``heads`` are the objects that say how it ended: its summary, and the object that has both.
    """

    group: str
    summary: Mapping[str, Any]
    results: Sequence[Any]
    heads: tuple[Mapping[str, Any], ...] = ()
    run: int = 0


def contains_results(content: Any) -> bool:
    """Whether a JSON value has the form of a results file.

    >>> contains_results({"summary": {}, "results": []}), contains_results({"experiment_name": "x"})
    (True, False)
    """
    if not isinstance(content, dict):
        return False
    if isinstance(content.get("results"), list):
        return True
    return any(isinstance(content.get(name), list | dict) for name in ("datasets", "runs"))


def run_of_results(path: Path, content: Mapping[str, Any], metric_name: str | None) -> ComparedRun:
    """The run in a results file, with the metric of that name; by default ``score``.

    Raises ``UseError`` if the content is not valid.
    """
    parts = list(_parts(path, content))
    metric = _metric(path, metric_name or PRIMARY, parts)
    cases: dict[Key, list[ComparedCase]] = {}
    failed: list[str] = []
    seen: set[tuple[int, str]] = set()
    for part in parts:
        for position, entry in enumerate(part.results, 1):
            name, case = _case(path, part, position, entry, metric)
            if (part.run, name) in seen:
                raise UseError(f"{path}: two results have the id {name!r}; ids must be unique")
            seen.add((part.run, name))
            cases.setdefault((name, ""), []).append(case)
            failed += map(_reason, _failures(f"{path}: {name}", entry))
    heads = _heads(content, parts)
    unasked = [
        _unstarted_questions(content),
        sum(_unasked(path, part) for part in parts),
        _missing_repetitions(parts),
    ]
    return ComparedRun(
        path=path,
        job=str(content.get("job") or JOB),
        metric=metric,
        items={key: merge_cases(repetitions) for key, repetitions in cases.items()},
        state=stated_state(head for _, head in heads),
        unasked=sum(unasked)
        if any(unasked) or any(head.get("counts") for _, head in heads)
        else None,
        # a question that failed in only some of the runs is scored; the counts have its failures
        failed=max(
            len(failed),
            sum(max(stated_failures(path, head) for head in part.heads) for part in parts),
            stated_failures(path, content),
        ),
        answered=max(
            sum(case.status == "answered" for repeated in cases.values() for case in repeated),
            sum(count_of(path, part.summary, "answered") for part in parts),
        ),
        first_error=failed[0] if failed else "",
        hashes=_hashes(heads),
        judging=_judging(parts),
        primary=PRIMARY,
        metric_names=_metric_names(parts, metric),
        group_weights=_group_weights(path, content),
        doubts=tuple(
            message("{file}: {what}", file=path, what=doubt) for doubt in _doubts(parts, metric)
        ),
    )


def _doubts(parts: Sequence[_Part], metric: Metric) -> Iterator[Message | str]:
    """What contradicts the values of the metric."""
    scored = [
        (entry, places)
        for part in parts
        for entry in part.results
        if not _is_failed(entry) and (places := _places(entry, metric))
    ]
    yield from other_values([[*places, *_mean_of_runs(entry, metric)] for entry, places in scored])
    if metric.name == PRIMARY:
        yield from other_verdicts([(entry, places[0][1]) for entry, places in scored])


def _parts(path: Path, content: Mapping[str, Any]) -> Iterator[_Part]:
    runs, datasets = content.get("runs"), content.get("datasets")
    datasets = datasets if isinstance(datasets, list | dict) else None
    _refuse_two_places(path, content)
    if isinstance(runs, list) and "results" not in content and datasets is None:
        for position, run in enumerate(runs):
            if not contains_results(run):
                raise UseError(f"{path}: one of its runs contains no results")
            yield from (replace(part, run=position) for part in _parts(path, run))
        return
    if datasets is None:
        yield _part(path, "", content)
        return
    if isinstance(datasets, list):
        _refuse_duplicates(path, [_dataset_id(path, dataset) for dataset in datasets])
        datasets = {_dataset_id(path, dataset): dataset for dataset in datasets}
    for group, dataset in datasets.items():
        yield _part(path, group, {"results": dataset} if isinstance(dataset, list) else dataset)


def _refuse_two_places(path: Path, content: Mapping[str, Any]) -> None:
    """Raise ``UseError`` if results are in two places: only the author knows which are meant."""
    runs = content.get("runs")
    has_runs = isinstance(runs, list) and any(map(contains_results, runs))
    places = [name for name in ("results", "datasets") if content.get(name)]
    places += ["runs"] if has_runs else []
    if len(places) > 1:
        raise UseError(
            f"{path}: has results in {places[0]} and in {places[1]}; keep one of the two"
        )


def _judging(parts: Sequence[_Part]) -> dict[str, str]:
    """What a summary says about how answers were judged."""
    exact = [part.summary.get(EXACT_FORM) for part in parts]
    return {EXACT_FORM: str(True)} if any(exact) else {}


def _dataset_id(path: Path, dataset: Any) -> str:
    if not isinstance(dataset, dict) or not isinstance(dataset.get("id"), str):
        raise UseError(f"{path}: one of its datasets has no id")
    return str(dataset["id"])


def _refuse_duplicates(path: Path, names: Sequence[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise UseError(f"{path}: two datasets have the id {name!r}")


def _part(path: Path, group: str, content: Any) -> _Part:
    where = f"{path}: dataset {group!r}" if group else str(path)
    if not isinstance(content, dict) or not isinstance(content.get("results"), list):
        raise UseError(f"{where}: contains no list of results")
    summary = content.get("summary") or {}
    if not isinstance(summary, dict):
        raise UseError(f"{where}: its summary is not an object")
    results = content["results"]
    return _Part(group=group, summary=summary, results=results, heads=(summary, content))


def _case(
    path: Path, part: _Part, position: int, entry: Any, metric: Metric
) -> tuple[str, ComparedCase]:
    if not isinstance(entry, dict):
        raise UseError(f"{path}: result {position} is not an object")
    entry_id = entry.get("id", entry.get("question_id"))
    if isinstance(entry_id, bool) or not isinstance(entry_id, str | int) or entry_id == "":
        raise UseError(f"{path}: result {position} has no id")
    name = f"{part.group}/{entry_id}" if part.group else str(entry_id)
    status = entry.get("status", "scored")
    if _is_failed(entry):
        status = "failed"
    elif status not in ("scored", "answered", "skipped"):  # a list has no place in a set
        raise UseError(f"{path}: {name}: unknown status {status!r}")
    where = f"{path}: {name}"
    return name, ComparedCase(
        status=status,
        value=number(_value(entry, metric), where, "score") if status == "scored" else None,
        weight=number(entry.get("weight"), where, "weight"),
        group=part.group,
        source=part.group or None,
        question=str(entry.get("question") or ""),
        answer=str(entry.get("answer") or ""),
    )


def _is_failed(entry: Mapping[str, Any]) -> bool:
    return bool(failure_of(entry))


def _failures(where: str, entry: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The runs of a question that failed; the question itself if it was asked once.

    Raises ``UseError`` if it has an empty list of runs, or one of them is no object.
    """
    runs = entry.get("runs")
    if runs is None or isinstance(runs, int):
        return [entry] if _is_failed(entry) else []
    if not isinstance(runs, list) or not runs or not all(isinstance(run, dict) for run in runs):
        raise UseError(f"{where}: its runs are no list of objects, or empty")
    return list(filter(_is_failed, runs)) or ([entry] if _is_failed(entry) else [])


def _reason(entry: Mapping[str, Any]) -> str:
    reason = failure_of(entry)
    return "no reason" if reason == "status: failed" else reason


def _mean_of_runs(entry: Mapping[str, Any], metric: Metric) -> Places:
    """The mean of the metric over the runs of an entry that have a value."""
    runs = entry.get("runs")
    scored = [run for run in runs if not _is_failed(run)] if isinstance(runs, list) else []
    values = [value for run in scored if _is_number(value := _value(run, metric))]
    return [("runs", fmean(values))] if values else []


def _value(entry: Mapping[str, Any], metric: Metric) -> Any:
    places = _places(entry, metric)
    return places[0][1] if places else None


def _places(entry: Mapping[str, Any], metric: Metric) -> list[tuple[str, Any]]:
    """The values that an entry has for the metric, with the names of their fields."""
    holders = [*((f"{name}.", entry[name]) for name in _holding(entry)), ("", entry)]
    return [
        (f"{prefix}{name}", fields[name])
        for name in _names(metric)
        for prefix, fields in holders
        if name in fields
    ]


def _score_fields(entry: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The objects of an entry that have scores: those of the job and of registered scorers."""
    return [entry[name] for name in _holding(entry)]


def _holding(entry: Mapping[str, Any]) -> list[str]:
    return [name for name in _SCORE_FIELDS if isinstance(entry.get(name), dict)]


def _names(metric: Metric) -> tuple[str, ...]:
    """The names under which an entry may have the metric."""
    return _ALIASES.get(metric.name, (metric.field.rpartition(".")[2],))


def _metric(path: Path, name: str, parts: Sequence[_Part]) -> Metric:
    """The metric of this name.

    For a metric that only this file has, the words of its name say which direction is better.
    Raises ``UseError`` if no result has the metric.
    """
    known = {metric.name: metric for metric in job_spec(JOB).metrics}
    metric = known.get(name) or Metric(
        name=name, field=f"metrics.{name}", title=name, better=direction(name)
    )
    present: set[str] = set()
    for part in parts:
        for entry in part.results:
            if isinstance(entry, dict) and not _is_failed(entry):
                present.update(_metric_fields(entry))
    if present and present.isdisjoint(_names(metric)):
        choices = present | {
            known_metric.name
            for known_metric in known.values()
            if not present.isdisjoint(_names(known_metric))
        }
        raise UseError(f"{path}: no result has a metric {name!r}{nearest(name, choices)}")
    return metric


def _metric_fields(entry: Mapping[str, Any]) -> Iterator[str]:
    """The names of an entry's metrics, also of undefined ones."""
    for fields in _score_fields(entry):
        yield from fields
    for name, value in entry.items():
        if isinstance(value, bool | int | float) and name not in _NO_METRIC:
            yield name


def _metric_names(parts: Sequence[_Part], metric: Metric) -> frozenset[str] | None:
    """The metrics that the entries list, each by one name; None if they list none.

    An entry may have a score at its top level too, beside numbers that are no metrics. There only
    the compared metric and the main one are looked for.
    """
    names: set[str] = set()
    present: set[str] = set()
    for part in parts:
        for entry in part.results:
            present.update(_metric_fields(entry))
            for fields in _score_fields(entry):
                names.update(fields)
    if not names:
        return None
    for name, aliases in {metric.name: _names(metric), **_ALIASES}.items():
        if not present.isdisjoint(aliases):
            names = names.difference(aliases) | {name}
    return frozenset(names)


def _heads(
    content: Mapping[str, Any], parts: Sequence[_Part]
) -> list[tuple[str, Mapping[str, Any]]]:
    """What says how the run ended and what was asked, each with its document.

    What stands above several documents is about none of them.
    """
    overall = [content.get("summary"), content]
    if "results" in content and isinstance(content.get("runs"), list):
        overall += content["runs"]  # what failed beside the results
    above = [("", head) for head in overall if isinstance(head, dict)]
    return [*above, *((part.group, head) for part in parts for head in part.heads)]


def _unasked(path: Path, part: _Part) -> int:
    """How many cases of a document have no outcome in the file, by what its summary says.

    Cases that are counted as failed need not be in the list.
    """
    listed = sum(_repetitions(entry) for entry in part.results)
    recorded = sum(isinstance(entry, dict) and _is_failed(entry) for entry in part.results)
    missing = []
    for head in part.heads:
        stated = count_of(path, head, "scored") + count_of(path, head, "answered")
        not_asked = sum(count_of(path, head, name) for name in ("not_asked", "spared"))
        not_asked += amount(path, "not_asked", head)
        unlisted = max(0, stated_failures(path, head) - recorded)
        questions = stated_total(path, head) - listed - unlisted
        missing.append(max(not_asked, stated - listed, questions))
    return max(0, *missing)


def _repetitions(entry: Any) -> int:
    runs = entry.get("runs") if isinstance(entry, dict) else None
    return len(runs) if isinstance(runs, list) else 1


def _missing_repetitions(parts: Sequence[_Part]) -> int:
    """How often a question is missing from one of several runs."""
    names: dict[int, set[tuple[str, str]]] = {}
    for part in parts:
        ids = {str(entry.get("id", entry.get("question_id"))) for entry in part.results}
        names.setdefault(part.run, set()).update((part.group, each) for each in ids)
    everywhere = set().union(*names.values())
    missing = sum(len(everywhere - each) for each in names.values())
    for part in parts:
        planned = part.summary.get("runs")
        number = as_whole_number(planned.get("n") if isinstance(planned, dict) else planned)
        asked = [_repetitions(entry) for entry in part.results]
        most = max([number or 1, *asked])
        not_asked = sum(most - each for each in asked)
        counts = part.summary.get("counts")
        told = counts.get("not_asked") if isinstance(counts, dict) else None
        missing += max(0, not_asked - (as_whole_number(told) or 0))
    return missing


def _unstarted_questions(content: Mapping[str, Any]) -> int:
    """The number of questions in data sets that the summary names but that were not started."""
    summary, started = content.get("summary"), content.get("datasets")
    planned = summary.get("datasets") if isinstance(summary, dict) else None
    if isinstance(planned, list):
        planned = {each.get("id"): each for each in planned if isinstance(each, dict)}
    if not isinstance(planned, dict) or not isinstance(started, dict):
        return 0
    return sum(
        max(1, as_whole_number(dataset.get("questions")) or 1)
        for name, dataset in planned.items()
        if name not in started and isinstance(dataset, dict)
    )


def _hashes(heads: Sequence[tuple[str, Mapping[str, Any]]]) -> dict[str, str | None]:
    """The hashes by name and document; raises ``UseError`` if the runs in the file differ."""
    hashes: dict[str, str | None] = {}
    has_groups = any(group for group, _ in heads)
    for group, summary in heads:
        if has_groups and not group:
            continue  # that of a benchmark is about all of its documents together
        for name in HASHES:
            label = f"{name} of {group}" if group else name
            value = str(summary[name]) if summary.get(name) else None
            if value and hashes.get(label) not in {None, value}:
                raise UseError(
                    f"{label}: two places of one file differ: {hashes[label]} and {value}"
                )
            hashes[label] = value or hashes.get(label)
    return hashes


def _group_weights(path: Path, content: Mapping[str, Any]) -> dict[str, float]:
    """The weights that the file gives to data sets, in ``datasets`` or in the summary."""
    weights: dict[str, float] = {}
    summary = content.get("summary")
    summarised = summary.get("datasets") if isinstance(summary, dict) else None
    for datasets in (content.get("datasets"), summarised):
        pairs: list[tuple[Any, Any]]
        if isinstance(datasets, list):
            pairs = [(item.get("id"), item) for item in datasets if isinstance(item, dict)]
        else:
            pairs = list(datasets.items()) if isinstance(datasets, dict) else []
        for name, dataset in pairs:
            weight = dataset.get("weight") if isinstance(dataset, dict) else None
            if weight is not None:
                weights[str(name)] = number(weight, f"{path}: dataset {name}", "weight") or 0.0
    return weights


# Reading the results that a contract-risk reviewer wrote by itself as a run to compare.

MODE_JOB: Final = "review"
METRICS: Final = (
    "accuracy",
    "weighted_accuracy",
    "high_risk_recall",
    "parse_rate",
    "clauses_with_invented_evidence",
)
"""The metrics that such results give for each clause."""


def run_of_modes(
    path: Path, modes: Sequence[ModeResults], metric_name: str | None, variant: str | None
) -> ComparedRun:
    """The clauses of one mode, or of all modes; then the mode is part of the name of a clause.

    Raises ``UseError`` if there is no such mode or metric.
    """
    chosen = chosen_modes(path, modes, variant)
    name = metric_name or job_spec(MODE_JOB).headline
    if name not in METRICS:
        raise UseError(f"{path}: no result has a metric {name!r}{nearest(name, METRICS)}")
    items: dict[Key, ComparedCase] = {}
    for mode in chosen:
        for case in mode.cases:
            case_id = case.id if len(chosen) == 1 else f"{mode.key}/{case.id}"
            items[case_id, ""] = ComparedCase(
                status="failed" if case.error else "scored",
                value=None if case.error else _mode_run_value(case, name),
                asked=case.id,
                question=f"ground_truth: {case.truth}",
                answer=case.prediction or "",
            )
    errors = [case.error for mode in chosen for case in mode.cases if case.error]
    return ComparedRun(
        path=path,
        job=MODE_JOB,
        metric=job_spec(MODE_JOB).metric(name),
        items=items,
        primary=job_spec(MODE_JOB).headline,
        metric_names=frozenset(METRICS),
        failed=len(errors),
        first_error=errors[0] if errors else "",
        variant=chosen[0].key if len(chosen) == 1 and len(modes) > 1 else None,
        doubts=_about(path, _contradiction_note(chosen) if name == "accuracy" else ""),
        notes=_about(path, ignored_fields_note(name for mode in chosen for name in mode.ignored)),
    )


def _about(path: Path, what: Message | str) -> tuple[Message, ...]:
    return (message("{file}: {what}", file=path, what=what),) if what else ()


def _contradiction_note(modes: Sequence[ModeResults]) -> Message | str:
    contradicted = sum(mode.contradicted for mode in modes)
    if not contradicted:
        return ""
    return message_n(
        "{n} result has another verdict in correct_risk than in the levels, and correct_risk is used",
        "{n} results have another verdict in correct_risk than in the levels, and correct_risk is used",
        contradicted,
    )


def chosen_modes(
    path: Path, modes: Sequence[ModeResults], variant: str | None
) -> Sequence[ModeResults]:
    """The mode of this key or name, or all modes; raises ``UseError`` if there is no such mode."""
    if variant is None:
        return modes
    for mode in modes:
        if variant in {mode.key, mode.name}:
            return [mode]
    names = [mode.key for mode in modes]
    raise UseError(f"{path}: there is no mode {variant!r}{nearest(variant, names)}")


def _mode_run_value(case: ModeCase, metric: str) -> float | None:
    """The value of a metric for one clause; None if it is undefined."""
    match metric:
        case "accuracy":
            return float(case.correct)
        case "weighted_accuracy":
            if case.prediction is None:
                return 0.0
            return RISK_SCORES[LEVELS.index(case.truth)][LEVELS.index(case.prediction)]
        case "high_risk_recall":
            return float(case.prediction == "high") if case.truth == "high" else None
        case "parse_rate":
            return float(case.prediction is not None)
        case _:
            return None if case.evidence_valid is None else float(not case.evidence_valid)
