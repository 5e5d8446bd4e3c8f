"""The results of a benchmark as one dictionary: overall, for each group and each question."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import fsum
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from assay.jobs.legal.spec import ReportRow
from assay.records import without_draw
from assay.redact.error_text import masked_error
from assay.report.description import band_note
from assay.report.table.table import (
    COUNTS,
    LabelledRow,
    Table,
    TableCell,
    TableColumn,
    with_marks,
)
from assay.results.results import Results
from assay.stats.interval import Interval
from assay.words.language import Lang
from assay.words.message import message
from assay.words.say import say_in

UNSPECIFIED: Final = "unspecified"
"""The group of questions without a category or a difficulty."""
DIFFICULTIES: Final = ("easy", "medium", "hard")
_GROUPS: Final[Mapping[str, str]] = {
    "by_type": "question_type",
    "by_category": "category",
    "by_difficulty": "difficulty",
    "by_document": "source",
}
_SEED_NAMES: Final[Mapping[str, str]] = {"citation_correct": "citation_correctness"}
"""Terms that the summary names as the formulas of the benchmark do, not as rows do."""
_SCORED_FIELDS: Final = (
    "score", "passed", "terms", "why", "missing", "invented", "faults", "answer", "citations",
)  # fmt: skip


def bench_summary(rows: Sequence[ReportRow], *, total: int | None = None) -> dict[str, Any]:
    """The summary of one variant's rows; ``total`` is the number of questions in the plan.

    ``overall_percentage`` is 100 times the mean score of the scored questions, weighted by the
    ``weight`` of each question. If the benchmark sets ``type_weights``, it is the mean of the
    percentages of the types with these weights. ``unweighted_percentage`` gives every question
    the same weight, ``macro_percentage`` every type. All are ``None`` if nothing was scored, and
    all leave failed questions out; ``percentage_if_failed_are_zero`` is ``overall_percentage``
    with failed questions counted as zero. If a check is unsure of answers, ``unsure_answers`` has
    their number ``n`` and the band ``low`` to ``high`` that they leave ``overall_percentage``.
    """
    questions = len(rows) if total is None else total
    overall = group_summary(rows)
    scored, failed = overall["scored"], overall["failed"]
    percentages = [
        group["percentage"]
        for group in group_summaries(rows, "question_type").values()
        if group["percentage"] is not None
    ]
    return {
        "overall_percentage": overall_percentage(rows),
        "unweighted_percentage": _mean([100 * score for score in _scores(rows)]),
        "macro_percentage": _mean(percentages),
        "percentage_if_failed_are_zero": overall_percentage(rows, failed_are_zero=True),
        **_unsure(rows, overall_percentage),
        "severity_total": _rounded(fsum(_terms(rows, "severity"))),
        "counts": {
            "questions": questions,
            "scored": scored,
            "answered": overall["answered"],
            "failed": failed,
            "skipped": overall["skipped"],
            "not_asked": questions - len(rows),
            "passed": overall["passed"],
        },
        **{name: group_summaries(rows, field) for name, field in _GROUPS.items()},
        "questions": [question_summary(row) for row in rows],
    }


def mean_rows(rows: Iterable[ReportRow]) -> list[ReportRow]:
    """One row for each question: the mean of its scored draws if it was asked several times.

    A question passes if its mean score does, and is failed only if no draw is scored. Its answer and
    its reasons are those of the first scored draw.

    >>> rows = [ReportRow(key="q::v::topk=1", score=1.0, min_score=0.7, passed=True),
    ...         ReportRow(key="q::v::topk=1::run=2", score=0.0, min_score=0.7, passed=False)]
    >>> [(row.key, row.score, row.passed) for row in mean_rows(rows)]
    [('q::v::topk=1', 0.5, False)]
    """
    draws: dict[str, list[ReportRow]] = {}
    for row in rows:
        draws.setdefault(without_draw(row.key), []).append(row)
    return [listed[0] if len(listed) == 1 else _mean_row(listed) for listed in draws.values()]


def _mean_row(draws: Sequence[ReportRow]) -> ReportRow:
    scored = [row for row in draws if row.status == "scored"]
    first = (scored or draws)[0]
    if len(scored) < 2:
        return replace(first, key=without_draw(first.key))
    score = fsum(_scores(scored)) / len(_scores(scored)) if _scores(scored) else None
    times = [row.elapsed_s for row in scored if row.elapsed_s is not None]
    return replace(
        first,
        key=without_draw(first.key),
        score=score,
        passed=None if score is None or first.min_score is None else score >= first.min_score,
        terms=_mean_terms([row.terms or {} for row in scored]),
        at_least=_mean_bounds(scored, "at_least"),
        at_most=_mean_bounds(scored, "at_most"),
        elapsed_s=fsum(times) / len(times) if times else None,
    )


def _mean_terms(draws: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The mean of each term over the draws that define it."""
    found: dict[str, Any] = {}
    for name in dict.fromkeys(name for terms in draws for name in terms):
        values = [value for terms in draws if (value := terms.get(name)) is not None]
        found[name] = fsum(values) / len(values) if values else None
    return found


def _mean_bounds(draws: Sequence[ReportRow], end: str) -> Mapping[str, float] | None:
    """What the mean scores could be instead; a draw that is not unsure has its own scores."""
    bounds = [getattr(row, end) or {} for row in draws]
    if not any(bounds):
        return None
    names = dict.fromkeys(name for each in bounds for name in each)
    known = [
        {"score": row.score, **(row.terms or {}), **each}
        for row, each in zip(draws, bounds, strict=True)
    ]
    return {name: _mean_terms(known)[name] for name in names}


def origin_summary(rows: Sequence[ReportRow], *, total: int, timestamp: str) -> dict[str, Any]:
    """The summary in the names of the first runner of this benchmark, whose scripts read them.

    A score is weighted, and ``max_score`` is what the scored questions could have: failed ones are
    left out of all but ``total_tests``. A question without ``min_score`` passes with the full score, as
    it does with pytest. ``pass_rate`` is a share of the scored questions.

    >>> rows = [ReportRow(score=1), ReportRow(score=0.5, weight=2, min_score=0.4, passed=True)]
    >>> summary = origin_summary(rows, total=3, timestamp="2024-02-12T00:00:00Z")
    >>> summary["passed_tests"], summary["pass_rate"], summary["overall_score"], summary["max_score"]
    (2, 1.0, 2.0, 3.0)
    """
    scored = [row for row in rows if row.status == "scored" and row.score is not None]
    weights = [1.0 if row.weight is None else row.weight for row in scored]
    passed = sum((row.score or 0.0) >= 1.0 if row.passed is None else row.passed for row in scored)
    return {
        "timestamp": timestamp,
        "total_tests": total,
        "passed_tests": passed,
        "pass_rate": _rounded(passed / len(scored)) if scored else None,
        "overall_score": _rounded(
            fsum(weight * (row.score or 0.0) for weight, row in zip(weights, scored, strict=True))
        ),
        "max_score": _rounded(fsum(weights)),
        "individual_results": [question_summary(row) for row in rows],
    }


def overall_percentage(rows: Sequence[ReportRow], *, failed_are_zero: bool = False) -> float | None:
    """100 times the weighted mean score; ``None`` if no row with a weight was scored.

    A type that ``type_weights`` does not list has the weight 1.

    >>> rows = [ReportRow(score=1, question_type="a"), ReportRow(score=0.5, weight=3),
    ...         ReportRow(score=0)]
    >>> overall_percentage(rows)
    50.0
    """
    if all(row.type_weight is None for row in rows):
        return _percentage(rows, failed_are_zero=failed_are_zero)
    total, weights = [], []
    for question_type in dict.fromkeys(row.question_type for row in rows):
        of_type = [row for row in rows if row.question_type == question_type]
        weight = next((row.type_weight for row in of_type if row.type_weight is not None), 1.0)
        percentage = _percentage(of_type, failed_are_zero=failed_are_zero)
        if percentage is not None:
            total.append(weight * percentage)
            weights.append(weight)
    return _rounded(fsum(total) / fsum(weights)) if fsum(weights) else None


def group_summaries(rows: Sequence[ReportRow], field: str) -> dict[str, dict[str, Any]]:
    """The summary of the rows for each value of ``field``.

    Difficulties are in their natural order, other values in alphabetical order; rows without
    the field come last.
    """
    values = [getattr(row, field) or UNSPECIFIED for row in rows]
    first = DIFFICULTIES if field == "difficulty" else ()
    return {
        name: group_summary([row for row, value in zip(rows, values, strict=True) if value == name])
        for name in sorted(set(values), key=_sort_key(first))
    }


def group_summary(rows: Sequence[ReportRow]) -> dict[str, Any]:
    """Percentage and counts, and the mean of each term with the number of its values.

    >>> rows = [ReportRow(score=0.7, terms={"exact_match": True}), ReportRow(status="failed")]
    >>> summary = group_summary(rows)
    >>> summary["percentage"], summary["scored"], summary["failed"], summary["terms"]
    (70.0, 1, 1, {'exact_match': {'mean': 1.0, 'n': 1}})

    ``passed`` is ``None`` if no question of the group has a ``min_score`` that it could pass.
    """
    scores = _scores(rows)
    names = dict.fromkeys(name for row in rows for name in row.terms or ())
    terms = {_SEED_NAMES.get(name, name): _terms(rows, name) for name in names}
    return {
        "percentage": _percentage(rows),
        **_unsure(rows, _percentage),
        "scored": len(scores),
        "answered": sum(row.status == "answered" for row in rows),
        "failed": sum(row.status == "failed" for row in rows),
        "skipped": sum(row.status == "skipped" for row in rows),
        "passed": _passed(rows),
        "terms": {
            name: {"mean": _mean(values), "n": len(values)} for name, values in terms.items()
        },
    }


def _unsure(
    rows: Sequence[ReportRow], percentage: Callable[[Sequence[ReportRow]], float | None]
) -> dict[str, Any]:
    """How many answers a check is unsure of, and the band that they leave a percentage.

    >>> rows = [ReportRow(score=0), ReportRow(score=1, at_least={"score": 0.3}, at_most={"score": 1})]
    >>> _unsure(rows, _percentage)
    {'unsure_answers': {'n': 1, 'low': 15.0, 'high': 50.0}}
    """
    ends = [
        (least, most)
        for row in rows
        if row.status == "scored"
        and (least := (row.at_least or {}).get("score")) is not None
        and (most := (row.at_most or {}).get("score")) is not None
    ]
    if not ends:
        return {}
    low, high = (
        percentage(
            [replace(row, score=(getattr(row, end) or {}).get("score", row.score)) for row in rows]
        )
        for end in ("at_least", "at_most")
    )
    return {"unsure_answers": {"n": len(ends), "low": low, "high": high}}


def question_summary(row: ReportRow) -> dict[str, Any]:
    """One question: its status, then the scores of its answer with the reasons, or the error."""
    summary: dict[str, Any] = {
        "id": row.question_id,
        "type": row.question_type,
        "category": row.category,
        "difficulty": row.difficulty,
        "file": row.file,
        "document": row.source,
        "question": row.question,
        "status": row.status,
    }
    if row.status == "scored":
        summary |= {name: getattr(row, name) for name in _SCORED_FIELDS}
        if row.at_least:  # what the scores of an unsure answer could be instead
            summary |= {"at_least": row.at_least, "at_most": row.at_most}
        terms = row.terms or {}
        summary["terms"] = {_SEED_NAMES.get(name, name): term for name, term in terms.items()}
        summary["notes"] = row.notes or []
        summary["min_score"] = row.min_score
        summary["weight"] = 1.0 if row.weight is None else row.weight
        summary["type_weight"] = row.type_weight
        summary["elapsed_s"] = row.elapsed_s
    else:
        summary |= {"score": None, "error": masked_error(row.error or row.reason or "") or None}
    return summary


def result_row(result: Mapping[str, Any]) -> ReportRow:
    """The row of a question's result, the inverse of ``question_summary``.

    >>> result_row({"id": "q", "status": "scored", "score": 0.7}).score
    0.7
    """
    names = set(ReportRow.__struct_fields__)
    fields = {name: value for name, value in result.items() if name in names}
    return ReportRow(
        **fields
        | {
            "question_id": str(result.get("id", "")),
            "question_type": str(result.get("type", "")),
            "source": result.get("document"),
        }
    )


def _sort_key(first: Iterable[str]) -> Callable[[str], tuple[int, str]]:
    """A sort key: the names of ``first``, then other names by alphabet, then ``UNSPECIFIED``."""
    ranks = {name: rank for rank, name in enumerate(first)}
    return lambda name: (ranks.get(name, len(ranks) + (name == UNSPECIFIED)), name)


def _percentage(rows: Sequence[ReportRow], *, failed_are_zero: bool = False) -> float | None:
    """100 times the mean score, weighted by the questions' weights."""
    counted = [
        (1.0 if row.weight is None else row.weight, row.score)
        for row in rows
        if row.status == "scored" and row.score is not None
    ]
    if failed_are_zero:
        counted += [
            (1.0 if row.weight is None else row.weight, 0.0)
            for row in rows
            if row.status == "failed"
        ]
    weights = fsum(weight for weight, _ in counted)
    if not weights:
        return None
    return _rounded(100 * fsum(weight * score for weight, score in counted) / weights)


def _passed(rows: Sequence[ReportRow]) -> int | None:
    """How many rows reached their ``min_score``; ``None`` if none has one."""
    verdicts = [row.passed for row in rows if row.passed is not None]
    if not verdicts and all(row.min_score is None for row in rows):
        return None
    return sum(verdicts)


def _scores(rows: Sequence[ReportRow]) -> list[float]:
    return [row.score for row in rows if row.status == "scored" and row.score is not None]


def _terms(rows: Sequence[ReportRow], name: str) -> list[float]:
    """The values of a term in the rows that define it."""
    values = [(row.terms or {}).get(name) for row in rows if row.status == "scored"]
    return [float(value) for value in values if value is not None]


def _mean(values: Sequence[float]) -> float | None:
    return _rounded(fsum(values) / len(values)) if values else None


def _rounded(value: float) -> float:
    """The value without the errors of binary fractions: 0.1 + 0.2 gives 0.3."""
    return round(value, 10)


# The percentages of each group of questions, for the summary and the report.

_GROUP_TITLES: Final = {
    "by_type": message("By type of question"),
    "by_category": message("By category"),
    "by_difficulty": message("By difficulty"),
    "by_document": message("By document"),
}
_TYPES: Final = ("fact_exact", "evidence_set", "conflict_gap")
_LEFT_OUT: Final = frozenset({"questions", "counts"})


class BenchFindings:
    """The percentages of each variant, overall and by group."""

    def __init__(self, results: Results) -> None:
        by_variant: dict[str, list[ReportRow]] = {name: [] for name in results.scores.variants}
        for _, row in sorted(results.job_rows.items()):  # an interrupted run gives the same numbers
            by_variant.setdefault(row.config, []).append(row)
        scored = {
            frozenset(row.question_id for row in rows if row.status == "scored")
            for rows in by_variant.values()
        }
        self._has_same_cases = len(scored) < 2
        self._summaries = {
            name: bench_summary(mean_rows(variant_rows))
            for name, variant_rows in by_variant.items()
        }

    def fields(self, variant: str) -> Mapping[str, Any]:
        """The percentages of a variant, without its questions: the journal has their rows."""
        summary = self._summaries[variant]
        return {name: value for name, value in summary.items() if name not in _LEFT_OUT}

    def tables(self, lang: Lang = "en") -> list[Table]:
        """One table with a row for each variant, then one table for each way of grouping."""
        return [self._overall(lang), *(self._group(name, lang) for name in _GROUPS)]

    def charts(self, folder: Path, suffix: str, lang: Lang = "en") -> list[Path]:
        """One chart with a bar for each type of question and variant; none if nothing was scored."""
        # matplotlib takes most of a second to load, and only charts need it
        from assay.report.chart.bar import bar_chart  # noqa: PLC0415
        from assay.report.chart.scatter import Bar  # noqa: PLC0415

        several = len(self._summaries) > 1
        bars = [
            Bar(name=f"{variant}: {title}" if several else title, value=group["percentage"])
            for variant, summary in self._summaries.items()
            for name, group in summary["by_type"].items()
            for title in (say_in(lang, name, "type"),)
        ]
        if not any(bar.value is not None for bar in bars):
            return []
        path = folder / f"bar-percentage-by-type.{suffix}"
        title, label = _GROUP_TITLES["by_type"].text_in(lang), say_in(lang, "points, %")
        return [bar_chart(bars, path, label=label, title=title, digits=1, lang=lang)]

    def _overall(self, lang: Lang) -> Table:
        types = [
            name
            for name in _TYPES
            if any(name in summary["by_type"] for summary in self._summaries.values())
        ]
        columns = [
            TableColumn(key="overall", title=say_in(lang, "overall, %"), better="higher", digits=1)
        ]
        columns += [
            TableColumn(
                key=name,
                title=f"{say_in(lang, name, 'type')}, %",
                better="higher",
                digits=1,
            )
            for name in types
        ]
        rows = []
        for variant, summary in self._summaries.items():
            groups = [summary["by_type"].get(name, {}) for name in types]
            cells = (
                _share(summary["overall_percentage"], summary),
                *(_share(group.get("percentage"), group) for group in groups),
            )
            rows.append(LabelledRow(label=variant, cells=cells))
        title = say_in(lang, "Benchmark: percentage of the points")
        several = len(rows) > 1
        shown = [
            (f"{column.title}, {row.label}" if several else column.title, cell)
            for row in rows
            for column, cell in zip(columns, row.cells, strict=True)
        ]
        notes = _notes(shown, lang)
        table = Table(title=title, columns=tuple(columns), rows=tuple(rows), notes=notes)
        return with_marks(table) if self._has_same_cases else table

    def _group(self, name: str, lang: Lang) -> Table:
        groups = [group for summary in self._summaries.values() for group in summary[name].values()]
        unjudged = ("answered",) if any(group["answered"] for group in groups) else ()
        # without a threshold there is nothing to pass
        passed = ("passed",) if any(group["passed"] is not None for group in groups) else ()
        counts = ("scored", *unjudged, "failed", "skipped", *passed)
        columns = (
            TableColumn(
                key="percentage", title=say_in(lang, "points, %"), better="higher", digits=1
            ),
            *(TableColumn(key=count, title=COUNTS[count].text_in(lang)) for count in counts),
        )
        several = len(self._summaries) > 1
        rows = tuple(
            LabelledRow(
                label=f"{variant}: {title}" if several else title,
                cells=(
                    _share(group["percentage"], group),
                    *(TableCell(value=group[count]) for count in counts),
                ),
            )
            for variant, summary in self._summaries.items()
            for value, group in summary[name].items()
            for title in (say_in(lang, value, name.removeprefix("by_")),)
        )
        return Table(
            title=_GROUP_TITLES[name].text_in(lang),
            label_title=say_in(lang, "group"),
            label_key="group",
            columns=columns,
            rows=rows,
            notes=_notes([(row.label, row.cells[0]) for row in rows], lang),
        )


def _share(percentage: float | None, group: Mapping[str, Any]) -> TableCell:
    """The percentage of a group with the band that its unsure answers leave."""
    unsure = group.get("unsure_answers")
    if unsure is None:
        return TableCell(value=percentage)
    band = Interval(low=unsure["low"], high=unsure["high"], level=1.0, method="unsure")
    return TableCell(value=percentage, band=band, unsure=unsure["n"])


def _notes(cells: Iterable[tuple[str, TableCell]], lang: Lang) -> tuple[str, ...]:
    """What unsure answers leave open of percentages, each with what it is of."""
    return tuple(
        band_note(what, cell.value, cell.band.low, cell.band.high, cell.unsure, digits=1).text_in(
            lang
        )
        for what, cell in cells
        if cell.band is not None and isinstance(cell.value, float)
    )
