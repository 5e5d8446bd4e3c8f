"""Read a results file: one JSON object with ``summary`` and ``results``.

Also several documents (``datasets``, each with its own ``results``) and several runs (``runs``,
each such an object): runs are averaged question by question.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from assay.config import nearest
from assay.errors import UseError
from assay.jobs.compare.compared_run import ComparedCase, ComparedRun, Key, merged, number
from assay.records import Metric
from assay.scorers.quality import METRICS

JOB: Final = "quality"
HASHES: Final = ("pdf_sha256", "questions_sha256")
_ALIASES: Final = {"score": ("score", "question_score")}
_LOWER: Final = re.compile(r"latency|elapsed|seconds|cost|paid|tokens|penalty|error")
_NO_METRIC: Final = frozenset({"weight", "run", "top_k"})


class _Part(Struct, frozen=True, kw_only=True):
    """The results of one document in one run."""

    group: str
    summary: Mapping[str, Any]
    results: Sequence[Any]


def holds_results(content: Any) -> bool:
    """Whether a JSON value looks like a results file.

    >>> holds_results({"summary": {}, "results": []}), holds_results({"experiment_name": "x"})
    (True, False)
    """
    if not isinstance(content, dict):
        return False
    if isinstance(content.get("results"), list):
        return True
    return any(isinstance(content.get(name), list | dict) for name in ("datasets", "runs"))


def run_of_results(path: Path, content: Mapping[str, Any], metric_name: str | None) -> ComparedRun:
    """The run that a results file holds, by the metric of that name or by ``score``."""
    parts = list(_parts(path, content))
    metric = _metric(path, metric_name or "score", parts)
    trials: dict[Key, list[ComparedCase]] = {}
    failed: list[str] = []
    for part in parts:
        seen: set[str] = set()
        for place, entry in enumerate(part.results, 1):
            name, trial = _trial(path, part, place, entry, metric)
            if name in seen:
                raise UseError(
                    f"{path}: two results have the id {name!r}; pairs would be arbitrary"
                )
            seen.add(name)
            trials.setdefault((name, ""), []).append(trial)
            if trial.status == "failed":
                failed.append(str(entry.get("error") or entry.get("error_kind") or "no reason"))
    counts = [_counts(part.summary) for part in parts]
    return ComparedRun(
        path=path,
        job=str(content.get("job") or JOB),
        metric=metric,
        items={key: merged(found) for key, found in trials.items()},
        state=_state(content, parts),
        unasked=_not_run(content) + sum(count.get("not_asked", 0) for count in counts)
        if any(counts)
        else None,
        # a question that failed in one run of several is scored, and its failure only counted
        failed=max(len(failed), sum(count.get("failed", 0) for count in counts)),
        first_error=failed[0] if failed else "",
        hashes=_hashes(content, parts),
        metric_names=_metric_names(parts),
        group_weights=_group_weights(path, content),
    )


def _parts(path: Path, content: Mapping[str, Any]) -> Iterator[_Part]:
    runs, datasets = content.get("runs"), content.get("datasets")
    datasets = datasets if isinstance(datasets, list | dict) else None
    if isinstance(runs, list) and "results" not in content and datasets is None:
        for run in runs:
            if not holds_results(run):
                raise UseError(f"{path}: one of its runs holds no results")
            yield from _parts(path, run)
        return
    if datasets is None:
        yield _part(path, "", content)
        return
    if isinstance(datasets, list):
        _refuse_twice(path, [_dataset_id(path, one) for one in datasets])
        datasets = {_dataset_id(path, one): one for one in datasets}
    for group, one in datasets.items():
        yield _part(path, group, {"results": one} if isinstance(one, list) else one)


def _dataset_id(path: Path, dataset: Any) -> str:
    if not isinstance(dataset, dict) or not isinstance(dataset.get("id"), str):
        raise UseError(f"{path}: one of its datasets has no id")
    return str(dataset["id"])


def _refuse_twice(path: Path, names: Sequence[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise UseError(f"{path}: two datasets have the id {name!r}")


def _part(path: Path, group: str, content: Any) -> _Part:
    where = f"{path}: dataset {group!r}" if group else str(path)
    if not isinstance(content, dict) or not isinstance(content.get("results"), list):
        raise UseError(f"{where}: holds no list of results")
    summary = content.get("summary") or {}
    if not isinstance(summary, dict):
        raise UseError(f"{where}: its summary is not an object")
    return _Part(group=group, summary=summary, results=content["results"])


def _trial(
    path: Path, part: _Part, place: int, entry: Any, metric: Metric
) -> tuple[str, ComparedCase]:
    if not isinstance(entry, dict):
        raise UseError(f"{path}: result {place} is not an object")
    found = entry.get("id", entry.get("question_id"))
    if isinstance(found, bool) or not isinstance(found, str | int) or found == "":
        raise UseError(f"{path}: result {place} has no id")
    name = f"{part.group}/{found}" if part.group else str(found)
    status = entry.get("status", "scored")
    if _is_failed(entry):
        status = "failed"
    elif status not in {"scored", "skipped"}:
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
    return bool(entry.get("error")) or entry.get("status") == "failed"


def _value(entry: Mapping[str, Any], metric: Metric) -> Any:
    metrics = entry.get("metrics")
    for name in _names(metric):
        for place in (metrics, entry):
            if isinstance(place, dict) and name in place:
                return place[name]
    return None


def _names(metric: Metric) -> tuple[str, ...]:
    """What a metric may be called in an entry."""
    return _ALIASES.get(metric.name, (metric.field.rpartition(".")[2],))


def _metric(path: Path, name: str, parts: Sequence[_Part]) -> Metric:
    """A known metric, or one that only this file has: then its name says which way is better."""
    known = {metric.name: metric for metric in METRICS}
    metric = known.get(name) or Metric(
        name=name,
        field=f"metrics.{name}",
        title=name,
        better="lower" if _LOWER.search(name.lower()) else "higher",
    )
    there: set[str] = set()
    for part in parts:
        for entry in part.results:
            if isinstance(entry, dict) and not _is_failed(entry):
                there.update(_measured(entry))
    if there and there.isdisjoint(_names(metric)):
        choice = there | {one.name for one in METRICS if not there.isdisjoint(_names(one))}
        raise UseError(f"{path}: no result has a metric {name!r}{nearest(name, choice)}")
    return metric


def _measured(entry: Mapping[str, Any]) -> Iterator[str]:
    """The names of what an entry measures, undefined or not."""
    metrics = entry.get("metrics")
    if isinstance(metrics, dict):
        yield from metrics
    for name, value in entry.items():
        if isinstance(value, bool | int | float) and name not in _NO_METRIC:
            yield name


def _metric_names(parts: Sequence[_Part]) -> frozenset[str] | None:
    names: set[str] = set()
    for part in parts:
        for entry in part.results:
            if isinstance(entry.get("metrics"), dict):
                names.update(entry["metrics"])
    return frozenset(names) or None


def _state(content: Mapping[str, Any], parts: Sequence[_Part]) -> str | None:
    """The first state that is not ``complete``; ``None`` where nothing tells."""
    whole = content.get("summary")
    summaries = [whole] if isinstance(whole, dict) else []
    told = [one["state"] for one in (*summaries, *(p.summary for p in parts)) if one.get("state")]
    return next((state for state in told if state != "complete"), told[0] if told else None)


def _counts(summary: Mapping[str, Any]) -> dict[str, int]:
    counts = summary.get("counts")
    if not isinstance(counts, dict):
        return {}
    return {name: count for name, count in counts.items() if isinstance(count, int)}


def _not_run(content: Mapping[str, Any]) -> int:
    """Questions of data sets that the summary names and that were never begun."""
    summary, begun = content.get("summary"), content.get("datasets")
    brief = summary.get("datasets") if isinstance(summary, dict) else None
    if not isinstance(brief, dict) or not isinstance(begun, dict):
        return 0
    return sum(
        one.get("questions") or 1
        for name, one in brief.items()
        if name not in begun and isinstance(one, dict)
    )


def _hashes(content: Mapping[str, Any], parts: Sequence[_Part]) -> dict[str, str | None]:
    """The hashes of each document by name, several of a name (runs) having to agree."""
    found: dict[str, str | None] = {}
    whole = content.get("summary")
    summaries: list[tuple[str, Mapping[str, Any]]] = []
    if isinstance(whole, dict) and not any(part.group for part in parts):
        summaries = [("", whole)]
    summaries += [(part.group, part.summary) for part in parts]
    for group, summary in summaries:
        for name in HASHES:
            place = f"{name} of {group}" if group else name
            value = str(summary[name]) if summary.get(name) else None
            if value and found.get(place) not in {None, value}:
                raise UseError(f"{place}: the runs in one file differ: {found[place]} and {value}")
            found[place] = value or found.get(place)
    return found


def _group_weights(path: Path, content: Mapping[str, Any]) -> dict[str, float]:
    """The weights of data sets, wherever the file has them; 1 where it does not."""
    weights: dict[str, float] = {}
    summary = content.get("summary")
    brief = summary.get("datasets") if isinstance(summary, dict) else None
    for datasets in (content.get("datasets"), brief):
        pairs: list[tuple[Any, Any]]
        if isinstance(datasets, list):
            pairs = [(one.get("id"), one) for one in datasets if isinstance(one, dict)]
        else:
            pairs = list(datasets.items()) if isinstance(datasets, dict) else []
        for name, one in pairs:
            weight = one.get("weight") if isinstance(one, dict) else None
            if weight is not None:
                weights[str(name)] = number(weight, f"{path}: dataset {name}", "weight") or 0.0
    return weights
