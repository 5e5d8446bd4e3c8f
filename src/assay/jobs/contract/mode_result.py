"""Results that a contract-risk reviewer wrote by itself: one entry for each mode of a study.

``{"mode_1": {"mode", "mode_name", "metrics": {…}, "results": [{"id", "prediction", "ground_truth",
"correct_risk", "evidence_valid"}]}, …}``. ``results`` may be missing; then ``metrics``, often with
``conf_matrix``, is all there is. A single mode may also be by itself.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from assay.data.foreign_value import as_flag, as_number, decode_foreign_json, failure_of
from assay.data.jsonl import UNREADABLE
from assay.errors import DatasetError
from assay.jobs.contract.level import (
    LEVELS,
    TITLES,
    Level,
    highest_level,
    level_of_word,
    stated_level,
)
from assay.jobs.contract.score import COUNTED, UNPARSED, review_metrics
from assay.jobs.contract.spec import CORPUS, METRICS
from assay.report.label import metric_title
from assay.report.table.table import LabelledRow, Table, TableCell, TableColumn, with_marks
from assay.words.language import Lang
from assay.words.say import say_in, say_n_in

Matrix: TypeAlias = tuple[tuple[float, ...], ...]


_MODE_FIELDS: Final = frozenset({"mode", "mode_name", "metrics", "results", "conf_matrix"})
_RESULT_FIELDS: Final = frozenset(
    {"id", "prediction", "ground_truth", "correct_risk", "evidence_valid", "error", "error_kind"}
)


class ModeCase(Struct, frozen=True, kw_only=True):
    """One clause: the stated and the true level, and what the tool recorded about them.

    ``prediction`` is ``None`` if it is no level, ``evidence_valid`` if the tool does not say.
    ``error`` says why there is no answer; empty if there is one.
    """

    id: str
    prediction: Level | None
    truth: Level
    correct: bool
    evidence_valid: bool | None = None
    error: str = ""


class ModeResults(Struct, frozen=True, kw_only=True):
    """The results of one mode.

    ``metrics`` are the numbers that the tool recorded. ``matrix`` has a row for each true level,
    from high to low, and a column for each stated level; a fourth column counts unparsed replies.
    It is ``None`` if the file has none. ``unread`` is the number of results without a true level.
    ``ignored`` are the names of the fields that are not read.
    """

    key: str
    name: str
    metrics: Mapping[str, float]
    matrix: Matrix | None = None
    cases: tuple[ModeCase, ...] = ()
    unread: int = 0
    ignored: tuple[str, ...] = ()

    @property
    def contradicted(self) -> int:
        """The number of cases that the tool calls right or wrong although their levels do not."""
        return sum(case.correct != (case.prediction == case.truth) for case in self.cases)


def is_mode_results(content: Any) -> bool:
    """Whether a JSON value has the form of such results.

    >>> is_mode_results({"mode_1": {"metrics": {"accuracy": 0.5}}}), is_mode_results({"results": []})
    (True, False)
    """
    if isinstance(content, list):
        return bool(content) and all(
            isinstance(mode, dict) and "mode" in mode and _is_mode(mode) for mode in content
        )
    if not isinstance(content, dict) or {"experiment_name", "results", "datasets"} & content.keys():
        return isinstance(content, dict) and "mode" in content and _is_mode(content)
    if _is_mode(content):
        return "conf_matrix" in content or "mode" in content or "conf_matrix" in _metrics(content)
    others = [value for value in content.values() if not _is_mode_object(value)]
    return len(others) < len(content) and not any(isinstance(value, list) for value in others)


def read_mode_results(path: Path) -> list[ModeResults] | None:
    """Read such results from a JSON file; ``None`` if the file does not have this form."""
    if path.suffix != ".json" or not path.is_file():
        return None
    try:
        content = decode_foreign_json(path.read_bytes())
    except UNREADABLE:
        return None
    return mode_results(content, str(path)) if is_mode_results(content) else None


def mode_results(content: Any, where: str) -> list[ModeResults]:
    """The modes of a JSON value for which ``is_mode_results`` is true; other entries are ignored.

    Raises:
        DatasetError: a result has no id, or an id is repeated; ``where`` names the file.
    """
    if isinstance(content, list):
        content = {f"mode_{mode['mode']}": mode for mode in content}
    modes = {str(content.get("mode") or "all"): content} if _is_mode(content) else content
    ignored = [str(key) for key, mode in modes.items() if not _is_mode_object(mode)]
    read = [_mode(str(key), mode, where) for key, mode in modes.items() if _is_mode_object(mode)]
    return [replace(read[0], ignored=(*ignored, *read[0].ignored)), *read[1:]]


def _is_mode_object(value: Any) -> bool:
    return isinstance(value, dict) and _is_mode(value)


def _is_mode(value: Mapping[str, Any]) -> bool:
    has_results = isinstance(value.get("results"), list)
    has_metrics = isinstance(value.get("metrics"), dict)
    return "conf_matrix" in value or has_metrics or (has_results and "mode" in value)


def _metrics(mode: Mapping[str, Any]) -> Mapping[str, Any]:
    metrics = mode.get("metrics")
    if isinstance(metrics, dict):
        return metrics
    return {name: value for name, value in mode.items() if name not in {"results", "mode"}}


def _mode(key: str, mode: Mapping[str, Any], where: str) -> ModeResults:
    metrics = _metrics(mode)
    cases, unread = _cases(mode.get("results"), f"{where}: {key}")
    return ModeResults(
        key=key,
        name=str(mode.get("mode_name") or key),
        metrics=dict(_numbers(metrics)),
        matrix=_matrix(mode.get("conf_matrix", metrics.get("conf_matrix"))),
        cases=tuple(cases),
        unread=unread,
        ignored=tuple(sorted(_unknown_fields(mode))),
    )


def _unknown_fields(mode: Mapping[str, Any]) -> Iterator[str]:
    if isinstance(mode.get("metrics"), dict):
        yield from mode.keys() - _MODE_FIELDS
    results = mode.get("results")
    rows = [row for row in results if isinstance(row, dict)] if isinstance(results, list) else []
    yield from {f"results.{name}" for row in rows for name in row.keys() - _RESULT_FIELDS}


def _numbers(metrics: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, float]]:
    """The numbers of an object; those of inner objects have names like ``class_f1.High``."""
    for name, value in metrics.items():
        if isinstance(value, bool):
            continue
        number = as_number(value)
        if number is not None:
            yield f"{prefix}{name}", number
        elif isinstance(value, dict) and name != "conf_matrix":
            yield from _numbers(value, f"{prefix}{name}.")


def _cases(results: Any, where: str) -> tuple[list[ModeCase], int]:
    cases: list[ModeCase] = []
    seen: set[str] = set()
    unread = 0
    for position, result in enumerate(results if isinstance(results, list) else (), 1):
        case_id = result.get("id") if isinstance(result, dict) else None
        if isinstance(case_id, bool) or not isinstance(case_id, str | int):
            raise DatasetError(f"{where}: result {position} has no id")
        if str(case_id) in seen:
            raise DatasetError(f"{where}: two results have the id {case_id!r}")
        seen.add(str(case_id))
        truth = _level(result.get("ground_truth"))
        if truth is None:
            unread += 1
            continue
        prediction = _level(result.get("prediction"))
        correct = as_flag(result.get("correct_risk"))
        evidence = as_flag(result.get("evidence_valid"))
        cases.append(
            ModeCase(
                id=str(case_id),
                prediction=prediction,
                truth=truth,
                correct=prediction == truth if correct is None else correct,
                evidence_valid=evidence,
                error=failure_of(result),
            )
        )
    return cases, unread


def _level(value: Any) -> Level | None:
    """The level that a value names: a word, an object with ``risk_level``, or a list of risks."""
    if isinstance(value, str):
        return level_of_word(value) or stated_level(value)
    if isinstance(value, dict):
        return _level(value.get("risk_level", value.get("level", value.get("expected_risks"))))
    if isinstance(value, list):
        levels = [level for item in value if (level := _level(item)) is not None]
        return highest_level(levels) if levels else (None if value else "low")
    return None


def _matrix(value: Any) -> Matrix | None:
    """A matrix of three rows with three or four counts, from lists or from objects by level."""
    rows = _by_level(value)
    if rows is None or len(rows) != len(LEVELS):
        return None
    cells = [_by_level(row) for row in rows]
    sizes = {len(row) if row is not None else 0 for row in cells}
    if not sizes <= {len(LEVELS), len(LEVELS) + 1}:
        return None
    counts = [[as_number(count) for count in row] for row in cells if row is not None]
    if any(count is None for row in counts for count in row):
        return None
    missing = (0.0,) * (len(LEVELS) + 1)
    return tuple((*(count or 0.0 for count in row), *missing)[: len(LEVELS) + 1] for row in counts)


def _by_level(value: Any) -> Sequence[Any] | None:
    """The items of a list, or of an object whose keys are levels, from high to low."""
    if isinstance(value, dict):
        levels = {level_of_word(str(key)): item for key, item in value.items()}
        items = [levels.get(level) for level in LEVELS]
        others = [item for key, item in value.items() if level_of_word(str(key)) is None]
        return None if None in items else [*items, *others[:1]]
    return value if isinstance(value, list | tuple) else None


# The metrics that the results of a mode give, by the same formulas as in a review.

FROM_LEVELS: Final = (
    "accuracy",
    "weighted_accuracy",
    "linear_weighted_kappa",
    "high_risk_f2",
    "macro_f1",
    "macro_precision",
    "macro_recall",
    "parse_rate",
    "quadratic_weighted_kappa",
    "macro_f1_defined",
    "macro_precision_defined",
    "macro_recall_defined",
)
"""Metrics that need nothing but the stated and the true level of each clause."""


def mode_figures(mode: ModeResults) -> dict[str, float | None]:
    """The metrics that the results or the matrix of a mode give; empty if it has neither."""
    matrix = mode_matrix(mode)
    if matrix is None:
        return {}
    flags = [case.evidence_valid for case in mode.cases if case.evidence_valid is not None]
    counts = {"clause_valid": sum(flags), "clause_invalid": len(flags) - sum(flags)}
    totals = [cell for row in matrix for cell in row] + [counts.get(name, 0) for name in COUNTED]
    values = review_metrics(np.array([totals], dtype=np.float64))
    names = [*FROM_LEVELS, "hallucination_rate"] if flags else FROM_LEVELS
    return {name: None if np.isnan(values[name][0]) else float(values[name][0]) for name in names}


def mode_matrix(mode: ModeResults) -> Sequence[Sequence[float]] | None:
    """The confusion matrix of the results; if there are none, the recorded one."""
    if not mode.cases:
        return mode.matrix
    matrix = [[0.0] * (len(LEVELS) + 1) for _ in LEVELS]
    for case in mode.cases:
        matrix[LEVELS.index(case.truth)][_column(case)] += 1
    return matrix


def _column(case: ModeCase) -> int:
    return len(LEVELS) if case.prediction is None else LEVELS.index(case.prediction)


# Tables of the results that a contract-risk reviewer wrote by itself.
#
# The numbers that the file records are in one table as they are. What can be computed from its
# results, or from its confusion matrix, is in another, by the same formulas as in a review.

_TOLERANCE: Final = 5e-4
"""Recorded numbers are often rounded to three digits."""


def mode_tables(modes: Sequence[ModeResults], lang: Lang = "en") -> list[Table]:
    """The computed metrics, the recorded ones, and the confusion matrices."""
    tables = []
    if any(mode_figures(mode) for mode in modes):
        tables.append(_computed_table(modes, lang))
    if any(mode.metrics for mode in modes):
        tables.append(_recorded_table(modes, lang))
    if any(mode_matrix(mode) for mode in modes):
        tables.append(_confusion_table(modes, lang))
    return tables


def _computed_table(modes: Sequence[ModeResults], lang: Lang) -> Table:
    metrics = {metric.name: metric for metric in (*METRICS, *CORPUS)}
    names = [*FROM_LEVELS, "hallucination_rate"]
    columns = tuple(
        TableColumn(key=name, title=metric_title(metrics[name], lang), better=metrics[name].better)
        for name in names
    )
    counts = (
        TableColumn(key="clauses", title=say_in(lang, "clauses", context="column")),
        TableColumn(key="unparsed", title=say_in(lang, "unparsed")),
    )
    rows = []
    for mode in modes:
        figures, matrix = mode_figures(mode), mode_matrix(mode) or ()
        unparsed = int(sum(row[len(LEVELS)] for row in matrix))
        cells = (
            *(TableCell(value=figures.get(name)) for name in names),
            TableCell(value=int(sum(map(sum, matrix)))),
            TableCell(value=unparsed),
        )
        rows.append(LabelledRow(label=_label(mode), cells=cells))
    notes = (
        say_in(
            lang,
            "Kappa is over the replies that could be read; an unparsed reply is wrong elsewhere.",
        ),
        *_differences(modes, lang),
        *_counted_notes(modes, lang),
    )
    return with_marks(
        Table(
            title=say_in(lang, "The whole set"),
            columns=(*columns, *counts),
            rows=tuple(rows),
            notes=notes,
        )
    )


def _recorded_table(modes: Sequence[ModeResults], lang: Lang) -> Table:
    names = list(dict.fromkeys(name for mode in modes for name in mode.metrics))
    rows = tuple(
        LabelledRow(
            label=_label(mode),
            cells=tuple(TableCell(value=mode.metrics.get(name)) for name in names),
        )
        for mode in modes
    )
    columns = tuple(TableColumn(key=name, title=name) for name in names)
    return Table(title=say_in(lang, "Recorded in the file"), columns=columns, rows=rows)


def _confusion_table(modes: Sequence[ModeResults], lang: Lang) -> Table:
    titles = [*(TITLES[level] for level in LEVELS), UNPARSED]
    columns = tuple(TableColumn(key=title, title=say_in(lang, title, "level")) for title in titles)
    rows = tuple(
        LabelledRow(
            label=f"{_label(mode)}: {say_in(lang, TITLES[level], 'level')}",
            cells=tuple(TableCell(value=int(count)) for count in counts),
        )
        for mode in modes
        for level, counts in zip(LEVELS, mode_matrix(mode) or (), strict=False)
    )
    title = say_in(lang, "Confusion: levels that are true by levels that were said")
    return Table(
        title=title, columns=columns, rows=rows, label_title=say_in(lang, "variant: true level")
    )


def _differences(modes: Sequence[ModeResults], lang: Lang) -> Iterator[str]:
    """A note for each recorded number that the results or the matrix do not give."""
    for mode in modes:
        figures: Mapping[str, Any] = mode_figures(mode)
        for name, value in figures.items():
            recorded = mode.metrics.get(name)
            if recorded is None or value is None or abs(recorded - value) <= _TOLERANCE:
                continue
            yield say_in(
                lang,
                "{mode}: {metric} is {recorded} in the file, {value} by its results.",
                mode=_label(mode),
                metric=name,
                recorded=f"{recorded:.4g}",
                value=f"{value:.4g}",
            )


def _counted_notes(modes: Sequence[ModeResults], lang: Lang) -> Iterator[str]:
    for mode in modes:
        if mode.unread:
            yield say_n_in(
                lang,
                "{mode}: {n} result without a true level is left out.",
                "{mode}: {n} results without a true level are left out.",
                mode.unread,
                mode=_label(mode),
            )
        if mode.contradicted:
            yield say_n_in(
                lang,
                "{mode}: {n} result has another verdict in correct_risk than in its levels; the levels are used.",
                "{mode}: {n} results have another verdict in correct_risk than in their levels; the levels are used.",
                mode.contradicted,
                mode=_label(mode),
            )


def _label(mode: ModeResults) -> str:
    return mode.name if mode.name == mode.key else f"{mode.key} {mode.name}"
