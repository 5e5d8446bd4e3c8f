"""What a benchmark shows beyond its metrics, for the summary and the report: its groups."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from assay.jobs.legal.summary import bench_summary
from assay.jobs.results import Results
from assay.journal import last_rows
from assay.report.table import Column, Row, Table, TableCell, with_marks
from assay.report.words import Lang, value_word, word

_GROUPS: Final = ("by_type", "by_category", "by_difficulty", "by_document")
_TYPES: Final = ("fact_exact", "evidence_set", "conflict_gap")
_LEFT_OUT: Final = frozenset({"questions", "counts"})


class BenchFindings:
    """The percentages of each variant, overall and by group."""

    def __init__(self, results: Results) -> None:
        rows = last_rows(results.path)
        by_variant: dict[str, list[Mapping[str, Any]]] = {
            name: [] for name in results.scores.variants
        }
        for key in sorted(rows):  # however a run was interrupted, the same numbers
            by_variant.setdefault(rows[key]["config"], []).append(rows[key])
        self._found = {name: bench_summary(own) for name, own in by_variant.items()}

    def fields(self, variant: str) -> Mapping[str, Any]:
        """The percentages of a variant, without the questions: those are the rows."""
        found = self._found[variant]
        return {name: value for name, value in found.items() if name not in _LEFT_OUT}

    def tables(self, lang: Lang = "en") -> list[Table]:
        """A row a variant: overall and by type. Then a table for each way of grouping."""
        return [self._overall(lang), *(self._group(name, lang) for name in _GROUPS)]

    def charts(self, folder: Path, suffix: str, lang: Lang = "en") -> list[Path]:
        """A bar for each type of question and variant."""
        # matplotlib takes most of a second to load, and only charts need it
        from assay.report.chart import Bar, bar_chart  # noqa: PLC0415

        several = len(self._found) > 1
        bars = [
            Bar(name=f"{variant}: {shown}" if several else shown, value=one["percentage"])
            for variant, found in self._found.items()
            for name, one in found["by_type"].items()
            for shown in (value_word("type", name, lang),)
        ]
        if not any(bar.value is not None for bar in bars):
            return []
        path = folder / f"bar-percentage-by-type.{suffix}"
        return [bar_chart(bars, path, label=word("percentage", lang), lang=lang)]

    def _overall(self, lang: Lang) -> Table:
        known = [
            name
            for name in _TYPES
            if any(name in found["by_type"] for found in self._found.values())
        ]
        columns = [Column(key="overall", title=word("overall", lang), better="higher", digits=1)]
        columns += [
            Column(
                key=name,
                title=f"{value_word('type', name, lang)}, %",
                better="higher",
                digits=1,
            )
            for name in known
        ]
        rows = []
        for variant, found in self._found.items():
            values = [found["overall_percentage"]]
            values += [found["by_type"].get(name, {}).get("percentage") for name in known]
            rows.append(Row(label=variant, cells=_cells(values)))
        title = word("bench overall", lang)
        return with_marks(Table(title=title, columns=tuple(columns), rows=tuple(rows)))

    def _group(self, name: str, lang: Lang) -> Table:
        counts = ("scored", "failed", "skipped", "passed")
        columns = (
            Column(key="percentage", title=word("percentage", lang), better="higher", digits=1),
            *(Column(key=one, title=word(one, lang)) for one in counts),
        )
        several = len(self._found) > 1
        rows = tuple(
            Row(
                label=f"{variant}: {shown}" if several else shown,
                cells=_cells([one["percentage"], *(one[count] for count in counts)]),
            )
            for variant, found in self._found.items()
            for group, one in found[name].items()
            for shown in (value_word(name.removeprefix("by_"), group, lang),)
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
