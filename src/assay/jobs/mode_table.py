"""Tables of the results that a contract-risk reviewer wrote by itself.

The numbers that the file records stand in one table as they are. What can be computed from its
results, or from its confusion matrix, stands in another, by the same formulas as in a review.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from assay.data.contract import FROM_LEVELS, ModeResults, mode_figures, mode_matrix
from assay.report.table import Column, Row, Table, TableCell, with_marks
from assay.report.words import Lang, metric_title, word
from assay.scorers.risk import CORPUS, LEVELS, METRICS, TITLES, UNPARSED
from assay.text import Count

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
        Column(key=name, title=metric_title(metrics[name], lang), better=metrics[name].better)
        for name in names
    )
    counts = (
        Column(key="clauses", title=word("clauses", lang)),
        Column(key="unparsed", title=word("unparsed", lang)),
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
        rows.append(Row(label=_label(mode), cells=cells))
    notes = (word("kappa note", lang), *_differences(modes, lang), *_counted_notes(modes, lang))
    return with_marks(
        Table(
            title=word("corpus", lang), columns=(*columns, *counts), rows=tuple(rows), notes=notes
        )
    )


def _recorded_table(modes: Sequence[ModeResults], lang: Lang) -> Table:
    names = list(dict.fromkeys(name for mode in modes for name in mode.metrics))
    rows = tuple(
        Row(
            label=_label(mode),
            cells=tuple(TableCell(value=mode.metrics.get(name)) for name in names),
        )
        for mode in modes
    )
    columns = tuple(Column(key=name, title=name) for name in names)
    return Table(title=word("recorded metrics", lang), columns=columns, rows=rows)


def _confusion_table(modes: Sequence[ModeResults], lang: Lang) -> Table:
    titles = [*(TITLES[level] for level in LEVELS), UNPARSED]
    columns = tuple(Column(key=title, title=word(f"level {title}", lang)) for title in titles)
    rows = tuple(
        Row(
            label=f"{_label(mode)}: {word(f'level {TITLES[level]}', lang)}",
            cells=tuple(TableCell(value=int(count)) for count in counts),
        )
        for mode in modes
        for level, counts in zip(LEVELS, mode_matrix(mode) or (), strict=False)
    )
    title = word("confusion", lang)
    return Table(title=title, columns=columns, rows=rows, label_title=word("true level", lang))


def _differences(modes: Sequence[ModeResults], lang: Lang) -> Iterator[str]:
    """A note for each recorded number that the results or the matrix do not give."""
    for mode in modes:
        figures: Mapping[str, Any] = mode_figures(mode)
        for name, value in figures.items():
            recorded = mode.metrics.get(name)
            if recorded is None or value is None or abs(recorded - value) <= _TOLERANCE:
                continue
            yield word("recorded note", lang).format(
                mode=_label(mode), metric=name, recorded=f"{recorded:.4g}", value=f"{value:.4g}"
            )


def _counted_notes(modes: Sequence[ModeResults], lang: Lang) -> Iterator[str]:
    for mode in modes:
        for name in ("unread", "contradicted"):
            if count := getattr(mode, name):
                yield word(f"{name} note", lang).format(mode=_label(mode), n=Count(count))


def _label(mode: ModeResults) -> str:
    return mode.name if mode.name == mode.key else f"{mode.key} {mode.name}"
