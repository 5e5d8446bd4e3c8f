"""One run as the page shows it: sentences, numbers, charts, tables and the set-up."""

import re
from collections.abc import Iterator
from typing import Any, Final

import msgspec
import numpy as np

from assay.data.secret_field import without_secrets
from assay.jobs.study import (
    RunFindings,
    corrected_note,
    latency_table,
    quality_table,
    reservations,
    tables,
    unsure_note,
    verdicts,
)
from assay.records import Metric, Tally
from assay.report.table import (
    MISSING,
    Column,
    Table,
    TableCell,
    column_titles,
    is_defined,
    legend,
    shown_interval,
    shown_number,
)
from assay.report.words import Lang, metric_title, page_word, word
from assay.stats import VariantSummary
from assay.web.amount import shown_value
from assay.web.api import Cell, RunCard, RunView, TableView, VariantView
from assay.web.broken import broken_note
from assay.web.card import counts
from assay.web.chart import charts
from assay.web.difference import (
    corrected_view,
    difference_view,
    interval_view,
    metric_infos,
    primary_metric,
    run_effects,
)
from assay.web.failure import failures
from assay.web.judge import run_judges
from assay.web.language import LANGUAGES, in_all, undefined_text
from assay.web.query import Columns
from assay.web.run_index import RunIndex
from assay.web.setup import setup_view
from assay.web.text_api import Text

MOST_NAMES: Final = 500
"""How many sources and tags are listed."""
MOST_TABLE_ROWS: Final = 400
_INTERVAL: Final = re.compile(r"\[[-+0-9., ]+\]")


def run_view(index: RunIndex, card: RunCard) -> RunView:
    """Everything about a run except its items."""
    findings = index.findings
    columns = Columns(index)
    total = findings.results.summary.total if findings.results.summary else None
    tally = _sum(variant.tally for variant in findings.analysis.variants)
    unparsed = int(np.count_nonzero(columns.unparsed))
    metric = primary_metric(findings)
    judged = run_judges(index).views
    tags = [tag for each in index.listed.tags.values() for tag in each]
    return RunView(
        card=msgspec.structs.replace(card, counts=counts(tally, total, unparsed)),
        sentences=tuple(_sentences(findings, metric)),
        reservations=(
            *((broken_note(index.repaired),) if index.repaired else ()),
            *_merged(lambda lang: reservations(findings, lang)),
        ),
        primary=metric.name,
        baseline=findings.baseline,
        metrics=metric_infos(findings.metrics),
        variants=tuple(_variants(findings, columns)),
        differences=tuple(map(difference_view, run_effects(findings))),
        charts=charts(findings),
        tables=_tables(findings),
        setup=setup_view(findings),
        sources=tuple(filter(None, index.listed.sources.values()))[:MOST_NAMES],
        tags=tuple(dict.fromkeys(tags))[:MOST_NAMES],
        items=findings.items,
        outside=findings.results.outside,
        failures=failures(index, columns),
        stops_early=findings.stops_early,
        judges=judged.judges,
        judge_pairs=judged.pairs,
        judge_preferences=judged.preferences,
    )


def _merged(make: Any) -> tuple[Text, ...]:
    """Texts that a function lists in each language, joined by their places."""
    lists = [make(lang) for lang in LANGUAGES]
    return tuple(Text(en=en, zh=zh, ru=ru) for en, zh, ru in zip(*lists, strict=True))


def _sum(tallies: Iterator[Tally]) -> Tally:
    listed = list(tallies)
    names = ("scored", "answered", "failed", "skipped", "spared")
    return Tally(**{name: sum(getattr(tally, name) or 0 for tally in listed) for name in names})


def _sentences(findings: RunFindings, metric: Metric) -> Iterator[Text]:
    """The verdicts; for a single variant its value of the primary metric."""
    if len(findings.analysis.variants) > 1:
        yield from _merged(lambda lang: verdicts(findings, metric, lang))
        return
    for variant in findings.analysis.variants:
        cell = variant.cells[metric.name]
        ends = cell.interval
        between = f" [{ends.low:.3f}, {ends.high:.3f}]" if ends else ""
        key = "sentence undefined" if cell.value is None else "sentence value"
        shown = shown_value(cell.value) + between
        yield in_all(
            lambda lang, key=key, shown=shown, n=cell.n: page_word(key, lang).format(  # type: ignore[misc]
                metric=metric_title(metric, lang), value=shown, n=n
            )
        )
        if cell.band is not None:
            notes = [unsure_note(metric, cell, lang) for lang in LANGUAGES]
            yield Text(**dict(zip(LANGUAGES, notes, strict=True)))
        if (corrected := cell.corrected) is not None:
            notes = [corrected_note(metric, corrected, lang) for lang in LANGUAGES]
            yield Text(**dict(zip(LANGUAGES, notes, strict=True)))


def _variants(findings: RunFindings, columns: Columns) -> Iterator[VariantView]:
    marks = _marks(findings)
    summary = findings.results.summary
    settings = {each.name: each.settings for each in summary.variants} if summary else {}
    for number, variant in enumerate(findings.analysis.variants):
        bill = findings.results.bills[variant.name]
        amounts = {
            name: amount if isinstance(amount := getattr(bill, name), int | float) else None
            for name in ("cost", "paid", "judge_paid")
        }
        yield VariantView(
            name=variant.name,
            is_baseline=variant.name == findings.baseline,
            counts=counts(variant.tally, None, int(np.count_nonzero(columns.unparsed[number]))),
            cells={
                metric.name: _cell(variant, metric, marks.get((variant.name, metric.name), ""))
                for metric in findings.metrics
            },
            cost=amounts["cost"],
            paid=amounts["paid"],
            judge_paid=amounts["judge_paid"],
            calls=bill.calls or None,
            prompt_tokens=bill.prompt_tokens or None,
            completion_tokens=bill.completion_tokens or None,
            settings=without_secrets(dict(settings.get(variant.name, {}))),
            order=findings.ordered.get(variant.name),
        )


def _marks(findings: RunFindings) -> dict[tuple[str, str], str]:
    """The best and worst values, as the tables mark them."""
    return {
        (row.label, column.key): cell.mark or ""
        for table in (quality_table(findings), latency_table(findings))
        for row in table.rows
        for column, cell in zip(table.columns, row.cells, strict=True)
    }


def _cell(variant: VariantSummary, metric: Metric, mark: str) -> Cell:
    cell = variant.cells[metric.name]
    return Cell(
        value=cell.value,
        n=cell.n,
        interval=interval_view(cell.interval),
        unsure=cell.unsure,
        band=interval_view(cell.band),
        corrected=corrected_view(cell.corrected),
        reason=undefined_text(metric) if cell.value is None else None,
        is_best=mark == "best",
        is_worst=mark == "worst",
    )


def _tables(findings: RunFindings) -> tuple[TableView, ...]:
    listed = [
        [_titled(table, findings, lang) for table in tables(findings, lang)] for lang in LANGUAGES
    ]
    return tuple(_table(*each) for each in zip(*listed, strict=True))


def _titled(table: Table, findings: RunFindings, lang: Lang) -> Table:
    """The table with titles of metrics: the overview of a report has their names for programs."""
    known = {metric.name: metric for metric in findings.job.metrics}
    return msgspec.structs.replace(
        table,
        columns=tuple(
            msgspec.structs.replace(
                column, title=metric_title(known[column.title], lang), name=column.title
            )
            if column.title in known
            else column
            for column in table.columns
        ),
    )


def _table(en: Table, zh: Table, ru: Table) -> TableView:
    """One table in three languages."""
    each = (en, zh, ru)
    titles = [list(column_titles(table, lang)) for table, lang in zip(each, LANGUAGES, strict=True)]
    notes = [_notes(table, lang) for table, lang in zip(each, LANGUAGES, strict=True)]
    shown = [_rows(table) for table in each]
    return TableView(
        title=Text(en=en.title, zh=zh.title, ru=ru.title),
        columns=tuple(_joined(*parts) for parts in zip(*titles, strict=True)),
        rows=tuple(
            tuple(_one(*cells) for cells in zip(*rows, strict=True))
            for rows in zip(*shown, strict=True)
        ),
        notes=tuple(_joined(*parts) for parts in zip(*notes, strict=True)),
        marks=tuple(
            ("", *(cell.mark or "" for cell in row.cells)) for row in en.rows[:MOST_TABLE_ROWS]
        ),
    )


def _notes(table: Table, lang: Lang) -> list[str]:
    """The legend of a table; the page marks the best and the worst value with signs."""
    printed, shown = word("mark note", lang), page_word("table marks", lang)
    return [shown if note == printed else note for note in legend(table, lang)]


def _rows(table: Table) -> list[list[str]]:
    return [
        [
            row.label,
            *(_shown(cell, col) for cell, col in zip(row.cells, table.columns, strict=True)),
        ]
        for row in table.rows[:MOST_TABLE_ROWS]
    ]


def _shown(cell: TableCell, column: Column) -> str:
    """A value with its stars and its interval; with a real minus sign, as everywhere on the page."""
    if cell.value is None or not is_defined(cell.value):
        return MISSING
    if isinstance(cell.value, str):
        return cell.value.replace("-", "−") if _INTERVAL.fullmatch(cell.value) else cell.value
    parts = (
        shown_number(cell.value, column) + cell.significance,
        shown_interval(cell.interval, column),
    )
    return " ".join(filter(None, parts)).replace("-", "−")


def _joined(en: str, zh: str, ru: str) -> Text:
    return Text(en=en, zh=zh, ru=ru)


def _one(en: str, zh: str, ru: str) -> str | Text:
    return en if en == zh == ru else Text(en=en, zh=zh, ru=ru)
