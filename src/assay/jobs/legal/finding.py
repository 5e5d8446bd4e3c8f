"""The percentages of each group of questions, for the summary and the report."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from assay.jobs.legal.report_row import ReportRow
from assay.jobs.legal.summary import bench_summary
from assay.jobs.results import Results
from assay.report.table import Column, Row, Table, TableCell, with_marks
from assay.report.words import Lang, value_word, word

_GROUPS: Final = ("by_type", "by_category", "by_difficulty", "by_document")
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
            name: bench_summary(variant_rows) for name, variant_rows in by_variant.items()
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
        from assay.report.chart import Bar, bar_chart  # noqa: PLC0415

        several = len(self._summaries) > 1
        bars = [
            Bar(name=f"{variant}: {title}" if several else title, value=group["percentage"])
            for variant, summary in self._summaries.items()
            for name, group in summary["by_type"].items()
            for title in (value_word("type", name, lang),)
        ]
        if not any(bar.value is not None for bar in bars):
            return []
        path = folder / f"bar-percentage-by-type.{suffix}"
        return [bar_chart(bars, path, label=word("percentage", lang), lang=lang)]

    def _overall(self, lang: Lang) -> Table:
        types = [
            name
            for name in _TYPES
            if any(name in summary["by_type"] for summary in self._summaries.values())
        ]
        columns = [Column(key="overall", title=word("overall", lang), better="higher", digits=1)]
        columns += [
            Column(
                key=name,
                title=f"{value_word('type', name, lang)}, %",
                better="higher",
                digits=1,
            )
            for name in types
        ]
        rows = []
        for variant, summary in self._summaries.items():
            values = [summary["overall_percentage"]]
            values += [summary["by_type"].get(name, {}).get("percentage") for name in types]
            rows.append(Row(label=variant, cells=_cells(values)))
        title = word("bench overall", lang)
        table = Table(title=title, columns=tuple(columns), rows=tuple(rows))
        return with_marks(table) if self._has_same_cases else table

    def _group(self, name: str, lang: Lang) -> Table:
        groups = [group for summary in self._summaries.values() for group in summary[name].values()]
        unjudged = ("answered",) if any(group["answered"] for group in groups) else ()
        # without a threshold there is nothing to pass
        passed = ("passed",) if any(group["passed"] is not None for group in groups) else ()
        counts = ("scored", *unjudged, "failed", "skipped", *passed)
        columns = (
            Column(key="percentage", title=word("percentage", lang), better="higher", digits=1),
            *(Column(key=count, title=word(count, lang)) for count in counts),
        )
        several = len(self._summaries) > 1
        rows = tuple(
            Row(
                label=f"{variant}: {title}" if several else title,
                cells=_cells([group["percentage"], *(group[count] for count in counts)]),
            )
            for variant, summary in self._summaries.items()
            for value, group in summary[name].items()
            for title in (value_word(name.removeprefix("by_"), value, lang),)
        )
        return Table(
            title=word(f"bench {name}", lang),
            label_title=word("group", lang),
            label_key="group",
            columns=columns,
            rows=rows,
        )


def _cells(values: Sequence[float | int | None]) -> tuple[TableCell, ...]:
    return tuple(TableCell(value=value) for value in values)
